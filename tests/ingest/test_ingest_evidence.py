"""Facts from documents in a graph: their places, their trust, and stores of many sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_ingest import BASE, BrookReader, brought_up, write_documents

from imprimatur.ingest.reviewing import review
from imprimatur.ingest.store import FactStore
from imprimatur.sources.graph import load
from imprimatur.sources.graph.places import where
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.terms import Origin

_TRUST = {"derived.nq": "derived", "model.nq": "model", "accepted.nq": "curated"}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A store of facts from two documents that state the same, one of which states more."""
    both = "Fir Brook flows into Oak Brook.\n"
    texts = {"a.md": both, "b.md": both + "Elm Brook is 12000 metres long.\n"}
    write_documents(tmp_path / "kb" / "docs", texts)
    brought_up(tmp_path / "kb", tmp_path / "kb" / "docs")
    return tmp_path / "kb"


def _graph(base: Path, cache: Path) -> Graph:
    files = [GraphFile(base / "facts" / name, "data", trust) for name, trust in _TRUST.items()]
    return Graph.load(files, cache_dir=cache)


def _origin(graph: Graph, property_: str) -> Origin:
    predicate = graph.id(BASE + property_)
    assert predicate is not None
    ((subject, object_),) = graph.pairs(predicate)
    return graph.origin(subject, predicate, object_)


def test_an_empty_store_gives_no_warnings(tmp_path: Path) -> None:
    """Files of facts may well be empty."""
    FactStore(tmp_path).prepare()
    graph = _graph(tmp_path, tmp_path / "cache")
    assert not [warning for warning in graph.statistics.warnings if ".nq" in warning]


def test_the_place_is_told(base: Path, tmp_path: Path) -> None:
    """By document, characters and words."""
    graph = _graph(base, tmp_path / "cache")
    told = where(graph.places, [_origin(graph, "length")])
    assert told == "docs/b.md, characters 32-63: “Elm Brook is 12000 metres long.”"
    mouth = where(graph.places, [_origin(graph, "mouth")])
    assert mouth == "docs/a.md, characters 0-31: “Fir Brook flows into Oak Brook.”"
    assert where(graph.places, [Origin("other.ttl", "curated"), Origin("other.ttl", "curated")]) == "other.ttl"
    assert where(graph.places, [Origin("model.nq", "model", "model:llm")]) == "model.nq (model:llm)"


def test_who_accepted_is_told(base: Path, tmp_path: Path) -> None:
    """An accepted fact has the name of who accepted it beside its sentence."""
    (row,) = [row for row in FactStore(base).read().rows if "12000" in row.words]
    review(base, accept=[row.id], by="Ada")
    graph = _graph(base, tmp_path / "cache")
    origin = _origin(graph, "length")
    assert origin.trust == "curated"
    assert "accepted by Ada on 20" in where(graph.places, [origin])


def test_what_a_model_read_is_of_that_trust(base: Path, tmp_path: Path) -> None:
    """Whatever else states it, a fact has the trust of the best that states it; a model's alone is a model's."""
    brought_up(base, reader=BrookReader(identity="m:1", trust="model"))
    graph = _graph(base, tmp_path / "cache")
    assert {origin.trust for origin in graph.origins if origin.graph} == {"model"}


def test_a_graph_keeps_the_places_it_was_read_with(base: Path, tmp_path: Path) -> None:
    """When the store changes, an open graph tells the sentences of its own facts."""
    graph = _graph(base, tmp_path / "cache")
    write_documents(base / "docs", {"b.md": "Elm Brook is 7 metres long.\n"})
    brought_up(base)
    told = where(graph.places, [_origin(graph, "length")])
    assert told.endswith("“Elm Brook is 12000 metres long.” (the document has changed since)")


def test_more_sentences_than_named_graphs(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what there is room for, facts are told of by their file; none is lost."""
    whole = len(_graph(base, tmp_path / "cache"))
    monkeypatch.setattr(load, "_MOST_ORIGINS", 1)
    graph = _graph(base, tmp_path / "other")
    assert len(graph) == whole
    assert [origin.graph != "" for origin in graph.origins] == [True, False]
    assert where(graph.places, [_origin(graph, "length")]).startswith(("derived.nq", "docs/"))
