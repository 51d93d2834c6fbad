"""``imprimatur eval report`` and ``compare``: outcomes from files as one HTML page, as Markdown, or held together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from imprimatur.cli.sink import Sink
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError
from imprimatur.evals.comparing import compared
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.pages.markdown import markdown
from imprimatur.evals.pages.page import page
from imprimatur.evals.pages.reading import read_outcome

__all__ = ["run", "run_compare"]


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
            _write(path, text(outcomes, said))
            click.echo(f"written to {plain(str(path))}")
    return 0


def run_compare(before: Path, after: Path, *, html: Path | None, as_json: bool, out: Path | None) -> int:
    """Prints what differs between two outcomes; returns 1 when a grave case is new, else 0.

    Raises:
        InputError: an outcome cannot be read, or a file cannot be written.
    """
    names = (before.stem, after.stem) if before.stem != after.stem else ("before", "after")
    found = compared(read_outcome(before), read_outcome(after), names)
    found = replace(found, sources=provenance(files=(before, after))[0])
    if html is not None:
        _write(html, page((found,), found.title))
    return finish(found, as_json=as_json, out=out)


def _write(path: Path, text: str) -> None:
    with Sink.open(str(path)) as sink:
        sink.write(text.encode("utf-8"))
        sink.keep()
