"""The edits that put right what can be of a judged segment: by stored values of the graph, and by texts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from imprimatur.decision import Edit
from imprimatur.report import JudgedSegment

if TYPE_CHECKING:
    from imprimatur.knowledge import Knowledge

__all__ = ["edits_of"]


def edits_of(knowledge: Knowledge, text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    """The edits of a segment of a text, in order; none where two of them meet. Nothing is checked."""
    locale, part = knowledge.config.locale, knowledge.part
    edits: list[Edit] = []
    if part is not None:
        from imprimatur.sources.graph.corrected import corrected

        edits += corrected(text, segment, part.schema, locale=locale)
    if any(judged.claim.prose is not None for judged in segment.claims):
        from imprimatur.sources.text.corrected import corrections

        edits += (edit for judged in segment.claims for edit in corrections(judged, text, locale=locale))
    edits = sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end))
    apart = all(first.end <= second.start for first, second in pairwise(edits))
    return tuple(edits) if apart else ()
