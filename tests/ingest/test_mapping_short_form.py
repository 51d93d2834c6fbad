"""The short form of mappings: what it makes of rows, and what it refuses."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from made_mappings import world

from imprimatur.errors import ConfigError, KnowledgeBaseError
from imprimatur.ingest.mapping.facts import Told, line, quads
from imprimatur.ingest.mapping.folder import map_folder
from imprimatur.ingest.mapping.model import Source
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.mapping.rml import rml_of
from imprimatur.ingest.mapping.short_form import read_mapping
from imprimatur.ingest.mapping.sources import rows
from imprimatur.ingest.mapping.terms import literal, template
from imprimatur.kb_build import build_folder
from imprimatur.oracle import Oracle

_HEAD = 'version: 1\nprefixes: {ex: "https://a.example/"}\n'


def _made(folder: Path, text: str, **files: str) -> tuple[list[str], Told]:
    """The quads of a mapping of some files of CSV, without what all IRIs begin with."""
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8", newline="")
    (folder / "m.yaml").write_text(_HEAD + text, encoding="utf-8")
    mapping, told = read_mapping(folder / "m.yaml", environ={}), Told()
    lines = [line(quad) for quad in quads(mapping, Places(mapping.sources), told)]
    return [
        each.replace("https://a.example/", "ex:").replace("http://www.w3.org/2001/XMLSchema#", "xsd:") for each in lines
    ], told


def test_a_knowledge_base_of_two_kinds_of_files(tmp_path: Path) -> None:
    """Rows of CSV and SQLite are judged as one graph, and evidence names file and row."""
    made = map_folder(read_mapping(world(tmp_path / "in")), tmp_path / "kb")
    assert made.told.quads == 20
    assert made.told.left == 1
    oracle = Oracle.from_folder(tmp_path / "kb")
    for sentence in (*made.sentences, "Skerry Light is 30 m high.", "The keeper of Holm Light was born in 1962."):
        report = oracle.check(sentence)
        assert report.segments[0].label == "supported", sentence
    wrong = oracle.check("The height of Holm Light is 30 m.")
    assert wrong.segments[0].label == "contradicted"
    (claim,) = wrong.segments[0].claims
    assert [each.origin for each in claim.verdict.evidence] == ["lights.csv, row 3"]
    report = oracle.check("The keeper of Holm Light was born in 1962.")
    origins = {each.origin for claim in report.segments[0].claims for each in claim.verdict.evidence}
    assert any("keepers.db, table keepers, row 2" in origin for origin in origins)
    assert (tmp_path / "kb" / "lights.csv").read_bytes() == (tmp_path / "in" / "lights.csv").read_bytes()


def test_it_is_made_anew_with_the_same_bytes(tmp_path: Path) -> None:
    """The folder made a second time, from its own copies, has the same facts byte by byte."""
    map_folder(read_mapping(world(tmp_path / "in")), tmp_path / "kb")
    before = {path.name: path.read_bytes() for path in (tmp_path / "kb").iterdir()}
    map_folder(read_mapping(tmp_path / "kb" / "lights.yaml"), tmp_path / "kb", force=True)
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "kb").iterdir()}


def test_cells_that_say_nothing(tmp_path: Path) -> None:
    """What no table takes for a value makes no fact; ``nulls`` says it otherwise."""
    rows = "id,a\n1,\n2,n/a\n3, \n4,NA\n5,-\n"
    body = 'maps: {rows: {subject: "ex:{id}", properties: {ex:a: a}}}\n'
    assert _made(tmp_path, f"sources: {{rows: rows.csv}}\n{body}", rows=rows)[0] == []
    own = 'sources: {rows: {file: rows.csv, nulls: ["", "-"]}}\n'
    assert [each.split(" ")[2] for each in _made(tmp_path, own + body, rows=rows)[0]] == ['"n/a"', '"NA"']


def test_conditions(tmp_path: Path) -> None:
    """A row must meet all conditions; an empty cell meets none, and a thing that does not is joined by nobody."""
    rows = "id,state,built,next\n1,lit,1900,2\n2,ruined,1901,1\n3,,1902,1\n4,lit,,1\n"
    text = """sources: {rows: rows.csv}
