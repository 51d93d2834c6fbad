"""`ask`: answers with their evidence, refusals with their reason, JSON, exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from small_kb import write_kb

from imprimatur.ledger import Ledger
from imprimatur.report_json import report_schema

Shell = Callable[..., Any]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small graph about brooks and towns."""
    return str(write_kb(tmp_path_factory.mktemp("kb")))


def test_an_answer_comes_with_its_evidence(shell: Shell, kb: str) -> None:
    """The answer first, then the facts that it rests on."""
    ran = shell("ask", "How long is Elm Brook?", "--kb", kb, "--no-ledger")
    assert ran.status == 0
    first, *rest = ran.out.splitlines()
    assert first == "Elm Brook is 12 km long."
    assert rest
    assert all("12000" in line for line in rest)


def test_a_refusal_says_why(shell: Shell, kb: str) -> None:
    """The policy's fixed text, and whether the question, the graph or a choice is the reason."""
    for question, why in (
        ("Which brook does Fir Brook flow into?", "The graph does not say."),
        ("Which town does Elm Brook flow through?", "More than one answer fits."),
        ("Sing a song.", "The question is not understood."),
    ):
        ran = shell("ask", question, "--kb", kb, "--no-ledger")
        assert ran.status == 1
        assert ran.out.splitlines() == ["I can't confirm this from the evidence I have. [imprimatur:abstained]", why]


def test_json_holds_the_answer_and_its_report(shell: Shell, kb: str) -> None:
    """Values and things of an answer, its report in the one shape; the refusal text where there is none."""
    found = json.loads(
        shell("ask", "Which towns does Elm Brook flow through?", "--kb", kb, "--json", "--no-ledger").out
    )
    assert found["outcome"] == "answered"
    assert found["values"] == ["Arden", "Bree"]
    assert [iri.rpartition("/")[2] for iri in found["things"]] == ["arden", "bree"]
    Draft202012Validator(report_schema()).validate(found["report"])
    ran = shell("ask", "How long is Fir Brook?", "--kb", kb, "--json", "--no-ledger")
    found = json.loads(ran.out)
    assert (ran.status, found["outcome"], found["values"]) == (1, "unread", [])
    assert "[imprimatur:abstained]" in found["answer"]


def test_options_are_chosen_from(shell: Shell, kb: str) -> None:
    """The one option that is licensed is the answer."""
    asked = ("ask", "How long is Elm Brook?", "--kb", kb, "--no-ledger")
    assert shell(*asked, "--option", "11 km", "--option", "12 km").out.startswith("Elm Brook is 12 km long.")
    assert shell(*asked, "--option", "11 km", "--option", "13 km").status == 1


def test_what_is_answered_is_recorded(shell: Shell, kb: str, tmp_path: Path) -> None:
    """The report on an answer goes into the ledger."""
    place = tmp_path / "ledger.sqlite"
    assert shell("ask", "How long is Elm Brook?", "--kb", kb, "--ledger", str(place)).status == 0
    with Ledger.open(place) as ledger:
        assert ledger.show(1).report()["text"] == "Elm Brook is 12 km long."


def test_too_many_options_are_a_mistake(shell: Shell, kb: str) -> None:
    """A call with more options than can be chosen from says how many can be."""
    options = [word for n in range(51) for word in ("--option", str(n))]
    ran = shell("ask", "How long is Elm Brook?", "--kb", kb, *options)
    assert ran.status == 2
    assert "at most 50" in ran.err


def test_the_evidence_that_was_found_can_be_seen(shell: Shell, kb: str) -> None:
    """With --show-context the trail of retrieval follows, in words and in JSON."""
    ran = shell("ask", "How long is Elm Brook?", "--kb", kb, "--show-context", "--no-ledger")
    assert ran.status == 0
    assert "facts:" in ran.out.splitlines()
    assert "length: 12,000 m" in ran.out
    found = json.loads(shell("ask", "How long?", "--kb", kb, "--show-context", "--json", "--no-ledger").out)
    assert "failures" in found["context"]
