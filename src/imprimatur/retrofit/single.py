"""The whole process in one prompt: the model does its part of it and is given the graph's triples in between.

One dialogue a round: the model lists the claims with their entities; it is then shown the triples around these, and
answers with the critical ones, a verdict and suggestion for each claim, and the response written anew. So it has the
verification before it when it retrofits, in its own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imprimatur.answer import Message
from imprimatur.models.prompts import template
from imprimatur.retrofit import shapes
from imprimatur.retrofit.asked import MOST, Asking, placed, refusals, verdicts, written
from imprimatur.retrofit.by_graph import ByGraph
from imprimatur.retrofit.kinds import Entity, Finding, Stated, Triple, Turn, Verified

__all__ = ["SinglePrompt"]


class SinglePrompt:
    """A model as the one who does the stages, in one dialogue (a ``Stages``); used by one thread, a round at a time."""

    def __init__(self, asking: Asking, graph: ByGraph) -> None:
        self._asking = asking
        self._graph = graph
        self._dialogue: tuple[Message, ...] = ()
        self._named: tuple[tuple[Entity, ...], ...] = ()
        self._verified: tuple[Verified, ...] = ()
        self._response = ""

    def extract(self, turn: Turn) -> tuple[Stated, ...]:
        """The first part of the dialogue."""
        instructions = Message("system", template("kgr-single").text)
        told = {"question": turn.question, "response": turn.response}
        said = self._asking.go_on((instructions,), shapes.claims(turn.response, named=True), **told)
        kept = [each for each in said["claims"] if each["says"].strip()]
        self._named = tuple(
            tuple(self._graph.link(name.strip()) for name in each["entities"] if name.strip()) for each in kept
        )
        self._dialogue = (instructions, Message("user", written(told)), Message("assistant", written(said)))
        return placed(turn.response, kept)

    def detect(self, turn: Turn, claims: Sequence[Stated]) -> tuple[tuple[Entity, ...], ...]:
        """What the model named with the claims."""
        return self._named[: len(claims)]

    def select(
        self, turn: Turn, claims: Sequence[Stated], entities: Sequence[Sequence[Entity]]
    ) -> tuple[tuple[Triple, ...], ...]:
        """The second part of the dialogue: what is critical is answered together with all that follows from it."""
        around = [self._graph.ranked(claim.says, found) for claim, found in zip(claims, entities)]
        known = list(dict.fromkeys(triple for each in around for triple in each))[:MOST]
        lines: list[dict[str, Any]] = [{"number": n, "triple": triple.text} for n, triple in enumerate(known, 1)]
        shape = shapes.whole(len(claims), len(known))
        said = self._asking.go_on(self._dialogue, shape, triples=lines, **refusals(turn))
        critical = {known[number - 1] for number in said["critical"] if number <= len(known)}
        self._verified = verdicts(said["verified"], len(claims))
        self._response = said["response"]
        return tuple(tuple(triple for triple in each if triple in critical) for each in around)

    def verify(self, turn: Turn, claims: Sequence[Stated], triples: Sequence[Sequence[Triple]]) -> tuple[Verified, ...]:
        """The verdicts of the second part."""
        return self._verified

    def retrofit(self, turn: Turn, findings: Sequence[Finding]) -> str:
        """The response of the second part."""
        return self._response
