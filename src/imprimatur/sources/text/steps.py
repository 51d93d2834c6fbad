"""The results that one step of arithmetic, of the calendar or of the clock gives from some terms; all is exact.

A sum, a difference, a ratio, a product, a share or a percentage of change, a mean, a rate over the time between two
dates; a mean, a sum or a difference may have several terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations

from imprimatur.language import calendar, units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.terms import Term
from imprimatur.values import Unit

__all__ = ["Step", "days_of", "steps_of"]

_MOST_ADDED = 4


@dataclass(frozen=True, slots=True)
class Step:
    """A result and how it came about; ``pieces`` are the indices of what it was made of."""

    said: str
    pieces: frozenset[int]
    value: Fraction = Fraction(0)
    unit: Unit | None = None
    day: tuple[int, int, int] | None = None
    minus: bool = False
    ratio: bool = False
    rate: bool = False


def _timely(unit: Unit) -> bool:
    return unit.dimension in ((("s", 1),), (("yr", 1),), (("mo", 1),), (("month", 1),))


def steps_of(terms: Sequence[Term]) -> tuple[Step, ...]:
    return _all_steps(tuple(terms))


@lru_cache(256)
def _all_steps(terms: tuple[Term, ...]) -> tuple[Step, ...]:
    numbers = [term for term in terms if term.day is None and not term.one]
    found = [*_singles(numbers), *_between_days(terms), *_clocks(numbers)]
    plain = [term for term in numbers if not term.clock]
    found += _sums(plain)
    for a, b in permutations(plain, 2):
        found += _pair(a, b)
    found += _rates(plain, _between_days(terms))
    return tuple(found)


def _singles(terms: Sequence[Term]) -> Iterator[Step]:
    """What one number says by itself: the rest of a whole."""
    for term in terms:
        own = frozenset({term.piece})
        if term.unit is not None and term.unit.symbol == "%" and 0 < term.value < 100:
            yield Step(f"100% - {term.said}", own, 100 - term.value, term.unit, minus=True)
        elif term.unit is None and 0 < term.value < 1:
            yield Step(f"1 - {term.said}", own, 1 - term.value, None, minus=True, ratio=True)


def _sums(terms: Sequence[Term]) -> Iterator[Step]:
    """Sums, means and repeated differences of numbers of one kind."""
    for size in range(2, _MOST_ADDED + 1):
        for chosen in combinations(terms, size):
            same = _in_first_unit(chosen)
            if same is None or len({term.piece for term in chosen}) < size:
                continue
            own = frozenset(term.piece for term in chosen)
            said = " + ".join(term.said for term in chosen)
            unit = chosen[0].unit
            yield Step(said, own, sum(same, Fraction(0)), unit)
            yield Step(f"mean of {said}", own, sum(same, Fraction(0)) / size, unit)
            if size > 2:
                for n, whole in enumerate(same):
                    rest = [v for m, v in enumerate(same) if m != n]
                    if whole > sum(rest):
                        others = " - ".join(t.said for m, t in enumerate(chosen) if m != n)
                        yield Step(f"{chosen[n].said} - {others}", own, whole - sum(rest), unit, minus=True)


def _in_first_unit(terms: Sequence[Term]) -> list[Fraction] | None:
    first = terms[0].unit
    out: list[Fraction] = []
    for term in terms:
        if first is None or term.unit is None:
            if first is not term.unit:
                return None
            out.append(term.value)
            continue
        value = convert(term.value, term.unit, first)
        if value is None:
            return None
        out.append(value)
    return out


def _pair(a: Term, b: Term) -> Iterator[Step]:
    if a.piece == b.piece and a.value == b.value:
        return
    own = frozenset({a.piece, b.piece})
    same = _in_first_unit((a, b))
    if same is not None:
        yield from _of_one_kind(a, b, own, (same[0], same[1]))
    if b.unit is not None and b.unit.symbol == "%":
        yield Step(f"{b.said} of {a.said}", own, a.value * b.value / 100, a.unit)
        yield Step(f"{a.said} less {b.said}", own, a.value * (100 - b.value) / 100, a.unit, minus=True)
        yield Step(f"{a.said} plus {b.said}", own, a.value * (100 + b.value) / 100, a.unit)
        if b.value:
            yield Step(f"{a.said} / {b.said}", own, a.value * 100 / b.value, a.unit)
    elif b.unit is None:
        yield Step(f"{a.said} x {b.said}", own, a.value * b.value, a.unit)
        if b.value and a.unit is not None:
            yield Step(f"{a.said} / {b.said}", own, a.value / b.value, a.unit)
    elif a.unit is not None and b.value and same is None:
        unit = units.ratio(a.unit, b.unit)
        if unit is not None:
            yield Step(f"{a.said} / {b.said}", own, a.value / b.value, unit)


def _of_one_kind(a: Term, b: Term, own: frozenset[int], same: tuple[Fraction, Fraction]) -> Iterator[Step]:
    x, y = same
    if x > y:
        points = units.parse("percentage points") if a.unit is not None and a.unit.symbol == "%" else a.unit
        yield Step(f"{a.said} - {b.said}", own, x - y, points or a.unit, minus=True)
    if y:
        yield Step(f"{a.said} / {b.said}", own, x / y, ratio=True)
        if x > 0 and y > 0:
            yield Step(f"{a.said} / ({a.said} + {b.said})", own, x / (x + y), ratio=True)
        if x != y and y > 0:
            change = abs(x - y) / y
            yield Step(f"({a.said} - {b.said}) / {b.said}", own, change, minus=True, ratio=True)


def _clocks(terms: Sequence[Term]) -> Iterator[Step]:
    """From one time of day to another, past midnight where it is earlier."""
    clocks = [term for term in terms if term.clock]
    for a, b in permutations(clocks, 2):
        gap = b.value - a.value
        if gap < 0:
            gap += 24 * 60
        yield Step(f"from {a.said} to {b.said}", frozenset({a.piece, b.piece}), gap, a.unit)


def _rates(terms: Sequence[Term], spans: Sequence[Step]) -> Iterator[Step]:
    """A number divided by the years between two dates."""
    for term in terms:
        for span in spans:
            if span.value > 0 and term.unit is not None and not _timely(term.unit):
                own = span.pieces | {term.piece}
                yield Step(f"{term.said} / ({span.said})", own, term.value / span.value, term.unit, rate=True)


def _between_days(terms: Sequence[Term]) -> list[Step]:
    """The time between two dates, in years and, where both are days, in days."""
    days = [term for term in terms if term.day is not None]
    year, day, month = units.parse("years"), units.parse("days"), units.parse("months")
    found: list[Step] = []
    for a, b in combinations(days, 2):
        if a.day is None or b.day is None:
            continue
        first, last = sorted((a.day, b.day))
        own = frozenset({a.piece, b.piece})
        said = f"from {a.said} to {b.said}"
        gap = Fraction(calendar.astronomical(last[0]) - calendar.astronomical(first[0]))
        if "day" not in (a.precision, b.precision) or first[1:] == last[1:]:
            found.append(Step(said, own, gap, year, minus=True))
        else:
            whole = gap - (last[1:] < first[1:])
            found.append(Step(said, own, whole + Fraction(1, 2), year, minus=True))
        if a.precision == b.precision == "day":
            found.append(Step(said, own, Fraction(calendar.serial(last) - calendar.serial(first)), day, minus=True))
            if first[2] == last[2]:
                months = (last[0] - first[0]) * 12 + last[1] - first[1]
                found.append(Step(said, own, Fraction(months), month, minus=True))
    return found


def days_of(terms: Sequence[Term]) -> Iterator[Step]:
    """Days and years that lie a stated time before or after a date."""
    for start in terms:
        if start.day is None:
            continue
        for gap in terms:
            if gap.day is not None or gap.unit is None or gap.value.denominator != 1:
                continue
            for sign in (1, -1):
                moved = _moved(start, gap, sign)
                if moved is not None:
                    said = f"{start.said} {'+' if sign > 0 else '-'} {gap.said}"
                    yield Step(said, frozenset({start.piece, gap.piece}), day=moved)


def _moved(start: Term, gap: Term, sign: int) -> tuple[int, int, int] | None:
    assert start.day is not None
    assert gap.unit is not None
    many = sign * int(gap.value)
    if abs(many) > 100_000:
        return None
    try:
        if gap.unit.symbol in ("yr",):
            return calendar.shift_years(start.day, many)
        if gap.unit.symbol in ("mo", "month"):
            return calendar.shift_months(start.day, many)
        days = convert(Fraction(many), gap.unit, units.parse("days"))
        if days is None or days.denominator != 1 or start.precision != "day":
            return None
        return calendar.shift_days(start.day, int(days))
    except ValueError:
        return None
