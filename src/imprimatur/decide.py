"""The decide stage: judged segments and a policy become a decision (DESIGN section 4).

``Plan`` says what happens to each segment; ``draft`` writes it out. Invariants: a segment is released only when the
policy licenses or annotates its label, when a named person waived it, or after its wrong values were replaced; edits
are in order, do not overlap, and ``text[edit.start:edit.end] == edit.before``; whatever was changed must be checked
again before it is released (``oracle`` does so, and gives what fails to ``Plan.without``). Withholding only grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Kind, Segment
from imprimatur.cut import cut
from imprimatur.decision import Abstained, Annotated, Corrected, Decision, Edit, Licensed, Redacted
from imprimatur.examine import Examined
from imprimatur.policy import Action, Policy, Scope
from imprimatur.redact import withheld
from imprimatur.report import JudgedSegment
from imprimatur.trim import trimmed
from imprimatur.waive import is_waived

__all__ = ["Amend", "Amended", "Draft", "Plan", "is_released", "plan"]

#: Segments that only name what others speak of.
_NAMING = (Kind.HEADING, Kind.TABLE_HEADER)
#: Gives the edits that put a segment right, in order; none when that cannot be done surely.
Amend = Callable[[str, JudgedSegment], tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class Amended:
    """A segment that is released with changes: wrong values replaced (``corrected``), or members taken out."""

    number: int
    edits: tuple[Edit, ...]
    corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text to release: ``spans[k]`` is where what is left of segment k stands in it, in code points."""

    text: str
    edits: tuple[Edit, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens to each segment, by number.

    Attributes:
        gone: the segments that are withheld.
        amended: those that are released with changes.
        stop: the first segment that the abstention text replaces, and all behind it; None to release to the end.
    """

    examined: Examined
    policy: Policy
    gone: frozenset[int] = frozenset()
    amended: tuple[Amended, ...] = ()
    stop: int | None = None

    @property
    def changes(self) -> bool:
        """Whether released text differs from what was checked (a stop alone changes nothing before it)."""
        return bool(self.gone or self.amended)

    def without(self, numbers: frozenset[int]) -> Plan:
        """The plan with more segments withheld."""
        kept = tuple(amended for amended in self.amended if amended.number not in numbers)
        return replace(self, gone=self.gone | numbers, amended=kept)

    def until(self, number: int) -> Plan:
        """The plan that releases only what stands before a segment; the rest is withheld."""
        return self.without(frozenset(range(number, self.end)))

    @property
    def end(self) -> int:
        """The number of segments that may be released."""
        return len(self.examined.parts) if self.stop is None else self.stop

    def draft(self) -> Draft:
        """The text that the plan releases, before any abstention text."""
        text, parts = self.examined.text, self.examined.parts[: self.end]
        gone = {number: _queries(self.examined.judged[number]) for number in self.gone}
        edits = withheld(text, parts, gone)
        edits += [edit for amended in self.amended for edit in amended.edits]
        edits.sort(key=lambda edit: edit.start)
        written: list[str] = []
        spans: list[tuple[int, int]] = []
        at, waiting = 0, 0
        for part in parts:
            begin, position = at, part.start
            while waiting < len(edits) and edits[waiting].start < part.end:
                edit = edits[waiting]
                written += [text[position : edit.start], edit.after]
                at += edit.start - position + len(edit.after)
                position, waiting = edit.end, waiting + 1
            written.append(text[position : part.end])
            at += part.end - position
            spans.append((begin, at))
        return Draft(text="".join(written), edits=tuple(edits), spans=tuple(spans))

    def decision(self) -> Decision:
        """The decision, once everything in the draft has been checked."""
        draft = self.draft()
        if self.stop is not None:
            return self._abstained(draft)
        if draft.edits and not self._says_something(draft):
            return Abstained(text=self.policy.abstention_text, edits=(_all_of(self.examined.text, self.policy),))
        if any(amended.corrected for amended in self.amended):
            return Corrected(text=draft.text, edits=draft.edits)
        if draft.edits:
            return Redacted(text=draft.text, edits=draft.edits)
        actions = {self.policy.action(segment.label) for segment in self.examined.judged if not is_waived(segment)}
        return Annotated(text=draft.text) if Action.ANNOTATE in actions else Licensed(text=draft.text)

    def _says_something(self, draft: Draft) -> bool:
        """Whether more is left of the answer than headings, table headers and lines that announce what was withheld."""
        left = zip(self.examined.parts, self.examined.judged, draft.spans)
        return any(_says(part, segment, draft.text[start:end]) for part, segment, (start, end) in left)

    def _abstained(self, draft: Draft) -> Decision:
        text, stop = self.examined.text, self.stop or 0
        part = self.examined.parts[stop]
        said = _gap(draft.text, part.kind) + self.policy.abstention_text
        evidence = _queries(self.examined.judged[stop])
        last = Edit(start=part.start, end=len(text), before=text[part.start :], after=said, evidence=evidence)
        return Abstained(text=draft.text + said, edits=(*draft.edits, last))


def plan(examined: Examined, policy: Policy, amend: Amend) -> Plan:
    """What the policy wants for each segment."""
    gone: set[int] = set()
    amended: list[Amended] = []
    for number, segment in enumerate(examined.judged):
        if is_released(segment, policy):
            continue
        action = policy.action(segment.label)
        if action is Action.ABSTAIN:
            stop = number if policy.scope is Scope.REST else 0
            kept = tuple(each for each in amended if each.number < stop)
            before = frozenset(index for index in gone if index < stop)
            return Plan(examined=examined, policy=policy, gone=before, amended=kept, stop=stop)
        right = amend(examined.text, segment) if action is Action.CORRECT else ()
        edits = right or trimmed(examined.text, segment) or cut(examined.text, segment)
        if edits:
            amended.append(Amended(number, edits, bool(right)))
        else:
            gone.add(number)
    return Plan(examined=examined, policy=policy, gone=frozenset(gone), amended=tuple(amended))


def is_released(segment: JudgedSegment, policy: Policy) -> bool:
    """Whether the policy lets a segment out as it stands."""
    return is_waived(segment) or policy.action(segment.label) in (Action.LICENSE, Action.ANNOTATE)


def _says(part: Segment, segment: JudgedSegment, left: str) -> bool:
    """Whether what is left of a segment says something by itself."""
    if not any(char.isalnum() for char in left):
        return False
    if segment.claims:
        return True
    heads_row = part.kind is Kind.TABLE_CELL and part.row in (None, part.body)
    return part.kind not in _NAMING and not heads_row and not left.rstrip(" \t\r\n*_").endswith(":")


def _queries(segment: JudgedSegment) -> tuple[str, ...]:
    found = (evidence.query for judged in segment.claims for evidence in judged.verdict.evidence)
    return tuple(dict.fromkeys(found))


def _gap(before: str, kind: Kind) -> str:
    """What sets the abstention text off from what stands before it."""
    if not before:
        return ""
    if kind in (Kind.TABLE_CELL, Kind.TABLE_HEADER):
        return "\n\n"
    return "" if before[-1].isspace() else " "


def _all_of(text: str, policy: Policy) -> Edit:
    return Edit(start=0, end=len(text), before=text, after=policy.abstention_text)
