"""The error budget: a made sentence for each stage loses exactly there, and the stages sum to what went wrong."""

from __future__ import annotations

import pytest

from imprimatur.evals.budget import RUNGS, Stage, Stood, budget_of
from imprimatur.evals.budget_told import budget_tables, constructions, lemmas
from imprimatur.evals.gold import Gold, GoldClaim
from imprimatur.evals.mining.book import Literal, Triple
from imprimatur.oracle import Oracle

_B = "https://example.org/works/"
_DATA = """@prefix : <https://example.org/works/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
:mill a :Mill ; rdfs:label "Tarn Mill" ; :architect :vane ; :height 30 ; :stands :bree .
:other a :Mill ; rdfs:label "Oak Mill (Bree)" ; :architect :vane ; :height 12 .
:third a :Mill ; rdfs:label "Oak Mill (Corfe)" ; :architect :marl ; :height 14 .
:vane rdfs:label "Edith Vane" . :marl rdfs:label "John Marl" . :bree rdfs:label "Bree" . :corfe rdfs:label "Corfe" .
:Mill a owl:Class ; rdfs:label "mill" .
:architect rdfs:label "architect" ; rdfs:domain :Mill .
:stands rdfs:label "stands in" ; rdfs:domain :Mill .
:height a owl:FunctionalProperty ; rdfs:label "height" ; rdfs:range xsd:decimal ; qudt:hasUnit unit:M .
"""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The oracle of a few mills."""
    folder = tmp_path_factory.mktemp("mills")
    (folder / "mills.ttl").write_text(_DATA, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nname: mills\ngraph: {data: [mills.ttl]}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


def triple(subject: str, name: str, node: str | Literal) -> Triple:
    """A triple of the mills by local names."""
    return (_B + subject, _B + name, _B + node if isinstance(node, str) else node)


def metres(text: str) -> Literal:
    """A height."""
    return Literal(text, "http://www.w3.org/2001/XMLSchema#decimal")


def stood(text: str, said: Triple | None, oracle: Oracle, *, true: bool = True) -> Stood:
    """What becomes of the one claim of a sentence."""
    part = oracle.knowledge.part
    assert part is not None
    claim = GoldClaim(start=0, end=len(text), triple=said, true=true)
    (found,) = budget_of(Gold(id="1", text=text, claims=(claim,), parts=((0, len(text)),)), oracle, part)
    return found


MILL = triple("mill", "architect", "vane")

CASES = [
    ("Edith Vane is the architect of Tarn Mill.", MILL, None, ""),
    ("Edith Vane is the architect of\n\nTarn Mill.", MILL, Stage.SEGMENTATION, None),
    ("Edith Vane is the architect of Oak Mill.", triple("other", "architect", "vane"), Stage.LINKING, "ambiguous"),
    ("E. Vane is the architect of Tarn Mill.", MILL, Stage.LINKING, "name unknown"),
    ("Edith Vane bewitched Tarn Mill.", MILL, Stage.RELATION, "no property"),
    ("Tarn Mill stands in Edith Vane.", MILL, Stage.RELATION, "another property"),
    ("Whence Tarn Mill, thence, if ever, Edith Vane!", MILL, Stage.READING, "no claim read"),
    ("The height of Tarn Mill is 31 m.", triple("mill", "height", metres("30")), Stage.VALUE, None),
    ("Edith Vane was the architect of Tarn Mill in 1850.", MILL, Stage.TIME, None),
    ("Edith Vane is the architect of Tarn Mill, as birds sang.", MILL, Stage.COVERAGE, None),
    (
        "Edith Vane is the architect of Tarn Mill, and Tarn Mill stands in Corfe.",
        MILL,
        Stage.BESIDE,
        "Tarn Mill stands in Corfe",
    ),
    (
        "John Marl is the architect of Tarn Mill.",
        triple("mill", "architect", "marl"),
        Stage.MATCHING,
        "not in the graph",
    ),
]


@pytest.mark.parametrize(("text", "said", "stage", "detail"), CASES, ids=[case[0] for case in CASES])
def test_a_sentence_loses_where_it_does(
    text: str, said: Triple, stage: Stage | None, detail: str | None, oracle: Oracle
) -> None:
    """The stage that is named is the one that the sentence was made to be lost at."""
    found = stood(text, said, oracle)
    assert (found.stage, found.detail if detail is not None else None) == (stage, detail)


def test_several_stages_are_said(oracle: Oracle) -> None:
    """Where one thing put right is not enough, what mends it together is told, in the order of the stages."""
    found = stood("Edit Vane bewitched Oak Mill.", triple("other", "architect", "vane"), oracle)
    assert found.stage in (Stage.SEVERAL, Stage.READING)
    both = stood("Edith Vane bewitched Oak Mill.", triple("other", "architect", "vane"), oracle)
    assert (both.stage, both.detail) == (Stage.SEVERAL, "linking and relation")


def test_what_is_false_and_licensed_is_told(oracle: Oracle) -> None:
    """The gold may call false what the judge supports: matching; without a triple it cannot be told."""
    text = "Edith Vane is the architect of Tarn Mill."
    assert stood(text, MILL, oracle, true=False).stage is Stage.MATCHING
    assert stood(text, None, oracle, true=False).stage is Stage.UNTOLD
    read = stood(text, triple("mill", "architect", "marl"), oracle, true=False)
    assert read.stage is Stage.READING
    assert read.licensed


def test_a_true_claim_beside_a_false_one_is_withheld_rightly(oracle: Oracle) -> None:
    """What its own sentence spoils is no error, and stands outside of the budget."""
    text = "Edith Vane is the architect of Tarn Mill, and Tarn Mill stands in Corfe."
    claims = (
        GoldClaim(start=0, end=40, triple=MILL),
        GoldClaim(start=42, end=len(text), triple=triple("mill", "stands", "corfe"), true=False),
    )
    part = oracle.knowledge.part
    assert part is not None
    found = budget_of(Gold(id="1", text=text, claims=claims, parts=((0, len(text)),)), oracle, part)
    assert [(each.rightly, each.stage) for each in found] == [(True, None), (False, None)]
    tables, _, cases, notes = budget_tables(found)
    assert not cases
    assert "1 more true claims" in notes[0]
    assert tables[0].rows[0][1] is not None


def test_the_stages_sum_to_what_went_wrong(oracle: Oracle) -> None:
    """Every lost claim has one stage, and the rungs only end above where they begin."""
    lost = [stood(text, said, oracle) for text, said, _, _ in CASES]
    tables, curves, cases, _ = budget_tables(lost)
    budget = next(table for table in tables if table.title == "Error budget")
    counts = [row[1] for row in budget.rows]
    assert sum(count for count in counts[:-1] if isinstance(count, int)) == counts[-1] == len(CASES) - 1 == len(cases)
    assert all(len(each.rungs) == len(RUNGS) for each in lost)
    assert sum(each.rungs[-1] for each in lost) == len(CASES) - 1
    assert {name for curve in curves for name in curve.series} == {"true licensed"}


def test_words_and_constructions() -> None:
    """Names and function words are no words that were not read; a construction keeps the function words."""
    assert lemmas("and was bewitched by Edith Vane in Bree") == ["bewitch"]
    assert constructions("was bewitched by Edith Vane in 1850") == "was VERB by NAME in NUMBER"
