"""Citations in an answer: ``[mem:ID]``, ``[^ID]`` and ``[12]``, with their spans.

A citation is no word of the claim that it belongs to; ``find`` says where it stands, so that what reads words can pass
over it while offsets and quotations stay as they are. Several ids may stand in one pair of brackets, parted by commas
or semicolons, and several citations side by side make one group. A group belongs to what stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.config import CITATION_STYLES

__all__ = ["STYLES", "Citation", "find", "groups"]

#: How citations may be written; a knowledge base chooses among them (``citations:`` in imprimatur.yaml).
STYLES = CITATION_STYLES
_LONGEST = 200
_ID = rf"[^\s\[\],;]{{1,{_LONGEST}}}"
#: ``[mem:a]``, ``[mem:a, b]``, ``[mem:a; mem:b]``.
_MEM = expression(rf"\[\s*mem:\s*({_ID}(?:\s*[,;]\s*(?:mem:\s*)?{_ID})*)\s*\]")
#: ``[^a]``, as footnotes in Markdown; ``[^a]:`` begins the note itself.
_FOOTNOTE = expression(rf"\[\^({_ID})\](?!:)")
#: ``[1]``, ``[1, 2]``, ``[1-3]``: after a word, and not before one or before a link's address.
_NUMBER = expression(r"(?<=\S)[ \u00a0]?(\[\s*\d{1,4}(?:\s*[,;\u2013-]\s*\d{1,4})*\s*\])(?![\w(:])(?!\[(?!\d))")
_PARTS = expression(r"\s*[,;]\s*(?:mem:\s*)?")
_RANGE = expression(r"(\d+)\s*[\u2013-]\s*(\d+)")
_MOST_IN_RANGE = 50


@dataclass(frozen=True, slots=True)
class Citation:
    """``text[start:end]`` with its brackets, and the ids that it names, in order."""

    start: int
    end: int
    ids: tuple[str, ...]


def find(text: str, *, styles: Sequence[str] = STYLES) -> tuple[Citation, ...]:
    """All citations of a text, in order."""
    found: list[Citation] = []
    if "[" not in text:
        return ()
    if "mem" in styles:
        found += [Citation(*m.span(), _ids(m.group(1))) for m in _MEM.finditer(text)]
    if "footnote" in styles:
        found += [Citation(*m.span(), (m.group(1),)) for m in _FOOTNOTE.finditer(text)]
    if "number" in styles:
        found += [_numbered(text, *m.span(1)) for m in _NUMBER.finditer(text)]
    return tuple(sorted(found, key=lambda each: each.start))


def groups(citations: Sequence[Citation], text: str) -> tuple[Citation, ...]:
    """Citations that stand side by side, with nothing but blanks or commas between them, as one."""
    joined: list[Citation] = []
    for each in citations:
        if joined and not text[joined[-1].end : each.start].strip(" \u00a0,;"):
            ids = tuple(dict.fromkeys((*joined[-1].ids, *each.ids)))
            joined[-1] = Citation(joined[-1].start, each.end, ids)
        else:
            joined.append(each)
    return tuple(joined)


def _ids(written: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PARTS.split(written)))


def _numbered(text: str, start: int, end: int) -> Citation:
    ids: list[str] = []
    for part in _PARTS.split(text[start + 1 : end - 1].strip()):
        span = _RANGE.fullmatch(part)
        if span is None:
            ids.append(part)
            continue
        first, last = int(span.group(1)), int(span.group(2))
        # What is no range of notes is kept as it is written: an id that no entry has.
        fits = first < last <= first + _MOST_IN_RANGE
        ids += [str(number) for number in range(first, last + 1)] if fits else [part]
    return Citation(start, end, tuple(dict.fromkeys(ids)))
