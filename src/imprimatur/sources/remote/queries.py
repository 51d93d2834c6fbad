"""The queries that an endpoint is asked.

Invariant: a query is a fixed text with terms in it, and every term is written by ``iri`` or ``text``, which refuse what
they cannot write plainly. Escapes by code point are never used: SPARQL puts their characters in place before it reads
the query (SPARQL 1.1, section 19.2), so that an escaped bracket would end an IRI all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.sources.graph.terms import RDFS, SKOS
from imprimatur.sources.remote.settings import Namespaces

__all__ = ["facts", "iri", "named", "page", "precisions", "property_words", "text", "words"]

_IRI = expression(r"https?://[^\x00-\x20\x7f<>\"{}|^`\\\ud800-\udfff]{1,2000}", re.IGNORECASE)
_NO_NAME = expression(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
_MOST_TEXT = 500
_ONTOLOGY = "http://wikiba.se/ontology#"
_LABEL, _ALIAS = f"<{RDFS}label>", f"<{SKOS}altLabel>"


def iri(value: str) -> str:
    """An IRI as a query has it. Raises InputError where it is no absolute web IRI."""
    if _IRI.fullmatch(value) is None:
        raise InputError("not an IRI that an endpoint can be asked about", where=repr(value[:80]))
    return f"<{value}>"


def text(value: str, language: str) -> str:
    """A name in a language as a query has it. Raises InputError where it is too long or has other than plain text."""
    if _NO_NAME.search(value) is not None or not 0 < len(value) <= _MOST_TEXT:
        raise InputError("not a name that an endpoint can be asked for", where=repr(value[:80]))
    return '"' + value.replace('"', '\\"') + f'"@{language}'


def page(query: str, *, most: int, after: int = 0) -> str:
    """A part of the rows of a query that has an order."""
    return f"{query} LIMIT {int(most)} OFFSET {int(after)}"


def facts(thing: str, spaces: Namespaces, *, incoming: bool) -> str:
    """All direct facts that a thing has, or that have it as their value: ``?p`` and ``?o``."""
    triple = f"?o ?p {iri(thing)}" if incoming else f"{iri(thing)} ?p ?o"
    kept = f'STRSTARTS(STR(?p), "{_prefix(spaces.direct)}")'
    things = f'isIRI(?o) && STRSTARTS(STR(?o), "{_prefix(spaces.thing)}")'
    values = "" if incoming else " || isLiteral(?o)"
    order = "ORDER BY ?p STR(?o) LANG(?o) STR(DATATYPE(?o))" if not incoming else "ORDER BY ?p STR(?o)"
    return f"SELECT DISTINCT ?p ?o WHERE {{ {triple} FILTER({kept} && ({things}{values})) }} {order}"


def words(things: Sequence[str], languages: Sequence[str]) -> str:
    """The labels and alternative labels of things: ``?s``, ``?p`` and ``?name``."""
    return (
        f"SELECT DISTINCT ?s ?p ?name WHERE {{ VALUES ?s {{ {_all(things)} }} VALUES ?p {{ {_LABEL} {_ALIAS} }} "
        f"?s ?p ?name FILTER({_spoken(languages)}) }} ORDER BY ?s ?p STR(?name) LANG(?name)"
    )


def property_words(properties: Sequence[str], languages: Sequence[str]) -> str:
    """The same of direct properties, whose words stand at the thing that stands for each."""
    return (
        f"SELECT DISTINCT ?s ?p ?name WHERE {{ VALUES ?s {{ {_all(properties)} }} VALUES ?p {{ {_LABEL} {_ALIAS} }} "
        f"{{ ?thing <{_ONTOLOGY}directClaim> ?s . ?thing ?p ?name }} UNION {{ ?s ?p ?name }} "
        f"FILTER({_spoken(languages)}) }} ORDER BY ?s ?p STR(?name) LANG(?name)"
    )


def named(name: str, languages: Sequence[str], spaces: Namespaces) -> str:
    """The things that bear a name: ``?s``."""
    names = " ".join(text(name, language) for language in languages)
    return (
        f"SELECT DISTINCT ?s WHERE {{ VALUES ?name {{ {names} }} {{ ?s {_LABEL} ?name }} UNION {{ ?s {_ALIAS} ?name }} "
        f'FILTER(isIRI(?s) && STRSTARTS(STR(?s), "{_prefix(spaces.thing)}")) }} ORDER BY STR(?s)'
    )


def precisions(thing: str, properties: Sequence[str]) -> str:
    """How exact the times of a thing are: ``?p``, ``?time`` and ``?precision`` (9 a year, 10 a month, 11 a day)."""
    return (
        f"SELECT DISTINCT ?p ?time ?precision WHERE {{ VALUES ?p {{ {_all(properties)} }} "
        f"?thing <{_ONTOLOGY}directClaim> ?p ; <{_ONTOLOGY}claim> ?claim ; <{_ONTOLOGY}statementValue> ?value . "
        f"{iri(thing)} ?claim ?statement . ?statement ?value ?node . "
        f"?node <{_ONTOLOGY}timeValue> ?time ; <{_ONTOLOGY}timePrecision> ?precision }} "
        "ORDER BY ?p STR(?time) ?precision"
    )


def _all(things: Iterable[str]) -> str:
    return " ".join(map(iri, things))


def _spoken(languages: Sequence[str]) -> str:
    known = ", ".join(f'"{language.lower()}"' for language in languages)
    return f"LCASE(LANG(?name)) IN ({known})"


def _prefix(namespace: str) -> str:
    """What IRIs begin with; it is itself one, and so has nothing that would end a text."""
    return iri(namespace)[1:-1]
