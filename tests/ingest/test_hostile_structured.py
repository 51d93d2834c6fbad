"""Mappings, cells and replies that try to write, leave the folder, run code or make facts of their own."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from cli_fixtures import Ran
from made_endpoint import loopback, reply, rows, served
from made_mappings import needs_rml, rml_python, world

from imprimatur.errors import InputError
from imprimatur.ingest.extracts.extracting import Extract
from imprimatur.ingest.extracts.writing import extract
from imprimatur.ingest.mapping.engine import rml_quads
from imprimatur.ingest.mapping.facts import Told, line, quads
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.mapping.rml import rml_of
from imprimatur.ingest.mapping.rml_reading import read_rml
from imprimatur.ingest.mapping.short_form import read_mapping

Shell = Callable[..., Ran]
_FILE = Path(__file__).parents[1] / "cases" / "hostile_evidence" / "structured.jsonl"
CASES = [json.loads(each) for each in _FILE.read_text(encoding="utf-8").splitlines()]

_CELL_MAPPING = """version: 1
prefixes: {ex: "https://rows.example/"}
sources: {rows: rows.csv}
maps:
  rows:
    subject: "ex:row/{cell}"
    class: ex:Row
    label: cell
    properties:
      ex:text: cell
      ex:said: {template: '"{cell}"'}
      ex:number: {column: cell, datatype: decimal}
      ex:site: {column: cell, datatype: iri}
      ex:link: {iri: "ex:of/{cell}"}
"""


def _of(surface: str) -> list[Any]:
    return [pytest.param(each["input"], id=each["why"]) for each in CASES if each["surface"] == surface]


def _hash(folder: Path) -> tuple[int, str]:
    """The number of files below a folder, and a hash of their names and bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return len(files), digest.hexdigest()


def test_there_are_enough() -> None:
    """The set has not shrunk."""
    assert len(CASES) == 84


@pytest.mark.parametrize(("surface", "suffix"), [("mapping", ".yaml"), ("rml", ".ttl")])
def test_mappings_are_refused(
    surface: str, suffix: str, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is an error of the caller's with a reason; the folder and a knowledge base there stay as they are."""
    monkeypatch.setenv("IMPRIMATUR_RML_PYTHON", "/bin/false")  # none of them comes as far as the engine
    monkeypatch.chdir(tmp_path)
    mapping = world(tmp_path / "in")
    (tmp_path / "in" / "rows.json").write_text('[{"id": "1", "name": "x"}]', encoding="utf-8")
    (tmp_path / "secret.csv").write_text("id,name\n1,hidden\n", encoding="utf-8")
    assert shell("kb", "map", str(mapping), "--out", "kb").status == 0
    graph = len(list(ox.parse(path=tmp_path / "kb" / "facts.nq", format=ox.RdfFormat.N_QUADS)))
    hostile = tmp_path / "in" / f"hostile{suffix}"
    for case in (each for each in CASES if each["surface"] == surface):
        hostile.write_text(case["input"], encoding="utf-8")
        before = _hash(tmp_path)
        ran = shell("kb", "map", str(hostile), "--out", "kb", "--force")
        assert ran.status == 2, (case["why"], ran.out, ran.err)
        assert "hunter2" not in ran.out + ran.err
        assert "Traceback" not in ran.err
        assert _hash(tmp_path) == before, case["why"]
    assert len(list(ox.parse(path=tmp_path / "kb" / "facts.nq", format=ox.RdfFormat.N_QUADS))) == graph


def _cells(folder: Path, cell: str) -> Path:
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "cell"), ("1", cell)])
    (folder / "rows.yaml").write_text(_CELL_MAPPING, encoding="utf-8")
    return folder / "rows.yaml"


