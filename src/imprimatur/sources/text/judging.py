"""What becomes of one clause of a claim: the best that the frames of the texts say of it, and what is left over.

A clause is held against the frames that have most of it; it stands when one of them has all. What is left over is
marked, each mark with its reason and the words at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from imprimatur.language import wordnet
from imprimatur.sources.text.asserted import graded_up, unasserted
from imprimatur.sources.text.bindings import misbound
from imprimatur.sources.text.comparison import Mark, TextLimits
from imprimatur.sources.text.concluding import conclude
from imprimatur.sources.text.enumerated import enumerated
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot, content_of, head_of
from imprimatur.sources.text.figures import Fit
from imprimatur.sources.text.forces import binding
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.functional import functional
from imprimatur.sources.text.joining import misjoined
from imprimatur.sources.text.matching import matches
from imprimatur.sources.text.orders import Order, order_of
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.rivals import rivals, sibling_of
from imprimatur.sources.text.roles import exchanged
from imprimatur.sources.text.shares import changed_ends, reversed_shares
from imprimatur.sources.text.turns import faults
from imprimatur.sources.text.words import dimension_nouns, light, static, working
from imprimatur.values import Bound, Quantity
from imprimatur.verdict import Reason

__all__ = ["Judging", "Outcome"]

_VERBS = (Part.VERB, Part.PARTICIPLE)

#: Bounds that exclude each other at one value.
_OPPOSITE = (
    {Bound.AT_LEAST, Bound.AT_MOST},
    {Bound.AT_LEAST, Bound.LESS_THAN},
    {Bound.MORE_THAN, Bound.AT_MOST},
    {Bound.MORE_THAN, Bound.LESS_THAN},
)


#: Words that make a plain number a bound.
_LIMITS = {
    Bound.AT_MOST: frozenset("limit cap maximum most ceiling max restrict".split()),
    Bound.AT_LEAST: frozenset("minimum least floor min".split()),
}


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
        if found is None:
            return None
        content = sum(len(content_of(clause, self.claim.pieces)) for clause in clauses)
        return Outcome(None, (), content, content, found.said, tuple(sorted(found.pieces)))

    def judge(self, clause: Frame) -> Outcome:
        """The best that can be said of a clause; where some frame has all its words, by such frames alone."""
        order = order_of(clause, self.claim, self.texts) if self.inference else None
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
        marks: list[Mark] = []
        covered = 0
        for found in match.found:
            mark = (
                None
                if found.piece in steps or _orders(order, self.claim.pieces[found.piece])
                else self._fault(found, match, added, computed=bool(steps) or _holds(order))
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
        if not steps and not _holds(order):
            yield from graded_up(*both)
        if not steps:
            yield from misbound(*both, self.limits)
            yield from exchanged(*both)
            yield from reversed_shares(*both)
            yield from changed_ends(*both)
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

    def _fault(self, found: Found, match: Match, added: frozenset[int], *, computed: bool) -> Mark | None:
        piece = self.claim.pieces[found.piece]
        if found.fit is Fit.HEDGE:
            return _mark(piece, Reason.HEDGE_DROPPED, "the text gives it as about so much")
        if found.fit is Fit.BOUND:
            stated, stored = piece.quantity, self.texts.pieces[found.other].quantity
            if stated is not None and stored is not None and self._limiting(match, stated, stored):
                return None
            return _mark(
                piece,
                Reason.COMPARISON_MISMATCH,
                f"the text has “{self.texts.pieces[found.other].text}”",
                against=stated is not None and stored is not None and {stated.bound, stored.bound} in _OPPOSITE,
            )
        missing = found.spot is Spot.NOWHERE or (found.spot is Spot.FAR and found.sign < 0)
        near = found.spot is Spot.NEAR and (match.frame.elliptic or piece.figure) and piece.part not in _VERBS
        if found.spot is Spot.NEAR and not near:
            beside = sibling_of(found, match, self.claim, self.texts)
            if beside is None and piece.part is Part.NAME and not piece.label:
                others = [self.texts.pieces[k] for k in rivals(found, match, self.claim, self.texts)]
                beside = next((each for each in others if each.part is Part.NAME), None)
            return None if beside is None else _mark(piece, Reason.ROLES_SWAPPED, f"the text has “{beside.text}”")
        if not missing and found.spot is not Spot.FAR and not near:
            return None
        if missing and self._tolerable(found.piece, match, computed):
            return None
        if found.other in added or (self.inference and computed and working(piece) and not piece.figure):
            return None
        others = [self.texts.pieces[k] for k in rivals(found, match, self.claim, self.texts)]
        if not missing and (not others or (piece.part in _VERBS and light(piece))):
            return None
        told = f"the text has “{others[0].text}”" if others else "no cited text has it"
        named = piece.part is Part.NAME or self._forename(found.piece)
        named = named or (piece.first and bool(others) and _named(piece, others[0]))
        reason = _reason(piece, named, missing=missing)
        rival = bool(others) and _close(match)
        sure = reason in (Reason.NUMBER_NOT_IN_SOURCE, Reason.ROLES_SWAPPED)
        named = reason is Reason.UNSUPPORTED_NAME
        sure = sure or (named and (_timed(piece, others) or functional(match, self.claim, self.texts)))
        return replace(_mark(piece, reason, told, against=rival and sure), rival=rival)

    def _limiting(self, match: Match, stated: Quantity, stored: Quantity) -> bool:
        """Whether the clause says with a noun or verb of its own that a plain number is a limit, as the text does."""
        words = _LIMITS.get(stored.bound, frozenset())
        own = [self.claim.pieces[k] for k in match.clause.members]
        named = any(piece.lower in words or any(lemma in words for lemma, _ in piece.lemmas) for piece in own)
        return named and stated.bound is Bound.EXACT

    def _forename(self, k: int) -> bool:
        """Whether a word that begins the sentence begins a name."""
        after = self.claim.pieces[k + 1 : k + 2]
        return self.claim.pieces[k].first and bool(after) and after[0].part is Part.NAME and not after[0].label

    def _tolerable(self, k: int, match: Match, computed: bool) -> bool:
        """Whether a word that no text has says nothing beyond what the texts have."""
        piece = self.claim.pieces[k]
        if piece.figure or piece.part is Part.NAME:
            return False
        if piece.part in _VERBS and (light(piece) or (static(piece) and _rest_here(k, match))):
            return True
        own = [self.claim.pieces[m] for m in match.clause.members]
        if piece.part is Part.NOUN and (self._implied(piece, own) or self._anyone(piece, match)):
            return True
        if binding(piece, [self.texts.pieces[k] for k in match.frame.members]):
            return True
        if self.inference and computed and working(piece):
            return True
        return _reporting(match.clause, self.claim)

    def _anyone(self, piece: Piece, match: Match) -> bool:
        """Whether the text says it of anyone, and the word is one for a person."""
        around = {self.texts.pieces[k].lower for k in (*match.frame.members, *self.texts.lent(match.frame))}
        return bool(around & _ANYONE) and any(
            wordnet.noun_kind(lemma) == "noun.person" for lemma, pos in piece.lemmas if pos == "n"
        )

    def _implied(self, piece: Piece, own: Sequence[Piece]) -> bool:
        """Whether a number of the clause implies the noun: "a pressure of 600 kPa"."""
        nouns = {lemma for lemma, pos in piece.lemmas if pos == "n"}
        units = [p.quantity.unit for p in own if p.quantity is not None and not p.label]
        return any(nouns & dimension_nouns(unit) for unit in units)


def _named(piece: Piece, other: Piece) -> bool:
    """Whether a word that begins the sentence stands in the place of a name."""
    return other.part is Part.NAME or (_proper(piece) and _proper(other))


def _proper(piece: Piece) -> bool:
    """Whether a word is a name, or begins a sentence and may be one."""
    kinds = {wordnet.noun_kind(lemma) for lemma, pos in piece.lemmas if pos == "n"}
    return piece.part is Part.NAME or (piece.first and bool(kinds & {"noun.location", "noun.person", "noun.group"}))


def _timed(piece: Piece, others: Sequence[Piece]) -> bool:
    """Whether both are times of day or days of a year."""
    return all(each.lower[:1].isdigit() and not each.label for each in (piece, *others[:1]))


_ANYONE = frozenset("anyone anybody whoever everyone everybody".split())


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


def _reason(piece: Piece, named: bool, *, missing: bool) -> Reason:
    if piece.figure:
        return Reason.NUMBER_NOT_IN_SOURCE
    if missing:
        return Reason.UNSUPPORTED_NAME if named else Reason.LOW_COVERAGE
    return Reason.ROLES_SWAPPED


def _mark(piece: Piece, reason: Reason, detail: str, *, against: bool = False) -> Mark:
    return Mark(reason=reason, start=piece.start, end=piece.end, detail=detail, against=against)


def _close(match: Match) -> bool:
    """Whether the frame surely speaks of the same: it has all of the clause but what is at fault, or nearly."""
    missing = sum(found.spot in (Spot.NOWHERE, Spot.FAR) for found in match.found)
    return len(match.found) > 1 and missing <= max(1, len(match.found) // 3)


def _rest_here(k: int, match: Match) -> bool:
    """Whether all of a clause but one piece, of which the texts have no opposite, is in the frame."""
    if any(found.piece == k and found.spot is not Spot.NOWHERE for found in match.found):
        return False
    others = [found for found in match.found if found.piece != k]
    return len(others) > 1 and all(found.spot in (Spot.HERE, Spot.NEAR) for found in others)


def _reporting(clause: Frame, claim: Reading) -> bool:
    """Whether a clause only says that a text says what follows ("the note warns that")."""
    after = next((frame for frame in claim.frames if frame.number == clause.number + 1), None)
    if after is None or after.opener != "that" or clause.verb < 0:
        return False
    content = [claim.pieces[k] for k in content_of(clause, claim.pieces)]
    if any(piece.part is Part.NAME or piece.figure for piece in content):
        return False
    nouns = [lemma for p in content if p.part is Part.NOUN for lemma, pos in p.lemmas if pos == "n"]
    return any(wordnet.noun_kind(noun) == "noun.communication" for noun in nouns)


def worse(old: Outcome, new: Outcome) -> bool:
    """Whether the new outcome has less against it."""
    return (len(new.marks), -new.covered) < (len(old.marks), -old.covered)
