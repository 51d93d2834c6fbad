"""Plain text: kept as it is, so that offsets are those of the text as it was given.

The segmenter reads the marks of lists, headings, tables, quotations and code that people write in plain text too. Cells
of a table come out one row at a time, with their column's header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from imprimatur.answer import Kind, Segment
from imprimatur.segment import segment
from imprimatur.sources.passages.extraction import Extraction, Unit, sentence_kind
from imprimatur.sources.passages.passage import Field, SentenceKind

__all__ = ["read_text"]


def read_text(text: str, into: Extraction) -> None:
    """Writes a plain text down."""
    into.whole(text, _units(text))


def _units(text: str) -> Iterator[Unit]:
    at, line = 0, 1
    for _, group in groupby(segment(text), key=lambda each: _row_of(each, text)):
        found = list(group)
        start = found[0].body[0]
        # Line ends as the segmenter knows them: a lone carriage return is rare, and then only the number is off.
        line, at = line + text.count("\n", at, start), start
        if found[0].kind in (Kind.TABLE_CELL, Kind.TABLE_HEADER):
            yield from _row(found, text, line)
            continue
        for each in found:
            if each.body[1] > each.body[0]:
                line, at = line + text.count("\n", at, each.body[0]), each.body[0]
                yield Unit(*each.body, sentence_kind(each), _headings(each, text), line=line)


def _row_of(each: Segment, text: str) -> object:
    """What segments of one row of a table share; None for all that is no table."""
    if each.kind not in (Kind.TABLE_CELL, Kind.TABLE_HEADER):
        return None
    return text.rfind("\n", 0, each.body[0])


def _row(cells: Sequence[Segment], text: str, line: int) -> Iterator[Unit]:
    filled = [each for each in cells if each.body[1] > each.body[0]]
    if not filled:
        return
    fields = []
    for each in filled:
        path = () if each.column is None else (" ".join(text[slice(*each.column)].split()),)
        fields.append(Field(path, *each.body))
    header = all(each.kind is Kind.TABLE_HEADER for each in filled)
    kind = SentenceKind.HEADING if header else SentenceKind.ROW
    made = () if header else tuple(fields)
    yield Unit(filled[0].body[0], filled[-1].body[1], kind, _headings(filled[0], text), made, line=line)


def _headings(each: Segment, text: str) -> tuple[str, ...]:
    """The heading above, and the line that introduces the list."""
    spans = (each.heading, each.stem)
    return tuple(" ".join(text[slice(*span)].split()) for span in spans if span is not None)
