"""What is kept of shapes: the same as they say, read again without compiling them, and made anew when damaged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from graphs import PREFIXES, graph_of_text

from imprimatur.sources.graph.shape_digest import Digest, digest_of
from imprimatur.sources.graph.shapes import Shapes

DATA = ":a :length 5 ; :mouth :b ; :state :x ."
SHAPES = """
:S a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:property
    [ sh:path :length ; sh:maxCount 1 ; sh:minExclusive 0 ; sh:lessThan :course ; sh:in ( 5 "six"@en :x ) ] ,
    [ sh:path :mouth ; sh:class :Water ; sh:disjoint :source ] .
:Idle a sh:NodeShape ; sh:targetClass :Nothing ; sh:property [ sh:path :length ; sh:minCount 1 ] .
"""


def _digest(folder: Path) -> Digest:
    graph = graph_of_text(folder, DATA, shapes=SHAPES)
    return digest_of(Shapes.load(graph, [folder / "shapes.ttl"]), folder / "cache")


def _kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("shapes-*.json"))


def test_what_is_kept_is_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time the shapes are not compiled."""
    first = _digest(tmp_path)
    assert [each.property for each in first.implied] == [f"http://example.org/{name}" for name in ("length", "mouth")]
    assert len(first.implied[0].allowed) == 3
    assert first.unfocused == ("http://example.org/Idle",)
    assert len(_kept(tmp_path)) == 1
    monkeypatch.setitem(sys.modules, "imprimatur.sources.shacl.judging", None)
    assert _digest(tmp_path) == first


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"implied": [{"x": 1}], "unfocused": []}', '{"implied": 5}'])
def test_a_damaged_file_is_made_anew(content: str, tmp_path: Path) -> None:
    """Whatever stands in it."""
    first = _digest(tmp_path)
    (kept,) = _kept(tmp_path)
    kept.write_text(content, encoding="utf-8")
    assert _digest(tmp_path) == first
    assert kept.read_text(encoding="utf-8") != content


def test_other_shapes_or_data_are_kept_apart(tmp_path: Path) -> None:
    """The name of the file depends on both."""
    first = _digest(tmp_path)
    (tmp_path / "shapes.ttl").write_text(PREFIXES, encoding="utf-8")
    graph = graph_of_text(tmp_path, DATA)
    assert digest_of(Shapes.load(graph, [tmp_path / "shapes.ttl"]), tmp_path / "cache") == Digest()
    assert len(_kept(tmp_path)) == 2
    assert _digest(tmp_path) == first
