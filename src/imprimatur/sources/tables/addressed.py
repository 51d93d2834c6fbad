"""Tables and views of a database behind an address, by SQLAlchemy (the extra ``sqlalchemy``), whatever its dialect.

Invariants: what is run are the look-ups of SQLAlchemy's inspection and the SELECTs that it makes of the tables that are
named, within one transaction that is rolled back; no text of the configuration is a part of a statement. SQLite files
are opened read-only (``mode=ro``), PostgreSQL is told ``READ ONLY`` and given the limit of time. Neither the address
nor what a driver says of it is in an error, for either may hold the password.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from datetime import time as clock
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from imprimatur.errors import KnowledgeBaseError, nearest
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size, distinct
from imprimatur.sources.tables.relation import Cell, Reference, Row

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Inspector

    from imprimatur.config import TableAddress

__all__ = ["read_address"]

_AT_ONCE = 1000
_LONGEST_CELL = 1 << 20
_CONNECTING = 10
#: What PostgreSQL's codes of errors mean (its manual, appendix A).
_STATES = {
    "28P01": "the user or password is not accepted",
    "28000": "the user may not log in",
    "3D000": "there is no such database",
    "42501": "the user may not read it",
    "57014": "the limit of time is reached",
    "55P03": "a table is locked",
    "25006": "a view wants to write",
    "53300": "it has too many connections",
}


def read_address(source: TableAddress) -> tuple[RawTable, ...]:
    """The tables that a source names, as they are now.

    Raises:
        KnowledgeBaseError: no address, driver, connection or such table; no rights; more than is held, or out of time.
    """
    try:
        import sqlalchemy
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[sqlalchemy]'"
        raise KnowledgeBaseError("needs the extra `sqlalchemy`", where=source.origin, hint=hint) from fault
    until = time.monotonic() + source.seconds
    engine = _engine(source, until)
    try:
        with _named(source), _quietly(), engine.connect() as connection:
            _only_read(connection, source.seconds)
            inspector = sqlalchemy.inspect(connection)
            found = [_found(inspector, name, source) for name in source.tables]
            names = {(schema, name) for schema, name in found}
            made = tuple(_table(connection, inspector, each, names, source, until) for each in found)
            connection.rollback()
            return made
    finally:
        engine.dispose()


@contextmanager
def _named(source: TableAddress) -> Iterator[None]:
    """Whatever SQLAlchemy or a driver raises, in words that hold no secret."""
    try:
        yield
    except KnowledgeBaseError:
        raise
    except Exception as fault:  # each driver has errors of its own, and what they say may hold the address
        own = getattr(fault, "orig", None) or fault
        said = _STATES.get(str(getattr(own, "sqlstate", None) or getattr(own, "pgcode", "")))
        if said is None and isinstance(own, sqlite3.Error):
            said = "the limit of time is reached" if "interrupted" in str(own) else "it is no database, or locked"
        hint = "is it running, and are address, user and password right?"
        message = f"the database cannot be read: {said or type(own).__name__}"
        raise KnowledgeBaseError(message, where=source.origin, hint=hint) from None


@contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings of types that SQLAlchemy does not know: their values are read as text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _engine(source: TableAddress, until: float) -> Engine:
    import sqlalchemy
    from sqlalchemy import exc
    from sqlalchemy.pool import NullPool

    if source.address.fault:
        hint = "set it to the database's address, for instance postgresql+psycopg://user:password@host/name"
        raise KnowledgeBaseError("no address is there", where=source.address.origin, hint=hint)
    hint = ""
    options: dict[str, Any] = {"poolclass": NullPool, "hide_parameters": True}
    try:
        url = sqlalchemy.make_url(source.address.reveal())
        if url.get_backend_name() == "sqlite":
            if url.get_driver_name() != "pysqlite":
                hint = "write sqlite:///lights.db"
                raise KnowledgeBaseError("SQLite is read by its own driver alone", where=source.origin, hint=hint)
            path = _file(url.database, source)
            options["creator"] = lambda: _opened(path, until)
            url = sqlalchemy.make_url("sqlite://")
        elif url.get_driver_name() in ("psycopg", "psycopg2"):
            options["connect_args"] = {"connect_timeout": min(_CONNECTING, source.seconds)}
        engine = sqlalchemy.create_engine(url, **options)
        if not engine.dialect.is_async:
            return engine
        message, hint = "the driver is one for asyncio", "name another one, for instance postgresql+psycopg://…"
    except ModuleNotFoundError as fault:
        message = f"the driver {fault.name or 'of its dialect'!r} is not installed"
        hint = f"pip install {fault.name}" if fault.name else ""
    except exc.NoSuchModuleError:
        message, hint = "its dialect is not known", "install the package that brings it, or mend the address"
    except (exc.SQLAlchemyError, ValueError, TypeError):
        message, hint = "the address is none", "for instance postgresql+psycopg://user:password@host/name"
    raise KnowledgeBaseError(message, where=source.origin, hint=hint)


def _file(name: str | None, source: TableAddress) -> Path:
    if not name or name == ":memory:" or "\0" in name:
        hint = "for instance sqlite:///lights.db, which lies in the knowledge base's folder"
        raise KnowledgeBaseError("the address names no file", where=source.origin, hint=hint)
    if not os.path.isabs(name) and os.path.normpath(name).split(os.sep)[0] == os.pardir:
        hint = "use a path relative to the knowledge base's folder, or an absolute one"
        raise KnowledgeBaseError("the address leads out of the folder", where=source.origin, hint=hint)
    path = source.folder / name
    if not path.is_file():
        raise KnowledgeBaseError("there is no such file", where=source.origin, hint="check the address")
    return path


def _opened(path: Path, until: float) -> sqlite3.Connection:
    """A SQLite file, which cannot be written to; what runs too long is ended."""
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.set_progress_handler(lambda: int(time.monotonic() > until), 10_000)
    return connection


def _only_read(connection: Connection, seconds: int) -> None:
    """Has PostgreSQL see to it that nothing is written, and that all tables are of one moment."""
    from sqlalchemy import text

    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
        connection.execute(text(f"SET LOCAL statement_timeout = {seconds * 1000:d}"))
        connection.execute(text(f"SET LOCAL lock_timeout = {seconds * 1000:d}"))


_Found = tuple[str | None, str]


def _found(inspector: Inspector, named: str, source: TableAddress) -> _Found:
    """The schema and name of a table or view. Raises KnowledgeBaseError where there is none."""

    def known(schema: str | None) -> set[str]:
        names = {*inspector.get_table_names(schema=schema), *inspector.get_view_names(schema=schema)}
        if inspector.dialect.name == "postgresql":
            names |= {*inspector.get_materialized_view_names(schema=schema)}
        return names

    own = known(None)
    if named in own:
        return None, named
    schema, dot, name = named.partition(".")
    if dot and schema in inspector.get_schema_names():
        own = known(schema)
        if name in own:
            return _schema(inspector, schema), name
    near = nearest(name or named, own)
    hint = f"did you mean {near[:60]!r}?" if near else "name tables and views as the database does"
    raise KnowledgeBaseError(f"there is no table or view {named[:60]!r}", where=source.origin, hint=hint)


def _table(
    connection: Connection,
    inspector: Inspector,
    found: _Found,
    known: set[_Found],
    source: TableAddress,
    until: float,
) -> RawTable:
    from sqlalchemy import MetaData, Table, select, type_coerce
    from sqlalchemy.types import Boolean, NullType

    _in_time(source, until)
    schema, name = found
    where = f"{source.origin}, table {name}"
    table = Table(name, MetaData(), schema=schema, autoload_with=connection, resolve_fks=False)
    keys = [column.name for column in table.primary_key.columns]
    names = distinct([column.name for column in table.columns], where)
    plain = connection.dialect.name == "sqlite"  # its columns hold anything, whatever type they declare
    columns = [type_coerce(column, NullType()).label(column.name) for column in table.columns]
    query = select(*(columns if plain else table.columns)).select_from(table).order_by(*table.primary_key.columns)
    flags = [isinstance(column.type, Boolean) for column in table.columns]
    rows: list[tuple[Cell, ...]] = []
    for partition in connection.execution_options(yield_per=_AT_ONCE).execute(query).partitions():
        _in_time(source, until)
        for row in partition:
            values = [bool(v) if is_flag and v in (0, 1) else v for v, is_flag in zip(row, flags)] if plain else row
            rows.append(tuple(_cell(value, where) for value in values))
        checked_size(len(rows) * len(names), where)
    if not keys:
        rows.sort(key=lambda row: tuple(cell or "" for cell in row))  # any order will do, but always the same
    return RawTable(
        name=name,
        origin=source.origin,
        names=names,
        rows=tuple(Row(place=_place(name, number, row, names, keys), cells=row) for number, row in enumerate(rows, 1)),
        keys=frozenset(keys if len(keys) == 1 else ()),
        refers=tuple(_references(inspector, found, known)),
    )


def _in_time(source: TableAddress, until: float) -> None:
    if time.monotonic() > until:
        hint = "raise `seconds`, or name a view that holds less"
        raise KnowledgeBaseError(f"reading takes longer than {source.seconds} s", where=source.origin, hint=hint)


def _references(inspector: Inspector, found: _Found, known: set[_Found]) -> Iterator[tuple[str, Reference]]:
    """The foreign keys of one column each, to tables that are read, too."""
    schema, name = found
    for key in inspector.get_foreign_keys(name, schema=schema):
        own, there = key["constrained_columns"], key["referred_columns"]
        to = key["referred_table"]
        if len(own) == len(there) == 1 and (_schema(inspector, key["referred_schema"]), to) in known:
            yield str(own[0]), Reference(str(to), str(there[0]))


def _schema(inspector: Inspector, name: str | None) -> str | None:
    """A schema; None for the one that is meant where none is named."""
    return None if name == inspector.default_schema_name else name


def _place(table: str, number: int, row: Sequence[Cell], names: Sequence[str], keys: Sequence[str]) -> str:
    """Where a row stands: by its key, if it has one."""
    told = [f"{key} = {str(row[names.index(key)])[:60]}" for key in keys if key in names]
    return f"{table}, {', '.join(told) or f'row {number}'}"


def _cell(value: Any, where: str) -> Cell:
    """What a value says; what is no text, number, date or truth says nothing."""
    if value is None or isinstance(value, bytes | bytearray | memoryview):
        return None
    if isinstance(value, bool | int | str):
        made = value
    elif isinstance(value, float):
        made = repr(value).removesuffix(".0")
    elif isinstance(value, Decimal):
        made = format(value, "f") if value.is_finite() else ""
    elif isinstance(value, datetime):
        made = value.isoformat(sep=" ")
    elif isinstance(value, date | clock):
        made = value.isoformat()
    elif isinstance(value, list | tuple | set | dict):
        made = json.dumps(value, default=str, ensure_ascii=False) if isinstance(value, dict) else _listed(value)
    else:
        made = str(value)
    if isinstance(made, str) and len(made) > _LONGEST_CELL:
        raise KnowledgeBaseError("a cell is too long", where=where, hint="name a view that leaves it out")
    return cell_of(made)


def _listed(values: Sequence[Any] | set[Any]) -> str:
    return "; ".join(str(value) for value in values)
