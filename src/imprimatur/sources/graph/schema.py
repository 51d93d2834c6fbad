"""The vocabulary of a graph: what is known of its properties and classes, for reading and judging claims.

From RDFS, OWL, schema.org's domainIncludes/rangeIncludes, QUDT units and SHACL shapes (``shacl.implied``). Closures are
taken once, at ``Schema.of``; cyclic hierarchies are equivalences. Types of entities are asserted ones with their
superclasses; nothing is inferred from domains and ranges unless asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.language.languages import Language
from imprimatur.sources.graph.axioms import Axioms, closure, read_axioms
from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN
from imprimatur.sources.graph.statements import StatementLink, Statements, find_statements
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import RDF, RDFS

if TYPE_CHECKING:
    from imprimatur.sources.graph.shape_digest import Implied

__all__ = ["ClassInfo", "PropertyInfo", "Schema"]


#: Sets of classes whose IRIs are remembered.
_MEMO = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyInfo:
    """What the graph, its ontology and its shapes say of a property.

    Attributes:
        labels: main labels in the language of the knowledge base or without one, in the grammar's terms; the IRI's
            local name as words when there are none.
        domains: declared classes of subjects, as alternatives (rdfs:domain, schema:domainIncludes, unions unfolded).
        ranges: declared classes or datatypes of values, likewise.
        is_object: True when values are entities, False when literals, None when both occur or nothing is known.
        datatype: the datatype of its values, declared or the most used one.
        unit_iri: the unit in which numbers are stored (qudt:hasUnit and the like).
        supers: all more general properties, nearest first, equivalent ones included, itself excluded.
        subs: all more special ones, likewise.
        chains: property chains that imply it; a link that is followed backwards is written ``^iri``.
        disjoint_with: properties that never share a pair with it.
        complete: the operator says that the graph holds all its facts.
        implied: what shapes imply of its values; None when there are none that do.
        used: how many triples have it.
        event: event nodes have it; of their other end it says that end's value (``statements.StatementLink``).
    """

    iri: str
    labels: tuple[str, ...]
    alt_labels: tuple[str, ...] = ()
    comment: str = ""
    domains: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    is_object: bool | None = None
    datatype: str | None = None
    unit_iri: str | None = None
    functional: bool = False
    inverse_functional: bool = False
    symmetric: bool = False
    transitive: bool = False
    inverses: tuple[str, ...] = ()
    supers: tuple[str, ...] = ()
    subs: tuple[str, ...] = ()
    chains: tuple[tuple[str, ...], ...] = ()
    disjoint_with: tuple[str, ...] = ()
    complete: bool = False
    implied: Implied | None = None
    used: int = 0
    event: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassInfo:
    """What is known of a class; ``disjoint`` includes what it inherits, ``instances`` those of subclasses."""

    iri: str
    labels: tuple[str, ...]
    alt_labels: tuple[str, ...] = ()
    supers: tuple[str, ...] = ()
    subs: tuple[str, ...] = ()
    disjoint: tuple[str, ...] = ()
    complete: bool = False
    instances: int = 0


class Schema:
    """The vocabulary of one graph. Make it with ``Schema.of``."""

    def __init__(self, graph: Graph, axioms: Axioms, language: Language | None = None) -> None:
        self.graph = graph
        self.language = language
        self.axioms = axioms
        self.statements = Statements()
        self._type = graph.id(RDF + "type")
        self._supers: dict[int, frozenset[int]] = {}
        self._iris: Callable[[frozenset[int]], frozenset[str]] = lru_cache(_MEMO)(self._find_iris)
        self._properties: dict[str, PropertyInfo] = {}
        self._classes: dict[str, ClassInfo] = {}

    @classmethod
    def of(
        cls,
        graph: Graph,
        *,
        implied: Iterable[Implied] = (),
        complete: Collection[str] = (),
        time_from: Collection[str] = (),
        time_to: Collection[str] = (),
        language: Language | None = None,
    ) -> Schema:
        """The vocabulary of ``graph``.

        Args:
            implied: what shapes imply of properties (``Shapes.implied``).
            complete: IRIs of properties and classes that the operator declares complete.
            time_from: IRIs of properties that give the first day of a statement's validity, besides those detected.
            time_to: the same for the last day.
            language: the language of the labels; None where its words are the grammar's own.
        """
        from imprimatur.sources.graph.schema_read import read_classes, read_properties

        schema = cls(graph, read_axioms(graph), language)
        schema.statements = find_statements(graph, schema.axioms, first=tuple(time_from), last=tuple(time_to))
        schema._classes = read_classes(schema, frozenset(complete))
        schema._properties = read_properties(schema, frozenset(complete), implied)
        return schema

    def spoken(self, label: str) -> str:
        """A label in the grammar's terms."""
        if self.language is None:
            return label
        from imprimatur.language.rendering import render_words

        return render_words(label, self.language)

    def shown(self, info: PropertyInfo) -> str:
        """The name of a property as the graph writes it."""
        number = self.graph.id(info.iri) if self.language is not None else None
        return info.labels[0] if number is None else self.graph.label(number)

    @property
    def properties(self) -> Mapping[str, PropertyInfo]:
        """All properties by IRI, except label properties and those of the RDF, RDFS, OWL and SHACL vocabularies."""
        return MappingProxyType(self._properties)

    @property
    def classes(self) -> Mapping[str, ClassInfo]:
        """All classes by IRI, except those of the RDF, RDFS, OWL and SHACL vocabularies."""
        return MappingProxyType(self._classes)

    @property
    def statement_links(self) -> Mapping[str, tuple[StatementLink, ...]]:
        """The statement links by the IRI of the property that they state."""
        return MappingProxyType(self.statements.links)

    def property(self, iri: str) -> PropertyInfo | None:
        """What is known of a property; None for one that the graph does not know."""
        return self._properties.get(iri)

    def class_(self, iri: str) -> ClassInfo | None:
        """What is known of a class; None for one that the graph does not know."""
        return self._classes.get(iri)

    def supers_of(self, class_id: int) -> frozenset[int]:
        """A class and all its superclasses, as identifiers."""
        found = self._supers.get(class_id)
        if found is None:
            found = frozenset((class_id, *closure(class_id, self.axioms.broader_classes)))
            self._supers[class_id] = found
        return found

    def type_ids(self, entity: int) -> frozenset[int]:
        """The asserted classes of an entity and their superclasses, as identifiers."""
        if self._type is None:
            return frozenset()
        direct = self.graph.objects(entity, self._type)
        if len(direct) == 1:
            return self.supers_of(direct[0])
        return frozenset().union(*map(self.supers_of, direct))

    def types(self, entity: int, *, infer: bool = False) -> frozenset[str]:
        """The IRIs of the asserted classes of an entity and their superclasses.

        Args:
            infer: add what rdfs:domain and rdfs:range imply (RDFS entailment rules rdfs2 and rdfs3).
        """
        found = self.type_ids(entity)
        if infer:
            found = found | self._implied_types(entity)
        return self._iris(found)

    def _find_iris(self, numbers: frozenset[int]) -> frozenset[str]:
        return frozenset(self.graph.iri(number) for number in numbers if self.graph.is_iri(number))

    def _implied_types(self, entity: int) -> frozenset[int]:
        found: set[int] = set()
        out = {p for p, _ in self.graph.out(entity)}
        into = {p for _, p in self.graph.into(entity)}
        for predicates, name in ((out, "domain"), (into, "range")):
            axiom = self.graph.id(RDFS + name)
            for predicate in predicates if axiom is not None else ():
                for broader in (predicate, *closure(predicate, self.axioms.broader_properties)):
                    for class_id in self.graph.objects(broader, axiom or 0):
                        found |= self.supers_of(class_id)
        return frozenset(found)

    def is_a(self, entity: int, class_iri: str) -> bool:
        """Whether an entity is asserted to be a member of the class or of a subclass."""
        number = self.graph.id(class_iri)
        return number is not None and number in self.type_ids(entity)

    def disjoint(self, left: str, right: str) -> bool:
        """Whether two classes have no common member, by declaration or by inheritance from superclasses."""
        a, b = self.graph.id(left), self.graph.id(right)
        if a is None or b is None or a == b:
            return False
        others = self.supers_of(b)
        disjoint = self.axioms.disjoint_classes
        return any(not others.isdisjoint(disjoint.get(number, ())) for number in self.supers_of(a))

    def gives_labels(self, iri: str) -> bool:
        """Whether the property gives labels (so it is no predicate of claims)."""
        number = self.graph.id(iri)
        labelling = MAIN + ALTERNATIVE
        if number is None:
            return iri in labelling
        return any(self.graph.iri(n) in labelling for n in (number, *closure(number, self.axioms.broader_properties)))
