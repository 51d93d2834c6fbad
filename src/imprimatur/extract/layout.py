"""What of a parse depends on no name: its clauses, each with those that hang on it, and where its phrases stand.

Sentences of one skeleton share a parse, so they share this too; it is remembered for as many parses as are kept.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur.extract.discourse import Places
from imprimatur.extract.grammar import MOST_KEPT, Parse
from imprimatur.extract.order import told_apart
from imprimatur.extract.syntax import Clause, Comp
from imprimatur.extract.unfold import clauses_within

__all__ = ["Layout", "layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The clauses at the top of a sentence with what they are unfolded into, and the places of its phrases.

    The last of the clauses are those of time; ``timed`` gives for each the clause it belongs to and its conjunction.
    """

    tops: tuple[tuple[Clause, tuple[Clause, ...]], ...]
    places: Places
    timed: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=MOST_KEPT)
def layout(parsed: Parse) -> Layout:
    """The layout of a parse; "label: value" counts as a clause, and so does a phrase for the clauses that it holds."""
    labelled = [
        Clause("be", f.items, subj=f.np, comps=(Comp("obj", np=f.value, items=f.value.items),))
        for f in parsed.fragments
        if f.value is not None
    ]
    bare = [Clause("be", f.items, subj=f.np) for f in parsed.fragments if f.value is None and f.np.clauses]
    split = [told_apart(top) for top in (*parsed.clauses, *labelled, *bare)]
    timed = tuple((at, marker) for at, (_, inner) in enumerate(split) for marker, _ in inner)
    clauses = [*(top for top, _ in split), *(clause for _, inner in split for _, clause in inner)]
    tops = tuple((top, clauses_within(top)[top in bare :]) for top in clauses)
    places = Places.of((clause for _, within in tops for clause in within), (top for top, _ in tops))
    return Layout(tops, places, timed)
