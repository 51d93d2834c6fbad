"""Whether a claim is a conclusion that can be computed from the texts: ``conclude``.

The claim states a result (``targets``); the formulas over the numbers of the texts (``formulas``) that give it are
candidates. One is granted when the claim's words mean it: they name the operation, they point at just these numbers (no
formula of the same shape with a value that differs is pointed at as well), and nothing is left over: every name, noun,
verb and number of the claim is said of these numbers, or says how they were put together. Denial, conditions and doubt
of the clauses that the numbers stand in are kept. What is not granted here may still be judged otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur.sources.text.accounting import Accounting
from imprimatur.sources.text.addresses import Addresses, Sides
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.composed import deep
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence, content_of
from imprimatur.sources.text.formulas import Formula, simple
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.idle import idle, stands
from imprimatur.sources.text.keeping import CHANGES
from imprimatur.sources.text.leaves import Leaf, own_leaves
from imprimatur.sources.text.operations import Operation, operation_of
from imprimatur.sources.text.pieces import Part
from imprimatur.sources.text.premises import leaves_of
from imprimatur.sources.text.references import references
from imprimatur.sources.text.targets import Target, meets, states, targets_of

__all__ = ["Conclusion", "conclude"]

#: How much nearer the words must be to the numbers of a formula than to those of one that gives another result.
_MARGIN = 0.05
#: How far behind a share its whole is named.
_NEAR = 4
#: With more numbers than this, several steps find by chance what is looked for.
_MOST_DEEP = 10
#: A noun or name must stand at least so near one of the numbers.
_SURELY = 0.3
#: A bare number of fewer digits tells little.
_TELLING = 2
_ABSTRACT = frozenset(["noun.quantity", "noun.attribute", "noun.relation", "noun.time", "noun.shape"])
_CUSTOMS = frozenset("as since because given if with assuming suppose".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """How the results of a claim follow, one line each, and the pieces of the texts that they were made of."""

    said: tuple[str, ...]
    pieces: frozenset[int]


def conclude(claim: Reading, frames: Sequence[Frame], texts: Evidence, limits: TextLimits) -> Conclusion | None:
    """How some clauses of a claim follow from the texts by computing; None when they do not, or that is not sure."""
    whole = len(frames) == len([f for f in claim.frames if content_of(f, claim.pieces)])
    members = list(range(len(claim.pieces))) if whole else [k for frame in frames for k in frame.members]
    targets = list(targets_of(claim.pieces, members))
    leaves = leaves_of(texts)
    if any(piece.lower == "respectively" for piece in texts.pieces):
        return None  # which number belongs to which is not read
    if not leaves or not (targets or any(claim.pieces[k].lower == "than" for k in members)):
        return None
    leaves = references(leaves, texts)
    days = tuple(leaf for leaf in leaves if leaf.derived and leaf.day is not None)
    addresses = Addresses(claim, texts, limits, days)
    accounting = Accounting(claim, tuple(frames), tuple(members), addresses, tuple(leaves))
    task = _Task(claim, tuple(frames), tuple(members), texts, limits, addresses, tuple(leaves), accounting)
    for target in targets:
        found = task.settle(target, [t for t in targets if t is not target])
        if found is not None:
            return found
    return task.order(targets)


def _computed(formula: Formula) -> bool:
    """Whether a formula is more than one number as the texts state it."""
    return len(formula.leaves) > 1 or any(sign in formula.said for sign in (" x ", " / ", " - ", " + "))


def _swapped(sides: Sides | None) -> Sides | None:
    return None if sides is None else Sides(left=sides.right, right=sides.left, part=sides.part)


@dataclass(frozen=True, slots=True)
class _Task:
    claim: Reading
    frames: tuple[Frame, ...]
    members: tuple[int, ...]
    texts: Evidence
    limits: TextLimits
    addresses: Addresses
    leaves: tuple[Leaf, ...]
    accounting: Accounting

    def order(self, targets: Sequence[Target]) -> Conclusion | None:
        """How it follows that one side of "than" is more, where the claim does not say by how much."""
        than = next((n for n, k in enumerate(self.members) if self.claim.pieces[k].lower == "than"), 0)
        word = next((k for k in reversed(self.members[:than]) if sign_of(self.claim.pieces[k])), None)
        if word is None:
            return None
        target = Target(at=word, pieces=frozenset({word}))
        operation, words = self._operation(target), self._words(target)
        if operation.sides is None:
            return None
        said = {p for k in (*operation.sides.left, *operation.sides.right) for p in self.addresses.places(k)}
        free = [leaf for leaf in self.leaves if leaf.piece not in said]
        gaps = [f for f in simple(free, sums=False) if f.shape == "a - b"]
        scored = [(self.addresses.of(f, words, operation.sides_for(f)), f) for f in gaps]
        against = [self.addresses.of(f, words, _swapped(operation.sides_for(f))) for f in gaps]
        if not gaps:
            return None
        best, formula = max(scored, key=lambda each: each[0])
        if best < max(against) + _MARGIN or not self.accounting.holds(formula, target, targets, words, operation):
            return None
        a, b = formula.leaves
        if any(states(each, formula) or each.ratio for each in targets):
            return None  # it says by how much, and that did not follow
        return Conclusion(said=(f"{a.said} against {b.said}",), pieces=frozenset({a.piece, b.piece}))

    def _operation(self, target: Target) -> Operation:
        opposed = frozenset(k for k in self._words(target) if self.addresses.opposed(k))
        return operation_of(self.claim, self.members, target, opposed)

    def settle(self, target: Target, others: Sequence[Target]) -> Conclusion | None:
        """How the target follows, the other numbers of the claim being given, used, or made of the same."""
        stated_so = stands(target, self.claim.pieces, self.texts)
        words, operation = self._words(target), self._operation(target)
        own = list(own_leaves(self.claim.pieces, [k for k in self._free(target) if self._may_scale(k)]))
        for formulas in self._formulas(own, target, operation):
            stated = [f for f in formulas if states(target, f)]
            met = {id(f) for f in stated if meets(target, f, self.limits.about)}
            if not met:
                continue
            able = [f for f in stated if operation.allows(f) and self._fitting(f, operation, target)]
            able = [f for f in able if self.accounting.bounds_kept(f, target)]
            scores = {id(f): self.addresses.of(f, words, operation.sides_for(f)) for f in able}
            good = sorted((f for f in able if id(f) in met), key=lambda f: -scores[id(f)])
            for formula in good[:6]:
                if idle(formula, target, self.claim.pieces) or (stated_so and _computed(formula)):
                    continue
                if self._outranked(formula, able, scores, target, operation):
                    continue
                if self.accounting.holds(formula, target, others, words, operation):
                    said = (f"{self._text(target)} = {formula.said}",)
                    pieces = frozenset(leaf.piece for leaf in formula.leaves if not leaf.own)
                    return Conclusion(said=said, pieces=pieces)
        return None

    def _serial(self, formula: Formula, operation: Operation) -> bool:
        """Whether a change is taken from one series, never from the ends of two ("from 151 to 139 … from 150 …")."""
        if operation.sides is not None or formula.shape not in CHANGES or len(formula.leaves) != 2:
            return True
        a, b = formula.leaves
        return (a.partner < 0 and b.partner < 0) or a.partner == b.piece

    def _fitting(self, formula: Formula, operation: Operation, target: Target) -> bool:
        """Whether a formula takes a change from one series, the whole that is given, and shares out what is counted."""
        whole = self._given_whole(target)
        if whole and not whole & {leaf.piece for leaf in formula.leaves}:
            return False
        if formula.shape == "a / (a + b)" and any(self._part_of(leaf) for leaf in formula.leaves):
            return False
        if formula.shape == "a / b" and not formula.ratio and formula.unit is None:
            counted = next((k for k in range(target.at + 1, min(target.at + 4, len(self.claim.pieces)))), -1)
            noun = formula.leaves[0].noun
            if counted >= 0 and noun >= 0 and noun not in self.addresses.places(counted):
                return False
        if formula.shape == "a x b" and not self._paired(formula):
            return False
        return self._serial(formula, operation)

    def _paired(self, formula: Formula) -> bool:
        """Whether a count and an amount stand in one clause, where the texts have several of such pairs."""
        homes = [self.texts.frame_of(leaf.piece) for leaf in formula.leaves]
        bare = [leaf for leaf in self.leaves if leaf.unit is None and leaf.day is None and not leaf.share]
        counted = any(leaf.unit is None for leaf in formula.leaves)
        return not counted or len(bare) < 2 or len({home.number for home in homes if home is not None}) == 1

    def _part_of(self, leaf: Leaf) -> bool:
        """Whether a number is a part of a whole that the text gives, or that whole ("19 of the 27", "of which 12")."""
        words = [piece.lower for piece in self.texts.pieces]
        around = (*words[max(0, leaf.piece - 2) : leaf.piece], *words[leaf.piece + 1 : leaf.piece + 2])
        return "of" in around

    def _given_whole(self, target: Target) -> set[int]:
        """Where the texts have the number of which the target is said to be a part ("48 of the 160")."""
        at = max(target.pieces)
        after = list(range(at + 1, min(at + 4, len(self.claim.pieces))))
        if not after or self.claim.pieces[after[0]].lower != "of":
            return set()
        whole = next((k for k in after[1:] if self.claim.pieces[k].quantity is not None), None)
        return set(self.addresses.places(whole)) if whole is not None else set()

    def _formulas(self, own: Sequence[Leaf], target: Target, operation: Operation) -> Iterator[list[Formula]]:
        """The formulas of one step, then those of several, over the numbers that the claim speaks of."""
        words = self._words(target)
        spoken = [leaf for leaf in self.leaves if leaf.reference or self.accounting.addressed(leaf, words)]
        leaves = (*spoken, *own)
        yield list(simple(leaves, sums=operation.adds))
        if not target.bounded and len(leaves) <= _MOST_DEEP:
            homes = {leaf.piece: frame.number for leaf in spoken if (frame := self.texts.frame_of(leaf.piece))}
            yield list(deep(leaves, homes))

    def _text(self, target: Target) -> str:
        return " ".join(self.claim.pieces[k].text for k in sorted(target.pieces))

    def _words(self, target: Target) -> list[int]:
        """What the claim says beside the target."""
        content = [k for frame in self.frames for k in content_of(frame, self.claim.pieces)]
        return [k for k in dict.fromkeys(content) if k not in target.pieces]

    def _free(self, target: Target) -> list[int]:
        return [k for k in self.members if k not in target.pieces and self.claim.pieces[k].quantity is not None]

    def _may_scale(self, k: int) -> bool:
        """Whether a number of the claim may be how many of something it speaks of, and is no fact of its own."""
        piece = self.claim.pieces[k]
        unit = piece.quantity.unit if piece.quantity is not None else None
        if piece.label or (unit is not None and unit.symbol in ("%", "pp")):
            return False
        if unit is None or unit.symbol.startswith("cur:"):
            return self._is_base(k) or unit is None
        frame = next((f for f in self.frames if k in f.members), None)
        if frame is None:
            return False
        return frame.opener not in _CUSTOMS and frame.place(k) not in _CUSTOMS

    def _is_base(self, k: int) -> bool:
        """Whether an amount of the claim is what the texts take a share of ("3% of net sales", "sales of $9")."""
        words = self.claim.pieces
        noun = k - 2 if k > 1 and words[k - 1].lower == "of" else k + 1
        if not 0 <= noun < len(words) or words[noun].part is not Part.NOUN:
            return False
        shares = [leaf.piece for leaf in self.leaves if leaf.share]
        places = self.addresses.places(noun)
        return any(
            self.texts.pieces[s + 1].lower == "of" and 0 < place - s <= _NEAR for s in shares for place in places
        )

    # -- whether it is meant ----------------------------------------------------------------------------------------
    def _outranked(
        self, formula: Formula, able: Sequence[Formula], scores: dict[int, float], target: Target, operation: Operation
    ) -> bool:
        """Whether the words point as well at other numbers that would give another result."""
        words = self._words(target)
        least = scores[id(formula)] - _MARGIN
        if formula.shape in ("sum", "mean"):
            return self._incomplete(formula, target)
        sides = operation.sides_for(formula)
        exchanged = _swapped(sides) if not formula.ratio else None
        if exchanged is not None and self.addresses.of(formula, words, exchanged) >= least:
            return True
        for other in able:
            turned_round = other.leaves == tuple(reversed(formula.leaves))
            if operation.times and other.ratio and other.value < 1 and not (turned_round and operation.sides):
                continue
            if other.shape != formula.shape or other is formula or scores[id(other)] < least:
                continue
            if self._per(formula) and not self._per(other):
                continue
            if not meets(target, other, self.limits.about):
                return True
        return False

    def _per(self, formula: Formula) -> bool:
        """Whether a quotient is by the very number of what the claim says it is "per"."""
        if formula.shape != "a / b":
            return False
        pers = [k for k in self.members if self.claim.pieces[k - 1].lower == "per" and k]
        return any(self.addresses.near(k, formula.leaves[1]) == 1 for k in pers)

    def _incomplete(self, formula: Formula, target: Target) -> bool:
        """Whether a number that is spoken of as much as one that was added was left out."""
        words = self._words(target)
        pieces = {leaf.piece for leaf in formula.leaves}
        worth = {leaf.piece: sum(self.addresses.near(k, leaf) for k in words) for leaf in self.leaves}
        least = min(worth[piece] for piece in pieces)
        given = {place for k in words if self.claim.pieces[k].figure for place in self.addresses.places(k)}
        kin = Formula(shape="sum", leaves=(), said="", unit=formula.unit)
        for leaf in self.leaves:
            if leaf.piece in pieces or leaf.day is not None or leaf.clock or worth[leaf.piece] < least - _MARGIN:
                continue
            if leaf.piece in given:
                continue
            one = Formula(shape="sum", leaves=(), said="", unit=leaf.unit)
            if states(target, one) and states(target, kin) and leaf.share is formula.leaves[0].share:
                return True
        return False
