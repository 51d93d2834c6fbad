"""Databases behind an address: read as they are now, never written to, and no secret of theirs is told."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from imprimatur import Oracle
from imprimatur.config import TableAddress, load_folder
from imprimatur.errors import ConfigError, ImprimaturError, KnowledgeBaseError
from imprimatur.report_json import report_to_dict
from imprimatur.sources.tables.relation import Reference

pytest.importorskip("sqlalchemy", reason="needs the extra `sqlalchemy`")

from imprimatur.sources.tables.addressed import read_address

_SECRET = "s3cret-Pass%2Fword-of-the-database"
_MADE = """
CREATE TABLE keepers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE);
CREATE TABLE lights (
  id INTEGER PRIMARY KEY, name TEXT, "height (m)" NUMERIC(6, 2), colour TEXT, tidal BOOLEAN,
  keeper_id INTEGER REFERENCES keepers (id), year_built INTEGER
);
INSERT INTO keepers VALUES (1, 'Ann Marlow', '1950-02-03'), (2, 'Jo Tarn', '1962-05-06');
INSERT INTO lights VALUES (2, 'Holm Light', 41.5, 'green', TRUE, 2, 1902);
INSERT INTO lights VALUES (1, 'Skerry Light', 30, 'red', FALSE, 1, 1871), (3, 'Bain Light', NULL, '', NULL, 1, 1911);
CREATE VIEW tall AS SELECT name, "height (m)" FROM lights WHERE "height (m)" > 35;
"""
_SENTENCES = {
    "supported": (
        "Skerry Light is 30 m tall.",
        "Holm Light is tidal.",
        "The keeper of Holm Light was born in 1962.",
        "The keeper of Skerry Light is Ann Marlow.",
        "Holm Light was built in 1902.",
        "There are three lights.",
        "Two lights were built after 1900.",
    ),
    "contradicted": (
        "Skerry Light is 31 m tall.",
        "Skerry Light is tidal.",
        "The keeper of Holm Light was born in 1950.",
        "There are two lights.",
    ),
    "not_found": ("Bain Light is 3 m tall.", "Bain Light is tidal.", "Bain Light is not tidal."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a SQLite file."""
    with closing(sqlite3.connect(tmp_path / "lights.db")) as connection:
        connection.executescript(_MADE)
    return tmp_path


def _configured(folder: Path, entry: str) -> Path:
    (folder / "imprimatur.yaml").write_text(f"version: 1\ntables:\n  - {{{entry}}}\n", encoding="utf-8")
    return folder


def _source(folder: Path, entry: str, **environ: str) -> TableAddress:
    (source,) = load_folder(_configured(folder, entry), environ=environ).tables
    assert isinstance(source, TableAddress)
    return source


def _label(oracle: Oracle, sentence: str) -> str:
    return oracle.check(sentence).segments[0].label.value


def _judged(folder: Path, entry: str) -> None:
    oracle = Oracle.from_folder(_configured(folder, entry))
    for label, sentences in _SENTENCES.items():
        for sentence in sentences:
            assert (_label(oracle, sentence), sentence) == (label, sentence)


def test_tables_of_sqlite(folder: Path) -> None:
    """Names, keys, references, rows in the order of their keys, and where each stands."""
    keepers, lights, tall = read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [keepers, lights, tall]'))
    assert (keepers.name, keepers.keys, keepers.origin) == ("keepers", frozenset(("id",)), "sqlite:///lights.db")
    assert lights.refers == (("keeper_id", Reference("keepers", "id")),)
    assert [row.cells[:4] for row in lights.rows] == [
        ("1", "Skerry Light", "30", "red"),
        ("2", "Holm Light", "41.5", "green"),
        ("3", "Bain Light", None, None),
    ]
    assert [row.place for row in lights.rows][:1] == ["lights, id = 1"]
    assert (tall.rows[0].cells, tall.rows[0].place) == (("Holm Light", "41.5"), "tall, row 1")
    (alone,) = read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [lights]'))
    assert alone.refers == ()


def test_sentences_are_judged_by_sqlite(folder: Path) -> None:
    """As by files; evidence says the database, the table and the key."""
    entry = 'url: "sqlite:///lights.db", tables: [keepers, lights], complete: [lights]'
    _judged(folder, entry)
    (claim,) = Oracle.from_folder(folder).check("Skerry Light is 30 m tall.").segments[0].claims
    assert [each.origin for each in claim.verdict.evidence] == ["sqlite:///lights.db, lights, id = 1"]


