"""``imprimatur eval figures``: from options to settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imprimatur.cli.eval_options import outcome_options

__all__ = ["figures"]


@click.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--threshold", default=0.5, show_default=True, help="The score from which a row counts as flagged.")
@click.option(
    "--interval",
    "how",
    type=click.Choice(("percentile", "bca")),
    default="percentile",
    show_default=True,
    help="How bootstrap intervals are read off.",
)
@click.option("--draws", type=click.IntRange(100, 100_000), default=1000, show_default=True, help="How many draws.")
@click.option("--seed", default=0, show_default=True, help="What the draws hang on.")
@outcome_options
def figures(*, paths: tuple[Path, ...], how: str, as_json: bool, out: Path | None, **given: Any) -> int:
    """Compute every measure, interval and test of rows that any evaluation wrote; nothing is judged.

    Rows are {id, gold, flagged or score} of what flags texts, or {id, entailed, violates?, answered, correct?,
    licensed?, sure?} of what answers or abstains; `condition`, `run` and `group` where there are several. Conditions
    are compared on the questions that they share, repeated runs by their spread.
    """
    from imprimatur.evals.figures import Settings, run
    from imprimatur.evals.intervals import How

    return run(paths, Settings(how=How(how), **given), as_json=as_json, out=out)
