"""Where a training stands, in files: its settings, its log, and whole states to go on from.

A training's folder has ``run.json`` (what is trained on what), ``log.jsonl`` (a line a step),
``checkpoints/step-000040`` (the adapter's weights and what AdamW remembers, as safetensors) and, at the end,
``adapter/``. Invariants: a checkpoint and the adapter appear whole or not at all, so that a process may be killed at
any moment; the log has a step once, in order; what goes on is what was begun, or it is an error that names what
differs.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from imprimatur.cli.sink import Sink
from imprimatur.errors import InputError
from imprimatur.models.weights import ADAPTER

__all__ = ["Folder", "State", "put_whole"]

_RUN, _LOG, _STATES = "run.json", "log.jsonl", "checkpoints"
_KEPT = 2
_MOMENTS = ("exp_avg", "exp_avg_sq")


class State:
    """What training goes on from: the weights that are trained, and the optimizer's memory of each."""

    def __init__(self, parameters: Mapping[str, Any], optimizer: Any) -> None:
        self._parameters, self._optimizer = parameters, optimizer

    def write(self, file: Path, step: int) -> None:
        """Writes all of it; ``step`` is how many steps it has seen."""
        from safetensors.torch import save_file

        tensors = {f"weight/{name}": each.detach().cpu().contiguous() for name, each in self._parameters.items()}
        for name, each in self._parameters.items():
            for moment in _MOMENTS:
                tensors[f"{moment}/{name}"] = self._optimizer.state[each][moment].detach().cpu().contiguous()
        save_file(tensors, str(file), metadata={"step": str(step)})

    def read(self, file: Path) -> int:
        """Takes all of it back, and returns how many steps it has seen. Raises InputError where it does not fit."""
        import torch
        from safetensors import safe_open

        try:
            with safe_open(str(file), framework="pt", device="cpu") as opened, torch.no_grad():
                step = int((opened.metadata() or {})["step"])
                for name, each in self._parameters.items():
                    each.copy_(opened.get_tensor(f"weight/{name}"))
                    moments = {m: opened.get_tensor(f"{m}/{name}").to(each.device) for m in _MOMENTS}
                    self._optimizer.state[each] = {"step": torch.tensor(float(step)), **moments}
        except Exception as fault:  # whatever a file that was tampered with makes the library raise
            message = f"cannot go on from this checkpoint: {type(fault).__name__}"
            raise InputError(message, where=str(file), hint="remove it; the one before is taken") from fault
        return step


class Folder:
    """The folder of one training."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.adapter = path / ADAPTER

    def begin(self, run: Mapping[str, Any], *, resume: bool) -> None:
        """Makes the folder, or holds what is begun against what is wanted.

        Raises:
            InputError: something is there and ``resume`` is not wanted, or it was begun otherwise.
        """
        known = self._run()
        if known is None:
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise InputError("something else is there", where=str(self.path), hint="name a new folder")
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as fault:
                raise InputError(f"cannot be made: {fault.strerror}", where=str(self.path)) from fault
            self._write(_RUN, json.dumps(dict(run), indent=2, sort_keys=True) + "\n")
            return
        if not resume:
            hint = "go on with it by --resume, or name a new folder"
            raise InputError("a training is there already", where=str(self.path), hint=hint)
        differs = sorted(key for key in {*known, *run} if known.get(key) != run.get(key))
        if differs:
            message = f"this training was begun with another {', '.join(differs)}"
            raise InputError(message, where=str(self.path / _RUN), hint="go on with the same, or name a new folder")

    def latest(self) -> Path | None:
        """The newest state, if any."""
        found = sorted((self.path / _STATES).glob("step-*/state.safetensors"))
        return found[-1] if found else None

    def keep(self, state: State, step: int) -> None:
        """Writes a state, and removes all but the newest two."""
        states = self.path / _STATES
        states.mkdir(exist_ok=True)
        with put_whole(states / f"step-{step:06d}") as part:
            state.write(part / "state.safetensors", step)
        for old in sorted(each for each in states.iterdir() if each.name.startswith("step-"))[:-_KEPT]:
            shutil.rmtree(old)

    def log(self, row: Mapping[str, Any]) -> None:
        """Adds a step to the log."""
        with (self.path / _LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(dict(row)) + "\n")

    def logged(self) -> list[dict[str, Any]]:
        """The steps of the log; a line that was cut off is none."""
        file, rows = self.path / _LOG, list[dict[str, Any]]()
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                rows.append(json.loads(line))
            except ValueError:
                break
        return rows

    def rewind(self, step: int) -> None:
        """Leaves the steps before this one in the log, and no others."""
        kept = [row for row in self.logged() if row["step"] <= step]
        self._write(_LOG, "".join(json.dumps(row) + "\n" for row in kept))

    def _run(self) -> dict[str, Any] | None:
        file = self.path / _RUN
        if not file.exists():
            return None
        try:
            known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            raise InputError("cannot be read", where=str(file), hint="name a new folder") from fault
        return known

    def _write(self, name: str, text: str) -> None:
        with Sink.open(str(self.path / name)) as sink:
            sink.write(text.encode("utf-8"))
            sink.keep()


@contextmanager
def put_whole(target: Path) -> Iterator[Path]:
    """A folder to write into, beside its place; it appears there whole, when the block ends well."""
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        shutil.rmtree(target, ignore_errors=True)
        os.replace(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
