"""``imprimatur eval basketball``: mistakes that people marked in texts about games, found by the games' records alone.

A span is *flagged* when the record contradicts it. Counted are:

- recall, for each type of mistake: the marked mistakes that a flagged span overlaps, over all of the type (``all``),
  and over those whose correction is a value of the game's record (``in record``): a cell, a word for a whole number
  that is one ("four", no "fourth"), or the day of the week of the game's date. The others need data from elsewhere.
- precision: the flagged spans that overlap a marked mistake of any type, over all flagged spans, and for each kind of
  flagged span. A flagged span that overlaps two mistakes counts once.

Invariant: nothing of what people marked is known to the check. Intervals are Wilson's at 95 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from imprimatur.evals.record_sets import Described, Mistake, half_of, load_games
from imprimatur.evals.told_figures import tables_of
from imprimatur.language import number_words
from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.record import Record

__all__ = ["Checked", "figures", "in_record", "overlaps", "run"]

_KINDS = ("number", "name", "date", "word")


@dataclass(frozen=True, slots=True)
class Checked:
    """A text with what was found in it."""

    example: Described
    found: tuple[Finding, ...]

    @property
    def flagged(self) -> tuple[Finding, ...]:
        """The spans that the record contradicts."""
        return tuple(each for each in self.found if each.outcome is Outcome.CONTRADICTED)


def run(folder: Path, *, half: str, wrong: bool, as_json: bool, out: Path | None = None) -> int:
    """Checks the texts of a folder, prints the figures and returns the exit status 0.

    Args:
        half: "both", or only the "first" or "second" half of the texts, by a hash of their names.
        wrong: also print what was flagged though nobody marked it, and what was missed though its correction is in
            the record.

    Raises:
        InputError: the files are not as published, or no text is left.
    """
    examples = [each for each in load_games(folder) if half in ("both", half_of(each.id))]
    if not examples:
        raise InputError("holds no text", where=str(folder))
    rows: list[Checked] = []
    with Progress("Checking", len(examples)) as progress:
        for example in progress.over(examples, lambda _: 1):
            rows.append(Checked(example, check_values(Record(example.relations), example.text)))
    if out is not None:
        sources, versions = provenance(files=(folder,))
        told = evaluation.Outcome(
            name="basketball",
            title="Mistakes in texts about games, found by the games' records",
            tables=tables_of(figures(rows)),
            settings={"half": half},
            sources=sources,
            versions=versions,
        )
        keep(told, out)
    if as_json:
        session.emit_json(figures(rows))
    else:
        click.echo(rendered(rows))
        if wrong:
            click.echo("\n".join(_wrong(rows)))
    return 0


def overlaps(left: Mistake | Finding, right: Mistake | Finding) -> bool:
    """Whether two spans share a character."""
    return left.start < right.end and right.start < left.end


def in_record(mistake: Mistake, example: Described) -> bool:
    """Whether what would be right is a value of the record."""
    said = mistake.correction.lower()
    read = number_words.read_at(said, 0) if said.isalpha() and said in number_words.FIRST_WORDS else None
    if read is not None and read.end == len(said) and read.number.value.denominator == 1 and not read.ordinal:
        said = str(read.number.value.numerator)
    return bool(said) and said in example.values


def figures(rows: Sequence[Checked]) -> dict[str, Any]:
    """All figures, JSON-ready."""
    mistakes = [(mistake, row) for row in rows for mistake in row.example.mistakes]
    kinds = sorted({mistake.kind for mistake, _ in mistakes})
    hit = {id(m): any(overlaps(m, f) for f in row.flagged) for m, row in mistakes}
    recall = {}
    for kind in kinds:
        own = [(m, row) for m, row in mistakes if m.kind == kind]
        known = [m for m, row in own if in_record(m, row.example)]
        recall[kind] = {
            "all": Share(sum(hit[id(m)] for m, _ in own), len(own)).to_dict(),
            "in record": Share(sum(hit[id(m)] for m in known), len(known)).to_dict(),
        }
    flagged = [(f, any(overlaps(f, m) for m in row.example.mistakes)) for row in rows for f in row.flagged]
    agreed = [
        any(overlaps(f, m) for m in row.example.mistakes)
        for row in rows
        for f in row.found
        if f.outcome is Outcome.SUPPORTED
    ]
    return {
        "texts": len(rows),
        "recall": recall,
        "recall of all": Share(sum(hit.values()), len(hit)).to_dict(),
        "precision": {
            kind: Share(
                sum(ok for f, ok in flagged if f.kind == kind), sum(f.kind == kind for f, _ in flagged)
            ).to_dict()
            for kind in _KINDS
        },
        "precision of all": Share(sum(ok for _, ok in flagged), len(flagged)).to_dict(),
        "agreeing with the record, of them marked": Share(sum(agreed), len(agreed)).to_dict(),
    }


def rendered(rows: Sequence[Checked]) -> str:
    """The figures for people."""
    told = figures(rows)
    recall = [[kind, _share(each["all"]), _share(each["in record"])] for kind, each in told["recall"].items()]
    recall.append(["all", _share(told["recall of all"]), ""])
    precision = [[kind, _share(each)] for kind, each in told["precision"].items()]
    precision.append(["all", _share(told["precision of all"])])
    agreeing = _share(told["agreeing with the record, of them marked"])
    return "\n".join(
        [
            f"{told['texts']} texts",
            "",
            aligned(["mistake", "found", "found, of those whose correction is in the record"], recall),
            "",
            aligned(["flagged", "overlap a marked mistake"], precision),
            "",
            f"values that agree with the record, of them marked: {agreeing}",
        ]
    )


def _share(told: dict[str, Any]) -> str:
    return str(Share(told["count"], told["total"]))


def _wrong(rows: Sequence[Checked]) -> Iterator[str]:
    for row in rows:
        text = row.example.text
        for found in row.flagged:
            if not any(overlaps(found, m) for m in row.example.mistakes):
                yield f"{row.example.id} flagged {_shown(text, found)} (right would be: {found.right or '?'})"
        for mistake in row.example.mistakes:
            if in_record(mistake, row.example) and not any(overlaps(mistake, f) for f in row.flagged):
                yield f"{row.example.id} missed {mistake.kind} {_shown(text, mistake)} (marked: {mistake.correction})"


def _shown(text: str, span: Mistake | Finding) -> str:
    before, after = text[max(0, span.start - 60) : span.start], text[span.end : span.end + 40]
    return f"…{before}[[{text[span.start : span.end]}]]{after}…".replace("\n", " ")
