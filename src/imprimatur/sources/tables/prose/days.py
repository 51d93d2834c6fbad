"""Days of the calendar as tables and statements write them, with or without a year or a day.

Invariants: a date is read only where the name of a month, or digits in the order year, month, day, make it one; a bare
year is a number and no date. ``says`` holds when every part that is stated is the same in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.tokens import Token

__all__ = ["Day", "days", "is_year"]

_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {
    **{name: at for at, name in enumerate(_NAMES, 1)},
    **{name[:3]: at for at, name in enumerate(_NAMES, 1)},
    "sept": 9,
}
#: Words that are months only beside a number.
_YEARS = range(1000, 2200)


@dataclass(frozen=True, slots=True)
class Day:
    """A date; what is not stated is None."""

    year: int | None
    month: int | None
    day: int | None

    def says(self, other: Day) -> bool:
        """Whether a statement of this date holds of something at the other."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(own is None or own == its for own, its in pairs)

    def differs(self, other: Day) -> bool:
        """Whether some part that both state is not the same."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return any(own is not None and its is not None and own != its for own, its in pairs)

    @property
    def key(self) -> tuple[int, int, int]:
        """Its place among dates that state the same parts."""
        return (self.year or 0, self.month or 0, self.day or 0)

    @property
    def parts(self) -> tuple[bool, bool, bool]:
        """Which of year, month and day are stated."""
        return (self.year is not None, self.month is not None, self.day is not None)


def is_year(token: Token) -> bool:
    """Whether a token is a number that may be a year."""
    return token.cardinal is not None and token.text.isdigit() and len(token.text) == 4 and int(token.text) in _YEARS


def days(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Day]]:
    """The dates among some tokens: first token, the one after the last, and the date."""
    at = 0
    while at < len(tokens):
        found = _named(tokens, at) or _digits(tokens, at)
        if found is None:
            at += 1
            continue
        stop, day = found
        yield at, stop, day
        at = stop


def _named(tokens: Sequence[Token], at: int) -> tuple[int, Day] | None:
    """A date with the name of its month that begins here: "31 july 1954", "july 31 , 1954", "july 1954", "july 31"."""
    year, before = None, None
    place = at
    if _is_day(tokens, place) and _month(tokens, place + 1, of=True):
        before = _number(tokens[place])
        place += 2 if _month(tokens, place + 1) else 3
    elif is_year(tokens[place]) and _month(tokens, place + 1):
        year = _number(tokens[place])
        place += 2
    elif _month(tokens, place):
        place += 1
    else:
        return None
    month = _month(tokens, place - 1)
    day = before
    if day is None and _is_day(tokens, place):
        day = _number(tokens[place])
        place += 1
    if year is None and place < len(tokens):
        comma = place + 1 if tokens[place].text in (",", "(") else place
        if comma < len(tokens) and is_year(tokens[comma]):
            year, place = _number(tokens[comma]), comma + 1
    if year is None and day is None:
        return None
    return place, Day(year, month, day)


def _digits(tokens: Sequence[Token], at: int) -> tuple[int, Day] | None:
    """A date in digits, the year first: "1954 - 07 - 31"."""
    if at + 4 >= len(tokens) or not is_year(tokens[at]) or tokens[at + 1].text not in ("-", "/"):
        return None
    if tokens[at + 3].text != tokens[at + 1].text or not _is_day(tokens, at + 2) or not _is_day(tokens, at + 4):
        return None
    month, day = _number(tokens[at + 2]), _number(tokens[at + 4])
    return (at + 5, Day(_number(tokens[at]), month, day)) if month is not None and month <= 12 else None


def _month(tokens: Sequence[Token], at: int, *, of: bool = False) -> int | None:
    """The month that a token names; with ``of`` it may stand behind "of"."""
    if of and at < len(tokens) and tokens[at].text == "of":
        at += 1
    return _MONTHS.get(tokens[at].text) if 0 <= at < len(tokens) else None


def _is_day(tokens: Sequence[Token], at: int) -> bool:
    if at >= len(tokens) or tokens[at].number is None:
        return False
    number = _number(tokens[at])
    return number is not None and 1 <= number <= 31 and len(tokens[at].text) <= 4


def _number(token: Token) -> int | None:
    value = token.number
    return int(value) if value is not None and value.denominator == 1 else None
