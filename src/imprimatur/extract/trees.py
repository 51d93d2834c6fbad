"""The items of a sentence as words for a dependency parser, and its tree brought back onto the items.

Each name is one word for the parser, and always the same: what is named is no business of it, as it is none of the
grammar's. Numbers and dates are given as written and folded again; where the parser takes one apart, there is no tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imprimatur.extract.syntax import Item
from imprimatur.language.parser import Tree
from imprimatur.language.tokens import tokenise

__all__ = ["ItemTree", "tree_of"]

#: Stands for every name: a proper noun and nothing else.
_NAME = "London"


@dataclass(frozen=True, slots=True)
class ItemTree:
    """For each item: the item that it hangs on (the root on itself), by what relation, and its part of speech."""

    heads: tuple[int, ...]
    labels: tuple[str, ...]
    tags: tuple[str, ...]

    def children(self, i: int) -> tuple[int, ...]:
        """The items that hang on item ``i``, from left to right."""
        return tuple(n for n, head in enumerate(self.heads) if head == i and n != i)

    def below(self, i: int) -> frozenset[int]:
        """Item ``i`` and all that hangs on it."""
        found = {i}
        for child in self.children(i):
            found |= self.below(child)
        return frozenset(found)

    def upwards(self, i: int) -> tuple[int, ...]:
        """Item ``i``, what it hangs on, and so on to the root."""
        out = [i]
        while self.heads[out[-1]] not in out:
            out.append(self.heads[out[-1]])
        return tuple(out)

    @property
    def root(self) -> int:
        """The item that hangs on nothing."""
        return next(n for n, head in enumerate(self.heads) if head == n)


def tree_of(items: Sequence[Item], parse: Callable[[Sequence[str]], Tree]) -> ItemTree | None:
    """The tree over the items; None when the parser sees several sentences, or takes an item apart."""
    words: list[str] = []
    of: list[int] = []  # the item of each word
    for n, item in enumerate(items):
        for word in _words(item):
            words.append(word)
            of.append(n)
    tree = parse(words)
    heads: list[int] = [-1] * len(items)
    labels, tags = [""] * len(items), [""] * len(items)
    for w, head in enumerate(tree.heads):
        n = of[w]
        if of[head] == n and head != w:
            continue
        if heads[n] >= 0:
            return None
        heads[n], labels[n], tags[n] = of[head], tree.labels[w], tree.tags[w]
    roots = sum(head == n for n, head in enumerate(heads))
    return ItemTree(tuple(heads), tuple(labels), tuple(tags)) if roots == 1 and min(heads) >= 0 else None


def _words(item: Item) -> tuple[str, ...]:
    if item.quantity is not None or item.date is not None:
        return tuple(token.text for token in tokenise(item.text)) or (item.text,)
    if item.entity is not None or item.name is not None:
        return (_NAME,) if item.text[:1].isupper() else (item.text.split()[-1],)
    return (item.text,)
