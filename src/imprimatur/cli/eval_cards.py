"""``imprimatur eval cards``, ``published`` and ``suites``: from options to settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imprimatur.cli.eval_options import outcome_options, running_options

__all__ = ["cards", "published", "suites"]


@click.command()
@click.argument("path", metavar="[FOLDER|FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--world",
    type=click.Choice(("open", "functional", "closed")),
    default="functional",
    show_default=True,
    help="What follows where nothing is stated.",
)
@click.option(
    "--graph",
    type=click.Choice(("cards", "joint")),
    default="cards",
    show_default=True,
    help="Judge by a card's own facts, or by those of all cards.",
)
@click.option(
    "--set",
    "published_set",
    type=click.Choice(("1997", "800")),
    default="1997",
    show_default=True,
    help="Which of the published sets of a FOLDER.",
)
@click.option("--most", type=click.IntRange(1), help="How many cards are judged; all by default.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@running_options
@outcome_options
def cards(*, path: Path | None, world: str, published_set: str, as_json: bool, out: Path | None, **given: Any) -> int:
    """Judge cards, each a question with the facts to answer it by: the paper's AP, CVRR, FAR-NE and LA.

    FOLDER holds the cards of the Licensing Oracle's paper as they were published; without it, cards about invented
    things are judged. The same verdicts are counted in four ways, the published figures beside them. Exit status 1 when
    something is licensed that the graph does not state.
    """
    from imprimatur.evals.card_set import World
    from imprimatur.evals.cards import Settings, run
    from imprimatur.evals.running import Running

    running = Running(jobs=given.pop("jobs"), keep=given.pop("keep"), title="Judging cards")
    settings = Settings(world=World(world), running=running, **given)
    return run(path, settings, published_set=published_set, as_json=as_json, out=out)


@click.command()
@click.argument("path", metavar="FOLDER|FILE", type=click.Path(path_type=Path))
@click.option("--kb", "kbs", multiple=True, metavar="SUITE=DIR", help="The knowledge base of a suite; repeatable.")
@outcome_options
def suites(*, path: Path, kbs: tuple[str, ...], as_json: bool, out: Path | None) -> int:
    """Judge the paper's prompt suites, and hold what they expect (ANSWER or ABSTAIN) against what is decided.

    FOLDER holds prompt_suite.NAME.json as they were published. A suite goes by the bundled knowledge base about its
    things, or by the one that --kb names; one without any is told and left out.
    """
    from imprimatur.errors import InputError
    from imprimatur.evals.suites import run

    named = dict[str, str]()
    for each in kbs:
        suite, equals, folder = each.partition("=")
        if not (suite and equals and folder):
            raise InputError(f"--kb {each} names no suite", hint="for instance --kb battles=my-battles")
        named[suite] = folder
    return run(path, named, as_json=as_json, out=out)


@click.command()
@outcome_options
def published(*, as_json: bool, out: Path | None) -> int:
    """Print the accuracies of the Licensing Oracle's paper with the intervals and differences that it does not give.

    They are computed from the counts of its tables 1 to 4; shares without counts are tested for whether any count gives
    them. Nothing is judged.
    """
    from imprimatur.evals.published import run

    return run(as_json=as_json, out=out)
