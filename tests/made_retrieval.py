"""Parts for the tests of retrieval: an open small knowledge base, a scripted writer of queries, a made embedder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from small_kb import write_kb

from imprimatur.config import load_folder
from imprimatur.knowledge import Knowledge, open_knowledge
from imprimatur.retrieve.asked import alternatives
from imprimatur.retrieve.queries import QueryRequest
from imprimatur.sources.graph.store import Graph

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["PREFIX", "ScriptedWriter", "WordEmbedder", "graph_digest", "open_brooks"]

PREFIX = "PREFIX : <https://example.org/brooks/>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"


def open_brooks(folder: Path, *, extra: str = "") -> Knowledge:
    """The knowledge base of brooks and towns, written into a folder and opened."""
    return open_knowledge(load_folder(write_kb(folder, extra=extra)))


def graph_digest(graph: Graph) -> tuple[int, str]:
    """The count of a graph's triples, and a hash over all of them."""
    lines = sorted(f"{graph.n3(s)} {graph.n3(p)} {graph.n3(o)} ." for s, p, o in graph.triples())
    return len(graph), hashlib.sha256("\n".join(lines).encode()).hexdigest()


class ScriptedWriter:
    """Writes given queries one after another, the last again and again (implements ``QueryWriter``)."""

    def __init__(self, *queries: str) -> None:
        self._queries: Sequence[str] = queries
        self.requests: list[QueryRequest] = []

    def write(self, request: QueryRequest) -> str:
        """The next query."""
        self.requests.append(request)
        return self._queries[min(len(self.requests), len(self._queries)) - 1]


class WordEmbedder:
    """Texts as bags of hashed words, of length one (implements ``Embeds``): what shares words is similar."""

    name = "words"
    fingerprint = "words-1"

    def embed(self, text: str) -> Array:
        """The vector of a text."""
        import numpy

        vector = numpy.zeros(256, numpy.float32)
        for word in text.lower().replace(":", " ").replace("?", " ").split():
            for form in alternatives(word):
                vector[int(hashlib.sha256(form.encode()).hexdigest(), 16) % 256] += 1
        length = float(numpy.linalg.norm(vector))
        return vector / length if length else vector

    embed_query = embed

    def embed_all(self, texts: Iterable[str]) -> Iterator[Array]:
        """The vectors of texts, in order."""
        return map(self.embed, texts)
