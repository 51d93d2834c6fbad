"""What the variables of a Cypher query stand for, clause by clause, and all that is wrong with what is said of them.

A column is what the graph stores, or what is reckoned out of it: no literal, no test, nothing twice in one reckoning,
so that no value can be made up. Patterns that share no variable, and no value that is written out, give every
combination of what they match: at most one of them may be left so. A column is called by what it reads, whatever its
alias says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur.retrieve.cypher_expressions import AGGREGATES
from imprimatur.retrieve.cypher_terms import GraphTerms
from imprimatur.retrieve.cypher_tree import Clause, Edge, Expression, Item, Match, Path, Project, Spot, Unwind

__all__ = ["Walk"]

#: What is cut off after less than so many rows may stand beside another pattern.
_FEW_DIGITS = 2
_ARITHMETIC = frozenset("+-*/%")
#: Comparisons with what is written out that hold a pattern to few nodes.
_HOLDING = frozenset(("=", "IN", "CONTAINS", "STARTS WITH", "ENDS WITH"))
#: The functions that may be asked of a whole node or relationship.
_OF_WHOLE = {"count": ("node", "edge"), "labels": ("node",), "type": ("edge",)}


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a variable stands for: ``node``, ``edge`` or ``value``.

    ``groups`` are the patterns that it was matched by, one for a node or relationship; ``names`` are its labels or
    types, ``said`` is what a value is called, ``reads`` what it is reckoned out of.
    """

    kind: str
    groups: frozenset[int]
    names: frozenset[str] = frozenset()
    said: str = ""
    reads: frozenset[str] = frozenset()


