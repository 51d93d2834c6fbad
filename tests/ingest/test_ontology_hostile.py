"""Hostile candidates and hostile ontologies: refused for what they are, and nothing is changed by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_ontology import guardrail, written
from made_things import resolver, things

from imprimatur.errors import InputError
from imprimatur.ingest.candidate import Candidate, Place, Thing, Value
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.validating import validate
from imprimatur.sources.graph.terms import RdfLiteral

_FILE = Path(__file__).parent.parent / "cases" / "hostile_evidence" / "guardrail.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def _thing(row: dict[str, Any]) -> Thing:
    return Thing(name=row["name"], classes=tuple(row["classes"]), iri=row.get("iri", ""))


def _value(row: dict[str, Any]) -> Value:
    if "lexical" not in row:
        return _thing(row)
    return RdfLiteral(row["lexical"] * row.get("times", 1), row["datatype"], row["lang"])


def _candidate(row: dict[str, Any]) -> Candidate:
    place = Place(document="a.txt", start=0, end=4, quote="Text")
    return Candidate(
        subject=_thing(row["subject"]),
        property=row["property"] + "x" * row.get("times", 0),
        value=_value(row["value"]),
        place=place,
        trust=row["trust"],
        by="patterns",
    )


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["why"])
def test_hostile_candidates_are_refused(tmp_path: Path, row: dict[str, Any]) -> None:
    """Each is refused for its reasons, in words of one short line without anything that steers a terminal."""
    found = guardrail(tmp_path).refusals(_candidate(row))
    assert list(dict.fromkeys(each.code for each in found)) == row["codes"]
    for each in found:
        assert each.detail.isprintable()
        assert len(each.detail) < 600


def test_an_open_guardrail_is_no_door(tmp_path: Path) -> None:
    """What would write, steer or raise its own trust is refused by an open guardrail too."""
    made = guardrail(tmp_path, closed=False)
    always = {"unreadable", "vocabulary", "wrong-trust"}
    for row in _ROWS:
        wanted = [code for code in row["codes"] if code in always]
        codes = dict.fromkeys(each.code for each in made.refusals(_candidate(row)))
        assert [code for code in codes if code in always] == wanted, row["why"]


def test_nothing_is_changed(tmp_path: Path) -> None:
    """Resolving and validating all of them leaves the graph as it was, by count and hash."""
    known = things(tmp_path)
    before = len(known.graph), known.graph.content_hash, sorted(known.graph.triples())
    batch = [each.candidate for each in resolver(tmp_path).resolve([_candidate(row) for row in _ROWS])]
    validate(known, None, batch)
    assert (len(known.graph), known.graph.content_hash, sorted(known.graph.triples())) == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "classes: !!python/object/apply:os.system ['touch {mark}']"),
        ("a.yaml", "classes: " + "{a: " * 500),
        ("a.yaml", "classes:\n  A: {iri: 'https://a.b/> <c> <d> . <e'}"),
        ("a.json", '{"classes": {"A": {"iri": "https://a.b/x\\n<c> <d> <e> ."}}}'),
        ("a.json", '{"entities": [{"label": {"$ref": "file:///etc/passwd"}}]}'),
        ("a.json", '{"concepts": [{"qid": "Q1", "label": null}]}'),
        ("a.owl", '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'),
        ("a.jsonld", '{"@context": "https://evil.example/context.json", "@id": "https://a.b/c"}'),
    ],
)
def test_hostile_ontologies(tmp_path: Path, name: str, text: str) -> None:
    """A file that would run, fetch, read or blow up is an error."""
    mark = tmp_path / "mark"
    path = written(tmp_path, name, text.replace("{mark}", str(mark)))
    with pytest.raises(InputError, match=name):
        read_guardrail([path])
    assert not mark.exists()


def test_the_environment_is_not_read(tmp_path: Path) -> None:
    """A reference to the environment stays what it is: no IRI."""
    with pytest.raises(InputError):
        guardrail(tmp_path, "classes: {A: {iri: '${HOME} '}}")
    made = guardrail(tmp_path, "classes: {A: {description: '${HOME}'}}")
    assert made.classes[0].description == "${HOME}"


def test_labels_cannot_leave_their_literal(tmp_path: Path) -> None:
    """A label with quotes, line ends and brackets is one literal in the ontology file."""
    label = 'x" .\n<https://evil.example/a> <https://evil.example/b> "y'
    path = written(tmp_path, "a.json", json.dumps({"entities": [{"label": label}], "relations": []}))
    again = read_guardrail([written(tmp_path, "a.ttl", read_guardrail([path]).to_turtle())])
    assert len(again.classes) == 1
    assert "evil.example/b" not in [each.iri for each in again.properties]
