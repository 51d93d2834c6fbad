"""The classes and properties that a property graph brings, declared in the vocabulary that the graph engine reads.

What the local ontology knows is declared there, and gets further words at most. Invariants: a key is functional only
where it is said to be, or all its values are numbers, truth values or times, one each; a domain or range is given only
where all nodes with the key, or at that end of the relationships, have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SKOS, XSD, RdfLiteral
from imprimatur.sources.property.mapping import IRI
from imprimatur.sources.property.ontology import in_words
from imprimatur.sources.property.tenses import in_present, is_past
from imprimatur.sources.property.translation import Translation, Triple
from imprimatur.sources.tables.numbers import unit_iri
from imprimatur.values import Unit

__all__ = ["declarations"]

_UNIT = "http://qudt.org/schema/qudt/hasUnit"
_SINGLE = frozenset(("integer", "float", "boolean", "date", "datetime"))
_RANGES = {"integer": "integer", "float": "decimal", "boolean": "boolean", "date": "date", "datetime": "dateTime"}


@dataclass
class _Term:
    """What is said of one class or property, by all that stand for it."""

    kind: str
    words: list[str] = field(default_factory=list)
    functional: list[bool] = field(default_factory=list)
    domains: set[str] = field(default_factory=set)
    ranges: set[str] = field(default_factory=set)
    unit: Unit | None = None


def declarations(translation: Translation) -> Iterator[Triple]:
    """The triples about classes and properties, in the order of their IRIs."""
    terms: dict[str, _Term] = {}
    _labels(translation, terms)
    _keys(translation, terms)
    _types(translation, terms)
    for iri in sorted(terms):
        yield from _declared(iri, terms[iri], known=iri in translation.ontology.known)


def _declared(iri: str, term: _Term, *, known: bool) -> Iterator[Triple]:
    words = [word for word in dict.fromkeys(term.words) if word]
    if known:
        yield from ((iri, SKOS + "altLabel", RdfLiteral(word)) for word in words)
        return
    yield iri, RDF + "type", OWL + term.kind
    for at, word in enumerate(words):
        yield iri, (SKOS + "altLabel") if at else (RDFS + "label"), RdfLiteral(word)
    if term.functional and all(term.functional):
        yield iri, RDF + "type", OWL + "FunctionalProperty"
    for name, found in (("domain", term.domains), ("range", term.ranges)):
        if len(found) == 1 and (one := next(iter(found))):
            yield iri, RDFS + name, one
    unit = unit_iri(term.unit) if term.unit is not None else None
    if unit is not None:
        yield iri, _UNIT, unit


def _labels(translation: Translation, terms: dict[str, _Term]) -> None:
    for label in translation.schema.labels:
        if label.startswith("__") or translation.mapping.label(label).hidden:
            continue
        rule, iri = translation.mapping.label(label), translation.class_iri(label)
        term = terms.setdefault(iri, _Term("Class"))
        term.words += _words(translation, iri, label, rule.words, rule.synonyms)


def _keys(translation: Translation, terms: dict[str, _Term]) -> None:
    schema, mapping = translation.schema, translation.mapping
    special = {*translation.hidden_keys, *mapping.aliases, *(set(mapping.id) - set(mapping.keys))}
    for key, kinds in schema.kinds.items():
        sets = [each.labels for each in schema.keys if each.key == key and not translation.is_hidden(each.labels)]
        sets = [labels for labels in sets if translation.naming_key(labels) != key]
        if key in special or not sets:
            continue
        rule, iri = mapping.key(key), translation.key_iri(key)
        things = translation.datatype(key) == IRI
        term = terms.setdefault(iri, _Term("ObjectProperty" if things else "DatatypeProperty"))
        term.words += _words(translation, iri, key, rule.words, rule.synonyms)
        single = set(kinds) <= _SINGLE and not things
        term.functional.append(single if rule.functional is None else rule.functional)
        term.domains.add(_common(translation, sets))
        ranges = {XSD + _RANGES[kind] if kind in _RANGES else "" for kind in kinds}
        told = translation.datatype(key)
        term.ranges |= {"" if things else told} if told else ranges
        term.unit = term.unit or rule.unit


def _types(translation: Translation, terms: dict[str, _Term]) -> None:
    for type_ in translation.schema.types:
        rule, iri = translation.mapping.type(type_), translation.type_iri(type_)
        ends = [each for each in translation.schema.ends if each.type == type_]
        ends = [e for e in ends if not (translation.is_hidden(e.start) or translation.is_hidden(e.finish))]
        if rule.hidden or not ends:
            continue
        starts, finishes = [each.start for each in ends], [each.finish for each in ends]
        if rule.inverse:
            starts, finishes = finishes, starts
        term = terms.setdefault(iri, _Term("ObjectProperty"))
        term.words += _words(translation, iri, type_, rule.words, rule.synonyms)
        if rule.past is False and is_past(type_):
            term.words.append(in_present(type_))
        term.functional.append(rule.functional)
        # Where some held for a time, their statements have the property, too, and are no such things.
        term.domains.add("" if translation.is_timed(type_) else _common(translation, starts))
        term.ranges.add(_common(translation, finishes))


def _words(translation: Translation, iri: str, name: str, words: str, synonyms: Sequence[str]) -> list[str]:
    """How a term is called; of one of the ontology's, only what is said beyond its own words."""
    known = iri in translation.ontology.known
    return [words or ("" if known else in_words(name)), *synonyms]


def _common(translation: Translation, sets: Iterable[Sequence[str]]) -> str:
    """The class that all nodes with these labels have in common; empty where there is none, or more than one."""
    shared: set[str] | None = None
    for labels in sets:
        own = {label for label in labels if not label.startswith("__")}
        shared = own if shared is None else shared & own
    return translation.class_iri(next(iter(shared))) if shared is not None and len(shared) == 1 else ""
