"""What several commands share: opening the oracle, reading answers, writing JSON, the exit status of a check.

Invariant: the oracle's own module is imported only when one is opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from imprimatur._collection import uncollected
from imprimatur._expressions import expression
from imprimatur.cli.progress import Late
from imprimatur.errors import InputError
from imprimatur.report import Report
from imprimatur.report_json import dumps
from imprimatur.verdict import Label, worst

if TYPE_CHECKING:
    from imprimatur.answer import Answer, MemoryEntry, Message
    from imprimatur.config import ExtractorConfig
    from imprimatur.tagged import TaggedClaim
    from imprimatur.trace import Traced

__all__ = [
    "ExplanationLike",
    "OracleLike",
    "emit_json",
    "extractor_for",
    "open_oracle",
    "read_file",
    "read_input",
    "status_of",
]

_FILE_LIKE = expression(r"[\w./\\~-]{1,200}\.(?:txt|md|jsonl?|html?)")
#: The most that is read of one answer or passage, in bytes.
_MAX_BYTES = 64_000_000


class ExplanationLike(Protocol):
    """Why one claim or segment was withheld, and what would license it."""

    @property
    def start(self) -> int:
        """First code point."""
        ...

    @property
    def end(self) -> int:
        """One past the last code point."""
        ...

    @property
    def text(self) -> str:
        """The words."""
        ...

    @property
    def label(self) -> Label:
        """Its label."""
        ...

    @property
    def why(self) -> str:
        """Why it was withheld."""
        ...

    @property
    def needed(self) -> str:
        """What would license it."""
        ...


class OracleLike(Protocol):
    """The part of ``imprimatur.oracle.Oracle`` that the commands use."""

    def check(
        self,
        answer: str | Answer,
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
    ) -> Report: ...

    def check_claims(
        self,
        claims: Sequence[TaggedClaim],
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
    ) -> Report: ...

    def explain(self, report: Report) -> Sequence[ExplanationLike]: ...

    def trace(self, report: Report) -> Sequence[Traced]: ...

    def info(self) -> Mapping[str, Any]: ...


def open_oracle(
    kb: str | None, policy: str | None, extractor: str | None = None, tenant: str | None = None
) -> OracleLike:
    """The oracle of a knowledge base: a folder, a bundled name, or (None) the current folder.

    Args:
        kb: the knowledge base.
        policy: a preset's name or a file; the knowledge base's own by default.
        extractor: ``KIND`` or ``KIND=FOLDER``; the knowledge base's own by default.
        tenant: whose graph it is, where each tenant has one.

    Raises:
        ImprimaturError: no such folder, or something in it or in the policy is wrong.
    """
    from imprimatur.config import FILE_NAME, resolve

    if kb is None and not Path(FILE_NAME).is_file():
        raise InputError("no knowledge base was given", hint="add --kb FOLDER, or --kb rivers for the bundled example")
    folder = resolve(kb if kb is not None else ".")
    if policy is not None and os.path.isfile(policy):
        # A file named on the command line is meant from here, not from the knowledge base's folder.
        policy = os.path.abspath(policy)
    with uncollected(keep=True):
        from imprimatur.oracle import Oracle

        named = None if extractor is None else extractor_for(extractor, folder)
        with Late("Reading") as bar:
            oracle: OracleLike = Oracle.from_folder(
                folder, policy=policy, extractor=named, tenant=tenant, progress=bar.step
            )
    return oracle


def extractor_for(said: str, folder: Path) -> ExtractorConfig:
    """The extractor that the command line names, for a knowledge base; the environment may name its language model.

    Raises:
        ImprimaturError: none is named, or something in the folder or the environment is wrong.
    """
    from imprimatur.cli.model_options import ModelOptions
    from imprimatur.config import load_folder, named_extractor

    config = load_folder(folder)
    named = named_extractor(said, config.extractor)
    if named.kind != "llm" or named.model is not None:
        return named
    return replace(named, model=ModelOptions().config(config.model))


def read_file(path: Path) -> str:
    """The text of a file, line ends as they are. Raises InputError for a file that cannot be read as UTF-8."""
    try:
        return _decoded(path.read_bytes(), str(path))
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault


def read_input(text: str | None) -> str:
    """What an argument means: ``-`` (or nothing) is standard input, a file's name its content, else itself."""
    if text is None and sys.stdin.isatty():
        raise InputError("no answer was given", hint="give a text, a file, or - for standard input")
    if text is None or text == "-":
        return _decoded(sys.stdin.buffer.read(_MAX_BYTES + 1), "standard input")
    try:
        found = Path(text).is_file()
    except (OSError, ValueError):
        found = False
    if found:
        return read_file(Path(text))
    if _FILE_LIKE.fullmatch(text):
        hint = "to check these very words, send them on standard input"
        raise InputError("looks like a file's name, but there is no such file", where=text, hint=hint)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InputError("the text given on the command line is not valid UTF-8", hint="send it on standard input")
    return text


def _decoded(raw: bytes, where: str) -> str:
    if len(raw) > _MAX_BYTES:
        raise InputError(f"longer than {_MAX_BYTES} bytes", where=where, hint="split it, or use `imprimatur batch`")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        message = f"not UTF-8 text (byte {fault.start})"
        raise InputError(message, where=where, hint="convert it to UTF-8, for instance with iconv") from fault


def emit_json(value: Any) -> None:
    """Writes one JSON value to stdout, as UTF-8 whatever the terminal's encoding."""
    click.echo(dumps(value, indent=2).encode("utf-8"))


def status_of(report: Report) -> int:
    """The exit status of a check: 0 licensed or no claims, 3 nothing worse than ``unchecked``, else 1."""
    label = worst([segment.label for segment in report.segments])
    if label is Label.UNCHECKED:
        return 3
    if label not in (Label.SUPPORTED, Label.NOT_A_CLAIM):
        return 1
    return 0 if report.decision.kind == "licensed" or label is Label.NOT_A_CLAIM else 1
