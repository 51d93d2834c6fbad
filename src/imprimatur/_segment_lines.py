"""What kind of block a line starts: Markdown markers, read from the first characters of the line only.

Follows CommonMark 0.31 for headings, fences, lists and quotes and the GitHub table extension for pipe tables, with
the bullets and numbering that chat models write besides.
"""

from __future__ import annotations

from enum import Enum

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur._segment_window import LIMIT, LINE_END, Wait, Window

__all__ = ["Form", "Line", "next_line", "rule_columns", "task_box", "underline_level"]

_WHITE = expression(r"\s+")
_QUOTE_MARKS = expression(r"[> \t]+")
_HEADING = expression(r"(#{1,6})(?=\s|\Z)")
_NUMBER = expression(r"(?:(\d{1,3})[.)]|\((\d{1,3})\)|([A-Za-z])\))(?=\s|\Z)|(\d{1,3})[、．]")
_BULLETS = "-*+•◦▪‣·●○■–"
_MARKER_STARTS = _BULLETS + "("
_RULE_RUN = expression(r"[-*_=+|:~ \t]+")
_RULE_STARTS = "-*_=+|:~"
_TICK_RUN = expression(r"`+")
_TILDE_RUN = expression(r"~+")
_INFO_END = expression("[`\n\r\u2028\u2029]")
_BOX = expression(r"\[[ xX]\]\s")
_RULE_CELL = expression(r"[ \t]*:?-+:?[ \t]*")
_UNDERLINE = expression(r"(={2,}|-{2,})[ \t]*")


class Form(Enum):
    """The block that a line starts or is."""

    TEXT = "text"
    HEADING = "heading"
    ITEM = "item"
    FENCE = "fence"
    CODE = "code"
    ROW = "row"
    RULE = "rule"
    END = "end"


@dataclass(slots=True)
class Line:
    """The start of a line that has text.

    ``first`` is where its markers start; ``indent`` its columns of white space (after ``>`` none are counted); ``gap``
    whether blank lines stand before it; ``size`` the length of the heading, list or fence marker or of the rule.
    """

    first: int
    indent: int
    gap: bool
    quote: bool
    form: Form = Form.TEXT
    size: int = 0


def next_line(window: Window, *, in_list: bool, open_text: bool) -> Wait[Line]:
    """Move to the next line with text and tell its form; ``pos`` is then at its text or at its list marker.

    Args:
        in_list: an indented line after a blank one belongs to the list rather than being code.
        open_text: a sentence is still open, so that a number other than 1 does not start a list.
    """
    ends = indent = 0
    first: int | None = None
    while True:
        passed, columns = yield from _blank(window)
        ends += passed
        indent = columns if passed else indent + columns
        first = None if passed else first
        if (yield from window.peek(window.pos)) != ">" or (indent > 3 and not in_list):
            break
        first = window.pos if first is None else first
        yield from _pass_quote_marks(window)
        indent = 0
    quote = first is not None
    line = Line(window.pos if first is None else first, indent, ends > 1, quote)
    yield from _classify(window, line, in_list=in_list, open_text=open_text)
    return line


def rule_columns(text: str) -> int:
    """Return how many columns the table rule ``text`` ("|---|:-:|") has, 0 if it is none (GFM, tables)."""
    inner = text.strip()
    if "|" not in inner:
        return 0
    inner = inner[1:] if inner.startswith("|") else inner
    cells = (inner[:-1] if inner.endswith("|") else inner).split("|")
    return len(cells) if all(_RULE_CELL.fullmatch(cell) for cell in cells) else 0


def underline_level(text: str) -> int:
    """Return 1 for a line of ``=``, 2 for a line of ``-``, else 0 (CommonMark, setext headings)."""
    if not _UNDERLINE.fullmatch(text):
        return 0
    return 1 if text[0] == "=" else 2


def _blank(window: Window) -> Wait[tuple[int, int]]:
    """Pass white space; return the line ends passed and the columns after the last of them."""
    ends = columns = 0
    while True:
        found = _WHITE.match(window.buffer, window.pos - window.base)
        piece = found.group() if found else ""
        if piece.endswith("\r") and window.pos + len(piece) == window.end and not window.done:
            piece = piece[:-1]  # the next character decides whether it is one line end or two
        parts = LINE_END.split(piece)
        ends += len(parts) - 1
        columns = _columns(parts[-1]) + (0 if len(parts) > 1 else columns)
        window.pos += len(piece)
        if window.done or (window.pos < window.end and not window.buffer[window.pos - window.base].isspace()):
            return ends, columns
        yield


def _columns(white: str) -> int:
    return len(white) + 3 * white.count("\t")


def _pass_quote_marks(window: Window) -> Wait[None]:
    while True:
        found = _QUOTE_MARKS.match(window.buffer, window.pos - window.base)
        window.pos = window.base + found.end() if found else window.pos
        if window.pos < window.end or window.done:
            return
        yield


def _classify(window: Window, line: Line, *, in_list: bool, open_text: bool) -> Wait[None]:
    char = yield from window.peek(window.pos)
    if not char:
        line.form = Form.END
    elif line.indent > 3 and line.gap and not in_list:
        line.form = Form.CODE
    elif char == "#":
        found = _HEADING.match((yield from window.ahead(window.pos, 7)))
        if found:
            line.form, line.size = Form.HEADING, found.end()
    elif char in "`~" and (yield from _fence(window, line, char)):
        line.form = Form.FENCE
    elif char in _RULE_STARTS and (yield from _rule(window, line)):
        line.form = Form.RULE
    elif char == "|":
        line.form = Form.ROW
    elif char in _MARKER_STARTS or (char.isalnum() and char.isascii()):
        line.size = yield from _marker(window, char, open_text=open_text and not in_list)
        line.form = Form.ITEM if line.size else Form.TEXT


def _fence(window: Window, line: Line, char: str) -> Wait[bool]:
    if len((yield from window.ahead(window.pos, 3)).rstrip()) < 3:
        return False
    end = yield from window.run(window.pos, _TICK_RUN if char == "`" else _TILDE_RUN)
    line.size = end - window.pos
    if line.size < 3 or char == "~":
        return line.size >= 3
    return not (yield from window.ahead(end, 80, _INFO_END)).endswith("`")


def _rule(window: Window, line: Line) -> Wait[bool]:
    end = yield from window.run(window.pos, _RULE_RUN)
    if end - window.pos >= LIMIT:
        return False
    following = yield from window.peek(end)
    line.size = end - window.pos
    return not following or LINE_END.match(following) is not None


def _marker(window: Window, char: str, *, open_text: bool) -> Wait[int]:
    """Return the length of the list marker at ``pos``, 0 if there is none."""
    if char in _BULLETS:
        following = yield from window.peek(window.pos + 1)
        return 1 if not following or following.isspace() else 0
    if char.isalpha() and (yield from window.peek(window.pos + 1)) != ")":
        return 0
    text = yield from window.ahead(window.pos, 6)
    found = _NUMBER.match(text)
    if not found or (open_text and "1" not in found.groups()):
        return 0
    return found.end()


def task_box(window: Window) -> Wait[int]:
    """Return the length of a task box ("[x]") at ``pos``, 0 if there is none."""
    if (yield from window.peek(window.pos)) != "[":
        return 0
    return 3 if _BOX.match((yield from window.ahead(window.pos, 4))) else 0
