"""The things of a graph that a mention may stand for, and what is known of their kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from imprimatur.claim import (
    Mention,
)
from imprimatur.sources.graph.denied import Denials
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.outcomes import (
    squeezed,
)
from imprimatur.sources.graph.schema import PropertyInfo

if TYPE_CHECKING:
    from imprimatur.sources.graph.shown import Rows

__all__ = ["Things"]

_MAX_CANDIDATES = 200
_LOOKED_AT = 5000


class Things:
    """A graph with its lexicon, asked about the things that mentions name."""

    def __init__(self, lexicon: GraphLexicon, entailment: Entailment, rows: Rows | None = None) -> None:
        self.rows = rows
        self.lexicon = lexicon
        self.graph = lexicon.graph
        self.schema = lexicon.schema
        self.entailment = entailment
        self.denials = Denials(lexicon.graph)
        self.seen_with: Callable[[str], tuple[str, ...]] = lru_cache(4096)(self._seen_with)
        names = (*MAIN, *ALTERNATIVE, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
        self._naming = {n for iri in names if (n := self.graph.id(iri)) is not None}

    def _of(self, proper: list[int], mention: Mention, suits: Callable[[int], bool]) -> list[int]:
        """The suitable things that a mention may stand for: the ``proper`` ones, whose own name it is, come first."""
        own = [x for x in proper if suits(x)]
        return own or [x for x in self._all_ids(mention) if suits(x)]

    def _all_ids(self, mention: Mention) -> list[int]:
        return [x for iri in mention.candidates[:_MAX_CANDIDATES] if (x := self.graph.id(iri)) is not None]

    def ids(self, mention: Mention) -> list[int]:
        """The things that a mention may stand for."""
        found = self._all_ids(mention)
        if len(found) < 2:
            return found
        name = squeezed(mention.text)
        return [x for x in found if self._proper(x, name)] or found

    def _proper(self, entity: int, name: str) -> bool:
        """Whether a name is the entity's own, whole or without its qualifier, and not an alias ("Hyco Creek")."""
        label = self.graph.label(entity)
        return any(squeezed(x) == name for x in (label, label.partition(" (")[0], label.partition(",")[0]))

    def bears(self, entity: int, info: PropertyInfo) -> bool:
        """Whether the entity may have a property: by its declared domain, else by what is seen to have it."""
        return info.event or self.of_class(entity, info.domains or self.seen_with(info.iri))

    def of_class(self, entity: int, classes: Sequence[str]) -> bool:
        """Whether the entity may belong to one of the classes: nothing is known of it, or it does."""
        types = self.schema.types(entity)
        known = [c for c in classes if self.schema.class_(c) is not None]
        return not types or not known or any(c in types for c in known)

    def _seen_with(self, iri: str) -> tuple[str, ...]:
        """The classes of the things that have a property, for want of a declared domain.

        None when there are many, or when other properties imply this one: then other things have it, too.
        """
        number = self.graph.id(iri)
        if number is not None and self.schema.axioms.narrower_properties.get(number):
            return ()
        found: set[str] = set()
        for subject in {s for s, _ in islice(self.graph.pairs(number), _LOOKED_AT)} if number is not None else ():
            types = {self.graph.iri(t) for t in self.schema.type_ids(subject)}
            if not types:
                return ()
            found |= types
        return tuple(found) if number is not None and self.graph.count(number) <= _LOOKED_AT else ()

    def _labels(self, iris: Sequence[str]) -> list[str]:
        return [self.graph.label(n) if (n := self.graph.id(iri)) is not None else iri for iri in iris]
