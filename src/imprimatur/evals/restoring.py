"""``imprimatur eval restoring``: put wrong values into true sentences; ``correct`` must put the right ones back.

The rows are those of ``eval claims``; those labelled ``supported`` that the oracle licenses get one wrong value each
(``corrupting``). Of those that are then contradicted, a sentence is restored when what goes out is licensed by itself
and rests on the same triples as the true sentence. Invariants: one seed gives one set of changes; whatever goes out is
judged again under ``strict`` by a check of its own; a corrected text is corrected once more and must stay as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.decision import Corrected, Edit
from imprimatur.errors import InputError
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.claims import LabelledRow, read_rows
from imprimatur.evals.corrupting import KINDS, Corruption, corrupted, others_of
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.mutants import licensed
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.graph.candidates import rested_on
from imprimatur.verdict import Label

__all__ = ["Attempt", "Outcome", "as_outcome", "attempt", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What became of one changed sentence.

    Attributes:
        fate: ``restored``, ``licensed`` (the change is borne out), ``open`` (not contradicted: nothing says what is
            right), or why it was not restored: ``withheld``, ``unlicensed``, ``other`` (licensed, by other triples).
        unstable: correcting what went out changed it again.
        outside: an edit changed words that no wrong value stands in.
    """

    corruption: Corruption
    fate: str
    out: str
    unstable: bool = False
    outside: bool = False


@dataclass(slots=True)
class Outcome:
    """All attempts, and how often each kind fared how."""

    attempts: list[Attempt] = field(default_factory=list)

    def counted(self, kind: str | None = None) -> Counter[str]:
        """How many of a kind, or of all, have each fate."""
        return Counter(a.fate for a in self.attempts if kind in (None, a.corruption.kind))

    def restored(self, kind: str | None = None) -> Share:
        """The share restored of what was contradicted."""
        counts = self.counted(kind)
        return Share(counts["restored"], sum(counts[f] for f in ("restored", "withheld", "unlicensed", "other")))

    @property
    def wrong(self) -> list[Attempt]:
        """Where something false went out, something else was changed, or a second correction changed the first."""
        return [a for a in self.attempts if a.unstable or a.outside or a.fate in ("unlicensed", "other")]

    def to_dict(self) -> dict[str, Any]:
        """The counts and what went wrong, JSON-ready."""
        return {
            "sentences": len(self.attempts),
            "restored": self.restored().to_dict(),
            "by_kind": {
                kind: {"restored": self.restored(kind).to_dict(), "fates": dict(sorted(self.counted(kind).items()))}
                for kind in KINDS
            },
            "unstable": sum(a.unstable for a in self.attempts),
            "outside": sum(a.outside for a in self.attempts),
            "wrong": [_shown(a) for a in self.wrong],
            "withheld": [_shown(a) for a in self.attempts if a.fate == "withheld"],
        }


def run(rows_path: Path, kb: str, *, most: int, seed: int, as_json: bool, out: Path | None = None) -> int:
    """Corrupts the licensed rows of a file, corrects them, prints what came of it; 1 when something false went out.

    Raises:
        ImprimaturError: the file, a row or the knowledge base is wrong.
    """
    rows = [row for row in read_rows(rows_path) if row.gold == (Label.SUPPORTED,)]
    oracle = Oracle.from_folder(kb, policy="correct")
    if oracle.knowledge.part is None:
        raise InputError("the knowledge base has no graph", where=kb, hint="wrong values are put right by a graph")
    Random(seed).shuffle(rows)
    with Progress("Reading", min(len(rows), 3 * most)) as progress:
        true = _true(list(progress.over(rows[: 3 * most], lambda _: 1)), oracle)
    others = others_of([report for _, report in true])
    schema = oracle.knowledge.part.schema
    made = (corrupted(row, report, schema, others, seed=seed) for row, report in true)
    chosen = list(islice((each for each in made if each is not None), most))
    outcome = Outcome()
    with Progress("Correcting", len(chosen)) as progress:
        for each in progress.over(chosen, lambda _: 1):
            outcome.attempts.append(attempt(each, oracle))
    if out is not None:
        sources, versions = provenance(oracle, files=(rows_path,))
        settings = {"kb": Path(kb).name, "most": most, "seed": seed, "policy": "correct"}
        keep(replace(as_outcome(outcome), settings=settings, sources=sources, versions=versions), out)
    if as_json:
        session.emit_json(outcome.to_dict())
    else:
        click.echo(rendered(outcome))
    return 1 if outcome.wrong else 0


