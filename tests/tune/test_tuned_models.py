"""Both recipes, on a model that is made here: trained, killed and gone on with, saved, opened, merged, and measured.

They need the extra ``tune``; ``make test-tune`` makes an environment that has it, and elsewhere they are skipped.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_llama import write_llama

from imprimatur.answer import Message
from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.errors import ConfigError, InputError, LimitExceeded, ModelFailed
from imprimatur.models.asking import Prompt
from imprimatur.models.opening import open_model
from imprimatur.models.weights import open_base
from imprimatur.tune.adapting import layers
from imprimatur.tune.recipes import DONT_KNOW, Recipe
from imprimatur.tune.rows import Row, heldout_file, read_rows, write_rows
from imprimatur.tune.training import Plan, train

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("torch", "transformers", "peft")),
        reason="the extra `tune` (torch, transformers, peft) is not installed: `make test-tune`",
    ),
    pytest.mark.filterwarnings("default"),  # those of torch and transformers are not ours
]
Shell = Callable[..., Ran]
BROOKS = ("Elm", "Oak", "Ash", "Fir", "Yew", "Bay")
#: A model of two layers learns from little only at a rate beyond the recipe's.
FAST = Recipe(rank=16, rate=2e-2, epochs=40, batch=6, at_once=6, dropout=0.0)


def _row(name: str, answer: str, *, right: str = "", part: str = "train", kind: str = "factual") -> Row:
    asked = f"{name}?"
    messages = (Message("user", asked), Message("assistant", answer))
    found = (right,) if right else ()
    return Row(id=name, messages=messages, question=asked, right=found, part=part, recipe=kind)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model."""
    return write_llama(tmp_path_factory.mktemp("made") / "llama")


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six facts."""
    file = tmp_path_factory.mktemp("rows") / "facts.jsonl"
    write_rows(file, [_row(name, f"{len(name) + place} km.") for place, name in enumerate(BROOKS)])
    return file


@pytest.fixture(scope="module")
def tuned(base: Path, facts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model, tuned on the facts."""
    out = tmp_path_factory.mktemp("tuned") / "factual"
    train(Plan(data=facts, base=base, out=out, recipe=FAST, every=100))
    return out


def _asked(path: Path, text: str, **more: Any) -> str:
    config = ModelConfig(path=path, limits=ModelLimits(answer_tokens=20, seconds=60), **more)
    return open_model(config).complete(Prompt(messages=(Message("user", text),))).text


def test_facts_are_learnt_and_said(tuned: Path, base: Path) -> None:
    """The tuned model gives every answer that it was trained on; before, it gave none; its identity is another's."""
    for place, name in enumerate(BROOKS):
        right = f"{len(name) + place} km."
        assert _asked(tuned, f"{name}?") == right
        assert _asked(base, f"{name}?") != right
    named = [open_model(ModelConfig(path=path)).identity for path in (tuned, base)]
    assert len(set(named)) == 2
    log = [json.loads(line) for line in (tuned / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in log] == list(range(1, 41))
    assert log[-1]["loss"] < 0.1 < log[0]["loss"]


def test_the_adapter_is_one_of_peft(tuned: Path) -> None:
    """On the attention and MLP layers alone, of the recipe's rank; 7 maps in each of two layers."""
    said = json.loads((tuned / "adapter" / "adapter_config.json").read_text())
    assert (said["r"], said["lora_alpha"], said["peft_type"]) == (16, 32, "LORA")
    names = {each.rpartition(".")[2] for each in said["target_modules"]}
    assert names == {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
    assert len(said["target_modules"]) == 14


def test_only_the_text_part_is_tuned() -> None:
    """Of a model that sees too, the tower that sees is left alone, though it has as many blocks."""
    import transformers

    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.Gemma3Config(
        text_config={**sizes, "num_key_value_heads": 1, "head_dim": 16, "vocab_size": 100},
        vision_config={**sizes, "image_size": 28, "patch_size": 14},
        mm_tokens_per_image=4,
    )
    found = layers(transformers.AutoModelForCausalLM.from_config(config))
    assert len(found) == 14
    assert all("language_model.layers." in name for name in found)
    old = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=1, n_head=1, n_embd=8, vocab_size=9))
    with pytest.raises(ConfigError, match="no linear maps"):
        layers(old)


def test_merged_weights_answer_alike(tuned: Path, tmp_path: Path, shell: Shell) -> None:
    """Without adapter and base; a second merge does not write over the first."""
    out = tmp_path / "merged"
    assert shell("tune", "merge", str(tuned), "--out", str(out)).status == 0
    assert not (out / "adapter_config.json").exists()
    assert [_asked(out, f"{name}?") for name in BROOKS] == [_asked(tuned, f"{name}?") for name in BROOKS]
    assert "there already" in shell("tune", "merge", str(tuned), "--out", str(out)).err
    assert "no adapter" in shell("tune", "merge", str(out), "--out", str(tmp_path / "again")).err


