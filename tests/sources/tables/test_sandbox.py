"""The sandbox: what a model writes runs within its step and its limits, and proves something only from the tables."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")

from imprimatur.sources.tables.sandbox import Sandbox
from imprimatur.sources.tables.sql_steps import SqlFailed, SqlLimits, SqlRefused, Step

_ROWS = [("Rhine", 1230.0, "CH"), ("Volga", 3531.0, "RU"), ("Esk", None, "UK")]
_HOSTILE = [
    tuple(line.split(" | ", 1))
    for line in (Path(__file__).parent / "hostile.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Three rivers, and limits that a test can wait for."""
    with Sandbox(SqlLimits(seconds=5, steps=2_000_000)) as made:
        made.add("rivers", [("name", "TEXT"), ("length", "REAL"), ("country", "TEXT")], _ROWS)
        yield made


def _content(sandbox: Sandbox) -> object:
    return sandbox.tables(), sandbox.run("SELECT * FROM rivers", Step.QUERY).rows


def test_there_are_a_hundred() -> None:
    """As many as are promised."""
    assert len(_HOSTILE) >= 100


@pytest.mark.parametrize(("step", "sql"), _HOSTILE)
def test_hostile_statements_are_stopped(sandbox: Sandbox, step: str, sql: str) -> None:
    """Each is refused, or ended by a limit, in words of one line; the database is what it was, and still answers."""
    before = _content(sandbox)
    with pytest.raises((SqlRefused, SqlFailed)) as stopped:
        sandbox.run(sql, Step(step))
    assert stopped.value.message
    assert "\n" not in stopped.value.message
    assert _content(sandbox) == before


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT length FROM rivers WHERE name = 'Rhine'", [(1230.0,)]),
        ("SELECT * FROM rivers WHERE length > 2000", [("Volga", 3531.0, "RU")]),
        ("SELECT count(*) FROM rivers WHERE length > 1000", [(2,)]),
        ("SELECT count(*) FROM rivers", [(3,)]),
        ("SELECT max(length), min(length), avg(length), sum(length) FROM rivers", [(3531.0, 1230.0, 2380.5, 4761.0)]),
        ("SELECT name FROM rivers ORDER BY length DESC LIMIT 1", [("Volga",)]),
        ("SELECT name FROM rivers WHERE length = (SELECT max(length) FROM rivers)", [("Volga",)]),
        ("SELECT a.length - b.length FROM rivers a, rivers b WHERE a.name = 'Volga' AND b.name = 'Rhine'", [(2301.0,)]),
        ("SELECT length > 1000 FROM rivers WHERE name = 'Rhine'", [(1,)]),
        ("SELECT EXISTS (SELECT 1 FROM rivers WHERE name = 'Rhine')", [(1,)]),
        ("SELECT 100.0 * sum(length > 2000) / count(*) FROM rivers WHERE length > 0", [(50.0,)]),
        ("SELECT sum(CASE WHEN length > 1000 THEN 1 ELSE 0 END) FROM rivers", [(2,)]),
        ("SELECT length / 1000 FROM rivers WHERE name = 'Volga'", [(3.531,)]),
        ("SELECT name, rank() OVER (ORDER BY length DESC) FROM rivers WHERE length > 0", [("Volga", 1), ("Rhine", 2)]),
        ("WITH far AS (SELECT name FROM rivers WHERE length > 2000) SELECT name FROM far", [("Volga",)]),
        ("SELECT name FROM rivers WHERE length IS NULL", [("Esk",)]),
        ("SELECT length FROM rivers WHERE name = 'Esk'", [(None,)]),
        ("SELECT name FROM rivers WHERE name LIKE 'Vol%'", [("Volga",)]),
        ("SELECT upper(name) FROM rivers WHERE country = 'RU'", [("VOLGA",)]),
    ],
)
def test_what_verifies(sandbox: Sandbox, sql: str, rows: list[tuple[object, ...]]) -> None:
    """Look-ups, filters, comparisons, ranks, counts, sums and shares run, and say what they read."""
    found = sandbox.run(sql, Step.VERIFY)
    assert list(found.rows) == rows
    assert {table for table, _ in found.read} == {"rivers"}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 42",
        "SELECT 42 FROM rivers",
        "SELECT 42, length FROM rivers",
        "SELECT 42 FROM rivers WHERE name = 'Rhine'",
        "SELECT CASE WHEN name = 'Rhine' THEN 42 END FROM rivers",
        "SELECT CASE name WHEN 'Rhine' THEN 42 ELSE length END FROM rivers",
        "SELECT CASE WHEN length > 1 THEN 42 ELSE 42 END FROM rivers",
        "SELECT iif(name = 'Rhine', 42, length) FROM rivers",
        "SELECT coalesce(length, 42) FROM rivers",
        "SELECT ifnull(length, 42) FROM rivers",
        "SELECT nullif(42, length) FROM rivers",
        "SELECT length * 0 + 42 FROM rivers",
        "SELECT length - length + 42 FROM rivers WHERE name = 'Rhine'",
        "SELECT (name = 'Rhine') * 42 FROM rivers",
        "SELECT max(name = 'Rhine') * 42 FROM rivers",
        "SELECT max(CASE WHEN name = 'Rhine' THEN 42 END) FROM rivers",
        "SELECT replace(name, name, '42') FROM rivers",
        "SELECT substr('42 it is', 1, length(name) * 0 + 2) FROM rivers",
        "SELECT name || ' is 42 km long' FROM rivers",
        "SELECT (SELECT 42) FROM rivers",
        "SELECT v FROM (SELECT 42 AS v FROM rivers)",
        "SELECT v FROM (SELECT 42 AS v), rivers",
        "SELECT column1 FROM (VALUES (42))",
        "SELECT length FROM rivers UNION SELECT 42",
        "SELECT length FROM rivers UNION ALL VALUES (42)",
        "WITH claimed (v) AS (SELECT 42) SELECT v FROM claimed, rivers",
        "VALUES (42)",
        "SELECT typeof(name) FROM rivers",
        "SELECT length FROM (SELECT 42 AS length)",
    ],
)
def test_what_proves_nothing(sandbox: Sandbox, sql: str) -> None:
    """A query that brings the claimed value with it is refused, however it hides it."""
    with pytest.raises(SqlRefused):
        sandbox.run(sql, Step.VERIFY)


