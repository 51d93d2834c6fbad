"""What a cell is worth when cells are put in an order: a number, a time, a place, a date.

Invariants: a cell that holds several numbers without a known relation between them is worth nothing. Only cells of one
kind can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.sources.tables.prose.days import Day, days
from imprimatur.sources.tables.prose.tokens import Token

__all__ = ["Worth", "worth_of"]

_TIED = expression(r"t\d{1,4}")
#: More words than this beside a number make the cell a text with a number in it.
_MOST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a cell: a number, or a date. ``exact``: it is all that the cell says."""

    number: Fraction | None = None
    day: Day | None = None
    exact: bool = True

    @property
    def key(self) -> tuple[Fraction, int, int]:
        """Its place among others of its kind."""
        if self.day is not None:
            year, month, day = self.day.key
            return Fraction(year), month, day
        return self.number if self.number is not None else Fraction(0), 0, 0


def worth_of(tokens: Sequence[Token]) -> Worth | None:
    """What a cell of these tokens is worth; None for a text."""
    dates = list(days(tokens))
    if dates:
        said = sum(1 for token in tokens if not token.mute)
        start, stop, day = dates[0]
        own = sum(1 for token in tokens[start:stop] if not token.mute)
        return Worth(day=day, exact=len(dates) == 1 and said == own)
    numbers = [at for at, token in enumerate(tokens) if token.number is not None]
    words = sum(1 for token in tokens if token.stem and token.number is None)
    if len(tokens) == 1 and _TIED.fullmatch(tokens[0].text):
        return Worth(number=Fraction(tokens[0].text[1:]))
    if len(numbers) == 1 and words <= _MOST_WORDS:
        number = tokens[numbers[0]].number
        first = numbers[0] == 0 or not any(token.stem for token in tokens[: numbers[0]])
        return Worth(number=number, exact=words == 0) if first or words <= 1 else None
    return _several(tokens, numbers) if words == 0 and len(numbers) > 1 else None


def _several(tokens: Sequence[Token], numbers: Sequence[int]) -> Worth | None:
    """The worth of several numbers: a total, a number with another in brackets."""
    values = [value for at in numbers if (value := tokens[at].number) is not None]
    between = {"".join(token.text for token in tokens[a + 1 : b]) for a, b in pairwise(numbers)}
    if tokens[numbers[-1] - 1].text == "=":
        return Worth(number=values[-1])
    if len(values) == 2 and tokens[numbers[1] - 1].text in ("(", "["):
        return Worth(number=values[0], exact=False)
    if between == {"", "/"} and len(values) == 3 and values[2]:
        return Worth(number=values[0] + values[1] / values[2])
    return None
