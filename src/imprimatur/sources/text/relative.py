"""Years that a text gives by another one: "€5 million in 2025, up from €4 million the year before".

``placed`` makes dates of "the year before", "a year later", "the following year" and "two years earlier" where the text
has a year before them; with none they stay words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.language import calendar
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["placed"]

_LATER = {"later": 1, "after": 1, "afterwards": 1, "earlier": -1, "before": -1}
_NEXT = {"following": 1, "next": 1, "previous": -1, "preceding": -1, "prior": -1}


def placed(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, years that are given by the last one before as dates."""
    out: list[Piece] = []
    last: Piece | None = None
    n = 0
    while n < len(pieces):
        many, shift = _relative(pieces, n) if last is not None else (0, 0)
        if last is not None and many:
            piece = _dated(pieces[n : n + many], last, shift)
            out.append(piece or pieces[n])
            n += many if piece is not None else 1
            continue
        piece = pieces[n]
        last = piece if piece.date is not None and piece.date.first is not None else last
        out.append(piece)
        n += 1
    return out


def _relative(pieces: Sequence[Piece], n: int) -> tuple[int, int]:
    """How many pieces say a year by another one, and how many years later that is; nothing for none."""
    words = [piece.lower for piece in pieces[n : n + 4]]
    if len(words) > 2 and words[0] == "the" and words[1] in _NEXT and words[2] == "year":
        return 3, _NEXT[words[1]]
    if len(words) > 2 and words[:2] == ["the", "year"] and words[2] in _LATER and not _goes_on(pieces, n + 3):
        return 3, _LATER[words[2]]
    quantity = pieces[n].quantity
    yearly = quantity is not None and quantity.unit is not None and quantity.unit.symbol == "yr"
    if quantity is None or not yearly or len(words) < 2 or words[1] not in _LATER or _goes_on(pieces, n + 2):
        return 0, 0
    years = quantity.low.value
    return (2, int(years) * _LATER[words[1]]) if years.denominator == 1 else (0, 0)


def _goes_on(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "before" or "after" goes on with what it is before."""
    if pieces[n - 1].lower not in ("before", "after") or n >= len(pieces):
        return False
    return pieces[n].part is not Part.MARK and pieces[n].lower not in ("and", "but", "or")


def _dated(said: Sequence[Piece], last: Piece, shift: int) -> Piece | None:
    assert last.date is not None
    assert last.date.first is not None
    year = last.date.first[0] + shift
    if not 1 <= year <= 9999:
        return None
    text = " ".join(piece.text for piece in said)
    date = calendar.year(year)
    return replace(
        said[0],
        end=said[-1].end,
        text=text,
        lower=text.lower(),
        part=Part.DATE,
        date=date,
        quantity=None,
        one=False,
        lemmas=frozenset(),
    )
