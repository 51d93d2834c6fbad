"""`ask` with a model: which condition holds, what is printed of it, exit statuses, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_kb import write_kb

from imprimatur.ledger import Ledger
from imprimatur.testing import ScriptedServer, fail, garbled

Shell = Callable[..., Any]
QUESTION = "How long is Elm Brook?"
TRUE = "Elm Brook is 12 km long [1]."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small graph about brooks and towns."""
    return str(write_kb(tmp_path_factory.mktemp("kb")))


def _ask(shell: Shell, kb: str, server: ScriptedServer, *more: str) -> Any:
    return shell("ask", QUESTION, "--kb", kb, "--base-url", server.url, "--model", "m", "--no-ledger", *more)


def test_a_named_model_is_asked_and_licensed(shell: Shell, kb: str) -> None:
    """With the evidence of what is said; without one, or with --how graph, no model is asked."""
    with ScriptedServer(TRUE) as server:
        ran = _ask(shell, kb, server)
        assert ran.status == 0
        first, *rest = ran.out.splitlines()
        assert (first, all("✓ supported" in line and "12000" in line for line in rest)) == (TRUE, True)
        assert len(server.requests) == 1
        graph = _ask(shell, kb, server, "--how", "graph")
        assert (graph.status, graph.out.splitlines()[0]) == (0, "Elm Brook is 12 km long.")
        assert len(server.requests) == 1
    assert json.loads(shell("ask", QUESTION, "--kb", kb, "--no-ledger", "--json").out)["how"] == "graph"


def test_the_environment_names_a_model_too(shell: Shell, kb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes before the knowledge base."""
    with ScriptedServer("Elm Brook is 13 km long.") as server:
        monkeypatch.setenv("IMPRIMATUR_MODEL_URL", server.url)
        monkeypatch.setenv("IMPRIMATUR_MODEL_NAME", "m")
        ran = shell("ask", QUESTION, "--kb", kb, "--no-ledger", "--json")
        said = json.loads(ran.out)
        assert (ran.status, said["how"], said["outcome"], said["licensed"]) == (1, "oracle", "withheld", False)
        assert said["answer"].endswith("[imprimatur:abstained]")
        assert len(server.requests) == 1


@pytest.mark.parametrize("how", ["plain", "cot", "qkr", "graph-rag"])
def test_what_is_not_checked_says_so(shell: Shell, kb: str, how: str) -> None:
    """In words, in JSON and by the exit status; the word licensed stands nowhere."""
    with ScriptedServer("Answer: Elm Brook is 12 km long.") as server:
        ran = _ask(shell, kb, server, "--how", how)
        assert (ran.status, "not checked" in ran.out, "licensed" in ran.out) == (3, True, False)
        said = json.loads(_ask(shell, kb, server, "--how", how, "--json").out)
    assert (said["label"], said["licensed"], said["report"]["decision"]) == ("not checked", False, "annotated")


def test_a_false_citation_is_told(shell: Shell, kb: str) -> None:
    """What was taken out for it, and why."""
    with ScriptedServer("Elm Brook is 12 km long [2]. Elm Brook flows into Oak Brook [2].") as server:
        ran = _ask(shell, kb, server, "--policy", "redact")
    assert (ran.status, ran.out.splitlines()[0]) == (1, "Elm Brook flows into Oak Brook [2].")
    assert "citation [2]: no-evidence" in ran.out


def test_the_evidence_that_the_model_saw_can_be_seen(shell: Shell, kb: str) -> None:
    """Numbered as it cites them; in JSON the whole trail."""
    with ScriptedServer(TRUE) as server:
        assert "  [1] 1.00  Elm Brook: length: 12,000 m  (data.ttl)" in _ask(shell, kb, server, "--show-context").out
        said = json.loads(_ask(shell, kb, server, "--json").out)
    assert said["context"]["sections"]["facts"][0]["text"] == "Elm Brook: length: 12,000 m"


def test_options_are_licensed_one_by_one(shell: Shell, kb: str) -> None:
    """The one that stands is the answer."""
    with ScriptedServer("Elm Brook flows through ___.") as server:
        more = ("--base-url", server.url, "--model", "m", "--kb", kb, "--no-ledger", "--json")
        odd = "Which town does Elm Brook through flow?"
        ran = shell("ask", odd, *more, "--option", "Corfe", "--option", "Bree")
    assert (ran.status, json.loads(ran.out)["option"]) == (0, "Bree")


def test_reports_are_recorded_with_the_model(shell: Shell, kb: str, tmp_path: Path) -> None:
    """Licensed and unchecked ones alike."""
    place = str(tmp_path / "ledger.sqlite")
    with ScriptedServer(TRUE) as server:
        named = ("--kb", kb, "--base-url", server.url, "--model", "small", "--ledger", place)
        shell("ask", QUESTION, *named)
        shell("ask", QUESTION, *named, "--how", "plain")
    with Ledger.open(Path(place)) as ledger:
        first, second = (ledger.show(number).report() for number in (1, 2))
    assert (first["decision"], second["decision"]) == ("licensed", "annotated")
    assert all(any("small" in name for name in each["versions"]["models"]) for each in (first, second))


@pytest.mark.parametrize(("reply", "told"), [(fail(401), "401"), (garbled(), "no completion")], ids=["key", "garbage"])
def test_a_model_that_fails_is_an_error(shell: Shell, kb: str, reply: Any, told: str) -> None:
    """Clear, without a traceback, and nothing on stdout."""
    with ScriptedServer(reply) as server:
        ran = _ask(shell, kb, server)
    assert (ran.status, ran.out, told in ran.err, "Traceback" in ran.err) == (3, "", True, False)


def test_a_condition_without_a_model_is_a_mistake(shell: Shell, kb: str) -> None:
    """The hint says how to name one; an unknown condition lists those that there are."""
    ran = shell("ask", QUESTION, "--kb", kb, "--how", "oracle", "--no-ledger")
    assert (ran.status, "base_url" in ran.err) == (2, True)
    ran = shell("ask", QUESTION, "--kb", kb, "--how", "magic")
    assert (ran.status, "graph-rag" in ran.err) == (2, True)


def test_what_is_shown_without_a_licence_has_its_label(shell: Shell, kb: str) -> None:
    """Under a policy that annotates, each sentence stands with what was found of it; the status is not 0."""
    with ScriptedServer("Elm Brook is 12 km long. Elm Brook is 13 km long.") as server:
        ran = _ask(shell, kb, server, "--policy", "annotate")
        said = json.loads(_ask(shell, kb, server, "--policy", "annotate", "--json").out)
    assert ran.status == 1
    assert "✗ contradicted Elm Brook is 13 km long." in ran.out
    assert (said["label"], said["licensed"]) == ("annotated", False)
