"""Where a value stands on an axis, and which round numbers are written beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Scale", "scale_of"]


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from the values ``low`` to ``high`` (the greater) over the places ``start`` to ``stop``."""

    low: float
    high: float
    start: float
    stop: float

    def at(self, value: float) -> float:
        """The place of a value, to a tenth; what lies outside stands at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.stop - self.start), 1)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values from end to end, about so many steps."""
        step = _step((self.high - self.low) / about)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def scale_of(values: Iterable[float], start: float, stop: float, *, zero: bool = True) -> Scale:
    """An axis that holds the values: from 0 to 1 for shares, else to the next round value.

    Args:
        zero: shares that are all small get an axis that ends near them when this is False.
    """
    found = [0.0, *values]
    low, high = min(found), max(found)
    if low >= 0 and high <= 1 and (zero or high > 0.5):
        return Scale(0.0, 1.0, start, stop)
    if high == low:
        return Scale(0.0, 1.0, start, stop)
    step = _step((high - low) / 5)
    return Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, start, stop)


def _step(rough: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next((factor * power for factor in (1, 2, 5) if rough <= factor * power * (1 + 1e-9)), 10 * power)
