"""Making a knowledge base's folder from files of tables: copies, configuration, and what may be said of them.

Invariants: every file is read before anything is written; nothing that is there is overwritten but by ``force``; the
configuration appears whole or not at all, after all that it names. A sentence is proposed only where the finished
knowledge base supports it.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur._dataclasses import dataclass
from imprimatur.config import FILE_NAME, TableFile, load_folder
from imprimatur.errors import KnowledgeBaseError
from imprimatur.extract.words import forms

if TYPE_CHECKING:
    from imprimatur.sources.tables.library import Tables

__all__ = ["DESCRIBED", "Built", "build_folder", "placed", "quoted"]

DESCRIBED = "tables.yaml"
_SENTENCES = 5
_TRIED = 40
_FEW_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What was made: the folder, its files, what the tables are taken for, and sentences that it supports."""

    folder: Path
    files: tuple[str, ...]
    tables: tuple[Mapping[str, Any], ...]
    complete: tuple[str, ...]
    asides: tuple[Mapping[str, Any], ...]
    warnings: tuple[str, ...]
    sentences: tuple[str, ...]


def build_folder(
    files: Sequence[Path],
    target: Path,
    *,
    complete: bool = False,
    described: bool = False,
    force: bool = False,
    step: Callable[[str], None] = lambda what: None,
) -> Built:
    """Makes ``target`` a knowledge base of the files, which are copied unless they lie in it.

    Args:
        complete: the tables hold all things of their kind.
        described: write a file in which the columns can be described; as it stands it changes nothing.
        force: write into a folder that has something in it, and over a configuration that is there.
        step: told what is being done next.

    Raises:
        KnowledgeBaseError: a file cannot be read as tables, or the target has something in it already.
    """
    within = _checked(files, target, described, force)
    step("reading")
    from imprimatur.sources.tables.library import Tables

    tables = Tables([TableFile(path=path) for path in files])
    if not tables.told():
        hint = "see `imprimatur tables show --asides`, and docs/tables.md for what of a document is read"
        raise KnowledgeBaseError("nothing in it is a table", where=", ".join(map(str, files)), hint=hint)
    step("writing")
    texts = {FILE_NAME: _configuration(target, files, target if within else None, complete, described)}
    if described:
        texts = {DESCRIBED: _description(tables), **texts}
    _write(target, () if within else files, texts)
    step("compiling")
    return _built(target, step)


