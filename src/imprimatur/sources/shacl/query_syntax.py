"""The part of SPARQL that is compiled, as a tree; ``query_reading`` makes it from text.

Terms are identifiers, variables are names with a question mark.
"""

from __future__ import annotations

from dataclasses import dataclass

from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.view import Term

__all__ = ["Aggregate", "Bind", "Call", "Constant", "Element", "Exists", "Expression", "Filter", "Group", "Maybe"]
__all__ += ["Node", "Pattern", "Select", "Union", "Variable"]

#: A variable (``?x``) or the identifier of a term.
Node = str | int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern with a property path, or with a variable (``?x``) for its predicate."""

    subject: Node
    path: Path | str
    object: Node


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in an expression."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A term in an expression."""

    term: Term


@dataclass(frozen=True, slots=True)
class Call:
    """An operator or function (in capitals; casts by their IRI) with its arguments."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """EXISTS, or NOT EXISTS when ``negated``."""

    group: Group
    negated: bool


Expression = Variable | Constant | Call | Exists


@dataclass(frozen=True, slots=True)
class Filter:
    """FILTER of the group that holds it."""

    test: Expression


@dataclass(frozen=True, slots=True)
class Maybe:
    """OPTIONAL."""

    group: Group


@dataclass(frozen=True, slots=True)
class Union:
    """Alternatives; one alternative is a group in braces."""

    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Bind:
    """BIND (value AS name)."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Group:
    """A group graph pattern: its elements in order."""

    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregate over the solutions of a group (SPARQL 1.1, 11); no argument for ``COUNT(*)``.

    Expressions refer to it by ``name``, a variable that no query can write.
    """

    name: str
    function: str
    argument: Expression | None
    distinct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """A SELECT query or sub-query.

    Attributes:
        projection: (variable, expression or None) of each selected variable; None for ``*``.
        keys: the variables of GROUP BY; None without it.
        pushed: whether the solutions so far are known inside (as rdflib's lazy joins do), not only those of the group
            around; for sub-queries.
        closed: whether it mentions nothing that is known beforehand, so that its solutions are always the same.
    """

    projection: tuple[tuple[str, Expression | None], ...] | None
    where: Group
    distinct: bool = False
    keys: tuple[str, ...] | None = None
    aggregates: tuple[Aggregate, ...] = ()
    having: tuple[Expression, ...] = ()
    pushed: bool = True
    closed: bool = False

    @property
    def grouped(self) -> bool:
        """Whether its solutions are groups."""
        return self.keys is not None or bool(self.aggregates)

    @property
    def plain(self) -> tuple[str, ...]:
        """The selected variables that are not calculated."""
        return tuple(name for name, value in self.projection or () if value is None)

    @property
    def computed(self) -> tuple[tuple[str, Expression], ...]:
        """The calculated variables with their expressions."""
        return tuple((name, value) for name, value in self.projection or () if value is not None)

    @property
    def names(self) -> frozenset[str]:
        """All selected variables."""
        return frozenset(name for name, _ in self.projection or ())


Element = tuple[Pattern, ...] | Filter | Maybe | Union | Bind | Select
