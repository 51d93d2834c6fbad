"""Training an adapter by a recipe, step by step, so that it may be ended at any moment and gone on with.

What happens in a step hangs on the recipe, the rows, the base and the step's number alone: the order of the rows on the
epoch, dropout on the step. So a training that was killed and gone on with ends with the same weights, on one machine
with as many threads, as one that was not. The loss of a step is the mean over all learnt tokens of its rows, however
many rows are in memory at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from imprimatur.cli.progress import Progress
from imprimatur.errors import InputError
from imprimatur.models.weights import TUNED, Opened, located, needed, open_base, quiet, weights_hash
from imprimatur.tune.adapting import adapted, trained
from imprimatur.tune.checkpoints import Folder, State, put_whole
from imprimatur.tune.masking import IGNORED, Encoded, batched, encode
from imprimatur.tune.recipes import Recipe
from imprimatur.tune.rows import Row, read_rows, rows_hash

__all__ = ["Plan", "Tuned", "train"]

SCHEMA = "imprimatur.tuned/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is trained.

    Attributes:
        data: the file with rows; those of another part than ``train`` are refused.
        base: a folder of weights, or a GGUF file.
        out: the training's folder.
        steps: how many steps in all; by default what the recipe's epochs take.
        every: after how many steps a checkpoint is written.
        device: ``cpu``, ``cuda`` or another of torch's. ``threads``: of the processor.
        frugal: whether less memory is used for more work (activations are computed anew for the gradients).
    """

    data: Path
    base: Path
    out: Path
    recipe: Recipe
    steps: int | None = None
    every: int = 50
    device: str = "cpu"
    threads: int = 1
    frugal: bool = False
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of it: the adapter, how many steps and rows there were, and the losses of the first and last step."""

    adapter: Path
    steps: int
    rows: int
    first: float
    last: float
    parameters: int


def train(plan: Plan) -> Tuned:
    """Trains, or goes on; a training that has ended is left as it is.

    Raises:
        InputError: the rows or the folder are not as they should be. ConfigError: the base cannot be opened.
    """
    needed(gguf=plan.base.is_file())
    if located(plan.base)[1] is not None:
        message = "an adapter is no base"
        raise InputError(message, where=str(plan.base), hint="make a model of it by `imprimatur tune merge`")
    rows = _rows(plan.data)
    steps = plan.steps or plan.recipe.steps(len(rows))
    run = _run(plan, rows, steps)
    folder = Folder(plan.out)
    folder.begin(run, resume=plan.resume)
    if not folder.adapter.exists():
        _Training(plan, folder, rows, steps).run(run)
    told = json.loads((folder.adapter / TUNED).read_text(encoding="utf-8"))
    logged = folder.logged()
    return Tuned(folder.adapter, steps, len(rows), logged[0]["loss"], logged[-1]["loss"], told["parameters"])


def _rows(file: Path) -> list[Row]:
    rows = read_rows(file)
    held = [row.id for row in rows if row.part != "train"]
    if held:
        message = f"{len(held)} rows are not for training, {held[0]} among them"
        raise InputError(message, where=str(file), hint="train on the file without `.heldout`")
    return rows


def _run(plan: Plan, rows: Sequence[Row], steps: int) -> dict[str, Any]:
    """All that the adapter hangs on."""
    return {
        "schema": SCHEMA,
        "base_hash": weights_hash(plan.base),
        "data_hash": rows_hash(rows),
        "kinds": sorted({row.recipe for row in rows}),
        "recipe": plan.recipe.to_dict(),
        "steps": steps,
        "device": plan.device,
        "threads": plan.threads,
        "frugal": plan.frugal,
    }


class _Training:
    """One training at work."""

    def __init__(self, plan: Plan, folder: Folder, rows: Sequence[Row], steps: int) -> None:
        import torch

        self._plan, self._folder, self._steps, self._recipe = plan, folder, steps, plan.recipe
        torch.set_num_threads(plan.threads)
        torch.use_deterministic_algorithms(plan.device == "cpu")
        opened = open_base(plan.base, device=plan.device)
        self._rows = encode(rows, opened.tokenizer, longest=plan.recipe.longest)
        self._filler = _filler(opened)
        self._network = adapted(opened.network, plan.recipe)
        if plan.frugal:
            with quiet():
                self._network.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
            self._network.enable_input_require_grads()
        self._network.train()
        self._weights = trained(self._network)
        self._optimizer = torch.optim.AdamW(
            list(self._weights.values()), lr=plan.recipe.rate, weight_decay=plan.recipe.decay
        )
        self._order: tuple[int, list[int]] = (-1, [])

    def run(self, told: dict[str, Any]) -> None:
        """All steps that are left, and the adapter."""
        state = State(self._weights, self._optimizer)
        latest = self._folder.latest()
        begun = 0 if latest is None else state.read(latest)
        self._folder.rewind(begun)
        with Progress("Training", self._steps) as progress, quiet():
            for _ in range(begun):
                progress.step("gone on with")
            for step in range(begun, self._steps):
                row = self._step(step)
                self._folder.log(row)
                progress.step(f"loss {row['loss']:.4f}")
                if (step + 1) % self._plan.every == 0 and step + 1 < self._steps:
                    self._folder.keep(state, step + 1)
        self._folder.keep(state, self._steps)
        with put_whole(self._folder.adapter) as part, quiet():
            self._network.save_pretrained(str(part), safe_serialization=True)
            count = sum(each.numel() for each in self._weights.values())
            said = {**told, "base": str(self._plan.base.absolute()), "parameters": count}
            (part / TUNED).write_text(json.dumps(said, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    def _step(self, step: int) -> dict[str, Any]:
        """One step, and its line in the log; ``seconds`` are of the processor."""
        import torch

        recipe, before = self._recipe, _processor()
        torch.manual_seed((recipe.seed * 1_000_003 + step) % (1 << 63))
        epoch, rows = self._batch(step)
        counted = sum(row.answer for row in rows)
        loss = 0.0
        for at in range(0, len(rows), recipe.at_once):
            part = self._loss(rows[at : at + recipe.at_once]) / counted
            part.backward()
            loss += float(part.detach())
        norm = torch.nn.utils.clip_grad_norm_(list(self._weights.values()), recipe.clip)
        if not torch.isfinite(norm):
            raise InputError(f"the loss is no number at step {step + 1}", where="training", hint="lower --rate")
        rate = recipe.rate_at(step, self._steps)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        seconds = round(_processor() - before, 3)
        return {"step": step + 1, "epoch": epoch + 1, "loss": loss, "rate": rate, "tokens": counted, "seconds": seconds}

    def _batch(self, step: int) -> tuple[int, list[Encoded]]:
        """The epoch of a step, and its rows."""
        size = self._recipe.batch
        each = -(-len(self._rows) // size)
        epoch, place = divmod(step, each)
        if self._order[0] != epoch:
            order = list(range(len(self._rows)))
            Random(f"{self._recipe.seed} {epoch}").shuffle(order)
            self._order = (epoch, order)
        return epoch, [self._rows[number] for number in self._order[1][place * size : (place + 1) * size]]

    def _loss(self, rows: Sequence[Encoded]) -> Any:
        """The summed loss of the learnt tokens of some rows."""
        import torch

        batch = batched(rows, filler=self._filler)
        device = self._plan.device
        ids, mask = (torch.tensor(each, device=device) for each in (batch.ids, batch.mask))
        labels = torch.tensor(batch.labels, device=device)
        places = (mask.cumsum(-1) - 1).clamp(min=0)
        given: dict[str, Any] = {"input_ids": ids, "attention_mask": mask, "position_ids": places, "use_cache": False}
        if _keeps(self._network):
            # The output map is the widest of all: it is only needed where something is learnt.
            given["logits_to_keep"] = batch.kept
        logits = self._network(**given).logits[:, -batch.kept :].float()
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum"
        )


def _keeps(network: Any) -> bool:
    import inspect

    found: Callable[..., Any] = network.get_base_model().forward
    return "logits_to_keep" in inspect.signature(found).parameters


def _filler(opened: Opened) -> int:
    """The token that shorter rows begin with; which one does not matter, for the mask hides it."""
    known = (opened.tokenizer.pad_token_id, opened.tokenizer.eos_token_id)
    return next((int(each) for each in known if each is not None), 0)


def _processor() -> float:
    spent = os.times()
    return spent.user + spent.system
