"""Parts for the tests of property graphs in retrieval: small graphs on a real server, and what they hold."""

from __future__ import annotations

import json
from pathlib import Path

from property_server import FalkorServer

from imprimatur.retrieve.cypher_terms import GraphTerms, TypeTerms

__all__ = [
    "COMPANY",
    "HOSTILE",
    "KILLING",
    "PEOPLE",
    "PEOPLE_TERMS",
    "PROPER",
    "company_kb",
    "write_company",
    "write_people",
]

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

#: Questions of every form that the guard lets through.
PROPER: tuple[str, ...] = (
    "MATCH (p:Person {name: 'Ann Lee'}) RETURN p.age",
    'MATCH (p:Person {name: "Ann Lee"}) RETURN p.age AS height;',
    "MATCH (p:Person)-[r:KNOWS]->(q:Person) WHERE r.since >= 2000 RETURN p.name, q.name, r.since ORDER BY p.name",
    "MATCH (p:Person)<-[:KNOWS]-(q) RETURN p.name, q.name",
    "MATCH (p:Person)-[:KNOWS|LIVES_IN]->(x) RETURN x.name",
    "MATCH (p:Person)-[:KNOWS|:LIVES_IN]-(x) RETURN DISTINCT x.name",
    "MATCH (p:Person)-->(x) RETURN x.name, labels(x)",
    "MATCH (p:Person)--(x:Town) RETURN x.name",
    "MATCH (p:Person)-[r]->() RETURN type(r), count(*) AS n ORDER BY n DESC LIMIT 3",
    "MATCH (p:Person)-[:KNOWS*1..2]->(q) RETURN q.name",
    "MATCH (p:Person)-[:KNOWS*2]-(q) RETURN q.name",
    "MATCH (p:Person:Author) RETURN p.name",
    "MATCH (p:Person) WHERE p:Author RETURN p.name",
    "MATCH (p) WHERE p.name = 'Ann Lee' RETURN p.age",
    "MATCH (p:Person) WHERE NOT (p)-[:KNOWS]->(:Person) RETURN p.name",
    "MATCH (p:Person) WHERE (p)-[:LIVES_IN]->(:Town {name: 'Arden'}) RETURN count(p)",
    "MATCH (p:Person) WHERE (p.age > 30 OR p.name STARTS WITH 'B') AND p.age IS NOT NULL RETURN p.name",
    "MATCH (p:Person) WHERE p.age IN [31, 50] AND NOT p.name CONTAINS 'x' RETURN p.name",
    "MATCH (p:Person) WHERE toLower(p.name) = toLower('ANN LEE') RETURN p.age",
    "MATCH (p:Person) WHERE p.age > 1.5 OR p.age < -3 RETURN p.age SKIP 0 LIMIT 1",
    "MATCH (p:Person) RETURN max(p.age) - min(p.age), avg(p.age), sum(p.age)",
    "MATCH (p:Person)-[:LIVES_IN]->(:Town {name: 'Arden'}) RETURN collect(DISTINCT p.name)",
    "MATCH (p:Person) WITH p ORDER BY p.age LIMIT 1 MATCH (p)-[:KNOWS]->(q) RETURN p.name, count(q)",
    "MATCH (p:Person) WHERE p.name STARTS WITH 'Ann' MATCH (q:Person {name: 'Bob Hill'}) RETURN p.age - q.age",
    "MATCH (p:Person) WITH max(p.age) AS most MATCH (q:Person) WHERE q.age = most RETURN q.name, most",
    "MATCH (p:Person) WITH p ORDER BY p.age DESC LIMIT 1 MATCH (p)-[:LIVES_IN]->(t) RETURN t.name",
    "MATCH (p:Person)-[:LIVES_IN]->(t:Town) WITH t, count(p) AS n WHERE n > 1 RETURN t.name, n",
    "MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q) RETURN p.name, q.name",
    "MATCH (a:Person {name: 'Ann Lee'}), (b:Person {name: 'Bob Hill'}) RETURN b.age - a.age AS years",
    "MATCH (p:Person) UNWIND labels(p) AS label RETURN label, count(*)",
    "MATCH (o:`Odd label`) RETURN o.`odd key`",
    "match (p:Person) where p.age > 40 return p.name order by p.age desc limit 2",
    "MATCH (p:Person)\r\nRETURN p.name\r\n",
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
