"""A statement's spans with what belongs together: names of columns with the values beside them, words with limits.

A column's name binds to the value beside it: "a score of 12", "week 8", "17 goals", "Essendon was the away team"; and
the subject of a clause to what it is said to be: "the crowd when Essendon was the away team was 28158". A number beside
the name of a column of numbers is of that column even where no cell has it; a name that is said to *be* what a column
holds is of that column, too. Elsewhere a value is of a named column only where some cell has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.cues import Limit, limits, word_of
from imprimatur.sources.tables.prose.days import is_year
from imprimatur.sources.tables.prose.kinship import SAME
from imprimatur.sources.tables.prose.linking import Span, SpanKind, linked

__all__ = ["BE", "HAVE", "Line", "line_of"]

BE = frozenset("be is was are were been being".split())
_ARTICLES = frozenset("the a an".split())
HAVE = frozenset("have has had".split())
#: What may stand between a column's name and its value.
_BEFORE = BE | _ARTICLES | HAVE | frozenset("of in at with as on for from to".split())
#: What may stand between a value and its column's name.
_AFTER = BE | _ARTICLES | HAVE | frozenset("as play plays played playing serve do does did".split())
_SAID_TO_BE = BE | frozenset(("as",))
_FARTHEST = 5
_VALUES = (SpanKind.VALUE, SpanKind.NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A statement over a relation.

    Attributes:
        limits: what some values are limits of, by their places.
        names: for values, the place of the column's name that is bound to them.
        mute: numbers that are a part of what the table or a column is called.
    """

    index: CellIndex
    spans: tuple[Span, ...]
    limits: dict[int, Limit]
    names: dict[int, int]
    mute: frozenset[int]

    def named(self, at: int, *, best: bool = False) -> frozenset[int] | None:
        """The columns that the name bound to a value speaks of; with ``best`` those all of whose name is said."""
        if at not in self.names:
            return None
        said = self.spans[self.names[at]].headings
        return frozenset(each.column for each in said if each.whole or not best)

    @property
    def free(self) -> tuple[int, ...]:
        """The places of the names of columns that are bound to no value."""
        bound = set(self.names.values())
        return tuple(at for at, span in enumerate(self.spans) if span.kind is SpanKind.HEADING and at not in bound)

    def word(self, at: int) -> str:
        """The word at a place; "" where none stands by itself."""
        return word_of(self.spans, at)


def line_of(text: str, index: CellIndex) -> Line:
    """A statement with its limits and bindings."""
    spans = linked(text, index)
    limited = limits(spans)
    mute = frozenset(at for at, span in enumerate(spans) if _of_a_name(span, index))
    skipped = {place for limit in limited.values() for place in limit.places}
    names = _beside(spans, index, skipped, mute)
    _subjects(spans, index, names, mute)
    return Line(index=index, spans=spans, limits=limited, names=names, mute=mute)


def _of_a_name(span: Span, index: CellIndex) -> bool:
    """Whether a number that stands in no cell stands in what the table or a column is called."""
    if span.kind is not SpanKind.NUMBER or span.found:
        return False
    return span.token.stem in index.context or any(
        span.token.stem in name for names in index.headings.values() for name in names
    )


def _beside(spans: Sequence[Span], index: CellIndex, skipped: Iterable[int], mute: Iterable[int]) -> dict[int, int]:
    """The names of columns bound to the values next to them, the nearest pairs first."""
    left_out = {*skipped, *mute}
    pairs: list[tuple[float, int, int]] = []
    for at, span in enumerate(spans):
        if span.kind is not SpanKind.HEADING:
            continue
        for step, gap in ((1, _BEFORE), (-1, _AFTER)):
            value, said = _next(spans, at, step, gap, left_out)
            if value is None or spans[value].kind not in _VALUES:
                continue
            if agree(spans[value], span, index):
                pairs.append((len(said) + (0.5 if step < 0 and said else 0), value, at))
            elif _said_to_be(spans[value], span, said, index):
                pairs.append((len(said) + 3, value, at))
    found: dict[int, int] = {}
    for _, value, name in sorted(pairs):
        if value not in found and name not in found.values():
            found[value] = name
    return found


def _next(
    spans: Sequence[Span], at: int, step: int, gap: frozenset[str], left_out: Iterable[int]
) -> tuple[int | None, tuple[str, ...]]:
    """The value next to a column's name, with nothing but words of ``gap`` between, and these words."""
    said: list[str] = []
    place = at + step
    while 0 <= place < len(spans) and abs(place - at) <= _FARTHEST:
        if place not in left_out:
            if spans[place].kind in _VALUES:
                return place, tuple(said)
            if spans[place].kind is not SpanKind.WORD or spans[place].text not in gap:
                return None, ()
            said.append(spans[place].text)
        place += step
    return None, ()


def agree(value: Span, name: Span, index: CellIndex) -> bool:
    """Whether a value may be of a column that is named: some cell has it, or both are numbers or dates."""
    if any(column == each.column for each in name.headings for _, column in value.found.whole | value.found.part):
        return True
    columns = name.named
    number = value.token.number
    if value.day is not None or (number is not None and is_year(value.token)):
        return any(index.kind(column) == "day" or index.years(column) for column in columns)
    if number is None or len(value.read) > 1:
        return False
    if value.token.ordinal and any(column in columns for _, column in index.find((str(number),)).part):
        return True
    return any(index.kind(column) == "number" for column in columns)


def _said_to_be(value: Span, name: Span, said: Sequence[str], index: CellIndex) -> bool:
    """Whether a name is said to be what a column holds, though it stands in another column.

    Between columns of one kind ("home team", "away team") standing beside each other says so, else only "be" does.
    """
    if (value.token.number is not None and len(value.read) == 1) or value.day is not None:
        return False
    whole = [each for each in name.headings if each.whole and each.near == SAME]
    if not whole or not value.found:
        return False
    places = value.found.whole or value.found.part
    if all(index.siblings(each.column, column) for each in whole for _, column in places):
        return True
    if (
        not (value.found.whole or len(value.read) > 1)
        or not _SAID_TO_BE & set(said)
        or set(said) - _SAID_TO_BE - _ARTICLES - _AFTER
    ):
        return False
    return all(index.kind(each.column) == "" for each in whole)


def _subjects(spans: Sequence[Span], index: CellIndex, names: dict[int, int], mute: Iterable[int]) -> None:
    """Binds what is said to be something to the first column that is named before, and that it may be of."""
    for at, span in enumerate(spans):
        if span.kind not in _VALUES or at in names or at in mute or not _is_said(spans, at):
            continue
        for place in range(at):
            if spans[place].kind is not SpanKind.HEADING or place in names.values():
                continue
            if agree(span, spans[place], index) or _said_to_be(span, spans[place], ("be",), index):
                names[at] = place
                break


def _is_said(spans: Sequence[Span], at: int) -> bool:
    """Whether a form of "be" stands before a value."""
    place = at - 1
    while place >= 0 and word_of(spans, place) in _ARTICLES | {"at", "with", "of"}:
        place -= 1
    return word_of(spans, place) in BE
