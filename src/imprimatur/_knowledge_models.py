"""The models that a knowledge base names, opened beside its sources; the hash of all that its verdicts depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from imprimatur.clock import Clock
from imprimatur.config import READER, KnowledgeBaseConfig
from imprimatur.extract.parsed import SlowPath
from imprimatur.language.parser import parser_of
from imprimatur.policy import Action, Policy

if TYPE_CHECKING:
    from imprimatur.corrector import Correcting, Correction
    from imprimatur.extractors.extraction import Extraction
    from imprimatur.extractors.terms import Terms
    from imprimatur.judges.panel import Panel
    from imprimatur.knowledge import GraphPart, Knowledge

__all__ = ["correcting_by", "correction_of", "extraction_of", "hash_of", "origins_of", "panel_of", "slow_path_of"]


def panel_of(config: KnowledgeBaseConfig) -> Panel | None:
    """The trained judges; most knowledge bases have none."""
    if not config.judges:
        return None
    from imprimatur.judges.opening import open_panel

    return open_panel(config.judges)


def extraction_of(
    config: KnowledgeBaseConfig, part: GraphPart | None, beside: Knowledge | None = None
) -> Extraction | None:
    """The extractor; most knowledge bases have none beside the reader.

    That of ``beside``, the same knowledge base with more trust classes, serves where it was told the same words.
    """
    if beside is not None and (beside.extraction is None or _terms(config, beside.part) == _terms(config, part)):
        return beside.extraction
    named = config.extractor
    if named.kind == READER:
        return None
    from imprimatur.extractors.opening import open_extraction

    if named.model is None and named.kind == "llm":
        named = replace(named, model=config.model)
    return open_extraction(named, _terms(config, part))


def _terms(config: KnowledgeBaseConfig, part: GraphPart | None) -> Terms:
    """The words of a graph as an extractor is told them."""
    from imprimatur.extractors.graph_terms import terms_of
    from imprimatur.extractors.terms import Terms

    return terms_of(part.schema, locale=config.locale) if part is not None else Terms(locale=config.locale)


def correction_of(config: KnowledgeBaseConfig, part: GraphPart | None) -> Correction | None:
    """What corrects; most knowledge bases have nothing that does."""
    if config.correct is None:
        return None
    from imprimatur.corrector import open_correction

    return open_correction(config, part)


def correcting_by(correction: Correction | None, policy: Policy, clock: Clock) -> Correcting | None:
    """The corrector for one answer; none where the policy corrects nothing, or the knowledge base has none."""
    corrects = any(action is Action.CORRECT for _, action in policy.actions)
    if correction is None or not corrects:
        return None
    return correction.for_answer(lambda: clock.left)


def slow_path_of(config: KnowledgeBaseConfig, *, late: Callable[[], bool]) -> SlowPath | None:
    """The parser of the language of a knowledge base, unless it is switched off there."""
    return SlowPath(lambda: parser_of(config.locale), late) if config.parse == "auto" else None


def origins_of(config: KnowledgeBaseConfig) -> set[str]:
    """The names of what a configuration names that has a trust class: files, an address, tables."""
    graph = config.graph
    elsewhere = () if graph.endpoint is None else (graph.endpoint.url,)
    return {*(path.name for path in (*graph.data, *graph.ontology)), *elsewhere, *(t.origin for t in config.tables)}


def hash_of(made: Knowledge) -> str:
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
