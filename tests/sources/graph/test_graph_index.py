"""The index: columns, the table of terms, and what of an earlier look at a file is remembered."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from graphs import PREFIXES, graph_of_text, number
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import cache, index_build, stamps
from imprimatur.sources.graph.index import COLUMNS, Index
from imprimatur.sources.graph.index_build import IndexBuilder
from imprimatur.sources.graph.statistics import statistics_of
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.term_table import find_literal, find_node
from imprimatur.sources.graph.terms import RDF, XSD, Origin, RdfLiteral

ORIGINS = (Origin("trusted", "curated"), Origin("guessed", "model"))
_TEXTS = st.text(max_size=12)
_TRIPLES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 5), st.integers(0, 1)), max_size=30)


def graph_of_index(index: Index) -> Graph:
    """A graph over an index, without files."""
    return Graph(index, ORIGINS, statistics=statistics_of(index, 1, ()))


@settings(max_examples=60, deadline=None)
@given(_TRIPLES)
def test_every_lookup_agrees_with_a_set_of_triples(added: list[tuple[int, int, int, int]]) -> None:
    """All look-ups give what going through all triples gives, however often and in what order they were added."""
    builder = IndexBuilder()
    for each in range(6):
        builder.iri(f"http://e/{each}")
    for s, p, o, origin in added:
        builder.add(s, p, o, origin=origin)
    graph = graph_of_index(builder.build())
    triples = {(s, p, o) for s, p, o, _ in added}
    assert list(graph.triples()) == sorted(triples)
    assert graph.predicates() == tuple(sorted({p for _, p, _ in triples}))
    assert graph.subjects_all() == tuple(sorted({s for s, _, _ in triples}))
    assert graph.statistics.subjects == len({s for s, _, _ in triples})
    for a in range(6):
        assert set(graph.out(a)) == {(p, o) for s, p, o in triples if s == a}
        assert set(graph.into(a)) == {(s, p) for s, p, o in triples if o == a}
        assert graph.predicates_of(a) == tuple(sorted({p for s, p, _ in triples if s == a}))
        assert list(graph.pairs(a)) == sorted((s, o) for s, p, o in triples if p == a)
        assert list(graph.objects_of(a)) == [o for _, o in graph.pairs(a)]
        assert graph.count(a) == len(list(graph.pairs(a)))
        for b in range(6):
            assert graph.objects(a, b) == tuple(sorted(o for s, p, o in triples if (s, p) == (a, b)))
            assert graph.subjects(a, b) == tuple(sorted(s for s, p, o in triples if (p, o) == (a, b)))
    for triple in triples:
        assert graph.origin(*triple) is ORIGINS[min(origin for *known, origin in added if tuple(known) == triple)]


def test_predicates_that_the_graph_lacks_have_no_triples() -> None:
    """An identifier that is made up for a property (below zero) finds nothing anywhere."""
    builder = IndexBuilder()
    a, b = builder.iri("http://e/a"), builder.iri("http://e/b")
    builder.add(a, b, a, origin=0)
    graph = graph_of_index(builder.build())
    assert graph.objects(a, -1) == graph.subjects(-1, a) == ()
    assert not graph.has(a, -1, a)
    assert graph.count(-1) == graph.count(a) == 0
    assert list(graph.pairs(-1)) == []
    with pytest.raises(KeyError):
        graph.origin(a, a, a)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_TEXTS, st.sampled_from(["", "en", "de"])), max_size=20), _TEXTS)
def test_terms_are_found_by_their_text_alone(literals: list[tuple[str, str]], other: str) -> None:
    """Each literal is found as exactly itself; an IRI, a blank node and literals of one text are told apart."""
    builder = IndexBuilder()
    plain = builder.iri(XSD + "string")
    blank = builder.blank()
    known = {
        each: builder.tagged(*each) if each[1] else builder.literal(each[0], plain) for each in dict.fromkeys(literals)
    }
    iris = {text: builder.iri(text) for text in dict.fromkeys(f"http://e/{text}" for text, _ in literals)}
    graph = graph_of_index(builder.build())
    for (text, lang), expected in known.items():
        assert graph.literal_id(graph.literal(expected)) == expected
        assert graph.literal(expected) == RdfLiteral(text, RDF + "langString" if lang else XSD + "string", lang)
    for iri, expected in iris.items():
        assert graph.id(iri) == expected
        assert graph.iri(expected) == iri
    assert graph.id("_:b0") == blank
    assert graph.literal_id(RdfLiteral(other)) == known.get((other, ""))
    assert graph.literal_id(RdfLiteral(other, XSD + "integer")) is None
    assert graph.literal_id(RdfLiteral(other, lang="fr")) is None
    assert graph.id(other) is None


def test_texts_of_any_kind_and_length() -> None:
    """A megabyte, a lone surrogate, and texts that look like the table's own keys are looked up without error."""
    builder = IndexBuilder()
    long = "http://e/" + "x" * 1_000_000
    expected = builder.iri(long)
    quoted = builder.iri('"a"en')
    tagged = builder.tagged("a", "en")
    index = builder.build()
    graph = graph_of_index(index)
    assert graph.id(long) == expected
    assert graph.id(long + "y") is None
    assert graph.id("\ud800") is None
    assert (find_node(index, '"a"en'), find_literal(index, "a", datatype="", lang="en")) == (quoted, tagged)


