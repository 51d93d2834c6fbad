"""``imprimatur kb``: what a knowledge base holds, and whether its graph keeps to its own shapes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.kb_build import build
from imprimatur.cli.kb_ingest import facts, ingest, review
from imprimatur.cli.kb_ontology import ontology
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError, KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.kb_suggest import Suggestion
    from imprimatur.sources.graph.shapes import Engine, Shapes

__all__ = ["command"]


@click.group()
def command() -> None:
    """Make a knowledge base of tables, look at one, validate it, or find what its words lack."""


for _each in (build, ingest, facts, review, ontology):
    command.add_command(_each)


@command.command()
@click.argument("kb", metavar="DIR")
@click.option("--shapes", "with_shapes", is_flag=True, help="List the shapes instead, and how each runs.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def info(*, kb: str, with_shapes: bool, as_json: bool) -> int:
    """Show a knowledge base's name, sources, counts, versions and hash. DIR is a folder, or a bundled name."""
    if with_shapes:
        ways = _ways(_shapes(kb, "compiled"))
        if as_json:
            session.emit_json({"shapes": ways})
        else:
            click.echo("\n".join(map(_way_line, ways)))
        return 0
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
@click.option(
    "--engine",
    type=click.Choice(["compiled", "pyshacl"]),
    default="compiled",
    show_default=True,
    help="What validates: look-ups compiled from the shapes, or pySHACL (minutes for a large graph), to compare.",
)
def check(*, kb: str, as_json: bool, turtle: bool, engine: Engine) -> int:
    """Validate the whole graph against its shapes.

    Exit status: 0 when it conforms, 1 when there are results, 2 when the folder is wrong or has no shapes, 3 when there
    are no results but something could not be decided.
    """
    shapes = _shapes(kb, engine)
    if sys.stderr.isatty():
        click.echo(f"validating {plain(kb)} …", err=True)
    found = shapes.check_graph()
    if as_json:
        results = {"conforms": found.conforms, "results": found.rows(), "by_shape": found.by_shape()}
        session.emit_json({**results, "not_examined": list(found.unfocused), "undecided": list(found.undecided)})
    else:
        click.echo(plain(found.report.rstrip() if turtle else found.words()))
    return 1 if not found.conforms else 3 if found.undecided else 0


