"""The names of things: which properties give labels, and the labels of a term in order of preference.

A main label (``rdfs:label`` before ``skos:prefLabel``, ``schema:name``, ``foaf:name``, ``dct:title``) comes before an
alternative one (``skos:altLabel``, ``schema:alternateName``), a label without language or in English before others.
Sub-properties of these that the graph declares count too.
"""

from __future__ import annotations

from collections.abc import Callable

from imprimatur.sources.graph.terms import RDFS, SCHEMA, SKOS

__all__ = ["ALTERNATIVE", "MAIN", "label_ranks", "rank_of"]

MAIN = (
    RDFS + "label",
    SKOS + "prefLabel",
    *(scheme + "name" for scheme in SCHEMA),
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
)
ALTERNATIVE = (
    SKOS + "altLabel",
    *(scheme + "alternateName" for scheme in SCHEMA),
)
#: Alternative labels rank from here; sub-properties of each kind rank last of their kind.
_ALTERNATIVE_RANK = 100
_SUB_OF_MAIN, _SUB_OF_ALTERNATIVE = 99, 200


def label_ranks(find: Callable[[str], int | None], subjects: Callable[[int, int], tuple[int, ...]]) -> dict[int, int]:
    """Predicate identifier to rank (smaller: more preferred) for every property that gives labels.

    Args:
        find: the identifier of an IRI.
        subjects: the subjects of a predicate and object.
    """
    ranks: dict[int, int] = {}
    for rank, iri in [*enumerate(MAIN), *enumerate(ALTERNATIVE, _ALTERNATIVE_RANK)]:
        number = find(iri)
        if number is not None:
            ranks[number] = rank
    sub = find(RDFS + "subPropertyOf")
    # ``skos:prefLabel`` and the like are label properties whether or not ``rdfs:label`` itself occurs as a term.
    waiting = list(ranks) if sub is not None else []
    while waiting:
        above = waiting.pop()
        for below in subjects(sub or 0, above):
            if below not in ranks:
                ranks[below] = _SUB_OF_MAIN if ranks[above] < _ALTERNATIVE_RANK else _SUB_OF_ALTERNATIVE
                waiting.append(below)
    return ranks


def rank_of(lang: str, own: str = "en") -> int:
    """0 for no language and for the knowledge base's own, 1 for any other."""
    return 0 if not lang or lang.lower().split("-", 1)[0] == own else 1
