"""``imprimatur eval report`` and ``compare``: what was written with ``--out``, shown and held against each other."""

from __future__ import annotations

from pathlib import Path

import click

from imprimatur.cli.eval_options import outcome_options, writable

__all__ = ["compare", "report"]


@click.command()
@click.argument("files", metavar="OUTCOME...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), callback=writable, help="The HTML file.")
@click.option(
    "--markdown",
    "beside",
    metavar="FILE",
    type=click.Path(path_type=Path),
    callback=writable,
    help="A Markdown file with the same tables.",
)
@click.option("--title", metavar="TEXT", help="The report's title.")
def report(*, files: tuple[Path, ...], out: Path | None, beside: Path | None, title: str | None) -> int:
    """Make one page of the outcomes of evaluations: tables, plots, published figures, worst cases, and sources.

    An OUTCOME is a file that an evaluation wrote with --out. The HTML file needs nothing else: no network, no font, no
    library. Every number in it stands in one of the outcomes.
    """
    from imprimatur.evals.pages.report import run

    return run(files, out=out, beside=beside, title=title)


@click.command()
@click.argument("before", metavar="A", type=click.Path(path_type=Path))
@click.argument("after", metavar="B", type=click.Path(path_type=Path))
@click.option("--html", metavar="FILE", type=click.Path(path_type=Path), callback=writable, help="Also make a page.")
@outcome_options
def compare(*, before: Path, after: Path, html: Path | None, as_json: bool, out: Path | None) -> int:
    """Compare two outcomes of an evaluation, figure by figure and row by row.

    A and B are files that an evaluation wrote with --out. Printed are each figure of both with the difference and its
    interval, settings, sources and versions that differ, and the rows with another verdict. Exit status 1 when a false
    licence is new in B.
    """
    from imprimatur.evals.pages.report import run_compare

    return run_compare(before, after, html=html, as_json=as_json, out=out)
