"""What of an answer goes out, settled segment by segment as they are judged (DESIGN section 4).

A stream and a whole text go the same way. As long as nothing is changed, a segment goes out as soon as it is judged
and the policy releases it. From the first change on, the text that goes out is itself examined from there
(``recheck``), for removing a sentence may rebind "it", and a corrected value may be wrong in its new place: a piece
goes out when every segment that it stands in passes; else it is corrected, where the policy wants that and it was not
yet, or withheld, and what follows is examined with that, each piece at most as often as the policy says. Where even
that leads nowhere, everything behind is withheld.

Invariants: what went out is never taken back; it depends only on the segments so far, never on how the text was cut
into chunks; a text of which nothing but headings and announcements is left is replaced by the abstention text.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer, Segment
from imprimatur.decide import GONE, Amend, Fate, decision, fate, gap_before, is_released, queries_of, says
from imprimatur.decision import Abstained, Decision, Edit, composed
from imprimatur.examine import Examination
from imprimatur.frame import Examining, Frame, Tag
from imprimatur.observer import Stage
from imprimatur.policy import Action, Scope
from imprimatur.recheck import Base, Looked, Recheck
from imprimatur.redact import breaks_after, left_of
from imprimatur.report import JudgedSegment
from imprimatur.verdict import Label

__all__ = ["Release"]

#: So many segments are examined before what can be of them is settled, where a second look may start at any of them.
_GROUP = 32
#: What changes nothing of a text before it.
_PLAIN = (Action.LICENSE, Action.ANNOTATE, Action.ABSTAIN)


@dataclass(frozen=True, slots=True)
class _Fed:
    """A piece that was given to the second look: the segment that it is of, and where it stands in the text."""

    number: int
    piece: str
    start: int
    end: int


class Release:
    """The release of one answer.

    Args:
        answer: what belongs to it; of its ``text`` only what ``take`` is told counts.
        amend: gives the edits that put a segment right.
    """

    def __init__(self, answer: Answer, frame: Frame, amend: Amend) -> None:
        policy = frame.policy
        self.answer = replace(answer, text="")
        self.frame = frame
        self.examination = Examination(
            self.answer, frame, marks=any(action not in _PLAIN for _, action in policy.actions)
        )
        self.stopped = False
        self.whole = policy.scope is Scope.ANSWER and any(action is Action.ABSTAIN for _, action in policy.actions)
        self._amend = amend
        self._tags: list[Tag] = []
        self._fates: list[Fate] = []
        self._text = ""  # what is settled to go out
        self._edits: list[Edit] = []
        self._settled = 0  # so many segments are settled
        self._breaks = 2
        self._corrected = self._speaks = False
        self._check: Recheck | None = None
        self._base: Base | None = None
        self._fed: deque[_Fed] = deque()
        self._tries: Counter[int] = Counter()
        self._worded: set[int] = set()  # the segments for which a corrector's words were taken
        self._halted = False

    @property
    def released(self) -> str:
        """What may go out by now; a later value goes on from it."""
        if self.whole or not (self._speaks or self.stopped):
            return ""
        return self._abstained().text if self.stopped else self._text

    def take(
        self, text: str, parts: Sequence[Segment], *, seen: int | None = None, tags: Sequence[Tag] = ()
    ) -> Examining[None]:
        """Examines and settles further segments; the arguments are those of ``Examination.take``."""
        self._tags += tags
        step = _GROUP if self.examination.marks is not None else max(len(parts), 1)
        for at in range(0, len(parts), step):
            left = None if seen is None else max(seen - at, 0)
            group = slice(at, at + step)
            yield from self.examination.take(text, parts[group], seen=left, tags=tags[group])
            with self.frame.observer.stage(Stage.DECIDE):
                yield from self._judged(text)

    def _judged(self, text: str) -> Examining[None]:
        """Settles what can be of the segments that have been judged."""
        for segment in self.examination.judged[len(self._fates) :]:
            if self.stopped:
                return
            found = fate(text, segment, self.frame.policy, self._amend)
            if not found.corrected and not self._halted and self._corrects(segment):
                found = (yield from self._proposed(len(self._fates))) or found
            if found.stops:
                self.stopped = True
                yield from self._settle(ended=True)
            else:
                self._fates.append(GONE if self._halted else found)
                yield from self._settle(ended=False)

    def finish(self) -> Examining[Decision]:
        """The decision on the answer, which ends here."""
        policy = self.frame.policy
        with self.frame.observer.stage(Stage.DECIDE):
            if self.stopped:
                return self._abstained()
            yield from self._settle(ended=True)
            if self._edits and not self._speaks:
                return self._nothing()
            return decision(self._text, self._edits, self.examination.judged, policy, corrected=self._corrected)

    def _nothing(self) -> Abstained:
        """Nothing of the answer goes out."""
        text, said = self.examination.text, self.frame.policy.abstention_text
        return Abstained(text=said, edits=(Edit(start=0, end=len(text), before=text, after=said),))

    def _abstained(self) -> Abstained:
        """The abstention text in place of the first segment that the policy abstains on, and of all behind it."""
        number = 0 if self.whole else len(self._fates)
        text, part = self.examination.text, self.examination.parts[number]
        before, edits = ("", []) if self.whole else (self._text, self._edits)
        said = gap_before(before, part.kind) + self.frame.policy.abstention_text
        evidence = queries_of(self.examination.judged[number])
        last = Edit(start=part.start, end=len(text), before=text[part.start :], after=said, evidence=evidence)
        return Abstained(text=before + said, edits=(*edits, last))

    # -- settling -----------------------------------------------------------------------------------------------------
    def _settle(self, *, ended: bool) -> Examining[None]:
        """Settles what can be; ``ended``: no further segment comes before what is released ends."""
        while self._check is None and self._settled < len(self._fates):
            number = self._settled
            if self._fates[number].kept and not self._fates[number].edits:
                self._commit(number, self._piece(number, self._breaks, ended=ended) or "")
            elif self.frame.policy.rounds:
                self._look_again()
            else:
                self._halt()
                break
        if self._halted:
            self._withhold_rest()
        elif self._check is not None:
            yield from self._advance(ended=ended)
        self.examination.forget(self._settled - 1)

    def _look_again(self) -> None:
        """Starts the second look, at the last segment that is settled."""
        if self._base is None:
            number = max(self._settled - 1, 0)
            parts = self.examination.parts
            tag = self._tags[number] if self._tags else None
            self._base = Base(self.examination.mark(number), parts[number].start, tuple(parts[:number]), tag)
        self._fed.clear()
        self._check = Recheck(replace(self.answer, text=self._text), self.frame, self._base)

    def _advance(self, *, ended: bool) -> Examining[None]:
        """Goes on with the second look as far as the pieces are known."""
        closed = False
        while self._check is not None and not self._halted:
            looked = yield from self._check.look()
            if looked is not None:
                closed = (yield from self._weigh(looked)) and closed
            elif not self._feed(ended=ended):
                if closed:
                    self._commit_fed(len(self._check.text))
                if closed or not ended:
                    break
                self._check.end()
                closed = True
        if self._halted:
            self._withhold_rest()

    def _feed(self, *, ended: bool) -> bool:
        """Gives the second look its next piece; False when none is known."""
        assert self._check is not None
        number = self._fed[-1].number + 1 if self._fed else self._settled
        if number >= len(self._fates):
            return False
        breaks = self._breaks
        for fed in self._fed:
            breaks = breaks_after(fed.piece, breaks)
        piece = self._piece(number, breaks, ended=ended)
        if piece is None:
            return False
        start, end = self._check.feed(piece, self._tags[number] if self._tags else None)
        self._fed.append(_Fed(number, piece, start, end))
        return True

    def _weigh(self, looked: Looked) -> Examining[bool]:
        """Settles the pieces that a segment of the outgoing text ends, or withholds those that it fails with.

        Returns whether the second look goes on; else it starts anew, without them or with other words for them.
        """
        segment = looked.segment
        there = [fed for fed in self._fed if fed.start < segment.end and fed.end > segment.start]
        released = is_released(segment, self.frame.policy)
        if released and not self._turned(there, segment):
            if self._commit_fed(segment.end):
                self._base = looked.base
            return True
        failing = [fed.number for fed in there]
        if released:  # rather what a corrector wrote than what was right before
            failing = [fed.number for fed in self._fed if self._fates[fed.number].proposed] or failing
        if not any(self._fates[number].kept for number in failing):
            self._halt()
            return False
        for fed in self._fed:
            self._tries[fed.number] += 1
            if self._tries[fed.number] >= self.frame.policy.rounds:
                self._fates[fed.number] = GONE
            elif fed.number in failing:
                alone = len(failing) == 1 and not released
                self._fates[fed.number] = (yield from self._again(fed, segment)) if alone else GONE
        self._look_again()
        return False

    # -- correcting ---------------------------------------------------------------------------------------------------
    def _corrects(self, segment: JudgedSegment) -> bool:
        """Whether a corrector may be asked about a segment: it is to be corrected, or taken out where others are."""
        policy, correcting = self.frame.policy, self.frame.correcting
        if correcting is None or is_released(segment, policy) or segment.label not in correcting.correction.labels:
            return False
        return policy.action(segment.label) in (Action.CORRECT, Action.REDACT)

    def _proposed(self, number: int) -> Examining[Fate | None]:
        """A segment in the words of the corrector; None where there is none, or nothing that it says may be taken."""
        from imprimatur.correcting import Failed, mended  # most answers need none of it

        examined, first = self.examination, max(number - 1, 0)
        parts = tuple(examined.parts[: number + 1])
        failed = Failed(
            answer=self.answer,
            text=examined.text[: parts[-1].end],
            parts=parts,
            judged=tuple(examined.judged[: number + 1]),
            base=Base(examined.mark(first), parts[first].start, parts[:first]),
        )
        edits = yield from mended(failed, self.frame)
        if not edits:
            return None
        self._worded.add(number)
        return Fate(edits=edits, corrected=True, proposed=True)

    def _turned(self, there: Sequence[_Fed], segment: JudgedSegment) -> bool:
        """Whether a segment that stands as it was says something else behind what a corrector wrote."""
        if not any(self._fates[number].kept for number in self._worded):
            return False
        from imprimatur.sense import is_kept

        whole = (self.examination.judged[fed.number] for fed in there if not self._fates[fed.number].edits)
        before = (judged for each in whole if each.label is Label.SUPPORTED for judged in each.claims)
        return any(not is_kept(judged, segment.claims) for judged in before)

    def _again(self, fed: _Fed, segment: JudgedSegment) -> Examining[Fate]:
        """What happens to a piece that failed as it goes out: what can be of it is changed once more, on what was."""
        assert self._check is not None
        text, part = self._check.text, self.examination.parts[fed.number]
        before = self._fates[fed.number]
        if not before.kept or before.proposed or segment.start < fed.start or segment.end > fed.end:
            return GONE
        found = fate(text, segment, self.frame.policy, self._amend)
        proposed: Fate | None = None
        if not found.corrected and before.corrected and self._corrects(segment):
            proposed = yield from self._proposed(fed.number)
        if proposed is not None:
            return proposed
        if not found.edits:
            return GONE
        by = part.start - fed.start
        further = [replace(edit, start=edit.start + by, end=edit.end + by) for edit in found.edits]
        whole = self.examination.text[: part.end]
        edits = composed(whole, before.edits, further)
        corrected = found.corrected or (before.corrected and any(edit in before.edits for edit in edits))
        return Fate(edits=edits, corrected=corrected)

    def _commit_fed(self, end: int) -> bool:
        """Settles the pieces that end by a place in the outgoing text; whether there were any."""
        before = self._settled
        while self._fed and self._fed[0].end <= end:
            fed = self._fed.popleft()
            self._commit(fed.number, fed.piece)
        return self._settled > before

    def _halt(self) -> None:
        """Nothing that is not settled by now goes out."""
        self._halted = True
        self._check = None
        self._fed.clear()
        self._fates[self._settled :] = [GONE] * (len(self._fates) - self._settled)

    def _withhold_rest(self) -> None:
        while self._settled < len(self._fates):
            self._commit(self._settled, self._piece(self._settled, self._breaks, ended=True) or "")

    def _commit(self, number: int, piece: str) -> None:
        """Settles that a piece stands for a segment in what goes out."""
        part, judged, found = self.examination.parts[number], self.examination.judged[number], self._fates[number]
        self._text += piece
        self._breaks = breaks_after(piece, self._breaks)
        self._settled = number + 1
        self._edits += found.edits
        self._corrected |= found.corrected
        if not found.kept:
            before = self.examination.text[part.start : part.end]
            evidence = queries_of(judged)
            self._edits.append(Edit(start=part.start, end=part.end, before=before, after=piece, evidence=evidence))
        self._speaks |= says(part, judged, piece)

    def _piece(self, number: int, breaks: int, *, ended: bool) -> str | None:
        """What goes out in place of a segment; None while that is not known."""
        text, part, found = self.examination.text, self.examination.parts[number], self._fates[number]
        if found.kept:
            written, at = [], part.start
            for edit in found.edits:
                written += [text[at : edit.start], edit.after]
                at = edit.end
            return "".join([*written, text[at : part.end]])
        parts = self.examination.parts[: len(self._fates)]
        return left_of(text, parts, number, kept=lambda n: self._kept(n, ended=ended), breaks=breaks)

    def _kept(self, number: int, *, ended: bool) -> bool | None:
        """Whether a segment stays, as far as is known."""
        if number < len(self._fates):
            return self._fates[number].kept
        return False if ended or self._halted else None
