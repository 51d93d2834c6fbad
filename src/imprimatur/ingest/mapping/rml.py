"""A mapping of the short form as RML, for other engines and for comparing.

The vocabulary is RML over R2RML (rr:, rml:, ql:), with two conventions for what it leaves to tools: a table of an
SQLite file has ``rr:tableName`` beside ``rml:source``, and one behind an address has ``env:NAME`` as its source. What
says nothing (``nulls``) is written as ``rml:null`` of RML-IO. Conditions have no form in RML.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.errors import ConfigError
from imprimatur.ingest.mapping.model import Map, Mapping, Property, Source
from imprimatur.sources.graph.terms import XSD, RdfLiteral, iri_text, literal_text

__all__ = ["rml_of"]

_PREFIXES = """\
@prefix rr: <http://www.w3.org/ns/r2rml#> .
@prefix rml: <http://semweb.mmlab.be/ns/rml#> .
@prefix io: <http://w3id.org/rml/> .
@prefix ql: <http://semweb.mmlab.be/ns/ql#> .
"""


def rml_of(mapping: Mapping) -> str:
    """The mapping in Turtle. Raises ConfigError where it has conditions."""
    numbers = {each.name: number for number, each in enumerate(mapping.maps)}
    parts = [_PREFIXES]
    for each in mapping.maps:
        if each.when:
            hint = "filter the rows beforehand, or run the short form itself"
            raise ConfigError(f"`maps.{each.name}.when`: RML has no conditions", where=str(mapping.where), hint=hint)
        parts.append("\n" + "\n".join(_map(mapping, each, numbers)) + "\n")
    return "".join(parts)


def _map(mapping: Mapping, made: Map, numbers: dict[str, int]) -> Iterator[str]:
    yield f"<#m{numbers[made.name]}> a rr:TriplesMap ;"
    yield f"    rml:logicalSource [ {' ; '.join(_source(mapping.source(made.source)))} ] ;"
    classes = "".join(f" ; rr:class {iri_text(cls)}" for cls in made.classes)
    ends = [f"    rr:subjectMap [ rr:template {_text(made.subject.text)}{classes} ]"]
    for each in made.properties:
        ends.append(
            f"    rr:predicateObjectMap [ rr:predicate {iri_text(each.iri)} ; "
            f"rr:objectMap [ {_object(each, numbers)} ] ]"
        )
    yield " ;\n".join(ends) + " ."


def _source(source: Source) -> Iterator[str]:
    if source.address is not None:
        yield f"rml:source {_text('env:' + source.shown.removeprefix('database:'))}"
    else:
        yield f"rml:source {_text(source.shown)}"
    if source.table:
        yield f"rr:tableName {_text(source.table)}"
    nested = source.path is not None and source.path.suffix.lower() in (".json", ".jsonl", ".ndjson")
    yield f"rml:referenceFormulation ql:{'JSONPath' if nested else 'CSV'}"
    if source.items:
        yield f"rml:iterator {_text('$' + ''.join('[*]' if key == '*' else '.' + key for key in source.items))}"
    for each in sorted(source.nulls or ()):
        yield f"io:null {_text(each)}"


def _object(each: Property, numbers: dict[str, int]) -> str:
    if each.join is not None:
        on = "".join(
            f" ; rr:joinCondition [ rr:child {_text(own)} ; rr:parent {_text(other)} ]" for own, other in each.join.on
        )
        return f"rr:parentTriplesMap <#m{numbers[each.join.map]}>{on}"
    if each.constant:
        said = iri_text(each.constant) if each.datatype == "iri" else _text(each.constant)
        written = f"rr:constant {said}"
    elif each.template is not None:
        written = f"rr:template {_text(each.template.text)}"
    else:
        written = f"rml:reference {_text(each.column)}"
    if each.datatype == "iri":
        return f"{written} ; rr:termType rr:IRI"
    kind = f" ; rr:language {_text(each.language)}" if each.language else ""
    if not kind and each.datatype != "string":
        kind = f" ; rr:datatype {iri_text(XSD + each.datatype)}"
    return f"{written} ; rr:termType rr:Literal{kind}"


def _text(text: str) -> str:
    return literal_text(RdfLiteral(text))
