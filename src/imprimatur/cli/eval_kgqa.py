"""``imprimatur eval kgqa``: from options to a plan; the model may be a recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from imprimatur.cli.conditions_plan import asking_by, opening
from imprimatur.cli.model_options import ModelOptions, priced
from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.answer_stores import Paragraphs
from imprimatur.evals.conditions import GRAPH
from imprimatur.evals.kgqa import RECORDED, Plan
from imprimatur.evals.kgqa import run as measure
from imprimatur.sources.remote.settings import AGENT, Limits, Remote

__all__ = ["run"]


def run(name: str, files: tuple[Path, ...], named: ModelOptions, **given: Any) -> int:
    """Asks a set in every way; see ``evals.kgqa``. Raises ImprimaturError."""
    hows = tuple(dict.fromkeys(given.pop("hows"))) or ((RECORDED,) if given["answers"] is not None else (GRAPH,))
    record, replay = given.pop("record"), given.pop("replay")
    if record is not None and replay is not None:
        raise InputError("answers are recorded or replayed, not both", hint="leave one of them out")
    endpoint = _remote(given)
    kb = given["kb"]
    config = priced(named.config(load_folder(resolve(kb)).model if kb is not None else None), given.pop("price"))
    plan = Plan(
        hows=hows,
        endpoint=endpoint,
        paragraphs=Paragraphs(given.pop("paragraphs")),
        model=None if not set(hows) - {GRAPH, RECORDED} else opening(config, record=record, replay=replay),
        price=config.price,
        asking=asking_by(config, given),
        seed=given.pop("seed_of_questions"),
        **given,
    )
    return measure(name, files, plan)


def _remote(given: dict[str, Any]) -> Remote | None:
    """The endpoint that the options name."""
    url, cache = given.pop("endpoint"), given.pop("cache")
    agent, pause, languages = given.pop("agent"), given.pop("pause"), given.pop("languages")
    if url is None:
        if cache is not None or agent is not None or languages:
            raise InputError("these options are of an endpoint, and none is named", hint="name one by --endpoint")
        return None
    made = Remote(url=url, cache=cache, agent=agent or AGENT, limits=Limits(pause=pause))
    return replace(made, languages=tuple(languages)) if languages else made