def _checked(files: Sequence[Path], target: Path, described: bool, force: bool) -> bool:
    """Whether the files lie in the target. Raises KnowledgeBaseError for what must not be."""
    from imprimatur.sources.tables.opening import SUFFIXES

    for path in files:
        if not path.is_file():
            raise KnowledgeBaseError("no such file", where=str(path), hint="give files of tables: .csv, .json, .md, …")
        if path.suffix.lower() not in SUFFIXES:
            hint = f"known are {', '.join(SUFFIXES)}"
            raise KnowledgeBaseError("is no file of tables", where=str(path), hint=hint)
    names = [path.name.lower() for path in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise KnowledgeBaseError(f"two files are called {twice!r}", hint="rename one")
    root = Path(os.path.abspath(target))
    within = all(Path(os.path.abspath(path)).is_relative_to(root) for path in files)
    if target.exists() and not target.is_dir():
        raise KnowledgeBaseError("exists already and is no folder", where=str(target), hint="name another with --out")
    if not force:
        taken = [
            name for name in (FILE_NAME, DESCRIBED) if (target / name).exists() and (described or name == FILE_NAME)
        ]
        if taken or (not within and target.exists() and any(target.iterdir())):
            what = f"has the file {taken[0]} already" if taken else "exists already and is not empty"
            hint = "name another folder with --out, or add --force to write over what is there"
            raise KnowledgeBaseError(what, where=str(target), hint=hint)
    return within


def _write(target: Path, files: Sequence[Path], texts: Mapping[str, str]) -> None:
    """Copies the files and writes the texts, the last one last; each appears whole."""
    made = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path in files:
            placed(target / path.name, partial(shutil.copyfile, path))
        for name, text in texts.items():
            placed(target / name, partial(_written, text))
    except OSError as fault:
        if made:
            shutil.rmtree(target, ignore_errors=True)
        hint = "is the place writable, and is there room?"
        raise KnowledgeBaseError(f"cannot be made: {fault.strerror or fault}", where=str(target), hint=hint) from fault


def _written(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")


def placed(path: Path, write: Callable[[Path], object]) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def quoted(text: str) -> str:
    """A value as YAML reads it, without references to the environment."""
    return _key(text).replace("${", "$${")


def _key(text: str) -> str:
    """A key as YAML reads it; in keys nothing is taken for a reference."""
    written = (f"\\{char}" if char in '"\\' else char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)
    return f'"{"".join(written)}"'


def _configuration(target: Path, files: Sequence[Path], root: Path | None, complete: bool, described: bool) -> str:
    lines = ["version: 1", f"name: {quoted(target.absolute().name)}", "tables:"]
    for path in files:
        name = path.name if root is None else Path(os.path.relpath(path, root)).as_posix()
        said = [f"file: {quoted(name)}"]
        said += ["complete: true"] if complete else []
        said += [f"described: {DESCRIBED}"] if described else []
        lines.append(f"  - {{{', '.join(said)}}}")
    return "\n".join(lines) + "\n"


def _description(tables: Tables) -> str:
    """A description that says nothing but what is taken for granted without it."""
    lines = [
        "# What the tables hold. All that stands here is what is guessed without it; correct what is wrong, and add",
        "# words, synonyms, units, separators and marks for what is not known: docs/tables.md lists the keys.",
        "version: 1",
        "tables:",
    ]
    for each in tables.told().values():
        lines.append(f"  {_key(each['name'])}:")
        lines += [f"    is: {quoted(each['nouns'][0])}"] if each["nouns"] else []
        lines += ["    # synonyms: []", "    columns:"]
        for column in each["columns"]:
            unit = f" in {column['unit']}" if column["unit"] else ""
            spoken = "names the rows" if column["name"] == each["title"] else f"spoken of as {_key(column['words'])}"
            lines.append(f"      {_key(column['name'])}: {{}}  # {column['kind']}{unit}; {spoken}")
    return "\n".join(lines) + "\n"


def _built(target: Path, step: Callable[[str], None]) -> Built:
    """The finished folder, opened once, so that its compiled form is kept."""
    from imprimatur.oracle import Oracle

    oracle = Oracle.from_folder(target)
    part = oracle.knowledge.part
    tables = part.tables if part is not None else None
    if tables is None:
        raise KnowledgeBaseError("cannot be opened again", where=str(target), hint="was it changed meanwhile?")
    step("trying sentences")
    config = load_folder(target)
    complete = tuple(tables.info()["complete"])
    return Built(
        folder=target,
        files=(FILE_NAME, *(path.name for path in dict.fromkeys(config.files))),
        tables=tuple(tables.told().values()),
        complete=complete,
        asides=tuple(tables.asides()),
        warnings=oracle.knowledge.warnings(),
        sentences=_supported(oracle, tables, complete),
    )


def _supported(oracle: Any, tables: Tables, complete: Sequence[str]) -> tuple[str, ...]:
    """Some sentences that the knowledge base supports, of as many tables as can be."""
    proposals = [list(_proposed(tables, name, name in complete)) for name in list(tables.told())[:_TRIED]]
    rounds = [each[number] for number in range(_TRIED) for each in proposals if number < len(each)]
    found: dict[str, None] = {}
    for ways in rounds[:_TRIED]:
        right = (way for way in ways if oracle.check(way).segments[0].label.value == "supported")
        found.update(dict.fromkeys(islice(right, 1)))
        if len(found) == _SENTENCES:
            break
    return tuple(found)


def _proposed(tables: Tables, name: str, complete: bool) -> Iterator[tuple[str, ...]]:
    """What can be said of the first rows of a table in the words of its columns, each in one or more ways."""
    told = tables.told()[name]
    columns = {column["name"]: (at, column) for at, column in enumerate(told["columns"])}
    if told["title"] is None:
        return
    at = columns[told["title"]][0]
    rows = [row for row in tables.first_rows(name, _FEW_ROWS) if isinstance(row[at], str)]
    for number, (place, column) in enumerate(each for key, each in columns.items() if key != told["title"]):
        row = rows[number % len(rows)] if rows else ()
        if row and row[place] is not None and not column["hidden"]:
            yield tuple(_said(str(row[at]), column, row[place]))
    if complete and told["rows"] > 1:
        yield (f"There are {told['rows']} {name.lower()}.",)


def _said(title: str, column: Mapping[str, Any], cell: Any) -> Iterator[str]:
    """Ways to say what a cell says, the natural ones first."""
    words = column["words"]
    if column["kind"] == "date":
        yield f"{title} was {words.removeprefix('year ').removeprefix('date ')} in {cell}."
    if column["kind"] == "flag":
        yield f"{title} {words}."
        yield f"{title} is {words}."
        return
    unit = f" {column['unit']}" if column["unit"] and isinstance(cell, int | float) else ""
    verb = "are" if forms(words.split()[-1].lower()).plural else "is"
    yield f"The {words} of {title} {verb} {cell}{unit}."
