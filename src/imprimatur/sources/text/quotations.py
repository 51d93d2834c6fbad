"""Words in quotation marks: they must stand word for word in the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._expressions import expression
from imprimatur.sources.text.comparison import Mark, Text
from imprimatur.verdict import Reason

__all__ = ["misquoted"]

_QUOTED = expression('"([^"]{2,400})"|\u201c([^\u201d]{2,400})\u201d|\u00ab([^\u00bb]{2,400})\u00bb')
_SPACE = expression(r"\s+")
_EDGES = " \t\n.,;:!?"


def misquoted(words: str, texts: Sequence[Text]) -> Iterator[Mark]:
    """A mark for each quotation that no text has; case at the start and a mark at the end do not matter."""
    plain = [_plain(text.text) for text in texts]
    for found in _QUOTED.finditer(words):
        quoted = _plain(found[1] or found[2] or found[3]).strip(_EDGES)
        lowered = quoted[:1].lower() + quoted[1:]
        if quoted and not any(quoted in text or lowered in text for text in plain):
            detail = f"no cited text has “{quoted[:80]}”"
            yield Mark(reason=Reason.QUOTE_ALTERED, start=found.start(), end=found.end(), detail=detail)


def _plain(text: str) -> str:
    straight = text.translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " "})
    return _SPACE.sub(" ", straight)
