"""The facts of a knowledge base that came from documents and models: six files that change together.

``facts/`` in the knowledge base's folder holds ``derived.nq`` (read by rules), ``model.nq`` (a model had a part in it),
``accepted.nq`` (a person has accepted it), ``stored.jsonl`` and ``review.jsonl`` (the rows behind them, with sentence
and place) and ``state.json`` (the documents, with what read them).

Invariants: the RDF files are made of the rows and of nothing else, sorted, one quad a line; the same rows and documents
give the same bytes; every RDF file was read back before it takes the place of another; a change is made whole or not at
all (``switched``), by one writer at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed, KnowledgeBaseError, StoreUnavailable
from imprimatur.ingest.rows import Row, lines, read_rows
from imprimatur.sources.graph.switched import FACT_FILES, NEXT, settle, stamps, switch, writing
from imprimatur.sources.graph.terms import TRUST_CLASSES

__all__ = ["ACCEPTED", "DERIVED", "FOLDER", "MODEL", "REVIEW", "STATE", "STORED", "FactStore", "Facts", "Listed"]

FOLDER = "facts"
DERIVED, MODEL, ACCEPTED = FACT_FILES
STORED, REVIEW, STATE = "stored.jsonl", "review.jsonl", "state.json"
_ALL = (*FACT_FILES, STORED, REVIEW, STATE)
_FORMAT = 1
_TRIES = 5
_BACK = "put the file back as it was, or remove it: it is made anew of the rows beside it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A document whose facts are in the store.

    Attributes:
        path: its file, relative to the knowledge base's folder. sha256: of its bytes when it was read.
        reader: the identity of what read it. problem: why nothing was read of it; "" where it was.
        notes: what of it was left out.
    """

    path: str
    sha256: str
    reader: str
    problem: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a store holds, at one moment.

    Attributes:
        documents: by id. roots: the files and folders (with a ``/`` at the end) that were named.
        checks: the identity of what the facts were held against.
    """

    rows: tuple[Row, ...] = ()
    documents: Mapping[str, Listed] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    checks: str = ""

    def files(self) -> dict[str, bytes]:
        """The files of the store, by name."""
        stored = lines(row for row in self.rows if row.state == "stored")
        review = lines(row for row in self.rows if row.state != "stored")
        graphs = {name: _quads(self.rows, name) for name in FACT_FILES}
        content = {**graphs, STORED: stored, REVIEW: review}
        told = {
            "version": _FORMAT,
            "checks": self.checks,
            "roots": sorted(set(self.roots)),
            "documents": {id_: asdict(each) for id_, each in sorted(self.documents.items())},
            "files": {name: sha256(content[name]).hexdigest() for name in sorted(content)},
        }
        return {**content, STATE: json.dumps(told, indent=1, sort_keys=True).encode("ascii") + b"\n"}


def _file_of(row: Row) -> str:
    """The RDF file that a fact stands in."""
    if row.state == "accepted":
        return ACCEPTED
    return MODEL if row.state == "waiting" or row.trust == TRUST_CLASSES[2] else DERIVED


def _quads(rows: Sequence[Row], name: str) -> bytes:
    found = {quad for row in rows if row.in_graph and _file_of(row) == name for quad in row.quads}
    return "".join(f"{quad}\n" for quad in sorted(found)).encode("utf-8")


class FactStore:
    """The store in a knowledge base's folder; it need not be there yet."""

    def __init__(self, knowledge_base: Path) -> None:
        self.base = knowledge_base
        self.folder = knowledge_base / FOLDER

    @property
    def exists(self) -> bool:
        """Whether anything was ever written."""
        return (self.folder / STATE).is_file() or (self.folder / NEXT).exists()

    def read(self) -> Facts:
        """What it holds now, all of one moment; nothing where it is not there yet.

        Raises:
            KnowledgeBaseError: a file is missing, or was changed by other hands. StoreUnavailable: it cannot be read.
        """
        paths = [self.folder / name for name in _ALL]
        for _ in range(_TRIES):
            settle(self.folder)
            before = stamps(paths)
            try:
                content = {path.name: path.read_bytes() for path in paths if path.exists()}
            except OSError as fault:
                message = f"cannot be read: {fault.strerror or fault}"
                raise StoreUnavailable(message, where=str(self.folder), hint="check the permissions") from fault
            if stamps(paths) == before:
                return _facts(content, self.folder)
        raise StoreUnavailable("the facts are being written", where=str(self.folder), hint="try again in a moment")

    @contextmanager
    def writing(self) -> Iterator[IO[bytes]]:
        """Holds other writers off; gives the open lock, which a forked process must close. Raises StoreUnavailable."""
        with writing(self.folder) as stream:
            yield stream

    def write(self, facts: Facts) -> bool:
        """Puts these facts in place of those that are there, within ``writing``; False where they are the same.

        Raises:
            StoreUnavailable: the disk does not take them; what was there stays.
            CheckFailed: what would be written cannot be read back; what was there stays.
        """
        content = facts.files()
        changed = {name: each for name, each in content.items() if _held(self.folder / name) != each}
        if not changed:
            return False
        for name in FACT_FILES:
            if name in changed:
                _prove(changed[name], name)
        switch(self.folder, changed)
        return True

    def prepare(self) -> None:
        """Makes the files that are not there: empty at first, those of RDF of the rows.

        Raises:
            KnowledgeBaseError: one is missing that cannot be made anew. StoreUnavailable: they cannot be written.
        """
        if not all((self.folder / name).is_file() for name in _ALL):
            with self.writing():
                self.write(self.read())


