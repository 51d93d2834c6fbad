"""``imprimatur eval ingest``: documents made facts, against gold triples."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["ingest"]


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--ontology",
    "ontologies",
    multiple=True,
    metavar="NAME",
    help="Only this ontology (a part of its name); repeatable.",
)
@click.option("--guardrail/--no-guardrail", default=None, help="Only with, or only without it; both by default.")
@click.option("--limit", type=click.IntRange(1), help="How many sentences of each ontology; all by default.")
@click.option(
    "--show", type=click.IntRange(0), default=0, metavar="N", help="Print so many facts that differ from gold."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def ingest(
    *,
    folder: Path,
    ontologies: tuple[str, ...],
    guardrail: bool | None,
    limit: int | None,
    show: int,
    as_json: bool,
) -> int:
    """Make facts of sentences, end to end, and hold what is stored against gold triples.

    FOLDER is one of Text2KGBench, with ontologies/*_ontology.json and ground_truth/ont_*_ground_truth.jsonl. Printed
    are precision and recall with 95 % intervals, with and without the ontology as a guardrail.
    """
    from imprimatur.evals.ingesting import Settings, run

    settings = Settings(ontologies=ontologies, guardrail=guardrail, limit=limit, show=show, as_json=as_json)
    status: int = run(folder, settings)
    return status
