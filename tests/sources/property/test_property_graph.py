"""An ordinary property graph as a knowledge base: judged, confirmed while a verdict is given, and never written to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_fixtures import Ran
from property_server import FalkorServer, falkor_server

from imprimatur.errors import CheckFailed, ConfigError, LimitExceeded, StoreUnavailable
from imprimatur.oracle import Oracle
from imprimatur.serve.service import Service
from imprimatur.serve.settings import read_settings
from imprimatur.sources.property.graph import PropertyGraph
from imprimatur.sources.property.reading import Reading
from imprimatur.verdict import Label

_COMPANY = """
CREATE (ann:Person {name: 'Ann Marlow', birthDate: '1952-03-11', height: 1.75, retired: true, alias: ['The Fox'],
                    embedding: vecf32([1, 2])}),
       (jo:Person {name: 'Jo Tarn'}), (lee:Person {id: 7, name: 'Lee Moss'}),
       (acme:Company {name: 'Acme Pumps', founded: 1990, employees: 12}), (dale:Company:Bakery {name: 'Dale Mill'}),
       (elm:City {id: 'Elm Town'}),
       (ann)-[:WORKS_AT {since: 1990, to: 1995}]->(acme), (jo)-[:WORKS_AT]->(acme),
       (ann)-[:WORKS_AT {since: 1996}]->(dale), (lee)-[:LIVES_IN {until: 'soon'}]->(elm),
       (acme)-[:BASED_IN]->(elm)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A running server."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as running:
        yield running


@pytest.fixture
def company(server: FalkorServer) -> Iterator[FalkorServer]:
    """The same with the graph ``company`` in it."""
    server.write("company", _COMPANY)
    yield server
    server.execute("GRAPH.DELETE", "company")


def folder_of(server: FalkorServer, folder: Path, *lines: str, graph: str = "company") -> Path:
    """A knowledge base's folder for a graph of the server."""
    folder.mkdir(exist_ok=True)
    entry = ["    host: 127.0.0.1", f"    port: {server.port}", f'    graph: "{graph}"', *(f"    {x}" for x in lines)]
    text = "\n".join(["version: 1", "graph:", "  falkordb:", *entry, ""])
    (folder / "imprimatur.yaml").write_text(text, encoding="utf-8")
    return folder


def oracle_of(server: FalkorServer, folder: Path, *lines: str, graph: str = "company") -> Oracle:
    """The oracle of a graph of the server."""
    return Oracle.from_folder(folder_of(server, folder / "kb", *lines, graph=graph), cache_dir=folder / "cache")


def label(oracle: Oracle, text: str) -> str:
    """The label of a sentence."""
    return str(oracle.check(text).segments[0].label)


def test_it_works_at_once(company: FalkorServer, tmp_path: Path) -> None:
    """Without a mapping's file, labels, types and keys are spoken of by their names."""
    oracle = oracle_of(company, tmp_path)
    for text, wanted in (
        ("Jo Tarn works at Acme Pumps.", "supported"),
        ("Jo Tarn works at Dale Mill.", "not_found"),
        ("Acme Pumps is based in Elm Town.", "supported"),
        ("The birth date of Ann Marlow is 11 March 1952.", "supported"),
        ("The Fox is a person.", "supported"),
        ("The height of Ann Marlow is 1.75.", "supported"),
        ("The height of Ann Marlow is 1.85.", "contradicted"),
        ("Acme Pumps has 12 employees.", "supported"),
        ("Acme Pumps has 13 employees.", "contradicted"),
        ("Dale Mill is a bakery.", "supported"),
        ("Jo Tarn is a company.", "not_found"),
        ("Nobody works at Acme Pumps.", "not_found"),
    ):
        assert label(oracle, text) == wanted, text


def test_times_of_relationships(company: FalkorServer, tmp_path: Path) -> None:
    """A relationship with a time holds then, and one whose time cannot be read holds on no given day."""
    oracle = oracle_of(company, tmp_path)
    assert label(oracle, "Ann Marlow worked at Acme Pumps in 1992.") == "supported"
    assert label(oracle, "Ann Marlow works at Dale Mill.") == "supported"
    for text in (
        "Ann Marlow works at Acme Pumps.",
        "Ann Marlow worked at Acme Pumps in 1999.",
        "Ann Marlow worked at Dale Mill in 1992.",
        "Lee Moss lives in Elm Town.",
    ):
        assert label(oracle, text) != "supported", text