def _true(rows: Sequence[LabelledRow], oracle: Oracle) -> list[tuple[LabelledRow, Report]]:
    reports = ((row, oracle.check(row.text, row.question)) for row in rows)
    return [(row, report) for row, report in reports if licensed(report)]


def attempt(corruption: Corruption, oracle: Oracle) -> Attempt:
    """Corrects one changed sentence, and looks at what went out."""
    question = corruption.row.question
    report = oracle.check(corruption.text, question)
    if licensed(report):
        return Attempt(corruption=corruption, fate="licensed", out=corruption.text)
    if Label.CONTRADICTED not in {segment.label for segment in report.segments}:
        return Attempt(corruption=corruption, fate="open", out=corruption.text)
    decision = report.decision
    if not isinstance(decision, Corrected):
        return Attempt(corruption=corruption, fate="withheld", out=decision.text)
    again = oracle.check(decision.text, question)
    fate = "unlicensed"
    if licensed(again):
        fate = "restored" if _triples(again) == _triples(corruption.true) else "other"
    return Attempt(
        corruption=corruption,
        fate=fate,
        out=decision.text,
        unstable=again.decision.text != decision.text,
        outside=not all(_within(edit, corruption) for edit in decision.edits),
    )


def _within(edit: Edit, corruption: Corruption) -> bool:
    """Whether an edit touches the wrong value; the number beside a wrong unit, or a conversion, belongs to it."""
    start, end = corruption.start, corruption.end
    value = corruption.kind in ("value", "unit")
    between = corruption.text[min(edit.end, end) : max(edit.start, start)]
    return (edit.start < end and start < edit.end) or (value and not any(c.isalnum() for c in between))


def _triples(report: Report) -> frozenset[tuple[str, str, str]]:
    """What the claims of a report rest on."""
    found = (e for s in report.segments for judged in s.claims for e in judged.verdict.evidence)
    return frozenset(triple for evidence in found for triple in rested_on(evidence))


def as_outcome(found: Outcome) -> evaluation.Outcome:
    """The attempts as what every evaluation ends in; what went out and is not licensed is grave."""
    rows: list[tuple[evaluation.Cell, ...]] = []
    for kind in (*KINDS, None):
        counts = found.counted(kind)
        cells = (
            sum(counts.values()),
            *(counts[fate] for fate in ("licensed", "open", "withheld", "other", "unlicensed")),
        )
        rows.append((kind or "all", *cells, evaluation.Figure.of(found.restored(kind))))
    head = ("kind", "changed", "still true", "open", "withheld", "other", "unlicensed", "restored")
    cases = [
        evaluation.Case(
            id=str(each.corruption.row.id),
            kind="changed elsewhere" if each.fate == "restored" else each.fate,
            text=each.corruption.text,
            gold=each.corruption.true.answer,
            said=each.out,
            grave=each.fate == "unlicensed",
        )
        for each in found.attempts
        if each in found.wrong or each.fate == "withheld"
    ]
    table = evaluation.Table(title="Wrong values put right", head=head, rows=tuple(rows))
    return evaluation.Outcome(name="restoring", title="Wrong values put right", tables=(table,), cases=tuple(cases))


def rendered(outcome: Outcome) -> str:
    """The outcome as a table with what went wrong below it."""
    body = []
    for kind in (*KINDS, None):
        counts, share = outcome.counted(kind), outcome.restored(kind)
        wrong = counts["other"] + counts["unlicensed"]
        cells = (sum(counts.values()), counts["licensed"], counts["open"], counts["withheld"], wrong)
        body.append([kind or "all", *map(str, cells), str(share)])
    lines = [f"WRONG  {plain(each.out)}  <-  {plain(each.corruption.text)}" for each in outcome.wrong]
    lines.append(aligned(["kind", "changed", "still true", "open", "withheld", "wrong", "restored"], body))
    unstable, outside = sum(a.unstable for a in outcome.attempts), sum(a.outside for a in outcome.attempts)
    lines.append(f"\ncorrected again, changed: {unstable}; changed outside of the wrong value: {outside}")
    return "\n".join(lines)


def _shown(attempt: Attempt) -> dict[str, str]:
    found = attempt.corruption
    return {
        "id": str(found.row.id),
        "kind": found.kind,
        "fate": attempt.fate,
        "true": found.true.answer,
        "changed": found.text,
        "out": attempt.out,
    }
