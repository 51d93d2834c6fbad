"""Options that name a model, for every command that asks one, and what the environment says of it.

The command line goes before the environment (``IMPRIMATUR_MODEL_URL``, ``_NAME``, ``_KEY_ENV``, ``_KEY_FILE``,
``_PATH``), and that before ``model:`` of the knowledge base. Invariant: a key goes to the address that it was named
with: whoever names another address names its key too, or none is sent.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from imprimatur.config import Key, ModelConfig, file_key, named_key, price_of
from imprimatur.errors import ConfigError, InputError
from imprimatur.settings_file import Section

__all__ = ["ModelOptions", "model_options", "price_option", "priced"]

_Command = Callable[..., int]
_PREFIX = "IMPRIMATUR_MODEL_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """What the command line says of a model; None where it says nothing."""

    base_url: str | None = None
    name: str | None = None
    key_env: str | None = None
    key_file: Path | None = None
    weights: Path | None = None
    temperature: str | None = None
    seed: int | None = None

    def config(self, base: ModelConfig | None, environ: Mapping[str, str] | None = None) -> ModelConfig:
        """The model that is meant.

        Args:
            base: what the knowledge base says; None where it says nothing.
            environ: the environment; the process's by default.

        Raises:
            InputError: an option or a variable has a value that it must not.
        """
        known = os.environ if environ is None else environ
        found = self._named(base if base is not None else ModelConfig(), known, outer=True)
        found = self._named(found, known, outer=False)
        if self.temperature is not None:
            found = replace(found, temperature=_temperature(self.temperature))
        return found if self.seed is None else replace(found, seed=self.seed)

    def _named(self, found: ModelConfig, environ: Mapping[str, str], *, outer: bool) -> ModelConfig:
        """The model as one of the two places changes it."""
        said = _of_environment(environ) if outer else self
        where = "the environment" if outer else "the command line"
        if said.base_url is not None and said.weights is not None:
            raise InputError("a model has an address or weights, not both", where=where, hint="leave one of them out")
        key = _key(said, environ, where)
        if said.base_url is not None:
            found = replace(found, base_url=_address(said.base_url, where), path=None, key=None, where=where)
        if said.weights is not None:
            found = replace(found, path=said.weights, base_url=None, key=None, name=None, where=where)
        if said.name is not None:
            found = replace(found, name=said.name)
        return found if key is None else replace(found, key=key)


def model_options(command: _Command) -> _Command:
    """Adds the options that name a model; the command gets them as ``model``."""
    keys = [part.name for part in fields(ModelOptions)]

    @functools.wraps(command)
    def bundled(**options: Any) -> int:
        made = ModelOptions(**{key: options.pop(key) for key in keys})
        return command(model=made, **options)

    file = click.Path(dir_okay=False, path_type=Path)
    weights = click.Path(path_type=Path)
    for option in (
        click.option("--seed", type=click.IntRange(0, (1 << 31) - 1), help="The seed of its choices."),
        click.option("--temperature", metavar="NUMBER", help="From 0 (the default) to 2."),
        click.option("--weights", type=weights, metavar="PATH", help="A GGUF file or a folder, run on this machine."),
        click.option("--key-file", type=file, metavar="FILE", help="The file with the key."),
        click.option("--key-env", metavar="VARIABLE", help="The environment variable with the key."),
        click.option("--model", "name", metavar="NAME", help="What the server calls the model."),
        click.option("--base-url", metavar="URL", help="The model's server, for instance http://localhost:8000/v1."),
    ):
        bundled = option(bundled)
    return bundled


#: For commands that tell how many tokens were used.
price_option = click.option(
    "--price",
    metavar="IN/OUT",
    help="What a million tokens read and written cost, for instance 0.30/2.50 or '0.30/2.50 USD': costs are told too.",
)


def priced(config: ModelConfig, price: str | None) -> ModelConfig:
    """The model with the price that the command line gives, where it gives one. Raises InputError."""
    return config if price is None else replace(config, price=price_of(price))


def _of_environment(environ: Mapping[str, str]) -> ModelOptions:
    def said(name: str) -> str | None:
        return environ.get(_PREFIX + name) or None

    file, weights = said("KEY_FILE"), said("PATH")
    return ModelOptions(
        base_url=said("URL"),
        name=said("NAME"),
        key_env=said("KEY_ENV"),
        key_file=None if file is None else Path(file),
        weights=None if weights is None else Path(weights),
    )


def _key(said: ModelOptions, environ: Mapping[str, str], where: str) -> Key | None:
    if said.key_env is not None and said.key_file is not None:
        raise InputError("a key is in the environment or in a file, not both", where=where)
    if said.key_file is not None:
        return file_key(said.key_file)
    if said.key_env is None:
        return None
    if not said.key_env.isidentifier():
        # Whoever gives the key itself must not find it in the error.
        raise InputError("what should name an environment variable does not", where=where, hint="give its name")
    return named_key(said.key_env, environ)


def _address(value: str, where: str) -> str:
    from imprimatur.config import read_address

    try:
        return read_address(Section({"base_url": value}, where, ConfigError), "base_url") or ""
    except ConfigError as fault:
        raise InputError(fault.message, where=where, hint=fault.hint) from fault


def _temperature(value: str) -> Fraction:
    try:
        found = Decimal(value)
    except InvalidOperation:
        found = Decimal(-1)
    if not (found.is_finite() and 0 <= found <= 2):
        raise InputError("the temperature is no number from 0 to 2", where="--temperature")
    return Fraction(found)
