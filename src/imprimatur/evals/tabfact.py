"""``imprimatur eval tabfact``: how well statements in prose are read over tables.

Each statement is read over its own table, and nothing but the table is known to the reader. A statement is *answered*
where the reading comes to an outcome; answers are counted by what is asked of the reading: that it was sure and left at
most so many words over, or nothing. Invariants: every statement counts in exactly one cell of each table of gold labels
by outcomes; accuracy is that of the answered alone, and coverage is printed beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from imprimatur._dataclasses import dataclass
from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.evals.metrics import Share
from imprimatur.evals.tabfact_set import Labelled, half_of, load
from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.judge import refutes
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import read
from imprimatur.sources.tables.prose.reading import outcome_of

__all__ = ["HALVES", "LEVELS", "SAMPLE", "Answered", "figures", "rendered", "run"]

HALVES = ("both", "first", "second")
#: Twelve tables with their statements; see its ATTRIBUTION.md.
SAMPLE = Path(__file__).parents[1] / "resources" / "datasets" / "tabfact"


@dataclass(frozen=True, slots=True)
class Answered:
    """A statement with what its table says of it (None where it was not read), and whether a judge would refute it."""

    statement: Labelled
    outcome: Outcome | None
    refuted: bool = False

    @classmethod
    def of(cls, statement: Labelled, index: CellIndex) -> Answered:
        """A statement read over its table."""
        found = read(statement.text, index)
        outcome = outcome_of(found)
        return cls(statement, outcome, outcome is not None and refutes(found, outcome))

    @property
    def right(self) -> bool:
        """Whether the outcome is what the set says."""
        return self.outcome is not None and self.outcome.holds is self.statement.entailed


def _words(most: int) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.sure and len(outcome.left) <= most


#: What is asked of a reading, from the strictest on.
LEVELS: dict[str, Callable[[Outcome], bool]] = {
    "no word left over": _words(0),
    "strict: one at most": _words(1),
    "two at most": _words(2),
    "all answered": lambda outcome: True,
}


def run(folder: Path | None, *, half: str, wrong: bool, as_json: bool, out: Path | None = None) -> int:
    """Reads the statements of a folder, prints the figures and returns the exit status 0.

    Args:
        folder: holds the files of the set; None for the sample that is shipped.
        out: where the outcome is written.
        half: which half of the tables is read over (``HALVES``).
        wrong: whether wrong strict answers are printed, too.
        as_json: whether the figures are printed as JSON.

    Raises:
        InputError: a file is not as it should be.
    """
    source = folder or SAMPLE
    found = load(source)
    chosen = [
        each for each in found.statements if half == "both" or half_of(each.table) == ("first", "second").index(half)
    ]
    indexes: dict[str, CellIndex] = {}
    rows: list[Answered] = []
    with Progress("Reading", len(chosen)) as progress:
        for each in progress.over(chosen, lambda _: 1):
            index = indexes.get(each.table) or indexes.setdefault(each.table, CellIndex(found.tables[each.table]))
            rows.append(Answered.of(each, index))
    if out is not None:
        _keep(rows, found.left_out, source, half, out)
    told = {"half": half, "left_out": found.left_out, **figures(rows)}
    if as_json:
        session.emit_json(told)
        return 0
    click.echo(rendered(rows, left_out=found.left_out))
    if wrong:
        strict = LEVELS["strict: one at most"]
        for row in rows:
            if row.outcome is not None and strict(row.outcome) and not row.right:
                said = "holds" if row.outcome.holds else "refuted"
                click.echo(f"{row.statement.id} {said}, {row.outcome.form}: {row.statement.text}")
    return 0


def _keep(rows: Sequence[Answered], left_out: int, source: Path, half: str, out: Path) -> None:
    from imprimatur.evals.finishing import keep, provenance
    from imprimatur.evals.tabfact_told import outcome  # it tells of what is here

    sources, versions = provenance(files=(source,))
    found = outcome(rows, left_out=left_out, settings={"half": half, "set": source.name})
    keep(replace(found, sources=sources, versions=versions), out)


def figures(rows: Sequence[Answered]) -> dict[str, Any]:
    """All figures, JSON-ready: for each level and channel coverage, accuracy and the table of outcomes."""
    return {
        "statements": len(rows),
        "levels": {
            level: {channel: _level(part, asked) for channel, part in _channels(rows).items()}
            for level, asked in LEVELS.items()
        },
        "refuting": {name: share.to_dict() for name, share in _refuting(rows).items()},
        "forms": {form: _accuracy(part).to_dict() for form, part in _forms(rows).items()},
    }


def _channels(rows: Sequence[Answered]) -> dict[str, list[Answered]]:
    each = {name: [row for row in rows if row.statement.channel == name] for name in ("simple", "complex")}
    return {"all": list(rows), **each}


def _refuting(rows: Sequence[Answered]) -> dict[str, Share]:
    """What a knowledge base with the table would refute: how much of what is false, and how much of that wrongly."""
    refuted = [row for row in rows if row.refuted]
    false = sum(not row.statement.entailed for row in rows)
    right = sum(not row.statement.entailed for row in refuted)
    return {
        "false ones refuted": Share(right, false),
        "true ones refuted": Share(len(refuted) - right, len(rows) - false),
    }


def _forms(rows: Sequence[Answered]) -> dict[str, list[Answered]]:
    """The answered statements by the form that they were read as."""
    found: dict[str, list[Answered]] = {}
    for row in rows:
        if row.outcome is not None:
            found.setdefault(row.outcome.form, []).append(row)
    return dict(sorted(found.items()))


def _level(rows: Sequence[Answered], asked: Callable[[Outcome], bool]) -> dict[str, Any]:
    answered = [row for row in rows if row.outcome is not None and asked(row.outcome)]
    table = {gold: dict.fromkeys(("holds", "refuted", "not answered"), 0) for gold in ("entailed", "refuted")}
    for row in rows:
        said = "not answered"
        if row.outcome is not None and asked(row.outcome):
            said = "holds" if row.outcome.holds else "refuted"
        table["entailed" if row.statement.entailed else "refuted"][said] += 1
    return {
        "coverage": Share(len(answered), len(rows)).to_dict(),
        "accuracy": _accuracy(answered).to_dict(),
        "table": table,
    }


def _accuracy(answered: Sequence[Answered]) -> Share:
    return Share(sum(row.right for row in answered), len(answered))


def rendered(rows: Sequence[Answered], *, left_out: int) -> str:
    """The figures for people."""
    told = figures(rows)
    lines = [f"{len(rows)} statements; {left_out} of the set have an unknown word and are left out", ""]
    body = [
        [level, channel, _share(part["coverage"]), _share(part["accuracy"])]
        for level, parts in told["levels"].items()
        for channel, part in parts.items()
    ]
    lines += [aligned(["words left over", "channel", "answered", "right of these"], body), ""]
    for level in ("no word left over", "strict: one at most", "all answered"):
        table = told["levels"][level]["all"]["table"]
        cells = [[gold, *(str(count) for count in said.values())] for gold, said in table.items()]
        lines += [aligned([f"{level}: gold \\ outcome", "holds", "refuted", "not answered"], cells), ""]
    refuting = [[name, _share(share)] for name, share in told["refuting"].items()]
    lines += [aligned(["as a source", "of the statements"], refuting), ""]
    forms = [[form, _share(share)] for form, share in told["forms"].items()]
    lines += [aligned(["read as", "right, of all answered"], forms)]
    return "\n".join(lines)


def _share(share: dict[str, Any]) -> str:
    if share["share"] is None:
        return "none"
    return f"{share['count']} of {share['total']}, {share['share']:.3f} [{share['low']:.3f}, {share['high']:.3f}]"