class Walk:
    """Goes through the clauses of one query."""

    def __init__(self, terms: GraphTerms) -> None:
        self._terms = terms
        self._scope: dict[str, _Bound] = {}
        self._parents: list[int] = []
        #: The numbers of the patterns that are narrowed at all, to a value that is written out, or to few rows.
        self._narrowed: set[int] = set()
        self._held: set[int] = set()
        self._few: set[int] = set()
        self._problems: dict[str, None] = {}
        #: Where belongs what stands for nothing; it is told of once, as that.
        self._nowhere = self._group()
        self._held.add(self._nowhere)
        self.columns: list[str] = []
        self.labels: dict[str, None] = {}
        self.types: dict[str, None] = {}
        self.keys: dict[tuple[str, str], None] = {}
        self.values: dict[tuple[str, str], None] = {}
        #: What each row that is not folded has, by what it is called.
        self.sure: dict[tuple[str, str], None] = {}
        self.folds = False

    def finished(self) -> tuple[str, ...]:
        """All that is wrong, once every clause has been seen."""
        roots = {self._root(group) for group in range(len(self._parents))}
        narrowed, held, few = (set(map(self._root, groups)) for groups in (self._narrowed, self._held, self._few))
        if roots - narrowed - held:
            self._wrong("a pattern matches every node: give it a label, a type or a value")
        if len(roots - held - few) > 1:
            self._wrong("patterns that share no variable give every combination: join them, or give one a value")
        return tuple(self._problems)

    def clause(self, clause: Clause) -> None:
        """The next clause."""
        if isinstance(clause, Match):
            self._match(clause)
        elif isinstance(clause, Unwind):
            self._unwind(clause)
        else:
            self._project(clause)

    def _wrong(self, problem: str) -> None:
        if problem:
            self._problems.setdefault(problem)

    # Groups of patterns that hang together

    def _group(self) -> int:
        self._parents.append(len(self._parents))
        return len(self._parents) - 1

    def _root(self, group: int) -> int:
        while self._parents[group] != group:
            group = self._parents[group]
        return group

    def _join(self, groups: Iterable[int]) -> int:
        first, *others = groups
        for other in others:
            self._parents[self._root(other)] = self._root(first)
        return self._root(first)

    # Clauses

    def _match(self, clause: Match) -> None:
        for path in clause.paths:
            self._path(path)
        for path in clause.paths:  # a label may stand at another place of the clause
            self._directions(path)
        if clause.where is not None:
            self._test(clause.where)
            self._narrow(clause.where, sure=not clause.optional)
        for spot in (spot for path in clause.paths for spot in path.spots if not clause.optional):
            self.sure.update(((f"{_owner(spot.labels)}{key}", text), None) for key, text in spot.values)

    def _unwind(self, clause: Unwind) -> None:
        item = Item(clause.value, clause.name)
        if clause.name in self._scope:
            self._wrong(f"{clause.name} is taken already")
        self._scope[clause.name] = self._column(item)

    def _project(self, clause: Project) -> None:
        made = {item.name or f" {k}": self._column(item) for k, item in enumerate(clause.items)}
        self.folds |= any(map(_folds, (part for item in clause.items for part in item.value.walk())))
        if len(made) < len(clause.items):
            self._wrong("two columns have one name")
        if clause.returns:
            self.columns = [bound.said for bound in made.values()]
            for bound in made.values():
                if bound.kind != "value":
                    self._wrong("return properties, such as n.name, and no whole nodes or relationships")
        before = self._scope
        self._scope = before | made
        for each in clause.order:
            self._test(each, aggregates=True)
        self._scope = made
        if clause.where is not None:
            self._test(clause.where)
            self._narrow(clause.where)
        short = clause.limit is not None and clause.limit[1] - clause.limit[0] <= _FEW_DIGITS
        if short or all(_folds(item.value) for item in clause.items):
            self._few |= {group for bound in before.values() for group in bound.groups}

    # Patterns

    def _path(self, path: Path) -> None:
        """Binds the variables of a path that is matched."""
        groups: list[int] = []
        narrowed = held = False
        for spot in path.spots:
            known = self._scope.get(spot.variable) if spot.variable else None
            if known is not None and known.kind != "node":
                self._wrong(f"{spot.variable} is no node")
            group = min(known.groups, default=self._nowhere) if known is not None else self._group()
            names = self._labels_of(spot)
            if spot.variable:
                reads = known.reads if known is not None else frozenset((f"#{group}",))
                self._scope[spot.variable] = _Bound("node", frozenset((group,)), names, reads=reads)
            self._names(spot, names)
            groups.append(group)
            narrowed |= bool(spot.labels)
            held |= bool(spot.values)
        for edge in path.edges:
            if edge.variable in self._scope:
                self._wrong(f"{edge.variable} is taken already")
            elif edge.variable:
                groups.append(self._group())
                self._scope[edge.variable] = _Bound(
                    "edge", frozenset(groups[-1:]), frozenset(edge.types), reads=frozenset((f"#{groups[-1]}",))
                )
            self._names(edge, frozenset(edge.types))
            narrowed |= bool(edge.types)
            held |= bool(edge.values)
        group = self._join(groups)
        self._narrowed |= {group} if narrowed else set()
        self._held |= {group} if held else set()

    def _names(self, part: Spot | Edge, names: frozenset[str]) -> None:
        """The names that a node or relationship of a pattern is written with."""
        for label in part.labels if isinstance(part, Spot) else ():
            self._wrong(self._terms.unknown_label(label))
            self.labels.setdefault(label)
        for name in part.types if isinstance(part, Edge) else ():
            self._wrong(self._terms.unknown_type(name))
            self.types.setdefault(name)
        for key, text in part.values:
            self._key(key, names, "node" if isinstance(part, Spot) else "edge")
            self.values.setdefault((key, text))

    def _key(self, key: str, names: frozenset[str], kind: str) -> None:
        of = self._terms.unknown_key if kind == "node" else self._terms.unknown_key_of_type
        self._wrong(of(key, names))
        self.keys.update(dict.fromkeys((key, name) for name in sorted(names)))

    def _directions(self, path: Path) -> None:
        known = [self._labels_of(spot) for spot in path.spots]
        for edge, ends in zip(path.edges, pairwise(known)):
            if edge.steps == 1:  # between the ends of several steps any node may stand
                self._wrong(self._terms.misdirected(edge.types, edge.way, ends))

    def _labels_of(self, spot: Spot) -> frozenset[str]:
        bound = self._scope.get(spot.variable) if spot.variable else None
        return frozenset(spot.labels) | (bound.names if bound is not None and bound.kind == "node" else frozenset())

    # Expressions that test

    def _test(self, value: Expression, *, aggregates: bool = False) -> None:
        """An expression of WHERE or ORDER BY, which may compare with what is written out."""
        for each in value.walk():
            if each.kind in ("variable", "property", "labels"):
                self._read(each)
            elif each.kind == "path" and each.path is not None:
                self._test_path(each.path)
            elif each.kind == "call" and each.name in AGGREGATES and not aggregates:
                self._wrong(f"{each.name} must stand in WITH before WHERE can test it")

    def _test_path(self, path: Path) -> None:
        named = [spot.variable for spot in path.spots if spot.variable] + [e.variable for e in path.edges if e.variable]
        if not named or any(name not in self._scope for name in named):
            self._wrong(
                "a pattern in WHERE speaks of nodes that MATCH has found, by their variables, and makes no others"
            )
        for spot in path.spots:
            self._names(spot, self._labels_of(spot))
        for edge in path.edges:
            self._names(edge, frozenset(edge.types))
        self._directions(path)

    def _narrow(self, value: Expression, *, sure: bool = True) -> None:
        """What a condition that always holds narrows: ``n.key = 'text'``, ``n.key IN […]``, ``n:Label``."""
        for each in _joined(value):
            if each.kind == "labels" and (bound := self._scope.get(each.name)) is not None:
                self._narrowed |= bound.groups
            if each.kind == "operator" and each.name in _HOLDING:
                self._hold(*each.parts, sure=sure and each.name == "=")

    def _hold(self, left: Expression, right: Expression, *, sure: bool) -> None:
        """What a comparison of a property with what is written out holds its pattern to; ``sure``: each row has it."""
        told, other = (right, left) if left.kind == "literal" else (left, right)
        read = [part for part in told.walk() if part.kind == "property" and part.name in self._scope]
        if len(read) == 1 and other.kind in ("literal", "list"):
            self._held |= self._scope[read[0].name].groups
            if other.kind == "literal":
                self.values.setdefault((read[0].key, other.key))
                if sure and told.kind == "property":
                    self.sure.setdefault((self._said(told), other.key))

    def _read(self, value: Expression) -> _Bound:
        """What a variable, one of its properties or its labels stand for."""
        bound = self._scope.get(value.name)
        if bound is None:
            self._wrong(f"{value.name} stands for nothing at this place: MATCH or WITH must name it before")
            return _Bound("value", frozenset((self._nowhere,)))
        if value.kind == "variable":
            return bound
        if value.kind == "labels":
            for label in value.labels:
                self._wrong(self._terms.unknown_label(label))
            self._wrong("" if bound.kind == "node" else f"{value.name} is no node")
            return bound
        if bound.kind == "value":
            self._wrong(f"{value.name} is a value, and has no {value.key[:100]}")
            return bound
        self._key(value.key, bound.names, bound.kind)
        return _Bound("value", bound.groups, reads=frozenset(f"{each}.{value.key}" for each in bound.reads))

    # Expressions that give a column

    def _column(self, item: Item) -> _Bound:
        """What a column stands for; all that is wrong with it is told."""
        read = list(self._column_reads(item.value, folded=False))
        if item.value.kind == "variable":
            return read[0]
        names: set[str] = set()
        for bound in read:
            if names & bound.reads:
                self._wrong("one column must not reckon with the same property twice")
            names |= bound.reads
        groups = frozenset(group for bound in read for group in bound.groups)
        return _Bound("value", groups, said=self._said(item.value), reads=frozenset(names))

    def _column_reads(self, value: Expression, *, folded: bool) -> Iterator[_Bound]:
        """What a column is reckoned out of, each as often as it is."""
        if value.kind in ("variable", "property"):
            yield self._read(value)
        elif value.kind == "call":
            folds = value.name in AGGREGATES
            if folded and folds:
                self._wrong(f"{value.name} must not stand within another function that folds rows")
            if not value.parts:
                yield _Bound("value", frozenset(), reads=frozenset(("count *",)))
            for part in value.parts:
                for bound in self._column_reads(part, folded=folded or folds):
                    whole = part.kind == "variable" and bound.kind in _OF_WHOLE.get(value.name, ())
                    if bound.kind != "value" and not whole:
                        self._wrong(f"{value.name} takes a property, and no whole node or relationship")
                    own = frozenset(f"{value.name} {each}" for each in bound.reads)
                    yield _Bound("value", bound.groups, reads=own if folds else bound.reads)
        elif value.kind == "operator" and value.name in _ARITHMETIC:
            for part in value.parts:
                for bound in self._column_reads(part, folded=folded):
                    if bound.kind != "value":
                        self._wrong("reckon with properties, and no whole nodes or relationships")
                    yield bound
        else:
            self._wrong("RETURN and WITH give what is stored: no texts or numbers of your own, no tests in them")

    def _said(self, value: Expression, *, within: bool = False) -> str:
        """What a column is called, in full: a reckoning in brackets where it is part of another one.

        What is folded is said to be of what was matched, for it holds under conditions that the name does not tell.
        """
        if value.kind == "operator":
            said = f" {value.name} ".join(self._said(part, within=True) for part in value.parts)
            return f"({said})" if within else said
        bound = self._scope.get(value.name)
        if value.kind == "property" and bound is not None:
            return _owner(bound.names) + value.key
        if value.kind == "variable" and bound is not None:
            return bound.said or "".join(sorted(bound.names)[:1]) or bound.kind
        if value.kind != "call":
            return ""
        of = self._said(value.parts[0]) if value.parts else "rows"
        matched = "matched " if value.name in AGGREGATES else ""
        return f"{value.name} of {matched}{'different ' if value.key else ''}{of}"


def _owner(names: Iterable[str]) -> str:
    return "".join(f"{name}." for name in sorted(names)[:1])


def _folds(value: Expression) -> bool:
    """Whether an expression gives one value for all rows."""
    return value.kind == "call" and value.name in AGGREGATES


def _joined(value: Expression) -> Iterator[Expression]:
    """The conditions that are joined by AND."""
    if value.kind == "operator" and value.name == "AND":
        for part in value.parts:
            yield from _joined(part)
    else:
        yield value
