"""The phrase that asks: which words after "which", "what" or "the" are its nouns, and where they end."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.syntax import Item
from imprimatur.extract.words import BE, DO, HAVE

__all__ = ["AUXILIARIES", "is_named", "is_nominal", "last", "phrase", "with_tail"]

AUXILIARIES = BE | DO | HAVE
_MARKS = frozenset("?.!")


def last(question: Sequence[Item]) -> tuple[Item, ...]:
    """The last sentence of a question, without its mark."""
    items = list(question)
    while items and items[-1].lower in _MARKS:
        items.pop()
    start = max((n + 1 for n, i in enumerate(items) if i.lower in _MARKS), default=0)
    stop = next((n for n in range(len(items) - 2, start, -1) if _said_so(items[n : n + 3])), len(items))
    return tuple(items[start:stop])


def _said_so(items: Sequence[Item]) -> bool:
    """Whether a remark on where the answer stands begins: ", as stated in the text"."""
    return len(items) > 2 and [i.lower for i in items[:2]] == [",", "as"] and bool(items[2].forms.verb_forms & {"pp"})


def is_nominal(item: Item) -> bool:
    """Whether a word may belong to a noun phrase."""
    return bool(item.forms.noun or item.forms.adj or item.entity or item.name or item.quantity)


def _attributive(items: Sequence[Item], n: int) -> bool:
    """Whether a participle stands before its noun: "which named stream"."""
    after = items[n + 1] if n + 1 < len(items) else None
    plain = after is not None and after.entity is None and after.name is None and bool(after.forms.noun)
    return bool(items[n].forms.verb_forms & {"pp", "ing"}) and plain


def phrase(items: Sequence[Item], start: int) -> int:
    """Where the nouns after an asking word end: before the verb, an auxiliary, a preposition or a mark."""
    n = start
    while n < len(items) and not items[n].punct and _belongs(items, start, n):
        n += 1
    return n


def _belongs(items: Sequence[Item], start: int, n: int) -> bool:
    """Whether a word goes on with the nouns of an asking phrase."""
    if items[n].lower in AUXILIARIES or "modal" in items[n].forms.closed:
        return False
    return (is_nominal(items[n]) and not _verbal(items, start, n)) or _attributive(items, n)


def _verbal(items: Sequence[Item], start: int, n: int) -> bool:
    """Whether a word after the first noun is the verb of the question."""
    i = items[n]
    if i.lower in AUXILIARIES or "modal" in i.forms.closed:
        return True
    if n > start and items[n - 1].forms.plural and "base" in i.forms.verb_forms and _opens(items, n + 1):
        return True
    if n == start or not (i.forms.verb and i.forms.verb_forms & {"s", "past"}):
        return False
    heads = items[start:n]
    return any(h.forms.noun for h in heads) and not (i.forms.plural and _goes_on(items, n + 1))


def _opens(items: Sequence[Item], n: int) -> bool:
    """Whether an object or a place follows."""
    return n < len(items) and bool(items[n].entity or items[n].name or items[n].forms.closed & {"prep", "det"})


def _goes_on(items: Sequence[Item], n: int) -> bool:
    """Whether a verb follows, so that what stands before it is a noun."""
    return n < len(items) and (items[n].lower in AUXILIARIES or bool(items[n].forms.verb_forms & {"s", "past"}))


def with_tail(items: tuple[Item, ...], stop: int, noun: tuple[Item, ...]) -> tuple[int, tuple[Item, ...]]:
    """The nouns with the phrase that says more of them: "which county of Texas", "which county in Texas"."""
    n = stop
    while noun and n + 1 < len(items) and items[n].lower in ("of", "in", "within"):
        end = n + 1
        while end < len(items) and items[end].lower in ("the", "this"):
            end += 1
        if end >= len(items) or not (items[end].entity or _material(items, n)):
            break
        if end + 1 < len(items) and is_nominal(items[end + 1]) and not items[end + 1].forms.closed:
            break  # "within the Delaware River watershed"
        n = end + 1
    return (n, (*noun, *items[stop:n])) if n > stop else (stop, noun)


def _material(items: Sequence[Item], n: int) -> bool:
    """Whether "of" and one noun end the phrase: "which body of water"."""
    after = items[n + 2] if n + 2 < len(items) else None
    plain = items[n].lower == "of" and items[n + 1].forms.noun and not items[n + 1].name
    return bool(plain) and (after is None or not is_nominal(after))


def is_named(item: Item) -> bool:
    """Whether an item is a name, a number or a pronoun."""
    return bool(item.entity or item.name or item.quantity or "pron" in item.forms.closed)
