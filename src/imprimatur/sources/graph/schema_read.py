"""Builds the entries of ``Schema``: one ``PropertyInfo`` a property, one ``ClassInfo`` a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from imprimatur.sources.graph.axioms import Chain, closure, read_list
from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN, rank_of
from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo, Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SCHEMA, SH, SKOS, XSD, spoken_name

if TYPE_CHECKING:
    from imprimatur.sources.graph.shape_digest import Implied

__all__ = ["read_classes", "read_properties"]

_VOCABULARIES = (RDF, RDFS, OWL, SH)
_PROPERTY_CLASSES = (
    RDF + "Property",
    *(
        OWL + name
        for name in (
            "ObjectProperty",
            "DatatypeProperty",
            "FunctionalProperty",
            "InverseFunctionalProperty",
            "SymmetricProperty",
            "TransitiveProperty",
        )
    ),
)
_UNITS = (
    "http://qudt.org/schema/qudt/hasUnit",
    "http://qudt.org/schema/qudt/unit",
    "http://www.ontology-of-units-of-measure.org/resource/om-2/hasUnit",
    "http://qudt.org/schema/qudt/applicableUnit",
)
#: How many triples of a property are looked at to see what its values are.
_SAMPLE = 1000
_DATATYPES_OUTSIDE_XSD = (RDF + "langString", RDF + "HTML", RDF + "JSON", RDFS + "Literal")


def _objects(graph: Graph, subject: int, *iris: str) -> list[int]:
    found: list[int] = []
    for iri in iris:
        predicate = graph.id(iri)
        if predicate is not None:
            found += graph.objects(subject, predicate)
    return found


def _members(graph: Graph, class_iri: str) -> tuple[int, ...]:
    kind, class_id = graph.id(RDF + "type"), graph.id(class_iri)
    return () if kind is None or class_id is None else graph.subjects(kind, class_id)


def _is_own(graph: Graph, number: int) -> bool:
    """Whether the term is an IRI outside the vocabularies of RDF, RDFS, OWL and SHACL."""
    return graph.is_iri(number) and not graph.iri(number).startswith(_VOCABULARIES)


def _is_datatype(iri: str) -> bool:
    return iri.startswith(XSD) or iri in _DATATYPES_OUTSIDE_XSD


def _names(schema: Schema, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Main and alternative labels in the language of the knowledge base or without one, in the grammar's terms."""
    graph, language = schema.graph, schema.language
    own = "en" if language is None else language.code
    named = [
        (schema.spoken(text), main)
        for text, lang, main in graph.named(number)
        if not rank_of(lang, own) and text.strip()
    ]
    main = tuple(dict.fromkeys(text for text, is_main in named if is_main))
    alternative = tuple(dict.fromkeys(text for text, is_main in named if not is_main and text not in main))
    return main or (schema.spoken(spoken_name(graph.iri(number))),), alternative


def _classes_of(graph: Graph, numbers: Iterable[int]) -> tuple[str, ...]:
    """The IRIs of classes; a union is unfolded into its members, other anonymous classes are left out."""
    found: list[str] = []
    for number in numbers:
        if graph.is_iri(number):
            found.append(graph.iri(number))
            continue
        for head in _objects(graph, number, OWL + "unionOf"):
            found += [graph.iri(member) for member in read_list(graph, head) if graph.is_iri(member)]
    return tuple(dict.fromkeys(found))


def read_classes(schema: Schema, complete: frozenset[str]) -> dict[str, ClassInfo]:
    """All classes that are declared, used as a type, or named as domain, range, sub- or superclass."""
    graph, axioms = schema.graph, schema.axioms
    kind = graph.id(RDF + "type")
    properties = {number for iri in _PROPERTY_CLASSES for number in _members(graph, iri)}
    found = {*_members(graph, OWL + "Class"), *_members(graph, RDFS + "Class")}
    found |= set(axioms.broader_classes) | set(axioms.narrower_classes) | set(axioms.disjoint_classes)
    if kind is not None:
        found |= set(graph.objects_of(kind))
    for name in ("domain", "range"):
        predicate = graph.id(RDFS + name)
        found |= set(graph.objects_of(predicate)) if predicate is not None else set()
    own = [n for n in sorted(found - properties) if _is_own(graph, n) and not _is_datatype(graph.iri(n))]
    narrower = _turned(schema, own)
    return {graph.iri(number): _class_info(schema, number, narrower=narrower, complete=complete) for number in own}