maps:
  rows:
    subject: "ex:{id}"
    when: {state: {not: [ruined]}, built: any}
    properties: {ex:next: {map: rows, match: {next: id}}, ex:state: state}
"""
    assert _made(tmp_path, text, rows=rows)[0] == ['<ex:1> <ex:state> "lit" <doc:rows.csv#row=2> .']
    mapping = read_mapping(tmp_path / "m.yaml")
    with pytest.raises(ConfigError, match="no conditions"):
        rml_of(mapping)


def test_values(tmp_path: Path) -> None:
    """Literals are as exact as they are written; what is no value of its datatype is told and makes no fact."""
    rows = "id,a\n1,007\n2,1e5\n3,1.50\n4,twelve\n"
    text = """sources: {rows: rows.csv}
maps: {rows: {subject: "ex:{id}", properties: {ex:a: {column: a, datatype: decimal}}}}
"""
    made, told = _made(tmp_path, text, rows=rows)
    assert [each.split(" ")[2] for each in made] == ['"007"^^<xsd:decimal>', '"1.50"^^<xsd:decimal>']
    assert [(each.place, each.reason) for each in told.asides] == [
        ("doc:rows.csv#row=3", "'1e5' is no decimal"),
        ("doc:rows.csv#row=5", "'twelve' is no decimal"),
    ]


@pytest.mark.parametrize(
    ("cell", "datatype", "right"),
    [
        ("2024-02-29", "date", True),
        ("2023-02-29", "date", False),
        ("1900-02-29", "date", False),
        ("2024-13-01", "date", False),
        ("2024-04-31", "date", False),
        ("24-04-30", "date", False),
        ("2024-04-30T10:00:00Z", "dateTime", True),
        ("2024-04-30 10:00:00", "dateTime", False),
        ("1950", "gYear", True),
        ("50", "gYear", False),
        ("true", "boolean", True),
        ("yes", "boolean", False),
        ("1,5", "decimal", False),
        ("١٢", "integer", False),
        ("https://a.example/x y", "anyURI", False),
    ],
)
def test_datatypes(cell: str, datatype: str, right: bool) -> None:
    """A cell is a value of a datatype or nothing; none is written anew."""
    made = literal(cell, datatype)
    assert (made is not None) is right
    assert made is None or made.lexical == cell


def test_templates() -> None:
    """Cells are percent-encoded in IRIs and as they are in texts; braces are escaped."""
    made = template("https://a.example/{a}/\\{x\\}?{b c}")
    assert made is not None
    assert made.columns == ("a", "b c")
    assert made.filled({"a": "1/2", "b c": "é"}) == "https://a.example/1/2/{x}?é"
    assert template("https://a.example/{a}/{b c}").iri({"a": "1/2 ..", "b c": "é"}) == (  # type: ignore[union-attr]
        "https://a.example/1%2F2%20../%C3%A9"
    )
    assert template(made.text) == made
    assert [template(text) for text in ("{", "}", "{}", "{a{b}}")] == [None] * 4


def test_nested_things(tmp_path: Path) -> None:
    """Things below keys of a JSON file have their pointer as place; what is nested in one is reached by dots."""
    value = {"log": [{"id": 1.50, "at": {"port": "Arn"}, "on": True}, {"id": 2, "at": None}, {"id": 10**20}]}
    (tmp_path / "rows.json").write_text(json.dumps(value), encoding="utf-8")
    text = """sources: {rows: {file: rows.json, items: "$.log[*]"}}
