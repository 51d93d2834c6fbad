"""Passages that come with one call: kept in memory, without index and without model (implements ``Retriever``).

Contract: ``Given.of(texts)`` names them ``context:1``, ``context:2``, …; a text that is a JSON object or list is read
as structured data, any other is kept as it is, so that offsets are those of the text as it was given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from imprimatur.errors import InputError
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Document, Passage
from imprimatur.sources.passages.reading import read_context
from imprimatur.sources.passages.retriever import Query, Scored
from imprimatur.sources.passages.scoring import Candidate, rarity, scored, weights_of
from imprimatur.sources.passages.terms import terms_above, terms_of

__all__ = ["Given"]

_K1, _B = 1.2, 0.75


class Given:
    """Some documents, searched as they are."""

    def __init__(self, documents: Sequence[Document]) -> None:
        """Takes documents with ids of their own. Raises InputError where an id is given twice."""
        self.documents = {each.id: each for each in documents}
        if len(self.documents) < len(documents):
            twice = Counter(each.id for each in documents).most_common(1)[0][0]
            raise InputError(f"the id {twice[:60]!r} is given twice", hint="give each document its own id")
        self._candidates: dict[int, Candidate] = {}
        self._counts: list[Counter[str]] = []
        self._known: Counter[str] = Counter()
        for passage in (passage for each in documents for passage in each.passages):
            self._take(passage)
        self._by_id = {each.passage.id: each.passage for each in self._candidates.values()}
        self._mean = sum(each.total() for each in self._counts) / len(self._counts) if self._counts else 1.0

    @classmethod
    def of(cls, texts: Sequence[str], *, limits: Limits | None = None) -> Given:
        """The passages of some texts.

        Raises:
            InputError: a text is too long or nested too deep; says which.
        """
        return cls([read_context(text, id_=f"context:{number}", limits=limits) for number, text in enumerate(texts, 1)])

    def __len__(self) -> int:
        """How many passages there are."""
        return len(self._candidates)

    def __iter__(self) -> Iterator[Passage]:
        """The passages, in order."""
        return iter(self._by_id.values())

    def passage(self, id_: str) -> Passage | None:
        """The passage of that id; None when there is none."""
        return self._by_id.get(id_)

    def find(self, query: Query, *, limit: int = 12) -> tuple[Scored, ...]:
        """Sentences worth comparing with what is asked, best first; by words only."""
        weights = weights_of(query)
        asked = {term: weight * rarity(len(self), self._known[term]) for term, weight in weights.items()}
        full_text = {number: score for number in self._candidates if (score := self._score(number, asked)) > 0}
        found = {number: self._candidates[number] for number in full_text}
        return scored(found, full_text, {}, asked=asked, limit=limit)

    def _take(self, passage: Passage) -> None:
        terms = [terms_of(each.text) for each in passage.sentences]
        counts = Counter(term for each in terms for term in each)
        counts.update(terms_above(passage.headings, counts.keys()))
        self._candidates[len(self._counts)] = Candidate(passage, [frozenset(each) for each in terms])
        self._counts.append(counts)
        self._known.update(counts.keys())

    def _score(self, number: int, asked: dict[str, float]) -> float:
        counts = self._counts[number]
        length = _K1 * (1 - _B + _B * counts.total() / self._mean) if self._mean else _K1
        return sum(
            weight * counts[term] * (_K1 + 1) / (counts[term] + length)
            for term, weight in asked.items()
            if term in counts
        )
