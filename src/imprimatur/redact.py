"""Taking segments out of a text so that the rest stays well formed.

A withheld table cell becomes a dash; a withheld sentence goes with the space behind it, but a line break that ends its
paragraph stays; the marker of a list item or of a quotation goes only when everything behind it goes too. Emphasis that
opens in one segment and closes in another stays paired.
"""

from __future__ import annotations

from collections.abc import Set

from imprimatur.answer import Kind, Segment
from imprimatur.decision import Edit

__all__ = ["CELL", "withheld"]

#: What stands in an emptied table cell.
CELL = "—"
_CELLS = (Kind.TABLE_CELL, Kind.TABLE_HEADER)
_MARKED = (Kind.LIST_ITEM, Kind.QUOTE)


def withheld(text: str, parts: tuple[Segment, ...], gone: Set[int], *, evidence: dict[int, tuple[str, ...]]) -> list[Edit]:
    """The edits that take the segments numbered ``gone`` out of ``text``, one a segment, in order."""
    edits = []
    for number in sorted(gone):
        part = parts[number]
        after = _left(text, parts, number, gone)
        before = text[part.start : part.end]
        edits.append(
            Edit(start=part.start, end=part.end, before=before, after=after, evidence=evidence.get(number, ()))
        )
    return edits


def _left(text: str, parts: tuple[Segment, ...], number: int, gone: Set[int]) -> str:
    """What stays in place of a segment."""
    part = parts[number]
    head, tail = text[part.start : part.body[0]], text[part.body[1] : part.end]
    if part.kind in _CELLS:
        return f"{head}{CELL}{tail}"
    body = text[part.body[0] : part.body[1]]
    mark = "**" if body.count("**") % 2 else ""
    if part.kind in _MARKED and head.strip() and not _block_gone(text, parts, number, gone):
        return head + mark
    first = number == 0 or _breaks(text[parts[number - 1].start : part.start])
    line_end = tail[len(tail.rstrip()) :] if "\n" in tail or "\r" in tail else ""
    return mark + ("" if first else line_end)


def _breaks(before: str) -> bool:
    """Whether a line ends right before: then a segment that goes leaves no line of its own."""
    space = before[len(before.rstrip()) :]
    return "\n" in space or "\r" in space


def _block_gone(text: str, parts: tuple[Segment, ...], number: int, gone: Set[int]) -> bool:
    """Whether the rest of the list item or quotation that a segment opens goes too."""
    opening = parts[number]
    for following in range(number + 1, len(parts)):
        part = parts[following]
        if part.kind is not opening.kind or text[part.start : part.body[0]].strip():
            return True
        if following not in gone:
            return False
    return True
