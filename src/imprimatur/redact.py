"""Taking segments out of a text so that the rest stays well formed.

A withheld table cell becomes a dash; a withheld sentence goes with the space behind it, but a line break that ends its
paragraph stays; the marker of a list item or of a quotation goes only when everything behind it goes too. Emphasis that
opens in one segment and closes in another stays paired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imprimatur._expressions import expression
from imprimatur.answer import Kind, Segment

__all__ = ["CELL", "breaks_after", "left_of"]

#: What stands in an emptied table cell.
CELL = "—"
_CELLS = (Kind.TABLE_CELL, Kind.TABLE_HEADER)
_BREAK = expression(r"\r\n|\n|\r")
_MARKED = (Kind.LIST_ITEM, Kind.QUOTE)


def left_of(
    text: str, parts: Sequence[Segment], number: int, *, kept: Callable[[int], bool | None], breaks: int
) -> str | None:
    """What stays in place of a segment that is taken out; None while that hangs on what follows.

    Args:
        text: the answer so far.
        parts: its segments so far.
        number: the segment that is taken out.
        kept: whether a segment stays; None where that is not known yet, which goes for those that may still come.
        breaks: how many line breaks end what is kept before it.
    """
    part = parts[number]
    head, tail = text[part.start : part.body[0]], text[part.body[1] : part.end]
    if part.kind in _CELLS:
        return f"{head}{CELL}{tail}"
    body = text[part.body[0] : part.body[1]]
    mark = "**" if body.count("**") % 2 else ""
    if part.kind in _MARKED and head.strip():
        stays = _block_stays(text, parts, number, kept)
        if stays is None:
            return None
        if stays:
            return head + mark
    space = tail[len(tail.rstrip()) :]
    if mark:
        return mark if body.startswith(mark) else mark + space
    return "".join(_BREAK.findall(space)[breaks:])


def breaks_after(piece: str, breaks: int) -> int:
    """How many line breaks end a text that ended in ``breaks`` of them, once a piece is added."""
    ends = len(_BREAK.findall(piece[len(piece.rstrip()) :]))
    return ends if piece.strip() else breaks + ends


def _block_stays(text: str, parts: Sequence[Segment], number: int, kept: Callable[[int], bool | None]) -> bool | None:
    """Whether something stays of the list item or quotation that a segment opens; None while that is not known."""
    opening = parts[number]
    for following in range(number + 1, len(parts)):
        part = parts[following]
        if part.kind is not opening.kind or text[part.start : part.body[0]].strip():
            return False
        stays = kept(following)
        if stays is not False:
            return stays
    return kept(len(parts))
