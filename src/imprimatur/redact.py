"""Taking segments out of a text so that the rest stays well formed.

A withheld table cell becomes a dash; a withheld sentence goes with the space behind it, but a line break that ends its
paragraph stays; the marker of a list item or of a quotation goes only when everything behind it goes too. Emphasis that
opens in one segment and closes in another stays paired.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from imprimatur._expressions import expression
from imprimatur.answer import Kind, Segment
from imprimatur.decision import Edit

__all__ = ["CELL", "withheld"]

#: What stands in an emptied table cell.
CELL = "—"
_CELLS = (Kind.TABLE_CELL, Kind.TABLE_HEADER)
_BREAK = expression(r"\r\n|\n|\r")
_MARKED = (Kind.LIST_ITEM, Kind.QUOTE)


def withheld(text: str, parts: Sequence[Segment], gone: Mapping[int, tuple[str, ...]]) -> list[Edit]:
    """The edits that take segments out of a text, one a segment, in order.

    Args:
        text: the answer.
        parts: its segments, as far as they are released.
        gone: the numbers of the segments to take out, each with the queries of the evidence against it.
    """
    edits: list[Edit] = []
    breaks = 2
    for number, part in enumerate(parts):
        before = text[part.start : part.end]
        after = before
        if number in gone:
            after = _left(text, parts, number, gone=gone, breaks=breaks)
            edits.append(Edit(start=part.start, end=part.end, before=before, after=after, evidence=gone[number]))
        if after.strip():
            breaks = _breaks(after)
        elif after:
            breaks += _breaks(after)
    return edits


def _left(text: str, parts: Sequence[Segment], number: int, *, gone: Container[int], breaks: int) -> str:
    """What stays in place of a segment; ``breaks``: how many line breaks end what is kept before it."""
    part = parts[number]
    head, tail = text[part.start : part.body[0]], text[part.body[1] : part.end]
    if part.kind in _CELLS:
        return f"{head}{CELL}{tail}"
    body = text[part.body[0] : part.body[1]]
    mark = "**" if body.count("**") % 2 else ""
    if part.kind in _MARKED and head.strip() and not _block_gone(text, parts, number, gone):
        return head + mark
    space = tail[len(tail.rstrip()) :]
    if mark:
        return mark if body.startswith(mark) else mark + space
    return "".join(_BREAK.findall(space)[breaks:])


def _breaks(text: str) -> int:
    """How many line breaks are in the white space at the end of a text."""
    return len(_BREAK.findall(text[len(text.rstrip()) :]))


def _block_gone(text: str, parts: Sequence[Segment], number: int, gone: Container[int]) -> bool:
    """Whether the rest of the list item or quotation that a segment opens goes too."""
    opening = parts[number]
    for following in range(number + 1, len(parts)):
        part = parts[following]
        if part.kind is not opening.kind or text[part.start : part.body[0]].strip():
            return True
        if following not in gone:
            return False
    return True
