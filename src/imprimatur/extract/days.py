"""Several days of the week, and several stretches of a day, as one sentence for each (see ``extract.versions``).

"S is open Monday to Friday from 9 to 5", "on weekdays, S opens at 8 am", "S is closed at the weekend", "S opens daily
at noon": what is said is said of every one of the days. "S is open from 11 am to 2 pm and from 5 pm to 10 pm" says
both. Invariant: a sentence that denies something of every day ("not open daily") is not read so, for it may be so on
some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from imprimatur._expressions import expression
from imprimatur.extract.folding import DAYS
from imprimatur.extract.syntax import Item
from imprimatur.extract.versions import Version, spans_of, word
from imprimatur.language.clock_times import TIME

__all__ = ["on_each"]

_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TO = frozenset("to through until till thru - – —".split())
_SETS = {"weekday": _WEEK[:5], "weekdays": _WEEK[:5], "weekend": _WEEK[5:], "weekends": _WEEK[5:]}
#: Phrases for all days.
_DAILY = (
    ("every", "day", "of", "the", "week"),
    *((*first, "a", "week") for first in (("seven", "days"), ("seven days",), ("7", "days"), ("7 days",))),
    ("seven days a week",),
    ("7 days a week",),
    ("each", "day"),
    ("every", "day"),
    ("daily",),
)
_BEFORE = frozenset("on at during over from the every each".split())
_OPENING = frozenset("open close shut".split())
_DENYING = frozenset("not n't n’t never no hardly neither nor".split())
_CLOCK = expression(TIME)


def on_each(items: Sequence[Item]) -> Iterator[Version]:
    """The version of a sentence with a sentence for each of its days, or each of the stretches of a day."""
    items = tuple(items)
    for k in range(len(items)):
        found = _days(items, k)
        if found is not None:
            start, end, days = found
            if len(days) == len(_WEEK) and any(i.lower in _DENYING for i in items):
                return
            used = items[start:end]
            made = (((*items[:start], word("on"), word(day, used), *items[end:])) for day in days)
            yield Version(items=(), each=tuple(made))
            return
    yield from _stretches(items)
    yield from _shared(items)


def _shared(items: tuple[Item, ...]) -> Iterator[Version]:
    """ "S opens at 8 am and closes at 5 pm on Monday", "opens at 8 am on Monday and closes at 5 pm": both on Monday."""
    days = [n for n, i in enumerate(items) if i.lower in DAYS and n and items[n - 1].lower == "on"]
    joints = [n for n, i in enumerate(items) if i.lower == "and"]
    stop = len(items)
    while stop and items[stop - 1].punct:
        stop -= 1
    if len(days) != 1 or len(joints) != 1:
        return
    (day,), (joint,) = days, joints
    timed = [any(_CLOCK.fullmatch(i.lower) for i in part) for part in (items[:joint], items[joint:])]
    verbs = joint + 1 < stop and items[joint + 1].forms.verb in _OPENING
    if not (all(timed) and verbs):
        return
    again = (word("on"), word(items[day].lower))
    at = joint if day > joint else stop
    yield Version(items=(*items[:at], *again, *items[at:]))


def _days(items: tuple[Item, ...], k: int) -> tuple[int, int, tuple[str, ...]] | None:
    """The first phrase for several days that begins at item ``k``: where it begins and ends, and the days."""
    lowers = [i.lower for i in items[k : k + 5]]
    for phrase in _DAILY:
        if tuple(lowers[: len(phrase)]) == phrase:
            return k, k + len(phrase), _WEEK
    item = items[k]
    if item.entity is not None:
        return None
    if lowers[0] in _SETS:
        return _begun(items, k), k + 1, _SETS[lowers[0]]
    if lowers[0] in DAYS and len(lowers) > 2 and lowers[1] in _TO and lowers[2] in DAYS:
        first, last = _WEEK.index(lowers[0]), _WEEK.index(lowers[2])
        count = (last - first) % len(_WEEK) + 1
        days = tuple(_WEEK[(first + n) % len(_WEEK)] for n in range(count))
        return (_begun(items, k), k + 3, days) if count > 1 else None
    return None


def _begun(items: Sequence[Item], k: int) -> int:
    """Where the phrase begins, with its prepositions and articles."""
    while k and items[k - 1].lower in _BEFORE:
        k -= 1
    return k


def _stretches(items: tuple[Item, ...]) -> Iterator[Version]:
    """ "From 11 to 2 and from 5 to 10": one sentence for each stretch."""
    found = [at for k in range(len(items)) if (at := _stretch(items, k)) is not None]
    if len(found) < 2 or items[found[0][0]].lower not in ("from", "between"):
        return
    for (_, end), (start, _) in pairwise(found):
        between = [i.lower for i in items[end:start]]
        if not between or any(lower not in (",", "and", "again", "then") for lower in between):
            return
    start, stop = found[0][0], found[-1][1]
    first, last = found[0], found[-1]
    made = []
    for a, b in found:
        phrase = items[a:b] if items[a].lower in ("from", "between") else (items[first[0]], *items[a:b])
        extra = spans_of([i for i in items[start:stop] if i.lower in ("again", "then")])
        told = (*phrase[:-1], phrase[-1]._replace(spans=(*spans_of(phrase[-1:]), *extra))) if (a, b) == last else phrase
        made.append((*items[:start], *told, *items[stop:]))
    yield Version(items=(), each=tuple(made))


def _stretch(items: tuple[Item, ...], k: int) -> tuple[int, int] | None:
    """Where a stretch from one time to another begins and ends, when it begins at item ``k``."""
    begin = k + (items[k].lower in ("from", "between"))
    if k and begin == k and items[k - 1].lower in ("from", "between"):
        return None
    if begin + 2 >= len(items) or not _CLOCK.fullmatch(items[begin].lower):
        return None
    joined = items[begin + 1].lower in (_TO if items[k].lower != "between" else ("and",))
    return (k, begin + 3) if joined and _CLOCK.fullmatch(items[begin + 2].lower) else None
