"""What a column of a Cypher query may be: what the graph stores, or what is reckoned out of it.

No literal, no test, and no value that whoever wrote the query has chosen: one reckoning is of at most two numbers, none
of them twice; texts are not put together; and rows that were cut off by LIMIT or SKIP are not counted, for
``LIMIT 42`` and a count behind it would be 42.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._dataclasses import dataclass
from imprimatur.retrieve.cypher_expressions import AGGREGATES
from imprimatur.retrieve.cypher_terms import GraphTerms
from imprimatur.retrieve.cypher_tree import Expression, Item

__all__ = ["Bound", "Columns", "Enough", "folds"]

_ARITHMETIC = frozenset("+-*/%")
_MOST_RECKONED = 2
_MOST_PROBLEMS = 20
#: The functions that may be asked of a whole node or relationship.
_OF_WHOLE = {"count": ("node", "edge"), "labels": ("node",), "type": ("edge",)}
#: Functions that give numbers, whatever they are given; and those that take nothing else.
_GIVES_NUMBERS = frozenset(("count", "size", "tointeger", "tofloat", "sum", "avg", "abs", "round", "floor", "ceil"))
_TAKES_NUMBERS = frozenset(("sum", "avg", "abs", "round", "floor", "ceil"))
_KEEPS_KIND = frozenset(("min", "max"))


class Enough(Exception):
    """So much is wrong that no more of it is told: finding the nearest known name takes a while."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable stands for: ``node``, ``edge`` or ``value``.

    ``groups`` are the patterns that it was matched by, one for a node or relationship; ``names`` are its labels or
    types, and ``called`` is what it is told by; ``said`` is what a value is called, ``reads`` what it is reckoned out
    of, ``numeric`` that it is a number, ``folded`` that it stands for several rows, ``maybe`` that it may be missing.
    """

    kind: str
    groups: frozenset[int]
    names: frozenset[str] = frozenset()
    called: str = ""
    said: str = ""
    reads: frozenset[str] = frozenset()
    numeric: bool = False
    folded: bool = False
    maybe: bool = False

    def key(self, name: str) -> str:
        """What one of its properties is called."""
        return f"{self.called}.{name}" if self.called else name


class Columns:
    """What the variables at one place of a query stand for, and what a column there does."""

    #: What belongs to no pattern.
    nowhere: frozenset[int]

    def __init__(self, terms: GraphTerms) -> None:
        self.terms = terms
        self.scope: dict[str, Bound] = {}
        self.problems: dict[str, None] = {}
        self.keys: dict[tuple[str, str], None] = {}
        #: The number of the first group of which no row has been cut off; -1 where there is none any more.
        self.whole_from = 0

    def wrong(self, problem: str) -> None:
        """Notes a problem, once; an empty text is none. Raises Enough where there are as many as can be mended."""
        if problem:
            self.problems.setdefault(problem)
        if len(self.problems) >= _MOST_PROBLEMS:
            raise Enough

    def key(self, key: str, names: frozenset[str], kind: str) -> None:
        """Notes a key of a node or relationship with some labels or types."""
        of = self.terms.unknown_key if kind == "node" else self.terms.unknown_key_of_type
        self.wrong(of(key, names))
        self.keys.update(dict.fromkeys((key, name) for name in sorted(names)))

    def read(self, value: Expression) -> Bound:
        """What a variable, one of its properties or its labels stand for."""
        bound = self.scope.get(value.name)
        if bound is None:
            self.wrong(f"{value.name} stands for nothing at this place: MATCH or WITH must name it before")
            return Bound("value", self.nowhere)
        if value.kind == "variable":
            return bound
        if value.kind == "labels":
            for label in value.labels:
                self.wrong(self.terms.unknown_label(label))
            self.wrong("" if bound.kind == "node" else f"{value.name} is no node")
            return bound
        if bound.kind == "value":
            self.wrong(f"{value.name} is a value, and has no {value.key[:100]}")
            return bound
        self.key(value.key, bound.names, bound.kind)
        return Bound("value", bound.groups, reads=frozenset(f"{each}.{value.key}" for each in bound.reads))

    def column(self, item: Item) -> Bound:
        """What a column stands for; all that is wrong with it is told."""
        read = list(self._reads(item.value, folded=False))
        if item.value.kind == "variable":
            return read[0]
        names: set[str] = set()
        for bound in read:
            if names & bound.reads:
                self.wrong("one column must not reckon with the same property twice")
            names |= bound.reads
        if len(names) > _MOST_RECKONED:
            self.wrong(f"one column reckons with at most {_MOST_RECKONED} properties")
        return Bound(
            "value",
            frozenset(group for bound in read for group in bound.groups),
            said=self._said(item.value),
            reads=frozenset(names),
            numeric=self._numeric(item.value),
            folded=any(bound.folded for bound in read) or any(map(folds, item.value.walk())),
        )

    def _reads(self, value: Expression, *, folded: bool) -> Iterator[Bound]:
        """What a column is reckoned out of, each as often as it is."""
        if value.kind in ("variable", "property"):
            yield self.read(value)
        elif value.kind == "call":
            if folded and folds(value):
                self.wrong(f"{value.name} must not stand within another function that folds rows")
            if value.name in _TAKES_NUMBERS and not self._numeric(value.parts[0]):
                self.wrong(f"{value.name} takes numbers")
            read = [bound for part in value.parts for bound in self._reads(part, folded=folded or folds(value))]
            whole = bool(value.parts) and value.parts[0].kind == "variable"
            for bound in read:
                if bound.kind != "value" and not (whole and bound.kind in _OF_WHOLE.get(value.name, ())):
                    self.wrong(f"{value.name} takes a property, and no whole node or relationship")
            yield from self._folded(value.name, read) if folds(value) else (_as_value(bound) for bound in read)
        elif value.kind == "operator" and value.name in _ARITHMETIC:
            for part in value.parts:
                if not self._numeric(part):
                    self.wrong("reckon with numbers alone: no texts are put together, and no whole nodes")
                yield from self._reads(part, folded=folded)
        else:
            self.wrong("RETURN and WITH give what is stored: no texts or numbers of your own, no tests in them")

    def _folded(self, name: str, read: list[Bound]) -> Iterator[Bound]:
        """What a function that folds rows is reckoned out of."""
        groups = {group for bound in read for group in bound.groups}
        if self.whole_from < 0 or (self.whole_from > 0 and (not groups or min(groups) < self.whole_from)):
            self.wrong(f"{name} must not fold rows of which LIMIT or SKIP has cut some off before")
        if not read:
            yield Bound("value", frozenset(), reads=frozenset(("count *",)))
        for bound in read:
            yield Bound("value", bound.groups, reads=frozenset(f"{name} {each}" for each in bound.reads))

    def _numeric(self, value: Expression) -> bool:
        """Whether an expression surely gives a number."""
        bound = self.scope.get(value.name)
        if value.kind == "property" and bound is not None and bound.kind != "value":
            return self.terms.numeric(value.key, bound.names, node=bound.kind == "node")
        if value.kind == "variable":
            return bound is not None and bound.numeric
        if value.kind == "call" and value.name in _KEEPS_KIND:
            return self._numeric(value.parts[0])
        return value.kind in ("operator", "literal") or (value.kind == "call" and value.name in _GIVES_NUMBERS)

    def _said(self, value: Expression, *, within: bool = False) -> str:
        """What a column is called, in full: a reckoning in brackets where it is part of another one.

        What is folded is said to be of what was matched, for it holds under conditions that the name does not tell.
        """
        if value.kind == "operator":
            said = f" {value.name} ".join(self._said(part, within=True) for part in value.parts)
            return f"({said})" if within else said
        bound = self.scope.get(value.name)
        if value.kind == "property" and bound is not None:
            return bound.key(value.key)
        if value.kind == "variable" and bound is not None:
            said = bound.said or bound.called or bound.kind
            return f"({said})" if within and " " in said else said
        if value.kind != "call":
            return ""
        of = self._said(value.parts[0], within=value.parts[0].kind == "operator") if value.parts else "rows"
        matched = "matched " if folds(value) else ""
        return f"{value.name} of {matched}{'different ' if value.key else ''}{of}"


def folds(value: Expression) -> bool:
    """Whether an expression gives one value for several rows."""
    return value.kind == "call" and value.name in AGGREGATES


def _as_value(bound: Bound) -> Bound:
    return bound if bound.kind == "value" else Bound("value", bound.groups, reads=bound.reads)
