"""Numbers that several pieces say together: "a day", "an hour and 35 minutes", "from 152 to 138 mmHg", "no later than".

``measured`` gives the pieces with such runs as one number, and each number with the unit that another one beside it
says for both. It adds no number that the text has not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from imprimatur.extract.words import forms
from imprimatur.sources.text.bounds import during, limit_of, uncompared, unexceeded
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.rates import counted, rated
from imprimatur.sources.text.relative import placed
from imprimatur.values import Bound, Quantity, Unit

__all__ = ["measured"]


def measured(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, runs of them that say one number or date together as one."""
    return placed(_ended(_shared(_joined(rated(uncompared(during(unexceeded(counted(pieces)))))))))


def _shared(pieces: Sequence[Piece]) -> list[Piece]:
    """ "93 of every 100", "one in every four": a share."""
    out: list[Piece] = []
    for piece in pieces:
        words = [each.lower for each in out[-2:]]
        part = out[-3] if len(out) > 2 else None
        if words in (["of", "every"], ["in", "every"], ["out", "of"], ["of", "each"]) and part is not None:
            share = _part_of(part.quantity, piece.quantity)
            if share is not None:
                out[-3:] = [replace(_merged(part, piece, share), part=Part.NUMBER)]
                continue
        out.append(piece)
    return out


def _part_of(part: Quantity | None, whole: Quantity | None) -> Quantity | None:
    if part is None or whole is None or part.unit is not None or whole.unit is not None:
        return None
    if part.high is not None or whole.high is not None or whole.bound is not Bound.EXACT:
        return None
    if not 0 < part.low.value < whole.low.value <= 100:
        return None
    return _times(part, 1 / whole.low.value)


def _ended(pieces: Sequence[Piece]) -> list[Piece]:
    """ "The end of 2031", "the last day of March": the last day."""
    out: list[Piece] = []
    for piece in pieces:
        words = [each.lower for each in out[-3:]]
        many = 3 if words == ["last", "day", "of"] else 2 if words[-2:] in (["end", "of"], ["close", "of"]) else 0
        date = piece.date
        if many and date is not None and date.last is not None and date.precision in ("month", "year"):
            day = replace(date, first=date.last, precision="day")
            text = " ".join(each.text for each in out[-many:]) + " " + piece.text
            piece = replace(piece, start=out[-many].start, text=text, lower=text.lower(), date=day)
            del out[-many:]
        out.append(piece)
    return out


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """ "An hour and 35 minutes", "a quarter of a million": one number; "by a third" is a fraction and no rank."""
    out: list[Piece] = []
    for n, piece in enumerate(pieces):
        quantity = piece.quantity
        before = out[-2] if len(out) > 1 else None
        bound = _limited(out, piece)
        if bound is not None:
            out[-3:] = [bound]
        elif quantity is not None and (unit := _shared_unit(pieces, n)):
            out.append(replace(piece, quantity=replace(quantity, unit=unit)))
        elif quantity is None or before is None:
            out.append(piece)
        elif before.one and before.quantity and out[-1].lower == "and" and _same_kind(before.quantity, quantity):
            out[-2:] = [_merged(before, piece, _added(before.quantity, quantity))]
        elif before.quantity and out[-1].lower == "of" and _share_of(before.quantity, piece):
            out[-2:] = [_merged(before, piece, _times(quantity, before.quantity.low.value))]
        elif quantity.ordinal and out[-1].lower in ("a", "one") and before.lower == "by":
            share = replace(quantity, ordinal=False, low=replace(quantity.low, value=1 / quantity.low.value))
            out[-1:] = [_merged(out[-1], piece, share)]
        else:
            out.append(piece)
    return out


def _shared_unit(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit that a number takes from another one that it stands beside."""
    return _money_before(pieces, n) or _unit_after(pieces, n) or _unit_lent(pieces, n)


def _limited(out: Sequence[Piece], piece: Piece) -> Piece | None:
    """ "No later than four weeks": at most so much."""
    if piece.quantity is None or len(out) < 3 or out[-1].lower != "than" or out[-3].lower not in ("no", "not"):
        return None
    bound = limit_of(out[-2], piece.quantity.unit)
    return None if bound is None else _merged(out[-3], piece, replace(piece.quantity, bound=bound))


def _unit_lent(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit of the number before, for one that stands bare behind a verb ("40 minutes; it took only 12")."""
    quantity = pieces[n].quantity
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if n == 0 or quantity is None or quantity.unit is not None or quantity.ordinal:
        return None
    if after is not None and after.part is not Part.MARK:
        return None
    before = forms(pieces[n - 1].lower)
    if pieces[n - 1].lower not in ("only", "just") and not (before.verb_forms & {"past", "s"} and not before.noun):
        return None
    verb = _verb_before(pieces, n)
    return next(
        (
            p.quantity.unit
            for k, p in enumerate(pieces[:n])
            if p.quantity is not None and not p.one and verb and _verb_before(pieces, k) & verb
        ),
        None,
    )


def _verb_before(pieces: Sequence[Piece], n: int) -> frozenset[tuple[str, str]]:
    """The base forms of the verb that a number stands behind."""
    while n > 0 and pieces[n - 1].lower in ("only", "just", "about"):
        n -= 1
    return frozenset(lemma for lemma in pieces[n - 1].lemmas if lemma[1] == "v") if n else frozenset()


def _money_before(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The currency that "24 million euros, of which 15 million" says once."""
    quantity = pieces[n].quantity
    if (
        quantity is None
        or quantity.unit is not None
        or not pieces[n].lower.endswith(("million", "billion", "thousand"))
    ):
        return None
    if n + 1 < len(pieces) and pieces[n + 1].part is Part.NOUN and forms(pieces[n + 1].lower).plural:
        return None
    for before in reversed(pieces[max(0, n - 12) : n]):
        unit = before.quantity.unit if before.quantity is not None else None
        if unit is not None and unit.symbol.startswith("cur:"):
            return unit
    return None


def _unit_after(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit that "from 152 to 138 mmHg" says once."""
    quantity, after = pieces[n].quantity, pieces[n + 2 : n + 3]
    if n == 0 or pieces[n - 1].lower != "from":
        return None
    if quantity is None or quantity.unit is not None or not after or pieces[n + 1].lower != "to":
        return None
    return after[0].quantity.unit if after[0].quantity is not None else None


def _merged(first: Piece, last: Piece, quantity: Quantity) -> Piece:
    text = f"{first.text} … {last.text}"
    return replace(last, start=first.start, text=text, lower=text.lower(), quantity=quantity, part=Part.NUMBER)


def _times(quantity: Quantity, factor: Fraction) -> Quantity:
    other = tuple(_times(each, factor) for each in quantity.other)
    return replace(quantity, low=replace(quantity.low, value=quantity.low.value * factor), other=other)


def _same_kind(a: Quantity, b: Quantity) -> bool:
    return a.unit is not None and b.unit is not None and a.unit.dimension == b.unit.dimension


def _added(a: Quantity, b: Quantity) -> Quantity:
    assert a.unit is not None
    assert b.unit is not None
    value = b.low.value + a.low.value * a.unit.factor / b.unit.factor
    return replace(b, low=replace(b.low, value=value))


def _share_of(share: Quantity, whole: Piece) -> bool:
    """ "A quarter of a million", "a quarter of an hour"."""
    if share.unit is not None or share.low.value >= 1 or whole.quantity is None:
        return False
    return whole.one or (whole.quantity.low.value >= 1000 and whole.text[:1].isalpha())
