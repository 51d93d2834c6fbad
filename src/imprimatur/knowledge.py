"""A knowledge base opened: its lexicon, its sources, and the hashes that a verdict depends on.

Invariants: files are read when the knowledge base is opened, so that a wrong folder is an error before any answer is
judged; shapes are parsed, and rdflib and pySHACL imported, only when a claim needs them; nothing changes afterwards.
Without a graph the lexicon is empty and there is no source: every claim is ``not_found``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.claim import Claim
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import KnowledgeBaseError
from imprimatur.protocols import Entry, Found, Lexicon, Source, Word
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.verdict import Judgement

if TYPE_CHECKING:
    from imprimatur.sources.graph.schema import Schema
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.store import Graph

__all__ = ["NO_SHAPES", "EmptyLexicon", "Knowledge", "Limited", "open_knowledge"]

NO_SHAPES = "none"


class EmptyLexicon:
    """The lexicon of a knowledge base without a graph: no name and no property is known."""

    def find(self, tokens: Sequence[Word]) -> Sequence[Found]:
        """Nothing."""
        return ()

    def candidates(self, name: str) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def entries(self, key: str) -> Sequence[Entry]:
        """Nothing."""
        return ()

    def classes(self, noun: str) -> Sequence[str]:
        """Nothing."""
        return ()

    def instances(self, class_iri: str) -> Sequence[str]:
        """Nothing."""
        return ()

    def of_kind(self, noun: str, entity: str) -> bool:
        """Nothing is known to be anything."""
        return False

    def is_person(self, entity: str) -> bool | None:
        """Nothing is known of anyone."""
        return None

    def general(self, noun: str, entity: str) -> bool:
        """Nothing is known to be anything."""
        return False


@dataclass(slots=True)
class Limited:
    """The graph for one answer: tolerance, trust and day are fixed (implements ``protocols.Source``)."""

    name: str
    judging: GraphSource
    limits: Limits

    def judge(self, claim: Claim) -> Judgement:
        """What the source says of the claim under these limits."""
        return self.judging.judge(claim, self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPart:
    """The graph of a knowledge base, and what was made of it; ``open_source`` gives the source for one answer.

    ``unfocused`` are the names of shapes that have no focus node in the graph.
    """

    graph: Graph
    schema: Schema
    shapes: Shapes | None
    unfocused: tuple[str, ...]
    open_source: Callable[[Limits], Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """An open knowledge base."""

    config: KnowledgeBaseConfig
    lexicon: Lexicon
    content_hash: str
    part: GraphPart | None = None

    @property
    def shapes_hash(self) -> str:
        """The hash of the shapes; ``none`` when there are none."""
        shapes = self.part.shapes if self.part else None
        return f"sha256:{shapes.content_hash}" if shapes else NO_SHAPES

    def sources(self, limits: Limits) -> tuple[Source, ...]:
        """The sources for one answer; another answer needs them anew, for some remember its claims."""
        if self.part is None:
            return ()
        return (self.part.open_source(limits),)

    def warnings(self) -> tuple[str, ...]:
        """What every report must say of the knowledge base."""
        if self.part is None:
            return ("the knowledge base has no source: every claim is not_found",)
        return self.part.graph.statistics.warnings

    def unfocused(self) -> tuple[str, ...]:
        """The shapes that have no focus node in the graph, so that nothing is examined by them."""
        return self.part.unfocused if self.part else ()

    def info(self) -> Mapping[str, Any]:
        """Name, sources with their counts, and hashes, JSON-ready."""
        config = self.config
        sources: dict[str, Any] = {}
        if self.part is not None:
            counts = self.part.graph.statistics
            sources["graph"] = {
                "files": [path.name for path in (*config.graph.data, *config.graph.ontology)],
                "triples": counts.triples,
                "derived by rules": counts.derived,
                "subjects": counts.subjects,
                "properties": len(self.part.schema.properties),
                "classes": len(self.part.schema.classes),
                "shapes": [path.name for path in config.graph.shapes],
                "warnings": list(counts.warnings),
            }
        about = {"name": config.name, "folder": str(config.folder), "locale": config.locale, "sources": sources}
        return {**about, "knowledge_base": self.content_hash, "shapes": self.shapes_hash}


def open_knowledge(config: KnowledgeBaseConfig, *, cache_dir: Path | None = None) -> Knowledge:
    """The knowledge base that a configuration describes.

    Args:
        config: what ``imprimatur.yaml`` says.
        cache_dir: where compiled graphs are kept; None for the user's cache folder.

    Raises:
        KnowledgeBaseError: a file cannot be read as what it should be.
    """
    if config.graph.endpoint is not None:
        hint = "name the graph's files under `graph: {data: [...]}`"
        raise KnowledgeBaseError("`graph.endpoint` cannot be judged by", where=str(config.folder), hint=hint)
    if not (config.graph.data or config.graph.ontology):
        return Knowledge(config=config, lexicon=EmptyLexicon(), content_hash=_hash(config, ""))
    from imprimatur.sources.graph.entail import Entailment
    from imprimatur.sources.graph.lexicon import GraphLexicon
    from imprimatur.sources.graph.schema import Schema
    from imprimatur.sources.graph.shape_digest import Digest, digest_of
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.store import Graph, GraphFile

    named = config.graph
    roles = (("data", named.data), ("ontology", named.ontology), ("shapes", named.shapes))
    files = [GraphFile(path, role, named.trust_of(path)) for role, paths in roles for path in paths]
    graph = Graph.load(files, cache_dir=cache_dir, years=named.years)
    shapes = Shapes.load(graph, named.shapes) if named.shapes else None
    digest = digest_of(shapes, cache_dir) if shapes else Digest()
    schema = Schema.of(
        graph,
        implied=digest.implied,
        complete=named.complete,
        time_from=named.time_from,
        time_to=named.time_to,
    )
    lexicon = GraphLexicon.of(graph, schema, cache_dir=cache_dir)
    source = GraphSource(lexicon, Entailment(graph, schema))
    part = GraphPart(
        graph=graph, schema=schema, shapes=shapes, unfocused=digest.unfocused, open_source=_opening(source, shapes)
    )
    return Knowledge(config=config, lexicon=lexicon, content_hash=_hash(config, graph.content_hash), part=part)


def with_words(knowledge: Knowledge, part: GraphPart, iri: str, label: str) -> Knowledge:
    """The same knowledge base with one more label of a property, for trying what it would do."""
    from imprimatur.sources.graph.entail import Entailment
    from imprimatur.sources.graph.lexicon import GraphLexicon
    from imprimatur.sources.graph.vocabulary import with_label

    before = knowledge.lexicon
    if not isinstance(before, GraphLexicon):
        return knowledge
    words = with_label(before.words, part.schema, iri, label)
    lexicon = GraphLexicon(part.graph, part.schema, words)
    source = GraphSource(lexicon, Entailment(part.graph, part.schema))
    tried = replace(part, open_source=_opening(source, part.shapes))
    return replace(knowledge, lexicon=lexicon, part=tried)


def _opening(source: GraphSource, shapes: Shapes | None) -> Callable[[Limits], Source]:
    if shapes is None:
        return lambda limits: Limited(source.name, source, limits)
    from imprimatur.sources.graph.constrained import ConstrainedSource

    return ConstrainedSource(source, shapes).for_answer


def _hash(config: KnowledgeBaseConfig, graph: str) -> str:
    """A hash of all that verdicts depend on, besides shapes and policy."""
    named = config.graph
    settings = {
        "graph": graph,
        "complete": sorted(named.complete),
        "time": [list(named.time_from), list(named.time_to)],
        "years": named.years,
        "locale": config.locale,
        "about": str(config.about),
        **({} if config.parse == "auto" else {"parse": config.parse}),
    }
    return f"sha256:{hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()}"
