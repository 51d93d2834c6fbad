"""Noun phrases to chains: their nouns from the head inwards, with ``*`` for each name, quantity or date.

"The source elevation of the Rhine", "the elevation of the Rhine's source" and "its source's elevation" are one chain,
``elevation<source<*``.
"""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.extract.syntax import Np, NpKind, replace

__all__ = ["Signature", "anew", "chain", "is_hole", "role_of", "shared_owner", "unowned"]

_HOLES = (NpKind.ENTITY, NpKind.NAME, NpKind.QUANTITY, NpKind.DATE, NpKind.HOLE)
_PERIODS = frozenset("year month day decade century".split())
_POSSESSIVE = frozenset("its their his her xer".split())


@dataclass(frozen=True, slots=True)
class Signature:
    """The text of a chain and its holes in the order of the stars."""

    text: str
    holes: tuple[Np, ...]


def is_hole(np: Np) -> bool:
    """Whether a phrase is a name, a quantity, a date, a pronoun, or a list of such."""
    if np.kind is NpKind.LIST:
        return all(is_hole(p) for p in np.parts)
    return np.kind in _HOLES or (np.kind is NpKind.PRONOUN)


def chain(np: Np) -> Signature:
    """The signature of a noun phrase: its nouns from the head inwards, ``*`` for what is named in it."""
    if is_hole(np):
        if np.kind in (NpKind.QUANTITY, NpKind.HOLE) and np.of is not None:
            inner = chain(np.of)
            return Signature(f"*%{inner.text}", (np, *inner.holes))
        told = [m for m, _ in np.mods if m not in _PERIODS]
        return Signature(":".join(["*", *reversed(told)]), (np,))
    if np.kind is NpKind.LIST:
        parts = [chain(p) for p in shared_owner(np).parts]
        return Signature("[" + "&".join(p.text for p in parts) + "]", tuple(h for p in parts[-1:] for h in p.holes))
    words = [np.head, *(m for m, _ in reversed(np.mods)), *(["another"] if anew(np) else [])]
    words += [
        c for prep, obj in np.posts if prep == "of" and np.of is not None for c in (chain(obj).text,) if "*" not in c
    ]
    np = replace(np, posts=tuple(p for p in np.posts if p[0] != "of" or np.of is None or "*" in chain(p[1]).text))
    text = "<".join(words)
    holes: tuple[Np, ...] = ()
    counted = [x for x in np.inner if x.kind is NpKind.QUANTITY and _bare_count(x)]
    if len(counted) == 1:
        text += "#*"
        holes = (counted[0],)
    for prep, obj in sorted(np.posts, key=lambda p: p[0]):
        if prep in ("for", "of") and np.of is None:
            np = replace(np, of=obj)
            continue
        sig = chain(obj)
        text += f"{{{role_of(prep)}={sig.text}}}"
        holes += sig.holes
    if np.of is not None:
        inner = chain(np.of)
        text += "<" + inner.text
        holes += inner.holes
    return Signature(text, holes)


def anew(np: Np) -> bool:
    """Whether a phrase is "another name": not the name of the thing, but one beside that which was used."""
    return np.kind is NpKind.NOUN and np.det == "another" and np.head == "name"


def _bare_count(np: Np) -> bool:
    """A cardinal number without a unit: it counts the noun after it."""
    return np.counted


def role_of(prep: str) -> str:
    """The role that a preposition gives: "in", "at", "on" and the like are one, ``loc``."""
    return "loc" if prep in ("in", "at", "on", "within", "inside") else prep


def shared_owner(np: Np) -> Np:
    """ "The source and the mouth of X": the owner of the last member belongs to all."""
    of = next((p.of for p in reversed(np.parts) if p.of is not None), None)
    return replace(
        np, parts=tuple(p if p.of is not None or p.kind is not NpKind.NOUN else replace(p, of=of) for p in np.parts)
    )


def unowned(np: Np) -> Np:
    """The phrase without "its": the owner is the subject of the clause."""
    of = np.of
    if of is not None:
        of = None if of.kind is NpKind.PRONOUN and of.head in _POSSESSIVE and np.kind is NpKind.NOUN else unowned(of)
    return replace(np, of=of, posts=tuple((prep, unowned(obj)) for prep, obj in np.posts))
