"""HTML: its headings, paragraphs, lists, tables and preformatted text, without markup.

Nothing is fetched, and nothing of a page is run: scripts, styles, forms, embedded objects and comments are dropped.
What a reader of the page would not see (``hidden``, ``display:none``) is dropped too, and noted. A page that nests
deeper than the parser's limit is refused. Links keep their words only.
"""

from __future__ import annotations

from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.sources.passages.extraction import Extraction
from imprimatur.sources.passages.html_table import read_table, text_of
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import SentenceKind

__all__ = ["read_html"]

_DROPPED = frozenset(
    "script style noscript template iframe object embed applet svg math canvas audio video head select option button "
    "textarea input datalist map".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q rp rt ruby s samp small span "
    "strike strong sub sup time tt u var wbr del img nobr".split()
)
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = expression(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", 2)
_KINDS = {"li": SentenceKind.ITEM, "dd": SentenceKind.ITEM, "blockquote": SentenceKind.QUOTE}


def read_html(text: str, into: Extraction, limits: Limits) -> None:
    """Writes a page down.

    Raises:
        InputError: the page nests too deep; or the library that reads HTML is not installed.
    """
    root = _parsed(text)
    if root is not None:
        _Page(into).walk(root)


def _parsed(text: str) -> Any:
    try:
        from lxml import etree
    except ImportError as fault:
        raise InputError("HTML cannot be read here", hint="pip install 'imprimatur[passages]'") from fault
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    if any(each.type_name == "ERR_RESOURCE_LIMIT" for each in parser.error_log):
        raise InputError("nested too deep for a page", hint="is this the right file?")
    return root


class _Page:
    """Walks a page once, without recursion: text is gathered until a block begins or ends."""

    def __init__(self, into: Extraction) -> None:
        self._into = into
        self._words: list[str] = []
        self._kinds: list[SentenceKind] = []
        self._term = ""

    def walk(self, root: Any) -> None:
        """Writes down all that stands in an element."""
        from lxml import etree

        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                if self._starts(element, tag):
                    walker.skip_subtree()
            else:
                self._ends(element, tag)
        self._flush()

    def _starts(self, element: Any, tag: str) -> bool:
        """Takes in an element's beginning; whether all that is in it is dealt with."""
        if tag in _DROPPED or not tag:
            return True
        if _hidden(element):
            self._into.note("text that a reader of the page does not see was left out")
            return True
        if tag == "br":
            self._words.append("\n")
            return True
        if tag not in _INLINE:
            self._flush()
        if tag == "pre":
            self._into.code("".join(element.itertext()))
            return True
        if tag == "table" and read_table(element, self._into):
            return True
        if tag in _LEVELS or tag == "dt":
            self._heads(element, tag)
            return True
        if tag in _KINDS:
            self._kinds.append(_KINDS[tag])
        self._words.append(element.text or "")
        return False

    def _heads(self, element: Any, tag: str) -> None:
        words = text_of(element)
        if tag == "dt":
            self._term = words
        else:
            self._into.heading(_LEVELS[tag], words)

    def _ends(self, element: Any, tag: str) -> None:
        if tag not in _INLINE and tag not in _DROPPED and tag != "br":
            self._flush()
            if tag in _KINDS and self._kinds and not _hidden(element):
                self._kinds.pop()
            if tag == "dl":
                self._term = ""
        self._words.append(element.tail or "")

    def _flush(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self._words).split("\n\n")]
        self._words = []
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        kind = self._kinds[-1] if self._kinds else None
        if self._term:
            self._into.row([((self._term,), text)])
        else:
            self._into.paragraph(text, kind, gap="\n" if kind is SentenceKind.ITEM else "\n\n")


def _hidden(element: Any) -> bool:
    if not element.attrib:
        return False
    return element.get("hidden") is not None or bool(_HIDDEN.search(element.get("style") or ""))
