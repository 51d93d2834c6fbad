"""Words that name no thing make no thing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.store import FactStore
from imprimatur.ingest.unnamed import unnamed
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_GUARD = Path(__file__).parents[1] / "cases" / "ingested" / "guard.yaml"
_HEIGHT = "urn:imprimatur:ontology:height"


def _codes(name: str, *, known: bool = False) -> list[str]:
    thing = Thing(name=name, iri="urn:x:1")
    value = RdfLiteral("7", XSD + "decimal")
    candidate = Candidate(subject=thing, property=_HEIGHT, value=value, place=None, trust="model", by="x")
    guardrail = read_guardrail([_GUARD])
    return [refusal.code for refusal in unnamed(candidate, guardrail, [thing] if known else [])]


@pytest.mark.parametrize(
    "name",
    [
        "Nobody",
        "It",
        "Each",
        "Not",
        "The",
        "Height",
        "the height",
        "Lighthouse",
        "Lighthouses",
        "A Lighthouse",
        "ISLAND",
        "stands on",
    ],
)
def test_a_word_is_no_name(name: str) -> None:
    """Neither one of the grammar nor one of the ontology, however it is written."""
    assert _codes(name) == ["no-name"]
    assert _codes(name, known=True) == []


@pytest.mark.parametrize(
    "name", ["US", "IT", "Moyle Light", "Who Knows Light", "The Height of Moyle", "Island Nine", "Ada"]
)
def test_a_name_is_one(name: str) -> None:
    """Though a word of it is one of those."""
    assert _codes(name) == []


def test_no_document_makes_a_word_a_thing(
    shell: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says of such words is put aside, and what it says of things is kept."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    text = (
        "Nobody is a lighthouse.\n\nHeight is a lighthouse. Each lighthouse is 7 m high. Ness Light is a lighthouse.\n"
    )
    Path("docs/a.txt").write_text(text, encoding="utf-8")
    assert shell("kb", "ingest", "kb", "docs", "--ontology", str(_GUARD)).status == 0
    rows = FactStore(Path("kb")).read().rows
    assert [row.words for row in rows if row.in_graph] == ["Ness Light — type — Lighthouse"]
    assert {reason.code for row in rows for reason in row.reasons} == {"no-name"}
