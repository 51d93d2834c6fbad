"""What claims read as words are judged by: memory, passages, and tables that are held against prose."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.answer import Answer
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.protocols import Source

if TYPE_CHECKING:
    from imprimatur.evidence import Evidence
    from imprimatur.sources.memory.store import Memory
    from imprimatur.sources.passages.library import Library
    from imprimatur.sources.passages.weighing import Weights
    from imprimatur.sources.tables.library import Tables
    from imprimatur.sources.tables.prose.judge import Statements
    from imprimatur.sources.tables.values.judge import Values
    from imprimatur.sources.text.comparison import TextLimits

__all__ = ["TextPart", "open_texts", "with_tables"]

_GIVEN = expression(r"context:(\d{1,6})(?=[#/@]|$)")
#: A longer passage is not shown to trained judges as a whole.
_LONGEST_SHOWN = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """What claims read as words are judged by: memory, passages, and tables (whole statements, or single values)."""

    memory: Memory | None = None
    passages: Library | None = None
    weights: Weights | None = None
    statements: Statements | None = None
    values: Values | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing."""
        return all(part is None for part in (self.memory, self.passages, self.statements, self.values))

    @property
    def content_hash(self) -> str:
        """A hash of all of it; empty when there is nothing."""
        parts = (self.memory, self.passages, self.weights, self.statements, self.values)
        return " ".join(part.content_hash for part in parts if part is not None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What every report must say of it."""
        return self.passages.warnings if self.passages else ()

    def trusting(self, classes: Collection[str]) -> TextPart:
        """The same without the entries that are of none of these trust classes; itself where there are none."""
        kept = self.memory.trusting(classes) if self.memory is not None else None
        return self if kept is self.memory else replace(self, memory=kept)

    def sources(self, given: Answer, limits: TextLimits) -> tuple[Source, ...]:
        """The sources for one answer, with what came with it. Raises InputError when an id is given twice."""
        found: list[Source] = []
        if self.memory is not None or given.memory:
            from imprimatur.sources.memory.source import MemorySource, with_given

            found.append(MemorySource(with_given(self.memory, given.memory), limits))
        if self.passages is not None or given.context:
            from imprimatur.sources.passages.course import Course
            from imprimatur.sources.passages.judge import PassageSource

            retriever = self.passages.retriever if self.passages else None
            course = Course(given.question or "")
            source = PassageSource.of(given.context, limits, course=course, retriever=retriever, weights=self.weights)
            found.append(source)
        if self.statements is not None:
            from imprimatur.sources.tables.prose.judge import StatementSource

            found.append(StatementSource(self.statements))
        if self.values is not None:
            from imprimatur.sources.tables.values.judge import ValueSource

            found.append(ValueSource(self.values))
        return tuple(found)

    def behind(self, evidence: Evidence, given: Answer) -> str:
        """The passage or entry that evidence stands in; its own words where that is too long, or not known."""
        found = _GIVEN.match(evidence.query)
        whole: str | None = None
        if evidence.source == "memory":
            entry = self.memory.get(evidence.query) if self.memory is not None else None
            whole = entry.text if entry else next((e.text for e in given.memory if e.id == evidence.query), None)
        elif evidence.source == "passages" and found and 0 < int(found[1]) <= len(given.context):
            whole = given.context[int(found[1]) - 1]
        elif evidence.source == "passages" and self.passages is not None:
            passage = self.passages.retriever.passage(evidence.query.rpartition("@")[0])
            whole = passage.text if passage else None
        return evidence.content if whole is None or len(whole) > _LONGEST_SHOWN else whole


def open_texts(config: KnowledgeBaseConfig, cache_dir: Path | None) -> TextPart:
    """Memory and passages of a knowledge base. Raises KnowledgeBaseError for a file that cannot be read."""
    memory, passages, weights = None, None, None
    if config.memory is not None:
        from imprimatur.sources.memory.store import Memory

        memory = Memory.open(config.memory)
    if config.passages:
        from imprimatur.sources.passages.library import open_passages

        passages = open_passages(config, cache_dir=cache_dir)
    if config.weights is not None:
        from imprimatur.sources.passages.weighing import Weights

        weights = Weights.read(config.weights)
    return TextPart(memory=memory, passages=passages, weights=weights)


def with_tables(text: TextPart, tables: Tables, config: KnowledgeBaseConfig) -> TextPart:
    """The same with the tables of which whole statements, or single values, are held against prose."""
    if any(each.statements for each in config.tables):
        from imprimatur.sources.tables.prose.judge import Statements

        text = replace(text, statements=Statements(tables))
    if any(each.values for each in config.tables):
        from imprimatur.sources.tables.values.judge import Values

        text = replace(text, values=Values(tables))
    return text
