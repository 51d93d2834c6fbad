"""``imprimatur doctor --grounding``: each of the six steps on sound knowledge bases, and on such as are not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_ingest import brought_up, write_documents
from made_remote import brooks
from small_kb import write_kb

from imprimatur.errors import StoreUnavailable
from imprimatur.evals.grounding import Grounding, findings
from imprimatur.evals.grounding_ledger import FEWEST
from imprimatur.evals.grounding_questions import made_questions
from imprimatur.evals.grounding_sources import Refound, refound
from imprimatur.evals.grounding_steps import Finding, State, share_state
from imprimatur.evidence import Evidence
from imprimatur.generate.asker import AskSettings
from imprimatur.ledger import Ledger
from imprimatur.oracle import Oracle
from imprimatur.retrieve import retrieve
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.testing import ScriptedServer

Shell = Callable[..., Ran]

_NAMES = ("trail", "sources", "structured", "log", "refusals", "abstention")
_TRUE, _FALSE = "Elm Brook is 12 km long.", "Elm Brook is 14 km long."
_GUIDE = """# Lights

The Holm Light was built by Ada Fell in 1851 on the northern pier of the old harbour.

The Skerry Light burns whale oil and is kept by two families who live on the rock all year.

The Point Light was moved twenty metres inland after the storm of 1903 had undermined its tower.
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own, and no model from outside."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """The small graph about brooks and towns."""
    return write_kb(tmp_path / "kb")


def _found(oracle: Oracle, ledger: Path, **more: Any) -> dict[str, Finding]:
    what = Grounding(oracle=oracle, name=str(oracle.knowledge.config.folder), ledger=ledger, most=12, **more)
    return {each.name: each for each in findings(what)}


def _doctor(shell: Shell, kb: Path, *more: str) -> Ran:
    return shell("doctor", "--grounding", "--kb", str(kb), "--most", "12", *more)


def _recorded(ledger: Path, kb: Path, *texts: str) -> None:
    oracle = Oracle.from_folder(kb)
    with Ledger.open(ledger) as book:
        for text in texts:
            book.append(oracle.check(text), kb=str(kb), at=datetime(2026, 1, 1, tzinfo=UTC))


def test_a_sound_knowledge_base(shell: Shell, kb: Path, tmp_path: Path) -> None:
    """All six steps are told, in words and in JSON; with a ledger that has records, all are ok."""
    _recorded(tmp_path / "ledger", kb, _TRUE, _FALSE)
    ran = _doctor(shell, kb, "--ledger", str(tmp_path / "ledger"))
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["ok"] * 6
    told = json.loads(_doctor(shell, kb, "--ledger", str(tmp_path / "ledger"), "--json").out)
    assert (told["state"], [step["name"] for step in told["steps"]]) == ("ok", list(_NAMES))
    assert [step["step"] for step in told["steps"]] == [1, 2, 3, 4, 5, 6]
    assert told["steps"][0]["figures"]["found"] == told["steps"][0]["figures"]["asked"] > 0


@pytest.mark.parametrize("name", ["rivers", "philosophers"])
def test_the_bundled_ones(name: str, shell: Shell, tmp_path: Path) -> None:
    """Nothing is wrong with what comes with the package; only a ledger is not there yet."""
    ran = shell("doctor", "--grounding", "--kb", name, "--most", "12", "--ledger", str(tmp_path / "none"), "--json")
    assert ran.status == 0
    assert {step["name"]: step["state"] for step in json.loads(ran.out)["steps"]} == {
        **dict.fromkeys(_NAMES, "ok"),
        "log": "warn",
    }


def test_equal_runs_find_the_same(shell: Shell, kb: Path) -> None:
    """The same knowledge base and seed give the same output."""
    assert _doctor(shell, kb, "--json").out == _doctor(shell, kb, "--json").out


def test_own_questions(shell: Shell, kb: Path) -> None:
    """A question of one's own is told with what fits it best; one without support is refused, as a warning."""
    ran = _doctor(shell, kb, "--question", "How long is Elm Brook?", "--question", "Who painted Elm Brook?")
    assert ran.status == 0
    assert "warn   1 own questions  1 of 2 have enough evidence" in ran.out
    assert "How long is Elm Brook? → enough; the best: Elm Brook: length: 12,000 m" in ran.out
    assert "Who painted Elm Brook? → refused" in ran.out


def test_options_without_grounding(shell: Shell) -> None:
    """They are refused, and without them the installation is looked at as before."""
    ran = shell("doctor", "--kb", "rivers")
    assert (ran.status, "--grounding" in ran.err) == (2, True)
    assert "Python" in shell("doctor").out


