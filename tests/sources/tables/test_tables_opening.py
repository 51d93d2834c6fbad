"""Files of tables: cells stay as written, silence stays silence, and every mistake is named with its place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from imprimatur.config import load_folder
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.relation import ColumnKind, Reference, Relation
from imprimatur.sources.tables.sql_steps import Step

Writing = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Writing:
    """Writes a file."""

    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8"))
        return path

    return written


def _kinds(relation: Relation) -> dict[str, ColumnKind]:
    return {column.name: column.kind for column in relation.columns}


def test_delimited(write: Writing) -> None:
    """Cells stand as written, with their lines; kinds, units, keys and the title are found."""
    path = write(
        "rivers.csv",
        '\ufeffname,length_km,"Area (sq mi)",founded year,is_tidal,opened,note\r\n'
        'Rhine,"1,230",71.5,1900,1,3 May 1901,"long, and\r\nwide"\r\n\r\nEsk,,12,1950,0,1950-02-01,n/a\r\n',
    )
    (relation,) = open_relations([path])
    assert _kinds(relation) == {
        "name": ColumnKind.TEXT,
        "length_km": ColumnKind.NUMBER,
        "Area (sq mi)": ColumnKind.NUMBER,
        "founded year": ColumnKind.DATE,
        "is_tidal": ColumnKind.FLAG,
        "opened": ColumnKind.DATE,
        "note": ColumnKind.TEXT,
    }
    length, area = relation.column("length_km"), relation.column("Area (sq mi)")
    assert (length.words, length.unit and length.unit.symbol) == ("length", "km")
    assert (area.words, area.unit and area.unit.symbol) == ("area", "mi²")
    assert relation.title == "name"
    assert [row.place for row in relation.rows] == ["line 3", "line 5"]
    assert relation.rows[0].cells == ("Rhine", "1,230", "71.5", "1900", "1", "3 May 1901", "long, and wide")
    assert list(relation.cells("length_km")) == ["1,230", None]
    assert list(relation.cells("note"))[1] is None


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(write: Writing, delimiter: str) -> None:
    """The delimiter is found, even where another stands in the cells."""
    rows = [["name", "words"], ["a", "one and two"], ["b", "three"]]
    (relation,) = open_relations([write("t.csv", "\n".join(delimiter.join(row) for row in rows))])
    assert [column.name for column in relation.columns] == ["name", "words"]
    assert relation.rows[1].cells == ("b", "three")


@pytest.mark.parametrize(
    ("name", "text", "where", "said"),
    [
        ("a.csv", "", "a.csv", "no line that names columns"),
        ("a.csv", "name,name\na,b\n", "a.csv", "two columns are called 'name'"),
        ("a.csv", "name,\na,b\n", "a.csv", "column 2 has no name"),
        ("a.csv", "name,size\na,1\nb\n", "line 3", "1 cells where the first line names 2"),
        ("a.csv", 'name,size\n"a,1\n', "line", "unexpected end of data"),
        ("a.json", "{", "a.json", "is no JSON"),
        ("a.json", "[1, 2]", "a.json", "no list of objects"),
        ("a.json", "[" * 5000, "a.json", "is no JSON"),
        ("a.jsonl", '{"a": 1}\nx\n', "a.jsonl", "is no JSON"),
        ("a.db", "not a database at all, but long enough to be looked at" * 10, "a.db", "is no database"),
        ("a.xyz", "", "a.xyz", "files that end in .xyz"),
    ],
)
def test_mistakes_are_named(write: Writing, name: str, text: str, where: str, said: str) -> None:
    """What is wrong, and where."""
    with pytest.raises(KnowledgeBaseError) as raised:
        open_relations([write(name, text)])
    assert where in raised.value.where
    assert said in raised.value.message


def test_not_utf_8(tmp_path: Path) -> None:
    """Bytes of another encoding are an error, never other letters."""
    path = tmp_path / "a.csv"
    path.write_bytes("name\nMünchen\n".encode("latin-1"))
    with pytest.raises(KnowledgeBaseError, match="byte 6 is not UTF-8"):
        open_relations([path])


def test_nested(write: Writing) -> None:
    """Objects give columns, lists relations that refer back, every row can be found again by its pointer."""
    value = {
        "name": "Finch & Fork",
        "attributes": {"WiFi": None, "Parking": {"lot": True, "valet": False}},
        "stars": 4.50,
        "hours": {"Monday": "8:0-22:0", "Sunday": "9:0-12:0"},
        "reviews": [{"stars": 5, "tags": ["warm", "loud"]}, {"stars": 3, "tags": []}],
    }
    text = json.dumps(value).replace("4.5", "4.50")
    found = {relation.name: relation for relation in open_relations([write("business.json", text)])}
    assert set(found) == {"business", "reviews", "tags"}
    business = found["business"]
    cells = dict(zip(business.numbers, business.rows[0].cells, strict=True))
    assert cells["stars"] == "4.50"
    assert (cells["attributes WiFi"], cells["attributes Parking lot"]) == (None, "true")
    assert business.column("attributes Parking valet").kind is ColumnKind.FLAG
    assert (cells["hours Monday"], business.column("hours Sunday").kind) == ("8:0-22:0", ColumnKind.HOURS)
    assert [row.place for row in found["tags"].rows] == ["/reviews/0/tags/0", "/reviews/0/tags/1"]
    assert found["reviews"].column("belongs to").refers == Reference("business", "number")
    assert list(found["tags"].cells("value")) == ["warm", "loud"]


def test_several_relations_in_one_file(write: Writing) -> None:
    """An object of lists of objects is a relation for each; JSON lines are one."""
    many = write("all.json", '{"rivers": [{"name": "a", "lake": "c"}, {"name": "b"}], "lakes": [{"name": "c"}]}')
    lines = write("towns.jsonl", '{"name": "x"}\n\n{"name": "y", "size": 3}\n')
    found = {relation.name: relation for relation in open_relations([many, lines])}
    assert set(found) == {"rivers", "lakes", "towns"}
    assert found["rivers"].column("lake").refers == Reference("lakes", "name")
    assert list(found["towns"].cells("size")) == [None, "3"]


def test_sqlite(tmp_path: Path) -> None:
    """Tables with their declared keys and references; views, triggers and bytes are left alone, the file unchanged."""
    path = tmp_path / "rivers.sqlite"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE lakes (name TEXT PRIMARY KEY, depth REAL)")
        base.execute("CREATE TABLE rivers (name TEXT PRIMARY KEY, lake TEXT REFERENCES lakes (name), picture BLOB)")
        base.execute("CREATE VIEW v AS SELECT 42 AS depth")
        base.execute("INSERT INTO lakes VALUES ('Constance', 251.0), ('Zug', NULL)")
        base.execute("INSERT INTO rivers VALUES ('Rhine', 'Constance', x'00ff')")
    before = path.read_bytes()
    lakes, rivers = open_relations([path])
    assert path.read_bytes() == before
    assert lakes.rows[0].cells == ("Constance", "251")
    assert lakes.column("depth").kind is ColumnKind.NUMBER
    assert (rivers.column("name").key, rivers.column("lake").refers) == (True, Reference("lakes", "name"))
    assert list(rivers.cells("picture")) == [None]


def test_one_name_twice(write: Writing) -> None:
    """Two tables of one name are told apart by a person, not by chance."""
    with pytest.raises(KnowledgeBaseError, match="two tables are called 'a'") as raised:
        open_relations([write("a.csv", "x\n1\n"), write("a.json", '[{"x": 1}]')])
    assert raised.value.where == "a.csv, a.json"


def test_references_are_not_guessed_from_a_few(write: Writing) -> None:
    """A column refers to another relation only when all of its cells are there."""
    countries = write("countries.csv", "name,capital\nGermany,Berlin\nRussia,Moscow\n")
    rivers = write("rivers.csv", "name,country,mouth\nRhine,Germany,North Sea\nVolga,Russia,Germany\n")
    found = {relation.name: relation for relation in open_relations([countries, rivers])}
    assert found["rivers"].column("country").refers == Reference("countries", "name")
    assert found["rivers"].column("mouth").refers is None


def test_what_names_an_inner_thing_does_not_name_the_row(write: Writing) -> None:
    """The name of an owner is no name of what is owned, and what is within keeps both of its names."""
    path = write(
        "shops.json", '[{"code": "S1", "owner": {"name": "Ann", "age": 50}}, {"code": "S2", "owner": {"name": "Bo"}}]'
    )
    (shops,) = open_relations([path])
    assert (shops.title, shops.column("owner age").words) == ("code", "owner age")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "name,x\0y\nA,1\n"),
        ("a.json", '[{"name": "A", "x\\ud800": 1}]'),
        ("a.json", '{"sqlite_x": [{"name": "A"}]}'),
        ("a.json", '{"imprimatur places": [{"name": "A"}]}'),
        ("a.json", '{"": [{"name": "A"}]}'),
        ("a.csv", ",".join(f"c{number}" for number in range(501)) + "\n"),
        ("a.csv", "Name,name\nA,B\n"),
        ("a.csv", "name,_rowid_\nA,B\n"),
    ],
)
def test_names_that_no_engine_can_hold(write: Writing, name: str, text: str) -> None:
    """They are errors that name the file, before anything is made of the table."""
    with pytest.raises(KnowledgeBaseError) as caught:
        open_relations([write(name, text)])
    assert caught.value.where.startswith(("a.", "/"))


def test_halves_of_characters_and_wide_tables(tmp_path: Path) -> None:
    """What JSON can write and no file can hold is a mark; a table of 500 columns can be asked."""
    (tmp_path / "a.json").write_text('[{"name": "A\\ud800", "size": 3}]', encoding="utf-8")
    names = [f"c{number}" for number in range(499)]
    (tmp_path / "w.csv").write_text(f"name,{','.join(names)}\nA{',7' * 499}\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [a.json, w.csv]\n", encoding="utf-8")
    tables = Tables(load_folder(tmp_path).tables, cache_dir=tmp_path / "cache")
    assert tables.first_rows("a", 1)[0][:2] == ("A?", 3)
    assert tables.sandbox().run("SELECT * FROM w", Step.QUERY).rows[0][-1] == 7
