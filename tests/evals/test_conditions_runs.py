"""Questions in several conditions and runs: measures, the paper's tables, recordings, models of one condition's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="the extra `models` is not installed")

from cli_fixtures import Ran
from small_kb import write_kb

from imprimatur.evals.conditions import Said, Tally
from imprimatur.evals.conditions_outcome import made
from imprimatur.evals.outcome import Case, Figure, Outcome, Table, rendered
from imprimatur.evals.posed import Posed
from imprimatur.evals.told_passages import with_paragraphs
from imprimatur.oracle import Oracle
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.testing import ScriptedServer, when

Shell = Callable[..., Ran]
KNOWN_, UNKNOWN = Posed(id="1", text="How long is Elm Brook?", right=("12 km",)), Posed(id="2", text="Who dug it?")


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph about brooks and towns."""
    return write_kb(tmp_path_factory.mktemp("kb"), policy="redact")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that knows one length, and says so to everything."""
    with ScriptedServer(
        [when("How long", "Elm Brook is 12 km long."), when("", "Elm Brook was painted by Bob.")]
    ) as made:
        yield made


def _said(posed: Posed, text: str, *, right: bool = False, unfounded: tuple[str, ...] = ()) -> Said:
    return Said(posed=posed, text=text, outcome="answered" if text else "refused", right=right, unfounded=unfounded)


def _tally(*said: Said) -> Tally:
    return Tally(said=list(said), model="m (1)")


def _table(outcome: Outcome, title: str) -> dict[str, dict[str, Any]]:
    (table,) = [table for table in outcome.tables if table.title.startswith(title)]
    return {str(row[0]): dict(zip(table.head, row, strict=True)) for row in table.rows}


def test_the_measures_are_the_paper_s() -> None:
    """By hand: a baseline that answers both questions, and an oracle that answers one and refuses the other."""
    plain = _tally(_said(KNOWN_, "13 km", unfounded=("13",)), _said(UNKNOWN, "Bob", unfounded=("Bob",)))
    oracle = _tally(_said(KNOWN_, "12 km", right=True), _said(UNKNOWN, ""))
    outcome = made([{"plain": plain, "oracle": oracle}], settings={"set": "x"})
    measured = _table(outcome, "The paper's measures")
    assert [measured["plain"][name].value for name in ("accuracy (eq. 1)", "FAR-NE (eq. 4)")] == [0.0, 1.0]
    assert measured["plain"]["abstention precision (eq. 2)"].value is None
    good = measured["oracle"]
    assert [good[name].value for name in ("accuracy (eq. 1)", "abstention precision (eq. 2)")] == [0.5, 1.0]
    assert good["licensed-answer accuracy (eq. 5)"].published.value == 1.0
    assert good["CVRR (eq. 3)"].value is None
    assert outcome.status == 0
    assert outcome.settings["models"] == ["m (1)"]
    assert [row.right for row in outcome.rows] == [False, False, True, True]
    first = outcome.tables[2]
    assert first.title == "Licensing Oracle, table 1: baseline"
    assert first.rows[0][:3] == ("Claude Sonnet 4.5 *", 4208, 1767)
    assert _table(outcome, "The same questions")["oracle and plain"]["only the first right"] == 1


def test_only_a_licence_makes_a_case_grave() -> None:
    """What a model makes up is a wrong answer; the same words let out by the oracle are a false licence."""
    wrong = _tally(_said(KNOWN_, "13 km", unfounded=("13",)))
    assert made([{"plain": wrong}], settings={}).status == 0
    outcome = made([{"oracle": wrong}], settings={})
    assert outcome.status == 1
    (case,) = outcome.cases
    assert isinstance(case, Case)
    assert (case.kind, case.reasons, case.grave) == ("false licence", ("unfounded: 13",), True)


def test_runs_are_told_with_their_spread() -> None:
    """Two runs of which one question changes: a mean of 0.75 with a t interval; one run has no such table."""
    one = _tally(_said(KNOWN_, "12 km", right=True), _said(KNOWN_, "12 km", right=True))
    two = _tally(_said(KNOWN_, "12 km", right=True), _said(KNOWN_, "13 km"))
    found = _table(made([{"plain": one}, {"plain": two}], settings={}), "Runs with other seeds")["plain"]
    assert isinstance(found["accuracy, mean"], Figure)
    assert (found["runs"], found["accuracy, mean"].value) == (2, 0.75)
    assert found["sd of runs"].value == pytest.approx(0.35355, abs=1e-4)
    assert not [table for table in made([{"plain": one}], settings={}).tables if "seeds" in table.title]


def test_an_outcome_can_be_written_and_read(kb: Path, tmp_path: Path, shell: Shell, server: ScriptedServer) -> None:
    """A run that is not recorded prints what it always printed, and writes all that was measured."""
    out = tmp_path / "out.json"
    asked = ("eval", "conditions", "made", "--kb", str(kb), "--most", "3", "--how", "plain", "--how", "graph")
    ran = shell(*asked, "--base-url", server.url, "--model", "m", "--out", str(out))
    assert ran.status == 0, ran.err
    assert "questions whose fact is in the graph" in ran.out
    outcome = Outcome.from_dict(json.loads(out.read_text(encoding="utf-8")))
    assert outcome.settings["conditions"] == ["plain", "graph"]
    assert any(name.startswith("knowledge base") for name in outcome.sources)
    assert outcome.curves[0].names == ("plain", "graph")
    assert isinstance(outcome.tables[0], Table)


def test_record_and_replay_are_one_command(kb: Path, tmp_path: Path, shell: Shell, server: ScriptedServer) -> None:
    """With a model what is missing is asked; without one the same tables come out, settings taken from the file."""
    kept = tmp_path / "kept.jsonl.gz"
    asked = ("eval", "conditions", "made", "--kb", str(kb), "--recorded", str(kept))
    hows = ("--how", "plain", "--how", "qkr", "--how", "oracle")
    named = ("--base-url", server.url, "--model", "m")
    few = shell(*asked, *hows, *named, "--most", "2", "--items", "2", "--json")
    assert few.status == 0, few.err
    before = len(server.requests)
    again = shell(*asked, *hows, "--json")
    assert again.status == 0, again.err
    assert json.loads(again.out)["tables"] == json.loads(few.out)["tables"]
    assert len(server.requests) == before
    more = json.loads(shell(*asked, *hows, *named, "--most", "3", "--json").out)
    assert "Recorded with most 2, asked with 3." in more["notes"]
    assert len(server.requests) > before
    missing = shell(*asked, "--how", "cot")
    assert (missing.status, "has no answer to the prompt" in missing.err) == (2, True)
    stale = shell(*asked, "--how", "plain", "--most", "1", "--json")
    assert "stale" in " ".join(json.loads(stale.out)["notes"])
    both = shell(*asked, "--how", "plain", "--replay", str(kept))
    assert (both.status, "--recorded records and replays" in both.err) == (2, True)
    other = shell("eval", "conditions", "rivers", "x.csv", "--kb", str(kb), "--recorded", str(kept))
    assert (other.status, "recorded for 'made'" in other.err) == (2, True)


def test_runs_and_tuned_models_are_recorded_by_role(kb: Path, tmp_path: Path, shell: Shell) -> None:
    """Two runs have two seeds; a tuned model and another server answer for their conditions alone."""
    kept = tmp_path / "kept.jsonl"
    asked = ("eval", "conditions", "made", "--kb", str(kb), "--most", "2", "--recorded", str(kept), "--json")
    hows = [word for how in ("plain", "factual", "qkr") for word in ("--how", how)]
    with ScriptedServer("I am plain.") as plain, ScriptedServer("I am tuned.") as tuned, ScriptedServer("Me.") as own:
        named = (
            "--base-url",
            plain.url,
            "--model",
            "m",
            "--tuned",
            f"factual={tuned.url}#t",
            "--at",
            f"qkr={own.url}#o",
        )
        ran = shell(*asked, *hows, *named, "--runs", "2")
        assert ran.status == 0, ran.err
        seeds = [{request.body["seed"] for request in server.requests} for server in (plain, tuned, own)]
        assert seeds == [{0, 1}] * 3
        assert {request.body["model"] for request in own.requests} == {"o"}
    told = json.loads(ran.out)
    (runs,) = [table for table in told["tables"] if table["title"] == "Runs with other seeds"]
    assert [row[:2] for row in runs["rows"]] == [["plain", 2], ["factual", 2], ["qkr", 2]]
    assert len(told["settings"]["models"]) == 6
    again = json.loads(shell(*asked, *hows, "--runs", "2").out)
    assert again["tables"] == told["tables"]
    alone = shell(*asked, "--runs", "3", "--how", "plain")
    assert (alone.status, "in run 3" in alone.err) == (2, True)


def test_what_names_no_model_is_told(kb: Path, shell: Shell) -> None:
    """A tuned condition without weights, a role that is none, a place that is none."""
    asked = ("eval", "conditions", "made", "--kb", str(kb), "--base-url", "http://localhost:9/v1", "--model", "m")
    for words, told in (
        (("--how", "factual"), "asks a tuned model"),
        (("--tuned", "better=x.gguf"), "no tuned model is called 'better'"),
        (("--tuned", "factual"), "names no place"),
        (("--at", "nowhere=x.gguf"), "no condition 'nowhere'"),
    ):
        ran = shell(*asked, *words)
        assert (ran.status, told in ran.err) == (2, True), ran.err


def test_paragraphs_are_made_of_the_graph_alone(kb: Path, tmp_path: Path) -> None:
    """Each has one thing's facts as they are shown; what is asked is found; the same seed gives the same files."""
    oracle = Oracle.from_folder(kb)
    questions = ["How long is Elm Brook?"]
    reading = with_paragraphs(oracle, questions, tmp_path / "a", seed=1)
    assert reading.knowledge.part is None
    (best, *_) = Retrieval(reading.knowledge)(questions[0]).items
    assert best.text.startswith("Elm Brook\n")
    assert "Elm Brook: length: 12,000 m." in best.text
    with_paragraphs(oracle, questions, tmp_path / "b", seed=1)
    files = [sorted((tmp_path / name / "paragraphs").iterdir()) for name in "ab"]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]


def test_rag_reads_paragraphs_where_there_are_no_passages(kb: Path, shell: Shell, server: ScriptedServer) -> None:
    """Without them the gate refuses every question; with them the model is asked."""
    asked = ("eval", "conditions", "made", "--kb", str(kb), "--most", "3", "--how", "rag", "--json")
    named = ("--base-url", server.url, "--model", "m")
    assert json.loads(shell(*asked, *named).out)["rag"]["answered"]["count"] == 0
    assert json.loads(shell(*asked, *named, "--paragraphs").out)["rag"]["answered"]["count"] > 0


def test_what_is_printed_has_no_nonsense() -> None:
    """A condition of which nothing can be measured is dashes, and the paper's rows are marked."""
    told = rendered(made([{"oracle": _tally(_said(KNOWN_, ""))}], settings={}))
    assert "Graph-RAG with Licensing Oracle *" in told
    assert "nan" not in told.lower()
