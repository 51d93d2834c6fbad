"""One database of a server that speaks Bolt (Neo4j, Memgraph), for reading alone (the extra ``bolt``).

A session that asks for reading is no protection everywhere: a single Memgraph takes it as a wish, and FalkorDB's
experimental Bolt port passes it over. So a query runs in a transaction that is always rolled back, and its rows count
only where the server itself says that it did nothing but read (``query_type`` "r", no updates). FalkorDB behind Bolt is
refused, before anything is asked of it: it answers from a graph of another name than the one that was asked for, makes
it where it is not there, and puts parameters into the query unescaped.

Invariants: values are parameters; no address, error or text has the user's name or password in it.
"""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.config import Key
from imprimatur.errors import (
    CheckFailed,
    ConfigError,
    ImprimaturError,
    InputError,
    LimitExceeded,
    RuntimeFault,
    StoreUnavailable,
)
from imprimatur.sources.property.connection import Table
from imprimatur.sources.property.values import Unread

__all__ = ["BoltAddress", "BoltConnection"]

_CONNECTING = 10.0
#: What a server says of itself that is FalkorDB: the name of a Neo4j with a version of the protocol that it never had.
_FALKOR_AGENT, _FALKOR_PROTOCOL = "Neo4j/5.13.0", (5, 5)
_LATE = ("TransactionTimedOut", "TransactionTerminated", "Terminated", "timeout")
_ABSENT = ("DatabaseNotFound", "DatabaseUnavailable")


@dataclass(frozen=True, slots=True)
class BoltAddress:
    """Where a database is; ``database`` "" is the server's own. ``seconds``: the longest that a query may take."""

    url: str
    database: str = ""
    user: Key | None = None
    password: Key | None = None
    seconds: float = 60.0

    @property
    def where(self) -> str:
        """Address and database."""
        return f"{self.url}/{self.database}" if self.database else self.url


