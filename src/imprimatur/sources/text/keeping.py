"""Whether a conclusion keeps direction, denial, doubt and conditions of the clauses that its numbers are from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.sources.text.addresses import Addresses
from imprimatur.sources.text.evidence import content_of
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.sources.text.operations import Operation
from imprimatur.sources.text.pieces import Part
from imprimatur.sources.text.polarity import negators
from imprimatur.sources.text.words import likeness, opposed_places

__all__ = ["CHANGES", "Keeping"]

_EVERY = frozenset("every any everyone everything everybody anyone".split())
_STANCES = frozenset("for against with without inside outside before after".split())
CHANGES = frozenset(["a - b", "(a - b) / b", "(b - a) / b", "a / b", "|a - b| - |c - d|"])


@dataclass(frozen=True, slots=True)
class Keeping:
    """The clauses of a claim that state a result, beside the clauses of the texts that the numbers are from."""

    claim: Reading
    members: tuple[int, ...]
    addresses: Addresses
    leaves: tuple[Leaf, ...]

    def holds(self, formula: Formula, leaves: Sequence[Leaf], operation: Operation) -> bool:
        """Whether a rise is one and a fall too, and denial, doubt and conditions are kept."""
        return self._directed(formula, operation) and self._turns_kept(formula, leaves, operation)

    def _directed(self, formula: Formula, operation: Operation) -> bool:
        """Whether a rise is one, and a fall: by "from … to" or by the word that the text has."""
        sign = operation.change
        if not sign or operation.sides is not None or len(formula.leaves) < 2 or formula.shape not in CHANGES:
            return True
        if formula.shape == "a / b" and not formula.ratio:
            return True
        a, b = formula.leaves[:2]
        later = self._later(a, b)
        if later is None:
            frames = [frame for leaf in (a, b) if (frame := self.addresses.texts.frame_of(leaf.piece))]
            own = [self.addresses.texts.pieces[k] for frame in frames for k in frame.members]
            verbs = [self.claim.pieces[k] for k in self.members if operation.changes(self.claim.pieces[k])]
            return any(likeness(verb, piece) == 1 for verb in verbs for piece in own)
        earlier = b if later is a else a
        before = same_kind(later, earlier)
        return before is not None and (later.value > before) is (sign > 0)

    def _later(self, a: Leaf, b: Leaf) -> Leaf | None:
        """Which of two numbers is the later one: the second of "from … to …", or not the one behind "from"."""
        for leaf, other in ((a, b), (b, a)):
            dates = self._date_of(leaf), self._date_of(other)
            if None not in dates and dates[0] != dates[1]:
                return leaf if dates[0] > dates[1] else other  # type: ignore[operator]
            if leaf.later or (
                leaf.piece and self.addresses.texts.pieces[leaf.piece - 1].lower == "from" and leaf.partner < 0
            ):
                return leaf if leaf.later else other
        return None

    def _date_of(self, leaf: Leaf) -> tuple[int, int, int] | None:
        """The one date at which a number is said."""
        places = set(self.addresses.dates_of(leaf))
        days = {each.day for each in self.leaves if each.piece in places and each.day is not None}
        return next(iter(days)) if len(days) == 1 else None

    def _turns_kept(self, formula: Formula, leaves: Sequence[Leaf], operation: Operation) -> bool:
        frames = {
            frame.number: frame for leaf in leaves if (frame := self.addresses.texts.frame_of(leaf.piece)) is not None
        }
        denied = any(negators([self.addresses.texts.pieces[k] for k in frame.members]) for frame in frames.values())
        own = bool(negators([self.claim.pieces[k] for k in self.members])) or operation.without
        own = own is not (len(operation.opposed) % 2 == 1)
        if denied is not own and not operation.rest(formula):
            return False
        words = {self.addresses.texts.pieces[k].lower for frame in frames.values() for k in frame.members}
        if not words & _EVERY and any(self._of_all(k) for k in self.members):
            return False
        return not any(self._turned(frame) or self._crossed(frame) for frame in frames.values())

    def _of_all(self, k: int) -> bool:
        """Whether a word says that it is so of all; "every 100 g" says of how much a number is said."""
        after = self.claim.pieces[k + 1 : k + 2]
        return self.claim.pieces[k].lower in _EVERY and not any(piece.figure for piece in after)

    def _crossed(self, frame: Frame) -> bool:
        """Whether the claim has a preposition of which the clause has the opposite alone ("against", "for")."""
        mine = {p.lower for k in self.members if (p := self.claim.pieces[k]).part is Part.PREPOSITION}
        theirs = {p.lower for k in frame.members if (p := self.addresses.texts.pieces[k]).part is Part.PREPOSITION}
        return any(opposed_places(a, b) for a in mine - theirs for b in theirs - mine if {a, b} <= _STANCES)

    def _turned(self, frame: Frame) -> bool:
        """Whether a doubt or condition of the texts' clause is dropped."""
        words = {self.claim.pieces[k].lower for k in self.members}
        said = {lemma for k in self.members for lemma, _ in self.claim.pieces[k].lemmas} | words
        own = [self.addresses.texts.pieces[k] for k in frame.members]
        doubt = {p.lower for p in own if p.part is Part.AUXILIARY} & {"may", "might", "could", "would", "should"}
        if doubt and not said & {"may", "might", "could", "would", "should", "can", "possible", "limit", "up"}:
            return True
        return any(
            other.sentence == frame.sentence
            and other.opener in ("if", "unless", "provided", "providing")
            and other.number in (frame.number - 1, frame.number + 1)
            and not self._half_said(other)
            for other in self.addresses.texts.frames
        )

    def _half_said(self, frame: Frame) -> bool:
        content = content_of(frame, self.addresses.texts.pieces)
        there = {place for k in self.members for place in self.addresses.places(k)}
        return 2 * len([k for k in content if k in there]) >= len(content)
