"""The options that evaluations share: how what they found is printed, and where it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from imprimatur.errors import InputError

__all__ = ["bare_option", "keep_option", "out_option", "outcome_options", "running_options", "writable"]

_Command = Callable[..., int]
_Added = Callable[[_Command], _Command]


def writable(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """The file that is to be written. Raises InputError where that must fail, so that no long work is lost to it."""
    if path is None:
        return None
    if str(path) == "-":
        raise InputError("an outcome is written to a file", where="-", hint="--json prints it")
    if path.is_dir():
        raise InputError("a folder, not a file", where=str(path), hint="give a file's name")
    if not path.absolute().parent.is_dir():
        raise InputError("cannot be written: there is no such folder", where=str(path), hint="make the folder first")
    return path


def out_option(name: str = "--out", help: str = "Write the outcome here, for `eval report` and `compare`.") -> _Added:
    """The option of an evaluation that writes its outcome to a file; the command gets it under the option's name."""
    return click.option(name, metavar="FILE", type=click.Path(path_type=Path), callback=writable, help=help)


def running_options(command: _Command) -> _Command:
    """Adds ``--jobs N`` and ``--keep DIR``; the command gets them as ``jobs`` and ``keep``, for ``evals.running``."""
    jobs = click.IntRange(1, 256)
    added = click.option("--jobs", type=jobs, default=1, show_default=True, help="How many processes judge.")
    return added(keep_option(command))


def keep_option(command: _Command) -> _Command:
    """Adds ``--keep DIR``."""
    told = "Keep each row's result in this folder, and go on from there when run again."
    return click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help=told)(command)


def outcome_options(command: _Command) -> _Command:
    """Adds ``--json`` and ``--out FILE``; the command gets them as ``as_json`` and ``out``, for ``finish``."""
    with_out = out_option()(command)
    return click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")(with_out)


def bare_option(command: _Command) -> _Command:
    """Adds ``--without-model``, for measurements by a knowledge base that may have facts that a model made."""
    told = "Leave out what a model made, whatever the policy trusts."
    return click.option("--without-model", "bare", is_flag=True, help=told)(command)
