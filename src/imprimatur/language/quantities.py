"""Quantities in running text: numbers with hedges, bounds, ranges, units, conversions, and all their readings.

Contract: ``find`` returns what it found in order, not overlapping, each the longest reading, with half-open
code-point spans of the text as given. A hedge ("about", "at least", "or so") is part of the span. A bracketed
conversion right after a quantity ("400 feet (120 m)") becomes its ``partner``, and the span covers both. Other
readings of separators and of unit words ("16.181", "5 pounds", "¥100") are in ``other``. Four-digit years are found
as plain numbers. The time is linear in the text.

"nearly 900" is ABOUT with ``high`` set to the same number: about it, and not above it. "just over 900" is the range
from 900 to 5 % more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import amounts, hedges, numbers
from imprimatur.language.amounts import Amount
from imprimatur.language.hedges import Hedge
from imprimatur.values import Bound, Number, Quantity, Unit

__all__ = ["Found", "find"]


@dataclass(frozen=True, slots=True)
class Found:
    """A quantity and its span: ``text[start:end]`` is all of its words, hedges and brackets."""

    start: int
    end: int
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two amounts read as the ends of one range, or as one compound ("5 ft 10 in": ``high`` is None)."""

    start: int
    end: int
    low: Amount
    high: Amount | None


_DASH = expression(r"[ \u00a0]?[-–—][ \u00a0]?\Z")
_TO = expression(r"[ \u00a0-](?:to|through)[ \u00a0-]\Z")
_OR = expression(r"[ \u00a0]or[ \u00a0]\Z")
_AND = expression(r"[ \u00a0](?:and|to|&)[ \u00a0]\Z")
_CHANGE = expression(
    r"\b(?:r[io]ses?|risen|gr[eo]ws?|grown|falls?|fell|fallen|drops?|dropped|(?:in|de)creas\w+|declin\w+|shr[aiu]nk\w*"
    r"|went|chang\w+|expand\w+|improv\w+|up|down|mov\w+|rais\w+|rising|lower\w+|reduc\w+|climb\w+|slipp?\w*|cut)"
    r"[ \u00a0]from[ \u00a0]\Z",
    re.IGNORECASE,
)
_COUNTED = expression(r"[ \u00a0-](people|men|women|children|[a-z]{3,}s)\b")
_NOT_COUNTED = frozenset({"this", "thus", "does", "loss", "less", "versus", "across", "was", "has", "its", "always"})
_JOINT = expression(r"[ \u00a0]?\Z")
_TIME_JOINT = expression(r"(?:,?[ \u00a0]and[ \u00a0]|,[ \u00a0])\Z")
_OPEN = expression(r"[ \u00a0]?\(\Z")
_NEXT_PARTNER = expression(r"[ \u00a0]?[;,/][ \u00a0]?\Z")
_RANK = {Hedge.EXACT: 0, Hedge.ABOUT: 1, Hedge.BELOW: 2, Hedge.ABOVE: 3}
_LONGEST_JOINT = 12
_MOST_READINGS = 8
#: Characters; what is found in a longer text is not kept.
_MOST_KEPT = 600


def find(text: str, *, locale: str = "en") -> tuple[Found, ...]:
    """All quantities of ``text``; ``locale`` (BCP 47) decides the primary reading of separators.

    Those of a sentence are kept for a while: several readings of one check ask for them.
    """
    return _kept(text, locale) if len(text) <= _MOST_KEPT else _found(text, locale)


@lru_cache(maxsize=512)
def _kept(text: str, locale: str) -> tuple[Found, ...]:
    return _found(text, locale)


def _found(text: str, locale: str) -> tuple[Found, ...]:
    plain = numbers.normalise(text)
    found = tuple(_apart(amounts.find_all(plain, comma=numbers.decimal_comma(locale))))
    singles: list[Found] = []
    index, floor = 0, 0
    while index < len(found):
        pair = _pair(plain, found, index)
        amount = found[index]
        whole = pair or _Pair(amount.start, amount.end, amount, None)
        single = _hedged(plain, whole, floor)
        singles.append(single)
        floor = single.end
        index += 1 if pair is None else 2
    return tuple(_partnered(plain, singles))


