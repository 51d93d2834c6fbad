"""Descriptions beside tables: what they change, and how wrong ones are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_tables import CONFIG, DESCRIBED, write_tables

from imprimatur.config import load_folder
from imprimatur.errors import ConfigError, ImprimaturError, KnowledgeBaseError
from imprimatur.knowledge import open_knowledge, open_tables
from imprimatur.sources.tables.described import read_described
from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.relation import ColumnKind, Reference

_SMALL = """version: 1
tables:
  pots:
    is: vessel
    title: code
    names: [other]
    silent: [none]
    description: Pots of the shop.
    columns:
      other: {synonyms: [also]}
      w: {words: weight, unit: kg, kind: number, silent: ["0"]}
      c: {values: {R: red, G: green}}
      made of: {separator: ";"}
      fired: {yes_words: [x], no_words: [o]}
      maker: {refers: people.id}
      note: {hidden: true}
"""
_POTS = """code,other,w,c,made of,fired,maker,note
P1,Big Pot,3,R,clay; sand,x,1,secret
P2,none,0,G,clay,o,2,none
"""


def _written(folder: Path, described: str) -> Path:
    path = folder / "words.yaml"
    path.write_text(described, encoding="utf-8")
    (folder / "pots.csv").write_text(_POTS, encoding="utf-8")
    (folder / "people.csv").write_text("id,name\n1,Ann Lee\n2,Bo Day\n", encoding="utf-8")
    return path


def test_what_is_described_is_what_the_columns_are(tmp_path: Path) -> None:
    """Words, units, kinds, references, marks for nothing: all are as they are described."""
    path = _written(tmp_path, _SMALL)
    pots, _ = open_relations([tmp_path / "pots.csv", tmp_path / "people.csv"], [path])
    assert (pots.nouns, pots.title, pots.names, pots.about) == (("vessel",), "code", ("other",), "Pots of the shop.")
    weight = pots.column("w")
    assert (weight.words, weight.kind, weight.unit and weight.unit.symbol) == ("weight", ColumnKind.NUMBER, "kg")
    assert list(pots.cells("w")) == ["3", None]
    assert list(pots.cells("other")) == ["Big Pot", None]
    assert pots.column("fired").kind is ColumnKind.FLAG
    assert pots.column("maker").refers == Reference("people", "id")
    assert pots.column("note").hidden
    assert pots.column("made of").separator == ";"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("title: code", "titel: code", "titel"),
        ("words: weight", "word: weight", "word"),
        ("unit: kg", "unit: blorp", "blorp"),
        ("kind: number", "kind: nummer", "nummer"),
        ("people.id", "people", "people"),
        ("people.id", "people.nr", "people.nr"),
        ("people.id", "persons.id", "persons.id"),
        ("  pots:", "  pot:", "pot"),
        ("      note:", "      notes:", "notes"),
        ("title: code", "title: kode", "kode"),
        ("version: 1", "version: 2", "version"),
        ("is: vessel", "is: [vessel]", "is"),
        ("hidden: true", "hidden: maybe", "hidden"),
    ],
)
def test_a_wrong_description_is_an_error_that_names_it(tmp_path: Path, before: str, after: str, told: str) -> None:
    """Unknown keys, tables and columns, wrong values: each is told by name."""
    assert before in _SMALL
    path = _written(tmp_path, _SMALL.replace(before, after))
    with pytest.raises(ImprimaturError) as caught:
        open_relations([tmp_path / "pots.csv", tmp_path / "people.csv"], [path])
    assert told in str(caught.value)


def test_two_descriptions_of_one_table_are_refused(tmp_path: Path) -> None:
    """Which of them counts would be a guess."""
    path = _written(tmp_path, _SMALL)
    again = tmp_path / "again.yaml"
    again.write_text(_SMALL, encoding="utf-8")
    with pytest.raises(ConfigError, match="described twice"):
        open_relations([tmp_path / "pots.csv", tmp_path / "people.csv"], [path, again])


def test_the_example_of_the_documentation_is_read() -> None:
    """The keys that the module's own text lists are those that are known."""
    from imprimatur.sources.tables import described

    text = (described.__doc__ or "").split("errors::")[1].split("Invariants")[0]
    example = "\n".join(line[4:] for line in text.splitlines())
    path = Path(__file__).parent / "golden_described.yaml"
    assert path.read_text(encoding="utf-8").strip() == example.strip()
    assert read_described(path)["lighthouses"].column("h").words == "height"


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("version: 1\ntables: [lights.csv, nothing.csv]\n", "nothing.csv"),
        ("version: 1\ntables: [{complete: true}]\n", "file"),
        ("version: 1\ntables: [{file: lights.csv, completely: true}]\n", "completely"),
        ("version: 1\ntables: [{file: lights.csv, complete: 3}]\n", "complete"),
        ("version: 1\ntables: [{file: lights.csv, complete: [light]}]\n", "light"),
        ("version: 1\ntables: [{file: lights.csv, trust: high}]\n", "high"),
        ("version: 1\ntables: [{file: lights.csv, described: no.yaml}]\n", "no.yaml"),
        ("version: 1\ntables: [7]\n", "tables"),
        ("version: 1\ntables: [words.yaml]\n", "words.yaml"),
        ("version: 1\ntables: [lights.csv, lights.csv]\n", "lights.csv"),
    ],
)
def test_a_wrong_entry_in_the_configuration_is_an_error_that_names_it(tmp_path: Path, config: str, told: str) -> None:
    """What cannot be read is told before anything is judged."""
    folder = write_tables(tmp_path, config=config)
    with pytest.raises((ConfigError, KnowledgeBaseError)) as caught:
        open_knowledge(load_folder(folder))
    assert told in str(caught.value)


def test_complete_may_name_the_tables_of_a_file(tmp_path: Path) -> None:
    """Of a file with several tables, those that are named are complete."""
    config = CONFIG.replace("file: ferries.json,", "file: ferries.json, complete: [ferries],")
    tables = open_tables(load_folder(write_tables(tmp_path, config=config)))
    assert tables is not None
    assert tables.info()["complete"] == ["lights", "ferries"]
    assert "ferries" in DESCRIBED
