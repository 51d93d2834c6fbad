"""Whether a formula is what a claim says, with nothing left over: ``Accounting.holds``.

Every name, noun, verb and number of the claim is said of the numbers of the formula, or says how they are put together;
their bounds and "about" are kept; a rise is one and a fall too; denial, conditions and doubt of their clauses are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.extract.words import HAVE
from imprimatur.language import wordnet
from imprimatur.sources.text.addresses import Addresses
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import content_of
from imprimatur.sources.text.formulas import Formula, simple
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.keeping import Keeping
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.sources.text.operations import Operation
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.polarity import negators
from imprimatur.sources.text.targets import Target, meets
from imprimatur.sources.text.words import dimension_nouns, light, likeness, turned, working
from imprimatur.values import Bound

__all__ = ["Accounting"]

#: A noun or name must stand at least so near one of the numbers.
_SURELY = 0.3
#: A bare number of fewer digits tells little.
_TELLING = 2
_TELLING_PARTS = (Part.ADJECTIVE, Part.PARTICIPLE, Part.VERB)
_ABSTRACT = frozenset(["noun.quantity", "noun.attribute", "noun.relation", "noun.time", "noun.shape"])
_SPANS = frozenset("day week month quarter season year decade".split())
_LIMITS = frozenset("limit limited maximum max cap capped most ceiling minimum least up may".split())


@dataclass(frozen=True, slots=True)
class Accounting:
    """The clauses of a claim that state a result, beside the numbers of the texts."""

    claim: Reading
    frames: tuple[Frame, ...]
    members: tuple[int, ...]
    addresses: Addresses
    leaves: tuple[Leaf, ...]

    def holds(
        self, formula: Formula, target: Target, others: Sequence[Target], words: Sequence[int], operation: Operation
    ) -> bool:
        """Whether a formula is what the claim says, with all that it says."""
        leaves = [leaf for leaf in formula.leaves if not leaf.own]
        return (
            bool(leaves)
            and all(self.addressed(leaf, words) for leaf in leaves if not leaf.reference)
            and self._apart(formula, operation, words)
            and not any(self._of_another(leaf, words) for leaf in self._parts(formula, operation))
            and not self._said_otherwise(formula, operation, words)
            and self._sided(formula, operation)
            and self.bounds_kept(formula, target)
            and self._figures_given(formula, target, others, leaves)
            and self._words_said(formula, target, words, leaves, operation)
            and Keeping(self.claim, self.members, self.addresses, self.leaves).holds(formula, leaves, operation)
        )

    def addressed(self, leaf: Leaf, words: Sequence[int]) -> bool:
        """Whether some word of the claim is surely said of a number."""
        return any(self.addresses.near(k, leaf) >= _SURELY for k in words)

    def _apart(self, formula: Formula, operation: Operation, words: Sequence[int]) -> bool:
        """Whether numbers that "and" adds are each spoken of, and what a number is more than is what is spoken of."""
        for leaf in formula.leaves:
            if leaf.reference and not any(p in leaf.reference for k in words for p in self.addresses.places(k)):
                return False
        if formula.shape == "a" and formula.leaves[0].reference:
            leaf = formula.leaves[0]
            head = next((k for k in words if self.claim.pieces[k].part in (Part.NOUN, Part.NAME)), None)
            told = [self.addresses.texts.pieces[k] for k in leaf.reference]
            pronoun = any(piece.part is Part.PRONOUN for piece in told)
            things = any(p.part is Part.NAME or (p.part is Part.NOUN and p.lower not in _SPANS) for p in told)
            if self.addresses.texts.pieces[leaf.piece].lower == "the":
                return True  # "the others take Latin": of whom they are the rest goes without saying
            return pronoun or not things or (head is not None and self.addresses.near(head, leaf) == 1)
        if formula.shape not in ("sum", "(a + b) / c") or "total" in operation.cues:
            return True
        added = formula.leaves[:2] if formula.shape == "(a + b) / c" else formula.leaves
        for leaf in added:
            others = [other for other in added if other is not leaf]
            if not any(
                self.addresses.near(k, leaf) > max(self.addresses.near(k, other) for other in others) for k in words
            ):
                return False
        return True

    def _of_another(self, leaf: Leaf, words: Sequence[int]) -> bool:
        """Whether the clause of a number names something else than the claim does ("plant B 3,150", for plant A)."""
        texts = self.addresses.texts
        home = texts.frame_of(leaf.piece)
        if home is None or leaf.reference:
            return False
        names = (k for k in home.members if texts.pieces[k].part is Part.NAME)
        here = {k for k in names if not texts.pieces[k].text[:1].isdigit()}
        named = {k for k in here if k < leaf.piece}
        mine = [k for k in words if self.claim.pieces[k].part is Part.NAME and self.addresses.places(k)]
        said = any(here & set(self.addresses.places(k)) for k in mine)
        return bool(named and mine) and not said

    def _parts(self, formula: Formula, operation: Operation) -> list[Leaf]:
        """The numbers that must be of what the claim names: not the whole that a part is taken from."""
        leaves = [leaf for leaf in formula.leaves if not leaf.own]
        if operation.sides is not None and operation.sides.part:
            return leaves[:1]
        return leaves[1:] if operation.rest(formula) else leaves

    def _said_otherwise(self, formula: Formula, operation: Operation, words: Sequence[int]) -> bool:
        """Whether all that the claim says is said of the first day, so that it has that day and no later one."""
        if not formula.shape.startswith("day ") or "end" in operation.cues:
            return False
        start, gap = formula.leaves
        homes = [self.addresses.texts.frame_of(leaf.piece) for leaf in (start, gap)]
        if None in homes or homes[0] == homes[1]:
            return False
        told = [k for k in words if not self.claim.pieces[k].figure and self.addresses.places(k)]
        near = self.addresses.near
        return bool(told) and not any(near(k, gap) > near(k, start) for k in told)

    def _sided(self, formula: Formula, operation: Operation) -> bool:
        """Whether each side of a comparison or share surely speaks of its number."""
        sides = operation.sides_for(formula)
        if sides is None or len(formula.leaves) != 2:
            return True
        a, b = formula.leaves
        pairs = [(side, leaf) for side, leaf in ((sides.left, a), (sides.right, b)) if side]
        return all(any(self.addresses.near(k, leaf) >= _SURELY for k in self._telling(side)) for side, leaf in pairs)

    def _telling(self, side: Sequence[int]) -> list[int]:
        content = {k for frame in self.frames for k in content_of(frame, self.claim.pieces)}
        return [k for k in side if k in content]

    def bounds_kept(self, formula: Formula, target: Target) -> bool:
        """Whether "about" and the bounds of the numbers are kept in the result."""
        bounds = {leaf.bound for leaf in formula.leaves if not leaf.own} - {Bound.EXACT}
        if not bounds:
            return True
        stated = target.quantity.bound if target.quantity is not None else Bound.EXACT
        if bounds == {Bound.ABOUT}:
            return stated is Bound.ABOUT
        limiting = any(p.lower in _LIMITS for k in self.members for p in (self.claim.pieces[k],))
        return len(bounds) == 1 and (stated in bounds or limiting) and not target.ratio

    def _figures_given(
        self, formula: Formula, target: Target, others: Sequence[Target], leaves: Sequence[Leaf]
    ) -> bool:
        used = {leaf.piece for leaf in formula.leaves if leaf.own}
        pieces = frozenset(leaf.piece for leaf in leaves)
        for other in others:
            if other.pieces & used:
                continue
            if all(self.addresses.covered(k, leaves) for k in other.pieces if self.claim.pieces[k].figure):
                if any(self.claim.pieces[k].figure for k in other.pieces):
                    continue
                if all(self.addresses.places(k) for k in other.pieces):
                    continue
            if self._count_of(other, formula) or self._also(other, pieces):
                continue
            return False
        ones = [k for k in self.members if self.claim.pieces[k].one and k not in used | target.pieces]
        return all(self._one_given(k, formula) for k in ones)

    def _one_given(self, k: int, formula: Formula) -> bool:
        """Whether a "per day" of the claim is one of the texts, or in the unit of the result."""
        if self.addresses.places(k):
            return True
        return formula.unit is not None and any(power < 0 for _, power in formula.unit.dimension)

    def _count_of(self, other: Target, formula: Formula) -> bool:
        """Whether a number says how many numbers were put together ("the two plants")."""
        quantity = other.quantity
        return quantity is not None and quantity.unit is None and quantity.low.value == len(formula.leaves)

    def _also(self, other: Target, pieces: frozenset[int]) -> bool:
        """Whether another number of the claim is made of the same numbers ("22.7 g, or 27%")."""
        made = [leaf for leaf in self.leaves if leaf.piece in pieces]
        return any(meets(other, each, self.addresses.limits.about) for each in simple(made))

    def _words_said(
        self, formula: Formula, target: Target, words: Sequence[int], leaves: Sequence[Leaf], operation: Operation
    ) -> bool:
        strange = 0
        restated = formula.shape == "a" and not formula.leaves[0].derived
        for k in words:
            piece = self.claim.pieces[k]
            if piece.figure or piece.one:
                continue
            near = max((self.addresses.near(k, leaf) for leaf in leaves), default=0.0)
            if self._only_denied(k):
                return False
            moved = piece.part is Part.NAME and any(self._by_another(leaf) for leaf in leaves)
            if moved and self._elsewhere(k, leaves):
                return False  # "2,000 fewer in June" is not said of May
            thing = piece.part in (Part.NOUN, Part.NAME)
            if self._implied(piece, formula, target):
                continue
            telling = thing or (piece.part in _TELLING_PARTS and not light(piece))
            if near >= _SURELY or (near > 0 and not restated and not (telling and self._elsewhere(k, leaves))):
                continue
            if self._lent(k, leaves):
                continue
            if near > 0 or (restated and self.addresses.places(k)):
                return False
            if operation.names(piece) or working(piece) or (light(piece) and not thing):
                continue
            if piece.lower in _LIMITS and self._limited(formula):
                continue
            if target.bounded or not (self._abstract(piece, target) or self._plain_verb(piece, target, leaves)):
                return False
            strange += 1
        return strange <= 1

    def _by_another(self, leaf: Leaf) -> bool:
        """Whether a number is given as so much more or less than the one before it ("2,000 fewer")."""
        after = self.addresses.texts.pieces[leaf.piece + 1 : leaf.piece + 2]
        return leaf.derived and not leaf.reference and any(sign_of(piece) for piece in after)

    def _only_denied(self, k: int) -> bool:
        """Whether the texts have a noun behind "no" alone ("and no palm oil"), and the claim denies nothing."""
        piece, texts = self.claim.pieces[k], self.addresses.texts
        if piece.part is not Part.NOUN or negators([self.claim.pieces[m] for m in self.members]):
            return False
        before = [{each.lower for each in texts.pieces[max(0, m - 2) : m]} for m in self.addresses.places(k)]
        return bool(before) and all("no" in words for words in before)

    def _lent(self, k: int, leaves: Sequence[Leaf]) -> bool:
        """Whether a verb is that of the clause by which a number is given ("runs 48 nodes; West has 20 fewer")."""
        texts = self.addresses.texts
        for leaf in leaves:
            home = texts.frame_of(leaf.noun) if leaf.derived and leaf.noun >= 0 else None
            own = texts.frame_of(leaf.piece)
            if home is None or own is None or home.number == own.number or own.verb < 0:
                continue
            if home.verb in self.addresses.places(k) and texts.pieces[own.verb].lower in HAVE:
                return True
        return False

    def _limited(self, formula: Formula) -> bool:
        return any(leaf.bound not in (Bound.EXACT, Bound.ABOUT) for leaf in formula.leaves)

    def _plain_verb(self, piece: Piece, target: Target, leaves: Sequence[Leaf]) -> bool:
        """Whether a verb that no text has may say how a telling number belongs to its things, and reverses nothing."""
        if piece.part not in (Part.VERB, Part.PARTICIPLE):
            return False
        quantity = target.quantity
        if quantity is not None and quantity.low.significant < _TELLING and quantity.unit is None:
            return False
        frames = [frame for leaf in leaves if (frame := self.addresses.texts.frame_of(leaf.piece)) is not None]
        own = [self.addresses.texts.pieces[k] for frame in frames for k in frame.members]
        return not any(likeness(piece, text) < 0 or turned(piece, text) for text in own)

    def _elsewhere(self, k: int, leaves: Sequence[Leaf]) -> bool:
        """Whether a word is said of another number of their kind rather than of these."""
        mine = max(self.addresses.near(k, leaf) for leaf in leaves)
        pieces = {leaf.piece for leaf in leaves}
        named = self.claim.pieces[k].part is Part.NAME
        return any(
            self.addresses.near(k, other) > max(mine, _SURELY)
            and (
                named
                or any(other.day is None and same_kind(leaf, other) is not None for leaf in leaves if leaf.day is None)
            )
            for other in self.leaves
            if other.piece not in pieces
            and other.day is None
            and (named or not any(self._of_others(leaf) for leaf in leaves))
        )

    def _of_others(self, leaf: Leaf) -> bool:
        """Whether a number is given as that of another thing, which stands behind "than" or the like."""
        out = leaf.piece and self.addresses.texts.pieces[leaf.piece - 1].lower == "but"
        return bool(leaf.reference) and not out and not self.addresses.of_itself(leaf)

    def _implied(self, piece: Piece, formula: Formula, target: Target) -> bool:
        """Whether the unit of a number itself says what the noun says."""
        nouns = {lemma for lemma, pos in piece.lemmas if pos == "n"}
        stated = [target.quantity.unit] if target.quantity is not None else []
        return any(nouns & dimension_nouns(unit) for unit in (*stated, *(leaf.unit for leaf in formula.leaves)))

    def _abstract(self, piece: Piece, target: Target) -> bool:
        """Whether a word that no text has names a measure and no thing; what takes time may be a journey."""
        nouns = [lemma for lemma, pos in piece.lemmas if pos == "n"]
        unit = target.quantity.unit if target.quantity is not None else None
        timed = unit is not None and unit.dimension in ((("s", 1),), (("yr", 1),))
        kinds = _ABSTRACT | {"noun.act", "noun.event"} if timed else _ABSTRACT
        return piece.part is Part.NOUN and any(wordnet.noun_kind(noun) in kinds for noun in nouns)
