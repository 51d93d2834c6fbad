"""The graph's look-ups, labels, cache and SPARQL."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest
from graphs import EX, graph_of_text, number
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.index import Index
from imprimatur.sources.graph.index_build import IndexBuilder
from imprimatur.sources.graph.statistics import statistics_of
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.terms import (
    XSD,
    Origin,
    RdfLiteral,
    iri_text,
    literal_text,
    local_name,
    parse_number,
    spoken_name,
)

RIVERS = """
:Rhine a :River ; rdfs:label "Rhein"@de, "Rhine"@en ; skos:altLabel "Rhenus" ; :length 1230.0 ; :mouth :NorthSea ;
    :nick "Rhenus superbus" ; :founded "-0384"^^xsd:gYear .
:Main a :River ; :mouth :Rhine .
:nick rdfs:subPropertyOf skos:altLabel .
"""


def test_lookups_in_every_direction(tmp_path: Path) -> None:
    """Objects, subjects, out, into, pairs and has agree."""
    graph = graph_of_text(tmp_path, RIVERS)
    rhine, main, mouth = (number(graph, name) for name in ("Rhine", "Main", "mouth"))
    assert graph.objects(main, mouth) == (rhine,)
    assert graph.subjects(mouth, rhine) == (main,)
    assert (mouth, rhine) in graph.out(main)
    assert (main, mouth) in graph.into(rhine)
    assert set(graph.pairs(mouth)) == {(main, rhine), (rhine, number(graph, "NorthSea"))}
    assert graph.has(main, mouth, rhine)
    assert not graph.has(rhine, mouth, main)
    assert graph.count(mouth) == 2
    assert len(graph) == len(list(graph.triples())) == 11
    assert graph.id("http://example.org/none") is None


def test_values_of_literals(tmp_path: Path) -> None:
    """Numbers are exact, dates are read by the years setting, other terms have neither."""
    graph = graph_of_text(tmp_path, RIVERS)
    rhine = number(graph, "Rhine")
    length = graph.objects(rhine, number(graph, "length"))[0]
    year = graph.objects(rhine, number(graph, "founded"))[0]
    assert graph.number(length) == Fraction(1230)
    assert graph.number(rhine) is None
    assert graph.literal(length) == RdfLiteral("1230.0", XSD + "decimal")
    date = graph.date(year)
    assert date is not None
    assert date.first == (-384, 1, 1)
    assert graph.date(rhine) is None
    later = graph_of_text(tmp_path, RIVERS, years="xsd11").date(year)
    assert later is not None
    assert later.first == (-385, 1, 1)
    assert graph.literal_id(RdfLiteral("1230.0", XSD + "decimal")) == length
    assert graph.literal_id(RdfLiteral("1230", XSD + "decimal")) is None


def test_labels_in_order_of_preference(tmp_path: Path) -> None:
    """English main labels first, then other languages, then alternative labels and their sub-properties."""
    graph = graph_of_text(tmp_path, RIVERS)
    assert graph.labels(number(graph, "Rhine")) == ("Rhine", "Rhein", "Rhenus", "Rhenus superbus")
    assert graph.label(number(graph, "NorthSea")) == "North Sea"
    assert graph.label(graph.objects(number(graph, "Rhine"), number(graph, "length"))[0]) == "1230.0"


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://e/#inCounty", "in county"),
        ("http://e/C._West_Churchman", "C. West Churchman"),
        ("http://e/Sespe%20Creek", "Sespe Creek"),
        ("http://e/NorthSea", "North Sea"),
        ("http://e/isbnURL", "isbn URL"),
        ("http://e/", "e"),
        ("urn:x:population", "population"),
        ("http://e/%FF", "\ufffd"),
    ],
)
def test_spoken_names(iri: str, name: str) -> None:
    """Local names become words."""
    assert spoken_name(iri) == name
    assert local_name(iri)


def test_cache_gives_the_same_graph(tmp_path: Path) -> None:
    """A graph from the cache equals the one compiled from files, warnings included."""
    turtle = RIVERS + ':Main :length "x"^^xsd:integer ; :x [ :y << :a :b :c >> ] .'
    cold, warm = graph_of_text(tmp_path, turtle), graph_of_text(tmp_path, turtle)
    assert not cold.statistics.from_cache
    assert warm.statistics.from_cache
    assert cold.content_hash == warm.content_hash
    assert len(cold.content_hash) == 64
    assert [tuple(map(cold.n3, t)) for t in cold.triples()] == [tuple(map(warm.n3, t)) for t in warm.triples()]
    assert cold.statistics.warnings == warm.statistics.warnings != ()
    assert [cold.origin(*t) for t in cold.triples()] == [warm.origin(*t) for t in warm.triples()]


def test_changed_file_is_read_anew(tmp_path: Path) -> None:
    """The cache goes by content: a changed file gives the new triples and another hash."""
    before = graph_of_text(tmp_path, ":a :b :c .")
    after = graph_of_text(tmp_path, ":a :b :d .")
    assert after.id(EX + "c") is None
    assert before.content_hash != after.content_hash
    assert not after.statistics.from_cache


@pytest.mark.parametrize("cut", [0, 4, 12, 40, 200, -1])
def test_damaged_cache_is_rebuilt(tmp_path: Path, cut: int) -> None:
    """A cut or altered cache file gives a warning and a correct graph."""
    graph_of_text(tmp_path, RIVERS)
    (path,) = (tmp_path / "cache").glob("*.graph")
    content = path.read_bytes()
    path.write_bytes(content[:cut] if cut >= 0 else content[:-3] + b"abc")
    graph = graph_of_text(tmp_path, RIVERS)
    assert len(graph) == 11
    assert any("damaged" in warning for warning in graph.statistics.warnings)
    assert graph_of_text(tmp_path, RIVERS).statistics.from_cache


def test_cache_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    """Columns that would let a look-up leave an array are found even when the checksum is right."""
    builder = IndexBuilder()
    builder.add(builder.iri("http://e/s"), builder.iri("http://e/p"), builder.iri("http://e/o"), origin=3)
    path = tmp_path / "x.graph"
    assert cache.write(path, builder.build(), origins=(Origin("f", "curated"),), warnings=()) is None
    assert "an origin is missing" in str(cache.read(path))


def test_unwritable_cache_is_a_warning(tmp_path: Path) -> None:
    """Where the cache cannot be written the graph is loaded all the same."""
    (tmp_path / "cache").write_text("a file in the way")
    graph = graph_of_text(tmp_path, RIVERS)
    assert len(graph) == 11
    assert any("not written" in warning for warning in graph.statistics.warnings)


def test_default_cache_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default directory follows XDG_CACHE_HOME."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.sep + "x")
    assert cache.default_directory() == Path("/x/imprimatur")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.default_directory() == Path.home() / ".cache" / "imprimatur"


def test_shapes_files_are_kept_apart(tmp_path: Path) -> None:
    """Shapes add no triples and do not change the content hash."""
    plain = graph_of_text(tmp_path, RIVERS)
    shaped = graph_of_text(tmp_path, RIVERS, shapes=":S a sh:NodeShape .")
    assert len(plain) == len(shaped)
    assert plain.content_hash == shaped.content_hash
    assert [file.role for file in shaped.shapes_files] == ["shapes"]


def test_queries_run_on_the_same_triples(tmp_path: Path) -> None:
    """SPARQL sees every triple; malformed queries, services and queries of another kind are errors."""
    graph = graph_of_text(tmp_path, RIVERS + ":x :says 'SERVICE' .")
    assert graph.ask("ASK { <http://example.org/Main> <http://example.org/mouth>/<http://example.org/mouth> ?sea }")
    assert graph.ask('ASK { ?s ?p "SERVICE" }')
    assert len(graph.store()) == len(graph)
    for query, says in (
        ("ASK {", "failed"),
        ("SELECT * { ?s ?p ?o }", "no ASK"),
        ("ASK { SERVICE <http://e/> { ?s ?p ?o } }", "SERVICE"),
        ("ASK { # '\n SERVICE <http://e/> { ?s ?p ?o } # '\n }", "SERVICE"),
    ):
        with pytest.raises(KnowledgeBaseError, match=says):
            graph.ask(query)


@pytest.mark.parametrize(
    ("lexical", "datatype", "value"),
    [
        ("12", "integer", Fraction(12)),
        (" +012 ", "int", Fraction(12)),
        ("1.5", "integer", None),
        (".5", "decimal", Fraction(1, 2)),
        ("1e3", "decimal", None),
        ("1.5E3", "double", Fraction(1500)),
        ("1e999999999", "double", None),
        ("9" * 401, "integer", None),
        ("INF", "double", None),
        ("١٢", "integer", None),
        ("12", "string", None),
    ],
)
def test_numbers_are_exact(lexical: str, datatype: str, value: Fraction | None) -> None:
    """Numeric literals have exact values; ill-typed, huge and other ones have none."""
    assert parse_number(lexical, XSD + datatype) == value


@settings(max_examples=60, deadline=None)
@given(st.text(), st.sampled_from(["", "en"]))
def test_literals_survive_sparql(text: str, lang: str) -> None:
    """A literal of any text, written into a query, is found and nothing else happens."""
    import pyoxigraph as ox

    made = ox.Literal(text, language=lang) if lang else ox.Literal(text)
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("http://e/s"), ox.NamedNode("http://e/p"), made))
    written = literal_text(RdfLiteral(text, lang=lang))
    assert bool(store.query("ASK { <http://e/s> <http://e/p> " + written + " }"))
    assert "\n" not in written


def test_iris_cannot_break_out() -> None:
    """Characters that would end an IRI are escaped."""
    written = iri_text("http://e/> } UNION { ?s ?p ?o } #\n")
    assert written.count(">") == 1
    assert " " not in written
    assert "\n" not in written
    assert "{" not in written


@settings(max_examples=40, deadline=None)
@given(st.sets(st.tuples(*[st.integers(0, 7)] * 3), max_size=25))
def test_index_holds_exactly_what_was_added(triples: set[tuple[int, int, int]]) -> None:
    """All three orders of the index give the triples that were added."""
    builder = IndexBuilder()
    ids = [builder.iri(f"http://e/{n}") for n in range(8)]
    for s, p, o in triples:
        builder.add(ids[s], ids[p], ids[o], origin=0)
    index: Index = builder.build()
    graph = Graph(index, (Origin("f", "curated"),), statistics=statistics_of(index, 1, ()))
    assert set(graph.triples()) == triples
    assert {(s, p, o) for p in range(8) for s, o in graph.pairs(p)} == triples
    assert {(s, p, o) for o in range(8) for s, p in graph.into(o)} == triples
    assert {(s, p, o) for s in range(8) for p in range(8) for o in range(8) if graph.has(s, p, o)} == triples


def test_files_and_labels_of_another_scheme(tmp_path: Path) -> None:
    """schema.org names are read under both schemes."""
    path = tmp_path / "a.nt"
    path.write_text(
        '<http://e/s> <http://schema.org/name> "S" .\n<http://e/s> <https://schema.org/alternateName> "T" .\n'
    )
    graph = Graph.load([GraphFile(path)], cache_dir=tmp_path)
    assert graph.labels(graph.id("http://e/s") or 0) == ("S", "T")
