"""What narrows a noun: the adjectives before it and the places after it ("the main tributary", "the mouth in Ohio")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.telling import turning

__all__ = ["narrowing", "unqualified"]

_SPOTS = frozenset("in at near on within".split())


def narrowing(np: Np, items: Sequence[Item]) -> Iterator[int]:
    """The adjectives before a noun and the nouns that own it, and the phrases after them that say where.

    Not those words that deny or bound ("former", "only").
    """
    if np.kind is NpKind.NOUN:
        for _, x in np.mods:
            forms = items[x].forms
            if forms.adj and not forms.closed and not turning(items[x]) and not items[x].quantity:
                yield x
        for prep, obj in np.posts if np.of is not None else ():
            if prep in _SPOTS:
                yield from obj.items | {min(obj.items) - 1}
    if np.of is not None:
        yield from narrowing(np.of, items)


def unqualified(np: Np, gone: frozenset[int]) -> Np:
    """The phrase without some of the words before and after its nouns."""
    of = unqualified(np.of, gone) if np.of is not None else None
    parts = tuple(unqualified(p, gone) for p in np.parts)
    posts = tuple(p for p in np.posts if not p[1].items <= gone)
    return np._replace(mods=tuple(m for m in np.mods if m[1] not in gone), of=of, parts=parts, posts=posts)
