"""Figures that are reckoned up from many facts, for the evidence to show how: numbers, shares, sums, means, medians.

A reckoning is what the engine has found; nothing is judged by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from imprimatur.sources.graph.facts import Fact

__all__ = ["Figure", "Reckoning"]


class Figure(StrEnum):
    """What kind of figure it is."""

    COUNT = "count"
    SHARE = "share"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoning:
    """A figure with the things that it is of.

    Attributes:
        value: the figure, in the property's unit; of a share the number of things of which the rest holds.
        of: all things that were looked at.
        counted: those that count; of a sum, mean or median all of them.
        base: what makes things be of the description, where it says more than their kind.
        facts: what makes them count, or their values.
        property: the property whose values are taken; none for numbers of things.
    """

    figure: Figure
    value: Fraction
    of: tuple[int, ...]
    counted: tuple[int, ...]
    facts: tuple[Fact, ...]
    base: tuple[Fact, ...] = ()
    property: str | None = None
