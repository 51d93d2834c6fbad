"""``imprimatur kb``: what a knowledge base holds, and whether its graph keeps to its own shapes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import plain
from imprimatur.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.sources.shacl.report import GraphCheck

__all__ = ["command"]


@click.group()
def command() -> None:
    """Look at a knowledge base, or validate it."""


@command.command()
@click.argument("kb", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def info(*, kb: str, as_json: bool) -> int:
    """Show a knowledge base's name, sources, counts, versions and hash. DIR is a folder, or a bundled name."""
    found = session.open_oracle(kb, None).info()
    if as_json:
        session.emit_json(found)
    else:
        click.echo("\n".join(_lines(found)))
    return 0


@command.command()
@click.argument("kb", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--turtle", is_flag=True, help="Print the W3C validation report.")
def check(*, kb: str, as_json: bool, turtle: bool) -> int:
    """Validate the whole graph against its shapes, by pySHACL; minutes for a large one.

    Exit status: 0 when it conforms, 1 when there are results, 2 when the folder is wrong or has no shapes.
    """
    found = _validated(kb)
    if as_json:
        results = {"conforms": found.conforms, "results": found.rows(), "by_shape": found.by_shape()}
        session.emit_json({**results, "not_examined": list(found.unfocused)})
    else:
        click.echo(plain(found.report.rstrip() if turtle else found.words()))
    return 0 if found.conforms else 1


def _validated(kb: str) -> GraphCheck:
    from imprimatur.config import load_folder, resolve

    config = load_folder(resolve(kb))
    graph = config.graph
    if not graph.shapes:
        hint = "name SHACL files under `graph: {shapes: [...]}` in imprimatur.yaml"
        raise KnowledgeBaseError("has no shapes to validate against", where=str(config.folder), hint=hint)
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.store import Graph, GraphFile

    files = [GraphFile(path, "data", graph.trust_of(path)) for path in graph.data]
    files += [GraphFile(path, "ontology", graph.trust_of(path)) for path in graph.ontology]
    if sys.stderr.isatty():
        click.echo(f"validating {plain(config.name)} …", err=True)
    return Shapes.load(Graph.load(files, years=graph.years), graph.shapes).check_graph()


def _lines(values: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Nested values as indented ``key: value`` lines."""
    for key, value in values.items():
        name = f"{indent}{plain(str(key)).replace('_', ' ')}:"
        if isinstance(value, Mapping):
            yield name
            yield from _lines(value, indent + "  ")
        elif isinstance(value, Sequence) and not isinstance(value, str):
            yield f"{name} {plain(', '.join(str(item) for item in value)) or 'none'}"
        else:
            yield f"{name} {plain(str(value))}"
