"""A document's text as a reader writes it down, with its sentences: what all formats have in common.

Invariants: ``text[unit.start : unit.end]`` is the unit's words; units are in order and do not overlap; nothing is
written beyond the limit of the text's length. Readers say what a stretch is (a heading, a paragraph, a row, a field);
where its sentences end is found here, by the segmenter that also cuts answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from imprimatur._expressions import expression
from imprimatur.answer import Kind, Segment
from imprimatur.errors import InputError
from imprimatur.segment import segment
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Field, SentenceKind

__all__ = ["KINDS", "Cell", "Extraction", "Unit", "sentence_kind"]

#: Halves of surrogate pairs, which JSON can write and no file can hold.
_HALVES = expression("[\ud800-\udfff]")
#: A header or path, and the value under it.
Cell = tuple[tuple[str, ...], str]

KINDS = {
    Kind.SENTENCE: SentenceKind.SENTENCE,
    Kind.LIST_ITEM: SentenceKind.ITEM,
    Kind.TABLE_CELL: SentenceKind.ROW,
    Kind.TABLE_HEADER: SentenceKind.HEADING,
    Kind.HEADING: SentenceKind.HEADING,
    Kind.CODE: SentenceKind.CODE,
    Kind.QUOTE: SentenceKind.QUOTE,
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence before it belongs to a passage."""

    start: int
    end: int
    kind: SentenceKind
    headings: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    page: int | None = None
    line: int | None = None


def sentence_kind(found: Segment) -> SentenceKind:
    """What a segment of a text is as a sentence."""
    return KINDS[found.kind]


class Extraction:
    """Gathers the text and the units of one document."""

    def __init__(self, limits: Limits) -> None:
        self.notes: list[str] = []
        self.units: list[Unit] = []
        #: Where what is written next stands; readers set them.
        self.headings: tuple[str, ...] = ()
        self.page: int | None = None
        self.line: int | None = None
        self._limits = limits
        self._parts: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        """All that was written so far."""
        return "".join(self._parts)

    def note(self, words: str) -> None:
        """Notes once what was left out."""
        if words not in self.notes:
            self.notes.append(words)

    def heading(self, level: int, text: str) -> None:
        """A heading of a level (1 is the highest): it ends all of its own level and below."""
        if text := " ".join(text.split()):
            above = self.headings[: max(level - 1, 0)]
            self.headings = above
            self._unit(text, SentenceKind.HEADING, gap="\n\n")
            # A skipped level is filled, so that a later heading of that level ends this one.
            self.headings = (*above, *[""] * (level - 1 - len(above)), text)

    def paragraph(self, text: str, kind: SentenceKind | None = None, *, gap: str = "\n\n") -> None:
        """Running text: a unit for every sentence in it, of the given kind or of what the segmenter sees."""
        if not text.strip():
            return
        base = self._write(text, gap)
        for found in segment(text):
            start, end = found.body
            if end > start:
                self._add(base + start, base + end, kind or sentence_kind(found))

    def code(self, text: str) -> None:
        """Code or preformatted text: one unit."""
        if text.strip():
            self._unit(text.strip("\n"), SentenceKind.CODE, gap="\n\n")

    def row(self, cells: Sequence[Cell], kind: SentenceKind = SentenceKind.ROW) -> None:
        """A row: every value that is not empty after the last part of its path, ``Length: 1,233 km; Mouth: …``."""
        text, fields = "", []
        for path, value in cells:
            if not value.strip():
                continue
            name = path[-1] if kind is SentenceKind.ROW and path else " > ".join(path)
            text += ("; " if text else "") + (f"{name}: " if name else "")
            fields.append(Field(path, len(text), len(text) + len(value)))
            text += value
        if text:
            base = self._write(text, "\n")
            shifted = tuple(replace(each, start=base + each.start, end=base + each.end) for each in fields)
            self._add(base, base + len(text), kind, shifted)

    def values(self, path: tuple[str, ...], values: Iterable[str]) -> None:
        """One property of structured data with all its values: ``colours: red, green``."""
        given = [value for value in values if value.strip()]
        if not given:
            return
        text, fields = " > ".join(path) + ": ", []
        for number, value in enumerate(given):
            text += ", " if number else ""
            fields.append((len(text), len(text) + len(value)))
            text += value
        base = self._write(text, "\n")
        made = tuple(Field(path, base + start, base + end) for start, end in fields)
        self._add(base, base + len(text), SentenceKind.FIELD, made)

    def whole(self, text: str, units: Iterable[Unit]) -> None:
        """A text that is kept as it is, with its units."""
        if len(text) > self._limits.max_text:
            raise self._too_long()
        self._parts.append(text)
        self._length += len(text)
        self.units.extend(units)

    def _unit(self, text: str, kind: SentenceKind, *, gap: str) -> None:
        base = self._write(text, gap)
        self._add(base, base + len(text), kind)

    def _add(self, start: int, end: int, kind: SentenceKind, fields: tuple[Field, ...] = ()) -> None:
        headings = tuple(each for each in self.headings if each)
        self.units.append(Unit(start, end, kind, headings, fields, self.page, self.line))

    def _write(self, text: str, gap: str) -> int:
        """Adds the text and returns where it begins."""
        text = _HALVES.sub("\ufffd", text)
        if self._length:
            self._parts.append(gap)
            self._length += len(gap)
        base = self._length
        self._length += len(text)
        if self._length > self._limits.max_text:
            raise self._too_long()
        self._parts.append(text)
        return base

    def _too_long(self) -> InputError:
        hint = "split the document, or raise the limit of its text"
        return InputError(f"holds more than {self._limits.max_text:,} characters of text", hint=hint)
