"""``imprimatur eval extraction``: from options to settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imprimatur.cli.eval_options import outcome_options
from imprimatur.cli.model_options import model_options

__all__ = ["extraction"]


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kb", "kbs", multiple=True, metavar="[DOMAIN=]DIR", help="The knowledge base; one for each domain.")
@click.option("--extractor", "named", multiple=True, metavar="KIND", help="reader (the default), llm, gliner=FOLDER.")
@click.option("--most", type=click.IntRange(1), help="How many texts of each set are read; all by default.")
@click.option("--budget/--no-budget", default=True, show_default=True, help="Whether it is told what each stage loses.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Keep the answers of the model here.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="FILE", help="Answers that were kept, and no model.")
@model_options
@outcome_options
def extraction(
    *,
    files: tuple[Path, ...],
    kbs: tuple[str, ...],
    named: tuple[str, ...],
    most: int | None,
    budget: bool,
    as_json: bool,
    out: Path | None,
    **opening: Any,
) -> int:
    """Measure extraction apart from judging: triples found by each extractor, and what each stage loses.

    A FILE has ground truth of Text2KGBench, rows that `eval mine --write` wrote, or another form with gold claims
    (docs/error-budget.md); without one a shipped sample is read. Exit status 1 when something false is licensed.
    """
    from imprimatur.evals.extraction import Settings, run
    from imprimatur.evals.extractors import Settings as Opening
    from imprimatur.evals.finishing import finish

    pairs = (said.partition("=") if "=" in said else ("", "=", said) for said in kbs)
    settings = Settings(
        kbs={domain: kb for domain, _, kb in pairs},
        most=most,
        budget=budget,
        opening=Opening(extractors=named or ("reader",), **opening),
    )
    return finish(run(files, settings), as_json=as_json, out=out)
