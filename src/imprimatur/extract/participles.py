"""Participial phrases that say more of a subject: "Founded in 1903, it …", "it covers 80 km, draining into B".

They are read as further predicates of the subject that they go with, and nothing is taken from their order.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.predicates import Predicates
from imprimatur.extract.syntax import Clause

__all__ = ["Participles"]

_FORMS = ("pp", "ing")


class Participles(Predicates):
    """Participial phrases before and after a clause."""

    def introduced(self, i: int) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        """Participial phrases from ``i`` that lack their subject, up to the comma before it: "Built in 1903 and …,"."""
        if i >= self.n or self.items[i].entity or not self._participle_at(i):
            return
        for want in _FORMS:
            for e, clause in self.vps(i, want):
                if self.word(e, ","):
                    yield e + 1, (clause,)
                k = e + 2 if self.word(e, ",") and self.word(e + 1, "and") else e + 1
                if self.word(k - 1, "and"):
                    yield from ((end, (clause, *more)) for end, more in self.introduced(k))

    def _participle_at(self, i: int) -> bool:
        """Whether a participle stands at item ``i``, or after one adverb."""
        k = i + 1 if self.adverb(i) and i + 1 < self.n else i
        return bool(self.items[k].forms.verb_forms & set(_FORMS))
