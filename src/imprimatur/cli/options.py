"""Options that several commands take, each group bundled into one object before the command sees it.

Only this room reads the environment for the ledger's place.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur._dataclasses import dataclass
from imprimatur.cli import session
from imprimatur.errors import LedgerError
from imprimatur.report import Report

if TYPE_CHECKING:
    from imprimatur.ledger import Ledger

__all__ = [
    "Real",
    "Recording",
    "Request",
    "answer_options",
    "extractor_option",
    "ledger_path",
    "recording_options",
    "tenant_option",
]

_Command = Callable[..., int]


class Real(click.FloatRange):
    """A number within bounds. ``nan`` is none, though no bound of click's keeps it out."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; a mistake in the call where there is none."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One answer to judge, as the command line gives it."""

    answer: str | None
    kb: str | None
    question: str | None
    context: tuple[Path, ...]
    policy: str | None
    extractor: str | None
    tenant: str | None
    as_of: datetime | None

    def judge(self) -> tuple[session.OracleLike, Report]:
        """Reads what the options name, and judges it. The input is read before the knowledge base is opened."""
        text = session.read_input(self.answer)
        passages = tuple(session.read_file(path) for path in self.context)
        oracle = session.open_oracle(self.kb, self.policy, self.extractor, self.tenant)
        day: date | None = self.as_of.date() if self.as_of else None
        return oracle, oracle.check(text, self.question, passages, as_of=day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Where reports are recorded, if at all."""

    ledger: Path | None
    no_ledger: bool

    def open(self) -> Ledger | None:
        """The ledger to record in, or None when recording is off.

        A place that was named must work. The default place may fail (no home, read-only disk): that is said on stderr.
        """
        if self.no_ledger:
            return None
        from imprimatur.ledger import Ledger

        named = self.ledger is not None or bool(os.environ.get("IMPRIMATUR_LEDGER"))
        try:
            return Ledger.open(self.ledger if self.ledger is not None else ledger_path(os.environ))
        except LedgerError as fault:
            if named:
                raise
            click.echo(f"warning: not recorded: {fault} ({fault.hint})", err=True)
            return None

    def record(self, report: Report, kb: str | None) -> None:
        """Appends one report, where recording is on."""
        ledger = self.open()
        if ledger is not None:
            with ledger:
                ledger.append(report, kb=kb if kb is not None else ".", at=datetime.now(UTC))


def ledger_path(environ: Mapping[str, str]) -> Path:
    """Where the ledger is when no option says so: ``$IMPRIMATUR_LEDGER``, else in the user's data folder."""
    if environ.get("IMPRIMATUR_LEDGER"):
        return Path(environ["IMPRIMATUR_LEDGER"])
    home = environ.get("XDG_DATA_HOME")
    folder = Path(home) if home and os.path.isabs(home) else Path("~/.local/share").expanduser()
    return folder / "imprimatur" / "ledger.sqlite"


def extractor_option(command: _Command) -> _Command:
    """Adds ``--extractor``."""
    told = "What says which claims are made: reader, gliner, llm, or KIND=FOLDER (default: that of the knowledge base)."
    return click.option("--extractor", metavar="KIND", help=told)(command)


def tenant_option(command: _Command) -> _Command:
    """Adds ``--tenant``."""
    told = "Whose graph to judge by, where each tenant of the knowledge base has one of its own."
    return click.option("--tenant", metavar="NAME", help=told)(command)


def answer_options(command: _Command) -> _Command:
    """Adds the answer's argument and all that may come with it; the command gets them as ``request``."""
    bundled = _bundle(command, "request", Request)
    file = click.Path(path_type=Path)
    day = click.DateTime(["%Y-%m-%d"])
    for option in (
        click.option("--as-of", type=day, help="Judge what “is” means as of this day (default: today)."),
        extractor_option,
        tenant_option,
        click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file."),
        click.option("--context", multiple=True, type=file, metavar="FILE", help="A passage to judge by; repeatable."),
        click.option("--question", help="The question that the answer answers."),
        click.option("--kb", metavar="DIR", help="The knowledge base: a folder, or a bundled name."),
        click.argument("answer", required=False, metavar="[TEXT|FILE|-]"),
    ):
        bundled = option(bundled)
    return bundled


def recording_options(command: _Command) -> _Command:
    """Adds ``--ledger PATH`` and ``--no-ledger``; the command gets them as ``recording``."""
    bundled = _bundle(command, "recording", Recording)
    bundled = click.option("--no-ledger", is_flag=True, help="Do not record.")(bundled)
    place = click.Path(dir_okay=False, path_type=Path)
    return click.option("--ledger", type=place, help="Record in this file (default: $IMPRIMATUR_LEDGER).")(bundled)


def _bundle(command: _Command, name: str, kind: type[Any]) -> _Command:
    keys = [part.name for part in fields(kind)]

    @functools.wraps(command)
    def bundled(**options: Any) -> int:
        made = kind(**{key: options.pop(key) for key in keys})
        return command(**{name: made}, **options)

    return bundled