def test_a_changed_database_is_read_anew(folder: Path) -> None:
    """Each opening reads the rows as they are then."""
    _configured(folder, 'url: "sqlite:///lights.db", tables: [keepers, lights], complete: [lights]')
    before = (folder / "lights.db").read_bytes()
    assert _label(Oracle.from_folder(folder), "Skerry Light is 30 m tall.") == "supported"
    assert (folder / "lights.db").read_bytes() == before
    with closing(sqlite3.connect(folder / "lights.db")) as connection, connection:
        connection.execute('UPDATE lights SET "height (m)" = 31 WHERE id = 1')
    oracle = Oracle.from_folder(folder)
    assert _label(oracle, "Skerry Light is 30 m tall.") == "contradicted"
    assert _label(oracle, "Skerry Light is 31 m tall.") == "supported"


def test_only_reading_statements(folder: Path) -> None:
    """What goes to the database asks; what an address says of the way to open a file is not obeyed."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    seen: list[str] = []

    def listen(connection: object, cursor: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        read_address(_source(folder, 'url: "sqlite:///lights.db?mode=rwc&uri=true", tables: [keepers, lights, tall]'))
    finally:
        event.remove(Engine, "before_cursor_execute", listen)
    assert len(seen) > 3
    assert {statement.split(None, 1)[0] for statement in seen} <= {"SELECT", "PRAGMA"}
    assert not [statement for statement in seen if "=" in statement and statement.startswith("PRAGMA")]
    assert sorted(path.name for path in folder.iterdir()) == ["imprimatur.yaml", "lights.db"]


def test_columns_of_sqlite_hold_anything(folder: Path) -> None:
    """What is not of the declared type is text or silence, never an error or another value."""
    with closing(sqlite3.connect(folder / "lights.db")) as connection, connection:
        connection.execute("CREATE TABLE odd (name TEXT, born DATE, size NUMERIC, at DATETIME, raw BLOB, ok BOOLEAN)")
        connection.execute(
            "INSERT INTO odd VALUES ('a', 'some day', 'big', 7, x'00ff', 'perhaps'), (1e21, 2.0, x'31', '', 'x', 1)"
        )
    (odd,) = read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [odd]'))
    assert sorted(row.cells for row in odd.rows) == [
        ("1.0e+21", "2", None, None, "x", "true"),
        ("a", "some day", "big", "7", None, "perhaps"),
    ]


@pytest.mark.parametrize(
    "name", ["lights; DROP TABLE lights", 'lights" --', "lights'", "sqlite_master", "", "LIGHTS ", "a.b.c"]
)
def test_names_are_names(folder: Path, name: str) -> None:
    """What is no table's name reaches no statement."""
    quoted = name.replace("'", "''")
    with pytest.raises(KnowledgeBaseError, match="there is no table or view"):
        read_address(_source(folder, f"url: \"sqlite:///lights.db\", tables: ['{quoted}']"))
    assert len(read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [lights]'))[0].rows) == 3


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:///missing.db", "there is no such file"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///imprimatur.yaml", "it is no database, or locked"),
        ("nothing://host/x", "dialect is not known"),
        ("mysql+nodriver://host/x", "dialect is not known"),
        ("oracle+cx_oracle://host/x", "the driver 'cx_Oracle' is not installed"),
        ("sqlite+aiosqlite:///lights.db", "by its own driver alone"),
        ("postgresql+asyncpg://host/x", "asyncpg|asyncio"),
        ("sqlite:///../lights.db", "leads out of the folder"),
        ("sqlite:///x/../../lights.db", "leads out of the folder"),
    ],
)
def test_addresses_that_lead_nowhere(folder: Path, url: str, said: str) -> None:
    """Each is an error that says what is wrong."""
    with pytest.raises(KnowledgeBaseError, match=said) as raised:
        read_address(_source(folder, f'url: "{url}", tables: [lights]'))
    assert raised.value.hint


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://ann:{_SECRET}@127.0.0.1:1/lights",
        f"postgresql+psycopg://ann:{_SECRET}@127.0.0.1:1/lights?connect_timeout=x",
        f"nothing://ann:{_SECRET}@host/x",
        f"postgresql+psycopg://ann:{_SECRET}@host:port/x",
        f"sqlite:///{_SECRET}.db",
        f"sqlite+pysqlite://ann:{_SECRET}@host/x.db",
        f"ann:{_SECRET}@host",
        f"{_SECRET}",
    ],
)
def test_a_secret_is_never_told(folder: Path, url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not in an error, its trace, a log, or what is shown of the configuration."""
    caplog.set_level("DEBUG")
    source = _source(folder, "url_env: LIGHTS_URL, tables: [lights]", LIGHTS_URL=url)
    with pytest.raises(ImprimaturError) as raised:
        read_address(source)
    fault = raised.value
    told = "\n".join((str(fault), fault.hint, *traceback.format_exception(fault), repr(source), caplog.text))
    assert "s3cret" not in told
    assert fault.where == "database LIGHTS_URL" or "LIGHTS_URL" in fault.where


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("url: 'postgresql://ann:pw@host/x', tables: [a]", "has a password in it"),
        ("url: 'postgresql://host/x?password=pw', tables: [a]", "has a password in it"),
        ("url: 'postgresql://host/x?sslkey=pw', tables: [a]", "has a password in it"),
        ("url: '${LIGHTS_URL}', tables: [a]", "has a password in it"),
        ("url: 'no address', tables: [a]", "is not the address of a database"),
        ("url: 'sqlite:///lights.db'", "is missing"),
        ("url: 'sqlite:///lights.db', url_env: X, tables: [a]", "not both"),
        ("url: 'sqlite:///lights.db', tables: [a], file: lights.db", "unknown key"),
        ("url_env: 'postgresql://ann:pw@host/x', tables: [a]", "is not the name of an environment variable"),
        ("url: 'sqlite:///lights.db', tables: [a], seconds: 0", "between 1 and 3600"),
    ],
)
def test_entries_that_are_none(folder: Path, entry: str, said: str) -> None:
    """A password stands in no file, and no error repeats one."""
    with pytest.raises(ConfigError, match=said) as raised:
        _source(folder, entry, LIGHTS_URL="postgresql://ann:pw@host/x")
    assert "pw" not in str(raised.value)


def test_no_address_in_the_environment(folder: Path) -> None:
    """It is said when the tables are opened, not before."""
    with pytest.raises(KnowledgeBaseError, match="no address is there"):
        read_address(_source(folder, "url_env: LIGHTS_URL, tables: [lights]"))


def test_the_limit_of_time(folder: Path) -> None:
    """A view without end is ended."""
    with closing(sqlite3.connect(folder / "lights.db")) as connection, connection:
        connection.execute(
            "CREATE VIEW endless AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) "
            "SELECT n AS name FROM t WHERE n < 0"
        )
    with pytest.raises(KnowledgeBaseError, match="the limit of time is reached"):
        read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [endless], seconds: 1'))


def test_more_than_is_held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are counted while they come."""
    monkeypatch.setattr("imprimatur.sources.tables.raw.MOST_CELLS", 20)
    with pytest.raises(KnowledgeBaseError, match="more than 20 cells"):
        read_address(_source(folder, 'url: "sqlite:///lights.db", tables: [lights]'))


# -- PostgreSQL --------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server on loopback, without the name of a database; skipped where there is none."""
    pytest.importorskip("psycopg", reason="needs psycopg, a driver for PostgreSQL")
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *map(Path, os.environ.get("PATH", "").split(":"))]
    binaries = next((each for each in folders if (each / "initdb").is_file() and (each / "postgres").is_file()), None)
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed (Debian: postgresql)")
    user = "postgres" if os.getuid() == 0 else None  # the server refuses to run as root
    if user is not None and user not in {each.pw_name for each in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user `postgres`")
    home = Path(tempfile.mkdtemp(prefix="imprimatur-postgres-"))
    try:
        (home / "password").write_text("s3cret", encoding="utf-8")
        if user is not None:
            for each in (home, home / "password"):
                shutil.chown(each, user)
        made = [str(binaries / "initdb"), "-D", str(home / "data"), "-U", "ann", "-A", "scram-sha-256"]
        made += ["--pwfile", str(home / "password"), "-E", "UTF8", "--locale", "C", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, user=user, cwd=home)
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        control = [str(binaries / "pg_ctl"), "-D", str(home / "data"), "-w", "-t", "60", "-l", str(home / "log")]
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {home} -F"
        subprocess.run([*control, "-o", options, "start"], check=True, user=user, cwd=home, stdout=subprocess.DEVNULL)
        try:
            yield f"postgresql+psycopg://ann:s3cret@127.0.0.1:{port}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, user=user, cwd=home, capture_output=True)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _execute(server: str, *statements: str) -> None:
    import psycopg

    with psycopg.connect(server.replace("+psycopg", "") + "/postgres", autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type, unused-ignore]


@pytest.mark.slow
def test_postgresql(server: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real server: the same sentences, its own types, views that write, schemas, limits, faults without secrets."""
    _execute(
        server,
        *(each for each in _MADE.split(";") if each.strip()),
        "CREATE SCHEMA other",
        "CREATE TABLE other.kinds "
        "(name text, many text[], day timestamp, part interval, more jsonb, id uuid, big numeric, spot point)",
        "INSERT INTO other.kinds VALUES "
        "('a', '{x,y}', '2001-05-03 10:00', '1 day', '{\"k\": 1}', gen_random_uuid(), 1e3, '(1,2)')",
        "CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS 'UPDATE lights SET colour = ''x'' RETURNING 1'",
        "CREATE VIEW writing AS SELECT writes() AS name",
        "CREATE VIEW slow AS SELECT pg_sleep(30)::text AS name",
        "CREATE TABLE secret_things (name text)",
        "CREATE MATERIALIZED VIEW kept AS SELECT name FROM lights",
        "CREATE ROLE jo LOGIN PASSWORD 'other'",
        "GRANT SELECT ON lights TO jo",
    )
    monkeypatch.setenv("LIGHTS_URL", f"{server}/postgres")
    _judged(folder, "url_env: LIGHTS_URL, tables: [keepers, public.lights], complete: [lights]")
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    report = oracle.check("Skerry Light is 30 m tall.")
    (claim,) = report.segments[0].claims
    assert [each.origin for each in claim.verdict.evidence] == ["database LIGHTS_URL, lights, id = 1"]
    kept = [path.read_bytes() for path in (folder / "cache").rglob("*") if path.is_file()]
    shown = [*kept, json.dumps(report_to_dict(report)).encode(), json.dumps(oracle.info()).encode()]
    assert kept
    assert not [text for text in shown if b"s3cret" in text or b"ann:" in text]

    (kinds,) = read_address(_source(folder, "url_env: U, tables: [other.kinds]", U=f"{server}/postgres"))
    name, many, day, part, more, _, big, spot = kinds.rows[0].cells
    assert (name, many, day, big, spot) == ("a", "x; y", "2001-05-03 10:00:00", "1000", "(1,2)")
    assert (part, more) == ("1 day, 0:00:00", '{"k": 1}')

    (stored,) = read_address(_source(folder, "url_env: U, tables: [kept]", U=f"{server}/postgres"))
    assert len(stored.rows) == 3

    jo = server.replace("ann:s3cret", "jo:other")
    faults = {
        ("writing", f"{server}/postgres"): "a view wants to write",
        ("slow", f"{server}/postgres"): "the limit of time is reached",
        ("secret_things", f"{jo}/postgres"): "the user may not read it",
        ("nothing", f"{server}/postgres"): "there is no table or view",
        ("lights", f"{server}/nothing"): "cannot be read",
        ("lights", f"{server.replace('s3cret', 'wr0ng')}/postgres"): "cannot be read",
        ("lights", f"{server.replace('127.0.0.1', '127.0.0.2')}/postgres"): "cannot be read",
    }
    for (table, url), said in faults.items():
        with pytest.raises(KnowledgeBaseError, match=said) as raised:
            read_address(_source(folder, f"url_env: U, tables: [{table}], seconds: 2", U=url))
        told = "".join(traceback.format_exception(raised.value))
        assert not [each for each in ("s3cret", "wr0ng", "other@") if each in told]

    _execute(
        server,
        'UPDATE lights SET "height (m)" = 31 WHERE id = 1',
        "UPDATE keepers SET born = '1963-01-01' WHERE id = 2",
    )
    oracle = Oracle.from_folder(_configured(folder, "url_env: LIGHTS_URL, tables: [keepers, lights]"))
    assert _label(oracle, "Skerry Light is 30 m tall.") == "contradicted"
    assert _label(oracle, "The keeper of Holm Light was born in 1962.") == "contradicted"
    (lights,) = read_address(_source(folder, "url_env: U, tables: [lights]", U=f"{server}/postgres"))
    assert [row.cells[3] for row in lights.rows] == ["red", "green", None]
