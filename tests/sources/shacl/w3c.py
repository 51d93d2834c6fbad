"""The W3C SHACL test suite: its tests, and whether an engine's report is the expected one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
from rdflib import Graph as RdflibGraph
from rdflib.namespace import RDF, SH, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from imprimatur.errors import CheckFailed, KnowledgeBaseError
from imprimatur.sources.graph.shapes import Engine, Shapes
from imprimatur.sources.graph.shapes_overlay import term_of, text_of
from imprimatur.sources.graph.shapes_run import _path_text as path_text
from imprimatur.sources.graph.store import Graph, GraphFile

__all__ = ["SUITE", "Suite", "W3cTest", "outcome", "shapes_of", "suite_tests"]

SUITE = Path(__file__).parents[4] / "shared" / "data" / "shacl-test-suite" / "tests"
_MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
_SHT = Namespace("http://www.w3.org/ns/shacl-test#")
#: Focus node, path, component, value, severity; blank nodes count as one. Equal results count once, for violations are
#: keyed.
_Key = tuple[str, str, str, str, str]
Suite = frozenset[_Key]


@dataclass(frozen=True, slots=True)
class W3cTest:
    """One ``sht:Validate`` test: its name, its graphs in N-Triples, and what is expected (None: a failure)."""

    name: str
    data: str
    shapes: str
    expected: Suite | None

    @property
    def is_core(self) -> bool:
        """Whether it tests SHACL Core."""
        return self.name.startswith("core")


def suite_tests(suite: Path) -> Iterator[W3cTest]:
    """All tests of the suite, also the one that no manifest names."""
    for path in sorted(suite.rglob("*.ttl")):
        graph = _read(path)
        for entry in graph.subjects(RDF.type, _SHT.Validate):
            yield _test(graph, entry, path, suite)


def _read(path: Path) -> RdflibGraph:
    """The file's triples with literals as written (rdflib's own parser would normalise them)."""
    graph = RdflibGraph()
    for quad in ox.parse(path.read_bytes(), format=ox.RdfFormat.TURTLE, base_iri=path.as_uri()):
        graph.add((term_of(quad.subject), term_of(quad.predicate), term_of(quad.object)))
    return graph


def _test(graph: RdflibGraph, entry: Node, path: Path, suite: Path) -> W3cTest:
    action = graph.value(entry, _MF.action)
    files = [str(graph.value(action, kind)).removeprefix("file://") for kind in (_SHT.dataGraph, _SHT.shapesGraph)]
    data, shapes = (_read(Path(each)).serialize(format="nt") for each in files)
    result = graph.value(entry, _MF.result)
    expected = None if result == _SHT.Failure else frozenset(_keys(graph, result))
    return W3cTest(str(path.relative_to(suite).with_suffix("")), data, shapes, expected)


def _keys(graph: RdflibGraph, report: Node | None) -> Iterator[_Key]:
    for result in graph.objects(report, SH.result):
        component = graph.value(result, SH.sourceConstraintComponent)
        severity = graph.value(result, SH.resultSeverity)
        yield (
            _text(graph.value(result, SH.focusNode)),
            path_text(graph, graph.value(result, SH.resultPath)),
            str(component).removeprefix(str(SH)),
            _text(graph.value(result, SH.value)),
            str(severity).rpartition("#")[2],
        )


def _text(term: Node | None) -> str:
    if isinstance(term, BNode):
        return "_:"
    if isinstance(term, URIRef | Literal):
        return text_of(term)
    return ""


def shapes_of(test: W3cTest, folder: Path, engine: Engine) -> Shapes:
    """The test's shapes over its data."""
    (folder / "data.nt").write_text(test.data, encoding="utf-8")
    (folder / "shapes.nt").write_text(test.shapes, encoding="utf-8")
    graph = Graph.load([GraphFile(folder / "data.nt")], cache_dir=folder / "cache")
    return Shapes.load(graph, [folder / "shapes.nt"], engine=engine)


def outcome(shapes: Shapes) -> Suite | None:
    """What the engine finds; None for a failure."""
    try:
        check = shapes.check_graph()
    except (CheckFailed, KnowledgeBaseError):
        return None

    def plain(text: str) -> str:
        return "_:" if text.startswith("_:") else text

    return frozenset((plain(v.focus), v.path, v.component, plain(v.value), v.severity) for v in check.violations)
