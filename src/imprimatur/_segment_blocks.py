"""Reading a text block by block into drafts: headings, lists, quotes, tables, code, paragraphs.

Each block reader starts at a ``Line`` and returns the first line after its block, so there is one pass and one way.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from imprimatur._expressions import expression
from imprimatur._segment_drafts import Draft, Drafts, Row, Span
from imprimatur._segment_inline import SPACES, Inline
from imprimatur._segment_lines import Form, Line, next_line, rule_columns, task_box, underline_level
from imprimatur._segment_stops import is_extender
from imprimatur._segment_window import LINE_END, Wait, Window
from imprimatur.answer import Kind

__all__ = ["Blocks"]

BOLD_LEVEL = 7
_HEADING_EVENT = expression("[#\n\r\u2028\u2029]")
_HASHES = expression("#+")
_CELL_EVENT = expression(r"[|\\" + "\n\r\u2028\u2029]")
_FENCES = {"`": expression("`+"), "~": expression("~+")}
_MARGIN = expression(r"[> \t]+")
_PIPES = expression(r"(?:[|]|[^\S\n\r\u2028\u2029])+")
_NOT_LINE_END = expression(r"[^\n\r\u2028\u2029]+")
_WHITE = expression(r"\s+")


class Blocks:
    """The reader of a whole text; ``read`` runs to the end of the text, waiting for what has not arrived."""

    __slots__ = ("_readers", "drafts", "inline", "window")

    def __init__(self, window: Window) -> None:
        self.window = window
        self.drafts = Drafts()
        self.inline = Inline(window, self.drafts)
        self._readers: dict[Form, Callable[[Line], Wait[Line]]] = {
            Form.TEXT: self._text,
            Form.ROW: self._text,
            Form.ITEM: self._item,
            Form.HEADING: self._heading,
            Form.RULE: self._rule,
            Form.FENCE: self._fence,
            Form.CODE: self._indented,
        }

    def read(self) -> Wait[None]:
        """Read everything into ``drafts``."""
        line = yield from self._next()
        while line.form is not Form.END:
            line = yield from self._readers[line.form](line)
        self.drafts.finish(self.window.pos)

    def _next(self, *, open_text: bool = False) -> Wait[Line]:
        return (yield from next_line(self.window, in_list=bool(self.drafts.levels), open_text=open_text))

    def _skip(self, pattern: re.Pattern[str]) -> Wait[int]:
        """Move past a run outside any draft; return how long it was."""
        window = self.window
        start = window.pos
        while True:
            found = pattern.match(window.buffer, window.pos - window.base)
            window.pos = window.base + found.end() if found else window.pos
            if window.pos < window.end or window.done:
                return window.pos - start
            yield

    def _rule(self, line: Line) -> Wait[Line]:
        if line.size > 2 and line.indent < 2:
            self.drafts.levels.clear()
        self.window.pos += line.size
        return (yield from self._next())

    def _heading(self, line: Line) -> Wait[Line]:
        window, inline, drafts = self.window, self.inline, self.drafts
        drafts.levels.clear()
        window.pos += line.size
        yield from self._skip(SPACES)
        draft = drafts.open(line.first, window.pos, Kind.HEADING)
        inline.begin(draft)
        text_end, closing_end = 0, -1
        while (yield from self._absorb_to(_HEADING_EVENT)) == "#":
            text_end = draft.last
            spaced = window.behind(1).isspace()
            yield from inline.skip(_HASHES)
            closing_end = draft.last if spaced else -1
        if draft.last == closing_end:
            draft.last = text_end
        drafts.promote(draft, line.size)
        drafts.close()
        return (yield from self._next())

    def _absorb_to(self, event: re.Pattern[str]) -> Wait[str]:
        """Take text into the open draft up to ``event``, a single character; return it, or "" at the end."""
        window = self.window
        while True:
            found = event.search(window.buffer, window.pos - window.base)
            self.inline.absorb(window.base + found.start() if found else window.end)
            if found:
                return found.group()
            if window.done:
                return ""
            yield

    def _item(self, line: Line) -> Wait[Line]:
        window = self.window
        self.drafts.enter_item(line.indent, gap=line.gap)
        window.pos += line.size
        yield from self._skip(SPACES)
        window.pos += yield from task_box(window)
        yield from self._skip(SPACES)
        return (yield from self._paragraph(line, Kind.LIST_ITEM))

    def _text(self, line: Line) -> Wait[Line]:
        if line.indent < 2:
            self.drafts.levels.clear()
        return (yield from self._paragraph(line, Kind.LIST_ITEM if self.drafts.levels else Kind.SENTENCE))

    def _paragraph(self, line: Line, kind: Kind) -> Wait[Line]:
        inline, drafts = self.inline, self.drafts
        row = Row(line.first)
        if line.form is Form.ROW:
            row.pipe()
            self.window.pos += 1
            yield from self._skip(SPACES)
            drafts.hold = True
        draft = drafts.open(line.first, self.window.pos, Kind.QUOTE if line.quote else kind)
        inline.begin(draft, row=row)
        while True:
            yield from inline.read_line()
            tail = self.window.behind(40)
            following = yield from self._next(open_text=inline.stop is None)
            if inline.row is not None:
                if (yield from self._is_header(inline.row, following)):
                    return (yield from self._table(inline.row, following))
                inline.release()
            if self._closes(line, following) or (yield from inline.ends_at(tail)):
                yield from self._close_paragraph(following)
                return following

    def _closes(self, line: Line, following: Line) -> bool:
        """Return whether a new block starts with ``following``; a quote's open sentence may lack its ">" there."""
        if following.gap or following.form is not Form.TEXT or (following.quote and not line.quote):
            return True
        return self.inline.draft.kind is Kind.SENTENCE and self.inline.is_bold_line()

    def _close_paragraph(self, following: Line) -> Wait[None]:
        window, inline, draft = self.window, self.inline, self.inline.draft
        one_line = inline.lines == [draft.first] and inline.stop is None and draft.kind is Kind.SENTENCE
        level = BOLD_LEVEL if one_line and inline.is_bold_line() else 0
        if one_line and not following.gap and following.form is Form.RULE:
            level = underline_level((yield from window.ahead(window.pos, following.size))) or level
        if level:
            self.drafts.promote(draft, level)
        self.drafts.close(same_line=draft.first > inline.lines[-1])

    def _is_header(self, row: Row, following: Line) -> Wait[bool]:
        cells = row.end()
        if following.gap or following.form is not Form.RULE or not row.pipes:
            return False
        return rule_columns((yield from self.window.ahead(self.window.pos, following.size))) == len(cells)

    def _table(self, header: Row, rule: Line) -> Wait[Line]:
        leading = self.inline.draft.first > header.start
        columns = self._header_cells(header)
        line = yield from self._rule(rule)
        while not line.gap and line.quote == rule.quote:
            if line.form is Form.ROW or (line.form is Form.TEXT and not leading):
                line = yield from self._row(line, columns)
            elif line.form is Form.RULE and (yield from self.window.peek(self.window.pos)) == "|":
                line = yield from self._rule(line)
            else:
                break
        return line

    def _header_cells(self, header: Row) -> list[Span | None]:
        """Put one draft per header cell in the place of the running text that the header was read as."""
        drafts = self.drafts
        start = drafts.withdraw(header.start)
        for cell in header.cells:
            if cell is not None:
                draft = drafts.open(cell[0] if start is None else start, cell[0], Kind.TABLE_HEADER)
                draft.last, draft.words, draft.column, start = cell[1], True, None, None
                drafts.close()
        drafts.hold = False
        drafts.settle()
        return header.cells

    def _row(self, line: Line, columns: list[Span | None]) -> Wait[Line]:
        window = self.window
        window.pos += 1 if line.form is Form.ROW else 0
        index = 0
        start: int | None = line.first
        key: Span | None = None
        while True:
            index += yield from self._pass_pipes()
            char = yield from window.peek(window.pos)
            if not char or LINE_END.match(char):
                return (yield from self._next())
            draft = self.drafts.open(window.pos if start is None else start, window.pos, Kind.TABLE_CELL)
            draft.words, draft.row = True, key
            draft.column = columns[index] if index < len(columns) else None
            self.drafts.settle()
            self.inline.begin(draft)
            yield from self._cell()
            self.drafts.close()
            key, start = draft.body if index == 0 else key, None

    def _pass_pipes(self) -> Wait[int]:
        """Pass white space and pipes before a cell's text; return how many pipes."""
        window = self.window
        pipes, first = 0, window.pos
        while True:
            found = _PIPES.match(window.buffer, window.pos - window.base)
            piece = found.group() if found else ""
            pipes += piece.count("|")
            window.pos += len(piece)
            if window.pos < window.end or window.done:
                break
            yield
        char = yield from window.peek(window.pos)
        if not (char and is_extender(char)) or window.pos == first:
            return pipes
        window.pos -= 1  # the mark's base is the pipe or space before it
        return pipes - (window.buffer[window.pos - window.base] == "|")

    def _cell(self) -> Wait[None]:
        window, inline = self.window, self.inline
        while (char := (yield from self._absorb_to(_CELL_EVENT))) and not LINE_END.match(char):
            following = yield from window.peek(window.pos + 1)
            if char == "|" and not (following and is_extender(following)):
                return
            escapes = char == "\\" and following and not LINE_END.match(following)
            inline.absorb(window.pos + (2 if escapes else 1))

    def _indented(self, line: Line) -> Wait[Line]:
        draft = self._open_code(line)
        self.inline.begin(draft)
        while True:
            yield from self._absorb_to(LINE_END)
            line = yield from self._next()
            if line.form is Form.END or line.indent < 4 or line.quote:
                self.drafts.close()
                return line

    def _fence(self, line: Line) -> Wait[Line]:
        window = self.window
        draft = self._open_code(line)
        char = yield from window.peek(window.pos)
        window.pos += line.size
        yield from self._skip(_NOT_LINE_END)
        draft.first = draft.last = window.pos
        self.inline.begin(draft)
        while (yield from self._fence_margin(line)):
            empty, last = draft.last == draft.first, draft.last
            draft.first = window.pos if empty else draft.first
            size = yield from self.inline.skip(_FENCES[char])
            yield from self._skip(SPACES)
            following = yield from window.peek(window.pos)
            if size >= line.size and (not following or LINE_END.match(following)):
                draft.first, draft.last = (last if empty else draft.first), last
                break
            yield from self._absorb_to(LINE_END)
        self.drafts.close()
        return (yield from self._next())

    def _fence_margin(self, line: Line) -> Wait[bool]:
        """Pass to the text of the next line of a fenced block; return False at its end without a fence."""
        window = self.window
        if not line.quote:
            yield from self._skip(_WHITE)
            return bool((yield from window.peek(window.pos)))
        while LINE_END.match((yield from window.peek(window.pos))):
            yield from self._skip(_WHITE)
            if (yield from window.peek(window.pos)) != ">":
                return False
            yield from self._skip(_MARGIN)
        return bool((yield from window.peek(window.pos)))

    def _open_code(self, line: Line) -> Draft:
        draft = self.drafts.open(line.first, self.window.pos, Kind.CODE)
        draft.words = True
        self.drafts.settle()
        return draft
