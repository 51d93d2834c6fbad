"""A question's sentence without what only colours it, so that its core can be read.

Contract: ``plainly`` gives the sentence as it stands, and then with less in it; ``lossy`` says that something was left
out which may tell one answer from another. Such a sentence may be answered only where there is one answer to choose
from. What turns a sentence (negation, order in time, ranks, numbers) is never left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from imprimatur.extract.asked import Asked, is_gap
from imprimatur.extract.reworded import reworded
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import turning
from imprimatur.extract.words import BE, LOCATIVE
from imprimatur.language import closed_class
from imprimatur.language.degree import superlative

__all__ = ["plainly"]


def plainly(asked: Asked) -> Iterator[tuple[Asked, bool]]:
    """The sentence as it is, then with less and less in it; with whether what is missing may matter."""
    seen: set[tuple[str, ...]] = set()
    plain = _without_scope(asked.items)
    plainer = reworded(plain)
    less = (*((plainer, *_shorter(plainer)) if plainer else ()), *_shorter(plain))
    for items, lossy in ((asked.items, False), (plain, False), *((i, True) for i in less)):
        if _words(items) not in seen and sum(map(is_gap, items)) == 1:
            seen.add(_words(items))
            yield replace(asked, items=items), lossy


def _shorter(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """The sentence without one kind of words, then without several."""
    for count in range(1, len(_LESS) + 1):
        for chosen in combinations(_LESS, count):
            made = items
            for less in chosen:
                made = less(made)
            yield made


def _words(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(i.lower for i in items)


def _without_scope(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without "primarily" and its like, and "approximate" of a number: they ask for the same thing."""
    scope = closed_class.words("scope") | closed_class.words("extent")
    return tuple(i for i in items if i.lower not in scope or i.entity)


def _without_adjectives(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without adjectives before a noun ("a direct tributary"), and "exclusively" before a participle."""
    focus = closed_class.words("focus") | closed_class.words("quantifier")
    kept = tuple(i for n, i in enumerate(items) if not _colouring(i, items[n + 1 : n + 2]))
    return tuple(i for i in kept if not (i.lower in focus and i.lower.endswith("ly") and i.lower != "only"))


def _without_kind(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X is a waterway located in GAP" as "X is located in GAP", "X is a stream that feeds GAP" as "X feeds GAP"."""
    at = next((n for n, i in enumerate(items) if i.lower in BE), 0)
    if not at or items[at + 1 : at + 2] == () or items[at + 1].lower not in ("a", "an"):
        return items
    stop = at + 2
    while stop < len(items) and (items[stop].forms.noun or items[stop].forms.adj) and not items[stop].entity:
        stop += 1
    after = items[stop : stop + 1]
    if stop == at + 2 or not after or is_gap(after[0]):
        return items
    if after[0].lower in ("that", "which"):
        return (*items[:at], *items[stop + 1 :])
    if after[0].forms.verb_forms & {"pp"} or after[0].lower in LOCATIVE:
        return (*items[: at + 1], *items[stop:])
    return items


def _colouring(item: Item, after: Sequence[Item]) -> bool:
    plain = item.forms.adj and not item.forms.closed and not item.entity and not item.name and not item.quantity
    return bool(
        plain
        and not superlative(item.lower)
        and not turning(item)
        and after
        and (after[0].forms.noun or after[0].forms.adj)
    )


def _without_tail(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without what follows the gap, where it stands at the end of its sentence: "flows into GAP near Troy"."""
    at = next(n for n, i in enumerate(items) if is_gap(i))
    after = items[at + 1 :]
    opens = after and (after[0].punct or after[0].forms.closed & {"prep", "rel", "sub"} or after[0].forms.adv)
    opens = opens or (after and after[0].forms.verb_forms & {"pp"} and after[1:2] and after[1].forms.closed & {"prep"})
    if at and opens and not any(turning(i) for i in after):
        return items[: at + 1]
    return items


_LESS = (_without_tail, _without_adjectives, _without_kind)
