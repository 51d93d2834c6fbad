"""Loading RDF files: syntaxes, compression, and a clear error for every way a file can be wrong."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from effort import ends

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.store import Graph, GraphFile

NT = "<http://e/s> <http://e/p> <http://e/o> .\n"
XML = """<?xml version="1.0"?>{doctype}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
<rdf:Description rdf:about="http://e/s"><e:p rdf:resource="{object}"/></rdf:Description></rdf:RDF>"""
SYNTAXES = {
    "a.ttl": "@prefix e: <http://e/> . e:s e:p e:o .",
    "a.nt": NT,
    "a.nq": "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n",
    "a.trig": "@prefix e: <http://e/> . e:g { e:s e:p e:o . }",
    "a.rdf": XML.format(doctype="", object="http://e/o"),
    "a.jsonld": '{"@id": "http://e/s", "http://e/p": {"@id": "http://e/o"}}',
    "a.owl": XML.format(doctype="", object="http://e/o"),
    "b.owl": "@prefix e: <http://e/> . e:s e:p e:o .",
    "a.txt": NT,
    "a.json": '[{"@id": "http://e/s", "http://e/p": {"@id": "http://e/o"}}]',
    "wrong.ttl": XML.format(doctype="", object="http://e/o"),
    "sparql.ttl": "# a remark\nPREFIX e: <http://e/>\ne:s e:p e:o .",
}


def load(folder: Path, *files: GraphFile) -> Graph:
    """The graph of some files, cached in the test's folder."""
    return Graph.load(files, cache_dir=folder / "cache")


def failure(folder: Path, name: str, content: str | bytes) -> KnowledgeBaseError:
    """The error that a file of this content gives."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(KnowledgeBaseError) as caught:
        load(folder, GraphFile(path))
    assert name in caught.value.where
    return caught.value


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", SYNTAXES)
def test_every_syntax_is_read(tmp_path: Path, name: str, packed: bool) -> None:
    """Each syntax gives the same triple, packed or not, by extension or by content."""
    content = SYNTAXES[name].encode()
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(content) if packed else content)
    graph = load(tmp_path, GraphFile(path))
    s, p, o = (graph.id("http://e/" + part) for part in "spo")
    assert s is not None
    assert p is not None
    assert o is not None
    assert len(graph) == 1
    assert graph.has(s, p, o)


def test_named_graph_is_kept_as_origin(tmp_path: Path) -> None:
    """Named graphs are merged for reading; the origin names file, trust and graph."""
    path = tmp_path / "a.trig"
    path.write_text(SYNTAXES["a.trig"])
    graph = load(tmp_path, GraphFile(path, "data", "derived"))
    s, p, o = (graph.id("http://e/" + part) or 0 for part in "spo")
    origin = graph.origin(s, p, o)
    assert (origin.file, origin.trust, origin.graph) == (path.name, "derived", "http://e/g")
    with pytest.raises(KeyError):
        graph.origin(o, p, s)


def test_most_trusted_origin_stays(tmp_path: Path) -> None:
    """A triple in several files has the most trusted of them as origin, whatever their order."""
    for name in ("model.nt", "good.nt"):
        (tmp_path / name).write_text(NT)
    graph = load(tmp_path, GraphFile(tmp_path / "model.nt", trust="model"), GraphFile(tmp_path / "good.nt"))
    s, p, o = (graph.id("http://e/" + part) or 0 for part in "spo")
    assert graph.origin(s, p, o).trust == "curated"
    assert any("stand in other files" in warning for warning in graph.statistics.warnings)


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    """The same blank node label in two files is two nodes, labelled in order of appearance."""
    for name, value in (("a.nt", "1"), ("b.nt", "2")):
        (tmp_path / name).write_text(f'_:x <http://e/p> "{value}" .\n_:x <http://e/q> _:x .\n')
    graph = load(tmp_path, GraphFile(tmp_path / "a.nt"), GraphFile(tmp_path / "b.nt"))
    assert sorted(graph.iri(s) for s in graph.subjects_all()) == ["_:b0", "_:b1"]


@pytest.mark.parametrize(
    ("name", "content", "says", "hint"),
    [
        ("a.ttl", "<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p>", "end", "too early"),
        ("a.nt", NT + "<http://e/a b> <http://e/p> <http://e/o> .\n", "IRI", "%20"),
        ("b.ttl", "<s> <http://e/p> <http://e/o> .", "scheme", "@base"),
        ("c.ttl", "e:s e:p e:o .", "prefix", "@prefix"),
        ("a.jsonld", '{"@context": "https://e.example/c.jsonld", "a": "b"}', "", "not fetched"),
        ("b.jsonld", '{"@id": ', "", ""),
        ("a.bin", b"\x00\x01\x02", "binary", ""),
        ("d.ttl", "<http://e/s> <http://e/p> 'é' .".encode("utf-16"), "UTF-16", "UTF-8"),
        ("e.ttl", "# x\n<http://e/s> <http://e/p> 'é' .".encode("latin-1"), "UTF-8", "convert"),
        ("a.gz", gzip.compress(NT.encode(), mtime=0)[:-9], "gzip", "pack"),
        ("a.omn", "Prefix: e: <http://e/>\nOntology: <http://e>", "no RDF syntax", "Turtle"),
    ],
)
def test_bad_files_give_a_clear_error(tmp_path: Path, name: str, content: str | bytes, says: str, hint: str) -> None:
    """Every broken file gives an error that says what is wrong, where, and how to mend it."""
    error = failure(tmp_path, name, content)
    assert says.lower() in error.message.lower()
    assert hint in error.hint


def test_syntax_error_names_the_line(tmp_path: Path) -> None:
    """The parser's line is part of the place."""
    assert failure(tmp_path, "a.nt", NT * 3 + "oops\n").where.endswith("line 4")


