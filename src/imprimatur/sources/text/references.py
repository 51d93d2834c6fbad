"""Numbers and days that a text gives by another one: "four seconds faster than Ueda", "twice as many as in July".

Each becomes a leaf of its own, whose ``reference`` are the words behind "than", "of" or "as": what it is the number of.
"A year later", "the year before" and "two days after" without more are days, said of the clause that they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from imprimatur.language import calendar, units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.remainders import gaps_of, phrase, rests_of
from imprimatur.sources.text.words import likeness
from imprimatur.values import Unit

__all__ = ["moved", "references"]

_BEFORE = frozenset("before below under".split())
_BEYOND = frozenset("after above over beyond".split())
_LATER = {"later": 1, "after": 1, "afterwards": 1, "earlier": -1, "before": -1, "previously": -1}
_TIMES = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_TIMELY = ((("s", 1),), (("yr", 1),))


def references(leaves: Sequence[Leaf], texts: Evidence) -> list[Leaf]:
    """The leaves, those that say how much more or less marked so, and the numbers and days that they give by others."""
    levels = [leaf for leaf in leaves if leaf.day is not None or not _offset(leaf, texts)[0]]
    found = [leaf for each in leaves for leaf in _of(each, levels, texts)]
    multiples = [*_multiples(leaves, texts), *gaps_of(leaves, texts)]
    gaps = {leaf.piece for leaf in (*found, *multiples) if leaf.day is None}
    marked = [replace(leaf, gap=True) if leaf.piece in gaps and not leaf.derived else leaf for leaf in leaves]
    return [
        *marked,
        *found,
        *multiples,
        *_relative(leaves, texts),
        *rests_of(leaves, texts),
        *_deadlines(leaves, texts),
    ]


def _of(b: Leaf, leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    sign, reference = _offset(b, texts)
    if not sign or b.day is not None or b.derived:
        return
    told = next((a for a in leaves if a.day is not None and a.piece in reference), None)
    if told is not None and b.unit is not None and b.unit.dimension in _TIMELY:  # "20 years after 3 February 2009"
        when = moved(told, b, -sign)
        if when is not None:
            yield replace(
                told, piece=b.piece, said=f"{told.said} {'+' if sign < 0 else '-'} {b.said}", day=when, derived=True
            )
        return
    for a in reversed(leaves):
        if a.piece >= b.piece or a.derived:
            continue
        if a.day is not None:
            when = moved(a, b, sign) if b.unit is not None and b.unit.dimension in _TIMELY else None
            if when is not None:
                said = f"{a.said} {'+' if sign > 0 else '-'} {b.said}"
                yield replace(a, piece=b.piece, said=said, day=when, reference=reference, derived=True)
                return
            continue
        value = _other(a, b, sign)
        if value is not None:
            said = f"({a.said} {'+' if sign > 0 else '-'} {b.said})"
            made = replace(a, piece=b.piece, said=said, value=value, reference=reference, derived=True)
            yield replace(made, partner=-1, later=False)
            return


def _other(a: Leaf, b: Leaf, sign: int) -> Fraction | None:
    """The number of which ``a`` is so much more or less."""
    if a.clock:
        return None
    if b.share and not a.share:
        part = (b.value / 100 if b.percent else b.value) * sign
        return a.value / (1 - part) if part != 1 else None
    y = same_kind(a, b)
    return a.value + sign * y if y is not None and a.value + sign * y > 0 else None


def _offset(leaf: Leaf, texts: Evidence) -> tuple[int, frozenset[int]]:
    """Whether what a number is compared with is more (1) or less (-1) than what goes before, and the words for it."""
    frame = texts.frame_of(leaf.piece)
    if frame is None or leaf.partner >= 0:
        return 0, frozenset()
    members = frame.members[frame.members.index(leaf.piece) + 1 :]
    words = [texts.pieces[m] for m in members[:5]]
    timed = leaf.unit is not None and leaf.unit.dimension in _TIMELY
    for n, piece in enumerate(words):
        rest = frozenset(phrase(members[n + 1 :], texts.pieces))
        if not rest:
            break
        if piece.lower == "than" and n and words[n - 1].lower in ("better", "worse"):
            return (1 if timed else -1) * (1 if words[n - 1].lower == "better" else -1), rest
        if piece.lower == "than" and n:
            return -max((sign_of(word) for word in words[:n]), key=abs), rest
        if piece.lower == "short" and n + 1 < len(words) and words[n + 1].lower == "of":
            return -1 if timed else 1, rest
        if piece.lower in _BEFORE:
            return 1, rest
        if piece.lower in _BEYOND and not texts.pieces[min(rest)].figure:
            return -1, rest
        if piece.lower in ("ahead", "behind"):
            return (1 if timed else -1) * (1 if piece.lower == "ahead" else -1), rest
        if piece.figure or piece.part in (Part.MARK, Part.VERB, Part.AUXILIARY) or piece.lower == "of":
            break
    return 0, frozenset()


# -- "twice as many as in July" -------------------------------------------------------------------------------------
def _multiples(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    for frame in texts.frames:
        members = frame.members
        for n, k in enumerate(members):
            factor, end = _factor(members, n, texts.pieces)
            a = next((leaf for leaf in reversed(leaves) if leaf.piece < k and not leaf.derived and not leaf.day), None)
            if not factor or a is None or a.piece not in members or end >= len(members):
                continue
            said = f"{a.said} / {factor}"
            yield replace(
                a, piece=k, said=said, value=a.value / factor, reference=frozenset(members[end:]), derived=True
            )


def _factor(members: Sequence[int], n: int, pieces: Sequence[Piece]) -> tuple[Fraction, int]:
    """The factor of "twice as many as", "three times as much as", and where what follows begins."""
    piece = pieces[members[n]]
    times = Fraction(_TIMES.get(piece.lower, 0))
    at = n + 1
    if piece.quantity is not None and piece.quantity.unit is None and not piece.quantity.ordinal and not piece.label:
        half = 0 < piece.quantity.low.value < 1
        if half or (at < len(members) and pieces[members[at]].lower == "times"):
            times, at = piece.quantity.low.value, at if half else at + 1
    if not times or at >= len(members) or pieces[members[at]].lower != "as":
        return Fraction(0), 0
    second = next((m for m in range(at + 1, min(len(members), at + 5)) if pieces[members[m]].lower == "as"), None)
    if second is None:
        return Fraction(0), 0
    again = any(pieces[members[m]].lower == "again" for m in range(at + 1, second))
    return times + again, second + 1


def _deadlines(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """ "Within one month of service; judgment was served on 17 September": a day, by that of the event."""
    for b in leaves:
        after = texts.pieces[b.piece + 1 : b.piece + 5]
        if (
            b.unit is None
            or b.unit.dimension not in _TIMELY
            or not after
            or after[0].lower not in ("of", "after", "from")
        ):
            continue
        event = next((piece for piece in after[1:] if piece.part is Part.NOUN), None)
        for a in leaves:
            home = texts.frame_of(a.piece)
            if event is None or a.day is None or a.derived or home is None or b.piece in home.members:
                continue
            if any(_names(event, texts.pieces[k]) for k in home.members):
                when = moved(a, b, 1)
                if when is not None:
                    said = f"{a.said} + {b.said}"
                    yield replace(a, piece=b.piece, said=said, day=when, derived=True, joint=b.joint)


def _names(event: Piece, word: Piece) -> bool:
    """Whether a noun names what a verb says ("service", "served")."""
    stems = (lemma.removesuffix("e") for lemma, pos in word.lemmas if pos == "v")
    return likeness(event, word) == 1 or any(len(s) >= _LEAST_STEM and event.lower.startswith(s) for s in stems)


_LEAST_STEM = 4


# -- "a year later" -------------------------------------------------------------------------------------------------
def _relative(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    for k in range(len(texts.pieces) - 1):
        sign = _LATER.get(texts.pieces[k + 1].lower, 0)
        gap = _gap(texts.pieces, k)
        if not sign or gap is None or _continues(texts, k + 1):
            continue
        start = next((leaf for leaf in reversed(leaves) if leaf.day is not None and leaf.piece < k), None)
        if start is None or start.derived:
            continue
        when = moved(start, gap, sign)
        if when is not None:
            said = f"{start.said} {'+' if sign > 0 else '-'} {gap.said}"
            yield replace(start, piece=k, said=said, day=when, derived=True)


def _gap(pieces: Sequence[Piece], k: int) -> Leaf | None:
    """So much time; "the year" before "before" is one year."""
    piece = pieces[k]
    unit, value = (piece.quantity.unit, piece.quantity.low.value) if piece.quantity is not None else (None, Fraction(1))
    if piece.quantity is None and k and pieces[k - 1].lower == "the":
        unit = units.parse(piece.lower) if piece.lower in ("day", "week", "month", "year") else None
    if unit is None or unit.dimension not in _TIMELY:
        return None
    return Leaf(piece=k, said=piece.text, value=value, unit=unit)


def _continues(texts: Evidence, k: int) -> bool:
    """Whether "before" or "after" goes on with what it is before, and is no adverb."""
    after = texts.pieces[k + 1] if k + 1 < len(texts.pieces) else None
    if texts.pieces[k].lower not in ("before", "after") or after is None:
        return False
    return after.part is not Part.MARK and after.part is not Part.CONJUNCTION


def moved(start: Leaf, gap: Leaf, sign: int) -> tuple[int, int, int] | None:
    """The day so long after (1) or before (-1) another; None where the calendar does not tell."""
    if start.day is None or gap.unit is None or gap.value.denominator != 1 or abs(gap.value) > 100_000:
        return None
    many = sign * int(gap.value)
    try:
        return _shifted(start, gap.unit, many)
    except ValueError:
        return None


def _shifted(start: Leaf, unit: Unit, many: int) -> tuple[int, int, int] | None:
    assert start.day is not None
    if unit.symbol == "yr":
        return calendar.shift_years(start.day, many)
    if unit.symbol == "mo":
        return calendar.shift_months(start.day, many)
    days = convert(Fraction(many), unit, units.parse("days"))
    if days is None or days.denominator != 1 or start.precision != "day":
        return None
    return calendar.shift_days(start.day, int(days))
