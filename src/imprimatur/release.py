"""From a plan to a decision: all changed text is checked again from the start before it is released (DESIGN section 4).

Removing a sentence may rebind "it", and a corrected value may be wrong in its new place: a segment that fails in the
changed text is withheld as well, and the text checked again, at most as often as the policy says. What then still fails
is withheld with all that follows it, which is sound because a verdict depends on nothing behind its segment.
"""

from __future__ import annotations

from dataclasses import replace

from imprimatur.answer import Answer, Kind, Segment
from imprimatur.decide import Draft, Plan, is_released
from imprimatur.decision import Decision
from imprimatur.examine import Examined, Examining, Frame, examine

__all__ = ["release"]


def release(answer: Answer, plan: Plan, frame: Frame) -> Examining[Decision]:
    """The decision that a plan leads to."""
    if not plan.changes:
        return plan.decision()
    for _ in range(frame.policy.rounds):
        draft = plan.draft()
        again = yield from examine(replace(answer, text=draft.text), _frame(frame, draft))
        failing = _failing(again, draft, plan, frame)
        if not failing:
            return plan.decision()
        last = plan
        plan = plan.without(failing)
        if plan == last:
            break
    return plan.until(_first_changed(plan)).decision()


def _frame(frame: Frame, draft: Draft) -> Frame:
    """The frame for a changed text: ready-made claims stay apart, each with its tag."""
    if frame.parts is None:
        return frame
    kept = [number for number, (start, end) in enumerate(draft.spans) if draft.text[start:end].strip()]
    spans = [draft.spans[number] for number in kept]
    parts = tuple(Segment(start, end, Kind.SENTENCE, _body(draft.text, start, end)) for start, end in spans)
    return replace(frame, parts=parts, tags=tuple(frame.tags[number] for number in kept))


def _body(text: str, start: int, end: int) -> tuple[int, int]:
    return start, start + len(text[start:end].rstrip())


def _failing(again: Examined, draft: Draft, plan: Plan, frame: Frame) -> frozenset[int]:
    """The segments of the answer that stand where the draft fails and are not withheld yet."""
    found: set[int] = set()
    number = 0
    for segment in again.judged:
        if is_released(segment, frame.policy):
            continue
        while number < len(draft.spans) and draft.spans[number][1] <= segment.start:
            number += 1
        reached = number
        while reached < len(draft.spans) and draft.spans[reached][0] < segment.end:
            found.add(reached)
            reached += 1
    return frozenset(found)


def _first_changed(plan: Plan) -> int:
    return min([*plan.gone, *(amended.number for amended in plan.amended)])
