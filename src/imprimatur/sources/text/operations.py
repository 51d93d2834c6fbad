"""Which operation the words of a claim name: how its numbers are put together, and what is compared with what.

"More than", "ahead of", "less" ask for a difference with its two sides in order; "together" for a sum; "70% of" for a
part and its whole; "left", "other", "not" for a rest. ``Operation.allows`` keeps the formulas that the words do not ask
for out of the search, so that no number passes by chance.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from imprimatur.sources.text.addresses import Sides
from imprimatur.sources.text.comparands import compared, graded, is_percent, shared_out
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.targets import Target

__all__ = ["Operation", "operation_of"]

#: Shapes that the words "more", "fell", "left" and their like ask for, by what is stated: an amount or a ratio.
_AMOUNT_GAPS = frozenset(["a - b", "|a - b| - |c - d|", "a / b - c / d", "a + b - c", "a x b - c", "c - a x b"])
_RATIO_GAPS = frozenset(["(a - b) / b", "(b - a) / b"])
_RESTS = frozenset(["span - a", "a - b", "1 - a", "a less b", "a - b - c", "a x b - c", "c - a x b", "(a - b) x c"])
_RATIOS = frozenset(["a / b", "|a - b| / |c - d|", "(a + b) / c", "c / (a x b)"])
_EXCLUDING = frozenset("without unlike except excluding outside apart".split())
_ORDERED = frozenset(
    ["a - b", "a / b", "(a - b) / b", "(b - a) / b", "|a - b| - |c - d|", "|a - b| / |c - d|", "a / b - c / d"]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What the words of a claim ask for.

    Attributes:
        cues: which groups of words are there (total, gap, rest, mean, rise, fall).
        sign: 1 where the left side is said to be more, -1 for less, 0 where no order is said.
        change: 1 for a rise, -1 for a fall, 0 for none.
        sides: the words on the two sides of a comparison or share.
        without: something is denied by a preposition.
        times: so many times is said, not a change by a share.
        bounded: only a bound is stated.
        per: so many of one thing to each of another is said.
        opposed: words of which the texts have the opposite.
        several: how many things are spoken of as one ("the two plants").
    """

    cues: frozenset[str]
    sign: int = 0
    change: int = 0
    sides: Sides | None = None
    without: bool = False
    times: bool = False
    bounded: bool = False
    several: int = 0
    per: bool = False
    opposed: frozenset[int] = frozenset()

    def allows(self, formula: Formula) -> bool:
        """Whether the words may ask for a formula."""
        shape = formula.shape
        if shape == "last day":
            return "end" in self.cues
        if shape == "sum":
            return bool(self.cues & {"total", "and"}) or len(formula.leaves) == self.several
        if shape == "mean":
            return "mean" in self.cues
        if self.bounded and (len(formula.leaves) > 2 or shape == "a / (a + b)"):
            return False
        if shape == "(a + b) / c" and not self.cues & {"total", "and"}:
            return False
        if self.sides is not None:
            return self._compares(formula, self.sides)
        if formula.ratio:
            return self._relates(formula)
        if shape in _RESTS and "rest" in self.cues:
            return True
        if shape in _AMOUNT_GAPS or shape.startswith("(a - b) x"):
            return bool(self.cues & {"gap", "rise", "fall"})
        if shape in ("a - b - c", "1 - a", "a less b", "span - a"):
            return "fall" in self.cues and shape != "1 - a"
        if shape == "a / b" and _each(formula):
            return "mean" in self.cues
        return True

    def _compares(self, formula: Formula, sides: Sides) -> bool:
        """With two sides: a difference that has the sign said, or a ratio."""
        shape = formula.shape
        if not formula.ratio:
            if self.per and shape == "a / b":
                return True
            rest = "rest" in self.cues and shape in ("a - b", "1 - a", "a less b")
            plain = sides.part and (rest or shape in ("a", "a x n", "b of a"))
            return plain or (self.sign != 0 and shape in _AMOUNT_GAPS)
        if self.sign == 0 or self.times:
            if sides.part and formula.leaves[0].percent:
                return False  # a share of shares is hardly meant
            parts = shape == "a / (a + b)" and sides.part
            return (shape in _RATIOS or parts) and not (sides.part and formula.value > 1)
        return shape == ("(a - b) / b" if self.sign > 0 else "(b - a) / b")

    def _relates(self, formula: Formula) -> bool:
        """A ratio without sides: of a change, of what is left, or of a part to its whole."""
        shape = formula.shape
        if self.sign and not self.times:
            return shape == ("(a - b) / b" if self.sign > 0 else "(b - a) / b")
        if self.change and not self.times:
            return shape == ("(a - b) / b" if self.change > 0 else "(b - a) / b")
        if "gap" in self.cues and shape in _RATIO_GAPS:
            return True
        if "rest" in self.cues and shape == "1 - a":
            return True
        if formula.leaves[0].percent and not self.times:
            return False  # a share of shares is hardly meant
        return (shape in _RATIOS or shape == "a / (a + b)") and (self.times or formula.value <= 1)

    @property
    def adds(self) -> bool:
        """Whether a sum or mean may be meant."""
        return bool(self.cues & {"total", "and", "mean"}) or self.several > 1

    def rest(self, formula: Formula) -> bool:
        """Whether a formula takes a part from a whole, so that the claim speaks of what the text denies."""
        return formula.shape in _RESTS and self.sides is None and "rest" in self.cues

    def sides_for(self, formula: Formula) -> Sides | None:
        """The sides as the leaves of a formula are ordered; None where it has no order."""
        if self.sides is not None and self.sides.part and formula.shape == "a / (a + b)":
            return Sides(left=self.sides.left, right=(), part=True)
        if self.sides is None or formula.shape not in _ORDERED:
            return None
        if not formula.ratio and self.sign < 0:
            return Sides(left=self.sides.right, right=self.sides.left)
        return self.sides

    def names(self, piece: Piece) -> bool:
        """Whether a word only names the operation."""
        return any(named_by(piece, cue) for cue in self.cues if cue != "and") or (
            self.sign != 0 and bool(sign_of(piece))
        )

    def changes(self, piece: Piece) -> bool:
        """Whether a word says that something rose or fell."""
        return named_by(piece, "rise") or named_by(piece, "fall")


