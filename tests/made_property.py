"""Parts for the tests of property graphs in retrieval: small graphs on a real server, and what they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from property_server import FalkorServer

from imprimatur.retrieve.cypher_terms import GraphTerms, TypeTerms
from imprimatur.sources.property.connection import Connection

__all__ = ["BROOKS", "HOSTILE", "PEOPLE", "PEOPLE_TERMS", "BrooksStore", "write_brooks", "write_people"]

_LINES = (Path(__file__).parent / "cases" / "hostile_evidence" / "cypher.jsonl").read_text(encoding="utf-8")
#: Queries that must never run.
HOSTILE: tuple[str, ...] = tuple(json.loads(line)["query"] for line in _LINES.split("\n") if line)
PEOPLE, BROOKS = "people", "brooks"

_PERSON = {"name": "string", "age": "integer"}
PEOPLE_TERMS = GraphTerms(
    labels={"Person": _PERSON, "Author": _PERSON, "Town": {"name": "string"}, "Odd label": {"odd key": "string"}},
    types={
        "KNOWS": TypeTerms({"since": "integer"}, frozenset({("Person", "Person"), ("Person", "Author")})),
        "LIVES_IN": TypeTerms({}, frozenset({("Person", "Town"), ("Author", "Town")})),
    },
)
_NAMESPACE = "https://example.org/brooks/"


def write_people(server: FalkorServer) -> None:
    """Two persons, of whom one is an author, and a town."""
    server.write(
        PEOPLE,
        "CREATE (a:Person {name: 'Ann Lee', age: 31})-[:KNOWS {since: 2001}]->"
        "(b:Person:Author {name: 'Bob Hill', age: 50}), (t:Town {name: 'Arden'}),"
        " (a)-[:LIVES_IN]->(t), (b)-[:LIVES_IN]->(t), (:`Odd label` {`odd key`: 'odd'})",
    )


def write_brooks(server: FalkorServer, graph: str = BROOKS, *, indexed: bool = True, length: int = 12000) -> None:
    """The brooks of the small knowledge base: each node has the IRI of the thing that it is."""
    server.write(
        graph,
        f"CREATE (e:Brook {{iri: '{_NAMESPACE}elm', name: 'Elm Brook', length: {length}}}),"
        f" (o:Brook {{iri: '{_NAMESPACE}oak', name: 'Oak Brook', length: 3000}}),"
        f" (t:Town {{iri: '{_NAMESPACE}bree', name: 'Bree'}}),"
        " (e)-[:MOUTH]->(o), (e)-[:FLOWS_THROUGH]->(t)",
    )
    if indexed:
        server.write(graph, "CALL db.idx.fulltext.createNodeIndex('Brook', 'name')")


class BrooksStore:
    """The brooks on a server, as retrieval asks for them (implements ``PropertyStore``)."""

    trust = "derived"

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def terms(self) -> GraphTerms:
        """What ``write_brooks`` writes."""
        named = {"iri": "string", "name": "string"}
        return GraphTerms(
            labels={"Brook": {**named, "length": "integer"}, "Town": named},
            types={
                "MOUTH": TypeTerms({}, frozenset({("Brook", "Brook")})),
                "FLOWS_THROUGH": TypeTerms({}, frozenset({("Brook", "Town")})),
            },
        )

    def iri(self, node: Mapping[str, Any]) -> str:
        """The node's own."""
        return str(node["properties"].get("iri", ""))

    def found_by(self, iri: str) -> tuple[str, str, str] | None:
        """By the name."""
        names = {"elm": ("Brook", "Elm Brook"), "oak": ("Brook", "Oak Brook"), "bree": ("Town", "Bree")}
        label, name = names.get(iri.removeprefix(_NAMESPACE), ("", ""))
        return (label, "name", name) if label else None

    def means(self, name: str) -> Sequence[str]:
        """The property of the small knowledge base that is called so."""
        known = {"MOUTH": "mouth", "FLOWS_THROUGH": "flowsThrough", "length": "length"}
        return (_NAMESPACE + known[name],) if name in known else ()
