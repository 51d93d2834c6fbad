"""Small graphs and shapes in Turtle for the tests of the compiled engine."""

from __future__ import annotations

from pathlib import Path

from imprimatur.sources.graph.shapes import Engine, Shapes, Triple
from imprimatur.sources.graph.store import Graph, GraphFile

__all__ = ["PREFIXES", "broken", "claim", "found", "made", "query"]

PREFIXES = """@prefix : <http://e/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def made(folder: Path, data: str, shapes: str, *, engine: Engine = "compiled") -> Shapes:
    """Shapes over a graph, both given in Turtle (prefixes are declared)."""
    (folder / "data.ttl").write_text(PREFIXES + data, encoding="utf-8")
    (folder / "shapes.ttl").write_text(PREFIXES + shapes, encoding="utf-8")
    files = [GraphFile(folder / "data.ttl")]
    # pySHACL runs rules itself; for the compiled engine they are part of loading.
    files += [GraphFile(folder / "shapes.ttl", "shapes")] if engine == "compiled" else []
    graph = Graph.load(files, cache_dir=folder / "cache")
    return Shapes.load(graph, [folder / "shapes.ttl"], engine=engine)


def query(body: str, head: str = "$this ?value") -> str:
    """A ``sh:sparql`` constraint with a query."""
    return f"sh:sparql [ sh:select '''PREFIX : <http://e/> SELECT {head} WHERE {{ {body} }}''' ]"


def found(shapes: Shapes) -> set[tuple[str, str, str]]:
    """(focus, component, value) of all violations of the whole graph, shortened."""
    return {
        (v.focus.removeprefix("<http://e/").rstrip(">"), v.component.removesuffix("ConstraintComponent"), v.value)
        for v in shapes.check_graph().violations
    }


def claim(subject: str, predicate: str, object_: str) -> Triple:
    """A claim's triple; the object is a local name, or N-Triples text."""
    written = object_ if object_[0] in '"<' else f"<http://e/{object_}>"
    return f"<http://e/{subject}>", f"<http://e/{predicate}>", written


def broken(shapes: Shapes, *triples: Triple) -> list[str]:
    """The components that a claim breaks."""
    return [v.component.removesuffix("ConstraintComponent") for v in shapes.judge(triples)]
