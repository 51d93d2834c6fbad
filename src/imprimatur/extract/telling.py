"""Which items say something that a claim must account for."""

from __future__ import annotations

from functools import cache, lru_cache

from imprimatur.extract.syntax import Item
from imprimatur.language import closed_class

__all__ = ["content", "hard", "names_something", "turning"]

_JOINING = frozenset("but while whereas although though yet".split())
#: Classes of words that change what a sentence says though they are function words.
_MEANINGFUL = ("negator", "near_negator", "quantifier", "focus", "contrast", "hypothetical", "modal")


def names_something(item: Item) -> bool:
    """Whether the item is a name, number or date."""
    return bool(item.entity or item.quantity or item.date or item.name)


def content(item: Item) -> bool:
    """Whether some claim must account for the item."""
    if names_something(item):
        return True
    return item.text.isalnum() if item.punct else _tells(item.lower, item.text)


@lru_cache(maxsize=16384)
def _tells(lower: str, text: str) -> bool:
    if lower.endswith(("self", "selves")):
        return True  # "connects A to itself"
    plain = closed_class.is_function_word(lower) or lower in _JOINING
    return not plain and any(c.isalnum() for c in text)


def hard(item: Item) -> bool:
    """Whether the item is more than an adjective or adverb that colours what is said."""
    if names_something(item):
        return True
    f = item.forms
    if f.closed or f.noun or f.verb or not (f.adj or f.adv):
        return True
    return turning(item) or item.lower.endswith(("est", "er"))


def turning(item: Item) -> bool:
    """Whether the word changes what is said: a negator, quantifier, modal and the like."""
    return item.lower in _turning()


@cache
def _turning() -> frozenset[str]:
    return frozenset[str]().union(*map(closed_class.words, _MEANINGFUL))
