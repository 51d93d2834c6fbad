"""Markdown (CommonMark with tables): its headings, paragraphs, lists, tables and code, without markup.

Links keep their words and images nothing. HTML inside is read as HTML, so that its scripts are dropped. Settings at the
beginning of a file (between two lines ``---``) are left out, and noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.sources.passages.extraction import Cell, Extraction
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import SentenceKind

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["read_markdown"]

_SETTINGS = expression(r"\A---[ \t]*\r?\n(?:[^\n]*\n){0,200}?---[ \t]*(?:\r?\n|\Z)")
_CONTAINERS = {"list_item_open": SentenceKind.ITEM, "blockquote_open": SentenceKind.QUOTE}


def read_markdown(text: str, into: Extraction, limits: Limits) -> None:
    """Writes a Markdown text down.

    Raises:
        InputError: the HTML inside cannot be read; or the library that reads Markdown is not installed.
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError as fault:
        raise InputError("Markdown cannot be read here", hint="pip install 'imprimatur[passages]'") from fault
    skipped = 0
    if settings := _SETTINGS.match(text):
        into.note("the settings at the beginning were left out")
        skipped = text.count("\n", 0, settings.end())
        text = text[settings.end() :]
    parser = MarkdownIt("commonmark", {"maxNesting": limits.max_depth}).enable("table")
    _Page(into, limits, skipped).walk(parser.parse(text))


class _Page:
    """Goes through the tokens of a text."""

    def __init__(self, into: Extraction, limits: Limits, skipped: int) -> None:
        self._into = into
        self._limits = limits
        self._skipped = skipped
        self._kinds: list[SentenceKind] = []

    def walk(self, tokens: Sequence[Token]) -> None:
        """Writes down all blocks."""
        walker = iter(tokens)
        for token in walker:
            if token.map:
                self._into.line = token.map[0] + 1 + self._skipped
            if token.type == "heading_open":
                self._into.heading(int(token.tag[1:]), _plain(next(walker)))
            elif token.type == "table_open":
                self._table(walker)
            elif token.type in _CONTAINERS:
                self._kinds.append(_CONTAINERS[token.type])
            elif token.type in ("list_item_close", "blockquote_close"):
                self._kinds.pop()
            elif token.type == "inline":
                self._paragraph(_plain(token))
            elif token.type in ("fence", "code_block"):
                self._into.code(token.content)
            elif token.type == "html_block":
                from imprimatur.sources.passages.html import read_html

                read_html(token.content, self._into, self._limits)

    def _paragraph(self, text: str) -> None:
        kind = self._kinds[-1] if self._kinds else None
        self._into.paragraph(text, kind, gap="\n" if kind is SentenceKind.ITEM else "\n\n")

    def _table(self, walker: Iterator[Token]) -> None:
        header: list[str] = []
        cells: list[str] = []
        for token in walker:
            if token.type == "table_close":
                return
            if token.map:
                self._into.line = token.map[0] + 1 + self._skipped
            if token.type == "inline":
                cells.append(" ".join(_plain(token).split()))
            elif token.type == "thead_close":
                header, cells = cells, []
            elif token.type == "tr_close" and header:
                named = header + [""] * (len(cells) - len(header))
                row: list[Cell] = [((name,) if name else (), cell) for name, cell in zip(named, cells)]
                self._into.row(row)
                cells = []


def _plain(token: Token) -> str:
    """The words of inline content. Markdown's own line ends are blanks; a forced one stays."""
    words = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            words.append(child.content)
        elif child.type == "softbreak":
            words.append(" ")
        elif child.type == "hardbreak":
            words.append("\n")
    return "".join(words).strip()
