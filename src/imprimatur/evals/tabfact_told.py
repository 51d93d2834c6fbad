"""What was found on TabFact as an outcome: the same figures as are printed, with every strict answer that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Figure, Matrix, Outcome, Table
from imprimatur.evals.tabfact import LEVELS, Answered, figures

__all__ = ["outcome"]

_STRICT = "strict: one at most"
_NOTE = (
    "Nothing is licensed by a reading: a knowledge base with the table refutes by it. World: the table is all there is."
)


def outcome(rows: Sequence[Answered], *, left_out: int, settings: Mapping[str, Any]) -> Outcome:
    """The figures of read statements.

    Args:
        left_out: how many statements of the set have an unknown word.
    """
    told = figures(rows)
    body = tuple(
        (level, channel, _figure(part["coverage"]), _figure(part["accuracy"]))
        for level, parts in told["levels"].items()
        for channel, part in parts.items()
    )
    refuting = tuple((name, _figure(share)) for name, share in told["refuting"].items())
    forms = tuple((name, _figure(share)) for name, share in told["forms"].items())
    return Outcome(
        name="tabfact",
        title=f"TabFact: {len(rows)} statements",
        tables=(
            Table(title="Readings", head=("words left over", "channel", "answered", "right of these"), rows=body),
            Table(title="As a source", head=("statements", "share"), rows=refuting),
            Table(title="By form", head=("read as", "right, of all answered"), rows=forms),
        ),
        matrices=tuple(_matrix(level, told) for level in LEVELS),
        cases=tuple(_cases(rows)),
        settings=settings,
        notes=(f"{left_out} statements of the set have an unknown word and are left out.", _NOTE),
    )


def _figure(share: Mapping[str, Any]) -> Figure:
    return Figure.of(Share(share["count"], share["total"]))


def _matrix(level: str, told: Mapping[str, Any]) -> Matrix:
    table = told["levels"][level]["all"]["table"]
    columns = tuple(next(iter(table.values())))
    counts = tuple(tuple(said[name] for name in columns) for said in table.values())
    return Matrix(title=f"{level}: gold and outcome", rows=tuple(table), columns=columns, counts=counts)


def _cases(rows: Sequence[Answered]) -> Iterator[Case]:
    for row in rows:
        if row.outcome is not None and LEVELS[_STRICT](row.outcome) and not row.right:
            yield Case(
                id=row.statement.id,
                kind="wrong strict answer",
                text=row.statement.text,
                gold="entailed" if row.statement.entailed else "refuted",
                said="holds" if row.outcome.holds else "refuted",
                reasons=(row.outcome.form,),
            )
