"""Relations as triples: what a cell becomes, and what it does not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from imprimatur import Oracle
from imprimatur.config import load_folder
from imprimatur.knowledge import open_knowledge
from imprimatur.language import units
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.numbers import exact, lexical, native, unit_iri, unit_of
from imprimatur.sources.tables.terms import class_iri, column_iri, found, row_iri


def _graph(folder: Path, name: str, text: str, described: str = "") -> Graph:
    """The graph of one table."""
    (folder / name).write_text(text, encoding="utf-8")
    extra = ""
    if described:
        (folder / "words.yaml").write_text(f"version: 1\ntables: {described}\n", encoding="utf-8")
        extra = ", described: words.yaml"
    (folder / "imprimatur.yaml").write_text(f"version: 1\ntables: [{{file: {name}{extra}}}]\n", encoding="utf-8")
    part = open_knowledge(load_folder(folder)).part
    assert part is not None
    return part.graph


def _values(graph: Graph, table: str, column: str) -> list[tuple[int, str]]:
    """The number of the row and the lexical form of each value of a column."""
    number = graph.id(column_iri(table, column))
    pairs = graph.pairs(number) if number is not None else ()
    terms = [(found(graph.iri(s)), graph.iri(o)) for s, o in pairs]
    return sorted((term.row or 0, value) for term, value in terms if term is not None)


@pytest.mark.parametrize("name", ["rivers", "a:b", "a/b c", "ü %20#?", "x'\"<>", ""])
def test_names_can_be_read_off_terms(name: str) -> None:
    """A table, a column, a row: what they are called comes back exactly."""
    assert found(class_iri(name)) == (name, None, None)
    assert found(column_iri(name, name)) == (name, name, None)
    for named in (True, False):
        assert found(row_iri(name, 12, named=named)) == (name, None, 12)
    assert found("https://example.org/x") is None
    assert found("urn:imprimatur:unit:km") is None


def test_cells_become_values_of_their_column(tmp_path: Path) -> None:
    """Numbers in the column's unit, dates as exactly as written; empty cells and marks for nothing give none."""
    text = 'name,length (km),weight,opened,note\nA,"1,200.5",3 kg,1999,x\nB,n/a,500 g,,\nC,7,2 kg,2001,-\n'
    graph = _graph(tmp_path, "t.csv", text)
    assert _values(graph, "t", "length (km)") == [(1, "1200.5"), (3, "7")]
    assert _values(graph, "t", "weight") == [(1, "3"), (2, "0.5"), (3, "2")]
    assert _values(graph, "t", "opened") == [(1, "1999"), (3, "2001")]
    assert _values(graph, "t", "note") == [(1, "x")]


def test_what_is_not_of_one_kind_is_text(tmp_path: Path) -> None:
    """Bare numbers beside numbers with units, codes, ranges: nothing is guessed."""
    text = "name,size,code,span\nA,3 kg,0171,1-2\nB,4,0180,3\n"
    graph = _graph(tmp_path, "t.csv", text)
    assert _values(graph, "t", "size") == [(1, "3 kg"), (2, "4")]
    assert _values(graph, "t", "code") == [(1, "0171"), (2, "0180")]
    assert _values(graph, "t", "span") == [(1, "1-2"), (2, "3")]


def test_days_that_could_be_read_two_ways_say_nothing(tmp_path: Path) -> None:
    """5/3/2001 may be in March or in May; 25/3/2001 may not."""
    graph = _graph(tmp_path, "t.csv", "name,opened\nA,5/3/2001\nB,25/3/2001\nC,2001-05-03\n")
    assert _values(graph, "t", "opened") == [(2, "2001-03-25"), (3, "2001-05-03")]


def test_a_cell_may_hold_several_values_and_codes(tmp_path: Path) -> None:
    """Where a separator is described, each part is a value, and no other one is refuted by it."""
    described = '{t: {columns: {made: {separator: ";", values: {C: clay}}}}}'
    graph = _graph(tmp_path, "t.csv", "name,made\nA,C; sand\nB,C\n", described)
    assert _values(graph, "t", "made") == [(1, "clay"), (1, "sand"), (2, "clay")]


def test_a_list_that_is_not_described_refutes_nothing(tmp_path: Path) -> None:
    """ "clay, sand" is no other value than "sand"."""
    _graph(tmp_path, "t.csv", 'name,material\nClay Pot,"clay, sand"\nTin Pot,sand\n')
    report = Oracle.from_folder(tmp_path).check("The material of Clay Pot is sand.")
    assert report.segments[0].label.value == "not_found"


def test_rows_without_a_title_have_no_name(tmp_path: Path) -> None:
    """They are there, and nothing that is said can mention them, least of all by their number."""
    graph = _graph(tmp_path, "t.csv", "size,colour\n3,red\n4,red\n")
    assert _values(graph, "t", "size") == [(1, "3"), (2, "4")]
    report = Oracle.from_folder(tmp_path).check("The size of 1 is 3. T:1 has a size of 3.")
    assert all(segment.label.value == "not_found" for segment in report.segments)


