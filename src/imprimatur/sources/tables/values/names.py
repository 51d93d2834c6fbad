"""Names and dates that stand in no cell of a record.

Contract: a name or date that stands in no cell is not found: nothing speaks for it or against it. A name stands in
cells when all of its words do, or begin as words of cells do ("Swiss" of "Switzerland"); nothing is said of those.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from imprimatur.language import dates
from imprimatur.language.tokens import tokenise
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import Record, stem

__all__ = ["Cells"]

_ALIKE = 4


class Cells:
    """The words and dates of all cells of a record, its tables' and columns' names among them."""

    def __init__(self, record: Record) -> None:
        self._words: set[str] = set()
        self._years: set[int] = set()
        for relation in record.relations:
            said = [
                relation.name,
                *relation.nouns,
                *(word for c in relation.columns for word in (c.words, *c.synonyms)),
            ]
            for text in (*said, *_texts(record, relation.name)):
                self._words.update(stem(token.lower) for token in tokenise(text) if token.text[0].isalnum())
                for found in dates.find(text[:200]):
                    self._years.update(d[0] for d in (found.value.first, found.value.last) if d is not None)
        self._known = lru_cache(maxsize=4096)(self._is_known)

    def _is_known(self, word: str) -> bool:
        if word in self._words or not word[0].isalnum():
            return True
        return len(word) > _ALIKE and any(each[:_ALIKE] == word[:_ALIKE] and len(each) > _ALIKE for each in self._words)

    def check(self, sentence: Sentence) -> Iterator[Finding]:
        """The names and dates of a sentence that no cell has."""
        for item in sentence.items:
            if item.kind == "unknown" and not self._has(sentence, item):
                yield Finding(start=item.start, end=item.end, kind="name", outcome=Outcome.NOT_FOUND)
            elif item.date is not None and item.date.first is not None and item.date.first[0] not in self._years:
                yield Finding(start=item.start, end=item.end, kind="date", outcome=Outcome.NOT_FOUND)

    def _has(self, sentence: Sentence, item: Item) -> bool:
        return all(self._known(stem(sentence.low(index))) for index in range(item.first, item.stop))


def _texts(record: Record, name: str) -> Iterator[str]:
    """The cells of a relation, each once, as far as they are texts or dates."""
    relation = record.sheets[name].relation
    seen: set[str] = set()
    for row in relation.rows:
        for cell in row.cells:
            if cell is not None and cell not in seen:
                seen.add(cell)
                yield cell
