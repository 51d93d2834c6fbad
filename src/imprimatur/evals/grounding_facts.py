"""Facts that came from documents, found again in them: a document is read anew, and must have the words in place.

Contract: only facts with a place are looked for; a document that is gone, or says other words there now, does not have
them. What a model adds of its own has no place, and what a person accepted stands by that person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import ImprimaturError
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import Facts, FactStore
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.reading import read_document

__all__ = ["stated_again"]

_MOST_DOCUMENTS = 2_000
_STATES = ("stored", "waiting")


def stated_again(config: KnowledgeBaseConfig) -> tuple[tuple[Row, bool], ...]:
    """The stored facts of documents, each with whether the sentence that states it still stands where it was read.

    Raises:
        KnowledgeBaseError: the store was changed by other hands. StoreUnavailable: it cannot be read.
    """
    store = FactStore(config.folder)
    if not store.exists:
        return ()
    facts = store.read()
    placed: dict[str, list[Row]] = {}
    for row in facts.rows:
        if row.state in _STATES and row.document:
            placed.setdefault(row.document, []).append(row)
    some = sorted(placed)[:_MOST_DOCUMENTS]
    return tuple(each for document in some for each in _in(placed[document], _text(document, facts, config)))


def _in(rows: Sequence[Row], text: str | None) -> Iterator[tuple[Row, bool]]:
    for row in rows:
        yield row, text is not None and text[row.start : row.end] == row.quote


def _text(document: str, facts: Facts, config: KnowledgeBaseConfig) -> str | None:
    """The text of a document now; None where it cannot be read."""
    listed = facts.documents.get(document)
    if listed is None:
        return None
    limits = Limits(**dict(config.limits))
    origin = Origin(id=document, path=config.folder / listed.path)
    try:
        return read_document(origin.read(limits), id_=document, limits=limits).text
    except ImprimaturError:
        return None
