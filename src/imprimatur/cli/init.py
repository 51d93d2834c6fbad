"""``imprimatur init``: make a knowledge base folder from a graph."""

from __future__ import annotations

from pathlib import Path

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import plain

__all__ = ["command"]


@click.command()
@click.argument("graph", metavar="GRAPH", type=click.Path(path_type=Path))
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(*, graph: Path, folder: Path | None, as_json: bool) -> int:
    """Make a knowledge base folder from a graph (Turtle, N-Triples, RDF/XML, JSON-LD, …).

    DIR is named after the graph by default. It works at once; ontology-additions.ttl in it lists labels, units and
    functional properties that the graph suggests, each to be confirmed by uncommenting it.
    """
    from imprimatur.kb_init import ADDITIONS, make_folder

    summary = make_folder(graph, folder if folder is not None else Path(graph.name.split(".")[0] or "kb"))
    if as_json:
        counts = {"triples": summary.triples, "entities": summary.entities, "unlabelled": summary.unlabelled}
        guesses = [{"property": guess.property, "turtle": guess.turtle, "why": guess.why} for guess in summary.guesses]
        lists = {"properties": list(summary.properties), "guesses": guesses, "warnings": list(summary.warnings)}
        session.emit_json({"folder": str(summary.folder), "files": list(summary.files), **counts, **lists})
        return 0
    click.echo(f"Made {plain(str(summary.folder))} with {plain(', '.join(summary.files))}")
    click.echo(f"{summary.triples} triples, {summary.entities} entities, {len(summary.properties)} properties")
    for warning in summary.warnings:
        click.echo(f"warning: {plain(warning)}")
    if summary.guesses:
        click.echo(f"{len(summary.guesses)} guesses to confirm in {ADDITIONS}")
    click.echo(f"Next: imprimatur check 'A sentence to check.' --kb {plain(str(summary.folder))}")
    return 0
