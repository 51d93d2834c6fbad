"""FactBench: the two forms that are read, the graph without the withheld facts, what is said and true, the figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.factbench import SAMPLE, Settings, run
from imprimatur.evals.factbench_graph import joined, write_folder
from imprimatur.evals.factbench_said import DATE_KEPT, ELSEWHEN, PRESENT, WITHHELD, said
from imprimatur.evals.factbench_set import load, read_facts, withheld
from imprimatur.evals.outcome import Figure, Outcome

_BASE = {"relation": "nbateam", "s": "urn:s", "p": "http://dbpedia.org/ontology/team", "o": "urn:o"}
_SPOUSE = {"p": "http://dbpedia.org/ontology/spouse", "relation": "spouse", "o": "urn:t"}
_ROWS = [
    {**_BASE, "id": "1", "label": "correct", "s_label": "Mira Stenholm", "o_label": "Larkfield United"}
    | {"from": "2010-05-01", "to": "2014-06-30"},
    {**_BASE, "id": "2", "label": "wrong", "corruption": "date", "s_label": "Mira Stenholm"}
    | {"o_label": "Larkfield United", "from": "2003", "to": "2005"},
    {**_BASE, "id": "3", "label": "wrong", "corruption": "range", "s_label": "Mira Stenholm"}
    | {"o_label": "Tobias Rehn", "from": "2010", "to": "2014", "o": "urn:t"},
    {**_BASE, **_SPOUSE, "id": "4", "label": "correct", "s_label": "Mira Stenholm"}
    | {"o_label": "Tobias Rehn", "from": "2011", "to": "2016"},
    {**_BASE, "id": "5", "label": "correct", "s_label": "Mira Stenholm"},
]
_TERMS = Path(__file__).parent.parent / "golden" / "judge" / "worlds" / "terms"
_TURTLE = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:mira__1> dbo:team <urn:larkfield> ; dbo:from "{first}"^^xsd:gYear ; dbo:to "2014"^^xsd:gYear .
<urn:larkfield> rdfs:label "Larkfield United"@en , "Larkfeld"@de .
<urn:mira> rdfs:label "Mira Stenholm"@en ; <{link}> <urn:mira__1> .
"""
#: The data set as it is kept beside the repository, where it is.
_WHOLE = Path(__file__).resolve().parents[3] / "shared" / "data" / "factbench"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of five facts, the last without the name of its object."""
    path = tmp_path / "facts_train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    return tmp_path


def _cell(outcome: Outcome, group: str, column: int) -> Figure:
    row = next(row for row in outcome.tables[0].rows if row[0] == group)
    cell = row[column]
    assert isinstance(cell, Figure)
    return cell


def test_facts_without_names_are_left_out(folder: Path) -> None:
    """Four of the five facts can be said; a time keeps its year and its day."""
    found = load(folder)
    assert ([fact.id for fact in found.facts], found.left_out) == (["1", "2", "3", "4"], 1)
    first = found.facts[0]
    assert (first.start, first.end, first.first, first.local) == (2010, 2014, "2010-05-01", "team")


def test_turtle_as_published(tmp_path: Path) -> None:
    """Fact, corruption and English names come from the file and its place; the folders `mix` are copies."""
    for place, first, link in (
        ("train/correct/nbateam/nbateam_00000", "2010", "urn:plays"),
        ("train/wrong/date/nbateam/nbateam_00000", "2003", "http://defacto.aksw.org/bnode/property"),
        ("train/wrong/mix/date/nbateam_00000", "2003", "http://defacto.aksw.org/bnode/property"),
    ):
        path = tmp_path / f"{place}.ttl"
        path.parent.mkdir(parents=True)
        path.write_text(_TURTLE.format(first=first, link=link), encoding="utf-8")
    found = load(tmp_path).facts
    assert [(f.id, f.kind, f.relation) for f in found] == [
        ("train/correct/nbateam/nbateam_00000", "correct", "nbateam"),
        ("train/wrong/date/nbateam/nbateam_00000", "date", "nbateam"),
    ]
    assert (found[0].subject, found[0].object, found[0].subject_iri) == (
        "Mira Stenholm",
        "Larkfield United",
        "urn:mira",
    )
    assert (found[1].first, found[1].last) == ("2003", "2014")


def test_one_in_five_is_withheld_by_the_hash_of_its_id() -> None:
    """The hash is read as one number; nothing wrong is ever withheld."""
    facts = load(SAMPLE).facts
    for fact in facts:
        assert withheld(fact) is (fact.correct and int(sha256(fact.id.encode()).hexdigest(), 16) % 5 == 0)
        assert not withheld(fact, 0)
    assert sum(map(withheld, facts)) == 27


def test_what_is_true_of_the_sentences(folder: Path) -> None:
    """Only the facts themselves are true, and a single year within their time; days are said where there are days."""
    sentences = list(said(load(folder).facts, frozenset(("1", "4"))))
    assert {one.kind for one in sentences if one.true} == {PRESENT}
    kinds = {one.group for one in sentences}
    assert {DATE_KEPT, "wrong range", "roles exchanged", "years shifted", "denied", "denied for a part"} < kinds
    texts = {one.text for one in sentences}
    assert "Mira Stenholm played for Larkfield United from 2010 to 2014." in texts
    assert "Mira Stenholm played for Larkfield United from 1 May 2010 to 30 June 2014." in texts
    assert "Larkfield United played for Mira Stenholm from 2010 to 2014." in texts
    assert "Mira Stenholm did not play for Larkfield United from 2011 to 2014." in texts
    assert "Tobias Rehn was married to Mira Stenholm from 2011 to 2016." not in texts


def test_withheld_is_told_from_present_at_another_time(folder: Path) -> None:
    """A withheld fact of which the graph has another time is a group of its own."""
    facts = load(folder).facts
    assert WITHHELD in {one.kind for one in said(facts, frozenset(("4",)))}
    twice = [*facts, *(f for f in read_facts(folder / "facts_train.jsonl") if f.id == "1")]
    from dataclasses import replace

    twice[-1] = replace(twice[-1], id="6", first="2018", last="2019")
    kinds = {one.kind for one in said(twice, frozenset(("4", "6"))) if one.fact.id == "1"}
    assert ELSEWHEN in kinds
    assert WITHHELD not in kinds


def test_nothing_of_a_withheld_fact_is_in_the_graph(folder: Path, tmp_path: Path) -> None:
    """The graph has the names of all ends, the times of the kept facts, and the vocabulary that is shipped."""
    facts = load(folder).facts
    made = tmp_path / "kb"
    made.mkdir()
    write_folder(made, [facts[3]], [facts[0], facts[3]], source=folder, join=True)
    text = (made / "graph.nt").read_text(encoding="utf-8")
    assert "Larkfield United" in text
    assert '"2011"' in text
    assert '"2010' not in text
    assert "ontology/team" not in text
    assert (made / "ontology.ttl").read_bytes() == (SAMPLE / "ontology.ttl").read_bytes()


def test_names_that_both_schemes_have_an_id_for_are_joined() -> None:
    """One id of each scheme and one name is one thing; two ids of one scheme are two."""
    from dataclasses import replace

    base = load(SAMPLE).correct[0]
    dbpedia, freebase = "http://dbpedia.org/resource/", "http://rdf.freebase.com/ns/"
    facts = [
        replace(base, subject="A", subject_iri=dbpedia + "A", object="B", object_iri=dbpedia + "B1"),
        replace(base, subject="A", subject_iri=freebase + "m.a", object="B", object_iri=dbpedia + "B2"),
    ]
    assert joined(facts) == [(dbpedia + "A", freebase + "m.a")]


def test_the_sample_reaches_the_goals() -> None:
    """Present facts are supported, withheld ones not found, wrong dates refuted, and nothing wrong is licensed."""
    outcome = run(None, Settings(most=30))
    assert outcome.status == 0
    for group in (PRESENT, WITHHELD, DATE_KEPT):
        assert _cell(outcome, group, 3).value == 1
    assert all(row[5].count == 0 for row in outcome.tables[0].rows if row[0] != PRESENT)  # type: ignore[union-attr]
    assert any("withheld" in note for note in outcome.notes)
    assert Outcome.from_dict(json.loads(json.dumps(outcome.to_dict()))) == outcome


def test_a_false_licence_fails(folder: Path, tmp_path: Path) -> None:
    """Against a graph that says more than the facts, what is licensed beyond them is grave."""
    kb = tmp_path / "kb"
    kb.mkdir()
    for file in _TERMS.iterdir():
        text = file.read_text(encoding="utf-8").replace('"2014"', '"2005"').replace('"2010"', '"2003"')
        (kb / file.name).write_text(text, "utf-8")
    outcome = run(folder, Settings(kb=str(kb)))
    assert outcome.status == 1
    assert {case.kind for case in outcome.cases if case.grave} == {"false licence"}


def test_the_command_prints_and_writes(folder: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Against a graph of the facts the exit status is 0; the file has what is printed."""
    out = tmp_path / "outcome.json"
    done = shell("eval", "factbench", str(folder), "--kb", str(_TERMS), "--out", str(out))
    assert done.status == 0
    assert "wrong date, true fact present" in done.out
    assert "FALSE LICENCE" not in done.out
    assert json.loads(out.read_text(encoding="utf-8"))["name"] == "factbench"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"s_label": "a", "o_label": "b"}', "no fact of FactBench"),
        ('{"id": "1", "label": "wrong", "corruption": "tense", "p": "x"}', "none of date"),
        ('{"id": "1", "label": "correct", "p": "x", "from": "May 2010"}', "no year"),
        ('{"id": "1", "label": "correct", "p": "x", "s": 5}', "must be a text"),
        ('{"id": "1", "label": "correct", "p": "x"}', "holds no correct fact"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, what: str) -> None:
    """What is no file of facts is refused with its place."""
    path = tmp_path / "facts_train.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=what) as raised:
        load(tmp_path)
    assert "facts_train.jsonl" in str(raised.value.where)


def test_a_folder_without_facts_says_what_it_needs(tmp_path: Path) -> None:
    """The files are named that are wanted, and a missing folder is told."""
    with pytest.raises(InputError, match="holds no facts") as raised:
        load(tmp_path)
    assert "facts_train.jsonl" in str(raised.value.hint)
    with pytest.raises(InputError, match="no such folder"):
        load(tmp_path / "none")


@pytest.mark.slow
@pytest.mark.skipif(not _WHOLE.is_dir(), reason="the data set is not there")
def test_the_whole_set_reaches_the_goals() -> None:
    """99 % of what is present supported and of wrong dates refuted, all withheld not found, nothing wrong licensed."""
    outcome = run(_WHOLE, Settings())
    assert (_cell(outcome, PRESENT, 3).value or 0) >= 0.99
    assert (_cell(outcome, DATE_KEPT, 3).value or 0) >= 0.99
    assert _cell(outcome, WITHHELD, 3).value == 1
    assert outcome.status == 0
