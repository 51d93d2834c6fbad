"""Retrieval: a question asked of a knowledge base's graph, memory and passages at once.

Contract: ``retrieve`` never raises for a path that fails: the trail says so. It changes nothing. Without an embedder
nothing is similar to anything; without a writer no query is written. The same question and knowledge base give the same
trail, as long as no path fails and the embedder and the writer repeat themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, date, datetime
from threading import Lock

from imprimatur.errors import ImprimaturError
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.asked import read_question
from imprimatur.retrieve.candidates import Candidate, Clock, Path
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.cypher_queries import CypherQueries
from imprimatur.retrieve.discover import Discovery
from imprimatur.retrieve.fact_vectors import FactVectors
from imprimatur.retrieve.hops import Hops
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.queries import Queries, QueryWriter
from imprimatur.retrieve.query_language import QueryLanguage
from imprimatur.retrieve.ranking import ranking
from imprimatur.retrieve.running import run_paths
from imprimatur.retrieve.server_indexes import ServerIndexes
from imprimatur.retrieve.similar import SimilarFacts
from imprimatur.retrieve.sparql_queries import SparqlQueries
from imprimatur.retrieve.stored_graph import StoredGraph, stored_graph
from imprimatur.retrieve.texts import Entries, Passages
from imprimatur.retrieve.trail import EvidenceTrail, Failure
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.passages.embedding import Embeds

__all__ = ["Retrieval", "facts_of", "retrieve"]

_OPENED: dict[int, tuple[GraphLexicon, Facts]] = {}
_MOST_OPENED = 4
_LOCK = Lock()


def retrieve(
    question: str,
    knowledge: Knowledge,
    *,
    limits: RetrievalLimits | None = None,
    embedder: Embeds | None = None,
    writer: QueryWriter | None = None,
    as_of: date | None = None,
) -> EvidenceTrail:
    """The evidence for a question.

    Args:
        limits: deadline, budget, hops and floors; the safe ones by default.
        embedder: what makes vectors, for similarity; facts are then found by the vectors stored for them.
        writer: what writes queries for a question, usually a model; nothing that it writes runs unchecked. It is asked
            for Cypher where the graph is a property graph on a server, else for SPARQL.
        as_of: the day on which memory entries must hold; today by default.
    """
    return Retrieval(knowledge, limits=limits, embedder=embedder, writer=writer, as_of=as_of)(question)


class Retrieval:
    """Retrieval over one knowledge base with its settings; it may be called by several threads."""

    def __init__(
        self,
        knowledge: Knowledge,
        *,
        limits: RetrievalLimits | None = None,
        embedder: Embeds | None = None,
        writer: QueryWriter | None = None,
        as_of: date | None = None,
    ) -> None:
        self._knowledge = knowledge
        self.limits = limits or RetrievalLimits()
        self._embedder = embedder
        self._facts = facts_of(knowledge)
        self._vectors: FactVectors | None = None
        self._missing: Failure | None = None
        if embedder is not None and self._facts is not None:
            self._open_vectors(self._facts, embedder)
        self.paths = self._paths(writer, as_of or datetime.now(UTC).date())

    def __call__(self, question: str) -> EvidenceTrail:
        """The evidence for a question."""
        clock = Clock(self.limits.seconds)
        asked = read_question(question, self._knowledge.lexicon, self._facts.words.weights if self._facts else {})
        found, failures = run_paths(self.paths, asked, clock)
        similar, failed = self._similar(question, found)
        items, left_out = ranking(found, similar, self.limits)
        return EvidenceTrail(
            question=question,
            items=items,
            paths={name: len(candidates) for name, candidates in found.items()},
            failures=(*((self._missing,) if self._missing else ()), *failures, *failed),
            left_out=left_out,
            understood=tuple(dict.fromkeys(name for name, _ in asked.names)),
        )

    def _open_vectors(self, facts: Facts, embedder: Embeds) -> None:
        try:
            self._vectors = FactVectors.open(facts, embedder)
        except ImprimaturError as fault:
            self._missing = Failure("similar facts", f"{fault} ({fault.hint})" if fault.hint else str(fault))

    def _paths(self, writer: QueryWriter | None, day: date) -> Mapping[str, Path]:
        paths: dict[str, Path] = {}
        if self._facts is not None:
            discovery = Discovery(self._facts, self.limits)
            paths |= {"names": discovery.named, "full text": discovery.full_text}
            paths["hops"] = hops = Hops(self._facts, discovery, self.limits)
            store = stored_graph(self._knowledge, self._facts)
            if store is not None and store.connection.dialect == "falkordb":
                indexes = ServerIndexes(store, hops, self.limits, self._embedder)
                paths["server full text"] = indexes.full_text
                paths |= {} if self._embedder is None else {"server vectors": indexes.similar}
            if self._vectors is not None and self._embedder is not None:
                paths["similar facts"] = SimilarFacts(self._facts, self._vectors, self._embedder, self.limits)
            if writer is not None:
                paths["queries"] = Queries(_language(self._facts, store, self.limits), writer, self.limits)
        if self._knowledge.text.memory is not None:
            paths["entries"] = Entries(self._knowledge.text.memory, self.limits, day)
        if self._knowledge.text.passages is not None:
            paths["passages"] = Passages(self._knowledge.text.passages.retriever, self.limits)
        return paths

    def _similar(
        self, question: str, found: Mapping[str, Sequence[Candidate]]
    ) -> tuple[dict[Hashable, float], tuple[Failure, ...]]:
        """The cosines of what was found, from the stored vectors."""
        if self._vectors is None or self._embedder is None:
            return {}, ()
        keys = {each.key for candidates in found.values() for each in candidates}
        try:
            return self._vectors.cosines(self._embedder.embed_query(question), keys), ()
        except ImprimaturError as fault:
            return {}, (Failure("reranking", str(fault)),)


def _language(facts: Facts, store: StoredGraph | None, limits: RetrievalLimits) -> QueryLanguage:
    """What queries are written in: Cypher where the graph is a property graph on a server, else SPARQL."""
    return SparqlQueries(facts, rows=limits.rows) if store is None else CypherQueries(facts, store, rows=limits.rows)


def facts_of(knowledge: Knowledge) -> Facts | None:
    """The facts of a knowledge base's graph; those of the last few graphs are kept."""
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        return None
    with _LOCK:
        kept = _OPENED.get(id(lexicon))
        if kept is None:
            while len(_OPENED) >= _MOST_OPENED:
                _OPENED.pop(next(iter(_OPENED)))
            kept = _OPENED[id(lexicon)] = (lexicon, Facts(lexicon))
        return kept[1]
