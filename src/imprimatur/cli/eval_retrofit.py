"""``imprimatur eval retrofit``: from options to settings; the model may be a recording."""

from __future__ import annotations

from pathlib import Path

from imprimatur.cli.eval_conditions import model_config, opening
from imprimatur.cli.model_options import ModelOptions
from imprimatur.evals.retrofitting import Settings
from imprimatur.evals.retrofitting import run as measure
from imprimatur.generate.revising import RetrofitSettings
from imprimatur.retrofit.kinds import Stage
from imprimatur.retrofit.pipeline import Taking

__all__ = ["run"]


def run(
    rows: Path,
    kb: str,
    named: ModelOptions,
    *,
    form: str,
    rounds: int,
    by_graph: tuple[str, ...],
    written: bool,
    recorded: tuple[Path | None, Path | None],
    most: int,
    seed: int,
    as_json: bool,
) -> int:
    """Retrofits drafts; see ``evals.retrofitting``. ``recorded`` are the files to record in and to replay."""
    config = model_config(named, kb)
    record, replay = recorded
    settings = Settings(
        most=most,
        seed=seed,
        retrofit=RetrofitSettings(form=form, rounds=rounds, by_graph=frozenset(map(Stage, by_graph))),
        taking=Taking.WRITTEN if written else Taking.LICENSED,
        seconds=float(config.limits.seconds * config.limits.tries),
        model=None if form == "graph" else opening(config, record=record, replay=replay),
        as_json=as_json,
    )
    return measure(rows, kb, settings)
