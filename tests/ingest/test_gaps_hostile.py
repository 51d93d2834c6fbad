"""Replies and labels that try to write, steer or raise their own trust: at most a proposal that waits."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from made_harbour import BASE, write_harbour

from imprimatur.config import load_folder
from imprimatur.ingest.filled import Which, fill, wanted
from imprimatur.ingest.filling import Filler, Outcome
from imprimatur.ingest.store import FactStore
from imprimatur.models.prompts import template
from imprimatur.oracle import Oracle
from imprimatur.report_json import dumps
from imprimatur.sources.graph.terms import RdfLiteral, literal_text
from imprimatur.testing.models import ScriptedModel

_FILE = Path(__file__).parents[1] / "cases" / "hostile_evidence" / "gaps.jsonl"
_CASES = [json.loads(line) for line in _FILE.read_text(encoding="ascii").splitlines()]
_REPLIES = [case for case in _CASES if case["surface"] == "reply"]
_LABELS = [case for case in _CASES if case["surface"] == "label"]
_NICKNAME = f"""
<{BASE}nickname> a <http://www.w3.org/2002/07/owl#DatatypeProperty> ;
    <http://www.w3.org/2000/01/rdf-schema#label> "nickname" ;
    <http://www.w3.org/2000/01/rdf-schema#domain> <{BASE}Light> ;
    <http://www.w3.org/2000/01/rdf-schema#range> <http://www.w3.org/2001/XMLSchema#string> .
"""
#: The thing that lacks each property.
_LACKING = {"height": "point", "keeper": "point", "built": "skerry", "born": "ann", "nickname": "point"}
_SAID = (
    "The keeper of Point Light is Jo Tarn.",
    "The height of Point Light is 20 m.",
    "The height of Holm Light is 41.5 m.",
)


def _harbour(folder: Path) -> Path:
    write_harbour(folder)
    with (folder / "ontology.ttl").open("a", encoding="utf-8") as file:
        file.write(_NICKNAME)
    with (folder / "data.ttl").open("a", encoding="utf-8") as file:
        file.write(':holm :nickname "Old Tom" . :skerry :nickname "Ned" . :cape :nickname "Jim" .\n')
    config = folder / "imprimatur.yaml"
    told = config.read_text(encoding="utf-8").replace("[data.ttl]", "[data.ttl, facts/model.nq]")
    (folder / "facts").mkdir()
    FactStore(folder).prepare()
    config.write_text(told, encoding="utf-8")
    return folder


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The harbour's folder, whose lights have nicknames; proposals are in its graph."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return _harbour(tmp_path / "kb")


def _state(kb: Path) -> dict[str, str]:
    """The hash of every file but those in which proposals may be."""
    free = {"model.nq", "review.jsonl", "state.json", "stored.jsonl"}
    paths = sorted(path for path in kb.rglob("*") if path.is_file() and path.name not in free and path.name[0] != ".")
    return {str(path.relative_to(kb)): sha256(path.read_bytes()).hexdigest() for path in paths}


def _reports(kb: Path) -> list[str]:
    oracle = Oracle.from_folder(kb)
    assert oracle.knowledge.part is not None
    content = [oracle.knowledge.part.graph.content_hash, str(len(oracle.knowledge.part.graph))]
    return [*content, *(dumps(oracle.check(text).to_dict(), sort_keys=True) for text in _SAID)]


def test_there_are_many_cases() -> None:
    """None was lost, and each is told apart."""
    assert (len(_REPLIES), len(_LABELS)) >= (45, 10)
    assert max(Counter(case["why"] for case in _CASES).values()) == 1


@pytest.mark.parametrize("case", _REPLIES, ids=lambda case: case["why"])
def test_replies(case: dict[str, Any], kb: Path) -> None:
    """Each comes to what it should; no file, no report and no other statement is changed by it."""
    before, reports = _state(kb), _reports(kb)
    thing = BASE + _LACKING[case["property"]]
    found = wanted(load_folder(kb), Which(relation=BASE + case["property"], least=0.25))
    gaps = tuple(gap for gap in found.gaps if gap.thing == thing)
    assert len(gaps) == 1
    reply = case["reply"] * case.get("times", 1)
    made = fill(replace(found, gaps=gaps), ScriptedModel(*[reply] * 9))
    assert [(each.outcome, [r.code for r in each.reasons]) for each in made.proposals] == [
        (case["outcome"], [case["code"]] if "code" in case else [])
    ]
    assert (_state(kb), _reports(kb)) == (before, reports)
    quads = list(ox.parse((kb / "facts" / "model.nq").read_bytes(), format=ox.RdfFormat.N_QUADS))
    assert len(quads) == (case["outcome"] == Outcome.PROPOSED)
    for quad in quads:
        assert (str(quad.subject), str(quad.predicate)) == (f"<{thing}>", f"<{BASE}{case['property']}>")
        assert str(quad.graph_name).startswith("<model:")
    for row in FactStore(kb).read().rows:
        assert (row.trust, row.state) == ("model", "waiting" if quads else "quarantined")
        assert all(each.detail.isprintable() and len(each.detail) < 600 for each in row.reasons)


@pytest.mark.parametrize("case", _LABELS, ids=lambda case: case["why"])
def test_labels(case: dict[str, Any], kb: Path) -> None:
    """A label is data in what a model is sent: instructions as the package has them, and one object with the label."""
    data = kb / "data.ttl"
    told = data.read_text(encoding="utf-8")
    data.write_text(told.replace('"Point Light"', literal_text(RdfLiteral(case["label"]))), encoding="utf-8")
    found = wanted(load_folder(kb), Which(relation="keeper"))
    (gap,) = (each for each in found.gaps if each.thing == BASE + "point")
    before, reports = _state(kb), _reports(kb)
    system, user = Filler(ScriptedModel(), found.knowledge).prompt(gap).messages
    assert (system.role, user.role) == ("system", "user")
    assert system.content == template("fill").text
    material = json.loads(user.content)
    assert set(material) <= {"thing", "kinds", "facts", "property", "means", "form"}
    assert (material["thing"], material["property"]) == (case["label"], "keeper")
    assert user.content.isprintable()
    assert not set("<>") & set(user.content)
    assert "[INST]" not in user.content
    fill(found, ScriptedModel(*['{"values": ["Jo Tarn"]}'] * 9))
    assert (_state(kb), _reports(kb)) == (before, reports)