def test_storing(sandbox: Sandbox) -> None:
    """Tables, columns and rows may be added; a row that a key knows already is passed over."""
    for sql in (
        "CREATE TABLE IF NOT EXISTS lakes (id INTEGER PRIMARY KEY, name TEXT UNIQUE, river TEXT REFERENCES rivers)",
        "ALTER TABLE lakes ADD COLUMN depth REAL",
        "INSERT OR IGNORE INTO lakes (name, depth) VALUES ('Constance', 251), ('Constance', 99)",
        "INSERT INTO lakes (name) SELECT country FROM rivers WHERE NOT EXISTS"
        " (SELECT 1 FROM lakes WHERE lakes.name = rivers.country) AND length > 2000",
    ):
        sandbox.run(sql, Step.STORE)
    assert sandbox.tables()["lakes"] == ("id", "name", "river", "depth")
    assert sandbox.run("SELECT name, depth FROM lakes", Step.QUERY).rows == (("Constance", 251.0), ("RU", None))


@pytest.mark.parametrize("sql", ["PRAGMA table_info(rivers)", "pragma table_info('rivers');"])
def test_inspecting(sandbox: Sandbox, sql: str) -> None:
    """The columns of a table may be asked for as models ask for them."""
    assert [row[1] for row in sandbox.run(sql, Step.INSPECT).rows] == ["name", "length", "country"]


def test_rows_are_bounded() -> None:
    """More rows than may come back are cut, and that is said."""
    with Sandbox(SqlLimits(rows=10)) as sandbox:
        sandbox.add("n", [("v", "INTEGER")], [(number,) for number in range(50)])
        found = sandbox.run("SELECT v FROM n", Step.QUERY)
    assert (len(found.rows), found.cut) == (10, True)


def test_size_is_bounded() -> None:
    """Rows that hold more than may come back are cut; a database that would outgrow its limit is not written to."""
    with Sandbox(SqlLimits(characters=1000, pages=50)) as sandbox:
        sandbox.add("n", [("v", "TEXT")], [("x" * 600,)] * 3)
        assert sandbox.run("SELECT v FROM n", Step.QUERY).cut
        insert = "INSERT INTO n VALUES ('" + "y" * 15_000 + "')"
        for _ in range(5):
            sandbox.run(insert, Step.STORE)
        sandbox.run("INSERT INTO n SELECT v FROM n", Step.STORE)
        with pytest.raises(SqlFailed, match="full"):
            sandbox.run("INSERT INTO n SELECT v FROM n", Step.STORE)
        assert sandbox.run("SELECT count(*) FROM n", Step.QUERY).rows == ((16,),)


def test_names_are_data(sandbox: Sandbox) -> None:
    """A table or column may be called anything."""
    sandbox.add('a"; DROP TABLE rivers; --', [('x" y', "TEXT")], [("1",)])
    assert sandbox.tables()['a"; DROP TABLE rivers; --'] == ('x" y',)
    assert len(sandbox.run("SELECT * FROM rivers", Step.QUERY).rows) == 3


@pytest.mark.parametrize("step", Step)
def test_half_a_character_is_refused(sandbox: Sandbox, step: Step) -> None:
    """What cannot be written as UTF-8 is no statement, and no fault of the engine."""
    with pytest.raises(SqlRefused, match="half a character"):
        sandbox.run("SELECT name FROM rivers WHERE name = '\ud83d'", step)


def test_a_statement_may_be_run_again(sandbox: Sandbox) -> None:
    """What it reads is seen each time, and in another step it is asked about anew."""
    sql = "SELECT length FROM rivers WHERE name = 'Rhine'"
    found = [sandbox.run(sql, step) for step in (Step.VERIFY, Step.VERIFY, Step.QUERY, Step.VERIFY)]
    assert {each.rows for each in found} == {((1230.0,),)}
    assert {table for each in found for table, _ in each.read} == {"rivers"}
    assert all(each.read for each in found)


def test_a_statement_is_authorized_each_time() -> None:
    """The same text under another step is looked at anew, and what it reads is known each time."""
    with Sandbox() as sandbox:
        sandbox.add("rivers", [("name", "TEXT")], [("Esk",)])
        query = "SELECT name FROM rivers"
        reads = [sandbox.run(query, step).read for step in (Step.QUERY, Step.VERIFY, Step.VERIFY)]
        assert reads == [frozenset({("rivers", "name")})] * 3


def test_threads_take_turns() -> None:
    """Queries of several threads, with narrow and with wide limits, each find what they ask for."""
    with Sandbox(SqlLimits(rows=5)) as sandbox:
        sandbox.add("numbers", [("n", "INTEGER")], [(n,) for n in range(100)])

        def asked(number: int) -> int:
            if number % 2:
                return len(sandbox.look_up("SELECT n FROM numbers").rows)
            return len(sandbox.run("SELECT n FROM numbers", Step.QUERY).rows)

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(asked, range(80))) == [5, 100] * 40
        assert len(sandbox.run("SELECT n FROM numbers", Step.QUERY).rows) == 5
