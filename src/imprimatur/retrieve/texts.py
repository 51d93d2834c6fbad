"""Memory entries and passages that speak of what a question asks.

They fit as far as they have the question's words, names included; a name of the question that they lack lowers them.
Passages are searched for the question and once more for each thing that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache

from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked, known_words
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.trail import Section
from imprimatur.sources.memory.entries import Entry
from imprimatur.sources.memory.store import Memory
from imprimatur.sources.passages.passage import Passage
from imprimatur.sources.passages.retriever import Query, Retriever, Scored

__all__ = ["Entries", "Passages", "fit_text"]

_UNTOUCHED = 0.5
_MOST_NAMES = 8
_words: Callable[[str], frozenset[str]] = lru_cache(4096)(lambda text: known_words([text]))


def fit_text(text: str, asked: Asked) -> float:
    """How well a text fits a question, 0 to 1."""
    has = _words(text)
    wanted = [*asked.terms, *asked.unknown]
    names = [_words(name) for name, _ in asked.names]
    whole = sum(term.weight for term in wanted) + len(names)
    if not whole:
        return 0.0
    met = sum(term.weight for term in wanted if not has.isdisjoint(term.forms))
    touched = [len(name & has) / len(name) for name in names if name]
    score = (met + sum(touched)) / whole
    lacking = (touched and max(touched) < 1) or any(has.isdisjoint(term.forms) for term in asked.unknown)
    return score * _UNTOUCHED if lacking else score


class Entries:
    """Finds memory entries that hold on a day."""

    def __init__(self, memory: Memory, limits: RetrievalLimits, day: date) -> None:
        self._memory, self._limits, self._day = memory, limits, day

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """The entries that share the rarest words with the question, best first."""
        clock.check()
        found = self._memory.search(asked.text, most=2 * self._limits.items)
        return [
            Candidate(
                key=("entry", entry.id),
                section=Section.ENTRIES,
                score=fit_text(entry.text, asked),
                tell=lambda entry=entry: (entry.text, (_of_entry(entry),)),  # type: ignore[misc]
                order=(score,),
            )
            for entry, score in found
            if entry.holds_on(self._day)
        ]


def _of_entry(entry: Entry) -> Evidence:
    return Evidence(
        source="memory", kind="entry", content=entry.text, query=entry.id, origin="memory", trust=entry.trust
    )


class Passages:
    """Finds passages, each by its best sentence."""

    def __init__(self, retriever: Retriever, limits: RetrievalLimits) -> None:
        self._retriever, self._limits = retriever, limits

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """The passages that share words with the question, or are similar to it, best first."""
        names = tuple(name for name, _ in asked.names)
        queries = [Query(text=asked.text, words=(asked.text,), names=names)]
        queries += [Query(text="", names=(name,)) for name in names[:_MOST_NAMES]]
        best: dict[str, Scored] = {}
        for query in queries:
            clock.check()
            for scored in self._retriever.find(query, limit=2 * self._limits.items):
                best.setdefault(scored.passage.id, scored)
        return [self._candidate(scored, asked, place) for place, scored in enumerate(best.values())]

    def _candidate(self, scored: Scored, asked: Asked, place: int) -> Candidate:
        passage = scored.passage
        return Candidate(
            key=("passage", passage.id),
            section=Section.PASSAGES,
            score=fit_text(" ".join((*passage.headings, passage.text)), asked),
            similarity=scored.similarity,
            tell=lambda: (passage.text, (_of_passage(passage),)),
            order=(-float(place),),
        )


def _of_passage(passage: Passage) -> Evidence:
    return Evidence(source="passages", kind="passage", content=passage.text, query=passage.id, origin=passage.document)
