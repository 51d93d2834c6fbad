"""A guardrail as an ontology file in Turtle: labels, kinds, domains, ranges, units, and what has one value only.

A property's domain is the union of its sources and its range that of its targets: which source goes with which target
is kept by the guardrail itself. The text depends on nothing but the guardrail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, ANYTHING, Guardrail, Property
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SKOS, RdfLiteral, iri_text, literal_text

__all__ = ["turtle"]

_UNIT = "http://qudt.org/schema/qudt/hasUnit"


def turtle(guardrail: Guardrail) -> str:
    """The ontology file."""
    lines: list[str] = []
    for each in guardrail.classes:
        above = ((RDFS + "subClassOf", iri_text(iri)) for iri in each.above)
        apart = ((OWL + "disjointWith", iri_text(iri)) for iri in each.disjoint)
        lines += _lines(each.iri, (OWL + "Class",), (*_words(each.labels, each.description), *above, *apart))
    for known in guardrail.properties:
        lines += _lines(known.iri, _kinds(known), (*_words(known.labels, known.description), *_use(known)))
    return "\n".join(lines) + "\n"


def _lines(iri: str, kinds: Iterable[str], said: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"{iri_text(iri)} {iri_text(RDF + 'type')} {iri_text(kind)} ." for kind in kinds)
    yield from (f"{iri_text(iri)} {iri_text(predicate)} {object_} ." for predicate, object_ in said)


def _words(labels: Sequence[str], description: str) -> Iterator[tuple[str, str]]:
    yield RDFS + "label", literal_text(RdfLiteral(labels[0]))
    yield from ((SKOS + "altLabel", literal_text(RdfLiteral(label))) for label in labels[1:])
    if description:
        yield RDFS + "comment", literal_text(RdfLiteral(description))


def _kinds(known: Property) -> Iterator[str]:
    if known.leads_to_things and known.leads_to_values:
        yield RDF + "Property"
    else:
        yield OWL + ("ObjectProperty" if known.leads_to_things else "DatatypeProperty")
    if known.functional:
        yield OWL + "FunctionalProperty"


def _use(known: Property) -> Iterator[tuple[str, str]]:
    sources = sorted({each.source for each in known.patterns})
    targets = sorted({each.target for each in known.patterns})
    if ANY_THING not in sources:
        yield RDFS + "domain", _union(sources)
    if not {ANYTHING, ANY_THING, ANY_VALUE}.intersection(targets):
        yield RDFS + "range", _union(targets)
    if known.unit:
        yield _UNIT, iri_text(known.unit)


def _union(iris: Sequence[str]) -> str:
    if len(iris) == 1:
        return iri_text(iris[0])
    return f"[ {iri_text(OWL + 'unionOf')} ( {' '.join(map(iri_text, iris))} ) ]"
