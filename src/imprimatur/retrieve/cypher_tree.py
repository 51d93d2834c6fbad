"""What a Cypher query that may run is made of: clauses, patterns and expressions, as they were read."""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._dataclasses import dataclass

__all__ = ["Clause", "Edge", "Expression", "Item", "Match", "Path", "Project", "Spot", "Unwind"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A part of a query that has a value.

    ``kind``: ``variable`` and ``property`` (``name`` is the variable's, ``key`` the property's), ``literal``, ``list``,
    ``call`` (``name`` in small letters, ``key`` says DISTINCT), ``operator`` (``name`` is its sign or word), ``labels``
    (a test of ``name``) or ``path`` (a test whether there is such a path).
    """

    kind: str
    name: str = ""
    key: str = ""
    parts: tuple[Expression, ...] = ()
    labels: tuple[str, ...] = ()
    path: Path | None = None

    def walk(self) -> Iterator[Expression]:
        """The expression, and all that it is made of."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of a pattern: ``(variable:Label {key: literal})``. ``mark`` tells it from all others of the query."""

    variable: str
    labels: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    mark: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship of a pattern; ``way``: ``out``, ``in`` or ``any``. ``steps`` is 1 unless a range was written."""

    variable: str
    types: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    way: str
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes, and what leads from each to the next."""

    spots: tuple[Spot, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """``MATCH``, or ``OPTIONAL MATCH``."""

    paths: tuple[Path, ...]
    where: Expression | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Item:
    """A column of ``WITH`` or ``RETURN``, and its alias; the variable's name where it is one."""

    value: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Project:
    """``WITH`` or ``RETURN``.

    ``limit`` is where the number of ``LIMIT`` stands in the text, and ``rows`` that number; None without one.
    ``skips``: there is a ``SKIP``.
    """

    items: tuple[Item, ...]
    order: tuple[Expression, ...]
    limit: tuple[int, int] | None
    rows: int | None
    skips: bool
    where: Expression | None
    returns: bool


@dataclass(frozen=True, slots=True)
class Unwind:
    """``UNWIND value AS name``."""

    value: Expression
    name: str


Clause = Match | Project | Unwind