def test_evidence_is_found_again(company: FalkorServer, tmp_path: Path) -> None:
    """The Cypher of evidence, put into a console, finds what the verdict rests on."""
    oracle = oracle_of(company, tmp_path)
    for text in (
        "Jo Tarn works at Acme Pumps.",
        "The birth date of Ann Marlow is 11 March 1952.",
        "Ann Marlow worked at Acme Pumps in 1992.",
        "Acme Pumps has 12 employees.",
        "Dale Mill is a bakery.",
    ):
        evidence = [e for c in oracle.check(text).segments[0].claims for e in c.verdict.evidence]
        assert evidence, text
        for each in evidence:
            assert each.origin == f"falkordb://127.0.0.1:{company.port}/company"
            for query in each.query.splitlines():
                assert len(company.connection("company").read(query).rows) == 1, query


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("Jo Tarn works at Acme Pumps.", "MATCH (:Person {name: 'Jo Tarn'})-[r:WORKS_AT]->() DELETE r"),
        ("Jo Tarn works at Acme Pumps.", "MATCH (:Person {name: 'Jo Tarn'})-[r:WORKS_AT]->() SET r.until = 2001"),
        ("Jo Tarn works at Acme Pumps.", "MATCH (n:Person {name: 'Jo Tarn'}) DETACH DELETE n"),
        ("Jo Tarn works at Acme Pumps.", "MATCH (n:Person {name: 'Jo Tarn'}) SET n.name = 'Joe Tarn'"),
        ("Ann Marlow works at Dale Mill.", "MATCH ()-[r:WORKS_AT {since: 1996}]->() SET r.until = 2001"),
        ("Ann Marlow worked at Acme Pumps in 1992.", "MATCH ()-[r:WORKS_AT {since: 1990}]->() SET r.to = 1991"),
        ("Acme Pumps has 12 employees.", "MATCH (n:Company {name: 'Acme Pumps'}) SET n.employees = 13"),
        ("Dale Mill is a bakery.", "MATCH (n:Bakery) REMOVE n:Bakery"),
        ("The Fox is a person.", "MATCH (n:Person {name: 'Ann Marlow'}) SET n.alias = ['The Vixen']"),
    ],
)
def test_a_change_withholds(company: FalkorServer, tmp_path: Path, text: str, change: str) -> None:
    """What was licensed is not licensed from the moment at which the graph says something else."""
    oracle = oracle_of(company, tmp_path)
    before = label(oracle, text)
    company.write("company", change)
    for _ in range(3):
        assert label(oracle, text) != "supported"
    assert before == "supported"


def test_a_change_is_taken_in(company: FalkorServer, tmp_path: Path) -> None:
    """After the first answer that met a change, the graph is judged by as it is now."""
    oracle = oracle_of(company, tmp_path)
    company.write("company", "MATCH (n:Company {name: 'Acme Pumps'}) SET n.employees = 14")
    assert label(oracle, "Acme Pumps has 12 employees.") == "unchecked"
    assert label(oracle, "Acme Pumps has 14 employees.") == "supported"
    assert label(oracle, "Acme Pumps has 12 employees.") == "contradicted"


def test_a_missing_graph(company: FalkorServer, tmp_path: Path) -> None:
    """A graph that is not there is an error when the knowledge base is opened, and when it goes away later."""
    with pytest.raises(StoreUnavailable, match="no graph of this name"):
        oracle_of(company, tmp_path, graph="nowhere")
    assert "nowhere" not in company.connection("company").graphs()
    company.write("brief", "CREATE (:Person {name: 'Ann Marlow'})")
    oracle = oracle_of(company, tmp_path, graph="brief")
    assert label(oracle, "Ann Marlow is a person.") == "supported"
    company.execute("GRAPH.DELETE", "brief")
    with pytest.raises(StoreUnavailable):
        oracle.check("Ann Marlow is a person.")
    assert "brief" not in company.connection("company").graphs()