_CUES = ("total", "gap", "rest", "mean", "rise", "fall")


def operation_of(
    claim: Reading, members: Sequence[int], target: Target, opposed: frozenset[int] = frozenset()
) -> Operation:
    """What the words around a target ask for; ``opposed`` are those of which the texts have the opposite."""
    pieces = claim.pieces
    own = [pieces[k] for k in members if k not in target.pieces or pieces[k].quantity is None]
    pairs = {(pieces[a].lower, pieces[b].lower) for a, b in pairwise(members)}
    without = any(piece.lower in _EXCLUDING for piece in own) or ("other", "than") in pairs
    cues = _cues_of(own, pairs)
    if any(_goes_up(pieces, members, n) for n in range(len(members))):
        cues.add("rise")
    if without or opposed or any(piece.part is Part.NEGATOR for piece in own):
        cues.add("rest")
    sign, sides = compared(pieces, members, target)
    if not sign and sides is None:
        sign = graded(pieces, target)
    if sign:
        cues.add("gap")
    shared = None if sides is not None else shared_out(pieces, members, target)
    sides = sides or shared
    rise, fall = "rise" in cues, "fall" in cues
    change = 0 if rise is fall else 1 if rise else -1
    times = target.ratio and target.quantity is not None and target.quantity.low.value >= 1 and not is_percent(target)
    return Operation(
        cues=frozenset(cues),
        sign=sign,
        change=change,
        sides=sides,
        without=without,
        times=times,
        bounded=target.bounded,
        several=_several(pieces, members, target),
        opposed=opposed,
        per=shared is not None,
    )


def _cues_of(own: Sequence[Piece], pairs: Set[tuple[str, str]]) -> set[str]:
    """The operations that some words name, alone or in pairs."""
    cues = {cue for cue in _CUES for piece in own if named_by(piece, cue) and piece.lower != "up"}
    if ("in", "all") in pairs or ("in", "total") in pairs:
        cues.add("total")
    if any({a, b} & {"and", "or"} for a, b in pairs):
        cues.add("and")
    if any(named_by(piece, "end") for piece in own):
        cues.add("end")
    return cues


def _several(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> int:
    for k, after in pairwise(members):
        quantity = pieces[k].quantity
        if quantity is None or k in target.pieces or quantity.unit is not None or pieces[k].label:
            continue
        if quantity.low.value.denominator == 1 and pieces[after].part in (Part.NOUN, Part.ADJECTIVE):
            return int(quantity.low.value)
    return 0


def _goes_up(pieces: Sequence[Piece], members: Sequence[int], n: int) -> bool:
    """Whether "up" says a rise ("up by", "up 5%", "up from"), and is not part of "make up"."""
    if pieces[members[n]].lower != "up" or n + 1 >= len(members):
        return False
    after = pieces[members[n + 1]]
    return after.figure or after.lower in ("by", "from", "on")


def _each(formula: Formula) -> bool:
    """Whether a formula shares an amount out over a count."""
    return len(formula.leaves) > 1 and formula.leaves[1].unit is None