maps: {rows: {subject: "ex:{id}", properties: {ex:port: at.port, ex:lit: {column: "on", datatype: boolean}}}}
"""
    made, _ = _made(tmp_path, text)
    assert made == [
        '<ex:1.5> <ex:port> "Arn" <doc:rows.json#/log/0> .',
        '<ex:1.5> <ex:lit> "true"^^<xsd:boolean> <doc:rows.json#/log/0> .',
    ]
    (tmp_path / "lines.jsonl").write_text('{"id": "a"}\n\n{"id": "b"}\n', encoding="utf-8")
    text = 'sources: {rows: lines.jsonl}\nmaps: {rows: {subject: "ex:{id}", class: ex:C}}\n'
    assert [each.split(" ")[3] for each in _made(tmp_path, text)[0]] == ["<doc:lines.jsonl#/0>", "<doc:lines.jsonl#/2>"]


def test_many_rows_share_places(tmp_path: Path) -> None:
    """Where there are more rows than a graph keeps places, each row lies in the range that its place names."""
    rows = "id\n" + "".join(f"{number}\n" for number in range(2, 102))
    text = 'sources: {rows: rows.csv}\nmaps: {rows: {subject: "ex:{id}", class: ex:C}}\n'
    _made(tmp_path, text, rows=rows)
    mapping = read_mapping(tmp_path / "m.yaml")
    places = Places(mapping.sources, most=22)
    found = list(quads(mapping, places, Told()))
    assert len(found) == 100
    assert len({quad[3] for quad in found}) <= 22
    for subject, _, _, place in found:
        first, _, last = place.removeprefix("doc:rows.csv#row=").partition("-")
        assert int(first) <= int(subject.rpartition("/")[2]) <= int(last)


def test_a_database_by_its_variable(tmp_path: Path) -> None:
    """A database behind an address is read by the name of a variable; its address is in nothing that is written."""
    pytest.importorskip("sqlalchemy")
    with closing(sqlite3.connect(tmp_path / "secret-place.db")) as made, made:
        made.execute("CREATE TABLE ports (id INTEGER PRIMARY KEY, name TEXT)")
        made.execute("INSERT INTO ports VALUES (1, 'Arn')")
    text = """sources: {ports: {url_env: PORTS_URL, table: ports}}
