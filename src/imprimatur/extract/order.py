"""Clauses of time: "before reaching B", "until it meets B", "after rising in A".

Such a clause says what it says of its subject, and that it comes before or after the rest. It is read only where that
order goes without saying: the later one comes last of all that can be said of the subject (a river's mouth), or the
earlier one first (a birth, a source). Any other order of events is for the evidence to tell, and nothing here reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace as replaced

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, Claim, Relation, Statement
from imprimatur.extract.clauses import ClauseClaims
from imprimatur.extract.syntax import Clause, replace
from imprimatur.values import Quantity

__all__ = ["Told", "in_order", "told_apart"]

_MARKERS = ("before", "after", "until")


@dataclass(frozen=True, slots=True)
class Told:
    """What was read of a clause: its claims, and the clauses that hang on it."""

    claims: tuple[Claim, ...]
    clauses: tuple[ClauseClaims, ...]


def told_apart(clause: Clause) -> tuple[Clause, tuple[tuple[int, Clause], ...]]:
    """The clause without its clauses of time, and those with their subject, each with the item of its conjunction."""
    found = [c for c in clause.comps if c.role in _MARKERS and c.clause is not None]
    if not found:
        return clause, ()
    inner: list[tuple[int, Clause]] = []
    for comp in found:
        assert comp.clause is not None
        said = comp.clause
        if said.subj is None and clause.subj is not None:
            said = said.with_subject(clause.subj)
        inner.append((min(comp.items), said))
    gone = frozenset().union(*(c.items for c in found))
    bare = replace(clause, comps=tuple(c for c in clause.comps if c not in found), items=clause.items - gone)
    return bare, tuple(inner)


def in_order(marker: str, main: Told, inner: Told) -> tuple[tuple[Claim, ...], tuple[Claim, ...]] | None:
    """The claims of both clauses as they must be meant for the order that ``marker`` states to go without saying.

    None where no meaning makes it so.
    """
    earlier, later = (inner, main) if marker == "after" else (main, inner)
    if marker == "until":  # "was a member until …" says when it ended; an amount has no end
        earlier = Told(_only(earlier.claims, _amount), earlier.clauses)
    last = _only(later.claims, _kind(later.clauses, "last", _subjects(earlier)))
    first = _only(earlier.claims, _kind(earlier.clauses, "first", _subjects(later))) if marker != "until" else ()
    if not earlier.claims or not (last or first):
        return None
    claims = (earlier.claims, last) if last else (first, later.claims)
    return claims[::-1] if marker == "after" else claims


def _only(claims: Sequence[Claim], meant: Callable[[Statement], bool]) -> tuple[Claim, ...]:
    """The claims with those readings alone; none where one would have no reading."""
    kept = tuple(replaced(c, readings=tuple(r for r in c.readings if meant(r))) for c in claims)
    return kept if all(c.readings for c in kept) else ()


def _subjects(told: Told) -> frozenset[tuple[str, ...]]:
    """What the main clause is about: what comes last for another thing may come first for this one."""
    subj = told.clauses[0].clause.subj if told.clauses else None
    leaves = subj.leaves() if subj is not None else ()
    return frozenset(m.candidates for leaf in leaves for m in told.clauses[0].mentions(leaf) if m.candidates)


def _kind(
    clauses: Sequence[ClauseClaims], trait: str, about: frozenset[tuple[str, ...]]
) -> Callable[[Statement], bool]:
    """Whether a statement is of a property with a trait, and about one of some things."""
    iris = {iri for each in clauses for iri in each.with_trait(trait)}

    def meant(statement: Statement) -> bool:
        if not isinstance(statement, (Attribute, Relation)) or statement.subject.candidates not in about:
            return False
        return all(p.iri in iris for p in statement.predicates)

    return meant


def _amount(statement: Statement) -> bool:
    return isinstance(statement, Attribute) and isinstance(statement.value, Quantity)
