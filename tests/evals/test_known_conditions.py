"""The registry of conditions: complete, consistent with what asks, and printed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from cli_fixtures import Ran

from imprimatur.cli.ask_model import HOWS
from imprimatur.errors import InputError
from imprimatur.evals.known_conditions import ALIASES, KNOWN, Can, Need, Task, capabilities, known
from imprimatur.generate.conditions import CONDITIONS, How
from imprimatur.teqhallu.kinds import Ablation

QUESTIONS, CLAIMS = KNOWN[Task.QUESTIONS], KNOWN[Task.CLAIMS]


def test_every_way_to_ask_and_every_ablation_is_there() -> None:
    """The registry leaves out no row that asks, no ablation of TeQHallu, and nothing that `ask` offers."""
    assert {each.how for each in QUESTIONS.values()} == {None, *How}
    assert {each.ablation for each in CLAIMS.values()} == {None, *Ablation}
    assert set(HOWS) <= set(QUESTIONS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_said_follows_from_what_asks(name: str) -> None:
    """Only what the five stages or the fence look at checks; what asks no model needs none; tuned ones have a role."""
    each = QUESTIONS[name]
    assert each.checked is (each.how is None or CONDITIONS[each.how].checked)
    assert (Need.MODEL in each.needs) is (each.how is not None)
    assert (Need.TUNED in each.needs) is bool(each.role)
    assert each.seed
    assert each.says


def test_only_conditions_that_check_abstain_by_themselves_or_by_a_gate() -> None:
    """The paper's matrix: the baseline and fine-tuned models have no way to abstain but their own words."""
    without = {name for name, each in QUESTIONS.items() if Can.ABSTAINS not in each.can}
    assert without == {"plain", "cot", "critic", "factual", "abstain", "kgr-written"}
    matrix = capabilities(QUESTIONS.values())
    assert matrix.rows == tuple(QUESTIONS)
    assert sum(matrix.counts[matrix.rows.index("plain")]) == 0


def test_names_are_known_by_other_words_too() -> None:
    """Aliases lead to a condition of some task; what is unknown is told with what is near."""
    for alias, name in ALIASES.items():
        assert any(name in KNOWN[task] for task in Task), alias
    assert known("baseline", Task.QUESTIONS).name == "plain"
    assert known("direct-prediction", Task.CLAIMS).name == "direct"
    with pytest.raises(InputError, match="no condition 'orakle'") as raised:
        known("orakle", Task.QUESTIONS)
    assert "'oracle'" in raised.value.hint
    with pytest.raises(InputError, match="over claims"):
        known("rag", Task.CLAIMS)


def test_the_list_is_printed(shell: Callable[..., Ran]) -> None:
    """`--list` needs no set, no model and no file; as JSON it is an outcome."""
    ran = shell("eval", "conditions", "--list")
    assert ran.status == 0
    for name in (*QUESTIONS, *CLAIMS):
        assert name in ran.out
    told = json.loads(shell("eval", "conditions", "--list", "--json").out)
    assert [table["title"] for table in told["tables"]] == ["Conditions over questions", "Conditions over claims"]
