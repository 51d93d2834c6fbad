"""The database and its parts: rows with their words, lineage of queries, quotations and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")

from imprimatur.sources.tables.sql_steps import SqlFailed, SqlLimits, SqlRefused, Step
from imprimatur.teqhallu.building import portions
from imprimatur.teqhallu.database import Database
from imprimatur.teqhallu.lineage import compared, inserts_into, measuring, traced
from imprimatur.teqhallu.spans import bounds_in, located, missing_in, numbers_of, place, sentences_of, unheld

TEXT = "Elm Brook is 12 km long. Oak Brook is 30 km long. Ash Brook, with 7 km, was surveyed on 3 May 1904."
_CREATE = "CREATE TABLE brooks (id INTEGER PRIMARY KEY, entity_id TEXT, name TEXT, km REAL, surveyed TEXT)"


def _insert(name: str, km: float, surveyed: str = "NULL") -> str:
    row = f"'brook:{name.lower()}', '{name} Brook', {km}, {surveyed}"
    return f"INSERT INTO brooks (entity_id, name, km, surveyed) VALUES ({row})"


@pytest.fixture
def database() -> Iterator[Database]:
    """Three brooks."""
    with Database() as made:
        made.texts.append(TEXT)
        made.make(_CREATE)
        made.insert(_insert("Elm", 12), "Elm Brook is 12 km long")
        made.insert(_insert("Oak", 30), "Oak Brook is\n30 km long.")
        made.insert(_insert("Ash", 7, "'1904-05-03'"), "Ash Brook, with 7 km, was surveyed on 3 May 1904")
        yield made


@pytest.mark.parametrize(
    ("sql", "from_", "whole"),
    [
        ("SELECT km FROM brooks WHERE name = 'Elm Brook'", ["Elm"], True),
        ("SELECT name FROM brooks ORDER BY km DESC LIMIT 1", ["Oak"], True),
        ("SELECT sum(km) FROM brooks WHERE km > 10", ["Elm", "Oak"], True),
        ("SELECT count(*) FROM brooks", ["Elm", "Oak", "Ash"], True),
        ("SELECT DISTINCT surveyed FROM brooks LIMIT 1", ["Elm", "Oak", "Ash"], True),
        ("SELECT surveyed, max(km) FROM brooks GROUP BY surveyed", ["Elm", "Oak", "Ash"], True),
        ("SELECT a.km FROM brooks a JOIN brooks b ON a.km < b.km WHERE b.name = 'Elm Brook'", ["Ash", "Elm"], True),
        ("SELECT name FROM brooks WHERE km = (SELECT max(km) FROM brooks)", ["Elm", "Oak", "Ash"], False),
        ("WITH far AS (SELECT name FROM brooks WHERE km > 20) SELECT name FROM far", ["Elm", "Oak", "Ash"], False),
        ("SELECT name FROM brooks WHERE km > 20 UNION SELECT name FROM brooks", ["Elm", "Oak", "Ash"], False),
    ],
)
def test_rows_lead_to_their_words(database: Database, sql: str, from_: list[str], whole: bool) -> None:
    """Of a plain query those of its rows, of one that puts rows together all that went in, else all of its tables."""
    shown = database.verify(sql)
    assert [span.text.split()[0] for span in shown.spans] == from_
    assert shown.whole is whole
    assert all(TEXT[span.start : span.end] == span.text for span in shown.spans)


def test_repeated_rows_are_not_counted_twice(database: Database) -> None:
    """A row that says what another says is passed over, so that counts stay right."""
    database.insert(_insert("Elm", 12), "Elm Brook is 12 km long")
    assert (database.rows, database.repeated) == (3, 1)
    database.insert(_insert("Bog", 30), "no such words")
    database.insert(_insert("Bog", 30), "Oak Brook is 30 km long")
    assert (database.rows, database.repeated, database.unmarked) == (4, 1, 1)
    assert database.verify("SELECT count(*) FROM brooks").rows == ((4,),)


def test_a_row_keeps_to_its_words(database: Database) -> None:
    """Every number has to be in them, in its own unit; the words have to be in the text."""
    for sql, quote in (
        (_insert("Elm", 12000), "Elm Brook is 12 km long"),
        (_insert("Elm", 13), "Elm Brook is 12 km long"),
        (_insert("Elm", 13), "Elm Brook is 13 km long"),
        (_insert("Elm", 12, "'1905-05-03'"), "Elm Brook is 12 km long"),
        (_insert("Elm", 12, "'x'"), "..."),
        ("INSERT INTO brooks (name, km) SELECT name, km + 1 FROM brooks WHERE km = 30", "Oak Brook is 30 km long"),
    ):
        database.insert(sql, quote)
    assert (database.rows, database.unmarked) == (3, 6)
    assert database.look("SELECT count(*) FROM brooks", Step.QUERY).rows == ((9,),)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE t (a TEXT) WITHOUT ROWID",
        "CREATE TABLE t (a TEXT, RowId INTEGER)",
        "ALTER TABLE brooks ADD COLUMN oid TEXT",
        "INSERT INTO brooks (name) VALUES ('Elm')",
        "DROP TABLE brooks",
    ],
)
def test_what_does_not_make_a_table(database: Database, sql: str) -> None:
    """Row ids are ours, rows come with their words, and nothing is taken away."""
    with pytest.raises(SqlRefused):
        database.make(sql)
    assert database.rows == 3


def test_aliases(database: Database) -> None:
    """Only for ids of rows; chains are followed, circles are not made, and no row is changed."""
    assert database.align([("elm", "brook:elm"), ("x", "y"), ("brook:elm", "elm"), ("elm", "brook:oak")]) == 1
    assert [database.resolved(each) for each in ("elm", "brook:elm", "x")] == ["brook:elm", "brook:elm", "x"]
    assert database.align([("brook:oak", "brook:ash"), ("oak", "brook:oak")]) == 2
    assert database.resolved("oak") == "brook:ash"
    assert database.entities() == ("brook:ash", "brook:elm", "brook:oak")


def test_a_table_has_an_end() -> None:
    """More rows than can be followed are an error, and none of them is used."""
    with Database(SqlLimits(rows=3)) as small:
        small.texts.append(TEXT)
        small.make("CREATE TABLE t (a TEXT)")
        for value in ("Elm", "Oak", "Ash"):
            small.insert(f"INSERT INTO t VALUES ('{value}')", f"{value} Brook")
        with pytest.raises(SqlFailed, match="as many rows"):
            small.insert("INSERT INTO t VALUES ('Brook')", "Elm Brook")
        assert small.rows == 3


def test_statements_are_read() -> None:
    """What an INSERT adds to, which outputs are free of keys, what a query compares with; nothing of what is no SQL."""
    assert [inserts_into(sql) for sql in ("INSERT INTO t (a) VALUES (1)", "SELECT 1", "(((")] == ["t", None, None]
    assert measuring("SELECT a, b_id, a + id FROM t") == (True, False, False)
    assert measuring("SELECT * FROM t") == ()
    assert compared("SELECT a FROM t WHERE a > 5 AND b = 'x' AND NOT c = 7 AND d <> 8 AND 9 = 9") == ("5", "x")
    assert traced("SELECT 1") is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,234 and 5.5", [Fraction(11, 2), 1234]),
        ("1.5 million", [Fraction(3, 2), 1_500_000]),
        ("twelve", [12]),
        ("17:30 on 3 May 1904", [3, 5, 17, 30, 1904]),
        ("2024-05-01", [1, 5, 2024]),
        ("7:30 pm, 12 am", [0, 7, 12, 19, 30]),
        ("no number, as it may be", []),
    ],
)
def test_numbers(text: str, numbers: list[Fraction | int]) -> None:
    """Figures, words, multiples, times, and months by their numbers."""
    assert sorted(numbers_of([text])) == sorted(map(Fraction, numbers))


def test_what_is_not_held() -> None:
    """Yes and no are always held; a text by its figures; what is no number never."""
    held = numbers_of(["12 km in 1904"])
    values = (12, 12.0, 0, 1, "in 1904", "plain", None, 13, "13 km", float("nan"), float("inf"))
    assert [unheld(value, held) for value in values] == ["", "", "", "", "", "", "", "13", "13", "nan", "inf"]
    assert [bounds_in(text) for text in ("at least 12 km", "longer than 12 km", "12 km", "about 12 km")] == [
        *(True, True, False, False)
    ]


@pytest.mark.parametrize(
    ("text", "held", "missing"),
    [
        ("It closes at 7 pm.", "17:0-19:0", None),
        ("It closes at 7:00 p.m.", "until 7 in the evening, 0 minutes", None),
        ("It closes at 7 pm.", "7 pm", None),
        ("It closes at 7 am.", "17:00-19:00", 7),
        ("It opens at 12 am.", "0:00", None),
        ("It has 4 to 6 rooms.", "4 rooms", 6),
        ("It has rooms.", "", None),
        ("It took over a century.", "a hundred years", None),
        ("It raised $1.3 million.", "1,300,000 dollars", None),
        ("It raised $1.3 million.", "1.4 million dollars", 1_300_000),
        ("It closed in May 1904.", "since 1904", 5),
    ],
)
def test_what_is_missing(text: str, held: str, missing: int | None) -> None:
    """Every number has to be held, hours by either clock."""
    assert missing_in(text, numbers_of([held])) == missing


@given(st.text(max_size=60), st.integers(0, 60), st.integers(1, 30))
def test_a_quotation_is_found_where_it_stands(text: str, at: int, length: int) -> None:
    """Whatever part of a text is quoted stands in it, and says the same but for white space."""
    quote = text[at : at + length]
    found = place(quote, text)
    if found is not None:
        assert text[slice(*found)].split() == quote.split()
    else:
        assert not any(char.isalnum() for char in quote)


def test_the_last_text_that_has_it_is_quoted() -> None:
    """Numbers are from 1."""
    span = located("b c", ["a b c", "b  c", "x"])
    assert span is not None
    assert (span.number, span.start, span.end) == (2, 0, 4)


@given(st.lists(st.text(alphabet="ab. \n", max_size=80), max_size=4), st.integers(10, 60))
def test_portions_lose_nothing(texts: list[str], most: int) -> None:
    """Put together they are the texts; sentences of records are by line."""
    assert "".join("".join(portion) for portion in portions(texts, most)) == "".join(texts)
    assert [span.text for span in sentences_of("a: 1\nb: 2. C is.\n\n")] == ["a: 1", "b: 2.", "C is."]
