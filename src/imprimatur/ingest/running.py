"""An ingest from the command line: what it says and what imprimatur.yaml says, put together and run.

Contract: a folder becomes a knowledge base only when its facts are there; a file that a person wrote is changed only by
``write``, and only by the lines that are missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import FILE_NAME, KnowledgeBaseConfig, load_folder
from imprimatur.errors import InputError, KnowledgeBaseError
from imprimatur.ingest.applying import Outcome, Request, ingest
from imprimatur.ingest.candidate import FactReader
from imprimatur.ingest.checking import GroundChecks
from imprimatur.ingest.ground import Ground, ground_of, guardrail_of, reader_on
from imprimatur.ingest.planning import Sought
from imprimatur.ingest.setting_up import (
    ONTOLOGY,
    add_lines,
    lines_to_add,
    made_configuration,
    missing,
    write_bytes,
    write_ontology,
    write_text,
)
from imprimatur.ingest.store import FOLDER, FactStore
from imprimatur.sources.passages.limits import Limits

__all__ = ["Done", "Wanted", "run"]

_READER = "patterns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line says; None and () where it says nothing."""

    folder: Path
    documents: tuple[Path, ...] = ()
    reader: str | None = None
    ontology: tuple[Path, ...] = ()
    workers: int | None = None
    anew: bool = False
    dry_run: bool = False
    write: bool = False
    total: Callable[[int], None] = lambda count: None
    progress: Callable[[str], None] = lambda what: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of it: the files of a new knowledge base, and the lines that a standing one lacks."""

    outcome: Outcome
    made: tuple[str, ...] = ()
    lines: str = ""


def run(wanted: Wanted) -> Done:
    """Ingests, and makes the folder a knowledge base where it is none.

    Raises:
        UsageError: something that was named is absent or wrong. RuntimeFault: the store, the reader or a check fails.
    """
    folder = Path(wanted.folder)
    if folder.exists() and not folder.is_dir():
        raise KnowledgeBaseError("a file, not a folder", where=str(folder), hint="name the knowledge base's folder")
    config = _config(folder, wanted)
    ontology = wanted.ontology or (config.ingest.ontology if config is not None else ())
    if config is None and not ontology:
        hint = "add --ontology FILE: the classes and relations that facts may have (docs/ontology.md)"
        raise InputError("a new knowledge base needs an ontology", where=str(folder), hint=hint)
    copies = _copies(ontology, folder.absolute()) if config is None else {}
    guardrail = guardrail_of(ontology)
    ground = ground_of(config, guardrail, folder.absolute())
    reader = wanted.reader or (config.ingest.reader if config is not None else _READER)
    request = Request(
        base=folder,
        sought=_sought(wanted, ontology, config),
        open_reader=partial(_reader, reader, ground, config),
        open_checks=partial(GroundChecks, ground),
        workers=wanted.workers or (config.ingest.workers if config is not None else 1),
        anew=wanted.anew,
        dry_run=wanted.dry_run,
        total=wanted.total,
        progress=wanted.progress,
    )
    outcome = ingest(request)
    if wanted.dry_run:
        return Done(outcome=outcome, lines="" if config is None else _lines(config))
    if config is None:
        return Done(outcome=outcome, made=_made(folder, wanted, copies, reader))
    if guardrail is not None and folder.absolute() / ONTOLOGY in config.graph.ontology:
        write_ontology(folder, guardrail)
    if wanted.write:
        add_lines(config)
        return Done(outcome=outcome)
    return Done(outcome=outcome, lines=_lines(config))


def _sought(wanted: Wanted, ontology: Sequence[Path], config: KnowledgeBaseConfig | None) -> Sought:
    """The documents; the files that the knowledge base is made of are none, unless they are named."""
    if config is None:
        return Sought(named=wanted.documents, apart=tuple(ontology))
    graph = config.graph
    return Sought(
        named=wanted.documents,
        configured=config.ingest.documents,
        apart=(*ontology, *config.ingest.ontology, *graph.data, *graph.ontology, *graph.shapes),
        limits=Limits(**dict(config.limits)),
    )


def _lines(config: KnowledgeBaseConfig) -> str:
    lacking = missing(config)
    return lines_to_add(lacking) if lacking else ""


def _config(folder: Path, wanted: Wanted) -> KnowledgeBaseConfig | None:
    """What imprimatur.yaml says; None where there is none. Files of facts that it names may not be there yet."""
    if not (folder / FILE_NAME).is_file():
        return None
    if not wanted.dry_run:
        FactStore(folder).prepare()
    return load_folder(folder)


def _reader(said: str, ground: Ground, config: KnowledgeBaseConfig | None) -> FactReader:
    return reader_on(said, ground, config.model if config is not None else None)


def _made(folder: Path, wanted: Wanted, copies: Mapping[Path, Path], reader: str) -> tuple[str, ...]:
    """Makes the folder of a new knowledge base around its facts; imprimatur.yaml comes last."""
    guardrail = guardrail_of(tuple(copies.values()))
    assert guardrail is not None, "a new knowledge base has an ontology"
    root = folder.absolute()
    try:
        for own, path in copies.items():
            if own != path:
                write_bytes(own, path.read_bytes())
        named = [own.relative_to(root).as_posix() for own in copies]
        documents = [
            f"{path.absolute().relative_to(root).as_posix()}{'/' if path.is_dir() else ''}"
            for path in wanted.documents
            if path.absolute().is_relative_to(root) and path.absolute() != root
        ]
        write_ontology(folder, guardrail)
        text = made_configuration(root.name, documents=documents, ontology=named, reader=reader)
        write_text(folder / FILE_NAME, text)
    except OSError as fault:
        hint = "is the place writable, and is there room?"
        raise KnowledgeBaseError(f"cannot be made: {fault.strerror or fault}", where=str(folder), hint=hint) from fault
    return (FILE_NAME, ONTOLOGY, *named, f"{FOLDER}/")


def _copies(ontology: Sequence[Path], root: Path) -> dict[Path, Path]:
    """Where the files of an ontology are to stand in a new knowledge base, and where they stand now.

    Raises:
        InputError: one is not there, or another file of its name is.
    """
    found: dict[Path, Path] = {}
    for path in map(Path, map(os.path.abspath, ontology)):
        own = path
        if not path.is_relative_to(root):
            own = root / (f"guard-{path.name}" if path.name in (ONTOLOGY, FILE_NAME) else path.name)
        standing = found.get(own, own)
        try:
            same = standing == path or not standing.exists() or standing.read_bytes() == path.read_bytes()
        except OSError as fault:
            raise InputError(f"cannot be read: {fault.strerror or fault}", where=str(path)) from fault
        if not same:
            hint = "rename one of them, or give the one in the folder as --ontology"
            raise InputError("another file of this name is there", where=str(own), hint=hint)
        found.setdefault(own, path)
    return found