def _looked_at(lines: list[str], cell: str) -> None:
    """Raises where a cell made another fact than the mapping makes of it."""
    found = list(ox.parse("\n".join(lines), format=ox.RdfFormat.N_QUADS))
    assert len(found) == len(lines)
    assert len({str(quad.subject) for quad in found}) == 1
    assert {str(quad.graph_name) for quad in found} == {"<doc:rows.csv#row=2>"}
    for quad in found:
        assert isinstance(quad.subject, ox.NamedNode)
        assert quad.subject.value.startswith("https://rows.example/row/")
        value, name = quad.object, quad.predicate.value.rpartition("/")[2]
        if name in ("text", "rdf-schema#label"):
            assert isinstance(value, ox.Literal)
            assert value.value == cell
        elif isinstance(value, ox.NamedNode):
            assert value.value.startswith(("https://rows.example/", "http://www.w3.org/2002/07/owl#Thing"))
    assert not any(name in str(quad.predicate) for quad in found for name in ("evil", "urn:p"))


@pytest.mark.parametrize("cell", _of("cell"))
def test_cells_stay_cells(cell: str, tmp_path: Path) -> None:
    """Whatever stands in a cell, it is one value of one thing, letter by letter."""
    mapping = read_mapping(_cells(tmp_path, cell))
    _looked_at([line(quad) for quad in quads(mapping, Places(mapping.sources), Told())], cell)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "rows.yaml"]


@needs_rml
@pytest.mark.slow
def test_cells_stay_cells_in_the_engine(tmp_path: Path) -> None:
    """The same by morph-kgc, for all of them at once."""
    cells = [each["input"] for each in CASES if each["surface"] == "cell"]
    path = _cells(tmp_path, "")
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "cell"), *((str(number), cell) for number, cell in enumerate(cells))])
    path.with_suffix(".ttl").write_text(rml_of(read_mapping(path)), encoding="utf-8")
    made = [
        line(quad) for quad in rml_quads(read_rml(path.with_suffix(".ttl"), environ={}), rml_python() or "", Told())
    ]
    mapping = read_mapping(path)
    assert sorted(made) == sorted(line(quad) for quad in quads(mapping, Places(mapping.sources), Told()))
    assert len({each.rpartition("<doc:")[2] for each in made}) == len(cells)


@pytest.mark.parametrize("bindings", _of("reply"))
def test_replies_make_no_facts_of_their_own(bindings: list[dict[str, Any]], tmp_path: Path) -> None:
    """What a server says beyond the facts of the things that it was asked about is not written."""
    right = loopback(
        '<https://t.example/Arbroy> <https://t.example/p> "right" ; '
        '<http://www.w3.org/2000/01/rdf-schema#label> "Arbroy" .'
    )

    def answers(handler: BaseHTTPRequestHandler, query: str) -> None:
        if "?s ?p ?o FILTER((!isLiteral" not in query:
            return right(handler, query)
        own = {"s": bindings[0]["s"], "p": {"type": "uri", "value": "https://t.example/p"}}
        own = {
            **own,
            "s": {"type": "uri", "value": "https://t.example/Arbroy"},
            "o": {"type": "literal", "value": "right"},
        }
        return reply(handler, rows(*bindings, own) if query.endswith("OFFSET 0") else rows())

    with served(answers) as server:
        extract(server.url, Extract(things=("https://t.example/Arbroy",)), tmp_path / "kb", pause=0)
    found = list(ox.parse(path=tmp_path / "kb" / "data.nt", format=ox.RdfFormat.N_TRIPLES))
    assert {str(triple.subject) for triple in found} == {"<https://t.example/Arbroy>"}
    assert {str(triple.predicate) for triple in found} <= {
        "<https://t.example/p>",
        "<http://www.w3.org/2000/01/rdf-schema#label>",
    }
    values = [triple.object for triple in found]
    assert not any(isinstance(value, ox.NamedNode) for value in values)
    assert {value.value for value in values if isinstance(value, ox.Literal)} <= {
        "right",
        "Arbroy",
        'x" .\n<urn:evil> <urn:p> <urn:o> .\n"',
    }


@pytest.mark.parametrize(
    "thing", ["https://a.example/> } ; DROP ALL #", "javascript:x", "Q42", "http://a b", "\\u003e"]
)
def test_things_that_would_end_a_query(thing: str, tmp_path: Path) -> None:
    """A thing that is no IRI of the web is refused before anything is asked."""
    with served(loopback("")) as server:
        with pytest.raises(InputError):
            extract(server.url, Extract(things=(thing,)), tmp_path / "kb", pause=0)
        assert server.seen == []
