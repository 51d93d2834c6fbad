"""The vectors of a graph's facts, each fact told in words: made once for a graph and a model, kept in the cache folder.

Two files of numbers lie side by side: the identifiers of each fact, in the graph's order, and its vector. Their name
holds a hash of the graph, the model and how facts are told, so that what does not fit is never found. A small graph's
vectors are made when they are first needed; a larger one's only by ``FactVectors.build`` (``imprimatur kb vectors``).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import ConfigError, KnowledgeBaseError, StoreUnavailable
from imprimatur.retrieve.chain import Facts
from imprimatur.sources.graph.cache import default_directory
from imprimatur.sources.graph.entail import Fact, Step
from imprimatur.sources.passages.embedding import Embeds
from imprimatur.sources.passages.vectors import Vectors, write_vectors

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["FactVectors"]

_FORMAT = "1"
#: Graphs with no more facts get their vectors on the spot.
_ON_THE_SPOT = 300


class FactVectors:
    """The vectors of one graph's facts, open."""

    def __init__(self, facts: Facts, ids: Array, vectors: Vectors) -> None:
        self._facts, self._ids, self._vectors = facts, ids, vectors

    @classmethod
    def open(cls, facts: Facts, embedder: Embeds, *, cache_dir: Path | None = None) -> FactVectors:
        """The vectors of a graph.

        Raises:
            KnowledgeBaseError: there are none of this model yet. ConfigError: numpy is not installed. StoreUnavailable:
            they are damaged, or cannot be written.
        """
        path = _place(facts, embedder, cache_dir)
        if not path.with_suffix(".vectors").is_file():
            if cls.count(facts, most=_ON_THE_SPOT + 1) > _ON_THE_SPOT:
                hint = "`imprimatur kb vectors` makes them, once for each graph and model"
                raise KnowledgeBaseError("the facts have no vectors of this model yet", hint=hint)
            return cls.build(facts, embedder, cache_dir=cache_dir)
        return cls._read(facts, path)

    @staticmethod
    def count(facts: Facts, *, most: int | None = None) -> int:
        """How many facts of a graph get a vector; counted up to ``most``."""
        return sum(1 for _ in islice(_told(facts), most))

    @classmethod
    def build(
        cls,
        facts: Facts,
        embedder: Embeds,
        *,
        cache_dir: Path | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> FactVectors:
        """Makes the vectors of a graph, and opens them; raises as ``open``, and what the model raises."""
        path = _place(facts, embedder, cache_dir)
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        listed = list(_told(facts))
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_vectors(part.with_suffix(".vectors"), _stepwise(embedder, facts, listed, progress))
            _write_ids(part.with_suffix(".ids"), listed)
            for suffix in (".ids", ".vectors"):
                os.replace(part.with_suffix(suffix), path.with_suffix(suffix))
        except OSError as fault:
            raise StoreUnavailable(f"vectors cannot be written: {fault.strerror}", where=str(path.parent)) from fault
        finally:
            for suffix in (".ids", ".vectors"):
                part.with_suffix(suffix).unlink(missing_ok=True)
        return cls._read(facts, path)

    @classmethod
    def _read(cls, facts: Facts, path: Path) -> FactVectors:
        try:
            import numpy
        except ImportError:
            raise ConfigError("embeddings cannot be used here", hint="pip install 'imprimatur[embeddings]'") from None
        try:
            ids = numpy.fromfile(path.with_suffix(".ids"), "<u4").reshape(-1, 3)
        except (OSError, ValueError) as fault:
            hint = "`imprimatur kb vectors` makes them anew"
            raise StoreUnavailable("the vectors of the facts cannot be read", where=str(path), hint=hint) from fault
        if len(ids) and int(ids.max()) >= facts.graph.term_count:
            raise StoreUnavailable("the vectors of the facts are damaged", where=str(path))
        return cls(facts, ids, Vectors(path.with_suffix(".vectors"), count=len(ids)))

    def __len__(self) -> int:
        """How many facts there are."""
        return len(self._ids)

    def find(self, vector: Array, *, limit: int, floor: float) -> list[tuple[Fact, float]]:
        """The facts that are at least as similar as the floor, the most similar first, with their cosines."""
        found = self._vectors.find(vector, limit=limit, floor=floor)
        return [(_fact(self._facts, *map(int, self._ids[row])), cosine) for row, cosine in found.items()]

    def cosines(self, vector: Array, keys: Iterable[Hashable]) -> dict[Hashable, float]:
        """The cosines of those facts that are stored, by their keys."""
        found: dict[Hashable, float] = {}
        for key in keys:
            row = self._row(key)
            if row is not None:
                found[key] = float(self._vectors[row] @ vector)
        return found

    def _row(self, key: Hashable) -> int | None:
        import numpy

        if not isinstance(key, tuple) or len(key) != 4 or key[0] != "fact":
            return None
        _, subject, iri, object_ = key
        predicate = self._facts.graph.id(iri)
        first, last = numpy.searchsorted(self._ids[:, 0], [subject, subject + 1])
        for row in range(int(first), int(last)):
            if self._ids[row, 1] == predicate and self._ids[row, 2] == object_:
                return row
        return None


def _place(facts: Facts, embedder: Embeds, cache_dir: Path | None) -> Path:
    told = "\n".join((_FORMAT, facts.graph.content_hash, embedder.fingerprint, facts.graph.language))
    return (cache_dir or default_directory()) / f"facts-{sha256(told.encode()).hexdigest()[:32]}"


def _told(facts: Facts) -> Iterator[tuple[int, int, int]]:
    """The facts that are worth a vector, in the graph's order: those of the graph's own properties about its things."""
    graph, schema = facts.graph, facts.schema
    known = {number for iri in schema.properties if (number := graph.id(iri)) is not None}
    own = {number for iri in (*schema.properties, *schema.classes) if (number := graph.id(iri)) is not None}
    return ((s, p, o) for s, p, o in graph.triples() if p in known and s not in own)


def _fact(facts: Facts, s: int, p: int, o: int) -> Fact:
    return Fact(s, facts.graph.iri(p), o, (Step(s, p, o, "asserted"),))


def _stepwise(
    embedder: Embeds, facts: Facts, listed: list[tuple[int, int, int]], progress: Callable[[int], None]
) -> Iterator[Array]:
    texts = (facts.told(_fact(facts, *each)) for each in listed)
    for done, vector in enumerate(embedder.embed_all(texts), 1):
        progress(done)
        yield vector


def _write_ids(path: Path, listed: list[tuple[int, int, int]]) -> None:
    import numpy

    numpy.array(listed, "<u4").reshape(-1, 3).tofile(path)
