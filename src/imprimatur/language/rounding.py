"""Whether a stated quantity fits a stored value, and how the right value is written in the writer's style.

Contract (DESIGN section 3, "Numbers"): all arithmetic is exact. The stored value is converted to the stated unit; the
stated number fits when the stored one rounds to it at the last written digit, a tie rounding either away from zero or
to even, and they are at most a third of the larger one apart. Trailing zeros of an integer count as written, unless
three or more significant digits remain, the stored value rounds to the stated one at the last of these, and the error
is at most 0.5 %. Words and fractions are exact; where no decimal in the stored unit can hold them ("a third" of 100 %,
"ten square miles" in km²), a stored decimal of two or more digits that they round to fits. "About" allows a relative
error; a bound or range is judged as such; the ends of a range may be rounded, and an inclusive bound in another unit
than the stored one. A conversion in brackets must fit too: by these rules, or as a conversion of the stated number
rounded to its last significant digit (2 % off at most where that is its only one).
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from imprimatur.errors import InputError
from imprimatur.language.units import LATITUDE, LONGITUDE, UNITLESS, scale_of
from imprimatur.values import Bound, Number, Quantity, Unit

__all__ = ["Match", "convert", "matches", "near_conversion", "ordinal", "write"]

ABOUT = Fraction(1, 20)
_ZEROS_ERROR = Fraction(1, 200)
#: A right value is written more finely than the wrong one was where it would be off by more.
_COARSE = Fraction(1, 10)
#: Of the larger number: what is rounded by more is another number (0.05 g is not 0.1 g, 0.3 % is not 0 %).
_FAR = Fraction(1, 3)
_PARTNER_ERROR = Fraction(1, 50)
_SCALE_NAMES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand"))
_MOST_DECIMALS = 30
_ANGLES = (LATITUDE, LONGITUDE)
_INCLUSIVE = (Bound.AT_LEAST, Bound.AT_MOST)


class Match(StrEnum):
    """How a stated quantity compares with a stored value."""

    YES = "yes"
    NO = "no"
    UNIT = "unit"
    AMBIGUOUS = "ambiguous"


def matches(stated: Quantity, stored: Fraction, stored_unit: Unit | None, *, about: Fraction = ABOUT) -> Match:
    """Whether ``stored`` (in ``stored_unit``; None: unit not known) is what ``stated`` says.

    Args:
        about: the largest relative error that "about" allows.

    Returns:
        UNIT when the units cannot be compared; AMBIGUOUS when only another likely reading of the separators or of the
        unit word fits, when a bound does not hold in a likelier reading, or when a percentage meets a stored value of
        unknown unit and fits as one or the other.
    """
    primary = _one(stated, stored, stored_unit, about)
    meant = [other for other in stated.other if _may_be_meant(other, stated, stored, stored_unit)]
    if primary is Match.YES:
        bounds = () if stated.bound in (Bound.EXACT, Bound.ABOUT) else [o for o in meant if o.unit == stated.unit]
        doubted = any(_one(other, stored, stored_unit, about) is not Match.YES for other in bounds)
        return Match.AMBIGUOUS if doubted else Match.YES
    if any(_one(other, stored, stored_unit, about) is Match.YES for other in meant):
        return Match.AMBIGUOUS
    return primary


def _may_be_meant(other: Quantity, stated: Quantity, stored: Fraction, stored_unit: Unit | None) -> bool:
    """Whether another reading of the separators counts: nearly every value satisfies a bound a thousand times off.

    A bound or a range is so read only where the stored value is nearer to it, as a ratio, than to the first reading.
    """
    if stated.bound in (Bound.EXACT, Bound.ABOUT) or other.unit != stated.unit:
        return True
    value = convert(stored, stored_unit, stated.unit)
    first, second = stated.low.value, other.low.value
    if value is None or min(value, first, second) <= 0:
        return True
    return max(value / second, second / value) < max(value / first, first / value)


def convert(value: Fraction, unit: Unit | None, to: Unit | None) -> Fraction | None:
    """``value`` of ``unit`` in the unit ``to``, exactly; None when they measure different things.

    None and UNITLESS are plain counts; percent and its kin convert to and from them as ratios.
    """
    ours, theirs = unit or UNITLESS, to or UNITLESS
    if ours is theirs or ours == theirs:
        return value
    if theirs is UNITLESS and scale_of(ours) is not None:
        return value  # "rated 4.5" on whatever scale it is
    if _kind(ours) != _kind(theirs) or (ours in _ANGLES and theirs in _ANGLES):
        return None
    if not (ours.offset or theirs.offset):
        return value if ours.factor == theirs.factor else value * ours.factor / theirs.factor
    return (value * ours.factor + ours.offset - theirs.offset) / theirs.factor


def _kind(unit: Unit) -> tuple[object, ...]:
    """What a unit measures; a gradient ("feet per mile") has no dimension, yet is no plain ratio."""
    return (*unit.dimension, "gradient") if not unit.dimension and "/" in unit.symbol else unit.dimension


def _is_ratio(unit: Unit | None) -> bool:
    """Whether the unit is percent, per mille or parts per million."""
    return unit is not None and not _kind(unit) and unit.factor != 1


def _one(stated: Quantity, stored: Fraction, stored_unit: Unit | None, about: Fraction) -> Match:
    """One reading of the stated quantity, with its partner."""
    if stored_unit is None and _is_ratio(stated.unit):
        return _unknown_ratio(stated, stored, about)
    if _is_ratio(stored_unit) and (stated.unit is None or not stated.unit.symbol) and not _is_word_fraction(stated.low):
        return Match.UNIT
    value = convert(stored, stored_unit, stated.unit)
    if value is None:
        return Match.UNIT
    strict = stated.bound in _INCLUSIVE and (
        stated.unit == stored_unit or convert(Fraction(1), stored_unit, stated.unit) == 1
    )
    if not (_fits(stated, value, about, strict=strict) or _is_stored_rounded(stated, stored, stored_unit)):
        return Match.NO
    return Match.YES if _partner_fits(stated, stored, stored_unit, about) else Match.NO


def _unknown_ratio(stated: Quantity, stored: Fraction, about: Fraction) -> Match:
    """A percentage against a value of unknown unit may mean 0.25 or 25: never silently right."""
    factor = stated.unit.factor if stated.unit else Fraction(1)
    fits = _fits(stated, stored, about) or _fits(stated, stored / factor, about)
    return Match.AMBIGUOUS if fits else Match.NO


def _is_word_fraction(number: Number) -> bool:
    return number.step == 0 and number.value.denominator != 1


def _is_stored_rounded(stated: Quantity, stored: Fraction, stored_unit: Unit | None) -> bool:
    """Whether an exact number, which the stored unit's decimals cannot hold, is what the stored decimal rounds."""
    if stated.bound is not Bound.EXACT or stated.low.step:
        return False
    if _decimals(stated.low.value) is not None and convert(Fraction(1), stated.unit, stored_unit) == 1:
        return False
    places = _decimals(stored)
    exact = convert(stated.low.value, stated.unit, stored_unit)
    if places is None or exact is None or abs(stored) * 10**places < 10:
        return False
    return _rounds(Number(stored, Fraction(1, 10**places)), exact)


