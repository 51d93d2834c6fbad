"""How a number or date of an inference follows from those of its premises: the arithmetic that is looked for.

Equal, a sum, a difference, a ratio, a product, a share or a percentage of change, a mean, a count, or a step in the
calendar or on the clock; one step (a mean, a sum or a difference may have several terms; a rate may be over the time
between two dates). All is exact; the result is held against the claim by the number rules. ``derive`` gives the steps
that fit, with what they were made of; nothing here decides whether the words fit too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations

from imprimatur._expressions import expression
from imprimatur.language import calendar, rounding, units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound, DateValue, Quantity, Unit

__all__ = ["Step", "Term", "derive", "rates", "results", "terms_of"]

#: More numbers than this in the premises, and chance finds everything.
MOST_TERMS = 14
_MOST_ADDED = 4
_FACTORS = {"twice": 2, "double": 2, "twofold": 2, "doubled": 2, "triple": 3, "thrice": 3, "tripled": 3, "halved": 2}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = expression(rf"(\d{{1,2}}) ({'|'.join(_MONTHS)})")
_CLOCK = expression(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Term:
    """A number or day of the premises: ``piece`` is its index, ``said`` how it is written there."""

    piece: int
    said: str
    value: Fraction = Fraction(0)
    unit: Unit | None = None
    day: tuple[int, int, int] | None = None
    precision: str = ""
    clock: bool = False
    one: bool = False


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


def terms_of(pieces: Sequence[Piece]) -> list[Term]:
    """The numbers and days among some pieces, but for labels and ordinals."""
    found: list[Term] = []
    for n, piece in enumerate(pieces):
        if piece.date is not None and piece.date.first is not None and piece.date.last is not None:
            if piece.date.precision in ("day", "month", "year"):
                found.append(Term(n, piece.text, day=piece.date.first, precision=piece.date.precision))
        elif piece.quantity is not None and not piece.label and not piece.quantity.ordinal:
            found.append(Term(n, piece.text, piece.quantity.low.value, piece.quantity.unit, one=piece.one))
            if piece.quantity.high is not None:
                found.append(Term(n, piece.text, piece.quantity.high.value, piece.quantity.unit))
        elif piece.part is Part.NAME and (clock := _CLOCK.fullmatch(piece.text)):
            minutes = Fraction(int(clock[1]) * 60 + int(clock[2])) + Fraction(int(clock[3] or 0), 60)
            found.append(Term(n, piece.text, minutes, units.by_name("MIN") or units.parse("min"), clock=True))
        elif day := _DAY.fullmatch(piece.lower):
            when = (2001, _MONTHS.index(day[2]) + 1, int(day[1]))
            if calendar.is_day(when):
                found.append(Term(n, piece.text, day=when, precision="day"))
        elif piece.label and _range(pieces, n):
            first, last = int(piece.text), int(pieces[n + 2].text)
            found.append(Term(n, f"{first} to {last}", Fraction(last - first + 1)))
        elif piece.lower in _FACTORS:
            found.append(Term(n, piece.text, Fraction(_FACTORS[piece.lower])))
    found += _per(pieces)
    return found[:MOST_TERMS]


def _range(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "3 to 5" begins here: labels of a row of things."""
    if n + 2 >= len(pieces) or pieces[n + 1].lower not in ("to", "-", "\u2013") or not pieces[n + 2].label:
        return False
    return pieces[n].text.isdigit() and pieces[n + 2].text.isdigit() and int(pieces[n].text) < int(pieces[n + 2].text)


def _per(pieces: Sequence[Piece]) -> Iterator[Term]:
    """ "12.6 mg of lead per kilogram": a number in a unit made of two that stand apart."""
    for n, piece in enumerate(pieces):
        below = next((p for p in pieces[n + 1 : n + 4] if p.one and p.lower.startswith("per ")), None)
        if (
            piece.quantity is None
            or piece.quantity.unit is None
            or piece.one
            or below is None
            or below.quantity is None
        ):
            continue
        unit = units.ratio(piece.quantity.unit, below.quantity.unit) if below.quantity.unit else None
        if unit is not None:
            yield Term(n, f"{piece.text} {below.text}", piece.quantity.low.value, unit)


def derive(stated: Piece, terms: Sequence[Term], about: Fraction) -> list[Step]:
    """The steps from the terms that give what is stated."""
    if day := _DAY.fullmatch(stated.lower):
        month, number = _MONTHS.index(day[2]) + 1, int(day[1])
        return [step for step in _days(terms) if step.day is not None and step.day[1:] == (month, number)]
    if stated.date is not None:
        return [step for step in _days(terms) if step.day is not None and _same_day(stated.date, step.day)]
    if stated.quantity is None:
        return []
    quantity = stated.quantity
    return [step for step in _steps(terms) if step.day is None and _fits(quantity, step, about)]


def rates(stated: Piece, per: Quantity, terms: Sequence[Term], about: Fraction) -> list[Step]:
    """The steps by which so much ``per`` unit of time follows: an amount over a time, or how often an interval fits."""
    if stated.quantity is None or per.unit is None:
        return []
    found: list[Step] = []
    for time in terms:
        long = convert(time.value, time.unit, per.unit) if time.unit is not None else None
        if not long:
            continue
        often = Step(
            f"{per.low.value} {per.unit.symbol} / {time.said}", frozenset({time.piece}), per.low.value / long, rate=True
        )
        found.append(often)
        for term in terms:
            if term.piece != time.piece and term.day is None:
                own = frozenset({term.piece, time.piece})
                found.append(Step(f"{term.said} / {time.said}", own, term.value / long, term.unit, rate=True))
    return [step for step in found if _fits(stated.quantity, step, about)]


def results(terms: Sequence[Term], like: Quantity) -> list[Step]:
    """All steps whose result is of the kind of a quantity."""
    return [s for s in _steps(terms) if s.day is None and _value(s, like) is not None]


def _fits(stated: Quantity, step: Step, about: Fraction) -> bool:
    value = _value(step, stated)
    if value is None:
        return False
    return rounding.matches(stated, value, stated.unit, about=about) is rounding.Match.YES


def _value(step: Step, like: Quantity) -> Fraction | None:
    """A result in the unit of a quantity; a plain ratio is a percentage or a number of times."""
    if like.ordinal:
        return None
    percent = like.unit is not None and like.unit.symbol == "%"
    if step.unit is None:
        if percent:
            return step.value * 100 if step.ratio else None
        return step.value if like.unit is None else None
    if step.unit.symbol in ("%", "pp"):
        if like.unit is not None and like.unit.symbol in ("%", "pp"):
            return step.value
        share = like.unit is None and 0 < like.low.value <= 1 and like.low.value.denominator > 1
        return step.value / 100 if share else None
    if like.unit is None:
        return None
    return convert(step.value, step.unit, like.unit)


def _timely(unit: Unit) -> bool:
    return unit.dimension in ((("s", 1),), (("yr", 1),), (("mo", 1),), (("month", 1),))


# -- steps ----------------------------------------------------------------------------------------------------------
def _steps(terms: Sequence[Term]) -> tuple[Step, ...]:
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


# -- days -----------------------------------------------------------------------------------------------------------
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


def _days(terms: Sequence[Term]) -> Iterator[Step]:
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


def _same_day(stated: DateValue, day: tuple[int, int, int]) -> bool:
    if stated.first is None or stated.last is None:
        return False
    return stated.first <= day <= stated.last and stated.bound is Bound.EXACT