def test_too_many_triples_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What 32 bits cannot number is refused, not wrapped around."""
    monkeypatch.setattr(index_build, "MASK", 1)
    builder = IndexBuilder()
    builder.add(builder.iri("http://e/a"), 0, 0, origin=0)
    with pytest.raises(KnowledgeBaseError, match="too many triples"):
        builder.build()


def test_a_graph_from_the_cache_is_mapped(tmp_path: Path) -> None:
    """Columns lie in the file, cold and warm: the file can be replaced while the graph is in use."""
    graph = graph_of_text(tmp_path, ":a :b :c .")
    (path,) = (tmp_path / "cache").glob("*.graph")
    other = path.with_suffix(".other")
    other.write_bytes(b"something else")
    other.replace(path)
    assert graph.has(number(graph, "a"), number(graph, "b"), number(graph, "c"))
    assert any("damaged" in each for each in graph_of_text(tmp_path, ":a :b :c .").statistics.warnings)


@pytest.mark.parametrize("field", ["version", "byte_order", "size", "columns"])
def test_a_cache_of_another_kind_is_rebuilt(tmp_path: Path, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version, another machine's byte order and columns that do not fit are all refused."""
    loads = json.loads
    graph_of_text(tmp_path, ":a :b :c .")
    wrong = {"version": 0, "byte_order": "middle", "size": 1, "columns": dict.fromkeys(COLUMNS, (0, 64))}
    monkeypatch.setattr(json, "loads", lambda text: {**loads(text), field: wrong[field]})
    (path,) = (tmp_path / "cache").glob("*.graph")
    assert "damaged" in str(cache.read(path))


def test_terms_of_several_files_are_one(tmp_path: Path) -> None:
    """A term in two files has one identifier; blank nodes of two files are two."""
    for name in ("a.ttl", "b.ttl"):
        (tmp_path / name).write_text(PREFIXES + f":{name[0]} :p 1 , [ :q 'x'@en ] .")
    graph = Graph.load([GraphFile(tmp_path / "a.ttl"), GraphFile(tmp_path / "b.ttl")], cache_dir=tmp_path)
    one = graph.literal_id(RdfLiteral("1", XSD + "integer"))
    assert one is not None
    assert len(graph.subjects(number(graph, "p"), one)) == 2
    assert graph.count(number(graph, "q")) == 2
    assert graph.id("_:b1") is not None
    assert graph.id("_:b2") is None


def _old(path: Path) -> None:
    """Makes a file look as if it had been changed an hour ago (its time of change cannot be set)."""
    before = time.time_ns() - 3_600_000_000_000
    os.utime(path, ns=(before, before))


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Notes every look at a file; files of any size are large, and settle at once."""
    monkeypatch.setattr(stamps, "SMALL", 0)
    monkeypatch.setattr(stamps, "_SETTLED_NS", -1)
    return []


def _ask(path: Path, folder: Path, looks: list[Path], what: str = "text") -> str:
    def look(at: Path) -> str:
        looks.append(at)
        return at.read_text()

    return stamps.remembered(path, look, folder=folder, what=what)


def test_an_untouched_file_is_looked_at_once(tmp_path: Path, looks: list[Path]) -> None:
    """What was found is remembered for each thing asked, until the file is written, replaced or its memory damaged."""
    path, folder = tmp_path / "a", tmp_path / "memory"
    path.write_text("one")
    assert [_ask(path, folder, looks) for _ in range(3)] == ["one"] * 3
    assert len(looks) == 1
    assert _ask(path, folder, looks, "else") == "one"
    assert len(looks) == 2
    path.write_text("two")
    assert _ask(path, folder, looks) == "two"
    (tmp_path / "b").write_text("six")
    (tmp_path / "b").replace(path)
    _old(path)
    assert _ask(path, folder, looks) == "six"
    for memory in folder.iterdir():
        memory.write_text("[")
    assert _ask(path, folder, looks) == "six"
    assert len(looks) == 5


def test_a_fresh_or_small_file_is_looked_at_each_time(
    tmp_path: Path, looks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that could change again within one tick of the clock is not remembered, and no small one is."""
    path = tmp_path / "a"
    path.write_text("one")
    monkeypatch.setattr(stamps, "_SETTLED_NS", 3_600_000_000_000)
    assert [_ask(path, tmp_path / "m", looks) for _ in range(2)] == ["one"] * 2
    monkeypatch.setattr(stamps, "_SETTLED_NS", -1)
    monkeypatch.setattr(stamps, "SMALL", 100)
    assert [_ask(path, tmp_path / "m", looks) for _ in range(2)] == ["one"] * 2
    assert len(looks) == 4
    assert not (tmp_path / "m").exists()


def test_a_memory_that_cannot_be_written_is_none(tmp_path: Path, looks: list[Path]) -> None:
    """Where the folder is in the way of a file, each look is anew."""
    path, folder = tmp_path / "a", tmp_path / "memory"
    path.write_text("one")
    folder.write_text("a file in the way")
    assert [_ask(path, folder, looks) for _ in range(2)] == ["one"] * 2
    assert len(looks) == 2


def test_a_damaged_large_cache_is_found_even_when_remembered(tmp_path: Path, looks: list[Path]) -> None:
    """A file that was found whole and is then altered is checked again."""
    for _ in range(2):
        graph_of_text(tmp_path, ":a :b :c .")
    assert list((tmp_path / "cache").glob("*.stamp"))
    (path,) = (tmp_path / "cache").glob("*.graph")
    content = bytearray(path.read_bytes())
    content[-100] ^= 255
    path.write_bytes(content)
    assert any("damaged" in each for each in graph_of_text(tmp_path, ":a :b :c .").statistics.warnings)
