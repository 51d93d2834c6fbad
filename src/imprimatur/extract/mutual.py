"""Relations said of two things in both directions, rewritten as two relations (see ``extract.versions``).

"X and Y influenced each other", "X influenced Y and vice versa", "with Y the influence ran both ways", "the influence
between X and Y was mutual"; and two verbs with one object, "X influenced and was influenced by Y".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import turning
from imprimatur.extract.versions import COMMA, Version, copula, entity_at, nominal, spans_of, word

__all__ = ["both_ways"]

_EACH_OTHER = (("each", "other"), ("one", "another"))
_RUNNING = frozenset("run go flow work cut".split())
_WAYS = (("both", "ways"), ("in", "both", "directions"), ("either", "way"))
_MUTUAL = frozenset("mutual reciprocal".split())
_PERSONAL = frozenset("he she it".split())


def both_ways(items: Sequence[Item]) -> Iterator[Version]:
    """The versions of a sentence in which a relation is said in both directions, or two verbs share their object."""
    items = tuple(items)
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    lowers = [i.lower for i in items]
    for k in range(1, stop):
        if tuple(lowers[k : k + 2]) in _EACH_OTHER:
            yield from _each_other(items, k)
        if lowers[k : k + 2] == ["vice", "versa"] and k + 2 == stop and lowers[k - 1] == "and":
            yield from _turned(items, k)
        if nominal(items[k]) and lowers[k - 1] in ("the", "this", "that"):
            yield from _two_way(items, k, stop)
        if lowers[k] == "and" and k + 1 < stop:
            yield from _sharing(items, k, stop)


def _denying(item: Item) -> bool:
    """Whether a word denies: what is not so both ways may still be so in one."""
    return "neg" in item.forms.closed or turning(item)


def _binding(item: Item) -> bool:
    """Whether an item shows that more than one plain relation is said."""
    return bool(item.quantity or item.date or item.lower in (",", ";", "and", "or") or _denying(item))


def _named(items: Sequence[Item], k: int) -> bool:
    """Whether item ``k`` is a name, known or not."""
    return entity_at(items, k) or (0 <= k < len(items) and items[k].name is not None)


def _pair(items: Sequence[Item], k: int) -> tuple[int, int] | None:
    """Where the two names of "X and (the) Y" at ``k`` stand; None where there are none, or more."""
    first = k + 1 if k < len(items) and items[k].lower in ("the", "both") else k
    and_ = first + 1
    if not _named(items, first) or and_ >= len(items) or items[and_].lower != "and":
        return None
    second = and_ + 2 if and_ + 1 < len(items) and items[and_ + 1].lower == "the" else and_ + 1
    return (first, second) if _named(items, second) else None


def _each_other(items: tuple[Item, ...], k: int) -> Iterator[Version]:
    """ "X and Y influenced each other": X influenced Y, and Y influenced X."""
    start = next((x for x in range(k - 1, -1, -1) if items[x].lower in (",", ";", ":")), -1) + 1
    pair = _pair(items, start)
    if pair is None:
        return
    first, second = items[pair[0]], items[pair[1]]
    verb = items[pair[1] + 1 : k]
    if not verb or any(i.entity or i.name or i.quantity or i.date or _denying(i) for i in verb):
        return
    spans = spans_of(items[k : k + 2])
    said = (first, *verb, second._replace(spans=spans))
    again = (second, *verb, first._replace(spans=spans))
    joint = word("and", [*items[start : pair[0]], *items[pair[0] + 1 : pair[1]]])
    yield Version(items=(*items[:start], *said, COMMA, joint, *again, *items[k + 2 :]))


def _turned(items: tuple[Item, ...], k: int) -> Iterator[Version]:
    """ "X influenced Y, and vice versa"."""
    end = k - 2 if items[k - 2].lower == "," else k - 1
    said = items[:end]
    places = [n for n in range(len(said)) if _named(said, n)]
    if len(places) != 2 or places[0] > 1 or any(map(_binding, said)):
        return
    first, second = places
    swapped = list(said)
    swapped[first] = said[second]._replace(spans=spans_of((said[second], *items[k : k + 2])))
    swapped[second] = said[first]
    yield Version(items=(*said, COMMA, items[k - 1], *swapped, *items[k + 2 :]))


def _two_way(items: tuple[Item, ...], k: int, stop: int) -> Iterator[Version]:
    """ "(With Y) the influence ran both ways", "the influence between X and Y was mutual"."""
    noun, at = items[k], k + 1
    pair = _pair(items, k + 2) if at < stop and items[at].lower == "between" else None
    other = None
    if pair is not None:
        at = pair[1] + 1
    elif at < stop and items[at].lower == "with":
        other = at + 2 if items[at + 1 : at + 2] and items[at + 1].lower == "the" else at + 1
        at = other + 1
    end = _both(items, at)
    if end == 0:
        return
    start = k - 1
    if pair is None and other is None:
        start, other = _with(items, k - 1)
    names = [x for x in range(k - 1) if _named(items, x)]
    if pair is None and other is None and len(names) == 2:
        pair = (names[0], names[1])  # "X influenced Y, and the influence was mutual"
    if pair is not None:
        yield _said_twice(items, items[pair[0]], (items[pair[1]], noun), (start, end))
    elif other is not None and _named(items, other):
        for subject in _subjects(items[:start]):
            yield _said_twice(items, subject, (items[other], noun), (start, end))


def _with(items: Sequence[Item], end: int) -> tuple[int, int | None]:
    """Where "with Y" before ``end`` begins, and the name; ``end`` and None where it does not stand there."""
    start = next((x for x in range(end - 1, max(-1, end - 5), -1) if items[x].lower == "with"), end)
    between = range(start + 1, end)
    if not all(_named(items, x) or items[x].lower in ("the", ",") for x in between):
        return end, None
    other = next((x for x in between if _named(items, x)), None)
    return (start, other) if other is not None else (end, None)


def _both(items: Sequence[Item], k: int) -> int:
    """Where "ran both ways" or "was mutual" ends, from ``k``; 0 where it does not stand there."""
    if copula(items, k) and k + 1 < len(items) and items[k + 1].lower in _MUTUAL:
        return k + 2
    if k < len(items) and items[k].forms.verb in _RUNNING and items[k].entity is None:
        lowers = tuple(i.lower for i in items[k + 1 : k + 4])
        return next((k + 1 + len(ways) for ways in _WAYS if lowers[: len(ways)] == ways), 0)
    return 0


def _subjects(before: Sequence[Item]) -> Iterator[Item]:
    """What the sentence is about: its first word where that is a name or pronoun, else what was spoken of before."""
    if before and (before[0].entity is not None or before[0].lower in _PERSONAL):
        yield before[0]
    elif not before:
        yield from (word("he"), word("it"))


def _said_twice(items: tuple[Item, ...], subject: Item, other: tuple[Item, Item], at: tuple[int, int]) -> Version:
    """ "X is an N of Y and has Y as an N" for the words ``at``."""
    (name, noun), (start, end) = other, at
    kept = {i.start for i in (subject, name, noun)}
    rest = [i for i in items[start:end] if i.start not in kept]
    made = (subject, word("is", rest), word("an"), noun, word("of"), name)
    return Version(
        items=(*items[:start], *made, word("and"), word("has"), name, word("as"), word("an"), noun, *items[end:])
    )


def _sharing(items: tuple[Item, ...], k: int, stop: int) -> Iterator[Version]:
    """ "X influenced and was influenced by Y": the object of both stands at the end."""
    before, after = items[k - 1], items[k + 1]
    verbal = bool(before.forms.verb_forms) or "prep" in before.forms.closed
    if not verbal or before.entity or before.name or not after.forms.verb_forms or after.entity:
        return
    last = stop - 1
    begin = last - 1 if items[last - 1].lower == "the" else last
    if begin <= k + 1 or not _named(items, last) or any(_named(items, x) for x in range(k + 1, begin)):
        return
    head, used = list(items[:k]), [items[k]]
    both = next((x for x in range(k - 1, max(-1, k - 4), -1) if items[x].lower == "both"), None)
    if both is not None:
        used.append(head.pop(both))
    shared = items[begin:stop]
    yield Version(items=(*head, *shared, word("and", used), *items[k + 1 :]))
