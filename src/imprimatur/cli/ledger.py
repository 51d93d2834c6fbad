"""``imprimatur ledger``: list, show, count and verify the recorded reports."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprimatur.cli import session
from imprimatur.cli.options import ledger_path
from imprimatur.cli.terminal import aligned, plain

if TYPE_CHECKING:
    from imprimatur.ledger import Ledger

__all__ = ["command"]

_Command = Callable[..., int]


@click.group()
def command() -> None:
    """List, show, count and verify recorded reports."""


def _options(function: _Command) -> _Command:
    place = click.Path(dir_okay=False, path_type=Path)
    function = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)
    return click.option("--ledger", type=place, help="The ledger's file (default: $IMPRIMATUR_LEDGER).")(function)


@command.command("list")
@_options
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many.")
@click.option("--decision", help="Only those with this decision.")
def list_records(*, ledger: Path | None, as_json: bool, limit: int, decision: str | None) -> int:
    """List the newest records."""
    with _open(ledger) as book:
        records = book.list(limit=limit, decision=decision)
    if as_json:
        keys = ("id", "at", "kb", "decision", "summary", "hash")
        session.emit_json([{key: getattr(record, key) for key in keys} for record in records])
        return 0
    rows = [(str(record.id), record.at[:19], record.kb, record.decision, record.summary) for record in records]
    click.echo(aligned(("id", "at (UTC)", "knowledge base", "decision", "summary"), rows))
    return 0


@command.command()
@_options
@click.argument("number", type=click.IntRange(1, 2**63 - 1), metavar="ID")
def show(*, ledger: Path | None, as_json: bool, number: int) -> int:
    """Show one record with its whole report."""
    with _open(ledger) as book:
        record = book.show(number)
    if as_json:
        session.emit_json(record.to_dict())
        return 0
    report = record.report()
    click.echo(f"record {record.id}, {record.at}, knowledge base {plain(record.kb)}")
    click.echo(f"{record.hash}\nafter {record.previous}")
    click.echo(f"decision: {record.decision} ({record.summary})")
    for segment in report["segments"]:
        click.echo(f"  [{segment['start']}:{segment['end']}] {segment['label']} {', '.join(segment['reasons'])}")
        for claim in segment["claims"]:
            text = plain(" ".join(claim["text"].split()))
            click.echo(f"    {claim['label']}: {text} ({', '.join(claim['reasons'])})")
    click.echo(f"text: {plain(report['text'])}")
    return 0


@command.command()
@_options
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="Only answers from this day (UTC) on.")
@click.option("--labels", type=click.Path(path_type=Path), metavar="FILE", help="Which answers are true, by their ids.")
def rates(*, ledger: Path | None, as_json: bool, since: datetime | None, labels: Path | None) -> int:
    """Say how many answers are withheld, and why, for each knowledge base.

    For a gateway in mode shadow this is what would have been withheld. Where a person has labelled some records, with
    lines {"id": 12, "true": true}, also how many of the true ones are withheld (the over-block rate) and how many of
    the others are shown; label a random sample, or the intervals say nothing.
    """
    from imprimatur.evals.withheld import run

    with _open(ledger) as book:
        status: int = run(book, labels, since=None if since is None else f"{since:%Y-%m-%d}", as_json=as_json)
    return status


@command.command()
@_options
def verify(*, ledger: Path | None, as_json: bool) -> int:
    """Derive every hash again. Exit status 3 when a record was changed, removed or swapped.

    A cut-off end leaves no trace inside: compare the head that is printed with one kept elsewhere.
    """
    with _open(ledger) as book:
        found = book.verify()
    if as_json:
        session.emit_json({"count": found.count, "head": found.head, "faults": list(found.faults)})
    else:
        click.echo(f"{found.count} records, head {found.head}")
        for fault in found.faults:
            click.echo(plain(fault))
        click.echo("does NOT verify" if found.faults else "verified")
    return 3 if found.faults else 0


def _open(path: Path | None) -> Ledger:
    from imprimatur.ledger import Ledger

    return Ledger.open(path if path is not None else ledger_path(os.environ), create=False)
