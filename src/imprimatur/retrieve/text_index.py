"""The things of a graph by the words of their labels and texts, ranked by BM25; made when it is first asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import sha256
from math import log
from threading import Lock

from imprimatur.errors import LimitExceeded
from imprimatur.retrieve.asked import known_words
from imprimatur.retrieve.candidates import Clock
from imprimatur.retrieve.words import Words
from imprimatur.sources.graph.kept import read_kept, write_kept
from imprimatur.sources.graph.schema import Schema

__all__ = ["TextIndex"]

#: Graphs with more things are searched by their exact names only.
_MOST_NAMES = 1_000_000
_LONGEST = 2000
_FORMAT = "1"


class TextIndex:
    """Full text over one graph; it may be used by several threads."""

    def __init__(self, schema: Schema, words: Words, silent: Collection[int]) -> None:
        """``silent`` are the predicates whose values are labels."""
        self._graph, self._schema, self._words, self._silent = schema.graph, schema, words, silent
        self._lock = Lock()
        self._postings: dict[str, list[int]] | None = None
        self._lengths: dict[int, int] = {}

    def find(self, wanted: frozenset[str], clock: Clock, *, limit: int) -> list[tuple[int, float]]:
        """The things whose labels or texts have some of the words, with their scores, the best first.

        Raises:
            LimitExceeded: the graph has too many things, or the time is over.
        """
        postings = self._indexed(clock)
        mean = sum(self._lengths.values()) / max(1, len(self._lengths)) or 1.0
        scores: Counter[int] = Counter()
        for word in sorted(wanted):
            having = postings.get(word, ())
            rarity = log(1 + (len(self._lengths) - len(having) + 0.5) / (len(having) + 0.5))
            for thing in having:
                weight = rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * self._lengths[thing] / mean))
                scores[thing] += weight  # type: ignore[assignment]
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        return [(thing, float(score)) for thing, score in best[:limit]]

    def _indexed(self, clock: Clock) -> dict[str, list[int]]:
        with self._lock:
            if self._postings is None:
                self._postings = self._opened(clock)
                lengths: Counter[int] = Counter()
                for things in self._postings.values():
                    lengths.update(things)
                self._lengths = dict(lengths)
            return self._postings

    def _opened(self, clock: Clock) -> dict[str, list[int]]:
        """The index from the cache folder, or made and put there."""
        graph = self._graph
        if graph.statistics.subjects > _MOST_NAMES:
            raise LimitExceeded(f"more than {_MOST_NAMES:,} things: they are found by their exact names only")
        told = "\n".join((_FORMAT, graph.content_hash, graph.language))
        name = f"text-{sha256(told.encode()).hexdigest()[:32]}.json"
        kept = read_kept(name, None) if graph.content_hash else None
        if isinstance(kept, dict) and all(map(self._whole, kept.values())):
            return kept
        made = self._made(clock)
        if graph.content_hash:
            write_kept(name, made, None)
        return made

    def _whole(self, things: object) -> bool:
        return isinstance(things, list) and all(
            isinstance(each, int) and 0 <= each < self._graph.term_count for each in things
        )

    def _made(self, clock: Clock) -> dict[str, list[int]]:
        graph = self._graph
        postings: dict[str, list[int]] = {}
        own = {*self._schema.properties, *self._schema.classes}
        for thing in graph.iter_subjects():
            if not graph.is_iri(thing) or graph.iri(thing) in own:
                continue
            clock.check()
            for word in self._words.of_thing(thing) | known_words(self._texts(thing)):
                postings.setdefault(word, []).append(thing)
        return postings

    def _texts(self, thing: int) -> Iterator[str]:
        """The texts that are said of a thing."""
        for predicate, value in self._graph.out(thing):
            if predicate in self._silent or not self._graph.is_literal(value):
                continue
            text = self._graph.literal(value).lexical[:_LONGEST]
            if text[:1].isalpha():
                yield text
