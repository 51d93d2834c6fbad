"""Parts for the tests of property graphs in retrieval: small graphs on a real server, and what they hold."""

from __future__ import annotations

import json
from pathlib import Path

from property_server import FalkorServer

from imprimatur.retrieve.cypher_terms import GraphTerms, TypeTerms

__all__ = ["COMPANY", "HOSTILE", "KILLING", "PEOPLE", "PEOPLE_TERMS", "company_kb", "write_company", "write_people"]

_LINES = (Path(__file__).parent / "cases" / "hostile_evidence" / "cypher.jsonl").read_text(encoding="utf-8")
_ROWS = [json.loads(line) for line in _LINES.split("\n") if line]
#: Queries that must never run; and those of them that end the server's process where they do.
HOSTILE: tuple[str, ...] = tuple(row["query"] for row in _ROWS)
KILLING: tuple[str, ...] = tuple(row["query"] for row in _ROWS if row["what"] == "kills")
PEOPLE, COMPANY = "people", "company"

_PERSON = {"name": "string", "age": "integer", "tags": "list"}
PEOPLE_TERMS = GraphTerms(
    labels={"Person": _PERSON, "Author": _PERSON, "Town": {"name": "string"}, "Odd label": {"odd key": "string"}},
    types={
        "KNOWS": TypeTerms({"since": "integer"}, frozenset({("Person", "Person"), ("Person", "Author")})),
        "LIVES_IN": TypeTerms({}, frozenset({("Person", "Town"), ("Author", "Town")})),
    },
)


def write_people(server: FalkorServer) -> None:
    """Two persons, of whom one is an author, and a town."""
    server.write(
        PEOPLE,
        "CREATE (a:Person {name: 'Ann Lee', age: 31, tags: ['one', 'two']})-[:KNOWS {since: 2001}]->"
        "(b:Person:Author {name: 'Bob Hill', age: 50}), (t:Town {name: 'Arden'}),"
        " (a)-[:LIVES_IN]->(t), (b)-[:LIVES_IN]->(t), (:`Odd label` {`odd key`: 'odd'})",
    )


def write_company(server: FalkorServer, graph: str = COMPANY, *, employees: int = 12) -> None:
    """Who works where, and where that is."""
    server.write(
        graph,
        "CREATE (ann:Person {name: 'Ann Marlow', birthDate: '1952-03-11', embedding: vecf32([1, 0])}),"
        f" (jo:Person {{name: 'Jo Tarn'}}), (acme:Company {{name: 'Acme Pumps', employees: {employees}}}),"
        " (dale:Company {name: 'Dale Mill', employees: 3}), (elm:City {name: 'Elm Town'}), (:Secret {name: 'Hidden'}),"
        " (jo)-[:WORKS_AT]->(acme), (ann)-[:WORKS_AT {since: 1996}]->(dale), (acme)-[:BASED_IN]->(elm)",
    )


def company_kb(server: FalkorServer, folder: Path, *lines: str, graph: str = COMPANY) -> Path:
    """The folder of a knowledge base over a graph of the server; what is labelled ``Secret`` is not read."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "map.yaml").write_text("version: 1\nlabels:\n  Secret: {hidden: true}\n", encoding="utf-8")
    entry = ["host: 127.0.0.1", f"port: {server.port}", f'graph: "{graph}"', "mapping: map.yaml", *lines]
    text = "\n".join(["version: 1", "graph:", "  falkordb:", *(f"    {line}" for line in entry), ""])
    (folder / "imprimatur.yaml").write_text(text, encoding="utf-8")
    return folder
