"""What the variables of a Cypher query stand for, clause by clause, and all that is wrong with what is said of them.

A column is what the graph stores, or what is reckoned out of it (``cypher_columns``). It is called by what it reads,
whatever its alias says, and nodes with one label are told apart: ``Person.age``, ``Person 2.age``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from imprimatur.retrieve.cypher_columns import Bound, Columns, folds
from imprimatur.retrieve.cypher_expressions import AGGREGATES
from imprimatur.retrieve.cypher_groups import Groups
from imprimatur.retrieve.cypher_terms import GraphTerms
from imprimatur.retrieve.cypher_tree import Clause, Edge, Expression, Item, Match, Path, Project, Spot, Unwind

__all__ = ["Walk"]

#: What is cut off after so many rows may stand beside another pattern.
_FEW = 99
_MOST_UNWOUND = 2
#: Comparisons with what is written out that hold a pattern to few nodes; those of a part only where it is no short one.
_SAME, _PART = frozenset(("=", "IN")), frozenset(("CONTAINS", "STARTS WITH", "ENDS WITH"))
_SHORT_PART = 3
#: What may be asked of a property that a pattern is held by.
_FORMS = frozenset(("tolower", "toupper", "trim"))
#: A longer number is not told as it is written: the server may have read another one.
_MOST_DIGITS, _LONGEST = 15, 500


class Walk(Columns):
    """Goes through the clauses of one query."""

    def __init__(self, terms: GraphTerms) -> None:
        super().__init__(terms)
        self._groups = Groups()
        self.nowhere = frozenset((self._groups.nowhere,))
        self._called: Counter[str] = Counter()
        self._unwound = 0
        self.columns: list[str] = []
        self.labels: dict[str, None] = {}
        self.types: dict[str, None] = {}
        #: What nodes are held to, and with it each row that is not folded has it, by what it is called.
        self.values: dict[tuple[str, str], None] = {}
        self.sure: dict[tuple[str, str], None] = {}
        #: Which nodes the paths say to be linked, in each row that is not folded.
        self.links: dict[str, None] = {}
        self.folds = False

    def clause(self, clause: Clause) -> None:
        """The next clause. Raises Enough."""
        if isinstance(clause, Match):
            self._match(clause)
        elif isinstance(clause, Unwind):
            self._unwind(clause)
        else:
            self._project(clause)

    # Clauses

    def _match(self, clause: Match) -> None:
        for path in clause.paths:
            self._path(path, sure=not clause.optional)
        for path in clause.paths:  # a label may stand at another place of the clause
            self._directions(path)
        if clause.where is not None:
            self._test(clause.where)
            self._narrow(clause.where, sure=not clause.optional)

    def _unwind(self, clause: Unwind) -> None:
        self._unwound += 1
        if self._unwound > _MOST_UNWOUND:
            self.wrong(f"UNWIND stands at most {_MOST_UNWOUND} times")
        if clause.name in self.scope:
            self.wrong(f"{clause.name} is taken already")
        value, known = clause.value, self.scope.get(clause.value.name)
        stored = value.kind in ("property", "variable") or (value.kind == "call" and value.name == "labels")
        if not stored or (value.kind == "variable" and known is not None and known.folded):
            self.wrong("UNWIND takes a list that is stored, such as n.key, or labels(n)")
            return
        self.scope[clause.name] = self.column(Item(value, clause.name))

    def _project(self, clause: Project) -> None:
        made = {item.name or f" {k}": self.column(item) for k, item in enumerate(clause.items)}
        parts = [part for item in clause.items for part in item.value.walk()]
        self.folds |= any(map(folds, parts))
        if len(made) < len(clause.items):
            self.wrong("two columns have one name")
        if clause.returns:
            self.columns = [bound.said for bound in made.values()]
            for bound in made.values():
                if bound.kind != "value":
                    self.wrong("return properties, such as n.name, and no whole nodes or relationships")
        lists = [part for part in parts if part.kind == "call" and part.name == "collect"]
        if lists and not clause.returns:
            self.wrong("collect stands in RETURN alone")
        self._groups.listed.update(group for part in lists for group in self._groups_of(part))
        for problem in self._groups.problems():
            self.wrong(problem)
        before = self.scope
        self.scope = before | made
        for each in clause.order:
            self._test(each, aggregates=True)
        self.scope = made
        if clause.where is not None:
            self._test(clause.where)
            self._narrow(clause.where)
        self._cut(clause, before)

    def _cut(self, clause: Project, before: dict[str, Bound]) -> None:
        """What a projection leaves of the rows."""
        if (clause.rows is not None and clause.rows <= _FEW) or all(folds(item.value) for item in clause.items):
            self._groups.few.update(group for bound in before.values() for group in bound.groups)
        if clause.skips or (clause.rows is not None and clause.rows != 1):
            self.whole_from = -1
        elif clause.rows == 1 and self.whole_from >= 0:
            self.whole_from = self._groups.count

    # Patterns

    def _path(self, path: Path, *, sure: bool) -> None:
        """Binds the variables of a path that is matched; ``sure``: no row is without it."""
        groups: list[int] = []
        ends: list[Bound] = []
        for spot in path.spots:
            known = self.scope.get(spot.variable) if spot.variable else None
            if known is not None:
                self.wrong(_again(spot, known, alone=not path.edges))
            found = self._node(spot, known, maybe=not sure)
            if spot.variable:
                self.scope[spot.variable] = found
            self._names(spot, found.names)
            groups += found.groups
            ends.append(found)
            if sure:
                self._surely(found, spot.values)
        for edge, pair in zip(path.edges, pairwise(ends)):
            if sure and not any(end.maybe for end in pair):
                self.links.setdefault(_link(edge, *(end.called for end in pair)))
            self.types.update(dict.fromkeys(edge.types))
        for edge in path.edges:
            if edge.variable in self.scope:
                self.wrong(f"{edge.variable} is taken already")
            elif edge.variable:
                found = self._new("edge", edge.types, edge.types, maybe=not sure)
                self.scope[edge.variable] = found
                groups += found.groups
                if sure:
                    self._surely(found, edge.values)
            self._names(edge, frozenset(edge.types))
        group = self._groups.join(groups)
        if any(spot.labels for spot in path.spots) or any(edge.types for edge in path.edges):
            self._groups.narrowed.add(group)
        if any(spot.values for spot in path.spots) or any(edge.values for edge in path.edges):
            self._groups.held.add(group)

    def _node(self, spot: Spot, known: Bound | None, *, maybe: bool) -> Bound:
        if known is None:
            return self._new("node", spot.labels, sorted(spot.labels), maybe=maybe)
        return known if known.kind == "node" else Bound("node", self.nowhere)

    def _new(self, kind: str, names: Iterable[str], called: Iterable[str], *, maybe: bool) -> Bound:
        """A node or relationship that was not there before, called by its first name; by a number, too, after one."""
        group, name = self._groups.new(), next(iter(called), kind)
        self._called[name] += 1
        count = self._called[name]
        told = name if count == 1 else f"{name} {count}"
        reads = frozenset((f"#{group}",))
        return Bound(kind, frozenset((group,)), frozenset(names), called=told, reads=reads, maybe=maybe)

    def _surely(self, bound: Bound, values: Iterable[tuple[str, str]]) -> None:
        for key, text in values:
            self.values.setdefault((key, text))
            if _exact(text):
                self.sure.setdefault((bound.key(key), text))

    def _names(self, part: Spot | Edge, names: frozenset[str]) -> None:
        """The names that a node or relationship of a pattern is written with."""
        if isinstance(part, Spot):
            self.wrong(self.terms.unseen(names, node=True))
        else:
            self.wrong(self.terms.unseen(names, node=False, steps=part.steps))
        for label in part.labels if isinstance(part, Spot) else ():
            self.wrong(self.terms.unknown_label(label))
            self.labels.setdefault(label)
        for name in part.types if isinstance(part, Edge) else ():
            self.wrong(self.terms.unknown_type(name))
        for key, _ in part.values:
            self.key(key, names, "node" if isinstance(part, Spot) else "edge")

    def _directions(self, path: Path) -> None:
        known = [self._labels_of(spot) for spot in path.spots]
        for edge, ends in zip(path.edges, pairwise(known)):
            if edge.steps == 1:  # between the ends of several steps any node may stand
                self.wrong(self.terms.misdirected(edge.types, edge.way, ends))

    def _labels_of(self, spot: Spot) -> frozenset[str]:
        bound = self.scope.get(spot.variable) if spot.variable else None
        return frozenset(spot.labels) | (bound.names if bound is not None and bound.kind == "node" else frozenset())

    def _groups_of(self, value: Expression) -> Iterator[int]:
        for part in value.walk():
            if part.kind in ("variable", "property") and part.name in self.scope:
                yield from self.scope[part.name].groups

    # Expressions that test

    def _test(self, value: Expression, *, aggregates: bool = False) -> None:
        """An expression of WHERE or ORDER BY, which may compare with what is written out."""
        tested = set() if aggregates else {id(each) for each in _told_apart(value)}
        for each in value.walk():
            if each.kind in ("variable", "property", "labels"):
                self.read(each)
            elif each.kind == "path" and each.path is not None:
                self.wrong("" if id(each) in tested else "a pattern stands in WHERE, alone or beside AND, OR and NOT")
                self._test_path(each.path)
            elif each.kind == "call" and each.name in AGGREGATES and not aggregates:
                self.wrong(f"{each.name} must stand in WITH before WHERE can test it")

    def _test_path(self, path: Path) -> None:
        named = [spot.variable for spot in path.spots if spot.variable] + [e.variable for e in path.edges if e.variable]
        if not named or any(name not in self.scope for name in named):
            self.wrong(
                "a pattern in WHERE speaks of nodes that MATCH has found, by their variables, and makes no others"
            )
        for spot in path.spots:
            bound = self.scope.get(spot.variable) if spot.variable else None
            self.wrong(f"{spot.variable} is no node" if bound is not None and bound.kind != "node" else "")
            self._names(spot, self._labels_of(spot))
        for edge in path.edges:
            self._names(edge, frozenset(edge.types))
        self._directions(path)

    def _narrow(self, value: Expression, *, sure: bool = True) -> None:
        """What a condition that always holds narrows: ``n.key = 'text'``, ``n.key IN […]``, ``n:Label``."""
        for each in _joined(value):
            if each.kind == "labels" and (bound := self.scope.get(each.name)) is not None:
                self._groups.narrowed |= bound.groups
            if each.kind == "operator" and each.name in _SAME | _PART:
                self._hold(*each.parts, sign=each.name, sure=sure)

    def _hold(self, left: Expression, right: Expression, *, sign: str, sure: bool) -> None:
        """What a comparison of a property with what is written out holds its pattern to; ``sure``: each row has it."""
        told, other = (right, left) if left.kind == "literal" and sign == "=" else (left, right)
        read = told.parts[0] if told.kind == "call" and told.name in _FORMS else told
        bound = self.scope.get(read.name)
        if read.kind != "property" or bound is None or other.kind not in ("literal", "list"):
            return
        if sign in _SAME or len(other.key) >= _SHORT_PART:
            self._groups.held |= bound.groups
        if other.key:
            self._groups.narrowed |= bound.groups
        # What OPTIONAL MATCH may have found is tested there by FalkorDB 4, even where WITH … WHERE tests it.
        if sure and not bound.maybe and sign == "=" and told is read and other.kind == "literal":
            self._surely(bound, [(read.key, other.key)])


def _link(edge: Edge, one: str, other: str) -> str:
    """What a relationship of a pattern says of its ends, which are called so."""
    named = " or ".join(edge.types) or "is linked to"
    first, second = (other, one) if edge.way == "in" else (one, other)
    steps = f" (at most {edge.steps} steps)" if edge.steps > 1 else ""
    return f"{first} {named} {second}{' or the other way round' if edge.way == 'any' else ''}{steps}"


def _again(spot: Spot, known: Bound, *, alone: bool) -> str:
    """What is wrong with a node that was matched before; FalkorDB 4 falls over some of what is refused here."""
    if known.kind != "node":
        return f"{spot.variable} is no node"
    if alone or spot.values or not known.names.issuperset(spot.labels):
        return f"{spot.variable} is matched already: what else must hold of it stands in WHERE"
    return ""


def _exact(text: str) -> bool:
    """Whether what is equal to a text or number that is written out may be told as it is written."""
    number = text.removeprefix("-").replace(".", "", 1).isdecimal()
    return len(text) <= (_MOST_DIGITS if number else _LONGEST)


def _told_apart(value: Expression) -> Iterator[Expression]:
    """The conditions that are joined by AND, OR and NOT."""
    if value.kind == "operator" and value.name in ("AND", "OR", "NOT"):
        for part in value.parts:
            yield from _told_apart(part)
    else:
        yield value


def _joined(value: Expression) -> Iterator[Expression]:
    """The conditions that are joined by AND."""
    if value.kind == "operator" and value.name == "AND":
        for part in value.parts:
            yield from _joined(part)
    else:
        yield value
