"""Things found by the indexes of a property graph's own server: full text and vectors, then one or two relations on.

The server says which nodes; what is said of them is read in the mirror, which is what judges. What a question holds is
sent as words alone: no character of it is one of the search's own. An index that is not there is a failure that the
trail names, and the mirror's own full text stands for it; a node that the mirror does not have is one, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed, StoreUnavailable
from imprimatur.language.tokens import tokenise
from imprimatur.retrieve.asked import Asked, alternatives
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.hops import Hops
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.property_store import PropertyStore
from imprimatur.sources.passages.embedding import Embeds
from imprimatur.sources.property.connection import Connection

__all__ = ["Index", "ServerIndexes", "indexes_of", "search_words"]

_FULL_TEXT, _VECTOR = "FULLTEXT", "VECTOR"
_MOST_INDEXES, _MOST_THINGS = 8, 20
_MOST_WORDS, _LONGEST_WORD = 40, 60
_BY_TEXT = (
    "CALL db.idx.fulltext.queryNodes($label, $words) YIELD node, score RETURN node, score ORDER BY score DESC LIMIT 20"
)
_BY_VECTOR = (
    "CALL db.idx.vector.queryNodes($label, $key, 20, vecf32($vector)) YIELD node, score"
    " RETURN node, score ORDER BY score LIMIT 20"
)
_LISTED = (
    "CALL db.indexes() YIELD label, types, options, entitytype, status WHERE entitytype = 'NODE'"
    " RETURN label, types, options, status"
)
_READY = "OPERATIONAL"


@dataclass(frozen=True, slots=True)
class Index:
    """An index over the nodes of a label. ``dimension`` and ``measure`` are those of a vector index, else 0 and ""."""

    kind: str
    label: str
    key: str
    dimension: int = 0
    measure: str = ""


def indexes_of(connection: Connection, *, seconds: float) -> tuple[Index, ...]:
    """The full-text and vector indexes over nodes that are ready, sorted.

    Raises:
        StoreUnavailable: the server cannot be reached, or has no such graph. CheckFailed: it does not tell its indexes.
    """
    found: list[Index] = []
    for label, types, options, status in connection.read(_LISTED, seconds=seconds).rows:
        if status != _READY or not isinstance(label, str) or not isinstance(types, dict):
            continue
        for key, kinds in types.items():
            if _FULL_TEXT in kinds:
                found.append(Index(_FULL_TEXT, label, key))
            if _VECTOR in kinds:
                told = options.get(key, {}) if isinstance(options, dict) else {}
                dimension, measure = told.get("dimension", 0), told.get("similarityFunction", "")
                found.append(Index(_VECTOR, label, key, int(dimension), str(measure)))
    return tuple(sorted(found, key=lambda index: (index.kind, index.label, index.key)))


def search_words(text: str) -> str:
    """What a full-text search is asked for: the content words of a text, any of which may be met; empty without any.

    Only letters and digits are left of a word, so that nothing in it can be an operator, a field or a quotation.
    """
    words: dict[str, None] = {}
    for token in tokenise(text[: _MOST_WORDS * _LONGEST_WORD]):
        if alternatives(token.lower):
            bare = "".join(char if char.isalnum() else " " for char in token.lower)
            words.update(dict.fromkeys(word for word in bare.split() if len(word) <= _LONGEST_WORD))
    return "|".join(list(words)[:_MOST_WORDS])


class ServerIndexes:
    """Asks the indexes of one property graph; its methods are paths."""

    def __init__(
        self, store: PropertyStore, hops: Hops, limits: RetrievalLimits, embedder: Embeds | None = None
    ) -> None:
        self._store, self._hops, self._limits, self._embedder = store, hops, limits, embedder

    def full_text(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Facts around the nodes whose indexed texts have words of the question.

        Raises:
            CheckFailed: there is no full-text index, or the mirror lacks what the server has. StoreUnavailable: the
            server or the graph is not there. LimitExceeded: the time is over.
        """
        labels = {index.label for index in self._indexes(_FULL_TEXT, clock)}
        if not labels:
            raise CheckFailed("the graph has no full-text index: its labels and texts were searched here instead")
        words = search_words(asked.text)
        if not words:
            return ()
        rows = [
            row
            for label in sorted(labels)[:_MOST_INDEXES]
            for row in self._read(_BY_TEXT, {"label": label, "words": words}, clock)
        ]
        return self._around(sorted(rows, key=lambda row: -_number(row[1])), asked, clock)

    def similar(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Facts around the nodes whose vectors are as similar to the question as ``limits.similarity``.

        Raises:
            CheckFailed: there is no vector index that fits the embedder; and as ``full_text``.
        """
        assert self._embedder is not None
        vector = [float(each) for each in self._embedder.embed_query(asked.text)]
        known = self._indexes(_VECTOR, clock)
        usable = [index for index in known if index.dimension == len(vector) and index.measure == "cosine"]
        if not usable:
            has = f"none of the vector indexes is by cosine and of {len(vector)} dimensions"
            told = has if known else "the graph has no vector index"
            raise CheckFailed(f"{told}: nothing was searched by similarity on the server")
        rows: list[tuple[Any, ...]] = []
        for index in usable[:_MOST_INDEXES]:
            parameters = {"label": index.label, "key": index.key, "vector": vector}
            found = self._read(_BY_VECTOR, parameters, clock)
            rows += [row for row in found if 1 - _number(row[1]) >= self._limits.similarity]
        return self._around(sorted(rows, key=lambda row: _number(row[1])), asked, clock)

    def _indexes(self, kind: str, clock: Clock) -> list[Index]:
        clock.check()
        found = indexes_of(self._store.connection, seconds=clock.left)
        return [index for index in found if index.kind == kind]

    def _read(self, query: str, parameters: dict[str, Any], clock: Clock) -> Sequence[tuple[Any, ...]]:
        clock.check()
        return self._store.connection.read(query, parameters, seconds=clock.left).rows

    def _around(self, rows: Sequence[tuple[Any, ...]], asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Chains of facts from the things that the nodes are, best first."""
        iris = [iri for row in rows if isinstance(row[0], dict) and (iri := self._store.iri(row[0]))]  # "": hidden
        things = list(dict.fromkeys(thing for iri in iris if (thing := self._hops.graph.id(iri)) is not None))
        if iris and not things:
            raise StoreUnavailable("the graph has changed since it was read: open the knowledge base again")
        return self._hops.around(things[:_MOST_THINGS], asked, clock)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
