"""``imprimatur eval published``: the figures of the Licensing Oracle's paper with the intervals that it does not give.

The counts of tables 1 to 4 are typed from Ackermann and Emanuilov 2025; they are of one run each (section 4.6), and
what was asked in each is not published, so that conditions can only be compared as samples of their own. A share that
is printed without its count is asked whether any whole count gives it (the GRIM test, Brown and Heathers 2017).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from imprimatur.evals.finishing import finish, versions
from imprimatur.evals.intervals import difference
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Outcome, Table

__all__ = ["REPORTED", "Reported", "counts_for", "outcome", "run"]

#: The questions of the data set that the paper names.
_QUESTIONS = 17_726


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A row of a table: how many questions, how many right answers (None where only a share is printed), and the share.

    ``percent`` is as printed, with one decimal.
    """

    table: int
    system: str
    asked: int
    right: int | None
    percent: float


_GEMINI, _RAG = "Gemini 2.5 Flash Lite", "RAG (Gemini, multilingual-e5)"
_ORACLE, _GEMMA = "Graph-RAG with Licensing Oracle", "Gemma 3-4B-Instruct"

REPORTED = (
    Reported(table=1, system="Claude Sonnet 4.5", asked=4208, right=1767, percent=42.0),
    Reported(table=1, system=_GEMINI, asked=12174, right=6100, percent=50.1),
    Reported(table=1, system=_GEMMA, asked=7839, right=1310, percent=16.7),
    Reported(table=2, system="Gemma-Factual", asked=17725, right=1499, percent=8.5),
    Reported(table=2, system="Gemma-Abstain", asked=17725, right=1527, percent=8.6),
    Reported(table=3, system=_RAG, asked=23781, right=21279, percent=89.5),
    Reported(table=4, system=_ORACLE, asked=16626, right=14808, percent=89.1),
    Reported(table=6, system="Licensing Oracle, rivers", asked=1997, right=None, percent=89.1),
    Reported(table=6, system="Licensing Oracle, philosophers", asked=595, right=None, percent=89.0),
)
#: First and second condition, and what the paper says of their difference.
_COMPARED = (
    ("Gemma-Factual", _GEMMA, "fine-tuning degrades by 8 points"),
    ("Gemma-Abstain", "Gemma-Factual", ""),
    (_RAG, _GEMINI, "retrieval gains 39 points"),
    (_ORACLE, _RAG, "0.4 points, within expected variance"),
)
_NOTES = (
    "Each figure is of one run. The intervals are of the questions that were drawn, and say nothing of other runs.",
    "The conditions were asked different numbers of questions, up to 23,781 of a set of 17,726; which ones is not "
    "published. The differences are those of independent samples; of the same questions a paired test would be right.",
)


def counts_for(percent: float, total: int, decimals: int = 1) -> list[int]:
    """The whole counts of so many whose share is printed as that percentage; none where no count gives it."""
    near = round(percent / 100 * total)
    around = range(max(0, near - total // 100 - 2), min(total, near + total // 100 + 2) + 1)
    # A share that lies just between two prints may have been rounded either way.
    half = 0.5 / 10**decimals + 1e-9
    return [count for count in around if abs(100 * count / total - percent) <= half]


def run(*, as_json: bool, out: Path | None) -> int:
    """Prints and writes the figures with their intervals, and returns 0."""
    return finish(outcome(), as_json=as_json, out=out)


def outcome() -> Outcome:
    """The published figures, their differences, and those that no count gives."""
    shares = {row.system: Share(row.right, row.asked) for row in REPORTED if row.right is not None}
    return Outcome(
        name="published",
        title="Figures of the Licensing Oracle's paper, with intervals",
        tables=(
            Table(
                title="Accuracy (tables 1 to 4 and 6)",
                head=("system", "table", "questions", "accuracy", "printed", "counts that give the print"),
                rows=tuple(_accuracy(row) for row in REPORTED),
            ),
            Table(
                title="Differences, first less second",
                head=("first", "second", "difference", "the paper says"),
                rows=tuple(_apart(one, other, said, shares) for one, other, said in _COMPARED),
                note="Newcombe's intervals; one that holds 0 shows no difference.",
            ),
        ),
        curves=(_bars(shares),),
        cases=tuple(_cases()),
        versions=versions(),
        sources={"Ackermann and Emanuilov 2025, tables 1 to 6": "typed from the text"},
        notes=_NOTES,
    )


def _bars(shares: Mapping[str, Share]) -> Curve:
    """The progression from condition to condition, as in the paper's figure 4, with intervals."""
    figures = [Figure.of(share) for share in shares.values()]
    return Curve(
        title="Accuracy by condition",
        kind=Kind.BARS,
        across="condition",
        up="accuracy",
        series={"accuracy": tuple((float(place), each.value or 0.0) for place, each in enumerate(figures))},
        names=tuple(shares),
        spread={"accuracy": tuple((each.low or 0.0, each.high or 0.0) for each in figures)},
    )


def _accuracy(row: Reported) -> tuple[Cell, ...]:
    counts = counts_for(row.percent, row.asked)
    told = "none" if not counts else str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    right = counts[0] if row.right is None and len(counts) == 1 else row.right
    figure = None if right is None else Figure.of(Share(right, row.asked))
    return row.system, row.table, row.asked, figure, f"{row.percent:.1f} %", told


def _apart(one: str, other: str, said: str, shares: dict[str, Share]) -> tuple[Cell, ...]:
    first, second = shares[one], shares[other]
    low, high = difference(first, second) or (None, None)
    apart = Figure(value=first.count / first.total - second.count / second.total, low=low, high=high)
    return one, other, apart, said


def _cases() -> Iterator[Case]:
    for row in REPORTED:
        if not counts_for(row.percent, row.asked):
            near = int(row.percent / 100 * row.asked)
            around = ", ".join(f"{count} gives {100 * count / row.asked:.2f} %" for count in (near, near + 1))
            yield Case(
                id=f"table {row.table}, {row.system}",
                kind="no count gives it",
                text=f"{row.percent:.1f} % of {row.asked} questions: {around}",
                said=f"{row.percent:.1f} %",
            )
        if row.asked > _QUESTIONS:
            yield Case(
                id=f"table {row.table}, {row.system}",
                kind="more questions than there are",
                text=f"{row.asked} questions of a set of {_QUESTIONS}",
                said=str(row.asked),
            )
