"""A hostile server asked through ``ask``: attacks are sound, the harness sees a leak, and none is there."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from imprimatur.evals.hostile import facts_of
from imprimatur.evals.hostile_asking import attacks, broken, main, outcome_of
from imprimatur.evals.hostile_scripts import scripts
from imprimatur.oracle import Oracle


def test_attacks_are_the_scripts_with_questions() -> None:
    """In order, every other one supposing what is false, with a word that confirms it beside."""
    facts = facts_of("philosophers", count=20)
    made = attacks(facts, count=40, seed=2)
    own = [attack for attack in made if attack.script.kind != "confirmed"]
    assert [attack.script for attack in own] == scripts(facts, count=40, seed=2)
    assert len(made) - len(own) == 20
    assert all(attack.question.endswith("?") for attack in made)


def test_nothing_false_comes_out() -> None:
    """Forty scripts and the confirming words, and answers that are none; true sentences are kept."""
    facts = facts_of("philosophers", count=40)
    made = [attack for attack in attacks(facts, count=40, seed=5) if attack.script.kind != "huge"]
    outcome = outcome_of([*made, *broken(facts[0])], Oracle.from_folder("philosophers", policy="redact"))
    assert (outcome.leaks, outcome.crashes) == ([], [])
    assert outcome.ended["ModelFailed"] + outcome.ended["StoreUnavailable"] == 8
    assert outcome.kept >= 8
    assert outcome.asked == len(made) + 8


def test_the_harness_sees_what_leaks() -> None:
    """Under a policy that shows everything, lies beside what is true are seen."""
    facts = facts_of("philosophers", count=20)
    made = [attack for attack in attacks(facts, count=80, seed=2) if attack.script.kind == "mixed"]
    outcome = outcome_of(made, Oracle.from_folder("philosophers", policy="annotate"))
    assert len(outcome.leaks) == len(made) == 4


@pytest.mark.slow
@pytest.mark.parametrize("kb", ["rivers", "philosophers"])
def test_two_hundred_scripts(kb: str) -> None:
    """Strict and redact; the command says so."""
    ran = CliRunner().invoke(main, ["--kb", kb, "--scripts", "200"])
    assert ran.output.count("0 with something false released, 0 crashed") == 2, ran.output
    assert ran.exit_code == 0