def _held(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _prove(content: bytes, name: str) -> None:
    """Reads a file back as it will be read: as many statements as lines, and each in a graph with a name."""
    import pyoxigraph as ox

    try:
        seen = sum(isinstance(quad.graph_name, ox.NamedNode) for quad in ox.parse(content, format=ox.RdfFormat.N_QUADS))
    except (SyntaxError, ValueError) as fault:
        raise CheckFailed(f"{name} would not be N-Quads: {str(fault)[:200]}") from fault
    if seen != content.count(b"\n"):
        raise CheckFailed(f"{name} would hold {seen} statements in {content.count(bytes([10]))} lines")


def _facts(content: Mapping[str, bytes], folder: Path) -> Facts:
    if STATE not in content:
        if content:
            hint = "put state.json back; without it, remove the folder (with the decisions in it) and ingest again"
            raise KnowledgeBaseError("facts without their state.json", where=str(folder), hint=hint)
        return Facts()
    where = str(folder / STATE)
    try:
        told = json.loads(content[STATE])
        if told["version"] != _FORMAT:
            raise KnowledgeBaseError("the facts are of another format", where=where, hint="was a newer version here?")
        documents = {str(id_): _listed(each) for id_, each in told["documents"].items()}
        roots, checks = tuple(map(str, told["roots"])), str(told["checks"])
        hashes: Mapping[str, Any] = dict(told["files"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        hint = "put it back, or remove the folder and run `imprimatur kb ingest` again"
        raise KnowledgeBaseError(f"state.json is damaged: {str(fault)[:100]}", where=where, hint=hint) from fault
    for name in (STORED, REVIEW):
        if name not in content:
            raise KnowledgeBaseError(
                f"{name} is missing", where=str(folder), hint="put it back: it cannot be made anew"
            )
    for name, each in content.items():
        if name != STATE and sha256(each).hexdigest() != hashes.get(name):
            hint = _BACK if name in FACT_FILES else "put the file back as it was; `imprimatur kb review` changes facts"
            raise KnowledgeBaseError("the file was changed by other hands", where=str(folder / name), hint=hint)
    rows = [row for name in (STORED, REVIEW) for row in read_rows(content[name], where=str(folder / name))]
    return Facts(rows=tuple(rows), documents=documents, roots=roots, checks=checks)


def _listed(told: Mapping[str, Any]) -> Listed:
    return Listed(**{**told, "notes": tuple(told["notes"])})
