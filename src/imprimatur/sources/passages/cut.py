"""Units of a text put together into passages.

Invariants: passages keep the order, do not overlap, and end between sentences; none is longer than the larger of
``limits.passage`` and ``limits.sentence``; a passage begins anew at every heading and page. A unit that is longer than
a sentence may be is cut into fragments at white space where there is some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from imprimatur.sources.passages.extraction import Unit
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Passage, Sentence, SentenceKind

__all__ = ["passages_of"]


def passages_of(document: str, text: str, units: Iterable[Unit], limits: Limits) -> tuple[Passage, ...]:
    """The passages of a document's text, numbered from 1; none for a text without words."""
    bounded = (piece for unit in units for piece in _pieces(unit, text, limits.sentence))
    groups = _groups(bounded, max(limits.passage, 1))
    return tuple(_passage(document, number, text, group) for number, group in enumerate(groups, 1))


def _pieces(unit: Unit, text: str, most: int) -> Iterator[Unit]:
    if unit.end - unit.start <= most:
        yield unit
        return
    start = unit.start
    while start < unit.end:
        stop = min(start + most, unit.end)
        if stop < unit.end:
            # No look farther back than half: a text without white space is cut where it is.
            blank = max(text.rfind(" ", start + most // 2, stop), text.rfind("\n", start + most // 2, stop))
            stop = stop if blank < 0 else blank
        yield Unit(start, stop, SentenceKind.FRAGMENT, unit.headings, (), unit.page, unit.line)
        start = stop
        while start < unit.end and text[start].isspace():
            start += 1


def _groups(units: Iterable[Unit], size: int) -> Iterator[list[Unit]]:
    group: list[Unit] = []
    for unit in units:
        if group and _parts(group, unit, size):
            yield group
            group = []
        group.append(unit)
    if group:
        yield group


def _parts(group: Sequence[Unit], unit: Unit, size: int) -> bool:
    """Whether a new passage begins with this unit."""
    last = group[-1]
    if unit.end - group[0].start > size or unit.page != last.page:
        return True
    return unit.kind is SentenceKind.HEADING and last.kind is not SentenceKind.HEADING


def _passage(document: str, number: int, text: str, units: Sequence[Unit]) -> Passage:
    id_ = f"{document}#{number}"
    sentences = tuple(
        Sentence(
            passage=id_,
            document=document,
            number=place,
            start=unit.start,
            end=unit.end,
            text=text[unit.start : unit.end],
            kind=unit.kind,
            headings=unit.headings,
            fields=unit.fields,
            page=unit.page,
        )
        for place, unit in enumerate(units)
    )
    first, start, end = units[0], units[0].start, units[-1].end
    return Passage(
        id=id_,
        document=document,
        start=start,
        end=end,
        text=text[start:end],
        sentences=sentences,
        headings=first.headings,
        page=first.page,
        line=first.line,
    )
