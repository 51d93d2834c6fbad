"""Real shapes and data: Brick, DCAT-AP, and pySHACL's own regression data; the same keyed violations as pySHACL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from imprimatur.sources.graph.shapes import Engine, Shapes
from imprimatur.sources.graph.store import Graph, GraphFile

REAL = Path(__file__).parents[4] / "shared" / "data" / "shacl-real"
pytestmark = [
    pytest.mark.skipif(not REAL.is_dir(), reason="the real shapes are not beside the repository"),
    pytest.mark.filterwarnings("ignore"),
]
_CLI, _ISSUES, _DCAT = REAL / "pyshacl-cmdline", REAL / "pyshacl-issues", REAL / "dcat-ap-3.0.1"
_DCAT_SHAPES = ("shapes", "range", "deprecateduris", "shapes_recommended", "mdr-vocabularies.shape")
SMALL: dict[str, tuple[list[Path], list[Path]]] = {
    "cmdline 1": ([_CLI / "d1.ttl", _CLI / "o1.ttl"], [_CLI / "s1.ttl"]),
    "cmdline 2": ([_CLI / "d2.ttl", _CLI / "o1.ttl"], [_CLI / "s1.ttl"]),
    "cmdline rules": ([_CLI / "rules_d.ttl"], [_CLI / "rules_s.ttl"]),
    "issue 29": ([_ISSUES / "test_029/simpleData.ttl"], [_ISSUES / "test_029/simpleOnto.ttl"]),
    "issue 40, recursive shapes": ([_ISSUES / "test_040/sample-network.ttl"], [_ISSUES / "test_040/03-Network.ttl"]),
    "issue 220": (
        [_ISSUES / "test_220/kb-REPRODUCTION-2.ttl", _ISSUES / "test_220/owl-REPRODUCTION.ttl"],
        [_ISSUES / "test_220/sh-REPRODUCTION-2.ttl"],
    ),
    "DCAT-AP": (
        [REAL / "dcat-ap-hvd-examples/example-ms_dataset_2_licenses.ttl"],
        [_DCAT / f"{name}.ttl" for name in _DCAT_SHAPES],
    ),
    "Brick": (
        [REAL / "brick-examples/submeter_hierarchies/main-and-submeter.ttl"],
        [REAL / "bricksrc/root_class_shapes.ttl"],
    ),
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """rdflib reports each ill-typed literal."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def _keys(graph: Graph, shapes: list[Path], engine: Engine) -> set[tuple[str, ...]]:
    found = Shapes.load(graph, shapes, engine=engine).check_graph().violations
    return {(v.focus, v.shape, v.path, v.component, v.value, v.severity) for v in found}


def _both(data: list[Path], shapes: list[Path], cache: Path) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The keyed violations by the compiled engine, and by pySHACL."""
    files = [GraphFile(path) for path in data]
    # pySHACL runs rules itself; for the compiled engine they are part of loading.
    ruled = Graph.load([*files, *(GraphFile(path, "shapes") for path in shapes)], cache_dir=cache)
    return _keys(ruled, shapes, "compiled"), _keys(Graph.load(files, cache_dir=cache), shapes, "pyshacl")


@pytest.mark.parametrize("name", SMALL)
def test_some_real_shapes(name: str, tmp_path: Path) -> None:
    """One of each kind."""
    ours, theirs = _both(*SMALL[name], tmp_path)
    assert ours == theirs


def test_recursive_shapes_over_data_that_come_back(tmp_path: Path) -> None:
    """Where pySHACL backs out with a warning and passes, the nodes of the circle are listed as undecided."""
    data, shapes = SMALL["issue 40, recursive shapes"]
    check = Shapes.load(Graph.load([GraphFile(path) for path in data], cache_dir=tmp_path), shapes).check_graph()
    nodes = sorted({line.partition(":")[2].partition(">")[0][-1:] for line in check.undecided})
    assert (check.violations, nodes) == ((), ["a", "b", "c"])


@pytest.mark.slow
def test_all_examples(tmp_path: Path) -> None:
    """All of DCAT-AP's and Brick's examples."""
    dcat = [_DCAT / f"{name}.ttl" for name in _DCAT_SHAPES]
    examples = sorted((REAL / "dcat-ap-hvd-examples").glob("*.ttl")) + sorted((REAL / "dcat-ap-examples").glob("*.nt"))
    found = 0
    for example in examples:
        ours, theirs = _both([example], dcat, tmp_path)
        assert ours == theirs, example
        found += len(ours)
    assert found > 300
    bricks = sorted((REAL / "brick-examples").rglob("*.ttl"))
    assert len(bricks) == 27
    for brick in bricks:
        ours, theirs = _both([brick], [REAL / "bricksrc/root_class_shapes.ttl"], tmp_path)
        assert ours == theirs, brick