def _apart(found: Iterable[Amount]) -> Iterator[Amount]:
    """The amounts without what two of them share: the sign in "5$7" goes with the first."""
    floor = 0
    for amount in found:
        yield amount if amount.start >= floor else replace(amount, start=floor)
        floor = amount.end


def _pair(plain: str, found: tuple[Amount, ...], index: int) -> _Pair | None:
    if index + 1 >= len(found):
        return None
    low, high = found[index], found[index + 1]
    if high.start - low.end > _LONGEST_JOINT or low.ordinal or high.ordinal or low.plus:
        return None
    compound = _compound(plain, low, high)
    if compound is not None:
        return _Pair(low.start, high.end, compound, None)
    return _range(plain, low, high)


def _compound(plain: str, large: Amount, small: Amount) -> Amount | None:
    """ "5 ft 10 in", "1 hour 35 minutes", "6 lb 4 oz" in the smaller unit."""
    joint = plain[large.end : small.start]
    if not large.units or not small.units or not large.units[0].dimension:
        return None
    above, below = large.units[0], small.units[0]
    if above.dimension != below.dimension or above.offset or below.offset or len(above.dimension) > 1:
        return None
    is_time = above.dimension[0][0] in ("s", "yr")
    if not (_JOINT.match(joint) or (is_time and _TIME_JOINT.match(joint))):
        return None
    times = above.factor / below.factor
    first, second = large.numbers[0], small.numbers[0]
    if times <= 1 or times.denominator != 1 or first.value.denominator != 1 or not 0 <= second.value < times:
        return None
    number = Number(first.value * times + second.value, second.step, first.significant + second.significant)
    return Amount(start=large.start, end=small.end, numbers=(number,), units=(below,))


def _range(plain: str, low: Amount, high: Amount) -> _Pair | None:
    joint = plain[low.end : high.start]
    lead = hedges.before(plain, low.start)
    hedge = lead[1] if lead else None
    if hedge is Hedge.BETWEEN and (_AND.match(joint) or _DASH.match(joint)):
        ends = _ends(low, high)
        return ends and _Pair(lead[0] if lead else low.start, high.end, *ends)
    is_or = _OR.match(joint) is not None
    if not (is_or or _DASH.match(joint) or _TO.match(joint)):
        return None
    if hedge is Hedge.FROM and _CHANGE.search(plain[max(0, low.start - 24) : low.start]):
        return None
    ends = _ends(low, high)
    if ends is None or ends[0].numbers[0].value >= ends[1].numbers[0].value or not _is_span(plain, low, high):
        return None
    if is_or and ends[1].numbers[0].value - ends[0].numbers[0].value != 1:
        return None
    return _Pair(lead[0] if lead and hedge is Hedge.FROM else low.start, high.end, *ends)


def _is_span(plain: str, low: Amount, high: Amount) -> bool:
    """Whether two joined numbers span a range: bare ones may be a score ("98-102"), a season or two years."""
    if high.units or low.units:
        return True
    noun = _COUNTED.match(plain, high.end)
    if noun is None or noun[1] in _NOT_COUNTED or noun[1].endswith("ss"):
        return False
    years = all(1000 <= amount.numbers[0].value <= 2100 for amount in (low, high))
    return not (years and plain[low.start : low.end].isdigit())


def _ends(low: Amount, high: Amount) -> tuple[Amount, Amount] | None:
    """Both ends in one unit and scale, in rising order; None when their units cannot be reconciled."""
    if low.scale == 1 and high.scale > 1 and low.numbers[0].value * high.scale < high.numbers[0].value:
        low = replace(low, numbers=tuple(_stretched(number, Fraction(high.scale)) for number in low.numbers))
    units = high.units or low.units
    if low.units and high.units and low.units != high.units:
        below, above = low.units[0], high.units[0]
        if below.dimension != above.dimension or below.offset != above.offset:
            return None
        low = replace(low, numbers=(_stretched(low.numbers[0], below.factor / above.factor),))
    low, high = replace(low, units=units), replace(high, units=units)
    return (high, low) if low.numbers[0].value > high.numbers[0].value else (low, high)


