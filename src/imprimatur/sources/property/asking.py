"""Cypher that finds a triple of a property graph again, to be put into a console as it stands.

Contract: labels, types, keys and values are written so that nothing in them ends them; what cannot be written in
backticks is compared as text.
"""

from __future__ import annotations

from typing import Any

from imprimatur.errors import CheckFailed
from imprimatur.sources.graph.terms import NUMERIC_TYPES, RDF, RDFS, SKOS, XSD, RdfLiteral
from imprimatur.sources.property.identity import place_of
from imprimatur.sources.property.translation import Translation
from imprimatur.sources.property.values import written

__all__ = ["cypher", "parsed"]

_NAMES = (RDFS + "label", SKOS + "altLabel")


def cypher(translation: Translation, subject: str, predicate: str, value: str) -> str:
    """The query for a triple; its terms in N-Triples. Raises CheckFailed where a term is none."""
    start, relation, end = parsed(subject), parsed(predicate), parsed(value)
    if isinstance(start, RdfLiteral) or isinstance(relation, RdfLiteral):
        raise CheckFailed("a literal stands where an IRI is needed")
    place = place_of(translation.mapping.base, start)
    if place.statement is not None:
        return f"MATCH (a)-[r]->(b) WHERE id(a) = {place.statement[0]} AND id(r) = {place.statement[1]} RETURN a, r, b"
    where = _found(translation, "s", start)
    if relation == RDF + "type" and isinstance(end, str):
        labels = [label for label in translation.schema.labels if translation.class_iri(label) == end]
        return f"MATCH (s) WHERE {where} AND {_any([f'{written(label)} IN labels(s)' for label in labels])} RETURN s"
    if isinstance(end, RdfLiteral):
        return f"MATCH (s) WHERE {where} AND {_any(_values(translation, relation, end))} RETURN s"
    return _linked(translation, where, relation, end)


def _linked(translation: Translation, where: str, relation: str, end: str) -> str:
    """The query for a link between two things."""
    types = translation.schema.types
    held = place_of(translation.mapping.base, end).statement
    if held is not None:
        return f"MATCH (s)-[r]->(o) WHERE {where} AND id(r) = {held[1]} RETURN s, r, o"
    named = [each for each in types if translation.type_iri(each) == relation]
    keys = [key for key in translation.schema.kinds if translation.key_iri(key) == relation]
    if not named and keys:
        return f"MATCH (s) WHERE {where} AND {_any([f's{_at(key)} = {written(end)}' for key in keys])} RETURN s"
    inverse = bool(named) and all(translation.mapping.type(each).inverse for each in named)
    pattern = "(o)-[r]->(s)" if inverse else "(s)-[r]->(o)"
    kinds = _any([f"type(r) = {written(each)}" for each in named])
    return f"MATCH {pattern} WHERE {where} AND {_found(translation, 'o', end)} AND {kinds} RETURN s, r, o"


def _found(translation: Translation, name: str, iri: str) -> str:
    """The condition under which a node is a thing."""
    place = place_of(translation.mapping.base, iri)
    if place.number is not None:
        return f"id({name}) = {place.number}"
    keys = [key for key in translation.place_keys if key in translation.schema.kinds]
    if place.iri:
        return _any([f"{name}{_at(key)} = {written(place.iri)}" for key in keys])
    same: list[Any] = [place.value]
    if place.value.isascii() and place.value.isdigit() and len(place.value) < 19:
        same.append(int(place.value))
    found = _any([f"{name}{_at(k)} = {written(v)}" for k in keys if k not in ("iri", "uri") for v in same])
    return f"{found} AND {written(place.label)} IN labels({name})" if place.label else found


def _values(translation: Translation, relation: str, value: RdfLiteral) -> list[str]:
    """The ways in which a key may hold a literal."""
    schema, mapping = translation.schema, translation.mapping
    keys = [key for key in schema.kinds if translation.key_iri(key) == relation]
    if relation in _NAMES:
        keys += [*translation.identity_keys, *mapping.aliases]
        keys += [key for rule in mapping.labels.values() for key in rule.aliases]
    found = []
    for key in dict.fromkeys(keys):
        kinds = set(schema.kinds.get(key, ()))
        for written_value in _written(value):
            if kinds - {"list"}:
                found.append(f"s{_at(key)} = {written_value}")
            elif "list" in kinds:
                found.append(f"{written_value} IN s{_at(key)}")
        if kinds & {"date", "datetime"}:
            found.append(f"toString(s{_at(key)}) STARTS WITH {written(value.lexical)}")
    return found


def _written(value: RdfLiteral) -> list[str]:
    found = [written(value.lexical)]
    if value.datatype in NUMERIC_TYPES or value.datatype == XSD + "gYear":
        try:
            number = int(value.lexical) if value.lexical.lstrip("+-").isdigit() else float(value.lexical)
        except ValueError:
            return found
        found.append(written(number))
    if value.datatype == XSD + "boolean":
        found.append("true" if value.lexical in ("true", "1") else "false")
    return found


def _any(conditions: list[str]) -> str:
    if not conditions:
        return "false"
    return conditions[0] if len(conditions) == 1 else f"({' OR '.join(conditions)})"


def _at(key: str) -> str:
    """How a key is read."""
    return f"[{written(key)}]" if "`" in key else f".`{key}`"


def parsed(term: str) -> str | RdfLiteral:
    """A term in N-Triples: an IRI, or a literal. Raises CheckFailed for anything else."""
    import pyoxigraph as ox

    try:
        quads = list(ox.parse(f"<urn:s> <urn:p> {term} .", format=ox.RdfFormat.N_TRIPLES))
        found = quads[0].object
    except (SyntaxError, ValueError, IndexError) as fault:
        raise CheckFailed("a term is none of N-Triples") from fault
    if isinstance(found, ox.NamedNode):
        return found.value
    if isinstance(found, ox.Literal):
        return RdfLiteral(found.value, found.datatype.value, found.language or "")
    raise CheckFailed("a blank node is in no property graph")
