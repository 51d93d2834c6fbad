"""Where the elements of a page stand in its source.

The library that reads HTML does not tell it, so the start tags of what is read get a mark (an attribute with a number)
before it reads, and come out with it. The source is scanned once, from left to right, by the rules of the HTML
standard's tokenizer for comments, tags and raw text (13.2.5). Where both see a page differently an element has no mark,
or other words than its stretch of source: then only its line is told (``Places.spot``).
"""

from __future__ import annotations

from html import unescape
from typing import Any, NamedTuple
from unicodedata import normalize

from imprimatur._expressions import expression
from imprimatur.sources.tables.documents.blocks import Text
from imprimatur.sources.tables.relation import Spot

__all__ = ["Places", "Tag", "marked", "tags"]

_NAME = expression(r"[A-Za-z][^\s/>]{0,30}")
_QUOTED = expression(r"""=\s*(["'])|>""")
_RAW = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"))
_MARKED = frozenset("table caption tr td th dl dt dd ul ol li h1 h2 h3 h4 h5 h6 p div pre blockquote".split())
#: Which open elements a start tag ends, and how far up it looks for them.
_ENDS = {
    **dict.fromkeys(("td", "th"), (("td", "th"), ("table",))),
    "tr": (("tr", "td", "th"), ("table",)),
    **dict.fromkeys(("tbody", "thead", "tfoot"), (("tr", "td", "th", "caption"), ("table",))),
    "li": (("li",), ("ul", "ol", "table")),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl", "table"))),
    **dict.fromkeys(("p", "div", "ul", "ol", "dl", "table"), (("p",), ("td", "th", "li", "dd", "table"))),
}
_BESIDE = frozenset(("ul", "ol", "dl", "table"))
#: Deeper pages are refused by the library.
_DEEPEST = 300
_TAGS = expression(r"<[^<>]{0,2000}>")


class Tag(NamedTuple):
    """A tag of a source: its name, whether it is an end tag, and where it begins and ends."""

    name: str
    closes: bool
    start: int
    end: int


def tags(source: str, start: int, end: int) -> list[Tag]:
    """The tags of a stretch; raw text and comments have none."""
    found: list[Tag] = []
    at = start
    while (at := source.find("<", at, end)) >= 0:
        if source.startswith("<!--", at):
            after = source.find("-->", at + 4, end)
            at = end if after < 0 else after + 3
            continue
        closes = source.startswith("/", at + 1)
        name = _NAME.match(source, at + 1 + closes, end)
        if name is None:
            if source[at + 1 : at + 2] in ("!", "?", "/"):
                at = source.find(">", at, end)
                if at < 0:
                    break
            else:
                at += 1
            continue
        after = _tag_end(source, name.end(), end)
        if after < 0:
            break
        low = name[0].lower()
        found.append(Tag(low, closes, at, after))
        at = after
        if low in _RAW and not closes:
            closing = expression(f"</{low}", 2).search(source, at, end)
            at = closing.start() if closing else end
    return found


def _tag_end(source: str, at: int, end: int) -> int:
    """Where a tag ends whose name ends at ``at``; -1 where it does not."""
    while (found := _QUOTED.search(source, at, end)) is not None:
        if found[1] is None:
            return found.end()
        at = source.find(found[1], found.end(), end) + 1
        if at == 0:
            return -1
    return -1


class Places:
    """The stretches of source between the start tags of elements and their ends, by mark."""

    def __init__(self, text: Text, attribute: str, open_: _Open) -> None:
        self._text, self._attribute, self._open = text, attribute, open_

    def spot(self, element: Any, words: str | None = None) -> Spot:
        """Where the content of an element stands; with ``words``, only if these are what the stretch says."""
        mark = element.get(self._attribute) or ""
        begin = self._open.begins.get(mark)
        if begin is None:
            line = int(element.sourceline or 1) - 1 + self._open.line
            return Spot(line, 0, 0)
        end = self._open.ends.get(mark, self._open.last)
        for stop in (end, self._open.stops.get(mark, end)):
            spot = self._stripped(begin, stop)
            if words is None or _bare(words) == _bare(unescape(_TAGS.sub("", self._text.text[spot.start : spot.end]))):
                return spot
        return Spot(self._stripped(begin, end).line, 0, 0)

    def _stripped(self, start: int, end: int) -> Spot:
        source = self._text.text
        while start < end and source[start].isspace():
            start += 1
        while end > start and source[end - 1].isspace():
            end -= 1
        return self._text.spot(start, end)


def _bare(words: str) -> str:
    """Words without white space and what ``wording`` puts between them; raised figures as plain ones."""
    return normalize("NFKC", "".join(words.split()).replace(";", ""))


class _Open:
    """The elements that are open while the tags of a page go by; what has a mark is remembered by it."""

    def __init__(self, last: int, line: int) -> None:
        self.last, self.line = last, line
        self.begins: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        self.stops: dict[str, int] = {}
        self._stack: list[tuple[str, str]] = []
        self._open: dict[str, int] = {}

    def take(self, tag: Tag, mark: str) -> None:
        """The next tag."""
        if tag.closes:
            if self._open.get(tag.name):
                self._close((tag.name,), (), tag.start)
            return
        if tag.name in _BESIDE:
            inner = next((own for name, own in self._stack[:-4:-1] if name in ("li", "dd", "td", "th")), None)
            if inner is not None:
                self.stops.setdefault(inner, tag.start)
        if tag.name in _ENDS:
            self._close(*_ENDS[tag.name], tag.start)
        if mark:
            self.begins[mark] = tag.end
            self._stack.append((tag.name, mark))
            self._open[tag.name] = self._open.get(tag.name, 0) + 1

    def _close(self, names: tuple[str, ...], barriers: tuple[str, ...], at: int) -> None:
        """Ends the outermost of some elements within the barriers, or the innermost where there are none."""
        found = None
        for depth in range(len(self._stack) - 1, max(-1, len(self._stack) - _DEEPEST), -1):
            name = self._stack[depth][0]
            if name in barriers:
                break
            if name in names:
                found = depth
                if not barriers:
                    break
        while found is not None and len(self._stack) > found:
            name, mark = self._stack.pop()
            self._open[name] -= 1
            self.ends[mark] = at


def marked(text: Text, start: int, end: int) -> tuple[str, Places]:
    """A stretch of a page with marks in it, and what they stand for."""
    source = text.text
    attribute = "data-at"
    while source.find(attribute, start, end) >= 0:
        attribute += "x"
    parts: list[str] = []
    before = start
    open_ = _Open(end, text.spot(start, end).line)
    for number, tag in enumerate(tags(source, start, end)):
        mark = str(number) if tag.name in _MARKED and not tag.closes else ""
        open_.take(tag, mark)
        if mark:
            name_end = tag.start + 1 + len(tag.name)
            parts.extend((source[before:name_end], f' {attribute}="{mark}"'))
            before = name_end
    parts.append(source[before:end])
    return "".join(parts), Places(text, attribute, open_)
