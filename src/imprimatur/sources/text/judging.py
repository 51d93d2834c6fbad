"""What becomes of one clause of a claim: the best that the frames of the texts say of it, and what is left over.

A clause is held against the frames that have most of it; it stands when one of them has all. What is left over is
marked, each mark with its reason and the words at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from imprimatur.sources.text.asserted import graded_up, unasserted
from imprimatur.sources.text.bindings import misbound
from imprimatur.sources.text.comparison import Mark, TextLimits
from imprimatur.sources.text.concluding import conclude
from imprimatur.sources.text.conditions import CASES, governed
from imprimatur.sources.text.enumerated import enumerated
from imprimatur.sources.text.evidence import Evidence, Match, Spot, content_of, head_of
from imprimatur.sources.text.exact import changed, misdated, misplaced
from imprimatur.sources.text.excepting import taken_out
from imprimatur.sources.text.figures import Fit
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.gapping import gapped
from imprimatur.sources.text.joining import misjoined
from imprimatur.sources.text.lacks import Lacks
from imprimatur.sources.text.matching import matches
from imprimatur.sources.text.orders import Order, order_of
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import exchanged
from imprimatur.sources.text.shares import changed_ends, reversed_shares
from imprimatur.sources.text.turns import faults
from imprimatur.sources.text.words import light
from imprimatur.verdict import Reason

__all__ = ["Judging", "Outcome"]


@dataclass(slots=True)
class Outcome:
    """What became of one clause."""

    match: Match | None
    marks: tuple[Mark, ...] = ()
    content: int = 0
    covered: int = 0
    derivation: tuple[str, ...] = ()
    used: tuple[int, ...] = field(default=())

    @property
    def against(self) -> bool:
        """Whether a text says otherwise, of something that it surely speaks of."""
        return any(mark.against for mark in self.marks) and all(m.against for m in self.marks)

    @property
    def silent(self) -> bool:
        """Whether some of the clause is in no text."""
        return any(not mark.against for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Judging:
    """The clauses of a claim against the texts; ``inference``: numbers may follow from theirs by arithmetic."""

    claim: Reading
    texts: Evidence
    limits: TextLimits
    inference: bool

    def outcomes(self, clauses: Sequence[Frame]) -> list[Outcome]:
        """What becomes of the clauses: each by itself; those of a conclusion together, where not all stand so."""
        found = [self.judge(clause) for clause in clauses]
        found = [self._in_its_case(clause, outcome, clauses, found) for clause, outcome in zip(clauses, found)]
        misordered = any(m.reason is Reason.COMPARISON_MISMATCH and m.against for each in found for m in each.marks)
        if not self.inference or misordered or not any(outcome.marks for outcome in found):
            return found
        whole = self._concluded(clauses)
        if whole is not None:
            return [whole]
        return [
            (self._alone(clause, clauses) or outcome) if outcome.marks else outcome
            for clause, outcome in zip(clauses, found, strict=True)
        ]

    def _in_its_case(
        self, clause: Frame, outcome: Outcome, clauses: Sequence[Frame], found: Sequence[Outcome]
    ) -> Outcome:
        """The outcome of a clause, with a mark where it says in which case another one holds, or what it tells, and the
        text has it of another clause.

        "It opens at 5 bar and closes when it rains" has both clauses of "it opens when it rains".
        """
        told = clause.opener == "that" and self._told(clause)
        if not (clause.opener in CASES or told) or outcome.marks or outcome.match is None:
            return outcome
        main = clause.lender if told else governed(clause, self.claim)
        case = outcome.match.frame
        own = next((o.match.frame for c, o in zip(clauses, found) if c.number == main and o.match is not None), None)
        if own is None or not (case.opener in CASES or told) or own.number == case.number:
            return outcome
        at = case.lender if told else governed(case, self.texts)
        if told and case.opener != "that":
            at = case.number - 1  # "the tests showed it lasts nine months"
        if at == own.number or any(self._stands(each, at) for each in clauses if each.number == main):
            return outcome
        start, end = self.claim.pieces[clause.members[0]].start, self.claim.pieces[clause.members[-1]].end
        detail = "the text says it of another case"
        return replace(outcome, marks=(Mark(reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=detail),))

    def _told(self, clause: Frame) -> bool:
        """Whether "that" begins what a verb tells ("showed that it lasts")."""
        at = clause.members[0] - 2
        return at >= 0 and self.claim.pieces[at].part in (Part.VERB, Part.PARTICIPLE)

    def _stands(self, clause: Frame, frame: int) -> bool:
        """Whether a clause is wholly what one frame of the texts says."""
        for match in matches(self.claim, clause, self.texts, self.limits):
            if match.frame.number == frame:
                outcome = self._outcome(match, None, None)
                return outcome is not None and not outcome.marks
        return False

    def _alone(self, clause: Frame, clauses: Sequence[Frame]) -> Outcome | None:
        """The outcome of a clause by itself whose result can be computed, where that of all together cannot."""
        own = self._with_subject(clause)
        return None if own == list(clauses) else self._concluded(own)

    def _with_subject(self, clause: Frame) -> list[Frame]:
        """A clause with those that it takes its subject from."""
        found = [clause]
        while found[0].lender >= 0 and head_of(found[0], self.claim.pieces) < 0 and len(found) < len(self.claim.frames):
            found.insert(0, self.claim.frames[found[0].lender])
        return found

    def _concluded(self, clauses: Sequence[Frame]) -> Outcome | None:
        """The outcome of clauses whose result can be computed."""
        found = conclude(self.claim, clauses, self.texts, self.limits)
        if found is None or misdated(self.claim, self.texts, self.limits):
            return None
        plain = all(len(set(map(str.strip, said.split("=")))) == 1 for said in found.said)
        if plain and self._retold(clauses):
            return None
        content = sum(len(content_of(clause, self.claim.pieces)) for clause in clauses)
        return Outcome(None, (), content, content, found.said, tuple(sorted(found.pieces)))

    def _retold(self, clauses: Sequence[Frame]) -> bool:
        """Whether a clause of which no number was computed says otherwise than the texts what no number tells."""
        for clause in clauses:
            best = next(iter(matches(self.claim, clause, self.texts, self.limits)), None)
            if best is not None and any(changed(best, self.claim, self.texts, computed=True)):
                return True
            if best is not None and any(found.fit is Fit.BOUND for found in best.found):
                return True  # another number of the clause is only bounded in the text
        return False

    def judge(self, clause: Frame) -> Outcome:
        """The best that can be said of a clause; where some frame has all its words, by such frames alone."""
        listed = any(piece.lower == "respectively" for piece in self.texts.pieces)
        order = order_of(clause, self.claim, self.texts) if self.inference and not listed else None
        found = matches(self.claim, clause, self.texts, self.limits)
        best: Outcome | None = None
        for match in [each for each in found if self._has_all(each)] or found:
            outcome = self._outcome(match, order, best)
            if outcome is None:
                continue
            if not outcome.marks:
                return outcome
            if best is None or worse(best, outcome):
                best = outcome
        if best is None:
            start, end = self.claim.pieces[clause.members[0]].start, self.claim.pieces[clause.members[-1]].end
            content = len(content_of(clause, self.claim.pieces))
            return Outcome(None, (Mark(reason=Reason.NO_EVIDENCE, start=start, end=end),), content)
        return best

    def _has_all(self, match: Match) -> bool:
        """Whether a frame has every word of the clause but its numbers, and a verb that says something among them."""
        words = [each for each in match.found if not self.claim.pieces[each.piece].figure]
        if self.inference or not all(each.spot is Spot.HERE and each.sign > 0 for each in words):
            return False
        return any(each.piece == match.clause.verb and not light(self.claim.pieces[each.piece]) for each in words)

    def _outcome(self, match: Match, order: Order | None, best: Outcome | None) -> Outcome | None:
        """What becomes of the clause beside one frame; None as soon as it surely is no better than the best so far."""
        steps, listed = enumerated(match, self.claim, self.texts, self.limits)
        added = self._around(listed)
        lacks = Lacks(self.claim, self.texts, self.inference)
        marks: list[Mark] = []
        covered = 0
        for found in match.found:
            mark = (
                None
                if found.piece in steps or _orders(order, self.claim.pieces[found.piece])
                else lacks.fault(found, match, added, computed=bool(steps) or _holds(order))
            )
            covered += mark is None
            if mark is not None:
                marks.append(mark)
        match.taken = match.taken | listed
        most = 1 << 30 if best is None else len(best.marks) - (covered <= best.covered)
        if len(marks) > most:
            return None
        for mark in self._of_clause(match, order, steps, listed):
            marks.append(mark)
            if len(marks) > most:
                return None
        if not marks and not match.anchored and not steps and not self._rounded(match):
            start, end = (
                self.claim.pieces[match.clause.members[0]].start,
                self.claim.pieces[match.clause.members[-1]].end,
            )
            marks.append(
                Mark(reason=Reason.LOW_COVERAGE, start=start, end=end, detail="no sentence says it as a whole")
            )
            if most < 1:
                return None
        if not marks and not steps:
            marks += misplaced(match, self.claim, self.texts)
            if len(marks) > most:
                return None
        said = [f"{self.claim.pieces[k].text} = {said_}" for k, said_ in steps.items()]
        said += [order.said] if order is not None and order.holds else []
        used = {f.other for f in match.found if f.other >= 0} | listed
        return Outcome(match, tuple(marks), len(match.found), covered, tuple(said), tuple(sorted(used)))

    def _of_clause(
        self, match: Match, order: Order | None, steps: dict[int, str], listed: frozenset[int]
    ) -> Iterator[Mark]:
        """The marks that are not of single pieces: for what the clause turns, joins, binds or puts in another order."""
        both = match, self.claim, self.texts
        yield from (m for m in faults(*both) if not (listed and _excused(m)))
        yield from unasserted(*both)
        yield from misjoined(*both)
        yield from taken_out(*both)
        if not steps and not _holds(order):
            yield from graded_up(*both)
        if not steps:
            yield from misbound(*both, self.limits)
            yield from exchanged(*both)
            yield from gapped(*both)
            yield from reversed_shares(*both)
            yield from changed_ends(*both)
        yield from changed(*both, computed=bool(steps))
        yield from _misordered(order)

    def _rounded(self, match: Match) -> bool:
        """Whether a conclusion says what a clause says, with circumstances that stand in the same text."""
        own = head_of(match.frame, self.texts.pieces)
        figures = [k for k in match.frame.members if self.texts.pieces[k].figure]
        here = {each.other for each in match.found if each.spot is Spot.HERE}
        if not self.inference or not figures or not here.issuperset((own, *figures)):
            return False
        frames = [self.texts.frame_of(each.other) for each in match.found if each.other >= 0]
        keys = {self.texts.key_of(frame.number) for frame in frames if frame is not None}
        return None not in frames and keys == {self.texts.key_of(match.frame.number)}

    def _around(self, listed: Iterable[int]) -> frozenset[int]:
        """The pieces of the clauses from which some numbers come."""
        frames = [frame for k in listed if (frame := self.texts.frame_of(k)) is not None]
        return frozenset(k for frame in frames for k in (*frame.members, *self.texts.lent(frame)))


def _excused(mark: Mark) -> bool:
    return mark.reason in (Reason.NEGATION_MISMATCH, Reason.SCOPE_WIDENED, Reason.CONDITION_DROPPED)


def _holds(order: Order | None) -> bool:
    return order is not None and order.holds is True


def _orders(order: Order | None, piece: Piece) -> bool:
    """Whether a word says which way a comparison goes, which is computed."""
    return order is not None and order.start <= piece.start < order.end


def _misordered(order: Order | None) -> Iterator[Mark]:
    if order is None or order.holds:
        return
    detail = order.said if order.holds is False else "the texts do not give both values"
    yield Mark(
        reason=Reason.COMPARISON_MISMATCH,
        start=order.start,
        end=order.end,
        detail=detail,
        against=order.holds is False,
    )


def worse(old: Outcome, new: Outcome) -> bool:
    """Whether the new outcome has less against it."""
    return (len(new.marks), -new.covered) < (len(old.marks), -old.covered)
