"""The words of a statement with what each stretch of them may speak of: cells, a column, a date, a number.

Invariants: spans are in order and do not overlap; every token that says something is in one of them. The longest
stretch counts first, whole cells before names of columns before parts of cells. Work is bounded: a stretch has at most
``_LONGEST`` words, and nothing is read of a statement with more than ``MOST_TOKENS`` words and signs, or more than
``MOST_VALUES`` values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.language.closed_class import is_function_word
from imprimatur.sources.tables.prose.cells import CellIndex, Found, Heading
from imprimatur.sources.tables.prose.days import Day, days
from imprimatur.sources.tables.prose.degrees import turns
from imprimatur.sources.tables.prose.kinship import ABBREVIATED, SAME
from imprimatur.sources.tables.prose.tokens import Token, tokens

__all__ = ["MOST_TOKENS", "MOST_VALUES", "Span", "SpanKind", "linked"]

MOST_TOKENS = 120
MOST_VALUES = 24
_LONGEST = 16
_LONGEST_HEADING = 6


class SpanKind(StrEnum):
    """What a stretch of words is."""

    VALUE = "value"
    HEADING = "heading"
    NUMBER = "number"
    WORD = "word"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of the tokens ``first`` up to and without ``stop``.

    Attributes:
        found: of a value, the cells it may speak of; of a date or number that no cell holds, nothing.
        day: the date that it is.
        headings: the columns that it may speak of, best first; a value may be such words, too.
    """

    first: int
    stop: int
    kind: SpanKind
    read: tuple[Token, ...]
    found: Found = Found()
    day: Day | None = None
    headings: tuple[Heading, ...] = ()

    @property
    def text(self) -> str:
        """The words, in small letters."""
        return " ".join(token.text for token in self.read)

    @property
    def named(self) -> frozenset[int]:
        """The columns that it speaks of: those all of whose name is said, else those of which a part is."""
        whole = frozenset(each.column for each in self.headings if each.whole)
        return whole or frozenset(each.column for each in self.headings)

    @property
    def token(self) -> Token:
        """Its first token."""
        return self.read[0]


@dataclass(frozen=True, slots=True)
class _Candidate:
    weight: float
    quality: float
    span: Span


def linked(text: str, index: CellIndex) -> tuple[Span, ...]:
    """The spans of a statement; none for one that is too long, or speaks of too many values."""
    read = tokens(text)
    if len(read) > MOST_TOKENS:
        return ()
    candidates = [*_dates(read, index), *_cells(read, index), *_headings(read, index)]
    candidates.sort(key=lambda each: (-each.weight, -each.quality, each.span.first))
    taken = [False] * len(read)
    chosen: list[Span] = []
    for each in candidates:
        span = each.span
        if not any(taken[span.first : span.stop]):
            taken[span.first : span.stop] = [True] * (span.stop - span.first)
            chosen.append(span)
    chosen = _joined(sorted(chosen, key=lambda span: span.first))
    chosen += [_rest(read, at) for at, token in enumerate(read) if token.stem and not taken[at]]
    values = sum(1 for span in chosen if span.kind in (SpanKind.VALUE, SpanKind.NUMBER))
    return tuple(sorted(chosen, key=lambda span: span.first)) if values <= MOST_VALUES else ()


def _joined(spans: list[Span]) -> list[Span]:
    """The spans, with two names of columns right beside each other as the one that is said better."""
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else None
        if last is not None and _one_name(last, span):
            best = max((last, span), key=lambda each: (each.headings[0].whole, each.headings[0].near))
            joined = (*last.read, *span.read)
            found[-1] = Span(
                first=last.first, stop=span.stop, kind=SpanKind.HEADING, read=joined, headings=best.headings
            )
        else:
            found.append(span)
    return found


def _one_name(last: Span, span: Span) -> bool:
    """Whether two names of columns say one: they stand side by side, and one of them says its column only in part."""
    if last.kind is not SpanKind.HEADING or span.kind is not SpanKind.HEADING or last.stop != span.first:
        return False
    return not (_sure(last) and _sure(span))


def _sure(span: Span) -> bool:
    return span.headings[0].whole and span.headings[0].near == SAME


def _rest(read: Sequence[Token], at: int) -> Span:
    kind = SpanKind.WORD if read[at].number is None else SpanKind.NUMBER
    return Span(first=at, stop=at + 1, kind=kind, read=(read[at],))


def _dates(read: Sequence[Token], index: CellIndex) -> Iterator[_Candidate]:
    for first, stop, day in days(read):
        span = Span(
            first=first, stop=stop, kind=SpanKind.VALUE, read=tuple(read[first:stop]), found=index.on(day), day=day
        )
        yield _Candidate(sum(1 for token in span.read if token.stem), 6 if span.found else 2.5, span)


def _cells(read: Sequence[Token], index: CellIndex) -> Iterator[_Candidate]:
    """For each place the longest stretch that stands in a cell, and each that is all of one."""
    said = [at for at, token in enumerate(read) if token.stem]
    for begin, first in enumerate(said):
        ahead = said[begin : begin + _LONGEST]
        words = [read[at].stem for at in ahead]
        longest = index.longest(words)
        for length in range(longest, 0, -1):
            stretch = [read[at] for at in ahead[:length]]
            found = index.find(words[:length])
            if not (found.whole or (length == longest and _names(stretch))):
                continue
            stop = ahead[length - 1] + 1
            headings = index.heads(words[:length]) if length <= _LONGEST_HEADING and not found.whole else ()
            span = Span(
                first=first,
                stop=stop,
                kind=SpanKind.VALUE,
                read=tuple(read[first:stop]),
                found=found,
                headings=tuple(each for each in headings if each.near == SAME),
            )
            yield _Candidate(length, _quality(stretch, found), span)


def _names(stretch: Sequence[Token]) -> bool:
    """Whether a part of a cell says something by itself: it neither begins nor ends with a word like "of"."""
    return not (is_function_word(stretch[0].text) or is_function_word(stretch[-1].text))


def _quality(stretch: Sequence[Token], found: Found) -> float:
    if found.whole:
        return 5 if any(not is_function_word(token.text) for token in stretch) else 0.1
    return 3 if len(stretch) > 1 or stretch[0].number is not None else 1


def _headings(read: Sequence[Token], index: CellIndex) -> Iterator[_Candidate]:
    """Stretches that speak of columns, words like "of" between them left out."""
    for first, token in enumerate(read):
        if not _heads(token):
            continue
        words: list[str] = []
        for at in range(first, min(first + 2 * _LONGEST_HEADING, len(read))):
            if not _heads(read[at]):
                if read[at].stem and not is_function_word(read[at].text):
                    break
                continue
            words.append(read[at].stem)
            found = index.heads(words)
            if not found or len(words) > _LONGEST_HEADING:
                break
            best = found[0]
            if best.near != SAME and turns(read[at].text):
                break
            kept = tuple(each for each in found if each.near == best.near and each.said == best.said)
            span = Span(
                first=first, stop=at + 1, kind=SpanKind.HEADING, read=tuple(read[first : at + 1]), headings=kept
            )
            if best.whole or not all(each.isdigit() for each in words):
                yield _Candidate(len(words), _heading_quality(best), span)


def _heads(token: Token) -> bool:
    return bool(token.stem) and not is_function_word(token.text)


def _heading_quality(best: Heading) -> float:
    if best.near == SAME:
        return 4 if best.whole else 2
    return 1.5 if best.near == ABBREVIATED else 0.5
