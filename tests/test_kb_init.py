"""`init`: a working folder from any graph, with guesses that have no effect until they are confirmed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from imprimatur.cli.main import run
from imprimatur.config import load_folder
from imprimatur.errors import KnowledgeBaseError
from imprimatur.kb_init import ADDITIONS, make_folder
from imprimatur.policy import load
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph, GraphFile

_TURTLE = """
@prefix ex: <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a rdfs:label "Alpha" ; ex:lengthKm 12.5 ; ex:flowsInto ex:b, ex:c ; ex:depth_feet 3 ; ex:codeKm "x" .
ex:b rdfs:label "Beta" ; ex:lengthKm 13 ; ex:flowsInto ex:c .
ex:c ex:lengthKm 14.0 ; ex:flowsInto ex:a .
ex:depth_feet rdfs:label "depth" .
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A small graph without an ontology."""
    path = tmp_path / "it's ${a} graph.ttl"
    path.write_text(_TURTLE)
    return path


def test_the_folder_works_as_it_stands(graph: Path, tmp_path: Path) -> None:
    """It loads, its graph is the given one, and its policy is the strict one."""
    summary = make_folder(graph, tmp_path / "kb")
    config = load_folder(tmp_path / "kb", environ={})
    assert config.graph.data == (tmp_path / "kb" / graph.name,)
    assert config.graph.data[0].read_text() == _TURTLE
    assert isinstance(config.policy, Path)
    assert load(config.policy, environ={}).actions == load("strict", environ={}).actions
    assert set(os.listdir(tmp_path / "kb")) == set(summary.files)
    assert (summary.unlabelled, "no label" in summary.warnings[-1]) == (1, True)


def test_guesses_have_no_effect_until_confirmed(graph: Path, tmp_path: Path) -> None:
    """The additions are valid Turtle without any triple; uncommented, they say what was guessed."""
    summary = make_folder(graph, tmp_path / "kb")
    additions = tmp_path / "kb" / ADDITIONS
    files = [GraphFile(graph), GraphFile(additions, role="ontology")]
    length = "https://example.org/lengthKm"
    before = Schema.of(Graph.load(files, cache_dir=tmp_path)).properties[length]
    assert (before.functional, before.unit_iri) == (False, None)
    lines = additions.read_text().splitlines()
    additions.write_text("\n".join(line.removeprefix("# ") if line.startswith("# <") else line for line in lines))
    after = Schema.of(Graph.load(files, cache_dir=tmp_path)).properties[length]
    assert (after.functional, after.unit_iri) == (True, "http://qudt.org/vocab/unit/KiloM")
    assert after.labels[0] == "length"
    turtle = [guess.turtle for guess in summary.guesses]
    assert not any("flowsInto> a owl:Functional" in line for line in turtle)
    assert not any("codeKm> qudt" in line for line in turtle)
    assert any("depth_feet> qudt:hasUnit <http://qudt.org/vocab/unit/FT>" in line for line in turtle)
    assert not any("depth_feet> rdfs:label" in line for line in turtle)


def test_nothing_is_overwritten(graph: Path, tmp_path: Path) -> None:
    """A folder with anything in it, a file and an absent graph are refused; an empty folder is fine."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    for target in (tmp_path / "full", graph):
        with pytest.raises(KnowledgeBaseError, match="exists already"):
            make_folder(graph, target)
    with pytest.raises(KnowledgeBaseError, match="no such file"):
        make_folder(tmp_path / "absent.ttl", tmp_path / "kb")
    assert os.listdir(tmp_path / "full") == ["x"]
    (tmp_path / "empty").mkdir()
    make_folder(graph, tmp_path / "empty")


def test_a_graph_with_the_name_of_our_own_files_is_kept(tmp_path: Path) -> None:
    """The graph never loses its place to the additions."""
    path = tmp_path / ADDITIONS
    path.write_text(_TURTLE)
    make_folder(path, tmp_path / "kb")
    (data,) = load_folder(tmp_path / "kb", environ={}).graph.data
    assert data.read_text() == _TURTLE


def test_a_broken_graph_leaves_nothing(tmp_path: Path) -> None:
    """What cannot be parsed makes no folder."""
    (tmp_path / "bad.ttl").write_text("this is not turtle")
    with pytest.raises(KnowledgeBaseError):
        make_folder(tmp_path / "bad.ttl", tmp_path / "kb")
    assert os.listdir(tmp_path) == ["bad.ttl"]


def test_the_command(
    graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is named after the graph, and the next step is said."""
    monkeypatch.chdir(tmp_path)
    assert run(["init", str(graph)]) == 0
    out = capsys.readouterr().out
    assert "guesses to confirm in ontology-additions.ttl" in out
    assert (tmp_path / graph.stem / "imprimatur.yaml").is_file()
    assert run(["init", str(graph), "other", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["triples"] == 12
    assert run(["init", str(graph)]) == 2
