"""``imprimatur eval mine``, ``rivers``, ``philosophers`` and ``domains``: from options to settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli.eval_options import outcome_options, running_options
from imprimatur.cli.options import Real

if TYPE_CHECKING:
    from imprimatur.evals.mining.measuring import Settings

__all__ = ["domains", "mine", "philosophers", "rivers"]

_Command = Callable[..., int]


def _options(command: _Command) -> _Command:
    """The settings that all of these share."""
    for option in (
        click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file."),
        click.option("--seed", default=1, show_default=True, help="What the choice hangs on."),
        click.option(
            "--hold-out",
            type=Real(0, 0.9),
            default=0.1,
            show_default=True,
            metavar="SHARE",
            help="The share of the facts that are taken out of a copy, to be asked about; 0 for none.",
        ),
        click.option(
            "--most",
            type=click.IntRange(1, 100_000),
            default=100,
            show_default=True,
            help="How many claims of each kind, and questions of each sort.",
        ),
    ):
        command = option(command)
    return outcome_options(running_options(command))


def _settings(given: dict[str, Any]) -> Settings:
    from imprimatur.evals.mining.measuring import Settings
    from imprimatur.evals.running import Running

    return Settings(running=Running(jobs=given.pop("jobs"), keep=given.pop("keep")), **given)


@click.command()
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@_options
@click.option("--write", metavar="FILE", type=click.Path(path_type=Path), help="Write the claims, for `eval claims`.")
@click.option("--questions/--no-questions", "ask", default=True, show_default=True, help="Whether questions are asked.")
@click.option("--overlaps", is_flag=True, help="Also list what is licensed in the words of another property.")
def mine(*, kb: str, write: Path | None, as_json: bool, out: Path | None, **given: Any) -> int:
    """Make labelled claims and questions of any knowledge base, without labels by hand, and measure on them.

    Claims are entailed, contradicted, non-entailed or constraint-violating; what is right of them is worked out apart
    from what judges. Printed are the measures of the Licensing Oracle's paper, and what became of each kind, property
    and wording. Exit status 1 when something is licensed that is not entailed.
    """
    from imprimatur.evals import domains as measuring

    return measuring.mine(kb, _settings(given), write=write, as_json=as_json, out=out)


def _domain(name: str, text: str) -> click.Command:
    """The command that measures one bundled domain."""

    def command(*, file: Path | None, as_json: bool, out: Path | None, **given: Any) -> int:
        from imprimatur.evals.domains import run

        return run(name, (name,), _settings(given), file=file, as_json=as_json, out=out)

    made = click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))(_options(command))
    return click.command(name, help=text)(made)


_DOMAIN = """Measure the bundled {0} knowledge base by claims and questions that are made of it.

The paper's figures stand beside. A FILE of labelled rows, as of `eval claims`, is judged instead, all of it. Exit
status 1 when something is licensed that is not entailed. `eval mine` does the same for a knowledge base of your own."""

rivers = _domain("rivers", _DOMAIN.format("rivers"))
philosophers = _domain("philosophers", _DOMAIN.format("philosophers"))


@click.command()
@_options
@click.option("--kb", "more", multiple=True, metavar="DIR", help="One more knowledge base beside; may be repeated.")
def domains(*, more: tuple[str, ...], as_json: bool, out: Path | None, **given: Any) -> int:
    """Measure the bundled rivers and philosophers side by side, with the same settings: the paper's table 6.

    Exit status 1 when something is licensed that is not entailed.
    """
    from imprimatur.evals.domains import DOMAINS, run

    return run("domains", (*DOMAINS, *more), _settings(given), as_json=as_json, out=out)
