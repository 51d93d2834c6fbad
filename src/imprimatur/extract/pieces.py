"""Some items of a sentence read by the grammar as a sentence of their own, and put back into their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

from imprimatur.extract.nouns import Spent
from imprimatur.extract.sentences import Sentences
from imprimatur.extract.syntax import Clause, Comp, Item, Np, replace

__all__ = ["Piece"]

_MOST = 12  # readings of one piece that are compared
_BUDGET = 3000


class Piece(Sentences):
    """Some items of a sentence as a sentence of their own; what the grammar makes of it is about the whole again."""

    def __init__(self, items: Sequence[Item], words: Sequence[int]) -> None:
        self._all = items
        self._at: list[int] = []
        self._words: list[Item] = []
        self.extend(words)

    def extend(self, words: Sequence[int]) -> None:
        """Items of the sentence."""
        for x in words:
            self.add(self._all[x], x)

    def add(self, item: Item, at: int) -> None:
        """One item, in the place of an item of the sentence."""
        self._words.append(item)
        self._at.append(at)

    def sentences(self) -> list[tuple[Clause, ...]]:
        """The clauses that the grammar finds when it reads all of the piece as one sentence."""
        super().__init__(self._words, _BUDGET)
        return _some(
            tuple(_clause(c, self._at) for c in clauses)
            for e, clauses, fragments in self.core(0)
            if e == self.n and not fragments
        )

    def phrases(self) -> list[Np]:
        """The noun phrases that the grammar finds when it reads all of the piece as one."""
        super().__init__(self._words, _BUDGET)
        return _some(_np(np, self._at) for e, np in self.nps(0) if e == self.n)


_Reading = TypeVar("_Reading")


def _some(found: Iterator[_Reading]) -> list[_Reading]:
    """The first of the readings, each once; none when the grammar's steps are used up."""
    try:
        return list(dict.fromkeys(islice(found, _MOST)))
    except (Spent, RecursionError):
        return []


# -- places ------------------------------------------------------------------------------------------------------------
def _set(items: frozenset[int], at: Sequence[int]) -> frozenset[int]:
    return frozenset(at[x] for x in items)


def _one(x: int, at: Sequence[int]) -> int:
    return at[x] if x >= 0 else x


def _clause(clause: Clause, at: Sequence[int]) -> Clause:
    """The clause with the places of its items in the whole sentence."""
    return replace(
        clause,
        items=_set(clause.items, at),
        subj=_np(clause.subj, at) if clause.subj is not None else None,
        comps=tuple(_comp(c, at) for c in clause.comps),
        adverbs=tuple(_one(x, at) for x in clause.adverbs),
        negators=tuple(_one(x, at) for x in clause.negators),
        verb_item=_one(clause.verb_item, at),
    )


def _comp(comp: Comp, at: Sequence[int]) -> Comp:
    return replace(
        comp,
        np=_np(comp.np, at) if comp.np is not None else None,
        clause=_clause(comp.clause, at) if comp.clause is not None else None,
        items=_set(comp.items, at),
        unlike=_np(comp.unlike, at) if comp.unlike is not None else None,
    )


def _np(np: Np, at: Sequence[int]) -> Np:
    return replace(
        np,
        items=_set(np.items, at),
        head_item=_one(np.head_item, at),
        mods=tuple((lemma, _one(x, at)) for lemma, x in np.mods),
        inner=tuple(_np(x, at) for x in np.inner),
        of=_np(np.of, at) if np.of is not None else None,
        posts=tuple((prep, _np(x, at)) for prep, x in np.posts),
        clauses=tuple(_clause(c, at) for c in np.clauses),
        appos=tuple(_np(x, at) for x in np.appos),
        parts=tuple(_np(x, at) for x in np.parts),
        listed=_np(np.listed, at) if np.listed is not None else None,
    )
