"""What several named things have together or on average, rewritten as the value of one (see ``extract.versions``).

"Together, A and B are 12 km long", "A and B have a combined length of 12 km", "the average length of A and B is 6 km",
"on average, A and B have 6 arches". Such words never let a value be read of each thing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.claim import Mention
from imprimatur.extract.ellipsis import slot
from imprimatur.extract.paired import lists_of
from imprimatur.extract.syntax import Item, Pooled
from imprimatur.extract.versions import Version, hole

__all__ = ["pooled", "pools"]

_SUM = (("in", "total"), ("together",), ("altogether",), ("combined",), ("joint",), ("total",), ("cumulative",))
_MEAN = (("on", "average"), ("average",), ("mean",))
_MARKING = frozenset(words[-1] for words in (*_SUM, *_MEAN))
_MOST = 12


def pools(items: Sequence[Item]) -> bool:
    """Whether a value may be said of several things taken together."""
    valued = any(i.quantity is not None and i.stands is None and i.date is None for i in items)
    return valued and bool(_markers(items)) and bool(_names(items))


def pooled(items: Sequence[Item]) -> Version | None:
    """The sentence with one of the things for all of them; None where it says no such thing."""
    items = tuple(items)
    markers = _markers(items)
    names = _names(items)
    values = [n for n, i in enumerate(items) if i.quantity is not None and i.stands is None and i.date is None]
    named = [n for n, i in enumerate(items) if slot(i) == "name"]
    if len(markers) != 1 or len(names) != 1 or len(values) != 1 or named != names[0] or len(named) > _MOST:
        return None
    members = [m for n in named if (m := items[n].entity) is not None]
    value = items[values[0]]
    if len(members) != len(named) or value.quantity is None or value.quantity.ordinal:
        return None
    start, end, mean = markers[0]
    gone = set(range(start, end)) | set(range(named[0] + 1, named[-1] + 1))
    gone |= {n for n in (start - 1, end) if 0 <= n < len(items) and items[n].lower == "," and _between(items, n, gone)}
    used = [items[n] for n in sorted(gone)]
    return Version(items=_rewritten(items, gone, values[0], _standing(value, members, used, mean=mean)))


def _between(items: Sequence[Item], n: int, gone: set[int]) -> bool:
    """Whether a comma only sets the marker apart ("Together, A and B …")."""
    return n == 0 or n - 1 in gone or n + 1 in gone


def _standing(value: Item, members: Sequence[Mention], used: Sequence[Item], *, mean: bool) -> Item:
    assert value.quantity is not None
    stands = Pooled(value=value.quantity, members=tuple(members), mean=mean)
    made = hole((value, *used), stands, date=False)
    return made._replace(start=value.start, end=value.end)


def _rewritten(items: Sequence[Item], gone: set[int], at: int, value: Item) -> tuple[Item, ...]:
    return tuple(value if n == at else item for n, item in enumerate(items) if n not in gone)


def _names(items: Sequence[Item]) -> list[list[int]]:
    """The lists of names."""
    return [found for found in lists_of(items) if slot(items[found[0]]) == "name"]


def _markers(items: Sequence[Item]) -> list[tuple[int, int, bool]]:
    """Where words stand that take several things together, and whether they speak of the mean."""
    if _MARKING.isdisjoint(i.lower for i in items):
        return []
    lowers = [i.lower if not slot(i) else "" for i in items]
    found: list[tuple[int, int, bool]] = []
    for words, mean in (*((w, True) for w in _MEAN), *((w, False) for w in _SUM)):
        for k in range(len(lowers) - len(words) + 1):
            inside = any(a <= k < b for a, b, _ in found)
            beside = lowers[k + len(words) : k + len(words) + 1] == ["with"]  # "A together with B" is a list
            if tuple(lowers[k : k + len(words)]) == words and not (inside or beside):
                found.append((k, k + len(words), mean))
    return found