@command.command()
@click.argument("kb", metavar="DIR")
@click.argument("corpus", metavar="IN")
@click.option("--least", type=click.IntRange(1), default=2, show_default=True, help="Sentences that must agree.")
@click.option("--out", "target", metavar="FILE", help="Add the suggestions to a Turtle file, as comments to uncomment.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def suggest(*, kb: str, corpus: str, least: int, target: str | None, as_json: bool) -> int:
    """List alternative labels that a corpus of answers suggests.

    IN holds rows as `batch` takes them. Words that stand where the graph has a fact, and names that are nearly those of
    things, are counted, tried, and listed with examples. Nothing takes effect until a person accepts it: uncomment a
    line of FILE, and name FILE under `graph: {ontology: [...]}` in imprimatur.yaml.
    """
    found = _suggested(kb, corpus, least)
    new = None
    if target is not None:
        from imprimatur.kb_suggest import write_file

        try:
            new = write_file(Path(target), found, corpus=Path(corpus).name, on=date.today())
        except (OSError, UnicodeError) as fault:
            raise InputError(f"cannot be written: {fault}", where=target) from fault
    if as_json:
        session.emit_json([asdict(each) for each in found])
        return 0
    for each in found:
        tried = "" if each.licensed is None else f", {each.licensed} licensed with it"
        click.echo(plain(f"{each.name}: also “{each.label}”? ({each.agreeing} of {each.seen} sentences agree{tried})"))
        for example in each.examples:
            click.echo(f"    {plain(' '.join(example.split()))}")
    if not found:
        click.echo("Nothing is suggested.")
    if new is not None:
        click.echo(f"{new} added to {plain(str(target))}, as comments")
    return 0


def _suggested(kb: str, corpus: str, least: int) -> tuple[Suggestion, ...]:
    from imprimatur.cli.progress import Progress
    from imprimatur.cli.rows import parse_row
    from imprimatur.kb_suggest import Suggestions
    from imprimatur.oracle import Oracle

    oracle = session.open_oracle(kb, None)
    if not isinstance(oracle, Oracle) or oracle.knowledge.part is None:
        hint = "name a graph's files under `graph: {data: [...]}` in imprimatur.yaml"
        raise KnowledgeBaseError("has no graph to suggest labels for", where=kb, hint=hint)
    lines = [line for line in session.read_file(Path(corpus)).splitlines() if line.strip()]
    suggestions = Suggestions(oracle)
    with Progress("Reading", len(lines)) as progress:
        for number, line in enumerate(progress.over(lines, lambda _: 1), 1):
            try:
                suggestions.add(parse_row(line.encode("utf-8")).judge(oracle))
            except InputError as fault:
                raise InputError(str(fault), where=f"{corpus}, line {number}") from fault
    return suggestions.found(least=least)


@command.command()
@click.argument("kb", metavar="DIR")
@click.option("--embed", metavar="MODEL", help="`minilm`, or a folder with a model, instead of the one it names.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def vectors(*, kb: str, embed: str | None, as_json: bool) -> int:
    """Make the vectors of a graph's facts, by which questions find them; once for each graph and model.

    The model is the one under `embed:` in imprimatur.yaml. The vectors are kept in the user's cache folder.
    """
    from imprimatur.cli.passages import open_model
    from imprimatur.config import load_folder, resolve
    from imprimatur.knowledge import open_knowledge
    from imprimatur.retrieve.fact_vectors import FactVectors
    from imprimatur.retrieve.retrieval import facts_of
    from imprimatur.sources.passages.embedding import open_embedder

    config = load_folder(resolve(kb))
    embedder = open_model(embed) or (open_embedder(config.embed) if config.embed else None)
    if embedder is None:
        raise InputError("no embedding model is named", hint="add --embed minilm, or `embed:` in imprimatur.yaml")
    facts = facts_of(open_knowledge(config))
    if facts is None:
        raise KnowledgeBaseError("has no graph", where=str(config.folder))
    with Progress("Embedding facts", FactVectors.count(facts)) as progress:
        made = FactVectors.build(facts, embedder, progress=lambda done: progress.step(str(done)))
    if as_json:
        session.emit_json({"facts": len(made), "model": embedder.name, "fingerprint": embedder.fingerprint})
    else:
        click.echo(f"{len(made):,} facts have vectors ({plain(embedder.name)})")
    return 0


def _shapes(kb: str, engine: Engine) -> Shapes:
    from imprimatur.config import load_folder, resolve
    from imprimatur.knowledge import open_tables
    from imprimatur.sources.graph.shapes import Shapes
    from imprimatur.sources.graph.store import Graph, GraphFile

    config = load_folder(resolve(kb))
    graph = config.graph
    if not graph.shapes:
        hint = "name SHACL files under `graph: {shapes: [...]}` in imprimatur.yaml"
        raise KnowledgeBaseError("has no shapes to validate against", where=str(config.folder), hint=hint)
    files = [GraphFile(path, "data", graph.trust_of(path)) for path in graph.data]
    files += [GraphFile(path, "ontology", graph.trust_of(path)) for path in graph.ontology]
    if (tables := open_tables(config)) is not None:
        files += tables.graph_files()
    if engine == "compiled":
        files += [GraphFile(path, "shapes", graph.trust_of(path)) for path in graph.shapes]
    return Shapes.load(Graph.load(files, years=graph.years), graph.shapes, engine=engine)


def _ways(shapes: Shapes) -> list[dict[str, str | int]]:
    """Each shape: how it runs, why it is not compiled, and how many focus nodes it has."""
    foci = {each.shape: each.focus_nodes for each in shapes.names()}
    return [{**asdict(each), "focus_nodes": foci[each.shape]} for each in shapes.ways()]


def _way_line(way: Mapping[str, str | int]) -> str:
    reason = f" ({way['reason']})" if way["reason"] else ""
    return plain(f"{way['label']}: {way['way']}{reason}, {way['focus_nodes']} focus nodes  <{way['shape']}>")


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
