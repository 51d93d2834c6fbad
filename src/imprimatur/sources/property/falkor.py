"""One graph of a FalkorDB server, for reading alone (the extra ``falkordb``).

Invariants: the only commands are ``GRAPH.RO_QUERY``, with a time limit, by which the server refuses whatever writes and
does not make a graph that is not there, ``GRAPH.LIST``, ``GRAPH.CONFIG GET`` and ``INFO``; parameters are written as
literals that hold exactly their value; no address, error or text has the user's name or password in it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.config import Key
from imprimatur.errors import CheckFailed, ConfigError, InputError, LimitExceeded, RuntimeFault, StoreUnavailable
from imprimatur.sources.property.connection import Table
from imprimatur.sources.property.falkor_reply import Names, table_of
from imprimatur.sources.property.values import written_parameters

__all__ = ["FalkorAddress", "FalkorConnection"]

_CONNECTING = 10.0
#: How often names are fetched anew where the graph gets new ones all the while.
_TRIES = 4
#: What FalkorDB says of a graph that is not there, or of something else under its name.
_ABSENT = ("empty key", "wrong kind of value", "wrongtype")
_BUSY = ("max pending queries", "loading")
_LATE = ("timed out", "query timeout")
#: What it says of a time that is longer than it lets any query have.
_TOO_LONG = "timeout_max"
_LARGE = ("memory", "capacity")
_SHORTEST = 0.05
_CHECK = "is the server running, and are host, port, user and password right?"
_ALLOWED = "it needs GRAPH.RO_QUERY, GRAPH.CONFIG and INFO, and the graph's key"
#: What of ``INFO`` is the same only while nothing is written. A count that starts anew comes with a new save or run.
_COUNTS = ("run_id", "rdb_saves", "rdb_last_save_time", "rdb_changes_since_last_save")


@dataclass(frozen=True, slots=True, kw_only=True)
class FalkorAddress:
    """Where a graph is. ``seconds`` is the longest that a query may take, whatever is asked for; ``authority`` a file
    of certificates to trust beside the system's.
    """

    graph: str
    host: str = "localhost"
    port: int = 6379
    user: Key | None = None
    password: Key | None = None
    tls: bool = False
    authority: Path | None = None
    seconds: float = 60.0

    def __post_init__(self) -> None:
        """Raises ConfigError for a graph without a name."""
        if not self.graph or "\x00" in self.graph:
            raise ConfigError("a graph in FalkorDB needs a name", where=self.host)

    @property
    def where(self) -> str:
        """Address and graph."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"falkordb://{host}:{self.port}/{self.graph}"