def test_a_reference_that_fits_several_rows_or_none_is_silent(tmp_path: Path) -> None:
    """Only what leads to exactly one row is a link."""
    (tmp_path / "a.csv").write_text("name,owner\nX,Ann\nY,Bo\nZ,Cy\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("name,age\nAnn,3\nBo,4\nBo,5\n", encoding="utf-8")
    words = "version: 1\ntables: {a: {columns: {owner: {refers: b.name}}}}\n"
    (tmp_path / "w.yaml").write_text(words, encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [{file: a.csv, described: w.yaml}, b.csv]\n")
    part = open_knowledge(load_folder(tmp_path)).part
    assert part is not None
    assert _values(part.graph, "a", "owner") == [(1, row_iri("b", 1, named=True))]


@pytest.mark.parametrize(("text", "rows"), [("name,size\n", 0), ("name,size\nA,3\n", 1)])
def test_small_tables(tmp_path: Path, text: str, rows: int) -> None:
    """A table without rows, and one with a single row, are opened and counted."""
    _graph(tmp_path, "pots.csv", text)
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [{file: pots.csv, complete: true}]\n")
    oracle = Oracle.from_folder(tmp_path)
    if rows:
        assert oracle.check("There is one pot.").segments[0].label.value == "supported"
    assert oracle.check("There are two pots.").segments[0].label.value == "contradicted"


def test_numbers_are_exact() -> None:
    """In the unit of the column, as decimals, and in a database only where nothing is lost."""
    km, ft = units.parse("km"), units.parse("ft")
    assert unit_of(["3 ft", "4 ft"]) == ft
    assert unit_of(["3", "4 ft"]) is None
    assert exact("3 ft", None) is None
    assert lexical("3 ft", units.parse("m")) == "0.9144"
    assert lexical("+2.50", km) == "2.50"
    assert lexical("about 3 km", km) is None
    assert native("0.1", None) == 0.1
    assert native("12345678901234567890.5", None) == "12345678901234567890.5"
    assert native("3 ft", ft) == "3 ft"


def test_every_unit_that_is_written_has_an_iri_that_is_read() -> None:
    """Also those that the vocabulary has no name for."""
    for written in ("km", "km²", "m³/s", "km/h", "%", "USD", "kWh/day", "°C", "ft"):
        unit = units.parse(written)
        assert unit is not None
        iri = unit_iri(unit)
        assert iri is not None
        assert units.by_iri(iri) == unit


def test_a_damaged_database_is_made_anew(tmp_path: Path) -> None:
    """What is kept of tables is only a shortcut."""
    (tmp_path / "t.csv").write_text("name,size\nA,3\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [t.csv]\n", encoding="utf-8")
    config, cache = load_folder(tmp_path), tmp_path / "cache"
    assert Tables(config.tables, cache_dir=cache).told()["t"]["rows"] == 1
    (kept,) = cache.glob("tables-*.sqlite")
    kept.write_bytes(b"no database")
    assert Tables(config.tables, cache_dir=cache).told()["t"]["rows"] == 1
    assert kept.read_bytes()[:6] == b"SQLite"


def test_without_a_cache_the_database_is_in_memory(tmp_path: Path) -> None:
    """A folder that cannot be written to costs time only."""
    (tmp_path / "t.csv").write_text("name,size\nA,3\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [t.csv]\n", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    tables = Tables(load_folder(tmp_path).tables, cache_dir=tmp_path / "file" / "cache")
    assert tables.first_rows("t", 5) == (("A", 3),)


@pytest.mark.slow
def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    """They are judged by, and what was made of them is kept: opening them again is a small part of the work."""
    colours = ("red", "green", "blue")
    with (tmp_path / "parcels.csv").open("w", encoding="utf-8") as out:
        out.write("name,weight (kg),colour,depot,insured,sent\n")
        for number in range(100_000):
            start = f"Parcel {number:06d}K,{number % 4000 / 100},{colours[number % 3]},Depot {number % 50 + 1}"
            out.write(
                f"{start},{('yes', 'no', '')[number % 3]},{1990 + number % 30}-0{number % 9 + 1}-1{number % 10}\n"
            )
    depots = "\n".join(f"Depot {number},Town{number}" for number in range(1, 51))
    (tmp_path / "depots.csv").write_text(f"name,town\n{depots}\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [parcels.csv, depots.csv]\n", encoding="utf-8")
    spent = []
    for _ in range(2):
        begun = time.process_time()
        oracle = Oracle.from_folder(tmp_path, cache_dir=tmp_path / "cache")
        label = oracle.check("The weight of Parcel 000123K is 1.23 kg.").segments[0].label.value
        spent.append(time.process_time() - begun)
        assert label == "supported"
    print(f"cold {spent[0]:.1f} s, warm {spent[1]:.1f} s of process time")
    assert spent[1] < spent[0] / 2
