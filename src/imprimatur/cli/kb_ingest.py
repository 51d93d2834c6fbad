"""``imprimatur kb ingest``, ``kb facts`` and ``kb review``: facts from documents, with their sentences."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError, KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.ingest.applying import Outcome
    from imprimatur.ingest.rows import Row
    from imprimatur.ingest.store import FactStore

__all__ = ["facts", "ingest", "review"]

_SHOWN = 20
_path = click.Path(path_type=Path)


@click.command()
@click.argument("folder", metavar="DIR", type=_path)
@click.argument("documents", metavar="[DOCUMENT]...", nargs=-1, type=_path)
@click.option("--reader", metavar="READER", help="What reads: patterns, gliner=FOLDER or llm.  [default: patterns]")
@click.option("--ontology", metavar="FILE", multiple=True, type=_path, help="What facts may say; several are one.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 256), help="How many processes read.  [default: 1]")
@click.option("--anew", is_flag=True, help="Hold everything against the checks again, also what was held back.")
@click.option("--dry-run", is_flag=True, help="Say what would be stored; write nothing.")
@click.option("--write", is_flag=True, help="Add the files of facts to imprimatur.yaml where it lacks them.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ingest(
    *,
    folder: Path,
    documents: tuple[Path, ...],
    reader: str | None,
    ontology: tuple[Path, ...],
    workers: int | None,
    anew: bool,
    dry_run: bool,
    write: bool,
    as_json: bool,
) -> int:
    """Read documents into facts of a knowledge base; what was read before and has not changed is not read again.

    DOCUMENT is a file, or a folder whose text, Markdown, HTML, PDF and JSON files are read. Without one, all that were
    ever named are looked at again, with those under `ingest: {documents: [...]}` in imprimatur.yaml: new ones are
    added, changed ones replaced, and the facts of those that are gone are removed. All of it is done or nothing; an
    ingest that was stopped goes on where it was. A DIR without imprimatur.yaml becomes a knowledge base.

    Facts that rules read are stored as `derived`; those that a model had a part in as `model`, and wait for review.
    """
    from imprimatur.ingest.running import Wanted, run

    progress = Progress("Reading", None)
    wanted = Wanted(
        folder=folder,
        documents=documents,
        reader=reader,
        ontology=ontology,
        workers=workers,
        anew=anew,
        dry_run=dry_run,
        write=write,
        total=progress.expect,
        progress=progress.step,
    )
    with progress:
        done = run(wanted)
    if as_json:
        session.emit_json({**_told(done.outcome), "made": done.made, "lines": done.lines, "dry_run": dry_run})
        return 0
    if done.made:
        click.echo(f"Made {plain(str(folder))} with {plain(', '.join(done.made))}")
    _print_outcome(done.outcome, dry_run=dry_run)
    if done.lines:
        click.echo("\nThe knowledge base does not use its facts yet. Add --write, or these lines to imprimatur.yaml:\n")
        click.echo(plain(done.lines))
    if not dry_run:
        _print_next(done.outcome, str(folder))
    return 0


def _told(outcome: Outcome) -> dict[str, Any]:
    plan = outcome.plan
    return {
        "documents": {
            "added": list(plan.added),
            "changed": list(plan.changed),
            "unchanged": list(plan.unchanged),
            "deleted": list(plan.deleted),
        },
        "facts": dict(outcome.counts),
        "new": [row.to_dict() for row in outcome.new],
        "gone": [row.to_dict() for row in outcome.gone],
        "problems": dict(outcome.problems),
        "notes": {id_: list(notes) for id_, notes in outcome.notes.items()},
        "stranded": outcome.stranded,
        "written": outcome.written,
    }


def _print_outcome(outcome: Outcome, *, dry_run: bool) -> None:
    plan = outcome.plan
    parts = (("added", plan.added), ("changed", plan.changed), ("unchanged", plan.unchanged), ("deleted", plan.deleted))
    told = ", ".join(f"{len(ids)} {what}" for what, ids in parts if ids) or "none"
    click.echo(f"Documents: {told}")
    counts = outcome.counts
    words = {"stored": "stored", "waiting": "of a model, waiting", "accepted": "accepted"}
    words |= {"quarantined": "quarantined", "rejected": "rejected"}
    facts_ = ", ".join(f"{counts[state]} {word}" for state, word in words.items() if counts[state]) or "none"
    click.echo(f"Facts: {facts_} ({len(outcome.new)} new, {len(outcome.gone)} gone)")
    for sign, rows in (("+", outcome.new), ("-", outcome.gone)):
        for row in rows[:_SHOWN] if dry_run else ():
            click.echo(f"  {sign} {plain(_line(row))}")
        if dry_run and len(rows) > _SHOWN:
            click.echo(f"  {sign} … {len(rows) - _SHOWN} more: --json shows all")
    for id_, why in outcome.problems.items():
        click.echo(f"warning: {plain(id_)} was not read: {plain(why)}")
    for id_, notes in outcome.notes.items():
        click.echo(f"note: {plain(id_)}: {plain('; '.join(notes))}")
    if outcome.stranded:
        told = f"{outcome.stranded} accepted facts are stated by no document any more"
        click.echo(f"note: {told}; `imprimatur kb review --reject` takes them out")
    if plan.deleted and counts["quarantined"] and not (plan.added or plan.changed):
        click.echo("note: what a deleted document stood against is still quarantined; --anew looks at it again")
    if not outcome.written and not dry_run:
        click.echo("Nothing has changed.")


def _line(row: Row) -> str:
    why = f" [{', '.join(reason.code for reason in row.reasons)}]" if row.reasons else ""
    return f"{row.words}{why}"


def _print_next(outcome: Outcome, folder: str) -> None:
    looking = [state for state in ("quarantined", "waiting") if outcome.counts[state]]
    for state in looking:
        click.echo(f"Next: imprimatur kb facts {plain(folder)} --{state}")
    if not looking:
        click.echo(f"Next: imprimatur kb facts {plain(folder)}")


@click.command()
@click.argument("folder", metavar="DIR", type=_path)
@click.option("--of", "document", metavar="FILE", help="Only those of one document, or of a folder.")
@click.option("--quarantined", is_flag=True, help="Only what was not let in, with the reasons.")
@click.option("--waiting", is_flag=True, help="Only what a model proposed and nobody has looked at.")
@click.option("--accepted", is_flag=True, help="Only what a person has accepted.")
@click.option("--rejected", is_flag=True, help="Only what a person has rejected.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
def facts(
    *,
    folder: Path,
    document: str | None,
    quarantined: bool,
    waiting: bool,
    accepted: bool,
    rejected: bool,
    as_json: bool,
) -> int:
    """List the facts that documents gave a knowledge base, each with its sentence; by default those in the graph."""
    store = _store(folder)
    chosen = {
        "quarantined": quarantined,
        "waiting": waiting,
        "accepted": accepted,
        "rejected": rejected,
    }
    states = [state for state, wanted in chosen.items() if wanted] or ["stored", "waiting", "accepted"]
    found = store.read()
    rows = sorted((row for row in found.rows if row.state in states), key=lambda row: row.order)
    if document is not None:
        rows = [row for row in rows if _is_of(row, document, folder)]
        if not rows and not any(_under(id_, document, folder) for id_ in found.documents):
            hint = "the documents are listed in facts/state.json" if found.documents else "nothing was ingested yet"
            raise InputError("no such document is in the store", where=document, hint=hint)
    if as_json:
        for row in rows:
            click.echo(json.dumps(row.to_dict(), ensure_ascii=False, sort_keys=True).encode("utf-8", "replace"))
        return 0
    if not rows:
        click.echo("There are none.")
        return 0
    if sys.stdout.isatty():
        _print_table(rows)
    else:
        click.echo("\n".join(line for row in rows for line in _lines(row)))
    return 0


def _store(folder: Path) -> FactStore:
    from imprimatur.config import resolve
    from imprimatur.ingest.store import FactStore

    store = FactStore(resolve(folder))
    if not store.exists:
        hint = f"read some documents: imprimatur kb ingest {folder} DOCUMENTS"
        raise KnowledgeBaseError("has no facts from documents", where=str(folder), hint=hint)
    return store


def _is_of(row: Row, document: str, folder: Path) -> bool:
    return bool(row.document) and _under(row.document, document, folder)


def _under(id_: str, document: str, folder: Path) -> bool:
    """Whether a document is meant: by its id, its path from here, or a folder that it is in."""
    names = {os.path.normpath(document)}
    names.add(os.path.normpath(os.path.relpath(document, folder)))
    return any(id_ == name or id_.startswith(f"{name}/") for name in names)


def _lines(row: Row) -> list[str]:
    made = [f"{row.id}  {plain(row.words)}  [{row.state}]"]
    if row.document:
        made.append(f"    {plain(row.document)}, characters {row.start}-{row.end}: “{_one_line(row.quote)}”")
    made += [f"    {plain(reason.code)}: {plain(reason.detail)}" for reason in row.reasons]
    if row.decided_by:
        made.append(f"    {row.state} by {plain(row.decided_by)}, {plain(row.decided_at)}")
    return made


def _one_line(text: str) -> str:
    return plain(" ".join(text.split()))


def _print_table(rows: Sequence[Row]) -> None:
    """The rows as a table that fits the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, style in (("id", "dim"), ("fact", ""), ("state", ""), ("sentence", "dim")):
        table.add_column(name, style=style, overflow="fold")
    for row in rows:
        where = f"{row.document} {row.start}-{row.end}: “{_one_line(row.quote)}”" if row.document else row.by
        why = "".join(f"\n{reason.code}: {reason.detail}" for reason in row.reasons)
        cells = (row.id, plain(row.words + why), row.state, plain(where))
        table.add_row(*map(Text, cells))
    Console().print(table)


