"""A graph with some triples more and some fewer, seen through integer look-ups, and no copy of the data.

Invariants: the graph underneath is never written to; making a view costs only as much as what is changed; identifiers
below ``Terms.first`` are the graph's own, those above stand for terms that only shapes or claims name. Long work asks
``View.tick`` for leave, which raises ``LimitExceeded`` once the time is over.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from imprimatur.errors import LimitExceeded
from imprimatur.sources.graph.terms import RDF, RDFS, SKOS, RdfLiteral
from imprimatur.sources.shacl.literals import Value, value_of
from imprimatur.sources.shacl.stepwise import Steps

__all__ = ["Edge", "Hierarchy", "Term", "Terms", "Triples", "View", "Watched"]

#: An IRI, a blank node as ``_:label``, or a literal.
Term = str | RdfLiteral
#: Subject, predicate and object, by identifier.
Edge = tuple[int, int, int]

_TYPE, _SUBCLASS = RDF + "type", RDFS + "subClassOf"
_LABELS = (RDFS + "label", SKOS + "prefLabel")


class Triples(Protocol):
    """The look-ups that the compiled shapes need of a graph."""

    @property
    def term_count(self) -> int: ...
    def id(self, iri: str) -> int | None: ...
    def literal_id(self, literal: RdfLiteral) -> int | None: ...
    def iri(self, number: int) -> str: ...
    def is_literal(self, number: int) -> bool: ...
    def literal(self, number: int) -> RdfLiteral: ...
    def objects(self, subject: int, predicate: int) -> Sequence[int]: ...
    def subjects(self, predicate: int, object_: int) -> Sequence[int]: ...
    def out(self, subject: int) -> Sequence[tuple[int, int]]: ...
    def into(self, object_: int) -> Sequence[tuple[int, int]]: ...
    def has(self, subject: int, predicate: int, object_: int) -> bool: ...
    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]: ...


class Terms:
    """Identifiers for the terms of a graph and for further ones above them."""

    __slots__ = ("_more", "_numbers", "_values", "first", "graph", "names")

    def __init__(self, graph: Triples, above: Terms | None = None) -> None:
        self.graph = graph
        self.first = graph.term_count
        self._more: list[Term] = [*above._more] if above else []
        self._numbers: dict[Term, int] = {**above._numbers} if above else {}
        # Values of literals of the graph are the same for all views; others only as long as their identifiers.
        self._values: dict[int, Value] = above._values if above else {}
        #: What people call terms of the graph, as far as it was asked.
        self.names: dict[int, str] = above.names if above else {}

    def find(self, term: Term) -> int | None:
        """The identifier of a term; None when neither the graph nor this table has it."""
        graph = self.graph
        known = graph.id(term) if isinstance(term, str) else graph.literal_id(term)
        return self._numbers.get(term) if known is None else known

    def number(self, term: Term) -> int:
        """The identifier of a term, a new one when it has none."""
        known = self.find(term)
        return self.fresh(term) if known is None else known

    def fresh(self, term: Term) -> int:
        """A new identifier for a term that ``find`` does not know."""
        number = self._numbers[term] = self.first + len(self._more)
        self._more.append(term)
        return number

    def term(self, number: int) -> Term:
        """The term of an identifier."""
        if number >= self.first:
            return self._more[number - self.first]
        graph = self.graph
        return graph.literal(number) if graph.is_literal(number) else graph.iri(number)

    def is_literal(self, number: int) -> bool:
        """Whether the term is a literal."""
        if number >= self.first:
            return isinstance(self._more[number - self.first], RdfLiteral)
        return self.graph.is_literal(number)

    def literal(self, number: int) -> RdfLiteral | None:
        """The literal; None for any other term."""
        term = self.term(number)
        return term if isinstance(term, RdfLiteral) else None

    def value(self, number: int) -> Value | None:
        """The value of a literal (None for any other term), remembered for those of the graph."""
        known = self._values.get(number)
        if known is not None:
            return known
        literal = self.literal(number)
        if literal is None:
            return None
        value = value_of(literal)
        if number < self.first:
            self._values[number] = value
        return value


class Hierarchy:
    """The class hierarchy of a graph, remembered per class, and the properties that name things."""

    __slots__ = ("above", "labels", "subclass", "type")

    def __init__(self, terms: Terms) -> None:
        self.type = terms.number(_TYPE)
        self.subclass = terms.number(_SUBCLASS)
        #: By preference.
        self.labels = tuple(terms.number(iri) for iri in _LABELS)
        self.above: dict[int, frozenset[int]] = {}


class View:
    """A graph with ``added`` and without ``removed`` (which wins)."""

    __slots__ = (
        "_added",
        "_count",
        "_deadline",
        "_graph",
        "_removed",
        "_sorts",
        "_steps",
        "_ticks",
        "doubts",
        "memo",
        "renames",
        "terms",
        "types",
    )

    def __init__(
        self,
        terms: Terms,
        types: Hierarchy,
        *,
        added: Iterable[Edge] = (),
        removed: Iterable[Edge] = (),
        deadline: float = float("inf"),
    ) -> None:
        self.terms, self.types = terms, types
        self._graph, self._count = terms.graph, terms.first
        self._removed = frozenset(removed)
        self._added = tuple([edge for edge in added if edge not in self._removed and not self._stored(edge)])
        self._deadline = deadline
        self._ticks = 0
        self._sorts = False
        #: Whether things bear other names than in the graph.
        self.renames = False
        for edge in (*self._added, *self._removed):
            if edge[1] == types.subclass:
                self._sorts = True
            elif edge[1] in types.labels:
                self.renames = True
        #: What was found of (shape, node) in this very view.
        self.memo: dict[tuple[int, int], bool] = {}
        #: Comparisons of queries that had no outcome, in words: neither kept nor broken.
        self.doubts: dict[str, None] = {}
        self._steps: Steps | None = None

    @property
    def steps(self) -> Steps:
        """The state of ``stepwise``; most views never need it."""
        if self._steps is None:
            self._steps = Steps()
        return self._steps

    @property
    def circles(self) -> Iterable[tuple[int, int]]:
        """The shape and focus node of every validation that came back to itself."""
        return self._steps.circles if self._steps is not None else ()

    def tick(self) -> None:
        """To be called in every loop that shapes can make long.

        Raises:
            LimitExceeded: the time is over.
        """
        self._ticks += 1
        if not self._ticks & 127:
            self.check()

    def check(self) -> None:
        """As ``tick``, at once."""
        if time.monotonic() > self._deadline:
            raise LimitExceeded("the shapes took too long", hint="raise the limit, or narrow the shapes' targets")

    def _stored(self, edge: Edge) -> bool:
        subject, predicate, object_ = edge
        count = self._count
        return subject < count and predicate < count and object_ < count and self._graph.has(*edge)

    def objects(self, subject: int, predicate: int) -> Sequence[int]:
        """The objects of a subject and predicate, each once."""
        count = self._count
        found = self._graph.objects(subject, predicate) if subject < count and predicate < count else ()
        if self._removed:
            found = [o for o in found if (subject, predicate, o) not in self._removed]
        for s, p, o in self._added:
            if s == subject and p == predicate:
                found = (*found, o)
        return found

    def subjects(self, predicate: int, object_: int) -> Sequence[int]:
        """The subjects of a predicate and object, each once."""
        count = self._count
        found = self._graph.subjects(predicate, object_) if object_ < count and predicate < count else ()
        if self._removed:
            found = [s for s in found if (s, predicate, object_) not in self._removed]
        for s, p, o in self._added:
            if o == object_ and p == predicate:
                found = (*found, s)
        return found

    def out(self, subject: int) -> Sequence[tuple[int, int]]:
        """All (predicate, object) of a subject."""
        found = self._graph.out(subject) if subject < self._count else ()
        if self._removed:
            found = [(p, o) for p, o in found if (subject, p, o) not in self._removed]
        return (*found, *((p, o) for s, p, o in self._added if s == subject)) if self._added else found

    def into(self, object_: int) -> Sequence[tuple[int, int]]:
        """All (subject, predicate) of an object."""
        found = self._graph.into(object_) if object_ < self._count else ()
        if self._removed:
            found = [(s, p) for s, p in found if (s, p, object_) not in self._removed]
        return (*found, *((s, p) for s, p, o in self._added if o == object_)) if self._added else found

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        """Whether the triple stands."""
        edge = (subject, predicate, object_)
        if edge in self._removed:
            return False
        return edge in self._added or self._stored(edge)

    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]:
        """All (subject, object) of a predicate."""
        for s, o in self._graph.pairs(predicate) if predicate < self._count else ():
            self.tick()
            if (s, predicate, o) not in self._removed:
                yield s, o
        yield from ((s, o) for s, p, o in self._added if p == predicate)

    # Classes

    def above(self, kind: int) -> frozenset[int]:
        """The class and all its superclasses."""
        memo = {} if self._sorts else self.types.above
        found = memo.get(kind)
        if found is None:
            found = memo[kind] = frozenset(self._closure(kind, upward=True))
        return found

    def below(self, kind: int) -> list[int]:
        """The class and all its subclasses."""
        return self._closure(kind, upward=False)

    def _closure(self, kind: int, *, upward: bool) -> list[int]:
        queue, seen = [kind], {kind}
        for each in queue:
            self.tick()
            next_ = self.objects(each, self.types.subclass) if upward else self.subjects(self.types.subclass, each)
            new = [other for other in next_ if other not in seen]
            seen.update(new)
            queue += new
        return queue

    def is_a(self, node: int, kind: int) -> bool:
        """Whether the node is a SHACL instance of the class (W3C SHACL 1.1)."""
        kinds = self.objects(node, self.types.type)
        if kind in kinds:
            return True
        for each in kinds:  # noqa: SIM110 (a generator takes twice as long)
            if kind in self.above(each):
                return True
        return False

    def instances(self, kind: int) -> Iterator[int]:
        """The SHACL instances of a class; one may come several times."""
        for each in self.below(kind):
            yield from self.subjects(self.types.type, each)


class Watched(View):
    """A view that notes which triples are read."""

    __slots__ = ("reads",)

    def __init__(
        self, terms: Terms, types: Hierarchy, *, added: Iterable[Edge] = (), deadline: float = float("inf")
    ) -> None:
        super().__init__(terms, types, added=added, deadline=deadline)
        self._sorts = True  # what is remembered of the class hierarchy would not be read
        self.reads: set[Edge] = set()

    def is_a(self, node: int, kind: int) -> bool:
        # All that makes it one is read, not the first that does.
        return sum(kind in self.above(each) for each in self.objects(node, self.types.type)) > 0

    def objects(self, subject: int, predicate: int) -> Sequence[int]:
        found = super().objects(subject, predicate)
        self.reads.update((subject, predicate, each) for each in found)
        return found

    def subjects(self, predicate: int, object_: int) -> Sequence[int]:
        found = super().subjects(predicate, object_)
        self.reads.update((each, predicate, object_) for each in found)
        return found

    def out(self, subject: int) -> Sequence[tuple[int, int]]:
        found = super().out(subject)
        self.reads.update((subject, p, o) for p, o in found)
        return found

    def into(self, object_: int) -> Sequence[tuple[int, int]]:
        found = super().into(object_)
        self.reads.update((s, p, object_) for s, p in found)
        return found

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        found = super().has(subject, predicate, object_)
        if found:
            self.reads.add((subject, predicate, object_))
        return found

    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]:
        for s, o in super().pairs(predicate):
            self.reads.add((s, predicate, o))
            yield s, o
