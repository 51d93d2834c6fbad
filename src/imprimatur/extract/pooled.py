"""What several named things have together or on average, rewritten as the value of one (see ``extract.versions``).

"Together, A and B are 12 km long", "A and B have a combined length of 12 km", "the average length of A and B is 6 km",
"on average, A and B have 6 arches", "the median length of A, B and C is 6 km". Such words never let a value be read of
each thing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Description, Mention
from imprimatur.extract.ellipsis import slot
from imprimatur.extract.paired import lists_of
from imprimatur.extract.syntax import Item, Pooled
from imprimatur.extract.versions import Version, hole

__all__ = ["Marker", "markers", "pooled", "pools", "standing", "taken_together", "values_in"]

_SUM = (("in", "total"), ("together",), ("altogether",), ("combined",), ("joint",), ("total",), ("cumulative",))
_MEAN = (("on", "average"), ("average",), ("mean",))
_MEDIAN = (("median",),)
_MARKING = frozenset(words[-1] for words in (*_SUM, *_MEAN, *_MEDIAN))
_MOST = 12
_SEVERAL = frozenset("they their them both these those".split())


@dataclass(frozen=True, slots=True)
class Marker:
    """Words that take several things together, from one item to another: for their sum, mean or median."""

    start: int
    end: int
    mean: bool = False
    median: bool = False


def pools(items: Sequence[Item]) -> bool:
    """Whether a value may be said of several things taken together: of names, or of what a pronoun stands for."""
    if not taken_together(items):
        return False
    return bool(_names(items)) or any(i.lower in _SEVERAL and i.entity is None for i in items)


def taken_together(items: Sequence[Item]) -> bool:
    """Whether there is a value in a sentence, and words that take several things together."""
    return bool(values_in(items)) and bool(markers(items))


def values_in(items: Sequence[Item]) -> list[int]:
    """Where numbers stand."""
    return [n for n, i in enumerate(items) if i.quantity is not None and i.stands is None and i.date is None]


def pooled(items: Sequence[Item]) -> Version | None:
    """The sentence with one of the things for all of them; None where it says no such thing."""
    items = tuple(items)
    found = markers(items)
    names = _names(items)
    values = values_in(items)
    named = [n for n, i in enumerate(items) if slot(i) == "name"]
    if len(found) != 1 or len(names) != 1 or len(values) != 1 or named != names[0] or len(named) > _MOST:
        return None
    members = [m for n in named if (m := items[n].entity) is not None]
    value = items[values[0]]
    if len(members) != len(named) or value.quantity is None or value.quantity.ordinal:
        return None
    start, end = found[0].start, found[0].end
    gone = set(range(start, end)) | set(range(named[0] + 1, named[-1] + 1))
    gone |= {n for n in (start - 1, end) if 0 <= n < len(items) and items[n].lower == "," and _between(items, n, gone)}
    used = [items[n] for n in sorted(gone)]
    return Version(items=_rewritten(items, gone, values[0], standing(value, members, used, marker=found[0])))


def _between(items: Sequence[Item], n: int, gone: set[int]) -> bool:
    """Whether a comma only sets the marker apart ("Together, A and B …")."""
    return n == 0 or n - 1 in gone or n + 1 in gone


def standing(value: Item, of: Sequence[Mention] | Description, used: Sequence[Item], *, marker: Marker) -> Item:
    """The item of a value that several things have together; ``used`` are the words that say so."""
    assert value.quantity is not None
    within = of if isinstance(of, Description) else None
    members = () if isinstance(of, Description) else tuple(of)
    stands = Pooled(value=value.quantity, members=members, mean=marker.mean, median=marker.median, within=within)
    made = hole((value, *used), stands, date=False)
    return made._replace(start=value.start, end=value.end)


def _rewritten(items: Sequence[Item], gone: set[int], at: int, value: Item) -> tuple[Item, ...]:
    return tuple(value if n == at else item for n, item in enumerate(items) if n not in gone)


def _names(items: Sequence[Item]) -> list[list[int]]:
    """The lists of names."""
    return [found for found in lists_of(items) if slot(items[found[0]]) == "name"]


def markers(items: Sequence[Item]) -> list[Marker]:
    """Where words stand that take several things together."""
    if _MARKING.isdisjoint(i.lower for i in items):
        return []
    lowers = [i.lower if not slot(i) else "" for i in items]
    found: list[Marker] = []
    for words in (*_MEAN, *_MEDIAN, *_SUM):
        for k in range(len(lowers) - len(words) + 1):
            inside = any(each.start <= k < each.end for each in found)
            beside = lowers[k + len(words) : k + len(words) + 1] == ["with"]  # "A together with B" is a list
            if tuple(lowers[k : k + len(words)]) == words and not (inside or beside):
                found.append(Marker(k, k + len(words), words in _MEAN, words in _MEDIAN))
    return found
