"""The decide stage: what a policy does to each judged segment, and what becomes of the answer (DESIGN section 4).

``fate`` says what happens to one segment, whatever stands around it. Invariants: a segment is released only when the
policy licenses or annotates its label, when a named person waived it, or after its wrong values were replaced; edits
are in order, do not overlap, and ``text[edit.start:edit.end] == edit.before``; whatever was changed must be checked
again before it is released (``release`` does so).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Kind, Segment
from imprimatur.cut import cut
from imprimatur.decision import Annotated, Corrected, Decision, Edit, Licensed, Redacted
from imprimatur.policy import Action, Policy
from imprimatur.report import JudgedSegment
from imprimatur.trim import trimmed
from imprimatur.waive import is_waived

__all__ = ["GONE", "STOP", "Amend", "Fate", "decision", "fate", "gap_before", "is_released", "queries_of", "says"]

#: Segments that only name what others speak of.
_NAMING = (Kind.HEADING, Kind.TABLE_HEADER)
#: Gives the edits that put a segment right, in order; none when that cannot be done surely.
Amend = Callable[[str, JudgedSegment], tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to a segment.

    Attributes:
        kept: whether it is released: as it stands, or with ``edits``.
        edits: what is changed in it.
        corrected: whether the edits replace wrong values; else they take members or clauses out.
        proposed: whether a corrector proposed them.
        stops: whether the abstention text stands in its place and that of all behind it.
    """

    kept: bool = True
    edits: tuple[Edit, ...] = ()
    corrected: bool = False
    stops: bool = False
    proposed: bool = False


AS_IT_IS = Fate()
GONE = Fate(kept=False)
STOP = Fate(kept=False, stops=True)


def fate(text: str, segment: JudgedSegment, policy: Policy, amend: Amend) -> Fate:
    """What the policy wants for a segment of a text."""
    if is_released(segment, policy):
        return AS_IT_IS
    action = policy.action(segment.label)
    if action is Action.ABSTAIN:
        return STOP
    right = amend(text, segment) if action is Action.CORRECT else ()
    edits = right or trimmed(text, segment) or cut(text, segment)
    return Fate(edits=edits, corrected=bool(right)) if edits else GONE


def is_released(segment: JudgedSegment, policy: Policy) -> bool:
    """Whether the policy lets a segment out as it stands."""
    return is_waived(segment) or policy.action(segment.label) in (Action.LICENSE, Action.ANNOTATE)


def decision(
    text: str, edits: Sequence[Edit], judged: Sequence[JudgedSegment], policy: Policy, *, corrected: bool
) -> Decision:
    """The decision on an answer of which ``text`` is released, to its end."""
    if corrected:
        return Corrected(text=text, edits=tuple(edits))
    if edits:
        return Redacted(text=text, edits=tuple(edits))
    actions = {policy.action(segment.label) for segment in judged if not is_waived(segment)}
    return Annotated(text=text) if Action.ANNOTATE in actions else Licensed(text=text)


def says(part: Segment, segment: JudgedSegment, left: str) -> bool:
    """Whether what is left of a segment says something by itself; headings and announcements of lists do not."""
    if not any(char.isalnum() for char in left):
        return False
    if segment.claims:
        return True
    heads_row = part.kind is Kind.TABLE_CELL and part.row in (None, part.body)
    return part.kind not in _NAMING and not heads_row and not left.rstrip(" \t\r\n*_").endswith(":")


def queries_of(segment: JudgedSegment) -> tuple[str, ...]:
    """The queries of the evidence on a segment."""
    found = (evidence.query for judged in segment.claims for evidence in judged.verdict.evidence)
    return tuple(dict.fromkeys(found))


def gap_before(before: str, kind: Kind) -> str:
    """What sets the abstention text off from what stands before it."""
    if not before:
        return ""
    if kind in (Kind.TABLE_CELL, Kind.TABLE_HEADER):
        return "\n\n"
    return "" if before[-1].isspace() else " "
