"""The words of a piece of HTML, as a reader of the page sees them; Markdown's inline markup is read through it, too.

What is struck out or hidden is left out, and noted; digits that are raised or lowered stay so ("10⁵ m²" is no "105
m2"); what a reader would have to look up or look at (a mark of a note, a picture) makes the words doubtful. Parts that
stand on lines of their own are apart by "; ".
"""

from __future__ import annotations

from typing import Any, NamedTuple

from imprimatur._expressions import expression

__all__ = ["DROPPED", "FOOTNOTE", "Reading", "fragment", "is_hidden", "words_of"]

DROPPED = frozenset("script style noscript template head title iframe object embed applet audio video rp rt".split())
_STRUCK = frozenset(("del", "s", "strike"))
_LOOKED_AT = frozenset("img svg math canvas map input select button textarea datalist".split())
_APART = frozenset("br p div li ul ol dl dt dd tr table blockquote pre hr h1 h2 h3 h4 h5 h6".split())
_HIDDEN = expression(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.\d])|line-through", 2
)
#: What a style may set without changing which words are seen.
_HARMLESS = expression(
    r"(?:text-align|vertical-align|(?:min-|max-)?(?:width|height)|(?:padding|margin|border|background|font)[a-z-]*"
    r"|white-space|color)\s*:",
    2,
)
_RAISED, _LOWERED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"), str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LONGEST_STYLE = 2000
_FIGURE = expression(r"[+\-−]?[0-9]{1,6}")
_ORDINAL = frozenset(("st", "nd", "rd", "th"))
FOOTNOTE = expression(r"\[\^[^\]\s]{1,60}\]")


class Reading(NamedTuple):
    """Words; why they cannot be taken for a value; and what was left out of them."""

    text: str
    doubt: str = ""
    note: str = ""


def is_hidden(element: Any) -> bool:
    """Whether a reader of the page does not see an element."""
    if not element.attrib:
        return False
    style = element.get("style") or ""
    return element.get("hidden") is not None or len(style) > _LONGEST_STYLE or bool(_HIDDEN.search(style))


def _changes(element: Any) -> bool:
    """Whether the style of an element may change which words are seen, in a way that is not known here."""
    style = (element.get("style") or "") if element.attrib else ""
    return any(part.strip() and not _HARMLESS.match(part.strip()) for part in style.split(";"))


def fragment(html: str) -> Reading:
    """The words of a piece of a page."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(f"<body>{html}</body>".encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    if root is None:
        return Reading("", doubt="cannot be read as markup")
    return words_of(root)


def words_of(root: Any, beside: frozenset[str] = frozenset(), *, struck: bool = False) -> Reading:
    """The words of an element; ``beside`` are elements in it that are read by themselves.

    ``struck``: with what is struck out, for showing what is left aside.
    """
    from lxml import etree

    parts: list[str] = []
    doubt = note = ""
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "end":
            parts.append("\n" if tag in _APART else "")
            parts.append((element.tail or "") if element is not root else "")
            continue
        own: str | None = element.text or ""
        if not tag or tag in DROPPED or (element is not root and tag in beside):
            own = None
        elif not struck and (is_hidden(element) or tag in _STRUCK):
            own, note = None, "what is struck out or hidden is left out"
        elif tag in _LOOKED_AT:
            own, doubt = None, doubt or "has something in it that is no text"
        elif tag in ("sup", "sub"):
            own, doubt = _shifted(element, tag, doubt)
            parts.append(own)
            own = None
        elif _changes(element):
            doubt = doubt or "has a style that may change what is seen of it"
        parts.append("\n" if tag in _APART else "")
        if own is None:
            walker.skip_subtree()
        else:
            parts.append(own)
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return Reading("; ".join(line for line in lines if line), doubt, note)


def _shifted(element: Any, tag: str, doubt: str) -> tuple[str, str]:
    """What is raised or lowered: figures as such, the ends of ordinals as they are; else it is a mark of a note."""
    text = "".join(element.itertext()).strip()
    if _FIGURE.fullmatch(text):
        return text.translate(_RAISED if tag == "sup" else _LOWERED), doubt
    if not text or tag == "sub" or text in _ORDINAL:
        return text, doubt
    return "", doubt or "has a mark of a note at it"
