"""``imprimatur tune``: data for a recipe, training, and what comes of it as a model of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.eval_options import writable
from imprimatur.cli.model_options import ModelOptions, model_options
from imprimatur.cli.options import Real
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.tune.recipes import Recipe

__all__ = ["command"]

_Command = Callable[..., int]
_PATH = click.Path(path_type=Path)
_KINDS = click.Choice(("factual", "abstention"))
_GIB = 1 << 30


@click.group()
def command() -> None:
    """Tune a model by an adapter, on questions of a knowledge base: to state facts, or that it does not know."""


def recipe_options(command: _Command) -> _Command:
    """Adds what of a recipe can be changed; the command gets it by ``_recipe``."""
    for option in (
        click.option("--dropout", type=Real(0, 0.9), help="Dropout of the adapter; 0.05."),
        click.option("--at-once", type=click.IntRange(1, 4096), help="Rows in memory at once; 4."),
        click.option("--batch", type=click.IntRange(1, 4096), help="Rows of one step; 16."),
        click.option("--epochs", type=click.IntRange(1, 1000), help="How often each row is seen; 3."),
        click.option("--rate", type=Real(1e-8, 1), help="The highest learning rate; 2e-4."),
        click.option("--alpha", type=click.IntRange(1, 4096), help="The adapter counts alpha / rank; 32."),
        click.option("--rank", type=click.IntRange(1, 1024), help="The rank of the adapter; 16."),
    ):
        command = option(command)
    return command


def _recipe(kind: str, given: dict[str, Any]) -> Recipe:
    from dataclasses import replace

    from imprimatur.tune.recipes import RECIPES, Kind

    names = ("rank", "alpha", "rate", "epochs", "batch", "at_once", "dropout", "longest", "seed")
    changed = {name: given.pop(name) for name in names if given.get(name) is not None}
    return replace(RECIPES[Kind(kind)], **changed)


@command.command()
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--recipe", "kind", required=True, type=_KINDS, help="What is to be taught.")
@click.option("--out", required=True, metavar="FILE", type=_PATH, callback=writable, help="JSON lines, to train on.")
@click.option("--most", default=500, show_default=True, type=click.IntRange(1), help="Questions to train on.")
@click.option("--held-out", default=100, show_default=True, type=click.IntRange(0), help="Questions that are held out.")
@click.option("--unsupported", default=0, show_default=True, type=click.IntRange(0), help="More, without support.")
@click.option(
    "--held-out-unsupported", "hidden", default=0, show_default=True, type=click.IntRange(0), help="Likewise."
)
@click.option("--share", default=20, show_default=True, type=click.IntRange(1, 90), help="Things that are held out, %.")
@click.option("--draw", default=1, show_default=True, help="What the choice of questions hangs on.")
@click.option("--tokens", type=click.IntRange(1, 100_000), help="The longest answer of the model as it is.")
@click.option("--window", type=click.IntRange(256, 1 << 20), help="Tokens that fit into weights on this machine.")
@click.option("--record", metavar="FILE", type=_PATH, help="Append the model's answers to a file.")
@click.option("--replay", metavar="FILE", type=_PATH, help="Take the model's answers from a file.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def data(*, kb: str, kind: str, out: Path, model: ModelOptions, as_json: bool, **given: Any) -> int:
    """Make rows of chat messages to train on, of any knowledge base, and others that are held out.

    FILE has a question and its right answer in each row, as messages that other trainers read too. With `abstention`
    the model that is named (the one to be tuned) is asked each question first; where it is wrong, the answer is
    "I don't know.". Held-out questions go to a file beside it (rivers.jsonl -> rivers.heldout.jsonl): they are about
    other things than those trained on, and `imprimatur eval conditions posed` asks them.
    """
    from imprimatur.oracle import Oracle
    from imprimatur.tune.building import build
    from imprimatur.tune.posing import Amount, pose
    from imprimatur.tune.recipes import Kind
    from imprimatur.tune.rows import heldout_file, write_rows

    oracle = Oracle.from_folder(kb)
    amount = Amount(
        train=given["most"],
        heldout=given["held_out"],
        unsupported=given["unsupported"],
        heldout_unsupported=given["hidden"],
        share=given["share"],
        seed=given["draw"],
    )
    asked, settings = _own(kb, model, given, wanted=kind == Kind.ABSTENTION, oracle=oracle)
    built = build(Kind(kind), pose(oracle, amount), oracle, model=asked, settings=settings)
    write_rows(out, built.train)
    write_rows(heldout_file(out), built.heldout)
    said = {
        "rows": len(built.train),
        "answered": sum(row.answer != "I don't know." for row in built.train),
        "known before": built.known,
        "held out": len(built.heldout),
        "held out, supported": sum(bool(row.right) for row in built.heldout),
        "file": str(out),
        "held-out file": str(heldout_file(out)),
    }
    return _tell(said, as_json)


def _own(kb: str, named: ModelOptions, given: dict[str, Any], *, wanted: bool, oracle: Any) -> tuple[Any, Any]:
    """The model that is to be tuned, and how it is asked; none where it is not needed."""
    from dataclasses import replace

    from imprimatur.cli.conditions_plan import model_config, opening
    from imprimatur.generate.asker import AskSettings

    record, replay = given["record"], given["replay"]
    if not wanted:
        if record is not None or replay is not None:
            raise InputError("no model is asked for this recipe", hint="leave --record and --replay out")
        return None, None
    config = model_config(named, kb, window=given["window"])
    if replay is None and config.path is None and config.base_url is None:
        return None, None
    settings = AskSettings.fitting(config, oracle)
    tokens = given["tokens"]
    return opening(config, record=record, replay=replay)(), replace(settings, tokens=tokens or settings.tokens)


@command.command()
@click.option("--data", "file", required=True, metavar="FILE", type=_PATH, help="Rows of `tune data`, or messages.")
@click.option("--base", required=True, metavar="PATH", type=_PATH, help="A folder of weights, or a GGUF file.")
@click.option("--recipe", "kind", required=True, type=_KINDS, help="What is taught; the rows must be made for it.")
@click.option("--out", required=True, metavar="DIR", type=_PATH, help="The training's folder.")
@click.option("--resume", is_flag=True, help="Go on with a training that was ended.")
@click.option("--steps", type=click.IntRange(1), help="How many steps in all; what the epochs take by default.")
@click.option("--every", default=50, show_default=True, type=click.IntRange(1), help="Steps between checkpoints.")
@click.option("--device", default="cpu", show_default=True, metavar="NAME", help="cpu, cuda …")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 256), help="Of the processor.")
@click.option("--frugal", is_flag=True, help="Compute activations twice, and keep few of them.")
@click.option("--longest", type=click.IntRange(8, 1 << 20), help="The longest row, in tokens; 1024.")
@click.option("--seed", type=click.IntRange(0, (1 << 31) - 1), help="What order and first weights hang on; 0.")
@recipe_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def train(*, file: Path, base: Path, kind: str, out: Path, as_json: bool, **given: Any) -> int:
    """Train an adapter on rows, by a recipe; the loss is taken over the answers alone.

    DIR gets log.jsonl (a line a step), checkpoints, and `adapter` at the end. Then `--weights DIR` asks the tuned model
    wherever a model is asked. A training that was killed goes on with --resume, and ends with the same weights.
    """
    from imprimatur.tune.rows import read_rows
    from imprimatur.tune.training import Plan
    from imprimatur.tune.training import train as trained

    made_for = {row.recipe for row in read_rows(file)} - {"", kind}
    if made_for:
        message = f"these rows were made for the recipe {sorted(made_for)[0][:40]!r}"
        raise InputError(message, where=str(file), hint="name that one")
    recipe = _recipe(kind, given)
    given = {name: value for name, value in given.items() if name in Plan.__dataclass_fields__}
    found = trained(Plan(data=file, base=base, out=out, recipe=recipe, **given))
    said = {
        "rows": found.rows,
        "steps": found.steps,
        "trained parameters": found.parameters,
        "first loss": round(found.first, 4),
        "last loss": round(found.last, 4),
        "adapter": str(found.adapter),
    }
    return _tell(said, as_json)


@command.command()
@click.argument("tuned", metavar="DIR", type=_PATH)
@click.option("--out", required=True, metavar="DIR", type=_PATH, help="The new folder.")
@click.option("--device", default="cpu", show_default=True, metavar="NAME", help="cpu (32 bits), cuda (16 bits) …")
def merge(*, tuned: Path, out: Path, device: str) -> int:
    """Add an adapter to its base, and write a model that needs no adapter, for other servers."""
    from imprimatur.tune.merging import merge as merged

    click.echo(plain(str(merged(tuned, out, device=device))))
    return 0


@command.command()
@click.option("--base", required=True, metavar="PATH", type=_PATH, help="A folder with config.json, or that file.")
@click.option("--row", "tokens", default=128, show_default=True, type=click.IntRange(1), help="Tokens of a long row.")
@click.option("--learnt", default=32, show_default=True, type=click.IntRange(1), help="Of these, learnt.")
@click.option("--device", default="cuda", show_default=True, metavar="NAME", help="cpu, cuda …")
@click.option("--frugal", is_flag=True, help="As in `train`.")
@recipe_options
@click.option("--json", "as_json", is_flag=True, help="Print bytes as JSON.")
def memory(*, base: Path, tokens: int, learnt: int, device: str, frugal: bool, as_json: bool, **given: Any) -> int:
    """Compute how much memory a training takes, from the model's configuration alone."""
    from imprimatur.tune.memory import memory as computed

    found = computed(base, _recipe("factual", given), tokens=tokens, learnt=learnt, device=device, frugal=frugal)
    parts = {name: getattr(found, name) for name in ("weights", "adapter", "activations", "outputs", "total")}
    if as_json:
        session.emit_json({"parameters": found.parameters, "trained": found.trained, **parts})
        return 0
    click.echo(f"{found.parameters:,} parameters, {found.trained:,} of the adapter")
    click.echo(aligned(["of", "GiB"], ([name, f"{size / _GIB:.2f}"] for name, size in parts.items())))
    return 0


def _tell(said: dict[str, Any], as_json: bool) -> int:
    if as_json:
        session.emit_json(said)
    else:
        click.echo(
            aligned(["", ""], ([name, "-" if value is None else plain(str(value))] for name, value in said.items()))
        )
    return 0
