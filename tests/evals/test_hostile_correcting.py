"""A hostile model that is to correct answers: nothing that is not licensed comes out, and the harness would see it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from imprimatur.evals.hostile import facts_of
from imprimatur.evals.hostile_correcting import WAYS, attacks, main, outcome_of
from imprimatur.oracle import Oracle


def test_attacks_are_sound() -> None:
    """One seed gives one set; the true sentence has nothing of what is false; all kinds come."""
    facts = facts_of("philosophers", count=60)
    made = attacks(facts, count=80, seed=3)
    assert made == attacks(facts, count=80, seed=3)
    assert made != attacks(facts, count=80, seed=4)
    assert len({each.kind for each in made}) > 30
    assert all(false not in each.truth for each in made for false in each.false)
    assert all(each.truth in each.draft and each.failing in each.draft for each in made)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_unlicensed_comes_out(way: str) -> None:
    """Some attacks in each way; what was right stays."""
    made = [each for each in attacks(facts_of("philosophers", count=60), count=16, seed=5) if each.kind != "huge"]
    outcome = outcome_of(made, Oracle.from_folder("philosophers", policy="redact"), way)
    assert (outcome.leaks, outcome.crashes) == ([], [])
    assert outcome.kept == len(made)
    assert outcome.asked > len(made) // 2


def test_the_harness_sees_what_leaks() -> None:
    """Under a policy that shows everything, the falsehoods of the drafts are seen."""
    made = attacks(facts_of("philosophers", count=60), count=6, seed=5)
    outcome = outcome_of(made, Oracle.from_folder("philosophers", policy="annotate"), "stages")
    assert len(outcome.leaks) == 6


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kb", ["rivers", "philosophers"])
def test_two_hundred_attacks(kb: str, way: str) -> None:
    """As a corrector, in five stages, and in one prompt; the command says so."""
    ran = CliRunner().invoke(main, ["--kb", kb, "--scripts", "200", "--way", way])
    assert f"{way}: 200 attacks" in ran.output
    assert "0 with something unlicensed released, 0 crashed" in ran.output, ran.output
    assert ran.exit_code == 0