def _decimals(value: Fraction) -> int | None:
    """The number of decimal places that hold ``value`` exactly; None when none do."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 and max(twos, fives) <= _MOST_DECIMALS else None


def _fits(stated: Quantity, value: Fraction, about: Fraction, *, strict: bool = False) -> bool:
    """Whether ``value``, in the stated unit, satisfies the stated number and bound; ``strict``: bounds unrounded."""
    low, high = stated.low, stated.high
    match stated.bound:
        case Bound.EXACT:
            return _states(low, value)
        case Bound.ABOUT:
            below = high is None or value <= high.value or _states(high, value)
            return below and (_states(low, value) or abs(low.value - value) <= about * min(abs(value), abs(low.value)))
        case Bound.AT_LEAST:
            return value >= low.value or (not strict and _rounds(low, value))
        case Bound.AT_MOST:
            return value <= low.value or (not strict and _rounds(low, value))
        case Bound.MORE_THAN:
            return value > low.value
        case Bound.LESS_THAN:
            return value < low.value
        case Bound.RANGE:
            top = high or low
            return (low.value <= value <= top.value) or _rounds(low, value) or _rounds(top, value)


def _states(number: Number, value: Fraction) -> bool:
    """Whether ``value`` rounds to the written number, with the rule for trailing zeros."""
    off, below = _apart(number.value, value)
    if _rounds(number, value):
        most = max(abs(number.value), abs(value))
        return off * most.denominator * _FAR.denominator <= _FAR.numerator * most.numerator * below
    if number.significant < 3:
        return False
    if off * value.denominator * _ZEROS_ERROR.denominator > _ZEROS_ERROR.numerator * abs(value.numerator) * below:
        return False
    step = _significant_step(number)
    return step != number.step and _rounds(Number(number.value, step), value)


def _rounds(number: Number, value: Fraction) -> bool:
    step = number.step
    if not step.numerator:
        return number.value == value
    off, below = _apart(number.value, value)
    twice, whole = 2 * off * step.denominator, step.numerator * below
    if twice != whole:
        return twice < whole
    return abs(number.value) > abs(value) or (number.value / step) % 2 == 0


def _apart(a: Fraction, b: Fraction) -> tuple[int, int]:
    """How far two numbers lie apart, as numerator and denominator not reduced: fractions cost several times as much."""
    return abs(a.numerator * b.denominator - b.numerator * a.denominator), a.denominator * b.denominator


def _significant_step(number: Number) -> Fraction:
    """The place value of the last digit that is no trailing zero of a written integer ("2,330": 10)."""
    if number.step == 0 or number.value == 0:
        return number.step
    digits = str(abs(number.value) / number.step)
    zeros = len(digits) - len(digits.rstrip("0"))
    return number.step * Fraction(10) ** min(zeros, max(0, len(digits) - number.significant))


def _partner_fits(stated: Quantity, stored: Fraction, stored_unit: Unit | None, about: Fraction) -> bool:
    partner = stated.partner
    if partner is None:
        return True
    if matches(partner, stored, stored_unit, about=about) is Match.YES:
        return True
    converted = convert(stated.low.value, stated.unit, partner.unit)
    if converted is None or stated.bound is Bound.RANGE or partner.bound is Bound.RANGE:
        return False
    if not _partner_near(stated, partner, converted, about):
        return False
    return partner.partner is None or _partner_fits(partner, stored, stored_unit, about)


def _partner_near(stated: Quantity, partner: Quantity, converted: Fraction, about: Fraction) -> bool:
    """Whether the number in brackets is ``converted``, the stated one in its unit, as people round conversions."""
    number = partner.low
    error = abs(number.value - converted)
    if Bound.ABOUT in (stated.bound, partner.bound):
        return error <= about * abs(converted)
    near = number.significant >= 2 or error <= _PARTNER_ERROR * abs(converted)
    return near and _rounds(Number(number.value, _significant_step(number)), converted)


def near_conversion(stated: Quantity, partner: Quantity) -> bool:
    """Whether a conversion in brackets is near what it converts, though not its rounding ("7 miles (11.1 km)")."""
    converted = convert(stated.low.value, stated.unit, partner.unit)
    return converted is not None and abs(converted - partner.low.value) * 20 <= abs(converted)


def write(value: Fraction, like: Quantity, stored_unit: Unit | None, *, written: str = "") -> str:
    """``value`` (in ``stored_unit``) in the unit, precision and style of ``like``, without the unit's name.

    A scale word that the number needs is written with it ("1.4 million"); a fraction against a stored percentage is
    written with the sign ("40%"); ``written`` is the text of the stated quantity, from which the separators are taken.

    Raises:
        InputError: the stated unit cannot express the value.
    """
    if _is_ratio(stored_unit) and like.unit is None:
        return f"{_written(value, Number(value), written)}%"
    converted = convert(value, stored_unit, like.unit)
    if converted is None:
        unit = like.unit.symbol if like.unit else "no unit"
        raise InputError(f"a value in {stored_unit.symbol if stored_unit else 'no unit'} cannot be written in {unit}",
                         hint="write it in its own unit")  # fmt: skip
    if like.ordinal and converted.denominator == 1:
        return ordinal(int(converted))
    return _written(converted, like.low, written)


def ordinal(value: int) -> str:
    """ "1st", "22nd", "113th"."""
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def _written(value: Fraction, like: Number, written: str) -> str:
    step = like.step or _exact_step(value)
    scale, name = 1, ""
    if step > 1:
        scale, name = next(((size, f" {word}") for size, word in _SCALE_NAMES if size <= abs(value)), (1, ""))
        step = min(step, Fraction(scale))
    while value and abs(_rounded(value / step) * step - value) > _COARSE * abs(value):
        step /= 10
    if step > scale:
        step = Fraction(scale)
    rounded = _rounded(value / step)
    decimals = _decimals(step / scale)
    if decimals is None:
        decimals = 0
        rounded, step = _rounded(value), Fraction(1)
    while name and decimals and rounded % 10 == 0:
        rounded, decimals = rounded // 10, decimals - 1
    return _styled(rounded, decimals, written) + name


def _exact_step(value: Fraction) -> Fraction:
    """The step that writes ``value`` exactly when three decimals do, else with three."""
    places = _decimals(value)
    return Fraction(1, 10 ** min(3, 3 if places is None else places))


def _rounded(value: Fraction) -> int:
    """To the nearest integer, ties away from zero."""
    whole = int(abs(value) + Fraction(1, 2))
    return -whole if value < 0 else whole


def _styled(digits: int, decimals: int, written: str) -> str:
    """Digits with the decimal mark and the groups of the written example (English groups when there is none)."""
    mark, group = _separators(written)
    text = str(abs(digits)).rjust(decimals + 1, "0")
    whole, fraction = (text[:-decimals], text[-decimals:]) if decimals else (text, "")
    grouped = f"{int(whole):,}".replace(",", group) if len(whole) > 3 else whole
    minus = "" if digits >= 0 else ("−" if "−" in written else "-")
    return f"{minus}{grouped}{mark if decimals else ''}{fraction}"


def _separators(written: str) -> tuple[str, str]:
    """The decimal mark and the group separator of a written number."""
    first = next((index for index, char in enumerate(written) if char.isdigit()), len(written))
    body = written[first:]
    end = next(
        (i for i, char in enumerate(body) if not (char.isdigit() or char in ".,'’\u00a0\u202f\u2009 ")), len(body)
    )
    run = body[:end].rstrip(".,' \u00a0\u202f\u2009")
    marks = [char for char in run if not char.isdigit()]
    if not marks:
        return ".", "," if len(run) < 4 else ""
    tail = run.rpartition(marks[-1])[2]
    if len(set(marks)) > 1:
        return marks[-1], marks[0]
    if marks[0] in ".," and len(marks) == 1 and (len(tail) != 3 or marks[0] == "."):
        return marks[0], "," if marks[0] == "." else "."
    return ("," if marks[0] == "." else "."), marks[0]
