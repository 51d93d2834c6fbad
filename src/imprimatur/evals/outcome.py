"""What one evaluation found, as a value: tables of figures, curves, worst cases, and what it all came from.

Every evaluation ends in an ``Outcome``: it is printed for people, written as JSON, compared with another, and drawn in
a report from this one value, so that no surface can show another figure than the rest. Invariants: a figure of nothing
has the value None, never 0, 1 or NaN; an interval holds its value; what was published elsewhere stands beside a
figure as such, with the reason for a difference, and is never mixed with what was measured; the same outcome gives the
same bytes, and what ``from_dict`` reads back equals what ``to_dict`` wrote.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any

from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome_shape import check_shape

__all__ = [
    "SCHEMA",
    "Case",
    "Cell",
    "Curve",
    "Figure",
    "Kind",
    "Matrix",
    "Outcome",
    "Published",
    "Table",
    "number",
    "rendered",
]

#: The name of the written form; a reader refuses another.
SCHEMA = "imprimatur.outcome/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure that somebody else reported.

    Attributes:
        value: as it was reported, in the figure's own unit.
        source: where: "Licensing Oracle, table 5".
        why: in one sentence, why ours differs, or what its measurement does not show; empty where there is nothing.
    """

    value: float
    source: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number.

    Attributes:
        value: None where there was nothing to measure.
        low, high: the ends of its 95 % interval; None where it has none.
        count, total: for a share, so many of so many.
        unit: "" for a share or score, else "s", "USD", "tokens", "sentences/s" …
        published: what somebody else reported of the same.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    total: int | None = None
    unit: str = ""
    published: Published | None = None

    def __post_init__(self) -> None:
        given = (self.value, self.low, self.high)
        if any(each is not None and not math.isfinite(each) for each in given):
            raise ValueError("a figure is a finite number, or None")
        if self.value is None or self.low is None or self.high is None:
            return
        # Rounding may put an end a hair past the value.
        if not self.low - 1e-9 <= self.value <= self.high + 1e-9:
            raise ValueError(f"{self.value} is outside of its interval {self.low} to {self.high}")

    @classmethod
    def of(cls, share: Share, published: Published | None = None) -> Figure:
        """A share with its Wilson interval."""
        told = share.to_dict()
        if not share.total:
            return cls(value=None, count=share.count, total=0, published=published)
        return cls(
            value=told["share"],
            low=told["low"],
            high=told["high"],
            count=share.count,
            total=share.total,
            published=published,
        )

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        said = number(self.value)
        if self.unit:
            said = f"{said} {self.unit}"
        if self.low is not None and self.high is not None:
            said = f"{said} [{number(self.low)}, {number(self.high)}]"
        if self.count is not None and self.total is not None:
            said = f"{self.count}/{self.total} {said}"
        return said if self.published is None else f"{said} (published {number(self.published.value)})"


#: What stands in a table.
Cell = Figure | str | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a head; the first cell of a row names it. Invariant: every row is as long as the head."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"a row of {len(row)} cells under a head of {len(self.head)} in {self.title!r}")


