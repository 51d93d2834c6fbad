"""The made graphs: their size, their likeness to each other, and what breaks their shapes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import rdflib

from imprimatur.errors import InputError
from imprimatur.evals import generate
from imprimatur.sources.graph.store import Graph, GraphFile

BENCH = "https://imprimatur.dev/bench"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> generate.MadeFolder:
    """A small made graph."""
    return generate.write_folder(tmp_path_factory.mktemp("made"), 3_000)


@pytest.fixture(scope="module")
def graph(made: generate.MadeFolder) -> Graph:
    """The same, opened."""
    files = [GraphFile(made.data), GraphFile(made.ontology, "ontology")]
    return Graph.load(files, cache_dir=made.data.parent / "cache")


@pytest.mark.parametrize("size", [1, 500, 20_000])
def test_a_graph_has_exactly_the_triples_asked_for(size: int) -> None:
    """All lines are distinct triples, as many as asked for, and the same every time."""
    lines = list(generate.triples(size))
    assert len(lines) == len(set(lines)) == size
    assert lines == list(generate.triples(size))
    assert all(line.endswith(" .\n") for line in lines)


def test_the_make_up_is_that_of_the_paper() -> None:
    """At the paper's size there are about as many rivers as in the paper, and 50 states."""
    kinds = Counter(line.split()[2] for line in generate.triples(generate.PAPER_TRIPLES) if "#type>" in line)
    assert abs(kinds[f"<{BENCH}#River>"] - 9_538) < 500
    assert kinds[f"<{BENCH}#State>"] == 50


def test_a_graph_that_is_there_is_kept(made: generate.MadeFolder) -> None:
    """Making a folder twice writes the graph once."""
    before = made.data.stat().st_mtime_ns
    assert generate.write_folder(made.data.parent, 3_000) == made
    assert made.data.stat().st_mtime_ns == before


def test_both_kinds_of_shapes_are_broken_by_the_same_rivers(tmp_path: Path) -> None:
    """SHACL Core and sh:sparql say the same seven things, by pySHACL; each is broken by one river here."""
    import pyshacl

    text = "".join(generate.triples(220))
    wrong = {
        "length": '"0"^^<http://www.w3.org/2001/XMLSchema#double>',
        "sourceElevation": '"0"^^<http://www.w3.org/2001/XMLSchema#double>',
        "mouthElevation": '"-101"^^<http://www.w3.org/2001/XMLSchema#double>',
        "discharge": '"-1"^^<http://www.w3.org/2001/XMLSchema#double>',
        "hasTributary": f"<{BENCH}/State_1>",
        "traverses": f"<{BENCH}/State_1>",
    }
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    for name, value in wrong.items():
        text += f"<{BENCH}/{name}> {kind} <{BENCH}#River> .\n<{BENCH}/{name}> <{BENCH}#{name}> {value} .\n"
    for name in ("sourceElevation", "mouthElevation"):
        text += f"<{BENCH}/uphill> {kind} <{BENCH}#River> .\n<{BENCH}/uphill> <{BENCH}#{name}> {wrong['length']} .\n"
    data = rdflib.Graph().parse(data=text, format="nt")
    made = generate.write_folder(tmp_path, 1)
    broken = []
    for path in (made.shapes_core, made.shapes_sparql):
        _, report, _ = pyshacl.validate(data, shacl_graph=rdflib.Graph().parse(path))
        shapes = rdflib.Namespace("http://www.w3.org/ns/shacl#")
        results = set(report.subjects(rdflib.RDF.type, shapes.ValidationResult))
        broken.append(
            {(str(report.value(r, shapes.focusNode)), str(report.value(r, shapes.resultMessage))) for r in results}
        )
    assert broken[0] == broken[1]
    assert {f"{BENCH}/{name}" for name in (*wrong, "uphill")} <= {focus for focus, _ in broken[0]}
    assert len({message for _, message in broken[0]}) == 7


def test_claims_are_what_they_say(graph: Graph) -> None:
    """True claims stand in the graph, breaking ones do not; the mix is as described and the same every time."""
    claims = generate.claims(graph, 200)
    assert claims == generate.claims(graph, 200)
    kinds = Counter(claim.made for claim in claims)
    assert set(kinds) == {"true", "changed", "breaking"}
    assert 70 < kinds["true"] < 130
    stored = {tuple(map(graph.n3, triple)) for triple in graph.triples()}
    for claim in claims:
        if claim.made != "changed":
            assert ((claim.subject, claim.predicate, claim.object) in stored) == (claim.made == "true")


def test_claims_need_rivers(tmp_path: Path) -> None:
    """A graph of something else is refused."""
    (tmp_path / "a.nt").write_text("<http://e/a> <http://e/b> <http://e/c> .\n")
    with pytest.raises(InputError, match="no rivers"):
        generate.claims(Graph.load([GraphFile(tmp_path / "a.nt")], cache_dir=tmp_path), 1)


def test_the_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints where the graph is."""
    assert generate.main([str(tmp_path), "--triples", "50"]) == 0
    assert len(Path(capsys.readouterr().out.strip()).read_text().splitlines()) == 50