def test_nothing_to_ground_by(shell: Shell, tmp_path: Path) -> None:
    """A knowledge base without any evidence is an error, not a pass."""
    (tmp_path / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    ran = _doctor(shell, tmp_path)
    assert (ran.status, "no evidence in it" in ran.err) == (2, True)


# The trail


def test_a_trail_without_the_fact(kb: Path, tmp_path: Path) -> None:
    """Where retrieval passes over most facts the step is wrong, and names the questions; over some, a warning."""
    strict = AskSettings(limits=RetrievalLimits(items=1, floor=1.0, similarity=1.0))
    found = _found(Oracle.from_folder(kb), tmp_path / "none", asking=strict)["trail"]
    assert found.state is not State.OK
    assert found.figures["found"] < found.figures["asked"]
    assert found.examples[0].startswith("not found: ")
    assert "kb suggest" in found.mend


def test_a_path_that_fails(kb: Path, tmp_path: Path) -> None:
    """A path of retrieval that cannot be gone is a warning, and wrong where the others do not find enough."""

    class Gone:
        name = fingerprint = "gone"

        def embed(self, text: str) -> Any:
            raise StoreUnavailable("the model is gone", where="embed")

        embed_query = embed

        def embed_all(self, texts: Iterable[str]) -> Iterator[Any]:
            raise StoreUnavailable("the model is gone", where="embed")

    oracle = Oracle.from_folder(kb)
    found = _found(oracle, tmp_path / "none", asking=AskSettings(embedder=Gone()))["trail"]
    assert (found.state, "the model is gone" in found.detail) == (State.WARN, True)
    assert "mend what failed" in found.mend
    assert found.figures["found"] == found.figures["asked"]
    few = AskSettings(embedder=Gone(), limits=RetrievalLimits(items=1, floor=1.0))
    assert _found(oracle, tmp_path / "none", asking=few)["trail"].state is State.WRONG


# Sources


def _texts(folder: Path, config: str) -> Oracle:
    folder.mkdir(exist_ok=True)
    (folder / "guide.md").write_text(_GUIDE, encoding="utf-8")
    (folder / "memory.jsonl").write_text(
        json.dumps({"id": "k1", "text": "The Cape Light has a red lantern with three lenses."}) + "\n", encoding="utf-8"
    )
    (folder / "imprimatur.yaml").write_text(f"version: 1\n{config}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


def test_passages_and_memory(tmp_path: Path) -> None:
    """Sentences and entries are found again where they stand; that answers rest on prose alone is a warning."""
    oracle = _texts(tmp_path / "kb", "passages: [guide.md]\nmemory: memory.jsonl")
    found = _found(oracle, tmp_path / "none")
    assert found["trail"].figures["asked"] == found["trail"].figures["found"] == 2
    assert found["sources"].state is State.OK
    assert found["sources"].figures["same"] >= 2
    assert (found["structured"].state, found["structured"].figures["structured"]) == (State.WARN, 0)
    assert found["refusals"].state is State.OK
    assert found["refusals"].figures["asked"] > 5


def test_a_document_that_changed(tmp_path: Path) -> None:
    """Evidence of a document that is another one now is not as it says."""
    folder = tmp_path / "kb"
    oracle = _texts(folder, "passages: [guide.md]")
    trail = retrieve("Who built the Holm Light?", oracle.knowledge)
    evidence = [each for item in trail.items for each in item.evidence]
    assert set(refound(evidence, oracle.knowledge).values()) == {Refound.SAME}
    (folder / "guide.md").write_text(_GUIDE.replace("Ada Fell", "Bea Fell"), encoding="utf-8")
    assert Refound.OTHER in refound(evidence, oracle.knowledge).values()
    (folder / "guide.md").unlink()
    assert Refound.SAME not in refound(evidence, oracle.knowledge).values()


def test_a_graph_file_that_changed(kb: Path, tmp_path: Path) -> None:
    """A triple that its file does not have any more is told, and makes the step wrong."""
    oracle = Oracle.from_folder(kb)
    data = kb / "data.ttl"
    data.write_text(data.read_text(encoding="utf-8").replace("12000", "13000"), encoding="utf-8")
    found = _found(oracle, tmp_path / "none")["sources"]
    assert found.state is State.WRONG
    assert any("12000" in example for example in found.examples)


def test_rows_of_tables(tmp_path: Path) -> None:
    """A row is asked for again by its own SQL."""
    (tmp_path / "lights.csv").write_text("light,height (m)\nHolm Light,41\nPoint Light,20\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [lights.csv]\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    report = oracle.check("The height of Holm Light is 41 m.")
    (evidence,) = report.segments[0].claims[0].verdict.evidence
    assert refound([evidence], oracle.knowledge) == {evidence: Refound.SAME}
    other = Evidence(
        **{**{n: getattr(evidence, n) for n in ("source", "kind", "query", "origin")}, "content": "41 km?"}
    )
    assert refound([other], oracle.knowledge) == {other: Refound.OTHER}
    found = _found(oracle, tmp_path / "none")
    assert (found["trail"].state, found["sources"].state) == (State.OK, State.OK)


def test_facts_of_documents(kb: Path, tmp_path: Path) -> None:
    """A fact from a document must stand in it, at its place; else it is told, and the step is wrong."""
    docs = write_documents(tmp_path / "docs", {"a.md": "Elm Brook is 12000 metres long.\n", "b.md": "Nothing.\n"})
    brought_up(kb, docs)
    found = _found(Oracle.from_folder(kb), tmp_path / "none")["sources"]
    assert (found.state, found.figures["facts_of_documents"], found.figures["facts_gone"]) == (State.OK, 1, 0)
    for text in ("Long ago Elm Brook is 12000 metres long.\n", "Elm Brook is 12001 metres long.\n", None):
        (docs / "a.md").write_text(text, encoding="utf-8") if text is not None else (docs / "a.md").unlink()
        found = _found(Oracle.from_folder(kb), tmp_path / "none")["sources"]
        assert (found.state, found.figures["facts_gone"]) == (State.WRONG, 1)
        assert any("a.md" in example for example in found.examples)


def test_a_store_that_was_changed(kb: Path, tmp_path: Path) -> None:
    """A store that other hands changed makes the step wrong."""
    brought_up(kb, write_documents(tmp_path / "docs", {"a.md": "Elm Brook is 12000 metres long.\n"}))
    stored = kb / "facts" / "derived.nq"
    stored.write_text(stored.read_text(encoding="utf-8").replace("12000", "13000"), encoding="utf-8")
    found = _found(Oracle.from_folder(kb), tmp_path / "none")["sources"]
    assert (found.state, "could not be looked at" in found.detail) == (State.WRONG, True)


# The ledger


def test_without_records(kb: Path, tmp_path: Path) -> None:
    """No ledger, and one without records of this knowledge base, are warnings."""
    oracle = Oracle.from_folder(kb)
    assert _found(oracle, tmp_path / "none")["log"].state is State.WARN
    with Ledger.open(tmp_path / "ledger"):
        pass
    assert "none of this knowledge base" in _found(oracle, tmp_path / "ledger")["log"].detail


def test_a_ledger_that_was_changed(shell: Shell, kb: Path, tmp_path: Path) -> None:
    """A record that was changed makes the step wrong, and the status 3."""
    ledger = tmp_path / "ledger"
    _recorded(ledger, kb, _TRUE)
    with sqlite3.connect(ledger) as connection:
        connection.execute("DROP TRIGGER records_no_update")
        connection.execute("UPDATE records SET body = replace(body, '12 km', '13 km')")
    ran = _doctor(shell, kb, "--ledger", str(ledger))
    assert (ran.status, "wrong  4 log" in ran.out) == (3, True)
    ledger.write_bytes(b"no ledger at all")
    assert _doctor(shell, kb, "--ledger", str(ledger)).status == 3


def test_records_without_evidence(kb: Path, tmp_path: Path) -> None:
    """A record that licenses a claim without evidence is wrong, and so is evidence that is another now."""
    ledger = tmp_path / "ledger"
    oracle = Oracle.from_folder(kb)
    report = oracle.check(_TRUE).to_dict()
    report["segments"][0]["claims"][0]["evidence"] = []
    with Ledger.open(ledger) as book:
        book.append(report, kb="elsewhere", at=datetime(2026, 1, 1, tzinfo=UTC))
    found = _found(oracle, ledger)["log"]
    assert (found.state, found.examples) == (State.WRONG, ("record 1 has no evidence",))
    changed = oracle.check(_TRUE).to_dict()
    evidence = changed["segments"][0]["claims"][0]["evidence"][0]
    evidence["query"] = evidence["query"].replace("12000", "12001")
    with Ledger.open(tmp_path / "other") as book:
        book.append(changed, kb="elsewhere", at=datetime(2026, 1, 1, tzinfo=UTC))
    assert _found(oracle, tmp_path / "other")["log"].figures["other"] == 1


# Refusals and their share


def test_a_gate_that_lets_all_through(kb: Path, tmp_path: Path) -> None:
    """A floor of 0 lets through what has no support: wrong, and a model would have been asked."""
    (kb / "gate.json").write_text('{"floor": 0, "items": 1}', encoding="utf-8")
    with (kb / "imprimatur.yaml").open("a", encoding="utf-8") as file:
        file.write("gate: gate.json\n")
    found = _found(Oracle.from_folder(kb), tmp_path / "none")
    assert found["refusals"].state is State.WRONG
    assert any(example.startswith("let through: ") for example in found["refusals"].examples)
    assert (found["abstention"].state, "too loose" in found["abstention"].mend) == (State.WARN, True)


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ([_TRUE] * FEWEST, "nearly nothing is ever withheld"),
        ([_FALSE] * FEWEST, "most answers are withheld"),
        ([_TRUE] * (FEWEST // 2) + [_TRUE, _FALSE] * (FEWEST // 4 + 1), "leapt from 0% to"),
    ],
)
def test_the_share_of_refused_answers(kb: Path, tmp_path: Path, texts: list[str], why: str) -> None:
    """A share near zero, a very high one and one that leaps are warnings, each with its own advice."""
    _recorded(tmp_path / "ledger", kb, *texts)
    found = _found(Oracle.from_folder(kb), tmp_path / "ledger")["abstention"]
    assert (found.state, why in found.mend) == (State.WARN, True)


def test_a_usual_share(kb: Path, tmp_path: Path) -> None:
    """A share in between is as it should be; few records make none."""
    _recorded(tmp_path / "ledger", kb, *[_TRUE, _TRUE, _TRUE, _FALSE] * (FEWEST // 4 + 1))
    found = _found(Oracle.from_folder(kb), tmp_path / "ledger")["abstention"]
    assert (found.state, "(25%)" in found.detail) == (State.OK, True)
    _recorded(tmp_path / "few", kb, _FALSE)
    assert "too few for a share" in _found(Oracle.from_folder(kb), tmp_path / "few")["abstention"].detail


# Faults, models


def test_a_step_that_fails_is_wrong(kb: Path, tmp_path: Path) -> None:
    """What raises while it is looked at is a finding, and the other steps go on."""
    (kb / "gate.json").write_text("{}", encoding="utf-8")
    with (kb / "imprimatur.yaml").open("a", encoding="utf-8") as file:
        file.write("gate: gate.json\n")
    found = _found(Oracle.from_folder(kb), tmp_path / "none")
    assert (found["refusals"].state, "could not be looked at" in found["refusals"].detail) == (State.WRONG, True)
    assert found["trail"].state is State.OK


def test_a_model_is_asked_a_few(shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the environment names one, three questions are put to it; one that fails is wrong, not silent."""
    with ScriptedServer(lambda _: "Elm Brook is 12 km long [1].") as server:
        monkeypatch.setenv("IMPRIMATUR_MODEL_URL", server.url)
        monkeypatch.setenv("IMPRIMATUR_MODEL_NAME", "small")
        ran = _doctor(shell, kb, "--question", "How long is Elm Brook?", "--json")
        assert 1 <= len(server.requests) <= 3
    last = json.loads(ran.out)["steps"][-1]
    assert (last["name"], last["figures"]["asked"], last["figures"]["licensed"] >= 1) == ("model", 3, True)
    gone = _doctor(shell, kb, "--json")
    assert (gone.status, json.loads(gone.out)["steps"][-1]["state"]) == (3, "wrong")


def test_made_questions(kb: Path) -> None:
    """They are made of the graph's own facts, are the same again, and name the triples that answer them."""
    knowledge = Oracle.from_folder(kb).knowledge
    made = made_questions(knowledge, 8, seed=1)
    assert made == made_questions(knowledge, 8, seed=1)
    assert len({question.text for question in made}) == len(made) == 7
    assert all(question.structured and question.wanted for question in made)


def test_shares() -> None:
    """A share is ok, to be looked at, or wrong; of nothing it is wrong where something is wanted."""
    states = [share_state(count, 10, good=0.9, bad=0.6) for count in (10, 9, 8, 6, 5)]
    assert states == [State.OK, State.OK, State.WARN, State.WARN, State.WRONG]
    assert share_state(0, 0, good=0.9, bad=0.6) is State.WRONG


# A graph behind an address


def test_a_server(tmp_path: Path) -> None:
    """Its triples are found again on it; once it says something else, or is gone, the step is wrong."""
    with brooks(tmp_path, "{url}") as world:
        oracle = world.oracle()
        found = _found(oracle, tmp_path / "none")
        assert (found["trail"].state, found["sources"].state) == (State.OK, State.OK)
        assert found["sources"].figures["out_of_reach"] == 0
        report = oracle.check(_TRUE)
        (evidence,) = report.segments[0].claims[0].verdict.evidence
        assert refound([evidence], oracle.knowledge) == {evidence: Refound.SAME}
        world.delete(":elm :length 12000 .")
        assert refound([evidence], oracle.knowledge) == {evidence: Refound.OTHER}
    gone = _found(oracle, tmp_path / "none")
    assert (gone["sources"].state, "could not be looked at" in gone["sources"].detail) == (State.WRONG, True)
    assert gone["refusals"].state is State.WRONG
