"""Asks an endpoint for an extract: slowly, again and again where it fails, and never twice for what it has answered.

Every answer is kept in a folder by its query. What is asked depends on nothing but the settings and earlier answers,
so that an extract that was stopped goes through what is kept and on from there. Invariants: an answer that is cut, is
no JSON or has other terms than were asked for is asked again, and an error in the end; a list of rows ends where an
answer is empty, or shorter than the server has shown that it can be, never at a limit of the server's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from imprimatur.errors import CheckFailed, InputError
from imprimatur.sources.remote import queries
from imprimatur.sources.remote.endpoint import Endpoint, TooMany
from imprimatur.sources.remote.results import Row
from imprimatur.sources.remote.settings import Limits, Remote

__all__ = ["Asking", "remote"]

_PAGE = 1000
_TRIES = 6
_SECONDS, _TOTAL = 120.0, 1800.0


def remote(url: str, languages: Sequence[str], *, pages: Path, pause: float) -> Remote:
    """The settings of an endpoint that is extracted from. ``pages`` is the folder of answers."""
    limits = Limits(seconds=_SECONDS, total=_TOTAL, tries=_TRIES, pause=pause, page=_PAGE, rows=20_000)
    return Remote(url=url, languages=tuple(languages), limits=limits, cache=pages)


class Asking(Endpoint):
    """An endpoint that is asked with patience. ``asked`` counts requests, ``kept`` answers that were there already."""

    def __init__(self, settings: Remote, *, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__(settings, sleep=sleep)
        self._longest = 0
        self._rest = sleep

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
            CheckFailed: the server gives them in no order. Others as ``Endpoint.facts``.
        """
        last, given = "", 0
        while most is None or given < most:
            behind = f' && STR(?s) > "{queries.iri(last)[1:-1]}"' if last else ""
            size = self.remote.limits.page if most is None else min(self.remote.limits.page, most - given)
            query = f"SELECT DISTINCT ?s WHERE {{ {pattern} FILTER(isIRI(?s){behind}) }} ORDER BY STR(?s)"
            rows = self._rows(queries.page(query, most=size), size, lambda row: None)
            if not rows:
                return
            for row in rows:
                thing = row.get("s")
                if not isinstance(thing, str) or thing <= last:
                    hint = "name the things in a file, with --things"
                    raise CheckFailed("the endpoint gives things in no order", where=self._wire.where, hint=hint)
                last = thing
                try:
                    queries.iri(thing)
                except InputError:
                    continue
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