class Kind(StrEnum):
    """How points are drawn."""

    BARS = "bars"
    LINES = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A plot: named series of points (x, y); for bars x is the place of a name in ``names``.

    Attributes:
        spread: for a series that has intervals, the ends (low, high) of each point's.
    """

    title: str
    kind: Kind
    across: str
    up: str
    series: Mapping[str, tuple[tuple[float, float], ...]]
    names: tuple[str, ...] = ()
    spread: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for points in (*self.series.values(), *self.spread.values()):
            if not all(math.isfinite(each) for point in points for each in point):
                raise ValueError(f"a point of {self.title!r} is no finite number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Counts by row and column: a table of confusion, or who can do what (0 and 1)."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.rows) or any(len(row) != len(self.columns) for row in self.counts):
            raise ValueError(f"the counts of {self.title!r} do not fit its names")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row that is worth a look.

    Attributes:
        kind: "false licence", "true called false", "withheld" …; ``grave`` cases make the exit status 1.
        gold, said: what was right, and the verdict or answer.
        reasons: reason codes; ``evidence``: each item in one line.
    """

    id: str
    kind: str
    text: str
    gold: str = ""
    said: str = ""
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    grave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row that was judged, in short, so that two outcomes can be compared row by row."""

    id: str
    said: str
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an evaluation found.

    Attributes:
        name: the command after ``eval``; ``title``: in words; ``command``: the line that gives this outcome again.
        rows: every row that was judged, where the evaluation tells them; ``cases`` are the worst.
        settings: every option that can change a figure, and each seed.
        sources: a file or knowledge base -> its SHA-256 (hexadecimal), or a note where it has none.
        versions: a package -> its version.
        used: seconds of processor time, calls, tokens and cost, as far as they were measured.
        notes: what a reader must know to read the figures right.
    """

    name: str
    title: str
    command: str = ""
    tables: tuple[Table, ...] = ()
    curves: tuple[Curve, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    cases: tuple[Case, ...] = ()
    rows: tuple[Row, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """The exit status: 1 when a case is grave."""
        return int(any(case.grave for case in self.cases))

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values; keys in a fixed order."""
        return {"schema": SCHEMA, **_values(self)}

    @classmethod
    def from_dict(cls, values: Any, where: str = "") -> Outcome:
        """Reads back what ``to_dict`` wrote.

        Raises:
            InputError: it is something else.
        """
        if not isinstance(values, dict) or values.get("schema") != SCHEMA:
            raise InputError(
                "is not the outcome of an evaluation", where=where, hint="write one with `imprimatur eval … --out FILE`"
            )
        try:
            return _outcome({key: value for key, value in check_shape(values).items() if key != "schema"})
        except (TypeError, ValueError, KeyError, AttributeError) as fault:
            raise InputError(f"is not a whole outcome: {str(fault)[:200]}", where=where) from fault


def rendered(outcome: Outcome, *, cases: int = 20) -> str:
    """An outcome for people: the worst cases, each table, what to know, what it used.

    Args:
        cases: how many cases that are not grave are shown at most; the grave ones are shown all.
    """
    return "\n".join(_lines(outcome, cases))


def _lines(outcome: Outcome, cases: int) -> Iterator[str]:
    grave = [case for case in outcome.cases if case.grave]
    for case in (*grave, *[case for case in outcome.cases if not case.grave][:cases]):
        told = ", ".join(f"{name}: {it}" for name, it in (("right", case.gold), ("said", case.said)) if it)
        yield plain(f"{case.kind.upper()}  {case.id}  {f'({told})  ' if told else ''}{_line(case.text)}")
    for table in outcome.tables:
        yield ""
        yield plain(table.title)
        yield aligned(
            [plain(name) for name in table.head], ([plain(_told(cell)) for cell in row] for row in table.rows)
        )
        if table.note:
            yield plain(table.note)
        yield from _differences(table)
    for note in outcome.notes:
        yield ""
        yield plain(note)
    if outcome.used:
        yield ""
        yield ", ".join(f"{plain(name)} {number(value)}" for name, value in outcome.used.items())


def _differences(table: Table) -> Iterator[str]:
    """Why figures differ from what was published, each reason once."""
    reasons: dict[str, None] = {}
    for row in table.rows:
        for cell in row:
            if isinstance(cell, Figure) and cell.published is not None and cell.published.why:
                reasons[f"  {cell.published.source}: {cell.published.why}"] = None
    yield from map(plain, reasons)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:199]}…"


def _told(cell: Cell) -> str:
    return "-" if cell is None else str(cell)


def number(value: float) -> str:
    """A measured number as every surface says it: three figures after the point, none for large whole ones."""
    return f"{value:.0f}" if float(value).is_integer() and abs(value) > 1 else f"{value:.3f}"


def _values(value: Any) -> Any:
    """A frozen dataclass as plain values; what is empty is left out where it is so by default."""
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        said = [(each, getattr(value, each.name)) for each in fields(value)]
        return {each.name: _values(part) for each, part in said if _needed(each) or not _empty(part)}
    if isinstance(value, Mapping):
        return {str(name): _values(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_values(each) for each in value]
    return value


def _needed(part: Field[Any]) -> bool:
    return part.default is MISSING and part.default_factory is MISSING


def _empty(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, str | tuple | Mapping) and not value)


def _outcome(values: dict[str, Any]) -> Outcome:
    lists: dict[str, Any] = {
        "tables": _table,
        "curves": _curve,
        "matrices": _matrix,
        "cases": _case,
        "rows": _row,
        "notes": str,
    }
    read = {name: tuple(map(each, values[name])) for name, each in lists.items() if name in values}
    return Outcome(**{**values, **read})


def _table(values: dict[str, Any]) -> Table:
    rows = tuple(tuple(map(_cell, row)) for row in values.get("rows", ()))
    return Table(title=values["title"], head=tuple(values["head"]), rows=rows, note=values.get("note", ""))


def _cell(value: Any) -> Cell:
    if not isinstance(value, dict):
        if value is not None and (isinstance(value, bool) or not isinstance(value, str | int)):
            raise ValueError(f"{value!r} in a table")
        return value
    published = value.get("published")
    return Figure(**{**value, "published": None if published is None else Published(**published)})


def _curve(values: dict[str, Any]) -> Curve:
    series = {name: _points(points) for name, points in values.get("series", {}).items()}
    return Curve(
        title=values["title"],
        kind=Kind(values["kind"]),
        across=values.get("across", ""),
        up=values.get("up", ""),
        series=series,
        names=tuple(values.get("names", ())),
        spread={name: _points(points) for name, points in values.get("spread", {}).items()},
    )


def _points(points: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _matrix(values: dict[str, Any]) -> Matrix:
    return Matrix(
        title=values["title"],
        rows=tuple(values.get("rows", ())),
        columns=tuple(values.get("columns", ())),
        counts=tuple(tuple(map(int, row)) for row in values.get("counts", ())),
    )


def _row(values: dict[str, Any]) -> Row:
    # What is empty may be left out.
    return Row(**{"said": "", "right": False, **values})


def _case(values: dict[str, Any]) -> Case:
    lists: dict[str, Any] = {name: tuple(values[name]) for name in ("reasons", "evidence") if name in values}
    return Case(**{**values, **lists})
