"""``imprimatur eval quintd``: spans that people marked in texts that models wrote of records, found by the records.

For each domain, and each model in it, two readings of what is flagged are set against what people marked:

- ``contradicted``: the spans that the record contradicts, against those marked "incorrect";
- ``not borne out``: these and the spans that the record does not have, against all that is marked.

Each by overlap (precision: flagged spans that overlap a marked one; recall: marked spans that a flagged one overlaps)
and by characters. GPT-4's spans, which the set brings, are scored in the same way beside. One person marked each text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.quintd_set import Generated, load_quintd
from imprimatur.evals.record_sets import Mistake, half_of
from imprimatur.evals.told_figures import tables_of
from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.record import Record

__all__ = ["Checked", "figures", "run", "scores"]

_Span = Mistake | Finding


@dataclass(frozen=True, slots=True)
class Checked:
    """A text with what was found in it."""

    example: Generated
    found: tuple[Finding, ...]


def run(folder: Path, *, half: str, as_json: bool, out: Path | None = None) -> int:
    """Checks the texts of a folder, prints the figures and returns the exit status 0.

    Args:
        half: "both", or only the texts of the "first" or "second" half of the inputs, by a hash of their names.

    Raises:
        InputError: the files are not as published, or no text is left.
    """
    examples = [each for each in load_quintd(folder) if half in ("both", half_of(each.source))]
    if not examples:
        raise InputError("holds no text", where=str(folder))
    rows: list[Checked] = []
    with Progress("Checking", len(examples)) as progress:
        for example in progress.over(examples, lambda _: 1):
            rows.append(Checked(example, check_values(Record(example.relations), example.text)))
    told = figures(rows)
    if out is not None:
        sources, versions = provenance(files=(folder,))
        found = evaluation.Outcome(
            name="quintd",
            title="Wrong spans of texts about records, found by the records",
            tables=tables_of(told),
            settings={"half": half},
            sources=sources,
            versions=versions,
        )
        keep(found, out)
    if as_json:
        session.emit_json(told)
    else:
        click.echo(rendered(told))
    return 0


def figures(rows: Sequence[Checked]) -> dict[str, Any]:
    """All figures, JSON-ready: by part ("owid", "owid gpt-3.5"), by reading, ours and GPT-4's."""
    return {name: {"texts": len(own), **_figures(own)} for name, own in _parts(rows)}


def _parts(rows: Sequence[Checked]) -> Iterator[tuple[str, list[Checked]]]:
    for domain in dict.fromkeys(row.example.domain for row in rows):
        own = [row for row in rows if row.example.domain == domain]
        yield domain, own
        for model in sorted({row.example.model for row in own}):
            yield f"{domain} {model}", [row for row in own if row.example.model == model]


def _figures(rows: Sequence[Checked]) -> dict[str, Any]:
    wrong = [[f for f in row.found if f.outcome is Outcome.CONTRADICTED] for row in rows]
    unborne = [[f for f in row.found if f.outcome is not Outcome.SUPPORTED] for row in rows]
    human = [row.example.human for row in rows]
    gpt4 = [row.example.gpt4 for row in rows]
    incorrect = [_incorrect(spans) for spans in human]
    return {
        "contradicted": {
            "ours": scores(wrong, incorrect),
            "gpt-4": scores([_incorrect(spans) for spans in gpt4], incorrect),
        },
        "not borne out": {"ours": scores(unborne, human), "gpt-4": scores(gpt4, human)},
    }


def _incorrect(spans: Iterable[Mistake]) -> list[Mistake]:
    return [span for span in spans if span.kind == "incorrect"]


def scores(flagged: Sequence[Sequence[_Span]], marked: Sequence[Sequence[_Span]]) -> dict[str, Any]:
    """Precision, recall and F1 of flagged spans, text by text: by overlap, with intervals, and by characters."""
    pairs = list(zip(flagged, marked, strict=True))
    precision = Share(sum(_overlaps(f, m) for some, m in pairs for f in some), sum(len(some) for some, _ in pairs))
    recall = Share(sum(_overlaps(m, f) for f, some in pairs for m in some), sum(len(some) for _, some in pairs))
    both = ours = theirs = 0
    for some, other in pairs:
        left, right = _characters(some), _characters(other)
        both, ours, theirs = both + len(left & right), ours + len(left), theirs + len(right)
    return {
        "precision": precision.to_dict(),
        "recall": recall.to_dict(),
        "f1": _f1(_ratio(precision.count, precision.total), _ratio(recall.count, recall.total)),
        "characters": {
            "precision": _ratio(both, ours),
            "recall": _ratio(both, theirs),
            "f1": _f1(_ratio(both, ours), _ratio(both, theirs)),
        },
    }


def _overlaps(span: _Span, others: Iterable[_Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _characters(spans: Iterable[_Span]) -> set[int]:
    return {at for span in spans for at in range(span.start, span.end)}


def _ratio(count: int, total: int) -> float | None:
    return count / total if total else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def rendered(told: dict[str, Any]) -> str:
    """The figures for people."""
    lines: list[str] = []
    for reading in ("contradicted", "not borne out"):
        body = [
            [name if who == "ours" else "", who, *_cells(part[reading][who])]
            for name, part in told.items()
            for who in ("ours", "gpt-4")
        ]
        head = [reading, "", "precision", "recall", "F1", "by characters: precision", "recall", "F1"]
        lines += [aligned(head, body), ""]
    return "\n".join(lines).rstrip()


def _cells(told: dict[str, Any]) -> list[str]:
    shares = [_interval(told[key]) for key in ("precision", "recall")]
    return [*shares, _short(told["f1"]), *(_short(told["characters"][key]) for key in ("precision", "recall", "f1"))]


def _interval(told: dict[str, Any]) -> str:
    if told["share"] is None:
        return f"- of {told['total']}"
    return f"{told['share']:.3f} of {told['total']} [{told['low']:.2f}, {told['high']:.2f}]"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
