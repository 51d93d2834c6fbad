"""Which operation the words of a claim name: how its numbers are put together, and what is compared with what.

"More than", "ahead of", "less" ask for a difference with its two sides in order; "together" for a sum; "70% of" for a
part and its whole; "left", "other", "not" for a rest. ``Operation.allows`` keeps the formulas that the words do not ask
for out of the search, so that no number passes by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.sources.text.addresses import Sides
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.targets import Target

__all__ = ["Operation", "operation_of"]

#: Shapes that the words "more", "fell", "left" and their like ask for, by what is stated: an amount or a ratio.
_AMOUNT_GAPS = frozenset(["a - b", "|a - b| - |c - d|", "a / b - c / d", "a + b - c", "a x b - c", "c - a x b"])
_RATIO_GAPS = frozenset(["(a - b) / b", "(b - a) / b"])
_RESTS = frozenset(["a - b", "1 - a", "a less b", "a - b - c", "a x b - c", "c - a x b", "(a - b) x c"])
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
        if shape == "sum":
            return bool(self.cues & {"total", "and"}) or len(formula.leaves) == self.several
        if shape == "mean":
            return "mean" in self.cues
        if self.bounded and (len(formula.leaves) > 2 or shape == "a / (a + b)"):
            return False
        if shape == "(a + b) / c" and "total" not in self.cues:
            return False
        if self.sides is not None:
            return self._compares(formula)
        if formula.ratio:
            return self._relates(formula)
        if shape in _RESTS and "rest" in self.cues:
            return True
        if shape in _AMOUNT_GAPS:
            return bool(self.cues & {"gap", "rise", "fall"})
        if shape in ("a - b - c", "1 - a", "a less b"):
            return "fall" in self.cues and shape != "1 - a"
        if shape == "a / b" and _each(formula):
            return "mean" in self.cues
        return True

    def _compares(self, formula: Formula) -> bool:
        """With two sides: a difference that has the sign said, or a ratio."""
        shape = formula.shape
        if not formula.ratio:
            if self.per and shape == "a / b":
                return True
            rest = "rest" in self.cues and shape in ("a - b", "1 - a", "a less b")
            plain = self.sides.part and (rest or shape in ("a x n", "b of a"))
            return plain or (self.sign != 0 and shape in _AMOUNT_GAPS)
        if self.sign == 0 or self.times:
            if self.sides.part and formula.leaves[0].percent:
                return False  # a share of shares is hardly meant
            parts = shape == "a / (a + b)" and self.sides.part
            return (shape in _RATIOS or parts) and not (self.sides.part and formula.value > 1)
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
    cues = {cue for cue in _CUES for piece in own if named_by(piece, cue) and piece.lower != "up"}
    if any(_goes_up(pieces, members, n) for n in range(len(members))):
        cues.add("rise")
    pairs = {(pieces[a].lower, pieces[b].lower) for a, b in zip(members, members[1:], strict=False)}
    if ("in", "all") in pairs or ("in", "total") in pairs:
        cues.add("total")
    if any(a == "and" or b == "and" for a, b in pairs):
        cues.add("and")
    without = any(piece.lower in _EXCLUDING for piece in own) or ("other", "than") in pairs
    if without or opposed or any(piece.part is Part.NEGATOR for piece in own):
        cues.add("rest")
    sign, sides = _compared(pieces, members, target)
    if not sign and sides is None:
        sign = _graded(pieces, target)
    if sign:
        cues.add("gap")
    shared = None if sides is not None else _shared(pieces, members, target)
    sides = sides or shared
    rise, fall = "rise" in cues, "fall" in cues
    change = 0 if rise is fall else 1 if rise else -1
    times = target.ratio and target.quantity is not None and target.quantity.low.value >= 1 and not _percent(target)
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


def _several(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> int:
    for k, after in zip(members, members[1:], strict=False):
        quantity = pieces[k].quantity
        if quantity is not None and k not in target.pieces and quantity.unit is None and not pieces[k].label:
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


def _compared(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> tuple[int, Sides | None]:
    """The sign of a comparison, and its sides; a share has sides and no sign."""
    at = members.index(target.at)
    for n, k in enumerate(members):
        lower = pieces[k].lower
        if lower == "than" and k not in target.pieces:
            graded = next((m for m in range(n - 1, -1, -1) if sign_of(pieces[members[m]])), None)
            if graded is not None:
                return sign_of(pieces[members[graded]]), _sides(pieces, members[:n], members[n + 1 :], target)
        if lower == "as" and n > at and any(pieces[m].lower == "as" for m in members[at + 1 : n]):
            return 0, _sides(pieces, members[:n], members[n + 1 :], target)
        if lower in ("ahead", "behind") and n + 1 < len(members):
            timed = _timed(target)
            sign = (-1 if timed else 1) * (1 if lower == "ahead" else -1)
            return sign, _sides(pieces, members[:n], members[n + 1 :], target)
        if n and pieces[k].part in (Part.VERB, Part.PARTICIPLE) and (sign := _outdone(pieces[k])):
            by = next((m for m in range(n + 1, len(members)) if pieces[members[m]].lower == "by"), len(members))
            return sign, _sides(pieces, members[:n], members[n + 1 : by], target)
    return (0, _fronted(pieces, members, target) or _whole(pieces, members, target)) if target.ratio else (0, None)


def _fronted(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "Of the shareholders, 65% …", "One claim in five …": the whole stands before or within."""
    comma = next((n for n, k in enumerate(members) if pieces[k].text == ","), 0)
    if pieces[members[0]].lower == "of" and 0 < comma < members.index(target.at):
        whole = members[1:comma]
    elif len(target.pieces) > 1 and target.quantity is not None and target.quantity.unit is None:
        low, high = min(target.pieces), max(target.pieces)
        whole = [k for k in members if low < k < high and pieces[k].part in (Part.NOUN, Part.ADJECTIVE, Part.NAME)]
    else:
        return None
    rest = tuple(k for k in members if k not in whole and k not in target.pieces)
    return Sides(left=rest, right=tuple(whole), part=True) if whole and rest else None


