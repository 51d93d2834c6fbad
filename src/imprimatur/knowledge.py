"""A knowledge base opened: its lexicon, its sources, and the hashes that a verdict depends on.

Invariants: files are read, and a graph behind an address mirrored, when the knowledge base is opened, so that a wrong
folder or a server that cannot be reached is an error before any answer is judged; shapes are parsed, and rdflib and
pySHACL imported, only when a claim needs them; nothing changes afterwards (``renewal`` opens another one).
Without a graph the lexicon is empty; without any source every claim is ``not_found``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer
from imprimatur.claim import Claim
from imprimatur.config import READER, KnowledgeBaseConfig
from imprimatur.extract.nameless import NAMELESS
from imprimatur.language.languages import Language, language_of, open_language
from imprimatur.protocols import Lexicon, Source
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.text_part import TextPart, open_texts, with_tables
from imprimatur.verdict import Judgement

if TYPE_CHECKING:
    from imprimatur.corrector import Correction
    from imprimatur.extractors.extraction import Extraction
    from imprimatur.judges.panel import Panel
    from imprimatur.renewal import Renewal
    from imprimatur.sources.graph.schema import Schema
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.shown import Rows
    from imprimatur.sources.graph.store import Graph, GraphFile
    from imprimatur.sources.remote.live import Answered, Live
    from imprimatur.sources.remote.mirror import Mirror, Progress
    from imprimatur.sources.tables.library import Tables
    from imprimatur.sources.text.comparison import TextLimits

__all__ = ["NO_SHAPES", "Knowledge", "Limited", "TextPart", "open_knowledge", "open_tables"]

NO_SHAPES = "none"


@dataclass(slots=True)
class Limited:
    """The graph for one answer: tolerance, trust and day are fixed (implements ``protocols.Source``)."""

    name: str
    judging: GraphSource
    limits: Limits

    @property
    def immediate(self) -> bool:
        """It only looks things up in memory."""
        return True

    def judge(self, claim: Claim) -> Judgement:
        """What the source says of the claim under these limits."""
        return self.judging.judge(claim, self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPart:
    """The graph of a knowledge base, and what was made of it; ``open_source`` gives the source for one answer.

    ``unfocused`` are the names of shapes that have no focus node in the graph. ``judging`` looks facts up, whatever the
    shapes say. ``tables`` are those that are a part of the graph, and ``complete`` the classes that are known whole.
    ``live`` is the server that a part of the graph is a mirror of: what ``open_source`` gives must be confirmed there;
    ``unread`` says what of it was left out.
    """

    graph: Graph
    schema: Schema
    shapes: Shapes | None
    unfocused: tuple[str, ...]
    open_source: Callable[[Limits], Source]
    judging: GraphSource
    tables: Tables | None = None
    complete: tuple[str, ...] = ()
    live: Live | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """An open knowledge base. ``renewal`` opens it again where its graph is a mirror that has become old."""

    config: KnowledgeBaseConfig
    lexicon: Lexicon
    content_hash: str
    part: GraphPart | None = None
    text: TextPart = TextPart()
    language: Language | None = None
    extraction: Extraction | None = None
    panel: Panel | None = None
    correction: Correction | None = None
    renewal: Renewal | None = None

    @property
    def shapes_hash(self) -> str:
        """The hash of the shapes; ``none`` when there are none."""
        shapes = self.part.shapes if self.part else None
        return f"sha256:{shapes.content_hash}" if shapes else NO_SHAPES

    def answered(self) -> Answered | None:
        """What servers are known to say, for one answer; most knowledge bases ask none."""
        if self.part is None or self.part.live is None:
            return None
        from imprimatur.sources.remote.live import Answered

        return Answered(self.part.live)

    def sources(self, limits: Limits, answered: Answered | None = None) -> tuple[Source, ...]:
        """The sources for one text of an answer; another one needs them anew, for some remember its claims.

        ``answered`` is shared by all texts of one answer.
        """
        if self.part is None:
            return ()
        source = self.part.open_source(limits)
        known = answered or self.answered()
        if known is None:
            return (source,)
        from imprimatur.sources.remote.live import LiveSource

        return (LiveSource(source, known),)

    def texts(self, given: Answer, limits: TextLimits) -> tuple[Source, ...]:
        """The sources that judge claims read as words, for one answer."""
        rows = self.part.tables.source(given.question or "") if self.part and self.part.tables else ()
        if self.text.empty and not (given.memory or given.context):
            return rows
        return (*rows, *self.text.sources(given, limits))

    @property
    def tells_rows(self) -> bool:
        """Whether it has tables whose rows prose is held against."""
        return self.part is not None and self.part.tables is not None and self.part.tables.rows_are_told()

    def warnings(self) -> tuple[str, ...]:
        """What every report must say of the knowledge base."""
        if self.part is None:
            bare = ("the knowledge base has no source: every claim is not_found",)
            return bare if self.text.empty else self.text.warnings
        tables = self.part.tables.warnings() if self.part.tables is not None else ()
        return (*self.part.graph.statistics.warnings, *self.part.unread, *tables, *self.text.warnings)

    def unfocused(self) -> tuple[str, ...]:
        """The shapes that have no focus node in the graph, so that nothing is examined by them."""
        return self.part.unfocused if self.part else ()

    def info(self) -> Mapping[str, Any]:
        """Name, sources with their counts, and hashes, JSON-ready."""
        config = self.config
        sources: dict[str, Any] = {}
        if self.part is not None:
            counts = self.part.graph.statistics
            if self.part.tables is not None:
                sources["tables"] = self.part.tables.info()
            sources["graph"] = {
                "files": [path.name for path in (*config.graph.data, *config.graph.ontology)],
                "triples": counts.triples,
                "derived by rules": counts.derived,
                "subjects": counts.subjects,
                "properties": len(self.part.schema.properties),
                "classes": len(self.part.schema.classes),
                "shapes": [path.name for path in config.graph.shapes],
                "warnings": [*counts.warnings, *self.part.unread],
                **({} if self.part.live is None else {"endpoint": self.part.live.remote.where}),
            }
        if self.text.memory is not None:
            sources["memory"] = {"file": config.memory.name if config.memory else "", "entries": len(self.text.memory)}
        if self.text.passages is not None:
            sources["passages"] = self.text.passages.info()
        judges = {"judges": list(self.panel.models)} if self.panel is not None else {}
        extractor = {"extractor": self.extraction.models[0]} if self.extraction is not None else {}
        corrector = {"corrector": self.correction.corrector.identity} if self.correction is not None else {}
        about = {"name": config.name, "folder": str(config.folder), "locale": config.locale, "sources": sources}
        models = {**extractor, **judges, **corrector}
        return {**about, **models, "knowledge_base": self.content_hash, "shapes": self.shapes_hash}


def open_knowledge(
    config: KnowledgeBaseConfig, *, cache_dir: Path | None = None, progress: Progress | None = None
) -> Knowledge:
    """The knowledge base that a configuration describes.

    Args:
        config: what ``imprimatur.yaml`` says.
        cache_dir: where compiled graphs are kept; None for the user's cache folder.
        progress: is told how far a graph behind an address is read.

    Raises:
        KnowledgeBaseError: a file cannot be read as what it should be.
        RuntimeFault: a graph behind an address cannot be reached, or not be read whole.
    """
    endpoint = config.graph.endpoint
    if endpoint is None:
        return _opened(config, cache_dir)
    from imprimatur.renewal import Renewal
    from imprimatur.sources.remote.mirror import Mirror
    from imprimatur.sources.remote.opening import open_remote

    remote = open_remote(endpoint)

    def opened(known: bool, progress: Progress | None) -> Knowledge:
        return _opened(config, cache_dir, Mirror.of(remote, cache_dir, known=known, progress=progress))

    return Renewal(opened, endpoint.fresh).first(progress)


def _opened(config: KnowledgeBaseConfig, cache_dir: Path | None, mirror: Mirror | None = None) -> Knowledge:
    text = open_texts(config, cache_dir)
    panel = _panel(config)
    language = open_language(config.language, config.locale) if config.language else language_of(config.locale)
    lexicon: Lexicon = NAMELESS
    part: GraphPart | None = None
    if config.graph.named or config.tables:
        lexicon, part = _graph(config, language, cache_dir, mirror)
    if part is not None and part.tables is not None:
        text = with_tables(text, part.tables, config)
    made = Knowledge(
        config=config,
        lexicon=lexicon,
        content_hash="",
        part=part,
        text=text,
        language=language,
        extraction=_extraction(config, part),
        panel=panel,
        correction=_correction(config, part),
    )
    return replace(made, content_hash=_hash(made))


def _graph(
    config: KnowledgeBaseConfig, language: Language | None, cache_dir: Path | None, mirror: Mirror | None
) -> tuple[Lexicon, GraphPart]:
    """The graph that a configuration names, with its words. Raises KnowledgeBaseError when a file cannot be read."""
    from imprimatur.sources.graph.entail import Entailment
    from imprimatur.sources.graph.lexicon import GraphLexicon
    from imprimatur.sources.graph.schema import Schema
    from imprimatur.sources.graph.shape_digest import Digest, digest_of
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.store import Graph

    named = config.graph
    tables = open_tables(config, cache_dir)
    complete = (*named.complete, *(tables.complete() if tables is not None else ()))
    graph = Graph.load(graph_files(config, tables, mirror), cache_dir=cache_dir, years=named.years)
    graph.language = "en" if language is None else language.code
    shapes = Shapes.load(graph, named.shapes) if named.shapes else None
    digest = digest_of(shapes, cache_dir) if shapes else Digest()
    schema = Schema.of(
        graph,
        implied=digest.implied,
        complete=complete,
        time_from=named.time_from,
        time_to=named.time_to,
        language=language,
    )
    lexicon = GraphLexicon.of(graph, schema, cache_dir=cache_dir)
    rows: Rows | None = None
    if tables is not None:
        from imprimatur.sources.tables.evidence import Rows as RowsOf

        rows = RowsOf(tables)
    source = GraphSource(lexicon, Entailment(graph, schema), rows)
    part = GraphPart(
        graph=graph,
        schema=schema,
        shapes=shapes,
        unfocused=digest.unfocused,
        open_source=_opening(source, shapes),
        judging=source,
        tables=tables,
        complete=complete,
        live=_live(config, source, mirror),
        unread=mirror.warnings if mirror is not None else (),
    )
    return lexicon, part


def _live(config: KnowledgeBaseConfig, source: GraphSource, mirror: Mirror | None) -> Live | None:
    if mirror is None or config.graph.endpoint is None:
        return None
    from imprimatur.sources.remote.live import Live

    fresh = config.graph.endpoint.fresh
    return Live(source, mirror.remote, mirror.stamp, stamped=mirror.stamped, fresh=fresh)


def graph_files(config: KnowledgeBaseConfig, tables: Tables | None, mirror: Mirror | None) -> list[GraphFile]:
    """What the graph of a knowledge base is made of: its files, tables, and the mirror of what is elsewhere."""
    from imprimatur.sources.graph.store import GraphFile

    named = config.graph
    roles = (("data", named.data), ("ontology", named.ontology), ("shapes", named.shapes))
    elsewhere = [] if mirror is None or named.endpoint is None else [mirror.file(named.endpoint.trust)]
    files = [GraphFile(path, role, named.trust_of(path)) for role, paths in roles for path in paths]
    return [*elsewhere, *files, *(tables.graph_files() if tables is not None else ())]


def open_tables(config: KnowledgeBaseConfig, cache_dir: Path | None = None) -> Tables | None:
    """The tables of a knowledge base; most have none. Raises KnowledgeBaseError for a file that cannot be read."""
    if not config.tables:
        return None
    from imprimatur.sources.tables.library import Tables

    return Tables(config.tables, years=config.graph.years, cache_dir=cache_dir)


def _panel(config: KnowledgeBaseConfig) -> Panel | None:
    """The trained judges; most knowledge bases have none."""
    if not config.judges:
        return None
    from imprimatur.judges.opening import open_panel

    return open_panel(config.judges)


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
    source = GraphSource(lexicon, Entailment(part.graph, part.schema), part.judging.rows)
    tried = replace(part, open_source=_opening(source, part.shapes), judging=source, live=None)
    return replace(knowledge, lexicon=lexicon, part=tried, renewal=None)


def _opening(source: GraphSource, shapes: Shapes | None) -> Callable[[Limits], Source]:
    if shapes is None:
        return lambda limits: Limited(source.name, source, limits)
    from imprimatur.sources.graph.constrained import ConstrainedSource

    return ConstrainedSource(source, shapes).for_answer


def _extraction(config: KnowledgeBaseConfig, part: GraphPart | None) -> Extraction | None:
    """The extractor; most knowledge bases have none beside the reader."""
    named = config.extractor
    if named.kind == READER:
        return None
    from imprimatur.extractors.graph_terms import terms_of
    from imprimatur.extractors.opening import open_extraction
    from imprimatur.extractors.terms import Terms

    if named.model is None and named.kind == "llm":
        named = replace(named, model=config.model)
    terms = terms_of(part.schema, locale=config.locale) if part is not None else Terms(locale=config.locale)
    return open_extraction(named, terms)


def _correction(config: KnowledgeBaseConfig, part: GraphPart | None) -> Correction | None:
    if config.correct is None:
        return None
    from imprimatur.corrector import open_correction

    return open_correction(config, part)


def _hash(made: Knowledge) -> str:
    """A hash of all that verdicts depend on, besides shapes and policy."""
    config, text, language = made.config, made.text, made.language
    named = config.graph
    spoken = {} if language is None else {"language": language.digest}
    settings: dict[str, Any] = {
        **spoken,
        "graph": made.part.graph.content_hash if made.part is not None else "",
        "complete": sorted(made.part.complete if made.part is not None else named.complete),
        "time": [list(named.time_from), list(named.time_to)],
        "years": named.years,
        "locale": config.locale,
        "about": str(config.about),
        **({} if config.parse == "auto" else {"parse": config.parse}),
        **({} if made.extraction is None else {"extractor": made.extraction.content_hash}),
        **({} if made.panel is None else {"judges": made.panel.content_hash}),
    }
    if not text.empty:
        settings |= {"text": text.content_hash, "coverage": str(config.coverage), "citations": list(config.citations)}
    return f"sha256:{hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()}"
