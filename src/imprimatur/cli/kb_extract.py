"""``imprimatur kb extract``: from a SPARQL endpoint to a knowledge base that can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprimatur.cli import session
from imprimatur.cli.kb_map import tell_sentences
from imprimatur.cli.options import Real
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.ingest.extracts.extracting import Extract
    from imprimatur.ingest.extracts.writing import Extracted

__all__ = ["extract_command"]

_MOST_BYTES = 10_000_000


@click.command("extract")
@click.argument("endpoint", metavar="ENDPOINT")
@click.option("--out", "folder", metavar="DIR", type=click.Path(path_type=Path), help="The folder to make.")
@click.option("--class", "cls", metavar="IRI", help="All things of a class.")
@click.option("--things", metavar="FILE", type=click.Path(path_type=Path), help="The things of a file, an IRI a line.")
@click.option("--query", metavar="FILE", type=click.Path(path_type=Path), help="What a CONSTRUCT query gives.")
@click.option("--languages", metavar="TAG", multiple=True, default=("en",), show_default=True, help="Of labels.")
@click.option("--most", metavar="N", type=click.IntRange(1), help="Things at most; facts with --query.")
@click.option("--pause", metavar="S", type=Real(0, 3600), default=0.2, show_default=True, help="Between requests.")
@click.option("--style", type=click.Choice(["wikidata", "dbpedia", "plain"]), help="By the IRIs, by default.")
@click.option("--qualifiers/--no-qualifiers", default=True, show_default=True, help="Keep when facts held.")
@click.option("--external-ids", "external", is_flag=True, help="Keep keys of other catalogues, too.")
@click.option("--force", is_flag=True, help="Write over what is there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def extract_command(
    *,
    endpoint: str,
    folder: Path | None,
    force: bool,
    as_json: bool,
    pause: float,
    **given: object,
) -> int:
    """Make a knowledge base folder from a part of a graph behind a SPARQL endpoint.

    What is wanted is a class, a file of things, or a CONSTRUCT query. It is fetched page by page with labels, times and
    units; of Wikidata with ranks and qualifiers. When it is stopped, the same command goes on where it was. What is
    fetched is judged from the folder: the endpoint is not asked again.
    """
    from imprimatur.ingest.extracts.writing import extract

    wanted = _wanted(given)
    if folder is None:
        raise InputError("no folder is named", hint="add --out DIR")
    with Progress("Extracting:", None) as progress:
        made = extract(endpoint, wanted, folder, pause=pause, force=force, step=progress.step)
    if as_json:
        counts = {"things": made.things, "facts": made.facts, "asked": made.asked, "kept": made.kept}
        lists = {"warnings": list(made.warnings), "sentences": list(made.sentences)}
        told = {"folder": str(made.folder), "files": list(made.files), "left_out": dict(made.left_out)}
        session.emit_json({**told, **counts, **lists})
    else:
        _tell(made)
    return 0


def _wanted(given: dict[str, object]) -> Extract:
    """What the options ask for. Raises InputError where they ask for nothing, or for several things."""
    from imprimatur.ingest.extracts.construct import read_construct
    from imprimatur.ingest.extracts.extracting import Extract
    from imprimatur.sources.remote.queries import iri

    cls, things, query = given["cls"], given["things"], given["query"]
    if sum(each is not None for each in (cls, things, query)) != 1:
        raise InputError("one of --class, --things and --query is given", hint="for instance --class IRI")
    languages, most = given["languages"], given["most"]
    assert isinstance(languages, tuple)
    return Extract(
        query=read_construct(_text(query), where=str(query)) if isinstance(query, Path) else None,
        things=tuple(_lines(things)) if isinstance(things, Path) else (),
        cls=iri(cls)[1:-1] if isinstance(cls, str) else "",
        languages=languages,
        style=str(given["style"] or ""),
        most=most if isinstance(most, int) else None,
        qualifiers=bool(given["qualifiers"]),
        external=bool(given["external"]),
    )


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"larger than {_MOST_BYTES} bytes", where=str(path), hint="is this the right file?")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault


def _lines(path: Path) -> list[str]:
    """The IRIs of a file, one a line; lines that begin with # say nothing."""
    from imprimatur.sources.remote.queries import iri

    found = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        thing = line.strip().removeprefix("<").removesuffix(">")
        if not thing or thing.startswith("#"):
            continue
        try:
            found.append(iri(thing)[1:-1])
        except InputError as fault:
            raise InputError(
                fault.message, where=f"{path}, line {number}", hint="an IRI in full on each line"
            ) from fault
    if not found:
        raise InputError("no thing is in it", where=str(path), hint="write an IRI on each line")
    return found


def _tell(made: Extracted) -> None:
    click.echo(f"Made {plain(str(made.folder))} with {plain(', '.join(made.files))}")
    things = f" of {made.things:,} things" if made.things else ""
    again = f", {made.kept:,} answers were there already" if made.kept else ""
    click.echo(f"{made.facts:,} facts{things}; {made.asked:,} requests{again}")
    for why, count in made.left_out.items():
        click.echo(plain(f"left out: {count:,} {why}"))
    tell_sentences(made.warnings, made.sentences)
    click.echo(f"\nNext: imprimatur check 'A sentence to check.' --kb {plain(str(made.folder))}")
