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

__all__ = ["ItemTree", "TreeWords", "Uncut", "tree_of"]

#: Marks that may part one piece of a sentence from another.
MARKS = frozenset(", ; : — – ( ) .".split())
_OPENING = frozenset(", ( — –".split())
_CLOSING = frozenset(", ) — – . ; :".split())
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


class Uncut(Exception):
    """The tree does not say with certainty how to cut."""


class TreeWords:
    """The items of a sentence with what their tree says of them."""

    def __init__(self, items: Sequence[Item], tree: ItemTree) -> None:
        self.items = items
        self.tree = tree

    def mark(self, i: int, marks: frozenset[str] = MARKS) -> bool:
        """Whether item ``i`` is one of the marks; the end of the sentence is a closing one."""
        if i >= len(self.items):
            return marks is _CLOSING
        return i >= 0 and self.items[i].punct and self.items[i].lower in marks

    def verbal(self, i: int) -> bool:
        """Whether the tree and the word's own form say that item ``i`` is a verb."""
        joined = self.tree.labels[i] == "conj" and self.verbal(self.tree.heads[i])
        tagged = self.tree.tags[i][:2] == "VB" or joined
        return tagged and bool(self.items[i].forms.verb_forms) and not self.named(i)

    def named(self, i: int) -> bool:
        """Whether item ``i`` names something."""
        item = self.items[i]
        return bool(item.entity or item.name or item.quantity or item.date)

    def nominal(self, i: int) -> bool:
        """Whether item ``i`` heads a noun phrase."""
        return self.tree.tags[i][:2] in ("NN", "PR") or self.named(i)

    def span(self, i: int) -> tuple[int, int]:
        """The first and the last item of all that hangs on item ``i``, without marks at the ends."""
        below = sorted(x for x in self.tree.below(i) if not self.mark(x))
        if not below:
            raise Uncut  # a mark that nothing but marks hang on
        return below[0], below[-1]

    def set_off(self, d: int) -> bool:
        """Whether all that hangs on item ``d`` stands between marks."""
        start, end = self.span(d)
        if any(x not in self.tree.below(d) for x in range(start, end + 1)):
            return False
        if self.mark(start - 1, frozenset("(")):
            return self.mark(end + 1, frozenset(")"))
        return self.mark(start - 1, _OPENING) and self.mark(end + 1, _CLOSING)
