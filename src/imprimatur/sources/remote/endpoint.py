"""A client for one endpoint: direct facts and names of things, and things by their names.

Contract: an answer is whole or an error. What the server could not answer now is asked again, with pauses that grow or
that it asks for; requests keep a distance. A thing with more facts than are asked for is ``TooMany``, never a part of
its facts, so that nothing that rests on "there is no other" rests on a page's end. Answers are kept only once they have
been read without fault.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.models.persist import persist
from imprimatur.sources.graph.terms import RDFS, XSD, RdfLiteral
from imprimatur.sources.remote import queries
from imprimatur.sources.remote.kept import Kept
from imprimatur.sources.remote.results import Row, Term, read
from imprimatur.sources.remote.settings import Remote
from imprimatur.sources.remote.times import DAY, is_time, settled
from imprimatur.sources.remote.wire import Wire

__all__ = ["Endpoint", "TooMany", "Triple", "Words"]

#: Subject, predicate and value of a fact.
Triple = tuple[str, str, Term]

_BATCH = 50
_MOST_NAMED = 50


class TooMany(LimitExceeded):
    """A thing has more facts than are asked for."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a thing is called: its label in the best language that has one, and its other names in any of them."""

    label: str = ""
    aliases: tuple[str, ...] = ()


class Endpoint:
    """One endpoint; it may be used by several threads. ``asked`` counts the requests, ``kept`` the answers at hand."""

    def __init__(self, remote: Remote, *, sleep: Callable[[float], None] = time.sleep) -> None:
        """Asks nothing yet. Raises ConfigError where the address or the cache's folder is none."""
        self.remote = remote
        self._wire = Wire(remote)
        self._kept = Kept(remote.cache, remote.url) if remote.cache is not None else None
        self._sleep, self._next, self._lock = sleep, 0.0, threading.Lock()
        self.asked = self.kept = 0

    def named(self, name: str) -> tuple[str, ...]:
        """The things that bear a name, in the order of their IRIs.

        Raises:
            InputError: it is no plain text. TooMany: too many bear it. Others as ``facts``.
        """
        query = queries.named(name, self.remote.languages, self.remote.spaces)
        page = queries.page(query, most=_MOST_NAMED + 1)
        rows = self._rows(page, _MOST_NAMED + 1, lambda row: _expect(_is_in(row.get("s"), self.remote.spaces.thing)))
        if len(rows) > _MOST_NAMED:
            raise TooMany(f"more than {_MOST_NAMED} things bear the name", where=repr(name[:80]))
        return tuple(str(row["s"]) for row in rows)

    def words(self, things: Sequence[str]) -> dict[str, Words]:
        """What things are called; those without a name are left out. Raises as ``facts``."""
        return self._words(things, queries.words)

    def property_words(self, properties: Sequence[str]) -> dict[str, Words]:
        """What direct properties are called; those without a name are left out. Raises as ``facts``."""
        return self._words(properties, queries.property_words)

    def facts(self, thing: str, *, incoming: bool = False) -> tuple[Triple, ...]:
        """The direct facts of a thing, or those that have it as their value.

        Texts without a language are left out (on Wikidata they are mostly keys of other catalogues). Times are as
        exact as they are known to be; see ``times``.

        Raises:
            InputError: it is no IRI.
            TooMany: there are more than ``limits.rows``.
            StoreUnavailable: the server refuses, or cannot be reached.
            CheckFailed: what it sends is no answer to this.
            LimitExceeded: there was no time to ask again, or its answer is too long.
        """
        spaces = self.remote.spaces

        def check(row: Row) -> None:
            # Nothing else than was asked for may become a fact: not a label, and no axiom.
            value, predicate = row.get("o"), row.get("p")
            literal = isinstance(value, RdfLiteral) and not incoming
            _expect((literal or _is_in(value, spaces.thing)) and _is_in(predicate, spaces.direct))

        query = queries.facts(thing, spaces, incoming=incoming)
        found = [(str(row["p"]), row["o"]) for row in self._paged(query, self.remote.limits.rows, check)]
        if incoming:
            return tuple((value, predicate, thing) for predicate, value in found if isinstance(value, str))
        return tuple(self._settled(thing, found))

    def _settled(self, thing: str, found: Sequence[tuple[str, Term]]) -> Iterator[Triple]:
        """The facts of a thing with its times as exact as they are."""
        times = tuple(dict.fromkeys(p for p, o in found if isinstance(o, RdfLiteral) and is_time(o)))
        known = self._precisions(thing, times) if times else {}
        for predicate, value in found:
            if isinstance(value, RdfLiteral):
                if value.datatype == XSD + "string":
                    continue
                if is_time(value):
                    made = settled(value, known.get((predicate, value.lexical)))
                    if made is not None:
                        yield thing, predicate, made
                    continue
            yield thing, predicate, value

    def _precisions(self, thing: str, properties: Sequence[str]) -> dict[tuple[str, str], int]:
        """How exact times are, by property and lexical form; of several precisions of one time the least."""
        found: dict[tuple[str, str], int] = {}
        for row in self._paged(queries.precisions(thing, properties), self.remote.limits.rows, _is_precision):
            told, precision = row["time"], row["precision"]
            assert isinstance(told, RdfLiteral)
            assert isinstance(precision, RdfLiteral)
            key = (str(row["p"]), told.lexical)
            found[key] = min(int(precision.lexical), found.get(key, DAY))
        return found

    def _words(self, things: Sequence[str], query: Callable[[Sequence[str], Sequence[str]], str]) -> dict[str, Words]:
        languages = tuple(language.lower() for language in self.remote.languages)
        labels: dict[str, dict[str, str]] = {}
        names: dict[str, dict[str, None]] = {}
        wanted = tuple(dict.fromkeys(things))
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]

            def check(row: Row, batch: Sequence[str] = batch) -> None:
                name = row.get("name")
                known = isinstance(name, RdfLiteral) and name.lang in languages
                _expect(known and row.get("s") in batch and isinstance(row.get("p"), str))

            for row in self._paged(query(batch, languages), self.remote.limits.rows * _BATCH, check):
                name, thing = row["name"], str(row["s"])
                assert isinstance(name, RdfLiteral)
                names.setdefault(thing, {})[name.lexical] = None
                if row["p"] == RDFS + "label":
                    labels.setdefault(thing, {}).setdefault(name.lang, name.lexical)
        return {thing: _called(labels.get(thing, {}), tuple(found), languages) for thing, found in names.items()}

    # -- asking --------------------------------------------------------------------------------------------------------
    def _paged(self, query: str, most: int, check: Callable[[Row], None]) -> Iterator[Row]:
        """The rows of a query, page by page, each looked at. Raises TooMany where there are more."""
        page, after = self.remote.limits.page, 0
        while True:
            rows = self._rows(queries.page(query, most=page, after=after), page, check)
            after += len(rows)
            if after > most:
                raise TooMany(f"there are more than {most} rows", where=self._wire.where)
            yield from rows
            if len(rows) < page:
                return

    def _rows(self, query: str, most: int, check: Callable[[Row], None]) -> tuple[Row, ...]:
        if self._kept is not None and (body := self._kept.get(query)) is not None:
            self.kept += 1
            return _looked_at(body, most, check)
        limits = self.remote.limits
        ends = time.monotonic() + limits.total

        def ask() -> bytes:
            self._keep_distance()
            self.asked += 1
            return self._wire.post(query, ends=min(ends, time.monotonic() + limits.seconds))

        body = persist(ask, tries=limits.tries, ends=ends)
        rows = _looked_at(body, most, check)
        if self._kept is not None:
            self._kept.put(query, body)
        return rows

    def _keep_distance(self) -> None:
        """Waits until the next request may be sent; each takes a place of its own."""
        with self._lock:
            now = time.monotonic()
            mine = max(now, self._next)
            self._next = mine + self.remote.limits.pause
        if mine > now:
            self._sleep(mine - now)


def _looked_at(body: bytes, most: int, check: Callable[[Row], None]) -> tuple[Row, ...]:
    rows = read(body, most=most)
    for row in rows:
        check(row)
    return rows


def _expect(holds: bool) -> None:
    if not holds:
        raise CheckFailed("the endpoint gave other terms than it was asked for")


def _is_precision(row: Row) -> None:
    told, precision, predicate = row.get("time"), row.get("precision"), row.get("p")
    known = isinstance(told, RdfLiteral) and isinstance(precision, RdfLiteral) and isinstance(predicate, str)
    _expect(known)
    assert isinstance(precision, RdfLiteral)
    _expect(precision.lexical.isascii() and precision.lexical.isdigit() and len(precision.lexical) < 3)


def _is_in(term: Term | None, namespace: str) -> bool:
    return isinstance(term, str) and term.startswith(namespace)


def _called(labels: dict[str, str], names: Sequence[str], languages: Sequence[str]) -> Words:
    label = next((labels[language] for language in languages if language in labels), "")
    return Words(label, tuple(name for name in names if name != label))