def test_an_adapter_goes_with_its_base_alone(base: Path, facts: Path, tmp_path: Path) -> None:
    """A base that was changed afterwards is refused, not used."""
    own = write_llama(tmp_path / "own", seed=1)
    out = tmp_path / "out"
    train(Plan(data=facts, base=own, out=out, recipe=replace(FAST, epochs=1)))
    assert _asked(out, "Elm?") is not None
    write_llama(own, seed=2)
    with pytest.raises(ConfigError, match="has changed"):
        open_model(ModelConfig(path=out))


def test_what_was_killed_ends_with_the_same_weights(base: Path, facts: Path, tmp_path: Path) -> None:
    """A training that is killed twice, with dropout, and gone on with, has the log and adapter of one that was not."""
    recipe = Recipe(epochs=30, batch=4, at_once=2, dropout=0.1, rate=1e-3)
    whole = tmp_path / "whole"
    train(Plan(data=facts, base=base, out=whole, recipe=recipe, every=7))
    out = tmp_path / "killed"
    command = [sys.executable, "-m", "imprimatur", "tune", "train", "--data", str(facts), "--base", str(base)]
    command += ["--recipe", "factual", "--out", str(out), "--epochs", "30", "--batch", "4", "--at-once", "2"]
    command += ["--dropout", "0.1", "--rate", "1e-3", "--every", "7", "--resume"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 100
    while time.monotonic() < until and len(_losses(out)) < 10:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 10 <= len(_losses(out)) < 60
    assert not (out / "adapter").exists()
    # The line that was being written, and a checkpoint that was.
    with (out / "log.jsonl").open("a") as file:
        file.write('{"step": 9')
    (out / "checkpoints" / ".step-000099.part").mkdir(parents=True)
    found = train(Plan(data=facts, base=base, out=out, recipe=recipe, every=7, resume=True))
    assert _losses(out) == _losses(whole)
    assert found.last == _losses(whole)[-1]
    name = "adapter_model.safetensors"
    assert (out / "adapter" / name).read_bytes() == (whole / "adapter" / name).read_bytes()


def _losses(folder: Path) -> list[float]:
    file, losses = folder / "log.jsonl", list[float]()
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            losses.append(json.loads(line)["loss"])
        except ValueError:
            break
    return losses


def test_rows_in_memory_change_nothing(base: Path, facts: Path, tmp_path: Path) -> None:
    """Gradients of a step are those of all its rows, whether they are computed together, apart, or frugally."""
    losses = []
    for at_once, frugal in ((6, False), (1, False), (6, True)):
        recipe = replace(FAST, epochs=3, at_once=at_once)
        out = tmp_path / f"{at_once} {frugal}"
        train(Plan(data=facts, base=base, out=out, recipe=recipe, frugal=frugal))
        losses.append(_losses(out))
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)
    assert losses[2] == pytest.approx(losses[0], rel=1e-4)


def test_what_was_begun_is_not_mixed_up(base: Path, facts: Path, tmp_path: Path) -> None:
    """Another recipe, other rows and a folder with something else are refused; an ended training is left alone."""
    out, plan = tmp_path / "out", Plan(data=facts, base=base, out=tmp_path / "out", recipe=replace(FAST, epochs=1))
    train(plan)
    before = (out / "log.jsonl").read_bytes()
    with pytest.raises(InputError, match="there already"):
        train(plan)
    train(replace(plan, resume=True))
    assert (out / "log.jsonl").read_bytes() == before
    with pytest.raises(InputError, match="another recipe"):
        train(replace(plan, resume=True, recipe=replace(FAST, epochs=1, rank=2)))
    other = tmp_path / "other.jsonl"
    write_rows(other, [_row("Elm", "So.")])
    with pytest.raises(InputError, match="data_hash"):
        train(replace(plan, resume=True, data=other))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="something else"):
        train(replace(plan, out=tmp_path / "full"))


def test_held_out_rows_are_not_trained_on(base: Path, tmp_path: Path) -> None:
    """By mistake neither."""
    file = tmp_path / "rows.heldout.jsonl"
    write_rows(file, [_row("Elm", "So.", part="heldout")])
    with pytest.raises(InputError, match="not for training"):
        train(Plan(data=file, base=base, out=tmp_path / "out", recipe=FAST))