@click.command()
@click.argument("folder", metavar="DIR", type=_path)
@click.option("--accept", metavar="ID", multiple=True, help="Make a fact curated; the first characters are enough.")
@click.option("--reject", metavar="ID", multiple=True, help="Take a fact out, and keep it out.")
@click.option("--by", metavar="NAME", help="Who decides; it is kept with the decision.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def review(*, folder: Path, accept: tuple[str, ...], reject: tuple[str, ...], by: str | None, as_json: bool) -> int:
    """Look at what waits for a person, and decide on it.

    Without --accept and --reject, what waits or is quarantined is counted by reason. A decision holds whenever the
    document is read again; an accepted fact stays in the graph until it is rejected.
    """
    from imprimatur.ingest.reviewing import review as decide

    store = _store(folder)
    if not accept and not reject:
        return _print_open(store, str(folder), as_json)
    if by is None:
        raise InputError("who decides must be said", where="--by", hint="for instance --by 'Ada Lovelace'")
    done = decide(store.base, accept=accept, reject=reject, by=by)
    if as_json:
        lists = {"accepted": done.accepted, "rejected": done.rejected}
        lists |= {"others": done.others}
        told = {name: [row.to_dict() for row in rows] for name, rows in lists.items()}
        session.emit_json({**told, "stale": list(done.stale), "written": done.written})
        return 0
    for row in (*done.accepted, *done.rejected):
        click.echo(f"{row.state}: {plain(row.words)}")
    for id_ in done.stale:
        click.echo(f"note: {plain(id_)} is not what it was when it was read; does the sentence still stand there?")
    for row in done.others[:_SHOWN]:
        click.echo(f"note: {plain(row.document) or plain(row.by)} states it too, and that stays: {row.id}")
    if not done.written:
        click.echo("Nothing has changed.")
    return 0


def _print_open(store: FactStore, folder: str, as_json: bool) -> int:
    rows = [row for row in store.read().rows if row.state in ("waiting", "quarantined")]
    if as_json:
        session.emit_json([asdict(row) for row in rows])
        return 0
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        for code in [reason.code for reason in row.reasons] or ["proposed by a model"]:
            counts[row.state, code] = counts.get((row.state, code), 0) + 1
    if not rows:
        click.echo("Nothing waits.")
        return 0
    cells = [(state, code, str(count)) for (state, code), count in sorted(counts.items())]
    click.echo(aligned(("state", "reason", "facts"), cells))
    click.echo(f"\nNext: imprimatur kb facts {plain(folder)} --quarantined --waiting")
    return 0
