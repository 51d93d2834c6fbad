"""Measuring retrieval: gold facts, made questions, the tables, and the choice of the gate's floor."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_retrieval import open_brooks
from small_kb import write_kb

from imprimatur.errors import InputError
from imprimatur.evals.calibrate_gate import Scored, choose_floor
from imprimatur.evals.retrieval_chains import chains
from imprimatur.evals.retrieval_sets import relations, rivers
from imprimatur.evals.retrieving import Measured
from imprimatur.evals.unsupported import unsupported

_ROWS = [
    {"input": "Elm Bridge [SEP] crosses", "topic_entity": {"Q1": "Elm Bridge"}, "answer": "Elm Brook"},
    {"input": "Oak Bridge [SEP] crosses", "topic_entity": {"Q2": "Oak Bridge"}, "answer": "Oak Brook"},
    {
        "input": "Mira Falk [SEP] employer",
        "topic_entity": {"Q3": "Mira Falk"},
        "answer": "Elm Mill",
        "template_questions": ["Who is the employer of Mira Falk?"],
    },
]


def _write_rows(path: Path) -> Path:
    path.write_text("\n".join(map(json.dumps, _ROWS)), encoding="utf-8")
    return path


def test_a_set_of_relations_is_measured(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Each question finds its own triple at the first place, and the questions are written for calibration."""
    rows, out = _write_rows(tmp_path / "rows.jsonl"), tmp_path / "questions.jsonl"
    ran = shell("eval", "retrieval", "relations", str(rows), "--unsupported", "30", "--out", str(out), "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert told["questions"] == 3
    assert told["recall"]["fused"]["1"] == told["recall"]["names"]["1"] == 1.0
    assert told["failures"] == 0
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sum(row["supported"] for row in written) == 3
    assert sum(not row["supported"] for row in written) == sum(told["unsupported"].values())
    table = shell("eval", "retrieval", "relations", str(rows), "--unsupported", "30")
    assert "recall at" in table.out
    assert "unsupported: refused" in table.out


def test_the_questions_of_relations(tmp_path: Path) -> None:
    """The template where there is one, else the relation in words; the gold triple is the graph's own."""
    found = relations(_write_rows(tmp_path / "rows.jsonl"))
    assert [question.text for question in found] == [
        "What does Elm Bridge cross?",
        "What does Oak Bridge cross?",
        "Who is the employer of Mira Falk?",
    ]
    assert found[0].gold[0].endswith("/answer/Elm%20Brook> .")
    (tmp_path / "bad.jsonl").write_text('{"input": "x"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.jsonl:1"):
        relations(tmp_path / "bad.jsonl")


def test_gold_facts_are_those_of_the_graph(tmp_path: Path) -> None:
    """Taken are dev questions of one fact that the graph holds; what it lacks, or states twice, is left out."""
    knowledge = open_brooks(tmp_path / "kb")
    assert knowledge.part is not None
    names = ("Elm Brook", "Oak Brook", "Ash Brook", "Fir Brook")
    header = "river_name,question_id,question,answer_1\n"
    asked = "".join(f"{name},{name}_1,How long is {name}?,x\n" for name in names)
    (tmp_path / "q.csv").write_text(header + asked, encoding="utf-8")
    # The property is told by its local name after a "#", which the brooks do not have.
    (tmp_path / "f.csv").write_text("subject,property,value,sources\n", encoding="utf-8")
    assert rivers(tmp_path / "q.csv", tmp_path / "f.csv", knowledge.part.graph) == []
    (tmp_path / "f.csv").write_text("subject,value\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column 'property'"):
        rivers(tmp_path / "q.csv", tmp_path / "f.csv", knowledge.part.graph)


def test_made_questions_are_without_support(tmp_path: Path) -> None:
    """The same each time; a missing property is really missing, an invented name is no name of the graph."""
    knowledge = open_brooks(tmp_path)
    made = unsupported(knowledge, 12, seed=3)
    assert made == unsupported(knowledge, 12, seed=3)
    assert set(made) == {"missing", "invented", "foreign"}
    assert "What is the length of Fir Brook?" in unsupported(knowledge, 60, seed=1)["missing"]
    assert not any("length of Elm Brook" in text for texts in made.values() for text in texts)
    for text in made["invented"]:
        assert not knowledge.lexicon.candidates(text.rpartition(" of ")[2].rstrip("?"))


def test_chains_are_asked_over_two_relations(tmp_path: Path) -> None:
    """The question names the first thing and both relations; the gold fact is the last of the chain."""
    knowledge = open_brooks(tmp_path)
    found = chains(knowledge, 10, seed=1)
    assert [question.text for question in found] == ["What is the length of the mouth of Elm Brook?"]
    assert found[0].gold[0].startswith("<https://example.org/brooks/oak> <https://example.org/brooks/length>")


def test_risk_and_coverage_of_a_gate() -> None:
    """Counted by hand: of two supported one passes, of four unsupported one; one of the two that passed is wrong."""
    found = Measured(passed=[(0.9, True), (0.2, True)], unsupported={"made": [0.8, 0.1, 0.1, 0.1]})
    assert found.at(0.5) == (0.5, 0.75, 0.5)
    assert found.at(0.95) == (0.0, 1.0, 0.0)


def test_the_lowest_floor_within_the_bound_is_chosen() -> None:
    """Unsupported questions score up to 0.39, one 0.80: the floor lies just above where too many would pass."""
    rows = [Scored(False, k / 1000) for k in range(400)] + [Scored(False, 0.8), Scored(True, 0.9), Scored(True, 0.3)]
    strict, loose = choose_floor(rows, risk=0.02, confidence=0.95), choose_floor(rows, risk=0.2, confidence=0.95)
    assert 0.39 < strict.floor <= 0.40
    assert (strict.passed.count, strict.answered.count) == (1, 1)
    assert strict.bound <= 0.02
    assert loose.floor < strict.floor


def test_what_cannot_be_bounded_is_refused() -> None:
    """Too few unsupported questions, or unsupported ones that fit wholly: no floor is chosen."""
    with pytest.raises(InputError, match="too few") as caught:
        choose_floor([Scored(False, 0.0)] * 100, risk=0.02, confidence=0.95)
    assert "149" in caught.value.hint
    with pytest.raises(InputError, match="no floor parts them"):
        choose_floor([Scored(False, 1.0)] * 200, risk=0.02, confidence=0.95)


def test_a_calibrated_gate_is_written_and_read(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Rows are asked of the knowledge base; the file is what `gate:` names."""
    kb = write_kb(tmp_path / "kb")
    rows: list[dict[str, object]] = [{"question": "Who painted Elm Brook?", "supported": False}] * 160
    rows.append({"question": "How long is Elm Brook?", "supported": True})
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    ran = shell("eval", "calibrate-gate", str(tmp_path / "rows.jsonl"), "--kb", str(kb), "--out", str(kb / "gate.json"))
    assert ran.status == 0, ran.err
    assert "supported questions that pass: 1 of 1" in ran.out
    written = json.loads((kb / "gate.json").read_text(encoding="utf-8"))
    assert 0 < written["floor"] < 0.9
    assert written["calibrated"]["unsupported"] == 160


@pytest.mark.parametrize("row", ["", "no json", "[]", '{"question": "?"}', '{"question": 1, "supported": true}'])
def test_wrong_rows_are_named(tmp_path: Path, shell: Callable[..., Ran], row: str) -> None:
    """The line and what a row looks like are told; exit status 2."""
    (tmp_path / "rows.jsonl").write_text(row, encoding="utf-8")
    ran = shell("eval", "calibrate-gate", str(tmp_path / "rows.jsonl"), "--kb", str(write_kb(tmp_path / "kb")))
    assert ran.status == 2
    assert "rows.jsonl" in ran.err


def test_vectors_of_facts_need_a_model(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Without a model the command says how to name one."""
    ran = shell("kb", "vectors", str(write_kb(tmp_path / "kb")))
    assert ran.status == 2
    assert "embed" in ran.err