def _graded(pieces: Sequence[Piece], target: Target) -> int:
    """The sign of a comparative right behind the target ("50% less memory")."""
    after = max(target.pieces) + 1
    return sign_of(pieces[after]) if after < len(pieces) else 0


def _outdone(piece: Piece) -> int:
    return 1 if named_by(piece, "outdo") else -1 if named_by(piece, "trail") else 0


def _shared(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "0.82 goals per match": so many of the left to each of the right."""
    at = members.index(max(k for k in target.pieces if k in members))
    n = next((n for n in range(at + 1, min(at + 4, len(members))) if pieces[members[n]].lower == "per"), None)
    if n is None or n + 1 >= len(members) or pieces[members[n + 1]].part is not Part.NOUN:
        return None
    left = tuple(k for k in members if k not in target.pieces and k not in members[n : n + 2])
    return Sides(left=left, right=(members[n + 1],)) if left else None


def _timed(target: Target) -> bool:
    unit = target.quantity.unit if target.quantity is not None else None
    return unit is not None and unit.dimension in ((("s", 1),), (("yr", 1),))


def _sides(pieces: Sequence[Piece], left: Sequence[int], right: Sequence[int], target: Target) -> Sides | None:
    """The two sides: what follows, and what stands in its place on the left ("on a Sunday than on a weekday")."""
    mine = [k for k in left if k not in target.pieces]
    theirs = tuple(k for k in right if k not in target.pieces)
    if not mine or not theirs:
        return None
    left_ = _counterpart(pieces, mine, pieces[theirs[0]])
    if any(pieces[k].lower in ("one", "that", "those") for k in theirs):  # "than a first one": one of the same
        nouns = [k for k in left_ if pieces[k].part is Part.NOUN]
        left_ = [k for k in left_ if k not in nouns[-1:]] if len(left_) > 1 else left_
    return Sides(left=tuple(left_), right=theirs)


def _counterpart(pieces: Sequence[Piece], left: Sequence[int], first: Piece) -> Sequence[int]:
    """The phrase of the left side that the right side is set against; the subject where that begins like one."""
    if first.part in (Part.PREPOSITION, Part.VERB, Part.PARTICIPLE, Part.AUXILIARY):
        at = next((n for n in range(len(left) - 1, -1, -1) if pieces[left[n]].lower == first.lower), None)
        if at is None:
            return left
        end = next((n for n in range(at + 1, len(left)) if _breaks(pieces[left[n]])), len(left))
        return left[at:end]
    verb = next((n for n, k in enumerate(left) if pieces[k].part in (Part.VERB, Part.AUXILIARY)), len(left))
    subject = [k for k in left[:verb] if pieces[k].part in (Part.NOUN, Part.NAME, Part.DATE, Part.ADJECTIVE)]
    return left[:verb] if subject else left


def _breaks(piece: Piece) -> bool:
    return piece.part in (Part.PREPOSITION, Part.VERB, Part.AUXILIARY) or piece.text == ","


def _whole(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "70% of the patients", "twice the price": the whole or the other side is what follows."""
    last = max(members.index(k) for k in target.pieces if k in members)
    after = members[last + 1 :]
    if not after:
        return None
    opens = pieces[after[0]].lower
    if opens != "of" and not (opens in ("the", "that", "those", "what") and target.quantity and not _percent(target)):
        return None
    end = next((n for n, k in enumerate(after) if n and _ends(pieces[k])), len(after))
    left = (*members[: members.index(target.at)], *after[end:])
    if opens != "of":
        return _sides(pieces, left, after[1:end], target)
    mine = tuple(k for k in left if k not in target.pieces)
    theirs = tuple(after[1:end])
    return Sides(left=mine, right=theirs, part=True) if mine and theirs else None


def _ends(piece: Piece) -> bool:
    return piece.part in (Part.VERB, Part.AUXILIARY) or piece.text == ","


def _percent(target: Target) -> bool:
    unit = target.quantity.unit if target.quantity is not None else None
    return unit is not None and unit.symbol == "%"
