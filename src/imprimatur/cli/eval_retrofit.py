"""``imprimatur eval retrofit``: from options to settings; the model may be a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from imprimatur.cli.eval_options import out_option
from imprimatur.cli.model_options import ModelOptions, model_options, price_option, priced

__all__ = ["retrofit", "revising_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_FORMS = ("stages", "single", "graph")


def revising_options(command: _Command) -> _Command:
    """Adds the options that say how drafts are revised, and whether answers are shortened."""
    for option in (
        click.option("--short", is_flag=True, help="Have the model quote the short answer in its answers."),
        click.option("--rounds", type=click.IntRange(1, 20), default=3, show_default=True, help="Of kgr and critic."),
        click.option("--ungated", is_flag=True, help="Ask the model whatever evidence is found."),
        click.option("--form", type=click.Choice(_FORMS), default="stages", show_default=True, help="Of kgr."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option(
    "--form",
    type=click.Choice(("graph", "stages", "single")),
    default="graph",
    show_default=True,
    help="The stages by the graph, by a model one by one, or by a model in one prompt.",
)
@click.option(
    "--by-graph",
    multiple=True,
    type=click.Choice(("extraction", "detection", "selection", "verification", "retrofitting")),
    help="With stages: what the graph does nevertheless; repeatable.",
)
@click.option("--rounds", type=click.IntRange(1, 20), default=3, show_default=True, help="How often at most.")
@click.option("--written", is_flag=True, help="Take what the model writes as it is, and not only what is licensed.")
@click.option("--most", default=100, show_default=True, help="How many sentences are changed.")
@click.option("--draw", default=1, show_default=True, help="What the choice of changes hangs on.")
@click.option("--record", metavar="FILE", type=click.Path(path_type=Path), help="Append the model's answers to a file.")
@click.option("--replay", metavar="FILE", type=click.Path(path_type=Path), help="Take the model's answers from a file.")
@price_option
@model_options
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures and every round as JSON.")
def retrofit(*, rows: Path, kb: str, model: ModelOptions, **given: Any) -> int:
    """Put wrong values into true sentences and retrofit them; print which stage lost those that are not mended.

    The rows are those of `eval claims`; those labelled `supported` that are licensed get one wrong value each.
    """
    return _run(rows, kb, model, **given)


def _run(rows: Path, kb: str, named: ModelOptions, **given: Any) -> int:
    """Retrofits drafts; see ``evals.retrofitting``."""
    from imprimatur.cli.conditions_plan import model_config, opening
    from imprimatur.evals.retrofitting import Settings, run
    from imprimatur.generate.revising import RetrofitSettings
    from imprimatur.retrofit.kinds import Stage
    from imprimatur.retrofit.pipeline import Taking

    config = priced(model_config(named, kb), given.pop("price"))
    record, replay, seed = given.pop("record"), given.pop("replay"), given.pop("draw")
    form, by_graph = given.pop("form"), given.pop("by_graph")
    rounds, written = given.pop("rounds"), given.pop("written")
    settings = Settings(
        retrofit=RetrofitSettings(form=form, rounds=rounds, by_graph=frozenset(map(Stage, by_graph))),
        taking=Taking.WRITTEN if written else Taking.LICENSED,
        seconds=float(config.limits.seconds * config.limits.tries),
        model=None if form == "graph" else opening(config, record=record, replay=replay),
        price=config.price,
        seed=seed,
        **given,
    )
    return run(rows, kb, settings)
