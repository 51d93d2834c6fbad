"""Numbers of units and times: "a day", "per year", "twice an hour", "three day passes", "minus eighteen degrees".

``rated`` gives the pieces with each unit that a word counts as one of it; ``counted`` parts a number from a unit that
only colours what is counted, and takes "one" for nobody in particular where it is no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.words import forms
from imprimatur.language import closed_class, quantities, units
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of

__all__ = ["counted", "rated"]


def counted(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces: "three day passes" are three, "one can" is no number, "minus eighteen" is below nought."""
    out: list[Piece] = []
    for n, piece in enumerate(pieces):
        after = pieces[n + 1] if n + 1 < len(pieces) else None
        before = out[-1] if out else None
        if after is not None and _colours(piece, after):
            number, _, unit = piece.text.rpartition(" ")
            quantity = replace(piece.quantity, unit=None) if piece.quantity is not None else None
            at = piece.end - len(unit)
            out.append(replace(piece, end=at - 1, text=number, lower=number.lower(), quantity=quantity))
            out.append(_plain(replace(piece, start=at, first=False), unit))
        elif after is not None and _anyone(piece, after, pieces[n + 2 : n + 3]):
            out.append(_plain(piece, piece.text))
        elif piece.quantity is not None and before is not None and _lessened(piece, out):
            low = replace(piece.quantity.low, value=-piece.quantity.low.value)
            text = f"{before.text} {piece.text}"
            quantity = replace(piece.quantity, low=low)
            out[-1] = replace(piece, start=before.start, text=text, lower=text.lower(), quantity=quantity)
        else:
            out.append(piece)
    return out


def _plain(piece: Piece, text: str) -> Piece:
    lower = text.lower()
    return replace(piece, text=text, lower=lower, part=Part.NOUN, quantity=None, lemmas=lemmas_of(lower))


def _colours(piece: Piece, after: Piece) -> bool:
    """Whether several of a thing follow that a single unit colours: "three day passes"."""
    number, _, unit = piece.text.rpartition(" ")
    if piece.quantity is None or not number or unit.lower() not in _UNIT_NOUNS or piece.quantity.low.value <= 1:
        return False
    return after.part is Part.NOUN and not after.figure and forms(after.lower).plural


def _anyone(piece: Piece, after: Piece, then: Sequence[Piece]) -> bool:
    """Whether "one" stands for anyone: before a modal, or a verb with an amount ("one pays 5 euros")."""
    if piece.lower != "one" or piece.quantity is None or piece.first:
        return False
    if after.lower in closed_class.words("modal"):
        return True
    money = [each.quantity.unit for each in then if each.quantity is not None and each.quantity.unit is not None]
    return bool(forms(after.lower).verb_forms & {"s"}) and any(unit.symbol.startswith("cur:") for unit in money)


def _lessened(piece: Piece, before: Sequence[Piece]) -> bool:
    """Whether "minus" is a sign: a number in words behind it, and none before it."""
    sign = before[-1].lower == "minus" and piece.text[:1].isalpha()
    return sign and not (len(before) > 1 and before[-2].figure)


_ONES = frozenset("a an one per each every".split())

_RATES = {
    **dict.fromkeys(["annual", "annually", "yearly"], "year"),
    **dict.fromkeys(["monthly"], "month"),
    **dict.fromkeys(["weekly"], "week"),
    **dict.fromkeys(["daily"], "day"),
    **dict.fromkeys(["hourly"], "hour"),
}


def rated(pieces: Sequence[Piece]) -> list[Piece]:
    """ "A day", "per year", "annual", "every other week": one or two of a unit, where no noun follows."""
    out: list[Piece] = []
    n = 0
    while n < len(pieces):
        piece = pieces[n]
        if piece.lower in _RATES:
            out.append(_of_unit(piece, piece, 1, _RATES[piece.lower]))
            n += 1
            continue
        other = piece.lower == "every" and n + 1 < len(pieces) and pieces[n + 1].lower in ("other", "second")
        whole = piece.lower in ("a", "one") and n + 1 < len(pieces) and pieces[n + 1].lower in _WHOLE
        at = n + 2 if other or whole else n + 1
        unit = pieces[at] if at < len(pieces) else None
        if (
            piece.lower in _ONES
            and unit is not None
            and _is_unit(unit, piece.lower)
            and not _noun_follows(pieces, at + 1)
        ):
            out.append(_of_unit(piece, unit, 2 if other else 1, unit.lower))
            n = at + 1
            continue
        if piece.lower in _TIMES and unit is not None and _rate_at(pieces, at):
            found = quantities.find(f"{_TIMES[piece.lower]}")
            out.append(replace(piece, part=Part.NUMBER, quantity=found[0].quantity))
            n += 1
            continue
        out.append(piece)
        n += 1
    return out


def _is_unit(piece: Piece, before: str) -> bool:
    return not piece.figure and (piece.lower in _UNIT_NOUNS or (before == "per" and _measures(piece)))


_UNIT_NOUNS = frozenset(
    (
        "second minute hour day week month year decade kilogram gram litre liter metre meter tonne kilometre kilometer "
        "mile hectare acre"
    ).split()
)

_WHOLE = frozenset("full whole single entire".split())

_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def _rate_at(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "a day" or "daily" stands here."""
    if pieces[n].lower in _RATES:
        return True
    return pieces[n].lower in _ONES and n + 1 < len(pieces) and pieces[n + 1].lower in _UNIT_NOUNS


def _measures(piece: Piece) -> bool:
    """Whether a word behind "per" is a unit of measure."""
    return piece.lower in _UNIT_SIGNS or (len(piece.lower) > 3 and units.parse(piece.lower) is not None)


_UNIT_SIGNS = frozenset("kg g l h s min km m t ml".split())


def _noun_follows(pieces: Sequence[Piece], n: int) -> bool:
    if n >= len(pieces) or pieces[n].figure or pieces[n].text[:1].isupper() or pieces[n].part is Part.MARK:
        return False
    known = forms(pieces[n].lower)
    return bool(known.noun) and not known.closed and not known.adv and not known.verb_forms & {"past", "pp", "s"}


def _of_unit(first: Piece, last: Piece, many: int, unit: str) -> Piece:
    found = quantities.find(f"{many} {unit}")
    text = first.text if first is last else f"{first.text} {last.text}"
    quantity = found[0].quantity if found else None
    return replace(first, end=last.end, text=text, lower=text.lower(), part=Part.NUMBER, quantity=quantity, one=True)