maps: {ports: {subject: "ex:{id}", class: ex:Port, label: name}}
"""
    (tmp_path / "m.yaml").write_text(_HEAD + text, encoding="utf-8")
    environ = {"PORTS_URL": f"sqlite:///{tmp_path}/secret-place.db"}
    done = map_folder(read_mapping(tmp_path / "m.yaml", environ=environ), tmp_path / "kb")
    assert done.told.quads == 2
    facts = (tmp_path / "kb" / "facts.nq").read_text(encoding="utf-8")
    assert "<doc:database%3APORTS_URL#table=ports&row=1>" in facts
    assert "secret-place" not in facts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("maps: {a: {subject: 'ex:{id}'}}", "`sources`: is missing"),
        ("sources: {a: a.csv}", "`maps`: is missing"),
        ("sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{ID}'}}", "no column 'ID'"),
        ("sources: {a: a.csv}\nmaps: {a: {source: b, subject: 'ex:{id}'}}", "no source is called 'b'"),
        ("sources: {a: a.csv}\nmaps: {a: {subject: 'ex:x'}}", "no template of IRIs"),
        ("sources: {a: a.csv}\nmaps: {a: {subject: 'ey:{id}'}}", "no template of IRIs"),
        ("sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{id}', clas: ex:A}}", "unknown key"),
        ("sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{id}', properties: {ex:p: {map: b}}}}", "no map is called 'b'"),
        (
            "sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{id}', properties: {ex:p: {column: id, iri: 'ex:{id}'}}}}",
            "one of",
        ),
        ("sources: {a: a.db}\nmaps: {a: {subject: 'ex:{id}'}}", "does not exist"),
        ("sources: {a: {file: a.csv, table: t}}\nmaps: {a: {subject: 'ex:{id}'}}", "needs a table"),
        ("sources: {a: {file: b.json, items: '$..x'}}\nmaps: {a: {subject: 'ex:{id}'}}", "no way to things"),
        (
            "sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{id}', "
            "properties: {ex:p: {column: id, language: en, datatype: date}}}}",
            "no other datatype",
        ),
    ],
)
def test_mistakes(text: str, said: str, tmp_path: Path) -> None:
    """Each mistake is told with the key, and a hint where one helps."""
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    with pytest.raises((ConfigError, KnowledgeBaseError), match=said):
        _made(tmp_path, text, a="id\n1\n")


def test_rows_of_another_length(tmp_path: Path) -> None:
    """A row with too many cells is an error that names its line; nothing is written."""
    (tmp_path / "a.csv").write_text("id,b\n1,2\n3,4,5\n", encoding="utf-8")
    (tmp_path / "m.yaml").write_text(
        _HEAD + "sources: {a: a.csv}\nmaps: {a: {subject: 'ex:{id}', class: ex:C}}", "utf-8"
    )
    with pytest.raises(KnowledgeBaseError, match="3 cells") as caught:
        map_folder(read_mapping(tmp_path / "m.yaml"), tmp_path / "kb")
    assert caught.value.where.endswith("a.csv, line 3")
    assert not (tmp_path / "kb").exists()


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "1", "name": "a", "name": "b"}]',
        '[{"id": "1", "of": {"name": "a"}, "of.name": "b"}]',
        '[{"id": "1", "of": {"name": "a", "name": "a"}}]',
    ],
)
def test_keys_that_stand_twice(text: str, tmp_path: Path) -> None:
    """Where one place of a JSON file says two things neither is chosen."""
    (tmp_path / "rows.json").write_text(text, encoding="utf-8")
    source = Source(name="rows", path=tmp_path / "rows.json", shown="rows.json")
    with pytest.raises(KnowledgeBaseError, match="twice"):
        list(rows(source))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("CREATE VIRTUAL TABLE rows USING fts5(id)", "no table 'rows'"),
        ("create  virtual\ttable rows USING fts5(id)", "no table 'rows'"),
        ("CREATE VIEW rows AS SELECT 1 AS id", "no table 'rows'"),
        ("CREATE TABLE rows (id, long AS (zeroblob(100000000)))", "too big"),
        ("CREATE TABLE rows (id, long AS (hex(zeroblob(30000000))))", "too big"),
    ],
)
def test_tables_that_are_made_by_code(made: str, said: str, tmp_path: Path) -> None:
    """Virtual tables and views are no tables, and a column that is computed has an end."""
    with closing(sqlite3.connect(tmp_path / "rows.db")) as connection, connection:
        connection.execute(made)
        if "VIEW" not in made:
            connection.execute("INSERT INTO rows (id) VALUES (1)")
    source = Source(name="rows", path=tmp_path / "rows.db", shown="rows.db", table="rows")
    with pytest.raises(KnowledgeBaseError, match=said):
        list(rows(source))


def test_a_database_that_is_being_written(tmp_path: Path) -> None:
    """Changes that stand beside a database would be lost in its copy: it is refused, as tables and by a mapping."""
    writing = sqlite3.connect(tmp_path / "rows.db")
    writing.execute("PRAGMA journal_mode = WAL")
    writing.execute("CREATE TABLE rows (id, name)")
    writing.commit()
    source = Source(name="rows", path=tmp_path / "rows.db", shown="rows.db", table="rows")
    with pytest.raises(KnowledgeBaseError, match="not in the file yet"):
        list(rows(source))
    with pytest.raises(KnowledgeBaseError, match="not in the file yet"):
        build_folder([tmp_path / "rows.db"], tmp_path / "kb")
    assert not (tmp_path / "kb").exists()
    writing.execute("INSERT INTO rows VALUES ('1', 'Arbroy')")
    writing.commit()
    writing.close()
    assert [row.cells["name"] for row in rows(source)] == ["Arbroy"]
