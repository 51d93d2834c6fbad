"""What is put right in an answer under the policy `correct`, and what is left alone, over a small graph."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_kb import write_kb

from imprimatur.decision import Abstained, Corrected, Edit, applied
from imprimatur.oracle import Oracle

_MORE = """
@prefix : <https://example.org/brooks/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ivy a :Brook ; rdfs:label "Ivy Brook" ; :length 8000, 8010 ; :mouth :elm ; :named "1799"^^xsd:gYear .
:yew a :Brook ; rdfs:label "Yew Brook" ; :length 800, 9000 .
"""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The brooks, two more among them, under `correct`."""
    folder = write_kb(tmp_path_factory.mktemp("brooks"), policy="correct")
    with (folder / "data.ttl").open("a", encoding="utf-8") as out:
        out.write(_MORE)
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Elm Brook is 15 km long.", "Elm Brook is 12 km long."),
        ("Elm Brook is about 3 miles (5 km) long.", "Elm Brook is about 7 miles (12 km) long."),
        ("Elm Brook is more than twelve kilometres long.", "Elm Brook is twelve kilometres long."),
        ("Elm Brook is 12,000 miles long.", "Elm Brook is 7 miles long."),
        ("Elm Brook was named in 1851.", "Elm Brook was named in 1850."),
        ("Elm Brook was not named in 1850.", "Elm Brook was named in 1850."),
        ("Elm Brook does not flow through Bree.", "Elm Brook flows through Bree."),
        ("Elm Brook flows into Ash Brook.", "Elm Brook flows into Oak Brook."),
        ("Elm Brook is longer than Oak Brook.", "Elm Brook is shorter than Oak Brook."),
        ("Ivy Brook is 12 km long.", "Ivy Brook is 8 km long."),
        (
            "Elm Brook is 15 km long, was named in 1851 and flows into Ash Brook.",
            "Elm Brook is 12 km long, was named in 1850 and flows into Oak Brook.",
        ),
        ("**Elm Brook** is *15 km* long.", "**Elm Brook** is *12 km* long."),
    ],
)
def test_put_right(oracle: Oracle, wrong: str, right: str) -> None:
    """The smallest span changes, the rest stays as it was written, and correcting again changes nothing."""
    report = oracle.check(wrong)
    assert isinstance(report.decision, Corrected)
    assert report.decision.text == right
    assert applied(wrong, report.decision.edits) == right
    assert all(edit.evidence for edit in report.decision.edits)
    assert oracle.check(right).decision.kind == "licensed"


@pytest.mark.parametrize(
    "text",
    [
        "Elm Brook flows through Corfe.",  # several values: none is the right one
        "Yew Brook is 3 km long.",  # the graph has two values that do not agree
        "Elm Brook is 15 kg long.",
        "Fir Brook is 3 km long.",
    ],
)
def test_left_alone(oracle: Oracle, text: str) -> None:
    """Where no one value is right, the sentence is withheld as it is."""
    assert isinstance(oracle.check(text).decision, Abstained)


def test_what_cannot_be_put_right_is_cut(oracle: Oracle) -> None:
    """A wrong value is put right in the same sentence in which another clause has to go."""
    decision = oracle.check("Elm Brook is 15 km long, and it was dug by monks.").decision
    assert decision.text == "Elm Brook is 12 km long."
    assert decision.kind == "corrected"


def test_a_member_that_would_come_twice_goes(oracle: Oracle) -> None:
    """Of two names of which one is right, the wrong one is taken out."""
    assert (
        oracle.check("Elm Brook flows into Oak Brook and Ash Brook.").decision.text == "Elm Brook flows into Oak Brook."
    )


def test_no_licensed_claim_is_changed(oracle: Oracle) -> None:
    """Sentences around a wrong one come out as they were, character by character."""
    before, after = "Oak Brook is 30 km long.\n\n", "  \n- Oak Brook flows through Bree.\n"
    wrong = "Elm Brook is 15 km long."
    decision = oracle.check(before + wrong + after).decision
    assert decision.text == before + "Elm Brook is 12 km long." + after
    assert isinstance(decision, Corrected)
    assert decision.edits == (
        Edit(
            start=len(before) + 13, end=len(before) + 15, before="15", after="12", evidence=decision.edits[0].evidence
        ),
    )


def test_tables_with_things_as_columns(oracle: Oracle) -> None:
    """Where columns are things and rows are properties, wrong cells are put right and the row's name stays."""
    table = "| | Elm Brook | Oak Brook |\n|---|---|---|\n| Length | 15 km | 30 km |\n| Owner | Ann | Bob |\n"
    assert oracle.check(table).decision.text == table.replace("15", "12").replace("Ann", "—").replace("Bob", "—")


def test_streams_put_right_as_wholes_do(oracle: Oracle) -> None:
    """However an answer is cut, what comes out is what the whole gives."""
    text = "Elm Brook is 15 km long, and it was dug by monks. Elm Brook flows into Ash Brook. It was named in 1850."
    whole = oracle.check(text).decision.text
    for size in (1, 7, 40):
        stream = oracle.stream([text[n : n + size] for n in range(0, len(text), size)])
        assert "".join(stream) == whole


_TIMED = """
@prefix : <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:award a owl:ObjectProperty ; rdfs:label "award" . :club a owl:ObjectProperty ; rdfs:label "member of" .
:curie rdfs:label "Marie Curie" . :nobel rdfs:label "Nobel Prize" . :rowers rdfs:label "Holm Rowing Club" .
:curie :link :n1 . :n1 :award :nobel ; :from "1903"^^xsd:gYear ; :to "1903"^^xsd:gYear .
:curie :link2 :n2 . :n2 :club :rowers ; :from "1910"^^xsd:gYear ; :to "1914"^^xsd:gYear .
"""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Marie Curie received the Nobel Prize in 1911.", "Marie Curie received the Nobel Prize in 1903."),
        ("Marie Curie received the Nobel Prize on 3 May 1911.", "Marie Curie received the Nobel Prize in 1903."),
        (
            "Marie Curie was a member of the Holm Rowing Club from 1912 to 1914.",
            "Marie Curie was a member of the Holm Rowing Club from 1910 to 1914.",
        ),
        (
            "Marie Curie was a member of the Holm Rowing Club until 1920.",
            "Marie Curie was a member of the Holm Rowing Club until 1914.",
        ),
        ("Marie Curie was a member of the Holm Rowing Club in 1920.", None),  # any of five years would be right
    ],
)
def test_times_of_facts(tmp_path: Path, wrong: str, right: str | None) -> None:
    """The time at which a fact held, or from or until which, is put in the place of another one."""
    (tmp_path / "g.ttl").write_text(_TIMED, encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\npolicy: correct\ngraph: {data: [g.ttl]}\n", encoding="utf-8")
    decision = Oracle.from_folder(tmp_path).check(wrong).decision
    assert decision.text == right if right else isinstance(decision, Abstained)