def test_missing_file_directory_and_unknown_role(tmp_path: Path) -> None:
    """A missing file, a directory, an unknown role and an unknown trust class are told apart."""
    with pytest.raises(KnowledgeBaseError, match="no such file"):
        load(tmp_path, GraphFile(tmp_path / "none.ttl"))
    with pytest.raises(KnowledgeBaseError, match="directory"):
        load(tmp_path, GraphFile(tmp_path))
    with pytest.raises(KnowledgeBaseError, match="role 'dat'"):
        GraphFile(tmp_path, "dat")
    with pytest.raises(KnowledgeBaseError, match="trust class 'good'"):
        GraphFile(tmp_path, trust="good")


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r SYSTEM "http://e.example/x.dtd">',
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY x "&a;&a;&a;">]>',
        '<!DOCTYPE r [<!ENTITY % p "x">]>',
    ],
)
def test_external_and_nested_entities_are_refused(tmp_path: Path, doctype: str) -> None:
    """No XML entity may read another file or unfold into others."""
    error = failure(tmp_path, "a.rdf", XML.format(doctype=doctype, object="&x;"))
    assert "DOCTYPE" in error.hint


def test_simple_entities_are_read(tmp_path: Path) -> None:
    """Name-space entities, as ontology editors write them, are allowed."""
    path = tmp_path / "a.rdf"
    path.write_text(XML.format(doctype='<!DOCTYPE r [<!ENTITY e "http://e/">]>', object="&e;o"))
    assert load(tmp_path, GraphFile(path)).id("http://e/o") is not None


def test_ill_typed_literals_are_kept_and_reported(tmp_path: Path) -> None:
    """An ill-typed literal has no value and gives a warning; an unknown datatype is kept as it is."""
    path = tmp_path / "a.ttl"
    path.write_text(
        '@prefix x: <http://www.w3.org/2001/XMLSchema#> . <http://e/s> <http://e/p> "abc"^^x:integer, '
        '"2000-13x"^^x:date, "12"^^x:integer, "7"^^<http://e/unit> .'
    )
    graph = load(tmp_path, GraphFile(path))
    objects = graph.objects(graph.id("http://e/s") or 0, graph.id("http://e/p") or 0)
    values = {graph.literal(o).lexical: graph.number(o) for o in objects}
    assert values == {"abc": None, "2000-13x": None, "12": 12, "7": None}
    assert [w for w in graph.statistics.warnings if "'abc' is no integer" in w]
    assert len(graph.statistics.warnings) == 2


def test_empty_files_and_graphs_warn(tmp_path: Path) -> None:
    """An empty file and an empty graph are warnings, not errors."""
    (tmp_path / "a.ttl").write_text("# nothing\n")
    warnings = load(tmp_path, GraphFile(tmp_path / "a.ttl")).statistics.warnings
    assert any("no triples" in warning for warning in warnings)
    assert any("graph is empty" in warning for warning in load(tmp_path).statistics.warnings)


@pytest.mark.parametrize(
    "content", ["#" * 1_000_000, " " * 1_000_000, "<" * 1_000_000, "[" * 1_000_000, '"' * 1_000_000]
)
@ends
def test_hostile_text_ends_soon(tmp_path: Path, content: str) -> None:
    """A megabyte of one character is an error or an empty graph within seconds."""
    path = tmp_path / "a.txt"
    path.write_text(content)
    with suppress(KnowledgeBaseError):
        assert len(load(tmp_path, GraphFile(path))) == 0


def test_unfolding_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small packed file that unfolds beyond the limit is refused."""
    monkeypatch.setattr("imprimatur.sources.graph.files.MAX_BYTES", 10_000)
    path = tmp_path / "a.nt.gz"
    path.write_bytes(gzip.compress(NT.encode() * 10_000))
    with pytest.raises(KnowledgeBaseError, match="unfolds"):
        load(tmp_path, GraphFile(path))


@ends
def test_deeply_nested_json_is_an_error(tmp_path: Path) -> None:
    """Deep JSON is read or refused, and nothing crashes or hangs."""
    path = tmp_path / "a.jsonld"
    path.write_text('{"@id": "http://e/s", "http://e/p": ' + "[" * 2000 + "]" * 2000 + "}")
    with suppress(KnowledgeBaseError):
        assert len(load(tmp_path, GraphFile(path))) <= 1
