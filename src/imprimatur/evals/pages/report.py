"""``imprimatur eval report``: outcomes from files as one HTML page, as Markdown, or both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from imprimatur.cli.sink import Sink
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError
from imprimatur.evals.pages.markdown import markdown
from imprimatur.evals.pages.page import page
from imprimatur.evals.pages.reading import read_outcome

__all__ = ["run"]


def run(files: Sequence[Path], *, out: Path | None, beside: Path | None, title: str | None) -> int:
    """Writes the report of some outcomes, says where it is, and returns 0.

    Args:
        out: the HTML file; ``beside``: the Markdown file. At least one is needed.

    Raises:
        InputError: an outcome cannot be read, no file is named, or one cannot be written.
    """
    if out is None and beside is None:
        raise InputError("no file to write was named", hint="--out report.html, or --markdown report.md, or both")
    outcomes = [read_outcome(path) for path in files]
    said = title or (outcomes[0].title if len(outcomes) == 1 else "Evaluation report")
    for path, text in ((out, page), (beside, markdown)):
        if path is not None:
            with Sink.open(str(path)) as sink:
                sink.write(text(outcomes, said).encode("utf-8"))
                sink.keep()
            click.echo(f"written to {plain(str(path))}")
    return 0