def _stretched(number: Number, factor: Fraction) -> Number:
    return Number(number.value * factor, number.step * factor, number.significant)


def _hedged(plain: str, pair: _Pair, floor: int) -> Found:
    """The found quantity with the hedges around it; none reaches back over ``floor``, the end of the one before."""
    start, end = pair.start, pair.end
    chosen = Hedge.AT_LEAST if pair.low.plus else Hedge.EXACT
    said: list[Hedge] = []
    if not pair.low.ordinal:
        for _ in range(2):
            lead = hedges.before(plain, start)
            if lead is None or lead[0] < floor or lead[1] in (Hedge.BETWEEN, Hedge.FROM):
                break
            start = lead[0]
            said.append(lead[1])
            chosen = _stronger(chosen, lead[1])
        trail = hedges.after(plain, end)
        if trail is not None:
            end, chosen = trail[0], _stronger(chosen, trail[1])
            said.append(trail[1])
    found = _quantity(pair, chosen)
    if chosen is Hedge.EXACT and Hedge.EXACT in said:  # "exactly 412": no rounding
        found = replace(found, low=replace(found.low, step=Fraction(0)))
    return Found(start, end, found)


def _stronger(first: Hedge, second: Hedge) -> Hedge:
    """Of two hedges the one that says more: a bound before "about", and anything before "exactly"."""
    return first if _RANK.get(first, len(_RANK)) > _RANK.get(second, len(_RANK)) else second


def _quantity(pair: _Pair, hedge: Hedge) -> Quantity:
    """One quantity of the primary readings, with the remaining combinations in ``other``."""
    highs: tuple[Number | None, ...] = pair.high.numbers if pair.high else (None,)
    units: tuple[Unit | None, ...] = pair.low.units or (None,)
    combinations = islice(product(units, pair.low.numbers, highs), _MOST_READINGS)
    readings = [_reading(pair, hedge, unit=unit, low=low, high=high) for unit, low, high in combinations]
    return replace(readings[0], other=tuple(readings[1:])) if len(readings) > 1 else readings[0]


def _reading(pair: _Pair, hedge: Hedge, *, unit: Unit | None, low: Number, high: Number | None) -> Quantity:
    bound = hedge.bound
    if high is not None:
        bound = Bound.RANGE
    elif hedge is Hedge.ABOVE:
        high = Number(low.value + abs(low.value) / 20)
    elif hedge is Hedge.BELOW:
        high = low
    return Quantity(low=low, high=high, bound=bound, unit=unit, ordinal=pair.low.ordinal)


def _partnered(plain: str, singles: list[Found]) -> list[Found]:
    """``singles`` with each bracketed conversion joined to the quantity before it."""
    joined: list[Found] = []
    index = 0
    while index < len(singles):
        first = singles[index]
        partners = _bracket(plain, singles, index)
        index += 1 + len(partners)
        partner: Quantity | None = None
        for follower in reversed(partners):
            partner = replace(follower.quantity, partner=partner)
        if partners:
            first = Found(first.start, partners[-1].end + 1, replace(first.quantity, partner=partner))
        joined.append(first)
    return joined


def _bracket(plain: str, singles: list[Found], index: int) -> list[Found]:
    """The conversions that fill the bracket right after a quantity; empty when the bracket holds anything else."""
    first = singles[index]
    partners: list[Found] = []
    joint, end = _OPEN, first.end
    for follower in singles[index + 1 : index + 4]:
        if follower.start - end > 3 or not joint.match(plain[end : follower.start]) or not _converts(first, follower):
            return []
        partners.append(follower)
        joint, end = _NEXT_PARTNER, follower.end
        if plain[end : end + 1] == ")":
            return partners
    return []


def _converts(first: Found, follower: Found) -> bool:
    ours, theirs = first.quantity.unit, follower.quantity.unit
    if ours is None or theirs is None or ours.symbol == theirs.symbol:
        return False
    return ours.dimension == theirs.dimension and bool(ours.dimension) and not follower.quantity.ordinal