class FalkorConnection:
    """Reads one graph (implements ``Connection``); it may be used by several threads."""

    dialect = "falkordb"

    def __init__(self, address: FalkorAddress) -> None:
        """Connects when it is first asked. Raises ConfigError without the extra, or where a password is not there."""
        self.address = address
        self.where = address.where
        self._secrets = {
            "username": address.user.reveal() if address.user else None,
            "password": address.password.reveal() if address.password else None,
        }
        self._client: Any = None
        self._names = Names()
        self._lock = threading.Lock()
        self._library = _library()

    def read(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = 10.0, most: int = 10_000
    ) -> Table:
        """The rows of a query.

        Raises:
            StoreUnavailable: the server cannot be reached, or has no such graph.
            CheckFailed: it refuses the query, or its reply cannot be read.
            LimitExceeded: the time is over, or there are more than ``most`` rows, or than the server gives.
            InputError: a parameter cannot be sent as it is.
        """
        if "\x00" in query:
            raise InputError("a query with the character U+0000 cannot be sent", where=self.where)
        text = written_parameters(parameters) + query
        ends = time.monotonic() + max(_SHORTEST, min(seconds, self.address.seconds))
        names = self._names
        for _ in range(_TRIES):
            reply = self._asked(text, ends, names.version)
            if not isinstance(reply, int):
                break
            names = self._fetched(reply, ends)
        else:
            raise CheckFailed("the graph gets new labels or keys while it is read", where=self.where)
        found = table_of(reply, names, self.where)
        self._not_cut(found, most)
        return found

    def graphs(self) -> Sequence[str]:
        """The names of the graphs that the server has, sorted."""
        with self._faults():
            found = self._execute("GRAPH.LIST")
        return tuple(sorted(str(each) for each in found))

    def revision(self) -> str | None:
        """The server's count of changes since it saved last, with what tells apart one such count from another."""
        try:
            with self._faults():
                info = self._execute("INFO")
        except RuntimeFault:
            return None
        if (
            not isinstance(info, dict)
            or info.get("role") != "master"
            or any(info.get(name) is None for name in _COUNTS)
        ):
            return None
        return " ".join(f"{name}={info[name]}" for name in _COUNTS)

    def close(self) -> None:
        """Lets go of the connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _asked(self, text: str, ends: float, version: int) -> Any:
        """The reply to a query, or the version of the graph's names where it is another one."""
        left = int(1000 * (ends - time.monotonic()))
        if left <= 0:
            raise LimitExceeded("the time for the query is over", where=self.where)
        arguments = ("GRAPH.RO_QUERY", self.address.graph, text, "--compact", "version", version, "TIMEOUT", left)
        with self._faults():
            reply = self._execute(*arguments)
        if not isinstance(reply, list) or not reply:
            raise CheckFailed("the server's reply has an unknown form", where=self.where)
        if isinstance(reply[0], Exception) and len(reply) == 2 and isinstance(reply[1], int):
            return reply[1]
        for part in reply:
            if isinstance(part, Exception):  # a fault while it ran: rows before it are no answer
                raise self._refused(part)
        return reply

    def _fetched(self, version: int, ends: float) -> Names:
        """The graph's names at a version."""
        made = []
        for call in ("db.labels() YIELD label", "db.relationshipTypes() YIELD relationshipType"):
            made.append(self._column(f"CALL {call}", version, ends))
        made.append(self._column("CALL db.propertyKeys() YIELD propertyKey", version, ends))
        self._names = Names(version=version, labels=made[0], types=made[1], keys=made[2])
        return self._names

    def _column(self, query: str, version: int, ends: float) -> tuple[str, ...]:
        reply = self._asked(query, ends, version)
        if isinstance(reply, int):
            return ()  # it has changed again: the query that asked for it is told so, too
        return tuple(str(row[0]) for row in table_of(reply, Names(), self.where).rows)

    def _not_cut(self, found: Table, most: int) -> None:
        """Raises LimitExceeded where rows may be left out: by the limit that was asked for, or the server's own."""
        count = len(found.rows)
        if count > most:
            raise LimitExceeded(f"the query gives more than {most} rows", where=self.where)
        if count < 1:
            return
        with self._faults():
            limit = self._execute("GRAPH.CONFIG", "GET", "RESULTSET_SIZE")
        if isinstance(limit, list) and len(limit) == 2 and isinstance(limit[1], int) and 0 <= limit[1] <= count:
            hint = "set RESULTSET_SIZE of the server to -1, or higher"
            raise LimitExceeded(f"the server gives no more than {limit[1]} rows", where=self.where, hint=hint)

    def _execute(self, *arguments: object) -> Any:
        return self._connected().execute_command(*arguments)

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._library.FalkorDB(**self._options())
            return self._client

    def _options(self) -> dict[str, Any]:
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        address = self.address
        secured: dict[str, Any] = {}
        if address.tls:
            authority = str(address.authority) if address.authority else None
            secured = {"ssl": True, "ssl_check_hostname": True, "ssl_ca_certs": authority}
        return {
            "host": address.host,
            "port": address.port,
            "socket_timeout": address.seconds + 1,
            "socket_connect_timeout": min(_CONNECTING, address.seconds),
            "retry": Retry(NoBackoff(), 0),
            "encoding_errors": "strict",
            **self._secrets,
            **secured,
        }

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What goes wrong, in words without a secret."""
        from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError
        from redis.exceptions import TimeoutError as Late

        try:
            yield
        except AuthenticationError:
            raise self._unreachable("does not accept user and password") from None
        except NoPermissionError:
            raise self._unreachable("does not let this user read", _ALLOWED) from None
        except Late as fault:
            if "connecting" in str(fault).lower():
                raise self._unreachable("cannot be reached in time") from None
            raise LimitExceeded("FalkorDB did not answer in time", where=self.where) from None
        except ResponseError as fault:
            raise self._refused(fault) from None
        except (RedisError, OSError) as fault:
            raise self._unreachable(f"cannot be reached ({type(fault).__name__})") from None
        except UnicodeDecodeError:
            raise CheckFailed("the server sends text that is no UTF-8", where=self.where) from None

    def _unreachable(self, message: str, hint: str = _CHECK) -> StoreUnavailable:
        return StoreUnavailable(f"FalkorDB {message}", where=self.where, hint=hint)

    def _refused(self, fault: Exception) -> Exception:
        """What the server says, as one of the errors."""
        said = " ".join(str(part) for part in fault.args) or str(fault)
        low = said.lower()
        if any(mark in low for mark in _ABSENT):
            hint = "check the name of the graph; `GRAPH.LIST` gives those that are there"
            return StoreUnavailable("FalkorDB has no graph of this name", where=self.where, hint=hint)
        if low.startswith(("noauth", "wrongpass", "noperm")):
            return self._unreachable("does not let this user read", _ALLOWED)
        if any(mark in low for mark in _BUSY):
            return StoreUnavailable("FalkorDB is busy", where=self.where)
        if _TOO_LONG in low:
            hint = "lower `seconds`, or raise TIMEOUT_MAX of the server"
            return StoreUnavailable("FalkorDB gives no query so much time", where=self.where, hint=hint)
        if any(mark in low for mark in _LATE):
            return LimitExceeded("the time for the query is over", where=self.where)
        if any(mark in low for mark in _LARGE):
            return LimitExceeded("the query needs more memory than the server gives", where=self.where)
        return CheckFailed(f"FalkorDB refuses the query: {said[:300]}", where=self.where)


def _library() -> Any:
    try:
        import falkordb
    except ImportError:
        hint = "install it: pip install 'imprimatur[falkordb]'"
        raise ConfigError("a graph in FalkorDB needs the extra `falkordb`", hint=hint) from None
    return falkordb