def _turned(schema: Schema, classes: list[int]) -> dict[int, list[int]]:
    """Every class's subclasses, from the superclasses of all."""
    narrower: dict[int, list[int]] = {}
    for number in classes:
        for above in schema.supers_of(number):
            if above != number:
                narrower.setdefault(above, []).append(number)
    return narrower


def _class_info(
    schema: Schema, number: int, *, narrower: Mapping[int, list[int]], complete: frozenset[str]
) -> ClassInfo:
    graph = schema.graph
    labels, alternatives = _names(schema, number)
    subs = narrower.get(number, [])
    members: set[int] = set()
    for class_id in (number, *subs):
        members.update(_members(graph, graph.iri(class_id)))
    apart: set[int] = set()
    for above in schema.supers_of(number):
        for other in schema.axioms.disjoint_classes.get(above, ()):
            apart.update((other, *narrower.get(other, ())))
    return ClassInfo(
        iri=graph.iri(number),
        labels=labels,
        alt_labels=alternatives,
        supers=_iris(graph, closure(number, schema.axioms.broader_classes)),
        subs=_iris(graph, subs),
        disjoint=_iris(graph, sorted(apart)),
        complete=graph.iri(number) in complete,
        instances=len(members),
    )


def _iris(graph: Graph, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(graph.iri(number) for number in numbers if graph.is_iri(number))


def read_properties(schema: Schema, complete: frozenset[str], implied: Iterable[Implied]) -> dict[str, PropertyInfo]:
    """All properties that are declared or used, with what shapes imply of them."""
    graph, axioms = schema.graph, schema.axioms
    found = {number for iri in _PROPERTY_CLASSES for number in _members(graph, iri)}
    found |= set(graph.predicates()) | set(axioms.broader_properties) | set(axioms.narrower_properties)
    found |= set(axioms.chains) | {n for iri in schema.statement_links if (n := graph.id(iri)) is not None}
    own = [n for n in sorted(found) if _is_own(graph, n) and graph.iri(n) not in MAIN + ALTERNATIVE]
    subs = _subs(schema, own)
    infos = {graph.iri(n): _property_info(schema, n, subs=subs.get(n, []), complete=complete) for n in own}
    for each in implied:
        if each.property in infos:
            infos[each.property] = _with_implied(infos[each.property], each)
    return _with_inherited(infos)


def _subs(schema: Schema, properties: list[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number in properties:
        for above in closure(number, schema.axioms.broader_properties):
            found.setdefault(above, []).append(number)
    return found


def _property_info(schema: Schema, number: int, *, subs: list[int], complete: frozenset[str]) -> PropertyInfo:
    graph, axioms = schema.graph, schema.axioms
    labels, alternatives = _names(schema, number)
    kinds = {graph.iri(kind) for kind in _objects(graph, number, RDF + "type")}
    ranges = _classes_of(graph, _objects(graph, number, RDFS + "range", *(s + "rangeIncludes" for s in SCHEMA)))
    is_object, datatype = _value_kind(graph, number, kinds=kinds, ranges=ranges)
    comments = _objects(graph, number, RDFS + "comment", SKOS + "definition")
    units = [_objects(graph, number, iri) for iri in _UNITS]
    domains = _classes_of(graph, _objects(graph, number, RDFS + "domain", *(s + "domainIncludes" for s in SCHEMA)))
    event = any(link.event for link in schema.statement_links.get(graph.iri(number), ()))
    return PropertyInfo(
        iri=graph.iri(number),
        labels=labels,
        alt_labels=alternatives,
        comment=next((graph.iri(c) for c in comments if graph.is_literal(c)), ""),
        domains=() if event else domains,  # what is declared of event nodes does not hold of their ends
        ranges=ranges,
        is_object=is_object,
        datatype=datatype,
        # Several applicable units do not say in which one the numbers are stored.
        unit_iri=next((graph.iri(found[0]) for found in units if len(found) == 1), None),
        functional=OWL + "FunctionalProperty" in kinds and not event,
        inverse_functional=OWL + "InverseFunctionalProperty" in kinds and not event,
        symmetric=number in axioms.symmetric,
        transitive=number in axioms.transitive,
        inverses=_iris(graph, sorted(axioms.inverses.get(number, ()))),
        supers=_iris(graph, closure(number, axioms.broader_properties)),
        subs=_iris(graph, subs),
        chains=tuple(_chain_text(graph, chain) for chain in axioms.chains.get(number, ())),
        disjoint_with=_iris(graph, sorted(axioms.disjoint_properties.get(number, ()))),
        complete=graph.iri(number) in complete,
        used=graph.count(number) + _stated(schema, number),
        event=event,
    )


def _stated(schema: Schema, number: int) -> int:
    """How many triples state the property through statement nodes and do not have it as predicate."""
    links = schema.statement_links.get(schema.graph.iri(number), ())
    return sum(schema.graph.count(link.value) for link in links if link.value != number)


def _chain_text(graph: Graph, chain: Chain) -> tuple[str, ...]:
    return tuple(("^" if flip else "") + graph.iri(number) for number, flip in chain.links)


def _value_kind(
    graph: Graph, number: int, *, kinds: set[str], ranges: tuple[str, ...]
) -> tuple[bool | None, str | None]:
    """Whether values are entities, and their datatype: as declared, else as used."""
    datatypes = [iri for iri in ranges if _is_datatype(iri)]
    if OWL + "ObjectProperty" in kinds:
        return True, None
    declared = OWL + "DatatypeProperty" in kinds or (bool(ranges) and len(datatypes) == len(ranges))
    if declared and datatypes:
        return False, datatypes[0]
    used: Counter[str | None] = Counter()
    for value in islice(graph.objects_of(number), _SAMPLE):
        used[graph.literal(value).datatype if graph.is_literal(value) else None] += 1
    literals = [datatype for datatype, _ in used.most_common() if datatype is not None]
    datatype = datatypes[0] if datatypes else literals[0] if literals else None
    if declared:
        return False, datatype
    if ranges and not datatypes:
        return True, datatype
    if not used:
        return None, datatype
    return (None if literals else True) if None in used else False, datatype


def _with_implied(info: PropertyInfo, implied: Implied) -> PropertyInfo:
    is_object = info.is_object
    if is_object is None and bool(implied.classes) != bool(implied.datatypes):
        is_object = bool(implied.classes)
    return replace(
        info,
        ranges=tuple(dict.fromkeys((*info.ranges, *implied.classes, *implied.datatypes))),
        is_object=is_object,
        datatype=info.datatype or next(iter(implied.datatypes), None),
        functional=info.functional or implied.single,
        disjoint_with=tuple(dict.fromkeys((*info.disjoint_with, *implied.disjoint))),
        implied=implied,
    )


def _with_inherited(infos: dict[str, PropertyInfo]) -> dict[str, PropertyInfo]:
    """What a property has from those above it and from its inverse.

    A sub-property of a functional property is functional, and the inverse of an inverse-functional one; a sub-property
    is disjoint with what its super-properties are disjoint with.
    """

    def holds(iris: Iterable[str], name: str) -> bool:
        return any(iri in infos and bool(getattr(infos[iri], name)) for iri in iris)

    apart: dict[str, list[str]] = {iri: list(info.disjoint_with) for iri, info in infos.items()}
    for iri, info in infos.items():
        for other in info.disjoint_with:
            apart.get(other, []).append(iri)
    found: dict[str, PropertyInfo] = {}
    for iri, info in infos.items():
        above = (iri, *info.supers)
        turned = [inverse for each in above if each in infos for inverse in infos[each].inverses]
        found[iri] = replace(
            info,
            functional=holds(above, "functional") or holds(turned, "inverse_functional"),
            inverse_functional=holds(above, "inverse_functional") or holds(turned, "functional"),
            disjoint_with=tuple(dict.fromkeys(other for each in above if each in infos for other in apart[each])),
        )
    return found
