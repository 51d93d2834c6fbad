"""``imprimatur eval conditions``: the command, and from its options to settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from imprimatur.cli.eval_options import bare_option, outcome_options
from imprimatur.cli.eval_retrofit import revising_options
from imprimatur.cli.model_options import ModelOptions, model_options, price_option

__all__ = ["conditions"]

#: Those of ``evals.posed``, which is imported when they are asked.
SETS = ("rivers", "relations", "made", "posed")
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("asked", metavar="[SET]", required=False, type=click.Choice((*SETS, "claims")))
@click.argument("files", metavar="[FILE]", nargs=-1, type=_PATH)
@click.option("--list", "listing", is_flag=True, help="Print all conditions, what they need and can do, and stop.")
@click.option("--kb", default="rivers", show_default=True, metavar="DIR", help="The knowledge base that is asked.")
@click.option(
    "--how", "hows", multiple=True, metavar="HOW", help="A condition; repeatable, all that can be by default."
)
@click.option("--most", default=100, show_default=True, help="How many questions are asked, or claims judged.")
@click.option("--unsupported", "made", default=0, show_default=True, help="How many without support are made.")
@click.option("--runs", type=click.IntRange(1, 100), default=1, show_default=True, help="How often, with other seeds.")
@click.option(
    "--tuned", multiple=True, metavar="ROLE=WHERE", help="Weights of `factual` or `abstain`: a path, or URL#MODEL."
)
@click.option("--at", "places", multiple=True, metavar="HOW=WHERE", help="Another model for one condition; repeatable.")
@click.option(
    "--recorded", metavar="FILE", help="Take answers from here; ask and append what is missing. Or `bundled`."
)
@click.option("--paragraphs", is_flag=True, help="Where there are no passages, make paragraphs of the graph for rag.")
@click.option("--window", type=click.IntRange(256, 1 << 20), help="Tokens that fit into weights on this machine.")
@click.option("--tokens", type=click.IntRange(1, 100_000), help="The longest answer.")
@click.option("--thoughts", type=click.IntRange(1, 100_000), help="The same where a model thinks first or writes JSON.")
@click.option("--items", type=click.IntRange(1, 100), help="How many items of evidence are shown at most.")
@click.option("--record", metavar="FILE", type=_PATH, help="Append every answer of the model to a file.")
@click.option("--replay", metavar="FILE", type=_PATH, help="Take the model's answers from a file, in their order.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@click.option(
    "--draw", "seed_of_questions", default=1, show_default=True, help="What the choice of questions hangs on."
)
@click.option("--answers", is_flag=True, help="Also print every answer.")
@bare_option
@revising_options
@price_option
@model_options
@outcome_options
def conditions(*, asked: str | None, files: tuple[Path, ...], model: ModelOptions, **given: Any) -> int:
    """Ask a set of questions, or judge claims, in several ways, and compare what comes of it.

    SET is rivers (FILE: the river questions; those that are bundled by default), relations (FILE with rows {input:
    "THING [SEP] RELATION", topic_entity, answer}, asked of a knowledge base made of them), made (questions over one
    fact, made from the graph), posed (FILE with rows {question, right: [value]}, as `tune data` holds out; `right` is
    empty where nothing answers it), or claims (FILE with the rows of `eval claims`; a few bundled ones by default).
    `--list` prints the conditions.

    Printed for each: how many questions are answered, rightly and wrongly, how many refused, how many answers have
    something that stands nowhere in the graph; and what the model used. With --runs or --recorded, and in what --out
    writes, also the measures and tables of the Licensing Oracle's paper, tests between conditions, and the worst cases.
    `eval conditions rivers --recorded bundled` needs no model. Exit status 1 when something false was licensed.
    """
    from imprimatur.cli import conditions_plan

    source = click.get_current_context().get_parameter_source
    typed = frozenset(name for name in given if source(name) is ParameterSource.COMMANDLINE)
    return conditions_plan.run(asked, files, model, typed=typed, **given)
