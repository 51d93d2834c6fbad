"""How an evaluation ends: its outcome printed, written to a file, and told as an exit status; and what it came from.

Invariants: a file appears whole under its name or not at all, and is written before anything is printed, so that a
reader who goes away loses nothing; the same outcome gives the same bytes; what names a file in an outcome is no path of
somebody's machine beyond what tells it from its neighbours.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Protocol

import click

from imprimatur._expressions import expression
from imprimatur.cli import session
from imprimatur.cli.sink import Sink
from imprimatur.errors import InputError
from imprimatur.evals.outcome import Outcome, rendered
from imprimatur.report_json import dumps

__all__ = ["Informed", "file_digest", "finish", "keep", "processor_seconds", "provenance", "versions"]

_NAME = expression(r"[A-Za-z0-9._-]+")
_EXTRA = expression(r"extra *== *['\"]([a-z-]+)['\"]")
#: Extras of which nothing changes a figure.
_NO_MATTER = ("dev", "testing", "serve", "telemetry")
#: Options that change no figure.
_NO_FIGURE = ("as_json", "out", "outcome", "html", "keep", "jobs")
_CHUNK = 1 << 20


class Informed(Protocol):
    """The part of an oracle that says what it judges by."""

    def info(self) -> Mapping[str, Any]: ...


def finish(outcome: Outcome, *, as_json: bool, out: Path | None) -> int:
    """Writes an outcome to ``out`` if that is given, prints it for people or as JSON, and returns the exit status.

    Raises:
        InputError: the file cannot be written.
    """
    outcome = _with_command(outcome)
    keep(outcome, out)
    if as_json:
        session.emit_json(outcome.to_dict())
    else:
        click.echo(rendered(outcome))
    return outcome.status


def keep(outcome: Outcome, out: Path | None) -> None:
    """Writes an outcome to a file; nothing where none is given. Raises InputError when it cannot be written."""
    if out is None:
        return
    outcome = _with_command(outcome)
    with Sink.open(str(out)) as sink:
        sink.write(dumps(outcome.to_dict(), indent=2).encode("utf-8") + b"\n")
        sink.keep()


def _with_command(outcome: Outcome) -> Outcome:
    """The outcome with the command line that is running, where there is one and it names none."""
    context = click.get_current_context(silent=True)
    return outcome if outcome.command or context is None else replace(outcome, command=_command(context))


def _command(context: click.Context) -> str:
    """The command with all that differs from its defaults, but what changes no figure; no folder of the machine."""
    parts = [*context.command_path.split()]
    for parameter in context.command.params:
        name = parameter.name or ""
        value = context.params.get(name)
        if name in _NO_FIGURE or value is None or value == parameter.get_default(context):
            continue
        values = value if isinstance(value, tuple | list) else (value,)
        option = parameter.opts[0] if isinstance(parameter, click.Option) else ""
        for each in values:
            parts += [option] if option else []
            parts += [] if isinstance(each, bool) else [shlex.quote(_short(each))]
    return " ".join(parts)


def _short(value: object) -> str:
    said = str(value)
    return Path(said).name if Path(said).is_absolute() else said


def processor_seconds() -> float:
    """How long this process and those that it has started and that have ended have worked."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def provenance(*oracles: Informed, files: Iterable[Path] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """What figures came from: sources (a name -> its SHA-256, hexadecimal) and versions (a package -> its version).

    Args:
        oracles: what judged; each adds the content of its knowledge base and its policy.
        files: what was read beside; a folder counts with all files in it.

    Raises:
        InputError: a file cannot be read.
    """
    sources: dict[str, str] = {}
    for oracle in oracles:
        told = oracle.info()
        policy = told.get("policy", {})
        sources[f"knowledge base {told.get('name', '')}".rstrip()] = _bare(told["knowledge_base"])
        if policy:
            sources[f"policy {policy['name']}"] = _bare(policy["hash"])
    return {**sources, **dict(_files(tuple(dict.fromkeys(files))))}, versions()


def versions() -> dict[str, str]:
    """The versions of Imprimatur, Python and the installed packages that a figure may hang on."""
    found = {"imprimatur": version("imprimatur"), "python": platform.python_version()}
    for name in sorted(set(_wanted()), key=str.lower):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _wanted() -> Iterator[str]:
    """The packages that Imprimatur names, but those of extras that change no figure."""
    for line in requires("imprimatur") or ():
        name, extra = _NAME.match(line), _EXTRA.search(line)
        if name is not None and (extra is None or extra[1] not in _NO_MATTER):
            yield name[0]


def file_digest(path: Path) -> str:
    """The SHA-256 (hexadecimal) of a file's bytes; of a folder, that of the names and hashes of all files in it.

    Raises:
        InputError: something cannot be read.
    """
    try:
        if not path.is_dir():
            return _hash(path)
        inside = sorted(each for each in path.rglob("*") if each.is_file())
        told = "".join(f"{each.relative_to(path).as_posix()}\n{_hash(each)}\n" for each in inside)
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault


def _hash(path: Path) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def _files(paths: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    """The shortest names that tell the files apart, each with its hash."""
    for path in paths:
        own = path.absolute().parts
        others = [other.absolute().parts for other in paths if other != path]
        size = next((n for n in range(1, len(own)) if all(own[-n:] != other[-n:] for other in others)), len(own))
        yield "/".join(own[-size:]), file_digest(path)


def _bare(digest: str) -> str:
    return digest.removeprefix("sha256:")
