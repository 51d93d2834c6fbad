"""``imprimatur eval conditions``: from options to settings; the model may be a recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from imprimatur.cli.ask_model import GRAPH, HOWS
from imprimatur.cli.model_options import ModelOptions, priced
from imprimatur.config import ModelConfig, load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.conditions import Settings
from imprimatur.evals.conditions import run as compare
from imprimatur.generate.asker import AskSettings
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle

__all__ = ["run"]


def run(name: str, files: tuple[Path, ...], named: ModelOptions, **given: Any) -> int:
    """Asks a set in every way; see ``evals.conditions``. Raises ImprimaturError."""
    hows = given.pop("hows") or HOWS
    record, replay = given.pop("record"), given.pop("replay")
    if record is not None and replay is not None:
        raise InputError("answers are recorded or replayed, not both", hint="leave one of them out")
    config = priced(_config(named, given["kb"], window=given.pop("window")), given.pop("price"))
    tokens, items = given.pop("tokens"), given.pop("items")

    def asking(oracle: Oracle) -> AskSettings:
        made = AskSettings.fitting(config, oracle)
        return replace(made, tokens=made.tokens if tokens is None else tokens, items=items)

    settings = Settings(
        hows=tuple(hows),
        model=None if set(hows) == {GRAPH} else _opening(config, record=record, replay=replay),
        price=config.price,
        asking=asking,
        seed=given.pop("seed_of_questions"),
        **given,
    )
    return compare(name, files, settings)


def _config(named: ModelOptions, kb: str, *, window: int | None) -> ModelConfig:
    config = named.config(load_folder(resolve(kb)).model)
    return config if window is None else replace(config, window=window)


def _opening(config: ModelConfig, *, record: Path | None, replay: Path | None) -> Callable[[], Model]:
    def opened() -> Model:
        from imprimatur.models.opening import open_model
        from imprimatur.models.recorded import Recorder, Replay

        if replay is not None:
            return Replay(replay)
        model = open_model(config)
        return model if record is None else Recorder(model, record)

    return opened
