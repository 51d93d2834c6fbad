"""What an extract asks for. Terms are written by ``remote.queries.iri``, which refuses what would end them."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN
from imprimatur.sources.graph.terms import RDF, RDFS, SKOS
from imprimatur.sources.remote.queries import iri

__all__ = ["NAMES", "WD", "WDT", "WIKIBASE", "details", "direct_facts", "kinds", "members", "names", "plain_facts"]
__all__ += ["statement_rows"]

WIKIBASE = "http://wikiba.se/ontology#"
WD = "http://www.wikidata.org/entity/"
_PROP = "http://www.wikidata.org/prop/"
WDT = _PROP + "direct/"
#: What gives names, the best first. Wikidata writes each name several times over, so that two of them are enough there.
NAMES = (*MAIN, *ALTERNATIVE)
_WIKIDATA_NAMES = (RDFS + "label", SKOS + "altLabel")
_ORDER = "STR(?p) STR(?o) LANG(?o) STR(DATATYPE(?o))"


def _values(name: str, things: Sequence[str]) -> str:
    return f"VALUES ?{name} {{ {' '.join(map(iri, things))} }}"


def _spoken(languages: Sequence[str]) -> str:
    known = ", ".join(f'"{language.lower()}"' for language in ("", *languages))
    return f"(!isLiteral(?o) || LCASE(LANG(?o)) IN ({known}))"


def members(cls: str, *, wikidata: bool) -> str:
    """The pattern of a class's members ``?s``."""
    return f"?s {iri(WDT + 'P31' if wikidata else RDF + 'type')} {iri(cls)}"


def plain_facts(things: Sequence[str], languages: Sequence[str]) -> str:
    """All facts of things, texts in some languages or in none."""
    return (
        f"SELECT DISTINCT ?s ?p ?o WHERE {{ {_values('s', things)} ?s ?p ?o FILTER({_spoken(languages)}) }} "
        f"ORDER BY STR(?s) {_ORDER}"
    )


def direct_facts(things: Sequence[str], languages: Sequence[str]) -> str:
    """The direct facts of things on Wikidata: those of the best rank, each without what qualifies it."""
    return (
        f"SELECT DISTINCT ?s ?p ?o WHERE {{ {_values('s', things)} ?s ?p ?o "
        f'FILTER(STRSTARTS(STR(?p), "{WDT}") && {_spoken(languages)}) }} ORDER BY STR(?s) {_ORDER}'
    )


def statement_rows(things: Sequence[str]) -> str:
    """The statements of things: rank, values and qualifiers, plain and as nodes."""
    kinds = ("statement/P", "statement/value/P", "qualifier/P", "qualifier/value/P")
    kept = " || ".join(f'STRSTARTS(STR(?p), "{_PROP}{kind}")' for kind in kinds)
    return (
        f"SELECT DISTINCT ?s ?claim ?st ?p ?o WHERE {{ {_values('s', things)} ?s ?claim ?st . "
        f"?st {iri(WIKIBASE + 'rank')} ?rank ; ?p ?o "
        f'FILTER(STRSTARTS(STR(?claim), "{_PROP}P") && (?p = {iri(WIKIBASE + "rank")} || {kept})) }} '
        f"ORDER BY STR(?s) STR(?claim) STR(?st) {_ORDER}"
    )


def details(things: Sequence[str]) -> str:
    """What the nodes of values say: how exact times are, and the units of quantities."""
    said = " ".join(iri(WIKIBASE + name) for name in ("timeValue", "timePrecision", "quantityAmount", "quantityUnit"))
    return (
        f"SELECT DISTINCT ?node ?p ?o WHERE {{ {_values('s', things)} VALUES ?p {{ {said} }} ?s ?claim ?st . "
        f"?st {iri(WIKIBASE + 'rank')} ?rank ; ?via ?node . ?node ?p ?o }} ORDER BY STR(?node) {_ORDER}"
    )


def kinds(properties: Sequence[str]) -> str:
    """Of what kind the values of direct properties are: ``?s`` and ``?kind``."""
    return (
        f"SELECT DISTINCT ?s ?kind WHERE {{ {_values('s', properties)} ?property {iri(WIKIBASE + 'directClaim')} ?s ; "
        f"{iri(WIKIBASE + 'propertyType')} ?kind }} ORDER BY STR(?s) STR(?kind)"
    )


def names(things: Sequence[str], languages: Sequence[str], *, wikidata: bool) -> str:
    """What things and direct properties are called, in languages or in none: ``?s``, ``?p`` and ``?name``."""
    kept = ", ".join(f'"{language.lower()}"' for language in ("", *languages))
    called = " ".join(map(iri, _WIKIDATA_NAMES if wikidata else NAMES))
    named = f"{{ ?thing {iri(WIKIBASE + 'directClaim')} ?s . ?thing ?p ?name }} UNION " if wikidata else ""
    return (
        f"SELECT DISTINCT ?s ?p ?name WHERE {{ {_values('s', things)} VALUES ?p {{ {called} }} "
        f"{named}{{ ?s ?p ?name }} FILTER(isLiteral(?name) && LCASE(LANG(?name)) IN ({kept})) }} "
        "ORDER BY STR(?s) STR(?p) STR(?name) LANG(?name)"
    )