class BoltConnection:
    """Reads one database (implements ``Connection``); it may be used by several threads."""

    dialect = "bolt"

    def __init__(self, address: BoltAddress) -> None:
        """Connects when it is first asked. Raises ConfigError without the extra, or where a password is not there."""
        self.address = address
        self.where = address.where
        self._secret = tuple(key.reveal() if key is not None else "" for key in (address.user, address.password))
        self._neo4j = _library()
        self._driver: Any = None
        self._process = 0
        self._lock = threading.Lock()

    def read(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = 10.0, most: int = 10_000
    ) -> Table:
        """The rows of a query.

        Raises:
            StoreUnavailable: the server cannot be reached, has no such database, or is FalkorDB.
            CheckFailed: it refuses the query, or does not say that it only read.
            LimitExceeded: the time is over, or there are more than ``most`` rows.
            InputError: a parameter cannot be sent.
        """
        sent = {name: _sendable(value) for name, value in (parameters or {}).items()}
        limit = max(0.05, min(seconds, self.address.seconds))
        with self._faults(), self._session() as session, session.begin_transaction(timeout=limit) as transaction:
            result = transaction.run(query, sent)
            columns = tuple(result.keys())
            rows: list[tuple[Any, ...]] = []
            for record in result:
                if len(rows) >= most:
                    raise LimitExceeded(f"the query gives more than {most} rows", where=self.where)
                rows.append(tuple(_plain(record[number]) for number in range(len(columns))))
            summary = result.consume()
            transaction.rollback()
        if summary.query_type != "r" or summary.counters.contains_updates or summary.counters.contains_system_updates:
            raise CheckFailed("the server does not say that the query only read", where=self.where)
        return Table(columns, tuple(rows))

    def graphs(self) -> Sequence[str]:
        """The names of the databases that the server has, as far as it tells them; else the one that is asked for."""
        try:
            with self._faults(), self._session() as session:
                found = sorted({str(record["name"]) for record in session.run("SHOW DATABASES YIELD name")})
        except CheckFailed:
            return (self.address.database,) if self.address.database else ()
        return tuple(found)

    def revision(self) -> str | None:
        """The number of the last transaction, where the server tells it (Neo4j 5)."""
        query = "SHOW DATABASES YIELD name, databaseID, lastCommittedTxn, role, home"
        try:
            with self._faults(), self._session() as session:
                rows = [record.data() for record in session.run(query)]
        except RuntimeFault:
            return None
        wanted = self.address.database.lower()
        told = [row for row in rows if (row["name"].lower() == wanted if wanted else row["home"])]
        if len(told) != 1 or told[0]["lastCommittedTxn"] is None:
            return None
        return f"{told[0]['databaseID']} {told[0]['lastCommittedTxn']}"

    def close(self) -> None:
        """Lets go of the connections."""
        with self._lock:
            driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _session(self) -> Any:
        options = {"database": self.address.database} if self.address.database else {}
        return self._connected().session(default_access_mode=self._neo4j.READ_ACCESS, **options)

    def _connected(self) -> Any:
        with self._lock:
            if self._driver is not None and self._process == os.getpid():
                return self._driver
            user, password = self._secret
            driver = self._neo4j.GraphDatabase.driver(
                self.address.url,
                auth=(user, password) if user or password else None,
                connection_timeout=min(_CONNECTING, self.address.seconds),
                connection_acquisition_timeout=min(_CONNECTING, self.address.seconds),
                max_transaction_retry_time=0,
            )
            try:
                info = driver.get_server_info()
                if info.agent == _FALKOR_AGENT and tuple(info.protocol_version) >= _FALKOR_PROTOCOL:
                    hint = "name it under `falkordb`, by its Redis port"
                    raise StoreUnavailable("FalkorDB is not read by Bolt", where=self.where, hint=hint)
            except BaseException:
                driver.close()
                raise
            # A process that was forked shares nothing with the one before it: answers would be mixed up.
            self._driver, self._process = driver, os.getpid()
            # Whoever drops a knowledge base closes nothing by hand.
            weakref.finalize(self, driver.close).atexit = False
            return driver

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What goes wrong, in words without a secret."""
        errors = self._neo4j.exceptions
        try:
            yield
        except ImprimaturError:
            raise
        except errors.AuthError:
            raise self._unreachable("does not accept user and password") from None
        except errors.Neo4jError as fault:
            raise self._refused(fault) from None
        except (errors.DriverError, OSError) as fault:
            raise self._unreachable(f"cannot be reached ({type(fault).__name__})") from None
        except (TypeError, ValueError, OverflowError, UnicodeError) as fault:
            raise CheckFailed(f"the server's reply cannot be read ({type(fault).__name__})", where=self.where) from None

    def _unreachable(self, message: str) -> StoreUnavailable:
        hint = "is the server running, and are address, user and password right?"
        return StoreUnavailable(f"the server {message}", where=self.where, hint=hint)

    def _refused(self, fault: Any) -> ImprimaturError:
        code, said = str(fault.code or ""), str(fault.message or "")
        if any(mark in code for mark in _ABSENT) or "database does not exist" in said.lower():
            return StoreUnavailable("the server has no database of this name", where=self.where)
        if any(mark in code for mark in _LATE) or "timeout" in said.lower():
            return LimitExceeded("the time for the query is over", where=self.where)
        if ".TransientError." in code:
            return StoreUnavailable("the server cannot answer now", where=self.where)
        return CheckFailed(f"the server refuses the query: {said[:300]}", where=self.where)


def _sendable(value: Any) -> Any:
    """A value as it is sent. Raises InputError for one that is not plain."""
    if value is None or isinstance(value, bool | str):
        if isinstance(value, str) and not _is_text(value):
            raise InputError("text with half a character (a lone surrogate) cannot be sent to a property graph")
        return value
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            raise InputError("a whole number of more than 64 bits cannot be sent to a property graph")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError("a number that is not finite cannot be sent to a property graph")
        return value
    if isinstance(value, list | tuple):
        return [_sendable(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _sendable(each) for key, each in value.items()}
    raise InputError(f"a value of the type {type(value).__name__} cannot be sent to a property graph")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any) -> Any:
    """A value as ``Table`` has it."""
    from neo4j.graph import Node, Path, Relationship
    from neo4j.spatial import Point
    from neo4j.time import Date, DateTime

    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else Unread("number that is not finite")
        case Point():
            return {"x": value[0], "y": value[1]}
        case list():
            return [_plain(each) for each in value]
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}
        case Node():
            return {"id": _number(value), "labels": sorted(value.labels), "properties": _items(value)}
        case Relationship():
            ends = {"start": _number(value.start_node), "end": _number(value.end_node)}
            return {"id": _number(value), "type": value.type, **ends, "properties": _items(value)}
        case Path():
            return {
                "nodes": [_plain(each) for each in value.nodes],
                "edges": [_plain(each) for each in value.relationships],
            }
        case DateTime():
            return _native(value)
        case Date():
            return _native(value)
        case date() | datetime():
            return value
    return Unread(type(value).__name__.lower())


def _number(entity: Any) -> int:
    """The internal number: what ``id()`` gives, and the last part of the server's own name for it."""
    return int(entity.element_id.rpartition(":")[2])


def _items(value: Any) -> dict[str, Any]:
    return {str(key): _plain(each) for key, each in value.items()}


def _native(value: Any) -> date | Unread:
    """A day or moment; one with parts of a microsecond, or outside the years 1 to 9999, is left unread."""
    if getattr(value, "nanosecond", 0) % 1000:
        return Unread("time with nanoseconds")
    try:
        found: date = value.to_native()
    except (ValueError, OverflowError):
        return Unread("time")
    return found


def _library() -> Any:
    try:
        import neo4j
        import neo4j.exceptions
    except ImportError:
        hint = "install it: pip install 'imprimatur[bolt]'"
        raise ConfigError("a graph behind Bolt needs the extra `bolt`", hint=hint) from None
    return neo4j
