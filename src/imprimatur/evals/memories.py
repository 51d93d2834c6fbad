"""``imprimatur eval memories``: what was observed of conversations, as claims that cite the turns they were drawn from.

The turns of a conversation are a memory, each an entry under its own id: who spoke, and what was said. Each observation
is a claim that cites its turns, and is judged as it is, with the other speaker's name in the place of its own, citing
other turns, and citing none that exists. Only the first may pass. Invariant: the last three are false or unfounded by
how they are made, whatever the set says; that the first is true is what a model wrote and nobody checked, so it is
reported and is no goal.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.cli.progress import Progress
from imprimatur.evals.finishing import provenance
from imprimatur.evals.memories_set import CATEGORIES, Conversation, Observation, load
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Figure, Outcome, Table
from imprimatur.oracle import Oracle
from imprimatur.tagged import TaggedClaim
from imprimatur.verdict import Label, worst

__all__ = ["KINDS", "Cited", "cited", "run"]

_AS_IT_IS, _OTHER_SPEAKER, _OTHER_TURNS, _NO_TURN = "as it is", "other speaker", "other turns", "no such turn"
KINDS = (_AS_IT_IS, _OTHER_SPEAKER, _OTHER_TURNS, _NO_TURN)
_NOTES = (
    "Observations were written by a model and checked by nobody: that one is withheld need not be a mistake.",
    "World: nothing but the cited turns counts. Turns speak in the first person, observations in the third.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A claim made of an observation."""

    id: str
    kind: str
    text: str
    citations: tuple[str, ...]


def run(path: Path, *, policy: str | None, most: int | None) -> Outcome:
    """Judges the observations of the conversations of a file. Raises InputError where it is not as it should be."""
    found = load(path)[:most]
    started = time.process_time()
    rows: list[tuple[Cited, Label]] = []
    sources: dict[str, str] = {}
    with Progress("Judging", sum(len(each.observations) for each in found)) as progress:
        for conversation in found:
            with tempfile.TemporaryDirectory() as folder:
                oracle = Oracle.from_folder(_memory(conversation, Path(folder)), policy=policy)
                for claim in progress.over(cited(conversation), lambda claim: int(claim.kind == _AS_IT_IS)):
                    tagged = TaggedClaim(text=claim.text, citations=claim.citations)
                    label = worst([segment.label for segment in oracle.check_claims([tagged]).segments])
                    rows.append((claim, label))
                told, versions = provenance(oracle, files=(path,))
                sources.update(told)
    astray = sum(len(each.astray()) for each in found)
    return Outcome(
        name="memories",
        title=f"Memories: {len(rows)} claims about {len(found)} conversations",
        tables=(_verdicts(rows), _asked(found)),
        cases=tuple(_cases(rows)),
        settings={"policy": policy or "", "most": most},
        sources=sources,
        versions=versions,
        used={"seconds of processor time": time.process_time() - started, "claims": float(len(rows))},
        notes=(f"{astray} turns are cited by the set that it does not have.", *_NOTES),
    )


def _memory(conversation: Conversation, folder: Path) -> Path:
    """Writes the turns as memory entries into a folder, and returns it."""
    entries = (
        {"id": turn.id, "text": f"{turn.speaker}: {turn.text}" + (f" [{turn.caption}]" if turn.caption else "")}
        for turn in conversation.turns
    )
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    (folder / "memory.jsonl").write_text(lines, encoding="utf-8")
    settings = f"version: 1\nname: {json.dumps(conversation.id)}\nmemory: memory.jsonl\n"
    (folder / "imprimatur.yaml").write_text(settings, encoding="utf-8")
    return folder


def cited(conversation: Conversation) -> Iterator[Cited]:
    """The claims of a conversation: each observation in four ways, as far as they can be made."""
    known = {turn.id for turn in conversation.turns}
    fit = [each for each in conversation.observations if each.evidence and known.issuperset(each.evidence)]
    for number, each in enumerate(fit):
        name = f"{conversation.id}/{number}"
        yield Cited(id=name, kind=_AS_IT_IS, text=each.text, citations=each.evidence)
        other = next((speaker for speaker in conversation.speakers if speaker != each.speaker), None)
        if other is not None and each.speaker in each.text and other not in each.text:
            swapped = each.text.replace(each.speaker, other)
            yield Cited(id=name, kind=_OTHER_SPEAKER, text=swapped, citations=each.evidence)
        far = _far(fit, number)
        if far is not None:
            yield Cited(id=name, kind=_OTHER_TURNS, text=each.text, citations=far.evidence)
        yield Cited(id=name, kind=_NO_TURN, text=each.text, citations=(f"{each.evidence[0]}-none",))


def _far(fit: Sequence[Observation], number: int) -> Observation | None:
    """An observation of another session, half a conversation away; None where there is none."""
    own = {id_.partition(":")[0] for id_ in fit[number].evidence}
    for step in range(len(fit)):
        other = fit[(number + len(fit) // 2 + step) % len(fit)]
        if own.isdisjoint(id_.partition(":")[0] for id_ in other.evidence):
            return other
    return None


def _verdicts(rows: Sequence[tuple[Cited, Label]]) -> Table:
    shown = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND)
    body = []
    for kind in KINDS:
        labels = [label for claim, label in rows if claim.kind == kind]
        shares = [Figure.of(Share(labels.count(each), len(labels))) for each in shown]
        rest = Figure.of(Share(sum(label not in shown for label in labels), len(labels)))
        body.append((kind, "may be supported" if kind == _AS_IT_IS else "must not be", *shares, rest))
    head = ("observation", "goal", "supported", "contradicted", "not found", "otherwise")
    return Table(title="Observations as claims that cite turns", head=head, rows=tuple(body))


def _asked(found: Sequence[Conversation]) -> Table:
    """How the questions of the set rest on turns: what a condition that asks them can be measured by."""
    rows = []
    for number, name in CATEGORIES.items():
        asked = [(each, one) for each in found for one in each.questions if one.category == number]
        turns = [({turn.id for turn in each.turns}, one.evidence) for each, one in asked]
        whole = sum(bool(evidence) and known.issuperset(evidence) for known, evidence in turns)
        rows.append((name, len(asked), sum(bool(one.answer) for _, one in asked), whole))
    head = ("questions", "asked", "with an answer", "with turns that exist")
    return Table(title="Questions of the set", head=head, rows=tuple(rows))


def _cases(rows: Sequence[tuple[Cited, Label]]) -> Iterator[Case]:
    for claim, label in rows:
        case = Case(
            id=claim.id,
            kind="observation contradicted",
            text=claim.text,
            gold=claim.kind,
            said=label.value,
            evidence=claim.citations,
        )
        if claim.kind != _AS_IT_IS and label is Label.SUPPORTED:
            yield replace(case, kind="false licence", grave=True)
        elif claim.kind == _AS_IT_IS and label is Label.CONTRADICTED:
            yield case
