"""A store of facts brought up to date with its documents: what is new or changed is read, what is gone is removed.

Invariants: where nothing has changed, no file is written; all changes or none are made; documents that are deleted take
their own facts with them, and change no other. After a run that found new or changed documents (or other checks), what
the store holds depends on the documents, what reads and checks them, the knowledge base's own files and people's
decisions alone: not on the order or number of runs, nor on whether one was killed.

Things are settled for all documents together, so a new document can change which thing a name in an old one means: then
the facts of both change, as if they had come at once. What was held back because a deleted document said otherwise
stays held back until documents are added or changed, or all are held against the checks anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.ingest.candidate import FactReader
from imprimatur.ingest.holding import Checks, held_rows
from imprimatur.ingest.kept import Proposals, Work, key_of
from imprimatur.ingest.planning import Plan, Sought, plan
from imprimatur.ingest.reading import Reading, read_documents
from imprimatur.ingest.rows import STATES, Row
from imprimatur.ingest.store import Facts, FactStore, Listed

__all__ = ["Outcome", "Request", "ingest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be ingested, and how.

    Attributes:
        base: the knowledge base's folder.
        sought: the documents. open_reader: gives what reads documents; in each process that reads, once.
        open_checks: gives what candidates are held against.
        anew: all candidates are held against the checks again, though no document is new.
        workers: how many processes read. dry_run: nothing is written at all.
        total: told how many documents there are. progress: told of each document when it has been read.
    """

    base: Path
    open_reader: Callable[[], FactReader]
    open_checks: Callable[[], Checks]
    sought: Sought = Sought()
    workers: int = 1
    anew: bool = False
    dry_run: bool = False
    total: Callable[[int], None] = lambda count: None
    progress: Callable[[str], None] = lambda what: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was done, or would be.

    Attributes:
        new, gone: rows that were not there before, and that are there no longer; by document, place and statement.
        counts: how many rows there are now in each state.
        problems: documents that were found and could not be read, and why.
        written: whether any file changed.
        stranded: accepted facts that no document states any more.
    """

    plan: Plan
    new: tuple[Row, ...]
    gone: tuple[Row, ...]
    counts: Mapping[str, int]
    problems: Mapping[str, str]
    notes: Mapping[str, tuple[str, ...]]
    written: bool
    stranded: int = 0


def ingest(request: Request) -> Outcome:
    """Brings a store up to date with its documents.

    Raises:
        InputError: a document that was named cannot be read. StoreUnavailable: the store is being written by another
        process, or cannot be written. ImprimaturError: the reader or a check fails; the store stays as it was.
    """
    store = FactStore(request.base)
    if request.dry_run:
        return _brought_up(store, request, None)
    with store.writing() as lock:
        return _brought_up(store, request, lock)


def _brought_up(store: FactStore, request: Request, lock: IO[bytes] | None) -> Outcome:
    before = store.read()
    reader = request.open_reader()
    found = plan(request.base, before, request.sought, reader=reader.identity)
    request.total(len(found.documents))
    work = Work(store.folder)
    reading = Reading(
        base=request.base,
        open_reader=request.open_reader,
        work=work,
        keep=not request.dry_run,
        workers=request.workers,
        lock=lock,
        progress=request.progress,
    )
    checks = request.open_checks()
    if found.added or found.changed or request.anew or checks.identity != before.checks:
        proposals = read_documents(found, reading, reader)
        rows = held_rows(proposals, found.documents, checks, before.rows)
        documents = _listed(found, proposals, reader.identity)
    else:
        rows = tuple(row for row in before.rows if row.document not in found.deleted or _decided(row))
        documents = {id_: each for id_, each in before.documents.items() if id_ in found.documents}
        for id_, each in documents.items():
            if each.problem and found.documents[id_].named:
                raise InputError(each.problem, where=id_[:200], hint="mend the document, or name others")
    after = Facts(rows=rows, documents=documents, roots=found.roots, checks=checks.identity)
    written = False
    if not request.dry_run:
        written = store.write(after)
        work.keep_only(key_of(id_, each.sha256, reader.identity) for id_, each in found.documents.items())
    return _outcome(found, before, after, written=written)


def _decided(row: Row) -> bool:
    """Whether a person has spoken; that stays, whatever becomes of the document."""
    return row.state in ("accepted", "rejected")


def _listed(found: Plan, proposals: Mapping[str, Proposals], reader: str) -> dict[str, Listed]:
    return {
        id_: Listed(
            path=each.path,
            sha256=each.sha256,
            reader=reader,
            problem=proposals[id_].problem,
            notes=proposals[id_].notes,
        )
        for id_, each in found.documents.items()
    }


def _outcome(found: Plan, before: Facts, after: Facts, *, written: bool) -> Outcome:
    old, new = set(map(_bare, before.rows)), set(map(_bare, after.rows))
    states = Counter(row.state for row in after.rows)
    return Outcome(
        plan=found,
        new=tuple(row for row in after.rows if _bare(row) not in old),
        gone=tuple(row for row in before.rows if _bare(row) not in new),
        counts={state: states[state] for state in STATES},
        problems={id_: each.problem for id_, each in after.documents.items() if each.problem},
        notes={id_: each.notes for id_, each in after.documents.items() if each.notes},
        written=written,
        stranded=sum(1 for row in after.rows if _stranded(row, after)),
    )


def _stranded(row: Row, facts: Facts) -> bool:
    """Whether a person accepted a fact that its document does not state now."""
    listed = facts.documents.get(row.document)
    return row.state == "accepted" and bool(row.document) and (not listed or listed.sha256 != row.document_hash)


def _bare(row: Row) -> Row:
    """The row without what another version of its document changes about it."""
    return replace(row, document_hash="")
