"""``imprimatur eval teqhallu``: from options to settings; the model may be a recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from imprimatur.cli.model_options import ModelOptions, priced
from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError, InputError
from imprimatur.models.asking import Model

__all__ = ["run"]


def run(file: Path, named: ModelOptions, **given: Any) -> int:
    """Runs the method over a file; see ``evals.teqhallu``. Raises ImprimaturError."""
    if find_spec("sqlglot") is None:
        raise ConfigError("sqlglot is not installed", hint="pip install 'imprimatur[tables,models]'")
    from imprimatur.evals.teqhallu import Settings
    from imprimatur.evals.teqhallu import run as measure
    from imprimatur.teqhallu.asker import Limits
    from imprimatur.teqhallu.kinds import Ablation, Scope

    keep, replay = given.pop("keep"), given.pop("replay")
    if keep is not None and replay is not None:
        raise InputError("answers are kept or replayed, not both", hint="leave one of them out")
    config = priced(named.config(None), given.pop("price"))
    config = replace(config, limits=replace(config.limits, calls=given.pop("calls")))
    ablations = given.pop("ablations") or ("full",)
    settings = Settings(
        model=_opening(config, keep=keep, replay=replay),
        ablations=tuple(Ablation) if "all" in ablations else tuple(map(Ablation, ablations)),
        scope=Scope(given.pop("scope")),
        price=config.price,
        limits=Limits(tokens=given.pop("tokens")),
        **given,
    )
    return measure(file, settings)


def _opening(config: ModelConfig, *, keep: Path | None, replay: Path | None) -> Callable[[], Model]:
    def opened() -> Model:
        from imprimatur.models.kept import Kept
        from imprimatur.models.opening import open_model
        from imprimatur.models.recorded import Replay

        if replay is not None:
            return Replay(replay)
        model = open_model(config)
        return model if keep is None else Kept(model, keep)

    return opened
