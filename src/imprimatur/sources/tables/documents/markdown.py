"""The blocks of a Markdown document (CommonMark with tables), by the library that also reads it as passages.

Only what stands for itself is read: headings, tables, lists, and paragraphs of keys and values. Quotations, code, and
tables or keys within lists or quotations are left aside. Rows are cut at the pipes of their line by the rule of GitHub
Flavored Markdown (section "Tables"), so that each cell is known by its place; a row with more or fewer cells than its
header is left aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.sources.tables.documents.blocks import Aside, Block, Grid, Heading, Item, Listing, Text, Words
from imprimatur.sources.tables.documents.keyed import Line, beside, fields_of, settings_of
from imprimatur.sources.tables.documents.wording import FOOTNOTE, Reading, fragment
from imprimatur.sources.tables.relation import Spot

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["read_markdown"]

_DEEPEST = 60
#: Longer cells and lines are no values; markup in them is not read.
_LONGEST = 1000
#: What markup is made of; a stretch without it is words as it stands.
_MARKUP = expression(r"[\\`*_\[\]<>&~\n]")
_VEILS = frozenset("del s strike template blockquote pre script style noscript textarea iframe object svg math".split())
_VOID = frozenset("br wbr img hr input col area embed link meta source track".split())
_PLAIN = ("text", "text_special")
_REASONS = {
    "fence": "is code",
    "code_block": "is code",
    "blockquote_open": "is a quotation",
}


def read_markdown(text: Text) -> list[Block]:
    """The blocks of a document. Raises InputError where the library that reads Markdown is not installed."""
    try:
        from markdown_it import MarkdownIt
    except ImportError as fault:
        hint = "pip install 'imprimatur[passages]'"
        raise InputError("Markdown cannot be read here", where=text.name, hint=hint) from fault
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    blocks: list[Block] = []
    first = 0
    if text.line(0).rstrip() == "---":
        blocks, first = settings_of(text, 0)
    body = "\n".join([*[""] * first, *(text.line(number) for number in range(first, len(text.starts)))])
    env: dict[str, Any] = {}
    parser.disable("inline")  # words are read where they are needed, each by itself
    tokens = parser.parse(body, env)
    parser.enable("inline")
    blocks.extend(_Page(text, parser, env).blocks(tokens))
    return blocks


class _Page:
    """Goes through the tokens of a document."""

    def __init__(self, text: Text, parser: MarkdownIt, env: dict[str, Any]) -> None:
        self._text, self._parser, self._env = text, parser, env
        self._veils: list[str] = []  # elements of HTML that are open, and may hide or strike out what follows

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """The blocks, in order."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            end = _end(tokens, at)
            if token.type == "html_block":
                yield from self._html(token)
            elif self._veils:
                yield replace(self._aside(token, "stands in HTML that may hide it or strike it out"), lost=True)
            elif token.type == "heading_open":
                words = self._lines(tokens[at + 1])
                yield Heading(level=int(token.tag[1:]), words=self._words(words))
            elif token.type == "table_open":
                yield from self._table(token)
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                if any(each.level >= _DEEPEST - 1 for each in tokens[at:end]):
                    yield replace(self._aside(token, "is nested too deep"), lost=True)
                else:
                    yield from self._list(tokens[at : end + 1])
            elif token.type == "paragraph_open":
                yield self._paragraph(tokens[at + 1])
            elif token.type in _REASONS:
                yield self._aside(token, _REASONS[token.type])
            at = end + 1

    # -- words ---------------------------------------------------------------------------------------------------------
    def read(self, source: str) -> Reading:
        """A stretch of inline Markdown as words."""
        if not source.strip():
            return Reading("")
        if not _MARKUP.search(source):
            return Reading(" ".join(source.split()))
        if len(source) > _LONGEST:
            return Reading(source[:_LONGEST], doubt=f"is longer than {_LONGEST} characters")
        children = self._parser.parseInline(source, self._env)[0].children or []
        if all(child.type in _PLAIN for child in children):
            text = " ".join("".join(child.content for child in children).split())
            return Reading(text, doubt="has a mark of a note at it" if FOOTNOTE.search(text) else "")
        for child in children:
            if child.type == "softbreak":
                child.type, child.content = "text", " "
        made = fragment(self._parser.renderer.render(children, self._parser.options, self._env))
        if _torn([child.content for child in children if child.type == "html_inline"]):
            return made._replace(doubt="has HTML that begins or ends outside of it")
        return made._replace(doubt="has a mark of a note at it") if FOOTNOTE.search(made.text) else made

    def _words(self, lines: Sequence[Line]) -> Words:
        """The words of a heading or item."""
        start, end = (lines[0].start, lines[-1].end) if lines else (0, 0)
        made = self.read("\n".join(self._text.text[line.start : line.end] for line in lines))
        return Words(text=made.text, spot=self._text.spot(start, end), doubt=made.doubt, note=made.note)

    def _lines(self, inline: Token) -> list[Line]:
        """The source of a paragraph, line by line, without what comes before it in its list."""
        found: list[Line] = []
        if not inline.map or not inline.content:
            return found
        for offset, content in enumerate(inline.content.split("\n")):
            number = inline.map[0] + offset
            if number >= len(self._text.starts):
                break
            start, end = self._text.starts[number], self._text.ends[number]
            line = self._text.text[start:end]
            at = line.rfind(content.strip()) if content.strip() else 0
            if at >= 0:
                found.append(Line(content, start + at, start + at + len(content.strip())))
            else:
                found.append(Line(content, start, end))
        return found

    def _aside(self, token: Token, reason: str) -> Aside:
        spot = self._text.lines(*token.map) if token.map else Spot(1, 0, 0)
        return Aside.of(spot, self._text.text[spot.start : spot.end], reason)

    # -- blocks --------------------------------------------------------------------------------------------------------
    def _paragraph(self, inline: Token) -> Block:
        lines = []
        for line in self._lines(inline):
            made = self.read(self._text.text[line.start : line.end].rstrip("\\"))
            lines.append(Line(made.text, line.start, line.end, made.doubt, made.note))
        found = fields_of(lines, self._text)
        spot = self._text.lines(*inline.map) if inline.map else Spot(1, 0, 0)
        return found or beside(spot, self._text, lines if len(lines) > 1 else ())

    def _html(self, token: Token) -> Iterator[Block]:
        from imprimatur.sources.tables.documents.html import read_html
        from imprimatur.sources.tables.documents.places import tags

        veiled = bool(self._veils)
        spot = self._text.lines(*token.map) if token.map else Spot(1, 0, 0)
        found = tags(self._text.text, spot.start, spot.end)
        for tag in found:
            if tag.closes and tag.name in self._veils:
                self._veils.remove(tag.name)
            elif not tag.closes and _veils(tag.name, self._text.text[tag.start : tag.end]):
                self._veils.append(tag.name)
        tables = sum(-1 if tag.closes else 1 for tag in found if tag.name == "table")
        if veiled or self._veils:
            yield self._aside(token, "stands in HTML that may hide it or strike it out")
        elif tables:
            yield self._aside(token, "is a table in HTML with an empty line in it")
        elif found:
            yield from read_html(self._text, spot)

    def _table(self, token: Token) -> Iterator[Block]:
        first, last = token.map or [0, 0]
        header = self._cells(first)
        rows = []
        for number in range(first + 2, last):
            cells = self._cells(number)
            if len(cells) == len(header):
                rows.append(cells)
                continue
            reason = f"has {len(cells)} cells where its table has {len(header)} columns"
            yield Aside.of(self._text.lines(number, number + 1), self._text.line(number), reason, lost=True)
        yield Grid(header=header, rows=tuple(rows), spot=self._text.lines(first, last))

    def _cells(self, number: int) -> tuple[Words, ...]:
        found = []
        for start, end in _cut(self._text.line(number)):
            start, end = start + self._text.starts[number], end + self._text.starts[number]
            made = self.read(self._text.text[start:end].replace("\\|", "|"))
            found.append(Words(text=made.text, spot=self._text.spot(start, end), doubt=made.doubt, note=made.note))
        return tuple(found)

    def _list(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """A list with its items; what else stands in them is left aside."""
        asides: list[Block] = []
        levels: list[list[Item]] = [[]]
        open_: list[list[Any]] = []  # the items around: their words so far
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "list_item_open":
                open_.append([None, False])
                levels.append([])
            elif token.type == "list_item_close":
                (words, more), inner = open_.pop(), tuple(levels.pop())
                if words is not None:
                    levels[-1].append(Item(words=words, inner=inner, more=more))
                else:
                    levels[-1].extend(inner)
            elif token.type == "paragraph_open" and open_[-1][0] is None and not levels[-1]:
                open_[-1][0] = self._words(self._lines(tokens[at + 1]))
                at += 2
            elif not token.type.endswith(("list_open", "list_close")):
                asides.append(self._aside(token, "stands within a list"))
                open_[-1][1] = True
                at = _end(tokens, at)
            at += 1
        spot = self._text.lines(*tokens[0].map) if tokens[0].map else Spot(1, 0, 0)
        yield Listing(items=tuple(levels[0]), spot=spot)
        yield from asides


def _torn(tags: Sequence[str]) -> bool:
    """Whether inline tags do not end what they begin."""
    open_: dict[str, int] = {}
    for tag in tags:
        name = "".join(takewhile(str.isalnum, tag.lstrip("</"))).lower()
        if name and name not in _VOID and not tag.startswith("<!") and not tag.endswith("/>"):
            open_[name] = open_.get(name, 0) + (-1 if tag.startswith("</") else 1)
    return any(open_.values())


def _veils(name: str, source: str) -> bool:
    """Whether an element may hide or strike out what is in it, or says it for another."""
    return name in _VEILS or "hidden" in source.lower() or "style" in source.lower()


def _end(tokens: Sequence[Token], at: int) -> int:
    """Where the block that begins at a token ends."""
    if tokens[at].nesting != 1:
        return at
    level, kind = tokens[at].level, tokens[at].type.removesuffix("_open") + "_close"
    return next(n for n in range(at + 1, len(tokens)) if tokens[n].level == level and tokens[n].type == kind)


def _cut(line: str) -> list[tuple[int, int]]:
    """Where the cells of a row stand: between pipes that no backslash is before, without the white space around."""
    marks = [-1]
    escaped = False
    for at, char in enumerate(line):
        if char == "|" and not escaped:
            marks.append(at)
        escaped = char == "\\"
    marks.append(len(line))
    found = []
    for before, after in pairwise(marks):
        start, end = before + 1, after
        while start < end and line[start].isspace():
            start += 1
        while end > start and line[end - 1].isspace():
            end -= 1
        found.append((start, end))
    if found and line[: marks[1]].strip() == "" and len(marks) > 2:
        found = found[1:]
    if found and line.rstrip().endswith("|") and marks[-2] == len(line.rstrip()) - 1:
        found = found[:-1]
    return found
