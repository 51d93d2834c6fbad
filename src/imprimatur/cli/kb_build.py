"""``imprimatur kb build``: from files of tables to a knowledge base that can be asked."""

from __future__ import annotations

from pathlib import Path

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.tables import print_asides, print_columns
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError

__all__ = ["build"]

_STEPS = 4
_TABLES = 20


@click.command()
@click.option(
    "--tables", "named", metavar="FILE", multiple=True, type=click.Path(path_type=Path), help="Files of tables."
)
@click.argument("more", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--out", "folder", metavar="DIR", type=click.Path(path_type=Path), help="The folder to make.")
@click.option("--complete", is_flag=True, help="The tables hold all things of their kind.")
@click.option("--described", is_flag=True, help="Add a file in which the columns can be described.")
@click.option("--force", is_flag=True, help="Write over what is there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build(
    *,
    named: tuple[Path, ...],
    more: tuple[Path, ...],
    folder: Path | None,
    complete: bool,
    described: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Make a knowledge base folder from files of tables: CSV, TSV, JSON, SQLite, Parquet, Markdown, HTML, plain text.

    The files are copied into DIR, which is named after the first one by default; files that lie in DIR already stay
    where they are. It works at once: what each column is taken for is printed, and sentences that it supports.
    """
    from imprimatur.kb_build import build_folder

    files = (*named, *more)
    if not files:
        raise InputError("no file is given", hint="imprimatur kb build --tables lights.csv keepers.csv --out lights")
    target = folder if folder is not None else Path(files[0].stem or "kb")
    with Progress("Building:", _STEPS) as progress:
        made = build_folder(files, target, complete=complete, described=described, force=force, step=progress.step)
    if as_json:
        told = {"folder": str(made.folder), "files": list(made.files), "complete": list(made.complete)}
        lists = {"tables": list(made.tables), "asides": list(made.asides), "sentences": list(made.sentences)}
        session.emit_json({**told, **lists, "warnings": list(made.warnings)})
        return 0
    click.echo(f"Made {plain(str(made.folder))} with {plain(', '.join(made.files))}\n")
    for each in made.tables[:_TABLES]:
        print_columns(each, complete=each["name"] in made.complete)
    if len(made.tables) > _TABLES:
        click.echo(f"and {len(made.tables) - _TABLES} more tables: imprimatur tables show {plain(str(made.folder))}")
    print_asides(made.asides)
    for warning in made.warnings:
        click.echo(f"warning: {plain(warning)}")
    if made.sentences:
        click.echo("\nIt supports, among others:")
        for sentence in made.sentences:
            click.echo(f"  {plain(sentence)}")
    else:
        click.echo("\nNo simple sentence about its first rows is supported: describe the columns (--described).")
    click.echo(f"\nNext: imprimatur check 'A sentence to check.' --kb {plain(str(made.folder))}")
    return 0
