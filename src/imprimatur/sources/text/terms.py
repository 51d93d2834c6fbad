"""The numbers and days of the premises that an inference may be made of.

Labels and ordinals are none; "3 to 5" of a row of things counts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.language import calendar, units
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Unit

__all__ = ["DAY", "MONTHS", "Term", "terms_of"]

#: More numbers than this in the premises, and chance finds everything.
MOST_TERMS = 14

_FACTORS = {"twice": 2, "double": 2, "twofold": 2, "doubled": 2, "triple": 3, "thrice": 3, "tripled": 3, "halved": 2}

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

DAY = expression(rf"(\d{{1,2}}) ({'|'.join(MONTHS)})")

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
        elif day := DAY.fullmatch(piece.lower):
            when = (2001, MONTHS.index(day[2]) + 1, int(day[1]))
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
