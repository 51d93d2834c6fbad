"""The last look-ups of judging: another extractor and trained judges hear what was found, and only lower it.

Both are asked about all segments of a ``take`` at once. Where there is neither, nothing here costs anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer
from imprimatur.extract.extracted import Extracted
from imprimatur.frame import Examining, Frame
from imprimatur.hearing import hearing_of
from imprimatur.report import JudgedClaim, JudgedSegment

__all__ = ["Read", "confirmed", "heard"]


@dataclass(frozen=True, slots=True)
class Read:
    """A segment that was read, with its claims as sources judge them, and what only the extractor reads in it."""

    extracted: Extracted
    claims: tuple[JudgedClaim, ...]
    prose: tuple[JudgedClaim, ...] = ()
    strangers: tuple[JudgedClaim, ...] = ()


def confirmed(
    found: Sequence[Read | JudgedSegment], answer: Answer, frame: Frame, before: str
) -> Examining[list[Read | JudgedSegment]]:
    """What was read, after the extractor was asked about what is supported in it, or said to be no claim.

    Args:
        before: the words of the segment that was read before them.
    """
    extraction = frame.extraction
    if extraction is None:
        return list(found)
    from imprimatur.confirming import Confirming, confirmed_by, part_of
    from imprimatur.extractors.reading_back import ReadBack

    parts = []
    for each in found:
        if isinstance(each, Read):
            claims = (*each.claims, *each.prose)
            part = part_of(each.extracted, claims, answer, before, writes=extraction.opened.writes)
            parts += [part] if part is not None else []
            before = answer.text[slice(*each.extracted.segment.body)]
    if not parts:
        return list(found)
    back = ReadBack(frame.lexicon, frame.options, late=lambda: frame.left() <= 0)
    confirming = Confirming(extraction, back, tuple(parts), frame.left)
    lowered, strangers = confirmed_by(confirming, (yield confirming))
    return [
        replace(
            each,
            claims=tuple(lowered.get(id(judged), judged) for judged in each.claims),
            prose=tuple(lowered.get(id(judged), judged) for judged in each.prose),
            strangers=tuple(s for s in (strangers.get(each.extracted.segment.start),) if s is not None),
        )
        if isinstance(each, Read)
        else each
        for each in found
    ]


def heard(found: Sequence[Read | JudgedSegment], answer: Answer, frame: Frame) -> Examining[list[Read | JudgedSegment]]:
    """What was read, after the trained judges were heard about what is supported in it."""
    if frame.panel is None:
        return list(found)
    claims = [judged for each in found if isinstance(each, Read) for judged in (*each.claims, *each.prose)]
    hearing = hearing_of(claims, answer, frame.panel, behind=frame.behind, left=frame.left)
    if hearing is None:
        return list(found)
    heard = hearing.lowered((yield hearing))
    return [
        replace(
            each,
            claims=tuple(heard.get(id(judged), judged) for judged in each.claims),
            prose=tuple(heard.get(id(judged), judged) for judged in each.prose),
        )
        if isinstance(each, Read)
        else each
        for each in found
    ]