def test_tenants(server: FalkorServer, tmp_path: Path) -> None:
    """One tenant's answer is judged by that tenant's graph alone, and without a tenant nothing is judged."""
    server.write("kb_acme", "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Company {name: 'Acme Pumps'})")
    server.write("kb_bolt", "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Company {name: 'Bolt Mill'})")
    folder = folder_of(server, tmp_path / "kb", "tenants: [acme, bolt, gone]", graph="kb_{tenant}")
    cache = tmp_path / "cache"
    acme, bolt = (Oracle.from_folder(folder, cache_dir=cache, tenant=name) for name in ("acme", "bolt"))
    for _ in range(2):
        assert label(acme, "Ann Marlow works at Acme Pumps.") == "supported"
        assert label(bolt, "Ann Marlow works at Bolt Mill.") == "supported"
        assert label(acme, "Ann Marlow works at Bolt Mill.") != "supported"
        assert label(bolt, "Ann Marlow works at Acme Pumps.") != "supported"
    assert acme.knowledge.content_hash != bolt.knowledge.content_hash
    for given in (None, "kb_acme", "acme ", "", "{tenant}", "acme/../bolt"):
        with pytest.raises(ConfigError):
            Oracle.from_folder(folder, cache_dir=cache, tenant=given)
    with pytest.raises(StoreUnavailable):
        Oracle.from_folder(folder, cache_dir=cache, tenant="gone")
    with pytest.raises(ConfigError, match="no tenants"):
        Oracle.from_folder("rivers", tenant="acme")


def test_two_nodes_that_would_be_one(server: FalkorServer, tmp_path: Path) -> None:
    """Nodes that label and key do not tell apart are an error; one IRI in two nodes is one thing."""
    server.write("twice", "CREATE (:Person {id: 1, name: 'Ann Marlow'}), (:Person {id: '1', name: 'Jo Tarn'})")
    with pytest.raises(CheckFailed, match="two nodes are"):
        oracle_of(server, tmp_path, graph="twice")
    server.write("shared", "CREATE (:Person {iri: 'urn:ann', name: 'Ann Marlow'}), (:Painter {iri: 'urn:ann', age: 5})")
    oracle = oracle_of(server, tmp_path, graph="shared")
    assert label(oracle, "Ann Marlow is a painter.") == "supported"
    server.write("shared", "MATCH (n:Painter) DELETE n")
    assert label(oracle, "Ann Marlow is a painter.") != "supported"


def test_a_change_that_is_taken_back_while_all_is_read(server: FalkorServer, tmp_path: Path) -> None:
    """A mirror is one state of the graph: what was there for a moment only is not in it."""
    server.write("brief", "UNWIND range(1, 30) AS x CREATE (:Person {name: 'Jo Tarn ' + toString(x), age: 40})")
    graph = PropertyGraph(server.connection("brief"), reading=Reading(server.connection("brief"), page=10))
    stamp = graph.stamp()
    quads = list(graph.quads())
    assert graph.proves(quads, stamp)
    assert graph.proves(quads, graph.stamp())
    begun = graph.quads()
    first = [next(begun)]
    server.write("brief", "MATCH (n) SET n.age = 41")
    between = [*first, *begun]
    server.write("brief", "MATCH (n) SET n.age = 40")
    assert graph.stamp() == stamp
    assert {str(quad) for quad in between} != {str(quad) for quad in quads}
    assert not graph.proves(between, stamp)


def test_limits_are_errors(server: FalkorServer, tmp_path: Path) -> None:
    """More than may be read is an error, and so is a server that gives fewer rows than there are."""
    server.write("many", "UNWIND range(1, 60) AS x CREATE (:Thing {name: 'Thing ' + toString(x)})")
    with pytest.raises(LimitExceeded):
        oracle_of(server, tmp_path, "most: 50", graph="many")
    assert label(oracle_of(server, tmp_path, "page: 7", graph="many"), "Thing 60 is a thing.") == "supported"
    server.execute("GRAPH.CONFIG", "SET", "RESULTSET_SIZE", 10)
    try:
        with pytest.raises(LimitExceeded):
            oracle_of(server, tmp_path, "page: 20", graph="many")
    finally:
        server.execute("GRAPH.CONFIG", "SET", "RESULTSET_SIZE", -1)


