"""The short form run by itself and by morph-kgc: the same facts of the same rows."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from made_mappings import CELLS, needs_rml, rml_python, world

from imprimatur.ingest.mapping.engine import interpreter, rml_quads
from imprimatur.ingest.mapping.facts import Told, line, quads
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.mapping.rml import rml_of
from imprimatur.ingest.mapping.rml_reading import read_rml
from imprimatur.ingest.mapping.short_form import read_mapping

pytestmark = [needs_rml, pytest.mark.slow]

_MAPPING = """version: 1
prefixes: {ex: "https://rows.example/"}
sources:
  rows: SOURCE
maps:
  rows:
    subject: "ex:row/{id}"
    class: [ex:Row, ex:Thing]
    label: {column: cell, language: en}
    properties:
      ex:text: cell
      ex:said: {template: 'It is "{cell}" \\ of {id}'}
      ex:number: {column: cell, datatype: integer}
      ex:decimal: {column: cell, datatype: decimal}
      ex:double: {column: cell, datatype: double}
      ex:day: {column: cell, datatype: date}
      ex:flag: {column: cell, datatype: boolean}
      ex:site: {column: cell, datatype: iri}
      ex:link: {iri: "ex:of/{cell}/{id}"}
      ex:fixed: {value: 'a "fixed" \\ text', language: en-gb}
      ex:of: {value: "https://rows.example/set", datatype: iri}
      ex:same: {map: rows, match: {cell: cell}}
      ex:self: {map: others}
  others:
    source: rows
    subject: "ex:other/{cell}"
"""


def _both(mapping: Path) -> tuple[list[str], list[str]]:
    """The facts by both ways, sorted."""
    described = read_mapping(mapping)
    own, told = Told(), Told()
    first = [line(quad) for quad in quads(described, Places(described.sources), own)]
    turtle = mapping.with_suffix(".ttl")
    turtle.write_text(rml_of(described), encoding="utf-8")
    second = [line(quad) for quad in rml_quads(read_rml(turtle, environ={}), rml_python() or "", told)]
    assert len(first) == own.quads
    return sorted(set(first)), sorted(second)


def _csv(folder: Path) -> str:
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "cell"), *CELLS.items()])
    return "rows.csv"


def _json(folder: Path) -> str:
    rows: list[dict[str, object]] = [{"id": name, "cell": cell, "more": {"of": [1]}} for name, cell in CELLS.items()]
    rows += [{"id": "null", "cell": None}, {"id": "absent"}, {"id": "exact", "cell": 7}]
    (folder / "rows.json").write_text(json.dumps({"log": {"all": rows}}), encoding="utf-8")
    return '{file: rows.json, items: "$.log.all[*]"}'


def _sqlite(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "rows.db")) as made, made:
        made.execute('CREATE TABLE "the rows" (id TEXT, cell)')
        made.executemany('INSERT INTO "the rows" VALUES (?, ?)', [*CELLS.items(), ("i", 7), ("f", 1.5), ("b", b"\0")])
    return '{file: rows.db, table: "the rows", nulls: ["", "n/a"]}'


@pytest.mark.parametrize("source", [_csv, _json, _sqlite])
def test_both_ways_give_the_same(source: object, tmp_path: Path) -> None:
    """Cells that are hard to carry over are the same facts, in the same places, by both ways."""
    assert callable(source)
    text = _MAPPING.replace("SOURCE", source(tmp_path))
    (tmp_path / "rows.yaml").write_text(text, encoding="utf-8")
    own, engine = _both(tmp_path / "rows.yaml")
    assert own == engine
    assert len(own) > 5 * len(CELLS)


def test_joins_between_files(tmp_path: Path) -> None:
    """A join from a CSV file into an SQLite table is the same by both ways."""
    own, engine = _both(world(tmp_path))
    assert own == engine
    assert sum("https://lights.example/keeper>" in each for each in own) == 3


def test_an_interpreter_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found from where the command is given, not from where it runs."""
    python = rml_python()
    assert python is not None
    monkeypatch.chdir(tmp_path)
    named = interpreter({"IMPRIMATUR_RML_PYTHON": os.path.relpath(python)})
    assert named == python
    path = world(tmp_path / "in")
    path.with_suffix(".ttl").write_text(rml_of(read_mapping(path)), encoding="utf-8")
    assert len(list(rml_quads(read_rml(path.with_suffix(".ttl"), environ={}), named, Told()))) == 20
