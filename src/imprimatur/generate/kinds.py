"""Whether a thing is of the kind that a question asks for ("which river system", "which New York county")."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from imprimatur.extract.syntax import Item
from imprimatur.sources.graph.judge import GraphSource

__all__ = ["Kind", "kind_of"]


class Kind(StrEnum):
    """Whether a thing is what a noun phrase says: it is, it is not, or that is not known."""

    IS = "is"
    IS_NOT = "is not"
    UNKNOWN = "unknown"


def kind_of(noun: Sequence[Item], iri: str, source: GraphSource) -> Kind:
    """Whether the nouns of a question say what a thing is. Names in them must be told by the thing's own name."""
    if not noun:
        return Kind.IS
    found = _by_nouns(noun, iri, source)
    if found is Kind.IS and not all(_told(i, iri, source) for i in noun if i.entity is not None):
        return Kind.UNKNOWN
    return found


def _by_nouns(noun: Sequence[Item], iri: str, source: GraphSource) -> Kind:
    lexicon = source.lexicon
    words = [i.forms.noun for i in noun if i.forms.noun and not i.entity and not i.quantity]
    known = [w for w in words if lexicon.classes(w) or lexicon.words.heads.get(w)]
    if known:  # "a U.S. state" is one by its class, not by its name
        return Kind.IS if any(lexicon.of_kind(w, iri) for w in known) else Kind.IS_NOT
    return Kind.IS if any(lexicon.general(w, iri) for w in words) else Kind.UNKNOWN


def _told(name: Item, iri: str, source: GraphSource) -> bool:
    """Whether a thing's labels hold a name, or a fact links it to what the name means."""
    number = source.graph.id(iri)
    if number is None or name.entity is None:
        return False
    if any(name.text.casefold() in label.casefold() for label in source.graph.labels(number)):
        return True
    meant = {source.graph.id(c) for c in name.entity.candidates}
    return any(value in meant for _, value in source.graph.out(number))
