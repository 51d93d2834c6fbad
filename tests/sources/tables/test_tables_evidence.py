"""Evidence from tables: the SELECT gives the cells that are shown, whatever stands in them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from made_tables import SENTENCES, write_tables

from imprimatur import Evidence, Oracle
from imprimatur.config import load_folder
from imprimatur.knowledge import open_tables
from imprimatur.sources.tables.sql_steps import Step

#: Names that mean something to SQL, SPARQL, RDF, HTML, a terminal or a reader of logs.
HOSTILE = (
    "O'Hara's Rest",
    'Bell "B" Rock',
    "'; DROP TABLE things; --",
    '" OR "1"="1',
    "<http://e.org/x> . } ASK { ?s ?p ?o",
    "<script>alert(1)</script>",
    "Rock\\",
    "Rock ${HOME}",
    "صخرة البحر",
    "\u202egnol si sihT",
    "Rock\u2028Reef",
    "Naïve Rock %27",
    "{column=*}",
    "?have|obj=*|subj=*",
    "Rock " + "very " * 39 + "long",
    "Rock " + "much " * 4000 + "longer",
    "NULL rock",
    "Robert'); --\x00",
)


def _evidence(oracle: Oracle, sentence: str) -> list[Evidence]:
    claims = oracle.check(sentence).segments[0].claims
    return [each for claim in claims for each in claim.verdict.evidence]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the three tables."""
    return write_tables(tmp_path_factory.mktemp("lights"))


def test_every_select_gives_the_cells_that_are_shown(folder: Path) -> None:
    """Run again as a model's query would be, each SELECT returns one row, and its cells stand in the content."""
    oracle, tables = Oracle.from_folder(folder), open_tables(load_folder(folder))
    assert tables is not None
    seen = 0
    for label in ("supported", "contradicted"):
        for sentence in SENTENCES[label].strip().splitlines():
            found = _evidence(oracle, sentence.strip())
            assert found, sentence
            for each in found:
                assert (each.source, each.kind) == ("tables", "row")
                rows = tables.sandbox().run(each.query, Step.VERIFY).rows
                assert len(rows) == 1
                assert all(cell is None or str(cell) in each.content for cell in rows[0])
                seen += 1
    assert seen > 60


def test_evidence_says_where_a_row_stands(folder: Path) -> None:
    """A line of a file of delimited values, a pointer into JSON."""
    oracle = Oracle.from_folder(folder)
    (light,) = _evidence(oracle, "Holm Light is 41.5 m tall.")
    assert light.origin == "lights.csv, line 3"
    assert light.content == "lights: name = Holm Light; height (m) = 41.5"
    assert light.query == """SELECT "name", "height (m)" FROM "lights" WHERE "name" = 'Holm Light'"""
    (ferry,) = _evidence(oracle, "MV Tern is 50 m long.")
    assert (ferry.origin, ferry.trust, ferry.correction) == ("ferries.json, /1", "derived", "38 m")


def test_a_join_shows_the_row_of_each_table(folder: Path) -> None:
    """What follows from two tables rests on a row of each."""
    found = _evidence(Oracle.from_folder(folder), "The keeper of Holm Light was born in 1962.")
    assert {each.origin for each in found} == {"lights.csv, line 3", "keepers.csv, line 3"}


def test_of_rows_of_one_name_the_one_that_is_meant_is_found(tmp_path: Path) -> None:
    """Where a name does not tell, the number of the row is asked for too."""
    write_tables(tmp_path, config="version: 1\ntables: [pots.csv]\n")
    (tmp_path / "pots.csv").write_text("name,weight (kg)\nClay Pot,3\nClay Pot,3\n", encoding="utf-8")
    (first, *_) = _evidence(Oracle.from_folder(tmp_path), "The weight of Clay Pot is 3 kg.")
    assert first.query.endswith(""" WHERE "name" = 'Clay Pot' AND _rowid_ = 1""")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_cell_is_text(tmp_path: Path, name: str) -> None:
    """Whatever a cell holds, tables open, other rows are judged, and what is shown of it is found by its SELECT."""
    write_tables(tmp_path, config="version: 1\ntables: [{file: things.csv, complete: true}]\n")
    with (tmp_path / "things.csv").open("w", encoding="utf-8", newline="") as out:
        rows = [
            ("name", "height (m)", "colour"),
            (name, "7", name),
            ("Bell Rock", "12", "red"),
            (f"Third {name[:40]}", "3", "\n"),
        ]
        csv.writer(out).writerows(rows)
    oracle, tables = Oracle.from_folder(tmp_path), open_tables(load_folder(tmp_path))
    assert tables is not None
    assert oracle.check("Bell Rock is 12 m tall.").segments[0].label.value == "supported"
    assert oracle.check("Bell Rock is 7 m tall.").segments[0].label.value == "contradicted"
    oracle.check(f"{name} is 7 m tall. The colour of {name} is {name}.")
    found = _evidence(oracle, "There are three things.")
    rows_of_all = {tables.sandbox().look_up(each.query).rows for each in found[1:] if each.kind == "row"}
    assert tables.sandbox().look_up(found[0].query).rows == ((3,),)
    assert len(rows_of_all) == 3
    assert tables.told()["things"]["rows"] == 3
