"""What is wrong with one piece of a clause that a frame of the texts does not have, or not there: ``Lacks.fault``.

A word may be missing and yet say nothing beyond what the text has (a light verb, the noun that a unit implies); what
stands elsewhere in the texts counts only where the frame has nothing else in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imprimatur.language import wordnet
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.conditions import case_of
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot, content_of, head_of
from imprimatur.sources.text.figures import Fit, comparable
from imprimatur.sources.text.forces import binding
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.functional import functional
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.rivals import rivals, sibling_of
from imprimatur.sources.text.words import dimension_nouns, light, likeness, static, working
from imprimatur.values import Bound, Quantity
from imprimatur.verdict import Reason

__all__ = ["Lacks"]

_VERBS = (Part.VERB, Part.PARTICIPLE)
_VERBAL = (*_VERBS, Part.ADJECTIVE)

#: Bounds that exclude each other at one value.
_OPPOSITE = (
    {Bound.AT_LEAST, Bound.AT_MOST},
    {Bound.AT_LEAST, Bound.LESS_THAN},
    {Bound.MORE_THAN, Bound.AT_MOST},
    {Bound.MORE_THAN, Bound.LESS_THAN},
)

#: Verbs that tell of what a number is the amount: another verb with it tells of something else.
_SPANS = frozenset("last cost".split())

#: Words that make a plain number a bound.
_LIMITS = {
    Bound.AT_MOST: frozenset("limit cap maximum most ceiling max restrict".split()),
    Bound.AT_LEAST: frozenset("minimum least floor min".split()),
}


@dataclass(frozen=True, slots=True)
class Lacks:
    """The pieces of a claim against the texts; ``inference``: words may say how a number is computed."""

    claim: Reading
    texts: Evidence
    inference: bool

    def fault(self, found: Found, match: Match, added: frozenset[int], *, computed: bool) -> Mark | None:
        """What is wrong with a piece as it was found; None where nothing is."""
        piece = self.claim.pieces[found.piece]
        if found.fit is Fit.HEDGE:
            return _mark(piece, Reason.HEDGE_DROPPED, "the text gives it as about so much")
        if found.fit is Fit.BOUND:
            return self._unbounded(found, match)
        missing = found.spot is Spot.NOWHERE or (found.spot is Spot.FAR and found.sign < 0)
        near = found.spot is Spot.NEAR and (match.frame.elliptic or piece.figure) and piece.part not in _VERBS
        if found.spot is Spot.NEAR and not near:
            return self._displaced(found, match)
        if not missing and found.spot is not Spot.FAR and not near:
            return None
        if missing and self._tolerable(found.piece, match, computed):
            return None
        if found.other in added or (self.inference and computed and working(piece) and not piece.figure):
            return None
        if not missing and self._other_case(found, match):
            return _mark(piece, Reason.CONDITION_DROPPED, "the text says it of another case")
        if not missing and (other := self._spoken_of(found, match)) is not None:
            return _mark(piece, Reason.ROLES_SWAPPED, f"the text says it of “{other.text}”")
        if not missing and (own := self._own_number(found, match)) is not None:
            return _mark(piece, Reason.ROLES_SWAPPED, f"of it the text has “{own.text}”")
        return self._rivalled(found, match, missing=missing)

    def _spoken_of(self, found: Found, match: Match) -> Piece | None:
        """What a relative clause is of, where a piece of the claim stands before it, and is not that."""
        piece, frame = self.claim.pieces[found.piece], match.frame
        home = self.texts.frame_of(found.other)
        if piece.part not in (Part.NAME, Part.NOUN) or home is None or home.sentence != frame.sentence:
            return None
        if match.clause.place(found.piece) not in ("subj", "obj") or found.other > frame.members[0]:
            return None
        around = (*self.claim.pieces[max(0, found.piece - 1) : found.piece], *self.claim.pieces[found.piece + 1 :][:1])
        if any(each.lower in ("of", "'s", "'", "\u2019s", "\u2019") for each in around):
            return None  # "five of the ward's beds" is of the beds
        spoken_of = self.texts.antecedent(frame)
        return self.texts.pieces[spoken_of[-1]] if spoken_of and found.other not in spoken_of else None

    def _unbounded(self, found: Found, match: Match) -> Mark | None:
        """What is wrong with a number whose bound in the text is dropped."""
        piece = self.claim.pieces[found.piece]
        stated, stored = piece.quantity, self.texts.pieces[found.other].quantity
        if stated is not None and stored is not None and self._limiting(match, stated, stored):
            return None
        against = stated is not None and stored is not None and {stated.bound, stored.bound} in _OPPOSITE
        detail = f"the text has “{self.texts.pieces[found.other].text}”"
        return _mark(piece, Reason.COMPARISON_MISMATCH, detail, against=against)

    def _displaced(self, found: Found, match: Match) -> Mark | None:
        """What is wrong with a piece that the frame takes from a neighbour, and has another one in its place."""
        piece = self.claim.pieces[found.piece]
        beside = sibling_of(found, match, self.claim, self.texts)
        if beside is None and piece.part is Part.NAME and not piece.label:
            others = [self.texts.pieces[k] for k in rivals(found, match, self.claim, self.texts)]
            beside = next((each for each in others if each.part is Part.NAME), None)
        return None if beside is None else _mark(piece, Reason.ROLES_SWAPPED, f"the text has “{beside.text}”")

    def _rivalled(self, found: Found, match: Match, *, missing: bool) -> Mark | None:
        """What is wrong with a piece that is in no text, or elsewhere, by what the frame has in its place."""
        piece = self.claim.pieces[found.piece]
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

    def _own_number(self, found: Found, match: Match) -> Piece | None:
        """The number that another clause has of just what the clause speaks of ("but the main branch lends ten")."""
        k, other = found.piece, found.other
        home = self.texts.frame_of(other) if found.spot is Spot.FAR and other >= 0 else None
        if home is None or home.number == match.frame.number or match.clause.place(k) != "subj":
            return None
        mine, theirs = self.claim.pieces[k + 1 : k + 2], self.texts.pieces[other + 1 : other + 2]
        if not mine or not theirs or mine[0].part is not Part.NOUN or likeness(mine[0], theirs[0]) != 1:
            return None
        stated = [self.claim.pieces[f.piece] for f in match.found if f.spot is Spot.HERE]
        own = [self.texts.pieces[m] for m in home.members if m not in match.taken]
        return next((text for text in own if any(p.figure and comparable(p, text) for p in stated)), None)

    def _other_case(self, found: Found, match: Match) -> bool:
        """Whether a word of the clause says in the text on what another clause depends ("once thawed, use it")."""
        home = self.texts.frame_of(found.other) if found.spot is Spot.FAR else None
        if home is None or match.frame.number == home.number or match.clause.opener:
            return False
        piece = self.claim.pieces[found.piece]
        case, lender = case_of(home, self.texts), self.texts.frames[match.frame.number].lender
        state = piece.part in _VERBAL and not piece.lower.endswith("ing")
        return state and case >= 0 and case not in (match.frame.number, lender)

    def _forename(self, k: int) -> bool:
        """Whether a word that begins the sentence begins a name."""
        after = self.claim.pieces[k + 1 : k + 2]
        return self.claim.pieces[k].first and bool(after) and after[0].part is Part.NAME and not after[0].label

    def _tolerable(self, k: int, match: Match, computed: bool) -> bool:
        """Whether a word that no text has says nothing beyond what the texts have."""
        piece = self.claim.pieces[k]
        if piece.figure or piece.part is Part.NAME:
            return False
        little = light(piece) and not any(lemma in _SPANS for lemma, _ in piece.lemmas)
        if piece.part in _VERBS and (little or (static(piece) and self._at_rest(k, match))):
            return True
        own = [self.claim.pieces[m] for m in match.clause.members]
        if piece.part is Part.NOUN and (self._implied(piece, own) or self._anyone(piece, match)):
            return True
        if piece.part in _VERBS and self._capping(piece, match):
            return True
        if binding(piece, [self.texts.pieces[k] for k in match.frame.members]):
            return True
        if self.inference and computed and working(piece):
            return True
        return _reporting(match.clause, self.claim)

    def _at_rest(self, k: int, match: Match) -> bool:
        """Whether a verb that only says how things are leaves out no other verb of the frame."""
        verb = match.frame.verb
        own = self.texts.pieces[verb] if verb >= 0 else None
        said = own is None or verb in match.taken or light(own) or own.part is Part.AUXILIARY
        return said and _rest_here(k, match) and self._subject_kept(match)

    def _capping(self, piece: Piece, match: Match) -> bool:
        """Whether a verb says of a number that it is a limit, as the text has it ("capped at 8%")."""
        bounds = [b for b, words in _LIMITS.items() if any(lemma in words for lemma, _ in piece.lemmas)]
        stored = [self.texts.pieces[f.other].quantity for f in match.found if f.other >= 0 and f.fit is Fit.BOUND]
        return any(quantity is not None and quantity.bound in bounds for quantity in stored)

    def _subject_kept(self, match: Match) -> bool:
        """Whether what the clause has for its subject is none of the frame's other things."""
        head = head_of(match.clause, self.claim.pieces)
        other = next((each.other for each in match.found if each.piece == head), -1)
        own = head_of(match.frame, self.texts.pieces)
        return other not in match.frame.members or own < 0 or match.frame.place(other) == match.frame.place(own)

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
