"""``imprimatur eval``: published data sets by name, each from a folder as it was published."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from imprimatur.cli.eval_options import outcome_options, running_options

__all__ = ["by_name", "datasets", "factbench", "factkg", "memories", "named"]


def named(command: click.Command, argument: str, value: str, help: str) -> click.Command:
    """A command with one argument filled (none where it is empty): the same options and work under the value's name."""
    assert command.callback is not None
    params = [param for param in command.params if param.name != argument]
    filled = {argument: value} if argument else {}
    return click.Command(value, params=params, callback=partial(command.callback, **filled), help=help)


@click.command()
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option("--withhold", "share", type=click.IntRange(min=0), default=5, show_default=True, help="One in so many.")
@click.option("--apart", is_flag=True, help="Do not take the ids that DBpedia and Freebase have for one name as one.")
@click.option("--kb", metavar="DIR", help="Ask a knowledge base of your own instead of the correct facts.")
@click.option("--most", type=click.IntRange(1), help="So many correct facts, with what was made from them.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@running_options
@outcome_options
def factbench(
    *, folder: Path | None, apart: bool, jobs: int, keep: Path | None, as_json: bool, out: Path | None, **given: Any
) -> int:
    """Judge FactBench's facts and corruptions, said in sentences, by a graph of its correct facts.

    FOLDER holds facts_train.jsonl or facts_test.jsonl, or the Turtle files as published; without it a sample is judged
    that is shipped. One in five correct facts is withheld from the graph and must not be found; the others must be
    supported, wrong dates contradicted, and nothing wrong licensed. Exit status 1 when something is.
    """
    from imprimatur.evals.factbench import Settings, run
    from imprimatur.evals.finishing import finish
    from imprimatur.evals.running import Running

    settings = Settings(join=not apart, running=Running(jobs=jobs, keep=keep), **given)
    return finish(run(folder, settings), as_json=as_json, out=out)


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("place", metavar="[FOLDER]", required=False)
@outcome_options
def datasets(*, name: str | None, place: str | None, as_json: bool, out: Path | None) -> int:
    """List the data sets that can be evaluated on, or check a copy of one: rows, labels, duplicates, parts.

    FOLDER holds the set's files as they were published; `hf:` takes its rows from the Hugging Face hub, where they are
    read from there (the extra `datasets`). Without a FOLDER what is shipped is checked.
    """
    from imprimatur.evals.datasets import checked, listing
    from imprimatur.evals.finishing import finish

    return finish(listing() if name is None else checked(name, place), as_json=as_json, out=out)


@click.command()
@click.argument("path", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--withhold", "share", type=click.IntRange(min=0), default=5, show_default=True, help="One in so many.")
@click.option("--kb", metavar="DIR", help="Ask a knowledge base of your own instead of the claims' facts.")
@click.option("--most", type=click.IntRange(1), help="How many claims are judged; all by default.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@running_options
@outcome_options
def factkg(*, path: Path, jobs: int, keep: Path | None, as_json: bool, out: Path | None, **given: Any) -> int:
    """Judge FactKG's claims by a graph of the facts that its true ones rest on.

    FOLDER holds factkg_train.pickle, factkg_dev.pickle or factkg_test.pickle, or the same as JSON. Of the facts that
    the evidence spells out a share is withheld; nothing false, and nothing that rests on them, may be licensed.
    """
    from imprimatur.evals.factkg import Settings, run
    from imprimatur.evals.finishing import finish
    from imprimatur.evals.running import Running

    settings = Settings(running=Running(jobs=jobs, keep=keep), **given)
    return finish(run(path, settings), as_json=as_json, out=out)


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--most", type=click.IntRange(1), help="How many conversations; all by default.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@outcome_options
def memories(*, path: Path, most: int | None, policy: str | None, as_json: bool, out: Path | None) -> int:
    """Judge what was observed of long conversations, as claims that cite the turns they were drawn from.

    FILE is LoCoMo's locomo10.json, or a folder that holds it. With the other speaker's name, citing other turns, or
    citing none that exists, no observation may pass.
    """
    from imprimatur.evals.finishing import finish
    from imprimatur.evals.memories import run

    return finish(run(path, policy=policy, most=most), as_json=as_json, out=out)


def by_name(passages: click.Command, kgqa: click.Command, teqhallu: click.Command) -> Iterator[click.Command]:
    """The commands of single sets: their own, and those of which one set is a choice, under its name."""
    yield from (datasets, factbench, factkg, memories)
    for name, title in (("ragtruth", "RAGTruth"), ("begin", "BEGIN"), ("wice", "WiCE")):
        yield named(passages, "name", name, f"Judge {title}'s texts against their passages, beside plain baselines.")
    for name, title in (("simplequestions", "SimpleQuestions"), ("mintaka", "Mintaka"), ("hotpotqa", "HotpotQA")):
        yield named(kgqa, "asked", name, f"Ask the questions of {title}; the command `eval kgqa` with this set.")
    yield named(teqhallu, "", "diahalu", "Measure TeQHallu on DiaHalu's dialogues; the command `eval teqhallu`.")