def test_an_ontology_and_a_mapping(company: FalkorServer, tmp_path: Path) -> None:
    """Names that the ontology knows are its terms; the mapping's file says the rest, and turns links round."""
    folder = folder_of(company, tmp_path / "kb", "mapping: map.yaml")
    (folder / "ontology.ttl").write_text(
        "@prefix e: <https://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        "@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .\n"
        'e:worksAt a owl:ObjectProperty ; rdfs:label "works at", "is employed by" .\n'
        'e:height a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "height" ; rdfs:range xsd:decimal ;\n'
        "  qudt:hasUnit unit:M .\n",
        encoding="utf-8",
    )
    (folder / "map.yaml").write_text(
        "version: 1\nbase: https://e.org/\nrelationships:\n"
        "  BASED_IN: {words: is home to, inverse: true}\nlabels:\n  City: {words: town, synonyms: [municipality]}\n"
        "keys:\n  retired: {hidden: true}\n  founded: {datatype: gYear, words: founding year}\n",
        encoding="utf-8",
    )
    with (folder / "imprimatur.yaml").open("a", encoding="utf-8") as file:
        file.write("  ontology: [ontology.ttl]\n")
    oracle = Oracle.from_folder(folder, cache_dir=tmp_path / "cache")
    for text, wanted in (
        ("Jo Tarn is employed by Acme Pumps.", Label.SUPPORTED),
        ("Ann Marlow's height is 175 cm.", Label.SUPPORTED),
        ("Ann Marlow's height is 185 cm.", Label.CONTRADICTED),
        ("Elm Town is home to Acme Pumps.", Label.SUPPORTED),
        ("Elm Town is a municipality.", Label.SUPPORTED),
        ("The founding year of Acme Pumps is 1990.", Label.SUPPORTED),
    ):
        assert oracle.check(text).segments[0].label is wanted, text
    assert label(oracle, "Ann Marlow is retired.") != "supported"
    company.write("company", "MATCH ()-[r:BASED_IN]->() DELETE r")
    assert label(oracle, "Elm Town hosts Acme Pumps.") != "supported"


def test_tenants_from_the_command_line(
    server: FalkorServer, tmp_path: Path, shell: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--tenant`` chooses; without it, and with another one's name, nothing is judged."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    server.write("cli_acme", "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Company {name: 'Acme Pumps'})")
    server.write("cli_bolt", "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Company {name: 'Bolt Mill'})")
    folder = str(folder_of(server, tmp_path / "kb", "tenants: [acme, bolt]", graph="cli_{tenant}"))
    asked = ("check", "Ann Marlow works at Acme Pumps.", "--kb", folder, "--no-ledger")
    assert shell(*asked, "--tenant", "acme").status == 0
    assert shell(*asked, "--tenant", "bolt").status == 1
    assert shell(*asked).status == 2
    assert shell(*asked, "--tenant", "acmee").status == 2
    server.execute("GRAPH.DELETE", "cli_acme")
    assert shell(*asked, "--tenant", "acme").status == 3


def test_tenants_in_the_gateway(server: FalkorServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a gateway each tenant's graph has a name of its own, and a key allows one of them and not the other."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for tenant, name in (("acme", "Acme Pumps"), ("bolt", "Bolt Mill")):
        query = f"CREATE (:Person {{name: 'Ann Marlow'}})-[:WORKS_AT]->(:Company {{name: '{name}'}})"
        server.write(f"gate_{tenant}", query)
    folder_of(server, tmp_path / "kb", "tenants: [acme, bolt]", graph="gate_{tenant}")
    file = tmp_path / "gateway.yaml"
    file.write_text(
        "version: 1\nknowledge_bases: {a: {folder: kb, tenant: acme}, b: {folder: kb, tenant: bolt}}\n",
        encoding="utf-8",
    )
    oracles = Service(read_settings(file)).oracles
    assert label(oracles["a"], "Ann Marlow works at Acme Pumps.") == "supported"
    assert label(oracles["b"], "Ann Marlow works at Acme Pumps.") != "supported"
    file.write_text("version: 1\nknowledge_bases: {a: {folder: kb}}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="none is named"):
        Service(read_settings(file))
