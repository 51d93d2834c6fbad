"""The part of SPARQL that is compiled, as a tree; ``query_reading`` makes it from text.

Terms are identifiers, variables are names with a question mark.
"""

from __future__ import annotations

from imprimatur._records import dataclass
from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.view import Term

__all__ = ["Bind", "Call", "Constant", "Element", "Exists", "Expression", "Filter", "Group", "Maybe", "Node"]
__all__ += ["Pattern", "Select", "Union", "Variable"]

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


Element = tuple[Pattern, ...] | Filter | Maybe | Union | Bind


@dataclass(frozen=True, slots=True)
class Group:
    """A group graph pattern: its elements in order."""

    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT query: (variable, expression or None) of its projection, none for ``*``."""

    projection: tuple[tuple[str, Expression | None], ...]
    where: Group
