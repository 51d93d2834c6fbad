"""The five stages by a model: one request for each, instructions from a file, material as JSON in a message of its own.

Invariants: whatever stands in the material goes as JSON strings in which nothing steers (``models.prompts``); equal
material makes equal prompts, so that kept answers are found again. What the model names that is not there (a claim
without words of the response, a number of no triple) is dropped, for nothing rests on it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from imprimatur.answer import Message
from imprimatur.errors import LimitExceeded
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured
from imprimatur.retrofit import shapes
from imprimatur.retrofit.by_graph import ByGraph
from imprimatur.retrofit.kinds import Entity, Finding, Stated, Triple, Turn, Verified
from imprimatur.verdict import Label

__all__ = ["MOST", "Asking", "ByModel", "placed", "refusals", "verdicts", "written"]

#: So many triples are shown at once, and looked at in all.
CHUNK, MOST = 40, 400
_LABELS = {"right": Label.SUPPORTED, "wrong": Label.CONTRADICTED, "unknown": Label.NOT_FOUND}


class Asking:
    """One model, asked for JSON by instructions that have a name; until ``ends`` of the monotonic clock."""

    def __init__(self, model: Model, *, tokens: int | None = None, seconds: float | None = None) -> None:
        self.identity = model.identity
        self.ends = math.inf
        self._tokens = tokens
        self._seconds = seconds
        self._structured = Structured(model)

    def ask(self, name: str, shape: Shape, **material: Any) -> Any:
        """The answer to one request. Raises what ``Structured.ask`` raises."""
        return self.go_on([Message("system", template(name).text)], shape, **material)

    def go_on(self, said: Sequence[Message], shape: Shape, **material: Any) -> Any:
        """The answer to a further request of a dialogue. Raises what ``Structured.ask`` raises."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise LimitExceeded("the time for this draft is over", where="retrofit")
        messages = (*said, Message("user", written(material)))
        seconds = left if self._seconds is None else min(left, self._seconds)
        prompt = Prompt(messages=messages, tokens=self._tokens)
        return self._structured.ask(prompt, shape, seconds=None if math.isinf(seconds) else seconds)


class ByModel:
    """A model as the one who does the stages (a ``Stages``); the graph gives the triples around what it names."""

    def __init__(self, asking: Asking, graph: ByGraph) -> None:
        self._asking = asking
        self._graph = graph

    def extract(self, turn: Turn) -> tuple[Stated, ...]:
        """The claims that it lists."""
        shape = shapes.claims(turn.response)
        said = self._asking.ask("kgr-claims", shape, question=turn.question, response=turn.response)
        return placed(turn.response, said["claims"])

    def detect(self, turn: Turn, claims: Sequence[Stated]) -> tuple[tuple[Entity, ...], ...]:
        """The entities that it finds in the claims, linked by the lexicon."""
        if not claims:
            return ()
        said = self._asking.ask("kgr-entities", shapes.entities(len(claims)), claims=_numbered(claims))
        found: dict[int, dict[str, None]] = {}
        for each in said["found"]:
            names = (name.strip() for name in each["entities"])
            found.setdefault(each["claim"], {}).update(dict.fromkeys(name for name in names if name))
        return tuple(
            tuple(self._graph.link(name) for name in found.get(number, ())) for number in range(1, len(claims) + 1)
        )

    def select(
        self, turn: Turn, claims: Sequence[Stated], entities: Sequence[Sequence[Entity]]
    ) -> tuple[tuple[Triple, ...], ...]:
        """Those of the triples around the entities that it calls critical, chunk by chunk."""
        around = [self._graph.ranked(claim.says, found) for claim, found in zip(claims, entities)]
        known = list(dict.fromkeys(triple for each in around for triple in each))[:MOST]
        kept: set[Triple] = set()
        for chunk in (known[at : at + CHUNK] for at in range(0, len(known), CHUNK)):
            lines = [{"number": number, "triple": triple.text} for number, triple in enumerate(chunk, 1)]
            shape = shapes.critical(len(chunk))
            said = self._asking.ask("kgr-select", shape, claims=_numbered(claims), triples=lines)
            kept.update(chunk[number - 1] for number in said["critical"] if number <= len(chunk))
        return tuple(tuple(triple for triple in each if triple in kept) for each in around)

    def verify(self, turn: Turn, claims: Sequence[Stated], triples: Sequence[Sequence[Triple]]) -> tuple[Verified, ...]:
        """What it makes of each claim beside its triples."""
        if not claims:
            return ()
        told = [
            {"number": number, "claim": claim.says, "triples": [triple.text for triple in known]}
            for number, (claim, known) in enumerate(zip(claims, triples), 1)
        ]
        said = self._asking.ask("kgr-verify", shapes.verified(len(claims)), question=turn.question, claims=told)
        return verdicts(said["verified"], len(claims))

    def retrofit(self, turn: Turn, findings: Sequence[Finding]) -> str:
        """The response as it writes it anew."""
        told = [
            {"claim": each.claim.says, "verdict": _word(each.verified), "suggestion": each.verified.suggestion}
            for each in findings
        ]
        material = {"question": turn.question, "response": turn.response, "verified": told} | refusals(turn)
        said = self._asking.ask("kgr-retrofit", shapes.revision(), **material)
        revised: str = said["response"]
        return revised


def refusals(turn: Turn) -> dict[str, Any]:
    """What of the round before could not be taken, as material; nothing where all could."""
    refused = [{"sentence": said, "why": why} for said, why in turn.refused]
    return {"refused": refused} if refused else {}


def placed(response: str, said: Sequence[Mapping[str, Any]]) -> tuple[Stated, ...]:
    """Claims with the places of their quotations: of several, the first that is not before the claim before it."""
    made, reached = [], 0
    for each in said:
        words, says = each["quote"].strip(), each["says"].strip()
        if not says:
            continue
        at = response.find(words, reached) if words else -1
        at = response.find(words) if words and at < 0 else at
        reached = max(reached, at)
        made.append(Stated(says, at, at + len(words) if at >= 0 else -1))
    return tuple(made)


def verdicts(said: Sequence[Mapping[str, Any]], count: int) -> tuple[Verified, ...]:
    """What each claim came to, by its number; what was not told is not found."""
    found = {each["claim"]: Verified(_LABELS[each["verdict"]], each["suggestion"].strip()) for each in said}
    return tuple(found.get(number, Verified(Label.NOT_FOUND)) for number in range(1, count + 1))


def _word(verified: Verified) -> str:
    """How a model is told what a claim came to."""
    words = {label: word for word, label in _LABELS.items()}
    return words.get(verified.label, "unknown")


def written(value: Any) -> str:
    """A value as JSON of which no text steers."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{quoted(str(key))}: {written(each)}' for key, each in value.items())}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(written, value))}]"
    return str(value) if isinstance(value, int) else quoted(str(value))


def _numbered(claims: Sequence[Stated]) -> list[dict[str, Any]]:
    return [{"number": number, "claim": claim.says} for number, claim in enumerate(claims, 1)]
