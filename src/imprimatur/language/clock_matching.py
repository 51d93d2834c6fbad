"""Whether a stated time of day fits opening hours as they are stored.

Stored are the beginnings of the stretches of a day ("11:30-,17:00-"), the ends, the last one first ("-22:00,-14:00"),
or the stretches ("11:30-14:00,17:00-22:00"); an end after midnight has more than 24 hours; of a day on which a thing is
closed, "closed". Stated is a time, with ``<``, ``<=`` or ``>`` before it for a bound, or two times with a ``-`` between
them. Of two stretches the first beginning and the last end are when a thing opens and closes; the others are neither
right nor wrong. What depends on which half of the day, or on which day, a stated time is of, is neither, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._expressions import expression
from imprimatur.language.clock_times import written

__all__ = ["CLOSED", "fits", "same_time", "shown", "times_of"]

CLOSED = "closed"
_DAY, _HALF = 24 * 60, 12 * 60
#: Before this a time that something closes by is of the next day.
_MORNING = 6 * 60
_BOUND = expression(r"(<=|<|>)?(.*)")


def fits(said: str, held: str) -> bool | None:
    """Whether what is stated fits what is stored; None where it is neither right nor wrong."""
    found = _BOUND.fullmatch(said)
    assert found is not None
    bound, said = found[1] or "", found[2]
    if held == CLOSED:
        return False
    if held.startswith("-"):
        ends = [_minutes(each[1:]) for each in held.split(",")]
        return _bounded(said, bound, ends[0], closing=True) if bound else _one(said, ends)
    if held.endswith("-"):
        begins = [_minutes(each[:-1]) for each in held.split(",")]
        return _bounded(said, bound, begins[0], closing=False) if bound else _one(said, begins)
    if bound:
        return None
    stretches = [(_minutes(a), _minutes(b)) for a, _, b in (each.partition("-") for each in held.split(","))]
    first, dash, last = said.partition("-")
    if dash:
        return any(_same(first, a) and _same(last, b) for a, b in stretches)
    return _agreed(_within(minute, stretches) for minute in _meant(first))


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:5])


def _meant(said: str) -> tuple[int, ...]:
    """The minutes of the day that a stated time may be."""
    minute = _minutes(said)
    return (minute % _HALF, minute % _HALF + _HALF) if said.endswith("~") else (minute,)


def _same(said: str, held: int) -> bool:
    return held % _DAY in _meant(said)


def _one(said: str, held: list[int]) -> bool | None:
    if _same(said, held[0]):
        return True
    return None if any(_same(said, each) for each in held[1:]) else False


def _bounded(said: str, bound: str, held: int, *, closing: bool) -> bool | None:
    def right(minute: int) -> bool:
        if closing and minute < _MORNING:
            minute += _DAY
        return held < minute if bound == "<" else held <= minute if bound == "<=" else held > minute

    return _agreed(right(minute) for minute in _meant(said))


def _within(minute: int, stretches: list[tuple[int, int]]) -> bool | None:
    """Whether a thing is open at a minute; the small hours may be those after the day before, an end is neither."""
    if any(a <= minute < b for a, b in stretches):
        return True
    return None if minute < _MORNING or any(minute == b % _DAY for _, b in stretches) else False


def _agreed(found: Iterator[bool | None]) -> bool | None:
    each = set(found)
    return each.pop() if len(each) == 1 else None


def same_time(said: str, held: str) -> bool:
    """Whether a stated time may be the stored one."""
    return _same(said, _minutes(held))


def times_of(held: str) -> tuple[str, ...]:
    """The times that are stored, as ``HH:MM`` of the day, where there is one stretch; none where there are several."""
    if "," in held or held == CLOSED:
        return ()
    return tuple(written(_minutes(each) % _DAY) for each in held.split("-") if each)


def shown(held: str) -> str:
    """What is stored, as a person reads it: of several beginnings or ends, the one that counts."""
    if held == CLOSED:
        return held
    if held.startswith("-") or held.endswith("-"):
        held = held.split(",")[0]
    stretches = (each.split("-") for each in held.split(","))
    return ", ".join("-".join(written(_minutes(each) % _DAY) for each in times if each) for times in stretches)
