"""Segments under construction, and the rule that says when one is final.

Invariants: drafts are kept in text order; a draft ends where the next one starts, so segments cover the text without
gaps; a draft without a single word is given to its predecessor (the first draft to its successor). Therefore a draft
is final as soon as a later one has a word, unless a possible table header is being held.
"""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Kind, Segment

__all__ = ["Draft", "Drafts", "Level", "Row", "Span"]

Span = tuple[int, int]


@dataclass(slots=True)
class Draft:
    """A segment whose end is open. ``first:last`` is its body, ``words`` whether it has a letter or digit."""

    start: int
    first: int
    last: int
    kind: Kind
    words: bool = False
    colon: bool = False
    heading: Span | None = None
    stem: Span | None = None
    row: Span | None = None
    column: Span | None = None

    @property
    def body(self) -> Span:
        """Span of the words."""
        return self.first, self.last


@dataclass(slots=True)
class Level:
    """One level of an open list: its indentation, its stem, and the body of its latest item."""

    indent: int
    stem: Span | None
    item: Span | None = None


class Row:
    """The cells of one table row as they are read; a pipe before any text is the leading pipe."""

    __slots__ = ("cells", "first", "last", "pipes", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.cells: list[Span | None] = []
        self.first = -1
        self.last = -1
        self.pipes = 0

    def take(self, first: int, last: int) -> None:
        """Add text without white space around to the open cell."""
        self.first = first if self.first < 0 else self.first
        self.last = last

    def pipe(self) -> None:
        """Close the open cell."""
        if self.pipes or self.first >= 0:
            self.cells.append((self.first, self.last) if self.first >= 0 else None)
        self.pipes += 1
        self.first = -1

    def end(self) -> list[Span | None]:
        """Return all cells of the finished line."""
        if self.first >= 0:
            self.pipe()
        return self.cells


class Drafts:
    """The pending drafts with the context (headings, lists) that new ones take over."""

    __slots__ = ("final", "headings", "hold", "latest", "levels", "pending", "started")

    def __init__(self) -> None:
        self.pending: list[Draft] = []
        self.final: list[Segment] = []
        self.hold = False
        self.latest: Draft | None = None
        self.levels: list[Level] = []
        self.headings: list[tuple[int, Span]] = []
        self.started = False

    def open(self, start: int, first: int, kind: Kind) -> Draft:
        """Append a draft that starts at ``start`` and whose words start at ``first``."""
        draft = Draft(start if self.started else 0, first, first, kind)
        self.started = True
        draft.heading = self.headings[-1][1] if self.headings else None
        if kind is Kind.LIST_ITEM and self.levels:
            draft.stem = self.levels[-1].stem
        self.pending.append(draft)
        return draft

    def close(self, *, same_line: bool = False) -> None:
        """Close the last draft; one without words goes to its predecessor, whose body grows only on the same line."""
        draft = self.pending[-1]
        if draft.words:
            self.latest = draft
            if draft.kind is Kind.LIST_ITEM and self.levels:
                self.levels[-1].item = draft.body
            return
        self.pending.pop()
        if self.pending:
            if same_line and draft.last > draft.first:
                self.pending[-1].last = draft.last
        else:
            self.started = False

    def settle(self) -> None:
        """Turn every draft before the last into a final segment if the last one has a word and nothing is held."""
        if self.hold or len(self.pending) < 2 or not self.pending[-1].words:
            return
        for draft, following in zip(self.pending, self.pending[1:]):
            self.final.append(_segment(draft, following.start))
        del self.pending[:-1]

    def withdraw(self, position: int) -> int | None:
        """Take back the drafts whose body starts at ``position`` or later; return where the first of them started."""
        start: int | None = None
        while self.pending and self.pending[-1].first >= position:
            start = self.pending.pop().start
        self.started = self.started and start != 0
        return start

    def promote(self, draft: Draft, level: int) -> None:
        """Make ``draft`` a heading of ``level``; its own heading is the nearest one of a higher rank."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        draft.kind = Kind.HEADING
        draft.heading = self.headings[-1][1] if self.headings else None
        if draft.words:
            self.headings.append((level, draft.body))

    def enter_item(self, indent: int, *, gap: bool) -> None:
        """Enter a list item at ``indent`` columns: a sibling keeps its list's stem, a nested one takes its parent."""
        sibling: Level | None = None
        while self.levels and indent < self.levels[-1].indent + 2:
            sibling = self.levels.pop()
        if sibling is not None:
            stem = sibling.stem
        else:
            stem = self.levels[-1].item if self.levels else self._introduction(gap=gap)
        self.levels.append(Level(indent, stem))

    def finish(self, end: int) -> None:
        """Make all that is pending final; a text without words is one sentence with an empty body."""
        self.hold = False
        if self.pending:
            ends = [draft.start for draft in self.pending[1:]] + [end]
            self.final.extend(_segment(draft, stop) for draft, stop in zip(self.pending, ends))
        elif end and not self.started:
            self.final.append(Segment(0, end, Kind.SENTENCE, (0, 0)))
        self.pending.clear()

    def _introduction(self, *, gap: bool) -> Span | None:
        latest = self.latest
        if latest is None or latest.kind not in (Kind.SENTENCE, Kind.QUOTE, Kind.HEADING):
            return None
        direct = not gap and latest.kind is not Kind.HEADING
        return latest.body if direct or latest.colon else None


def _segment(draft: Draft, end: int) -> Segment:
    return Segment(
        draft.start,
        end,
        draft.kind,
        draft.body,
        heading=draft.heading,
        stem=draft.stem,
        row=draft.row,
        column=draft.column,
    )
