"""A graph with what the rules of its shapes add (``sh:rule``), each added triple with its rule as origin.

Contract: ``with_rules`` gives the graph itself when no shapes file holds a rule. Added triples are of trust class
``derived``, or of the least class that a rule needed: what follows only with triples of a less trusted class is no more
trusted than these. The result is cached like any graph.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.index import Index
from imprimatur.sources.graph.statistics import statistics_of
from imprimatur.sources.graph.terms import TRUST_CLASSES, Origin, RdfLiteral

if TYPE_CHECKING:
    from imprimatur.sources.graph.index_build import IndexBuilder
    from imprimatur.sources.graph.store import Graph
    from imprimatur.sources.shacl.facts import Facts
    from imprimatur.sources.shacl.rules import Derived
    from imprimatur.sources.shacl.view import Term

__all__ = ["may_hold_rules", "with_rules"]

#: Rules that are named in origins; further ones share the last place.
_MOST_RULES = 60_000


def may_hold_rules(path: Path) -> bool:
    """Whether a shapes file may hold ``sh:rule``: a quick look, so that files without any need not be parsed.

    Raises:
        KnowledgeBaseError: the file cannot be read.
    """
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise KnowledgeBaseError(
            f"the shapes cannot be read: {error}", hint="check the file", where=str(path)
        ) from error
    # In every syntax the term stands as it is, or with an escape.
    return b"rule" in content or b"\\u" in content or b"\\U" in content or b"&#" in content


def with_rules(graph: Graph, key: str, folder: Path) -> Graph:
    """The graph with what the rules in its shapes files add.

    Args:
        key: a hash of the graph's content, of where it comes from, and of the shapes files.
        folder: where compiled graphs are kept.

    Raises:
        KnowledgeBaseError: a shapes file or a rule is malformed.
        LimitExceeded: the rules take too long, add too much, or never end.
    """
    path = folder / f"{key[:32]}.graph"
    stored = cache.read(path)
    if isinstance(stored, tuple):
        return _graph(graph, stored[0], origins=stored[1])
    from imprimatur.sources.shacl.facts import read_facts
    from imprimatur.sources.shacl.rules import materialise

    facts = read_facts([file.path for file in graph.shapes_files])
    found = materialise(graph, facts)
    if not found:
        return graph
    origins = tuple(graph.origins)
    trusted = _trust(graph, facts, found)
    index, origins = _joined(graph, found, trusted=trusted)
    problem = cache.write(path, index, origins=origins, warnings=())
    warnings = [each for each in (problem, stored) if isinstance(each, str)]
    return _graph(graph, index, origins=origins, warnings=tuple(warnings))


def _graph(base: Graph, index: Index, *, origins: tuple[Origin, ...], warnings: tuple[str, ...] = ()) -> Graph:
    statistics = statistics_of(index, base.statistics.files, (*base.statistics.warnings, *warnings))
    derived = len(index.s_pairs) - len(base)
    made = type(base)(index, origins, statistics=replace(statistics, derived=derived))
    made.files, made.shapes_files, made.years = base.files, base.shapes_files, base.years
    return made


def _rank(trust: str) -> int:
    return TRUST_CLASSES.index(trust)


def _trust(graph: Graph, facts: Facts, found: Sequence[Derived]) -> list[str]:
    """The trust class of each derived triple: the least class without which it does not follow."""
    from imprimatur.sources.shacl.rules import materialise

    classes = sorted({_rank(origin.trust) for origin in graph.origins})
    least = dict.fromkeys(found, classes[-1] if classes else 0)
    for rank in reversed(classes[:-1]):
        kept = {n for n, origin in enumerate(graph.origins) if _rank(origin.trust) <= rank}
        for each in materialise(_part(graph, kept), facts):
            if each in least:
                least[each] = rank
    return [TRUST_CLASSES[max(least[each], _rank("derived"))] for each in found]


def _part(graph: Graph, kept: set[int]) -> Graph:
    """The triples of some origins, with the same identifiers."""
    from imprimatur.sources.graph.index_build import IndexBuilder

    builder = IndexBuilder.again(graph.index)
    for (s, p, o), origin in zip(graph.triples(), graph.index.origins, strict=True):
        if origin in kept:
            builder.add(s, p, o, origin=origin)
    index = builder.build()
    return type(graph)(index, tuple(graph.origins), statistics=statistics_of(index, 0, ()))


def _joined(graph: Graph, found: Sequence[Derived], *, trusted: Sequence[str]) -> tuple[Index, tuple[Origin, ...]]:
    from imprimatur.sources.graph.index_build import IndexBuilder

    builder, origins = IndexBuilder.again(graph.index), list(graph.origins)
    for (s, p, o), rank in zip(graph.triples(), graph.index.origins, strict=True):
        builder.add(s, p, o, origin=rank)
    new = _NewTerms(graph, builder)
    files = ", ".join(file.path.name for file in graph.shapes_files)
    ranks: dict[Origin, int] = {}
    for each, trust in zip(found, trusted, strict=True):
        name = each.rule if len(ranks) < _MOST_RULES else "a rule"
        origin = Origin(files, trust, rule=name)
        if origin not in ranks:
            ranks[origin] = len(origins)
            origins.append(origin)
        builder.add(new.id(each.subject), new.id(each.predicate), new.id(each.object), origin=ranks[origin])
    return builder.build(), tuple(origins)


class _NewTerms:
    """Identifiers of terms, those of the graph and new ones."""

    def __init__(self, graph: Graph, builder: IndexBuilder) -> None:
        self._graph, self._builder = graph, builder
        self._made: dict[Term, int] = {}

    def id(self, term: Term) -> int:
        """The identifier of a term."""
        graph = self._graph
        known = graph.literal_id(term) if isinstance(term, RdfLiteral) else graph.id(term)
        if known is None:
            known = self._made.get(term)
        if known is None:
            known = self._made[term] = self._new(term)
        return known

    def _new(self, term: Term) -> int:
        if isinstance(term, RdfLiteral):
            if term.lang:
                return self._builder.tagged(term.lexical, term.lang)
            return self._builder.literal(term.lexical, self.id(term.datatype))
        return self._builder.blank() if term.startswith("_:") else self._builder.iri(term)
