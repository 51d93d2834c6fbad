"""Whole segments: sequences of clauses, fragments, and what to do when nothing covers everything."""

from __future__ import annotations

from imprimatur.extract.grammar import Clauses, Parse
from imprimatur.extract.nouns import Spent
from imprimatur.extract.syntax import Clause, Fragment

__all__ = ["Sentences"]

_CONCEDING = ("though", "although", "while", "whilst", "whereas")
#: Steps that are given for each start of a clause where nothing covers the whole, and for all starts together.
_GIVEN = 400
_MOST_GIVEN = 200 * _GIVEN
_END = frozenset((".", "!", "?", "…", "。", ";", ":"))


class Sentences(Clauses):
    """The top of the grammar."""

    def parse(self) -> Parse:
        """The best reading of all items."""
        stop = self.n
        while stop and self.items[stop - 1].lower in _END:
            stop -= 1
        self.n = stop
        try:
            whole = self._sequence(0)
        except (Spent, RecursionError):
            whole = None
        if whole is not None:
            return whole
        return self._partial()

    def _sequence(self, i: int, depth: int = 0) -> Parse | None:
        """Clauses from ``i`` to the end, joined by commas, semicolons and conjunctions; None when that fails."""
        if depth > 12:
            return None
        if depth == 0 and self.word(i, *_CONCEDING):
            return self._conceded(i)
        for e, clauses, fragments in self.core(i):
            if e == self.n:
                return Parse(clauses, fragments, True)
            k = self._separated(e)
            if k > e:
                rest = self._sequence(k, depth + 1)
                if rest is not None:
                    return Parse((*clauses, *rest.clauses), (*fragments, *rest.fragments), True)
        fragment = self._fragment(i, self.n) if depth == 0 else None
        return Parse((), (fragment,), True) if fragment else None

    def _conceded(self, i: int) -> Parse | None:
        """ "Though A crosses B, it links C": both are asserted."""
        for e, clauses, fragments in self.core(i + 1):
            rest = self._sequence(e + 1, 1) if self.word(e, ",") else None
            if rest is not None:
                return Parse((*clauses, *rest.clauses), (*fragments, *rest.fragments), True)
        return None

    def _separated(self, e: int) -> int:
        k = e
        while k < self.n and self.word(
            k, ",", ";", "...", "…", "and", "but", "while", "so", "yet", ":", "—", "–", "whereas", "though"
        ):
            k += 1
        return k

    def _fragment(self, i: int, stop: int) -> Fragment | None:
        """A noun phrase alone, "label: value", or a preposition with its phrase."""
        colon = next((k for k in range(i, stop) if self.items[k].lower in (":", "–", "—", "=", "is:")), None)
        if colon is not None and colon > i:
            left = next((np for e, np in self.nps(i) if e == colon), None)
            right = next((np for e, np in self.nps(colon + 1) if e == stop), None)
            if left is not None and right is not None:
                return Fragment(left, right, items=frozenset(range(i, stop)))
        k = i + 1 if self.closed(i, "prep") else i
        np = next((np for e, np in self.nps(k) if e == stop), None)
        if np is None:
            return None
        return Fragment(np, prep=self.items[i].lower if k > i else "", items=frozenset(range(i, stop)))

    def _partial(self) -> Parse:
        """The longest clauses from left to right, with what lies between them left uncovered.

        The steps for each start are bounded, and so are those for all of them together: what is left then is uncovered.
        """
        clauses: list[Clause] = []
        i = 0
        given = 0
        while i < self.n and given < _MOST_GIVEN:
            self.budget = max(self.budget, 0) + _GIVEN
            given += _GIVEN
            best: tuple[int, tuple[Clause, ...]] | None = None
            try:
                for e, found, _ in self.core(i):
                    if best is None or e > best[0]:
                        best = (e, found)
            except (Spent, RecursionError):
                pass
            if best is None:
                i += 1
            else:
                clauses += best[1]
                i = max(best[0], i + 1)
        return Parse(tuple(clauses), (), False)
