"""An index of passages, open for searching: full text, and vectors where it has some (implements ``Retriever``).

Contract: ``Index.open`` opens the current version and keeps it, whatever a writer does meanwhile; it changes nothing
and needs no lock. An index with vectors is searched by them only with the model that made them: with another or none
it is full text only, and ``ways`` says so. The same index and query give the same result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.passages.build import FULL_TEXT, MANIFEST, ROWS, VECTORS
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.fulltext import FullText
from imprimatur.sources.passages.passage import Passage
from imprimatur.sources.passages.retriever import Query, Scored
from imprimatur.sources.passages.rows import Listed, Rows
from imprimatur.sources.passages.scoring import Candidate, rarity, scored, weights_of
from imprimatur.sources.passages.vectors import Vectors

if TYPE_CHECKING:
    import numpy

    from imprimatur.sources.passages.embedding import Embeds

    Array = numpy.ndarray[Any, Any]

__all__ = ["Index", "Manifest"]

#: A writer may replace versions while one is opened; more than a few times in a row it is something else.
_ATTEMPTS = 5
_LEAST = 24
_MOST_HELD = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an index says of itself. ``problems``: documents that were found and could not be read, and why."""

    documents: int
    passages: int
    content_hash: str
    model: str | None = None
    fingerprint: str | None = None
    problems: Mapping[str, str] = field(default_factory=dict)


class Index:
    """An index, open. Make it with ``Index.open``; it may be used by several threads."""

    def __init__(self, version: Path, embedder: Embeds | None) -> None:
        """Opens one version. Raises StoreUnavailable where it is not whole."""
        self.manifest = _manifest(version)
        self._rows = Rows(version / ROWS)
        self._text = FullText(version / FULL_TEXT)
        if not self._rows.count == len(self._text) == self.manifest.passages:
            raise StoreUnavailable("the parts of the index do not fit", where=str(version), hint="build it anew")
        same = embedder is not None and embedder.fingerprint == self.manifest.fingerprint
        self._embedder = embedder if same else None
        self._vectors = Vectors(version / VECTORS, count=self._rows.count) if same else None
        self._held: dict[int, Candidate] = {}

    @classmethod
    def open(cls, path: Path, *, embedder: Embeds | None = None) -> Index:
        """The index in a folder.

        Raises:
            KnowledgeBaseError: there is none. StoreUnavailable: it is damaged. ConfigError: a library is missing.
        """
        folder, fault = IndexFolder(path), StoreUnavailable("the index keeps changing", where=str(path))
        for _ in range(_ATTEMPTS):
            version = folder.current()
            if version is None:
                hint = "`imprimatur passages build` makes that of a knowledge base, `passages add --index` any other"
                raise KnowledgeBaseError("there is no index of passages yet", where=str(path), hint=hint)
            try:
                return cls(version, embedder)
            except StoreUnavailable as failed:
                fault = failed
                if version.exists() and folder.current() == version:
                    break
        raise fault

    @property
    def ways(self) -> str:
        """How it is searched, in words."""
        if self._embedder is not None:
            return f"full text and embeddings ({self._embedder.name})"
        return "full text only"

    @property
    def documents(self) -> Mapping[str, Listed]:
        """The documents, by id."""
        return self._rows.documents

    def __len__(self) -> int:
        """How many passages there are."""
        return self._rows.count

    def __iter__(self) -> Iterator[Passage]:
        """The passages, in order."""
        return (self._rows.candidate(number).passage for number in range(self._rows.count))

    def passage(self, id_: str) -> Passage | None:
        """The passage of that id; None when there is none."""
        number = self._rows.number_of(id_)
        return None if number is None else self._candidate(number).passage

    def text_of(self, document: str) -> str | None:
        """The extracted text of a document, to which all offsets refer; None when there is none."""
        return self._rows.text_of(document)

    def vectors(self) -> Array:
        """The vectors of all passages, in order. Raises StoreUnavailable where the index is not searched by them."""
        if self._vectors is None:
            raise StoreUnavailable("the index has no vectors of this model")
        return self._vectors.all

    def find(self, query: Query, *, limit: int = 12) -> tuple[Scored, ...]:
        """Sentences worth comparing with what is asked, best first; see the protocol.

        Raises:
            StoreUnavailable: the index cannot be read. CheckFailed: the embedding model failed.
        """
        weights = weights_of(query)
        asked = {term: weight * rarity(len(self), self._text.known(term)) for term, weight in weights.items()}
        most = max(_LEAST, limit)
        full_text = self._text.find(weights, limit=most)
        similar: dict[int, float] = {}
        if self._embedder is not None and self._vectors is not None and query.text.strip():
            similar = self._vectors.find(self._embedder.embed_query(query.text), limit=most)
        candidates = {number: self._candidate(number) for number in sorted(full_text.keys() | similar.keys())}
        return scored(candidates, full_text, similar, asked=asked, limit=limit)

    def close(self) -> None:
        """Lets go of the files."""
        self._rows.close()

    def _candidate(self, number: int) -> Candidate:
        found = self._held.get(number)
        if found is None:
            found = self._rows.candidate(number)
            if len(self._held) >= _MOST_HELD:
                self._held.clear()
            self._held[number] = found
        return found


def _manifest(version: Path) -> Manifest:
    try:
        told = json.loads((version / MANIFEST).read_bytes())
        for name, size in told["sizes"].items():
            if (version / name).stat().st_size != size:
                raise ValueError(f"{name} is cut short")
        return Manifest(
            documents=int(told["documents"]),
            passages=int(told["passages"]),
            content_hash=str(told["content_hash"]),
            model=told["model"],
            fingerprint=told["fingerprint"],
            problems=dict(told["problems"]),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        message = f"the index is damaged: {str(fault)[:200]}"
        raise StoreUnavailable(message, where=str(version), hint="build it anew") from fault
