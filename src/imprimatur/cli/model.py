"""``imprimatur model``: whether a model can be asked, and what it is able to do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.model_options import ModelOptions, model_options, price_option, priced
from imprimatur.cli.terminal import plain
from imprimatur.errors import ImprimaturError

if TYPE_CHECKING:
    from imprimatur.config import ModelConfig, Price
    from imprimatur.models.asking import Model

__all__ = ["command"]

_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


@click.group()
def command() -> None:
    """Ask whether a language model can be asked."""


@command.command()
@click.option("--kb", metavar="DIR", help="The knowledge base whose `model:` is meant; none by default.")
@price_option
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(*, kb: str | None, model: ModelOptions, price: str | None, as_json: bool) -> int:
    """Ask a model for one word and for a little JSON, and say how that went. Nothing that it says is printed.

    Exit status: 0 when it answers, 2 when something in its configuration is wrong, 3 when it does not answer.
    """
    from imprimatur.models.opening import open_model

    config = priced(model.config(_configured(kb)), price)
    opened = open_model(config)
    said = {"model": opened.identity, **_words(opened, config.price), "json": _json(opened)}
    if as_json:
        session.emit_json(said)
    else:
        click.echo("".join(f"{name:<9}{plain(str(value))}\n" for name, value in said.items()), nl=False)
    return 0


def _configured(kb: str | None) -> ModelConfig | None:
    if kb is None:
        return None
    from imprimatur.config import load_folder, resolve

    return load_folder(resolve(kb)).model


def _words(model: Model, price: Price | None) -> dict[str, Any]:
    from imprimatur.answer import Message
    from imprimatur.models.asking import Prompt

    prompt = Prompt(messages=(Message("user", "Answer with the word: ready"),), tokens=16)
    before = time.monotonic()
    said = model.complete(prompt)
    seconds = round(time.monotonic() - before, 2)
    told: dict[str, Any] = {"seconds": seconds, "tokens": said.usage.total if said.usage is not None else "not told"}
    if price is not None and said.usage is not None:
        told["cost"] = price.written(price.of(said.usage.prompt, said.usage.completion))
    return told


def _json(model: Model) -> str:
    """Whether it gives JSON by a schema; what it failed with where it does not."""
    from imprimatur.answer import Message
    from imprimatur.models.asking import Prompt, Shape
    from imprimatur.models.structured import Structured

    asked = Structured(model)
    prompt = Prompt(messages=(Message("user", "Are you ready? Set `ready` to true."),), tokens=200)
    try:
        asked.ask(prompt, Shape(name="ready", schema=_SCHEMA))
    except ImprimaturError as fault:
        return f"no: {fault.message}"
    return f"yes, asked for as {asked.form}"
