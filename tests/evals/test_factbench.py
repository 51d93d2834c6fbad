"""FactBench's facts put into sentences: what is said, what is true of it, and the verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.factbench import main, read_facts, said

_BASE = {"relation": "nbateam", "s": "urn:s", "p": "http://dbpedia.org/ontology/team", "o": "urn:o"}
_ROWS = [
    {**_BASE, "id": "1", "label": "correct", "s_label": "Mira Stenholm", "o_label": "Larkfield United"}
    | {"from": "2010-05-01", "to": "2014"},
    {**_BASE, "id": "2", "label": "wrong", "corruption": "date", "s_label": "Mira Stenholm"}
    | {"o_label": "Larkfield United", "from": "2003", "to": "2005"},
    {**_BASE, "id": "3", "label": "wrong", "corruption": "range", "s_label": "Mira Stenholm"}
    | {"o_label": "Tobias Rehn", "from": "2010", "to": "2014"},
    {**_BASE, "id": "4", "label": "correct", "s_label": "Mira Stenholm", "p": "http://dbpedia.org/ontology/spouse"}
    | {"o_label": "Tobias Rehn", "from": "2011", "to": "2016"},
    {**_BASE, "id": "5", "label": "correct", "s_label": "Mira Stenholm"},
]
_TERMS = Path(__file__).parent.parent / "golden" / "judge" / "worlds" / "terms"


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A file of five facts, the last without the name of its object."""
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    return path


def test_facts_without_names_are_left_out(facts: Path) -> None:
    """Four of the five facts can be said; a time keeps its year."""
    read = read_facts(facts)
    assert [fact.id for fact in read] == ["1", "2", "3", "4"]
    assert (read[0].start, read[0].end, read[0].time()) == (2010, 2014, "from 2010 to 2014")


def test_what_is_true_of_the_sentences(facts: Path) -> None:
    """Only the facts themselves are true, and a single year within their time."""
    sentences = list(said(read_facts(facts)))
    kinds = {one.kind for one in sentences}
    assert kinds == {"correct", "date", "range", "roles exchanged", "years shifted", "later year", "denied"}
    assert {one.kind for one in sentences if one.true} == {"correct"}
    texts = {one.text for one in sentences}
    assert "Mira Stenholm played for Larkfield United from 2010 to 2014." in texts
    assert "Larkfield United played for Mira Stenholm from 2010 to 2014." in texts
    assert "Tobias Rehn was married to Mira Stenholm from 2011 to 2016." not in texts


def test_no_false_sentence_is_licensed(facts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table counts every sentence; roles and years are told apart."""
    assert main([str(facts), "--kb", str(_TERMS)]) == 0
    printed = capsys.readouterr().out
    assert "FALSE" not in printed
    rows = {line.split("  ")[0]: line.split() for line in printed.splitlines()}
    assert rows["correct"][1] == rows["correct"][-1] == "4"


def test_a_false_licence_fails(facts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against a graph that says more than the facts, what is licensed beyond them is shown."""
    for file in _TERMS.iterdir():
        text = file.read_text(encoding="utf-8").replace('"2014"', '"2016"').replace('"2010"', '"2003"')
        (tmp_path / file.name).write_text(text.replace('"2016"^^xsd:gYear .\n:w1', '"2005"^^xsd:gYear .\n:w1'), "utf-8")
    assert main([str(facts), "--kb", str(tmp_path)]) == 1
    assert "FALSE LICENCE  date" in capsys.readouterr().out


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    """What is no file of facts is refused."""
    path = tmp_path / "facts.jsonl"
    path.write_text('{"s_label": "a", "o_label": "b"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no facts of FactBench") as raised:
        read_facts(path)
    assert raised.value.hint
