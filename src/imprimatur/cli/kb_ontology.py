"""``imprimatur kb ontology``: what an ontology allows, and which facts of a knowledge base break it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain, print_table
from imprimatur.errors import InputError, KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.ingest.against import Held
    from imprimatur.ingest.ontology import Guardrail, Property

__all__ = ["ontology"]


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option(
    "--against", "kb", metavar="DIR", help="Count the facts of a knowledge base that break it, with examples."
)
@click.option(
    "--lacking",
    "store",
    metavar="DIR",
    help="Print the patterns that facts ingested there would need, as a file to be named beside it.",
)
@click.option("--open", "is_open", is_flag=True, help="Let in classes and relations that it does not name.")
@click.option("--turtle", is_flag=True, help="Print it as an ontology file for a knowledge base.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ontology(
    *, files: tuple[str, ...], kb: str | None, store: str | None, is_open: bool, turtle: bool, as_json: bool
) -> int:
    """Show what an ontology allows: classes, and which relation leads from what to what.

    FILE is OWL, RDFS or SHACL in any syntax of RDF, YAML in the short form, or JSON as GraphRAG SDK saves it; several
    files are read as one. With --against the exit status is 1 when facts break it. What --lacking prints changes
    nothing by itself: delete what is not right of it, and name it as one more FILE.
    """
    from imprimatur.ingest.ontology_files import read_guardrail

    if (kb and store) or (turtle and (as_json or kb or store)):
        message = "--turtle goes alone, and --json with one of --against and --lacking"
        raise InputError(message, hint="leave one of them out")
    made = read_guardrail(files, closed=False if is_open else None)
    if turtle:
        click.echo(made.to_turtle(), nl=False)
        return 0
    if kb is not None:
        return _print_against(made, kb, as_json=as_json)
    if store is not None:
        return _print_lacking(made, Path(store), as_json=as_json)
    if as_json:
        session.emit_json(_as_json(made))
        return 0
    _print(made)
    return 0


def _print(made: Guardrail) -> None:
    names = {each.iri: each.name for each in made.classes}
    rule = "what it does not name is refused" if made.closed else "what it does not name is let in"
    counts = f"{len(made.classes)} classes, {len(made.relations)} relations, {len(made.attributes)} attributes"
    click.echo(f"{counts}; {rule}  ({made.content_hash[:12]})\n")
    print_table(
        ("class", "is a", "shares nothing with"),
        [
            (
                _called(each.labels),
                ", ".join(names.get(iri, iri) for iri in each.above),
                ", ".join(names.get(iri, iri) for iri in each.disjoint),
            )
            for each in sorted(made.classes, key=lambda one: one.name.lower())
        ],
        folded=True,
    )
    rows = [row for each in sorted(made.properties, key=lambda one: one.name.lower()) for row in _rows(made, each)]
    print_table(("relation", "from", "to", "besides"), rows, folded=True)
    if made.remarks:
        click.echo("Read, and not checked by the ontology alone:")
    for remark in made.remarks:
        click.echo(plain(f"  {remark}"))


def _called(labels: tuple[str, ...]) -> str:
    more = f" ({', '.join(labels[1:])})" if len(labels) > 1 else ""
    return labels[0] + more


def _rows(made: Guardrail, each: Property) -> Iterator[tuple[str, str, str, str]]:
    from imprimatur.ingest.refusing import class_name

    notes = [_one(made, each)] if each.single else []
    if each.unit:
        from imprimatur.language.units import by_iri

        unit = by_iri(each.unit)
        notes.append(f"in {unit.symbol if unit is not None else each.unit}")
    if each.allowed:
        listed = [value if isinstance(value, str) else value.lexical for value in each.allowed]
        notes.append("one of " + ", ".join(listed[:8]) + (", …" if len(listed) > 8 else ""))
    ends: dict[str, list[str]] = {}
    for pattern in each.patterns:
        ends.setdefault(class_name(made, pattern.source), []).append(class_name(made, pattern.target))
    by_target: dict[tuple[str, ...], list[str]] = {}
    for source, targets in ends.items():
        by_target.setdefault(tuple(targets), []).append(source)
    for number, (led, sources) in enumerate(by_target.items()):
        first = number == 0
        yield (
            _called(each.labels) if first else "",
            ", ".join(sources),
            ", ".join(led),
            "; ".join(notes) if first else "",
        )


def _one(made: Guardrail, each: Property) -> str:
    from imprimatur.ingest.refusing import class_name

    if each.functional:
        return "one value at most"
    return f"one value at most for each {', '.join(class_name(made, iri) for iri in each.single)}"


def _as_json(made: Guardrail) -> dict[str, Any]:
    return {
        "closed": made.closed,
        "content_hash": made.content_hash,
        "classes": [
            {
                "iri": each.iri,
                "labels": list(each.labels),
                "description": each.description,
                "above": list(each.above),
                "disjoint": list(each.disjoint),
            }
            for each in made.classes
        ],
        "properties": [
            {
                "iri": each.iri,
                "labels": list(each.labels),
                "description": each.description,
                "patterns": [[pattern.source, pattern.target] for pattern in each.patterns],
                "functional": each.functional,
                "single": list(each.single),
                "unit": each.unit,
                "allowed": [value if isinstance(value, str) else value.lexical for value in each.allowed],
            }
            for each in made.properties
        ],
        "remarks": list(made.remarks),
    }


def _print_against(made: Guardrail, kb: str, *, as_json: bool) -> int:
    from imprimatur.config import load_folder, resolve
    from imprimatur.ingest.against import against
    from imprimatur.ingest.against import as_json as told
    from imprimatur.knowledge import open_knowledge

    config = load_folder(resolve(kb))
    part = open_knowledge(config).part
    if part is None:
        hint = "name a graph's files under `graph: {data: [...]}` in imprimatur.yaml"
        raise KnowledgeBaseError("has no graph", where=str(config.folder), hint=hint)
    with Progress("Holding facts against the ontology", len(part.graph) // 1000) as progress:
        found = against(part.graph, part.schema, made, progress=lambda done: progress.step(str(done)))
    if as_json:
        session.emit_json(told(found))
    else:
        _print_held(found)
    return 1 if found.broken else 0


def _print_held(found: Held) -> None:
    click.echo(f"{found.facts:,} facts, {found.broken:,} of them break the ontology")
    if not found.breaks:
        return
    rows = [(each.code, each.relation, f"{each.facts:,}", each.examples[0][0]) for each in found.breaks]
    print_table(("reason", "relation", "facts", "such as"), rows, folded=True)
    for each in found.breaks:
        for fact, reason in each.examples:
            click.echo(plain(f"{each.code}: {fact}\n    {reason}"))


def _print_lacking(made: Guardrail, base: Path, *, as_json: bool) -> int:
    from imprimatur.ingest.lacking import as_json as told
    from imprimatur.ingest.lacking import lacking, proposed, short_form

    candidates, gone = proposed(base)
    found = lacking(made, candidates)
    if gone:
        hint = "run `imprimatur kb ingest` again to see them"
        click.echo(f"note: what {gone} documents state is not kept any more; {hint}", err=True)
    if as_json:
        session.emit_json(told(found))
    elif found:
        click.echo(short_form(made, found), nl=False)
    else:
        click.echo("# nothing was refused for want of a pattern")
    return 0
