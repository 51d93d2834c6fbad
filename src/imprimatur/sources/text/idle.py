"""Arithmetic that no words ask for: numbers that the texts state themselves, and bounds that nearly anything meets.

What a text states is compared as it is stated; that it can also be computed from other numbers ("41 of the 46 are
rescued": "41 are missing", for 46 less five is 41) shows nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.pieces import Piece
from imprimatur.sources.text.targets import Target
from imprimatur.values import Bound

__all__ = ["idle", "stands"]

_PERCENT = "%"
#: The arithmetic by which a bound without a unit may be met.
_SUMS = ("sum", "a - b", "mean")
_PLAIN = (*_SUMS, "a / b")
_ASKED = frozenset("total altogether together sum average mean difference all".split())


def stands(target: Target, claim: Sequence[Piece], texts: Evidence) -> bool:
    """Whether the texts state the number of a target themselves, with its unit and words for it."""
    quantity = target.quantity
    if any(sign_of(each) for each in claim) or _ASKED & {each.lower for each in claim}:
        return False
    said, own = [claim[k].lower for k in sorted(target.pieces)], [text.lower for text in texts.pieces]
    if any(own[n : n + len(said)] == said for n in range(len(own))):
        return True
    if quantity is None or target.ratio:
        return False
    return any(
        text.quantity is not None
        and not text.label
        and not text.one
        and text.quantity.unit == quantity.unit
        and text.quantity.low.value == quantity.low.value
        for text in texts.pieces
    )


def idle(formula: Formula, target: Target, claim: Sequence[Piece]) -> bool:
    """Whether a formula says nothing of a target: it goes round in a circle, or the target is only a loose bound."""
    if target.bounded and _loose(formula, target):
        return True
    unit = target.quantity.unit if target.quantity is not None else None
    if unit is not None and unit.symbol == _PERCENT and formula.shape == "a - b":
        return all(leaf.share for leaf in formula.leaves)  # that is percentage points
    return _circular(formula, " ".join(claim[k].text for k in sorted(target.pieces)))


def _loose(formula: Formula, target: Target) -> bool:
    """Whether a bound ("at least 15", "under 12") is met by a number that nobody bounded, or by any ratio."""
    leaves = formula.leaves
    if len(leaves) == 1 and leaves[0].bound is Bound.EXACT:
        return True
    if any(leaf.bound not in (Bound.EXACT, Bound.ABOUT) for leaf in leaves):
        return True
    if formula.shape not in _PLAIN and (target.quantity is None or target.quantity.unit is None):
        return True
    return formula.shape == "a / b" and all(leaf.share for leaf in leaves)


def _circular(formula: Formula, said: str) -> bool:
    """Whether the result is among what it is made of, or is multiplied by a one that counts nothing asked for."""
    leaves = formula.leaves
    plain = formula.shape in _SUMS
    nested = len(leaves) > 1 and (not plain or "(" in formula.said)
    if nested and any(f" {said}{end}" in f" {formula.said} " for end in (" ", ")")):
        return True
    brought = any(leaf.own for leaf in leaves)
    one = any(leaf.value == 1 and leaf.unit is None for leaf in leaves)
    if one and not brought and (" x " in formula.said or (len(leaves) > 1 and not plain)):
        return True
    counted = formula.day is None and not formula.clock and len(leaves) > 1 and not plain
    return counted and any(leaf.value == formula.value and leaf.unit == formula.unit for leaf in leaves if not brought)
