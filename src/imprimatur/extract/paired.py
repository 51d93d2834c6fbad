"""Two lists paired by "respectively", rewritten as one clause for each pair (see ``extract.versions``).

"A and B are 5 km and 7 km long, respectively", "A and B have three and four arches, respectively", "the lengths of
A and B are 5 km and 7 km respectively".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur.extract.ellipsis import slot
from imprimatur.extract.syntax import Item
from imprimatur.extract.versions import COMMA, Version, spans_of, word

__all__ = ["paired"]

_BETWEEN = frozenset((",", "and", "&", "the"))
_MOST = 8


def paired(items: Sequence[Item]) -> Iterator[Version]:
    """The version of a sentence with a clause for each pair of two lists."""
    items = tuple(items)
    at = next((n for n, i in enumerate(items) if i.lower == "respectively"), None)
    if at is None:
        return
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    plain = [i for n, i in enumerate(items[:stop]) if n != at and not (n in (at - 1, at + 1) and i.lower == ",")]
    lists = _lists(plain)
    if len(lists) != 2 or len(lists[0]) != len(lists[1]) or len(lists[0]) > _MOST:
        return
    (first, second), made = lists, []
    for n, (a, b) in enumerate(zip(first, second, strict=True)):
        made += [COMMA, word("and")] if n else []
        made += _clause(plain, (first, second), (a, b), used=items[at])
    yield Version(items=(*made, *items[stop:]))


def _lists(items: Sequence[Item]) -> list[list[int]]:
    """The lists of two or more names, numbers or dates of one kind, by the places of their members."""
    lists: list[list[int]] = []
    for n, item in enumerate(items):
        kind = slot(item)
        if not kind:
            continue
        last = lists[-1][-1] if lists else -1
        gap = items[last + 1 : n]
        joined = last >= 0 and bool(gap) and all(i.lower in _BETWEEN for i in gap) and slot(items[last]) == kind
        if joined:
            lists[-1].append(n)
        else:
            lists.append([n])
    return [found for found in lists if len(found) > 1]


def _clause(
    items: Sequence[Item], lists: tuple[list[int], list[int]], pair: tuple[int, int], *, used: Item
) -> list[Item]:
    """The sentence with one member of each list; its last member stands for the word that pairs them."""
    gone = {n for found in lists for n in range(found[0], found[-1] + 1)}
    made: list[Item] = []
    for n, item in enumerate(items):
        if n in (lists[0][0], lists[1][0]):
            at = pair[0] if n == lists[0][0] else pair[1]
            if items[at - 1].lower == "the" and at - 1 in gone:
                made.append(items[at - 1])
            made.append(_member(items, lists[0] if n == lists[0][0] else lists[1], at))
        elif n not in gone:
            made.append(item)
    last = next(n for n in range(len(made) - 1, -1, -1) if slot(made[n]))
    made[last] = made[last]._replace(spans=spans_of((made[last], used)))
    return made


def _member(items: Sequence[Item], members: Sequence[int], at: int) -> Item:
    """A member of a list; a bare number takes the unit of the last one ("5 and 7 km")."""
    item, last = items[at], items[members[-1]]
    if item.quantity is None or item.quantity.unit is not None or last.quantity is None or last.quantity.unit is None:
        return item
    return item._replace(quantity=replace(item.quantity, unit=last.quantity.unit))
