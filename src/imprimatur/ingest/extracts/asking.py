"""Asks an endpoint for an extract: slowly, again and again where it fails, and never twice for what it has answered.

Every answer is kept in a folder by its query. What is asked depends on nothing but the settings and earlier answers,
so that an extract that was stopped goes through what is kept and on from there. Invariants: an answer that is cut, is
no JSON or has other terms than were asked for is asked again, and an error in the end; a list of rows ends where an
answer is empty, or shorter than the server has shown that it can be, never at a limit of the server's own.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from imprimatur.errors import CheckFailed, InputError
from imprimatur.ingest.extracts.queries import NAMES, names
from imprimatur.ingest.mapping.terms import is_iri
from imprimatur.sources.graph.labels import MAIN
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.remote import queries
from imprimatur.sources.remote.endpoint import Endpoint, TooMany, Words
from imprimatur.sources.remote.results import Row
from imprimatur.sources.remote.settings import Limits, Remote

__all__ = ["Asking", "remote"]

_PAGE = 1000
_TRIES = 6
_SECONDS, _TOTAL = 120.0, 1800.0
#: Of one query about some things; a server that gives more is not believed, and no server is asked for ever.
_MOST_ROWS = 1_000_000
_MOST_THINGS = 5_000_000


def remote(url: str, languages: Sequence[str], *, pages: Path, pause: float) -> Remote:
    """The settings of an endpoint that is extracted from. ``pages`` is the folder of answers."""
    limits = Limits(seconds=_SECONDS, total=_TOTAL, tries=_TRIES, pause=pause, page=_PAGE, rows=20_000)
    return Remote(url=url, languages=tuple(languages), limits=limits, cache=pages)


class Asking(Endpoint):
    """An endpoint that is asked with patience.

    ``asked`` counts requests, ``kept`` answers that were there already, ``left_out`` things that cannot be asked about.
    """

    def __init__(
        self, settings: Remote, *, wikidata: bool = False, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        super().__init__(settings, sleep=sleep)
        self.wikidata = wikidata
        self.left_out: Counter[str] = Counter()
        self._longest = 0
        self._rest = sleep

    def about(self, query: str) -> Iterator[Row]:
        """All solutions of a query about some things. Raises TooMany where there is no end of them."""
        return self._paged(query, _MOST_ROWS, lambda row: None)

    def called(self, things: Sequence[str]) -> dict[str, Words]:
        """What things or properties are called, in the languages or, for want of these, in none; as ``words``.

        Raises:
            CheckFailed: the server names what it was not asked about. Others as ``Endpoint.facts``.
        """
        languages = (*(language.lower() for language in self.remote.languages), "")
        asked = frozenset(things)

        def check(row: Row) -> None:
            name = row.get("name")
            known = isinstance(name, RdfLiteral) and name.lang in languages
            if not known or row.get("s") not in asked or row.get("p") not in NAMES:
                raise CheckFailed("the endpoint gave other names than it was asked for", where=self._wire.where)

        found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for row in self._paged(names(things, languages[:-1], wikidata=self.wikidata), _MOST_ROWS, check):
            name = row["name"]
            assert isinstance(name, RdfLiteral)
            if name.lexical.strip():
                rank = NAMES.index(str(row["p"])), languages.index(name.lang)
                found[str(row["s"])].append((*rank, name.lexical))
        return {thing: _words(ranked) for thing, ranked in found.items()}

    def solutions(self, query: str, check: Callable[[Row], None] = lambda row: None) -> Iterator[Row]:
        """All solutions of a query that has an order, page by page. Raises as ``Endpoint.facts``."""
        size, after = self.remote.limits.page, 0
        while True:
            rows = self._rows(queries.page(query, most=size, after=after), size, check)
            yield from rows
            if not rows or len(rows) < min(size, self._longest):
                return
            self._longest = max(self._longest, len(rows))
            after += len(rows)

    def things(self, pattern: str, *, most: int | None) -> Iterator[str]:
        """The IRIs ``?s`` of a pattern in their order, at most so many; each page begins behind the one before.

        Raises:
            CheckFailed: the server gives them in no order. TooMany: there is no end of them. Others as
                ``Endpoint.facts``.
        """
        last, given = "", 0
        while most is None or given < most:
            behind = f' && STR(?s) > "{last}"' if last else ""
            size = self.remote.limits.page if most is None else min(self.remote.limits.page, most - given)
            query = f"SELECT DISTINCT ?s WHERE {{ {pattern} FILTER(isIRI(?s){behind}) }} ORDER BY STR(?s)"
            rows = self._rows(queries.page(query, most=size), size, lambda row: None)
            if not rows:
                return
            for row in rows:
                thing = row.get("s")
                if not isinstance(thing, str) or thing <= last or not is_iri(thing):
                    hint = "name the things in a file, with --things"
                    raise CheckFailed("the endpoint gives things in no order", where=self._wire.where, hint=hint)
                last = thing
                try:
                    queries.iri(thing)
                except InputError:
                    self.left_out["things whose IRIs are not of the web"] += 1
                    continue
                if given == _MOST_THINGS:
                    raise TooMany(f"there are more than {_MOST_THINGS:,} things", where=self._wire.where)
                given += 1
                yield thing
                if given == most:
                    return

    def _paged(self, query: str, most: int, check: Callable[[Row], None]) -> Iterator[Row]:
        """As an endpoint does, whatever limit the server has."""
        for number, row in enumerate(self.solutions(query, check)):
            if number == most:
                raise TooMany(f"there are more than {most} rows", where=self._wire.where)
            yield row

    def _rows(self, query: str, most: int, check: Callable[[Row], None]) -> tuple[Row, ...]:
        """As an endpoint does, but what cannot be read is asked again, too: it may be a page of a proxy."""
        for tried in range(1, _TRIES):
            try:
                return super()._rows(query, most, check)
            except CheckFailed:
                self._rest(min(0.5 * 2 ** (tried - 1), 30.0) if self.remote.limits.pause else 0.0)
        return super()._rows(query, most, check)


def _words(ranked: Sequence[tuple[int, int, str]]) -> Words:
    """The best name as the label, where one may be it, and the others."""
    best = min(ranked)
    label = best[2] if best[0] < len(MAIN) else ""
    return Words(label, tuple(dict.fromkeys(name for *_, name in ranked if name != label)))
