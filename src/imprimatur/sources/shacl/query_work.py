"""What the evaluations of one query in one view share: the terms that were calculated, and sub-queries solved once."""

from __future__ import annotations

from dataclasses import dataclass, field

from imprimatur.sources.shacl.view import Term, View

__all__ = ["Row", "Work"]

#: A solution: the identifier of the term of each bound variable.
Row = dict[str, int]


@dataclass(slots=True)
class Work:
    """What all evaluations of a query in one view share; identifiers of calculated terms are its own (below zero)."""

    view: View
    made: dict[Term, int] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)
    closed: dict[int, list[Row]] = field(default_factory=dict)

    def number(self, term: Term) -> int:
        """The identifier of a calculated term; one of this table when the graph does not know it."""
        known = self.view.terms.find(term)
        return self.own(term) if known is None else known

    def own(self, term: Term) -> int:
        """The identifier of a term in this table, whether the graph knows it or not."""
        known = self.made.get(term)
        if known is None:
            known = self.made[term] = -1 - len(self.terms)
            self.terms.append(term)
        return known

    def term(self, number: int) -> Term:
        """The term of an identifier."""
        return self.view.terms.term(number) if number >= 0 else self.terms[-1 - number]
