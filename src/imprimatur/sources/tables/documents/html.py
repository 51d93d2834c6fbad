"""The blocks of a page of HTML: headings, tables, lists, terms with what is said of them; all other text is left aside.

Nothing is fetched, and nothing of a page is run. The words are those of the library that reads pages as passages
(lxml); where they stand is told by ``places``. Invariants: a table is read by its header cells (``th``) alone, nothing
is guessed of one that has none; what spans several columns or rows stands in each of them; rows in ``tfoot`` (sums) are
left aside, as are tables within tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from imprimatur.errors import InputError
from imprimatur.sources.tables.documents.blocks import (
    Aside,
    Block,
    Entry,
    Fields,
    Heading,
    Item,
    Listing,
    Text,
    Words,
)
from imprimatur.sources.tables.documents.html_grid import grid_of
from imprimatur.sources.tables.documents.places import Places, marked
from imprimatur.sources.tables.documents.wording import DROPPED, is_hidden, words_of
from imprimatur.sources.tables.relation import Spot

__all__ = ["read_html"]

_LEVELS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol"))
_WITHIN = frozenset(("ul", "ol", "dl", "table"))
#: What is said in these is not said by the page.
_VEILED = {
    "blockquote": "is a quotation",
    **dict.fromkeys(("pre", "code", "samp", "listing", "xmp"), "is code"),
    **dict.fromkeys(("del", "s", "strike"), "is struck out"),
}
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q ruby s samp small span del strike "
    "strong sub sup time tt u var wbr del img nobr br".split()
)


def read_html(text: Text, within: Spot | None = None) -> list[Block]:
    """The blocks of a page, or of a stretch of a document that is one.

    Raises:
        InputError: the page nests too deep; or the library that reads HTML is not installed.
    """
    try:
        from lxml import etree
    except ImportError as fault:
        hint = "pip install 'imprimatur[passages]'"
        raise InputError("HTML cannot be read here", where=text.name, hint=hint) from fault
    start, end = (0, len(text.text)) if within is None else (within.start, within.end)
    source, places = marked(text, start, end)
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(source.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    if any(each.type_name == "ERR_RESOURCE_LIMIT" for each in parser.error_log):
        raise InputError("nested too deep for a page", where=text.name, hint="is this the right file?")
    return [] if root is None else list(_Page(places).blocks(root))


class _Page:
    """Walks a page once, without recursion."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._loose: list[str] = []
        self._at: Spot | None = None

    def blocks(self, root: Any) -> Iterator[Block]:
        """The blocks, in order."""
        from lxml import etree

        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "end":
                if tag not in _INLINE:
                    yield from self._flush()
                self._gather(element, element.tail)
                continue
            found = self._begins(element, tag)
            if tag not in _INLINE and tag not in DROPPED:
                yield from self._flush()
            if found is None:
                self._gather(element, element.text)
            else:
                yield from found
                walker.skip_subtree()
        yield from self._flush()

    def _begins(self, element: Any, tag: str) -> list[Block] | None:
        """The blocks of an element that is dealt with as a whole; None where its content is."""
        if not tag or tag in DROPPED:
            return []
        if is_hidden(element):
            return [Aside.of(self._places.spot(element), words_of(element).text, "is hidden from readers of the page")]
        if tag in _VEILED:
            return [Aside.of(self._places.spot(element), words_of(element, struck=True).text, _VEILED[tag])]
        if tag in _LEVELS:
            return [Heading(level=_LEVELS[tag], words=self.words(element))]
        if tag == "table":
            return grid_of(element, self._places)
        if tag in _LISTS:
            asides: list[Block] = []
            items = tuple(self._item(each, asides) for each in element.iterchildren("li"))
            return [Listing(items=items, spot=self._places.spot(element)), *asides]
        return self._terms(element) if tag == "dl" else None

    def words(self, element: Any, beside: frozenset[str] = frozenset()) -> Words:
        """The words of an element."""
        made = words_of(element, beside)
        return Words(text=made.text, spot=self._places.spot(element, made.text), doubt=made.doubt, note=made.note)

    def _item(self, element: Any, asides: list[Block]) -> Item:
        inner: list[Item] = []
        more = False
        for each in element.iterchildren(*_WITHIN):
            if each.tag in _LISTS:
                inner.extend(self._item(item, asides) for item in each.iterchildren("li"))
            else:
                more = True
                asides.append(Aside.of(self._places.spot(each), words_of(each).text, "stands within a list"))
        return Item(words=self.words(element, _WITHIN), inner=tuple(inner), more=more)

    def _terms(self, element: Any) -> list[Block]:
        """Terms (``dt``), each with one description (``dd``); those with several or none are left aside."""
        entries: list[Entry] = []
        asides: list[Block] = []
        groups: list[tuple[Any, list[Any]]] = []
        for each in element.iter("dt", "dd"):
            if each.tag == "dt":
                groups.append((each, []))
            elif groups:
                groups[-1][1].append(each)
        for term, told in groups:
            key = words_of(term)
            if len(told) == 1 and key.text and not key.doubt:
                entries.append(Entry(key=key.text.rstrip(" :"), value=self.words(told[0])))
            else:
                reason = f"is a term with {len(told)} descriptions"
                asides.append(Aside.of(self._places.spot(term), key.text, reason))
        return [Fields(entries=tuple(entries), spot=self._places.spot(element)), *asides]

    def _gather(self, element: Any, text: str | None) -> None:
        """Text that belongs to nothing that is read."""
        if text and text.strip():
            if self._at is None:
                self._at = self._places.spot(element)
            self._loose.append(text)

    def _flush(self) -> Iterator[Block]:
        if self._loose and self._at is not None:
            yield Aside.prose(self._at, "".join(self._loose))
        self._loose, self._at = [], None
