"""``imprimatur eval calibrate`` and ``calibrate-gate``: thresholds from labels of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imprimatur.cli.eval_options import out_option

__all__ = ["calibrate", "calibrate_gate"]


@click.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--out", required=True, metavar="FILE", type=click.Path(path_type=Path), help="Where the weights go.")
@click.option("--risk", default=0.1, show_default=True, help="The share of unfounded texts that may go unflagged.")
@click.option("--confidence", default=0.95, show_default=True, help="How sure that bound is to be.")
@click.option("--kb", metavar="DIR", help="With --judge: the knowledge base that names it.")
@click.option("--judge", metavar="NAME", help="Choose the threshold of this trained judge.")
@out_option("--outcome")
def calibrate(*, rows: Path, kb: str | None, judge: str | None, **wanted: Any) -> int:
    """Choose from your own labels where a paraphrase ends and an invention begins.

    FILE holds rows {id, text | answer, context: [passage], label}, label a verdict label: `supported`, or any other for
    what the passages do not bear out. Name the written file under `weights:` in imprimatur.yaml. With --judge the
    threshold is that of a trained judge, and the written file is what its entry under `judges:` has as `threshold`.
    """
    from imprimatur.evals.calibrate import Wanted, run

    if judge is not None or kb is not None:
        from imprimatur.evals.calibrate_judges import run as run_judge

        return run_judge(rows, Wanted(**wanted), kb=kb, name=judge)
    return run(rows, Wanted(**wanted))


@click.command("calibrate-gate")
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Where the gate goes.")
@click.option("--risk", default=0.02, show_default=True, help="The share of unsupported questions that may pass.")
@click.option("--confidence", default=0.95, show_default=True, help="How sure that bound is to be.")
@click.option("--items", type=click.IntRange(1, 100), default=1, show_default=True, help="How many items must fit.")
@out_option("--outcome")
def calibrate_gate(*, rows: Path, **settings: Any) -> int:
    """Choose from your own labels how well evidence must fit a question before anything is answered.

    FILE holds rows {question, supported}, supported true or false: whether the knowledge base can answer it.
    """
    from imprimatur.evals.calibrate_gate import Settings, run

    return run(rows, Settings(**settings))