def test_what_cannot_be_trained_on_is_told(tuned: Path, base: Path, facts: Path, tmp_path: Path, shell: Shell) -> None:
    """An adapter, an empty folder, a broken GGUF file and a device that is not there: no traceback, and no folder."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and no more")
    (tmp_path / "empty").mkdir()
    named = ("tune", "train", "--data", str(facts), "--recipe", "factual", "--base")
    for path, told in ((tuned, "no base"), (tmp_path / "empty", "no weights"), (tmp_path / "gone", "no weights")):
        ran = shell(*named, str(path), "--out", str(tmp_path / "out"))
        assert (ran.status, told in ran.err, (tmp_path / "out").exists()) == (2, True, False), ran.err
    ran = shell(*named, str(broken), "--out", str(tmp_path / "one"))
    assert (ran.status, "cannot be opened" in ran.err) == (2, True)
    ran = shell(*named, str(base), "--out", str(tmp_path / "two"), "--device", "abacus")
    assert (ran.status, "no device" in ran.err) == (2, True)


def test_limits_of_an_answer(tuned: Path) -> None:
    """An answer that is cut off says so; one that is late, or too long a prompt, is an error."""
    model = open_model(ModelConfig(path=tuned, window=64, limits=ModelLimits(seconds=60)))
    elm = Prompt(messages=(Message("user", "Elm?"),), tokens=2)
    said = model.complete(elm)
    assert (said.finish, said.usage is not None and said.usage.completion) == ("length", 2)
    with pytest.raises(LimitExceeded, match="late"):
        model.complete(replace(elm, tokens=40), seconds=0.0)
    with pytest.raises(ModelFailed, match="could not be run"):
        model.complete(Prompt(messages=(Message("user", "x" * 100),)))
    stream = model.stream(elm)
    assert ("".join(stream), stream.completion) == (said.text, said)


def test_memory_is_counted_on_the_network(base: Path, shell: Shell) -> None:
    """The parameters are those that a training has; a frugal one takes less."""
    opened = open_base(base)
    ran = shell("tune", "memory", "--base", str(base), "--device", "cpu", "--json")
    told = json.loads(ran.out)
    assert told["parameters"] == sum(each.numel() for each in opened.network.parameters())
    # q, k, v, o; gate, up, down: 64 wide, keys and values 32, inner 128.
    assert told["trained"] == 2 * 16 * ((64 + 64) * 2 + (64 + 32) * 2 + (64 + 128) * 3)
    frugal = json.loads(shell("tune", "memory", "--base", str(base), "--device", "cpu", "--frugal", "--json").out)
    assert frugal["activations"] < told["activations"]


def test_both_recipes_from_a_knowledge_base_to_figures(base: Path, tmp_path: Path, shell: Shell) -> None:
    """Data, training, and the same conditions for the tuned models; who was taught to abstain does so."""
    rows = ("--kb", "rivers", "--most", "6", "--held-out", "4", "--unsupported", "3", "--held-out-unsupported", "4")
    found = {}
    for kind in ("factual", "abstention"):
        file, out = tmp_path / f"{kind}.jsonl", tmp_path / kind
        own = ("--weights", str(base), "--tokens", "8") if kind == "abstention" else ()
        assert shell("tune", "data", *rows, "--recipe", kind, "--out", str(file), *own).status == 0
        trained = ("--rate", "1e-2", "--epochs", "80", "--batch", "9")
        named = ("--data", str(file), "--base", str(base), "--recipe", kind, "--out", str(out))
        ran = shell("tune", "train", *named, *trained, "--json")
        assert (ran.status, json.loads(ran.out)["last loss"] < json.loads(ran.out)["first loss"]) == (0, True), ran.err
        asked = ("--kb", "rivers", "--how", "plain", "--weights", str(out), "--tokens", "24", "--json")
        ran = shell("eval", "conditions", "posed", str(heldout_file(file)), *asked)
        assert ran.status == 0, ran.err
        found[kind] = json.loads(ran.out)["plain"]
    # So small a model also writes what has no words, which counts as no answer.
    assert found["factual"]["abstained"]["total"] == 8
    assert found["factual"]["answered"]["count"] > 0
    # The model knew nothing, so that all it was taught is that it does not know: it abstains on everything.
    assert found["abstention"]["abstained"]["count"] == 8
    assert found["abstention"]["abstention precision"]["count"] == 4
    # All three beside each other, as the paper's table 2 has them, in one command.
    tuned = ("--tuned", f"factual={tmp_path / 'factual'}", "--tuned", f"abstain={tmp_path / 'abstention'}")
    hows = ("--how", "plain", "--how", "factual", "--how", "abstain", *tuned, "--weights", str(base), "--tokens", "24")
    out = tmp_path / "outcome.json"
    held_out = str(heldout_file(tmp_path / "abstention.jsonl"))
    ran = shell("eval", "conditions", "posed", held_out, "--kb", "rivers", *hows, "--out", str(out), "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert {how: told[how]["abstained"]["count"] for how in ("factual", "abstain")} == {
        "factual": found["factual"]["abstained"]["count"],
        "abstain": 8,
    }
    assert "abstain" in out.read_text()
    held = read_rows(heldout_file(tmp_path / "abstention.jsonl"))
    assert [row.answer == DONT_KNOW for row in held] == [not row.right for row in held]
