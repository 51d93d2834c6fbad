"""``imprimatur memory``: add, change, list and find the entries that answers may cite."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.sources.memory.entries import Entry, Revision
    from imprimatur.sources.memory.store import Memory

__all__ = ["command"]

_Command = Callable[..., int]
_TRUST = click.Choice(["curated", "derived", "model"])


@click.group()
def command() -> None:
    """Keep the entries that answers may cite."""


def _options(function: _Command) -> _Command:
    function = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)
    function = click.option("--kb", metavar="DIR", help="The knowledge base whose memory is meant.")(function)
    help_ = "The memory's file: .jsonl, or .db for SQLite (default: that of the knowledge base)."
    return click.option("--file", "file", type=click.Path(dir_okay=False, path_type=Path), help=help_)(function)


def _fields(function: _Command) -> _Command:
    for option in (
        click.option("--metadata", metavar="JSON", help="What else is kept with it; it is no evidence."),
        click.option("--from", "valid_from", metavar="DAY", help="The first day on which it holds."),
        click.option("--to", "valid_to", metavar="DAY", help="The last day on which it holds."),
        click.option("--trust", type=_TRUST, help="How far it is trusted."),
    ):
        function = option(function)
    return function


@command.command()
@_options
@_fields
@click.argument("id_", metavar="ID")
@click.argument("text", metavar="TEXT")
def add(*, file: Path | None, kb: str | None, as_json: bool, id_: str, text: str, **fields: str | None) -> int:
    """Add an entry. TEXT is a text, a file's name, or - for standard input."""
    from imprimatur.sources.memory.entries import entry_of

    memory = _open(file, kb, create=True)
    entry = entry_of({"id": id_, "text": session.read_input(text).strip(), **_given(fields)}, where=f"entry {id_}")
    memory.add(entry)
    return _told(entry, as_json, "added")


@command.command()
@_options
@_fields
@click.argument("id_", metavar="ID")
@click.option("--text", metavar="TEXT", help="The new text.")
def update(
    *, file: Path | None, kb: str | None, as_json: bool, id_: str, text: str | None, **fields: str | None
) -> int:
    """Change an entry. What is not given stays; what it was stays in its history."""
    changes = _given(fields) | ({} if text is None else {"text": text})
    if not changes:
        raise InputError("nothing to change", hint="give --text, --metadata, --from, --to or --trust")
    return _told(_open(file, kb).update(id_, changes), as_json, "updated")


@command.command()
@_options
@click.argument("id_", metavar="ID")
def delete(*, file: Path | None, kb: str | None, as_json: bool, id_: str) -> int:
    """Delete an entry. Its history stays."""
    _open(file, kb).delete(id_)
    if as_json:
        session.emit_json({"id": id_, "deleted": True})
    else:
        click.echo(f"deleted {plain(id_)}")
    return 0


@command.command("list")
@_options
@click.option("--on", metavar="DAY", help="Only what holds on this day.")
def list_entries(*, file: Path | None, kb: str | None, as_json: bool, on: str | None) -> int:
    """List the entries."""
    day = None if on is None else _day(on)
    found = [entry for entry in _open(file, kb) if day is None or entry.holds_on(day)]
    if as_json:
        session.emit_json([_keys(entry) for entry in found])
    else:
        click.echo(aligned(("id", "from", "to", "trust", "text"), [_row(entry) for entry in found]))
    return 0


@command.command()
@_options
@click.option("--history", is_flag=True, help="Show all that it was.")
@click.argument("id_", metavar="ID")
def show(*, file: Path | None, kb: str | None, as_json: bool, history: bool, id_: str) -> int:
    """Show an entry."""
    memory = _open(file, kb)
    entry, revisions = memory.get(id_), memory.history(id_)
    if entry is None and not (history and revisions):
        raise InputError(f"there is no entry {id_[:60]!r}", hint="`imprimatur memory list` shows the ids")
    if history:
        if as_json:
            session.emit_json([_revision_keys(each) for each in revisions])
        else:
            click.echo("\n".join(_revision_line(each) for each in revisions))
        return 0
    assert entry is not None
    return _told(entry, as_json, "")


@command.command()
@_options
@click.option("--most", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many.")
@click.argument("text", metavar="TEXT")
def search(*, file: Path | None, kb: str | None, as_json: bool, most: int, text: str) -> int:
    """Find the entries that share the rarest words with a text."""
    found = _open(file, kb).search(text, most=most)
    if as_json:
        session.emit_json([{**_keys(entry), "score": round(score, 4)} for entry, score in found])
    else:
        for entry, score in found:
            click.echo(plain(f"{score:6.2f}  {entry.id}  {' '.join(entry.text.split())}"))
        if not found:
            click.echo("Nothing is found.")
    return 0


@command.command()
@_options
@click.option("--question", metavar="TEXT", help="The question to put at the end.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of the answer instead.")
def prompt(*, file: Path | None, kb: str | None, as_json: bool, question: str | None, schema: bool) -> int:
    """Print a prompt that makes a model answer in tagged claims that cite entries."""
    from imprimatur.sources.memory.prompt import claims_schema, memory_prompt

    if schema:
        session.emit_json(claims_schema())
        return 0
    written = memory_prompt(_open(file, kb), question)
    if as_json:
        session.emit_json({"prompt": written, "schema": claims_schema()})
    else:
        click.echo(written)
    return 0


def _open(file: Path | None, kb: str | None, *, create: bool = False) -> Memory:
    """The memory that is meant: a file, or that of a knowledge base.

    Raises:
        InputError: neither is given, or there is none yet. KnowledgeBaseError: it cannot be read.
    """
    from imprimatur.sources.memory.store import Memory

    if file is None:
        from imprimatur.config import load_folder, resolve

        file = load_folder(resolve(kb if kb is not None else ".")).memory
        if file is None:
            hint = "name one under `memory:` in imprimatur.yaml, or give --file"
            raise InputError("the knowledge base has no memory", where=kb or ".", hint=hint)
    if not create and not file.exists():
        raise InputError("no such file", where=str(file), hint="`imprimatur memory add` makes it")
    return Memory.open(file)


def _given(fields: dict[str, str | None]) -> dict[str, Any]:
    found: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if "metadata" in found:
        try:
            found["metadata"] = json.loads(found["metadata"])
        except ValueError as fault:
            raise InputError(f"--metadata is no JSON: {fault}", hint='write {"source": "…"}') from fault
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text[:40]!r} is no day", hint="write 2026-01-31") from None


def _told(entry: Entry, as_json: bool, done: str) -> int:
    if as_json:
        session.emit_json(_keys(entry))
    else:
        click.echo(plain(f"{done} {entry.id}: {entry.text}".strip()))
    return 0


def _keys(entry: Entry) -> dict[str, Any]:
    from imprimatur.sources.memory.entries import entry_to_dict

    return entry_to_dict(entry)


def _row(entry: Entry) -> tuple[str, ...]:
    days = (str(day or "") for day in (entry.valid_from, entry.valid_to))
    return (entry.id, *days, entry.trust, " ".join(entry.text.split()))


def _at(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")


def _revision_keys(revision: Revision) -> dict[str, Any]:
    made = {"id": revision.id, "deleted": True} if revision.entry is None else _keys(revision.entry)
    return {**made, "at": _at(revision.at) or None}


def _revision_line(revision: Revision) -> str:
    text = "(deleted)" if revision.entry is None else " ".join(revision.entry.text.split())
    return plain(f"{_at(revision.at) or 'from the start':25}  {text}")
