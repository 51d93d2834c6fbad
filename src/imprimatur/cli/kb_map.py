"""``imprimatur kb map``: from rows and a mapping to a knowledge base that can be asked."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.ingest.mapping.folder import Mapped

__all__ = ["map_command"]

_STEPS = 4
_TURTLE = (".ttl", ".rml", ".turtle")


@click.command("map")
@click.argument("mapping", metavar="MAPPING", type=click.Path(path_type=Path))
@click.option("--out", "folder", metavar="DIR", type=click.Path(path_type=Path), help="The folder to make.")
@click.option("--force", is_flag=True, help="Write over what is there.")
@click.option("--rml", "as_rml", is_flag=True, help="Print a mapping of the short form as RML, and make nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def map_command(*, mapping: Path, folder: Path | None, force: bool, as_rml: bool, as_json: bool) -> int:
    """Make a knowledge base folder from rows, by a mapping that says which cells are which facts.

    MAPPING is a YAML file in the short form (docs/structured.md), or RML in Turtle (.ttl), which needs morph-kgc in an
    environment of its own. The rows are CSV, TSV, JSON, Parquet or SQLite in MAPPING's folder, or a database that an
    environment variable names. Each fact is kept with the row that it is from.
    """
    if not mapping.is_file():
        raise InputError("no such file", where=str(mapping), hint="give a mapping: docs/structured.md shows one")
    turtle = mapping.suffix.lower() in _TURTLE
    if as_rml:
        if turtle:
            raise InputError("is RML already", where=str(mapping), hint="leave --rml out")
        from imprimatur.ingest.mapping.rml import rml_of
        from imprimatur.ingest.mapping.short_form import read_mapping

        click.echo(rml_of(read_mapping(mapping)), nl=False)
        return 0
    target = folder if folder is not None else Path(mapping.name.split(".")[0] or "kb")
    made = _made(mapping, target, turtle=turtle, force=force)
    if as_json:
        counts = {"rows": made.told.rows, "facts": made.told.quads, "left_aside": made.told.left}
        lists = {"asides": [asdict(each) for each in made.told.asides], "words": [asdict(each) for each in made.words]}
        ends = {"warnings": list(made.warnings), "sentences": list(made.sentences)}
        session.emit_json({"folder": str(made.folder), "files": list(made.files), **counts, **lists, **ends})
    else:
        _tell(made)
    return 0


def _made(mapping: Path, target: Path, *, turtle: bool, force: bool) -> Mapped:
    with Progress("Mapping:", _STEPS) as progress:
        if turtle:
            from imprimatur.ingest.mapping.engine import map_rml

            return map_rml(mapping, target, force=force, step=progress.step)
        from imprimatur.ingest.mapping.folder import map_folder
        from imprimatur.ingest.mapping.short_form import read_mapping

        return map_folder(read_mapping(mapping), target, force=force, step=progress.step)


def _tell(made: Mapped) -> None:
    click.echo(f"Made {plain(str(made.folder))} with {plain(', '.join(made.files))}")
    click.echo(f"{made.told.quads} facts of {made.told.rows} rows")
    for each in made.told.asides:
        place = each.place.removeprefix("doc:")
        of = f" ({each.property.rpartition('/')[2].rpartition('#')[2]})" if each.property else ""
        click.echo(plain(f"left aside: {place}{of}: {each.reason}"))
    if made.told.left > len(made.told.asides):
        click.echo(f"and {made.told.left - len(made.told.asides)} more")
    tell_sentences(made.warnings, made.sentences)
    click.echo(f"\nNext: imprimatur check 'A sentence to check.' --kb {plain(str(made.folder))}")


def tell_sentences(warnings: tuple[str, ...], sentences: tuple[str, ...]) -> None:
    """Prints what a knowledge base warns of, and what it supports."""
    for warning in warnings:
        click.echo(f"warning: {plain(warning)}")
    if sentences:
        click.echo("\nIt supports, among others:")
        for sentence in sentences:
            click.echo(f"  {plain(sentence)}")
    else:
        click.echo("\nNo simple sentence about its first facts is supported: look at the labels in ontology.ttl.")
