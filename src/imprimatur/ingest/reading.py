"""Documents read by a fact reader, in one process or several; what it proposes is kept as soon as it is there.

Contract: what comes out depends on the documents and the reader alone, not on how many processes there are or which is
done first. A candidate whose place does not open its sentence is marked, and never stored. An error of the reader ends
the reading; what was read until then is kept, and is not read again.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed, InputError
from imprimatur.ingest.candidate import Candidate, FactReader
from imprimatur.ingest.kept import Proposals, Work, key_of
from imprimatur.ingest.planning import Found, Plan
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.passage import Document
from imprimatur.sources.passages.reading import read_document

__all__ = ["Reading", "read_documents"]

#: More of one document is no reading but a flood.
_MOST = 200_000
_WATCH_SECONDS = 0.5
_reader: FactReader | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How documents are to be read.

    Attributes:
        base: the knowledge base's folder, to which paths are relative.
        open_reader: gives the reader; in each process that reads, once.
        work: where proposals are kept. keep: whether new ones are; a dry run writes nothing.
        lock: an open file that processes of readers must not hold.
        progress: told of each document when it is done.
    """

    base: Path
    open_reader: Callable[[], FactReader]
    work: Work
    keep: bool = True
    workers: int = 1
    lock: IO[bytes] | None = None
    progress: Callable[[str], None] = lambda what: None


def read_documents(plan: Plan, reading: Reading, reader: FactReader) -> dict[str, Proposals]:
    """What the reader proposes of each document of a plan, by id; of what did not change as it was kept.

    Raises:
        InputError: a document that was named cannot be read, or has changed since. ImprimaturError: the reader fails.
    """
    done: dict[str, Proposals] = {}
    ahead: list[Found] = []
    for id_, found in plan.documents.items():
        key = key_of(id_, found.sha256, reader.identity)
        kept = Proposals(problem=found.problem) if found.problem else reading.work.get(key)
        if kept is not None and kept.problem and found.named:
            raise InputError(kept.problem, where=id_[:200], hint="mend the document, or name others")
        if kept is not None:
            done[id_] = kept
            reading.progress(id_)
        else:
            ahead.append(found)
    for id_, proposals in _read(ahead, plan.limits, reading, reader):
        done[id_] = proposals
        reading.progress(id_)
    return {id_: done[id_] for id_ in plan.documents}


def _read(
    ahead: Sequence[Found], limits: Limits, reading: Reading, reader: FactReader
) -> Iterator[tuple[str, Proposals]]:
    global _reader
    task = partial(_one, base=reading.base, limits=limits, work=reading.work if reading.keep else None)
    if reading.workers == 1 or len(ahead) < 2:
        for found in ahead:
            yield found.id, task(found, reader=reader)
        return
    _reader = reader  # a forked process has it already
    start = (reading.open_reader, os.getpid(), reading.lock.fileno() if reading.lock else -1)
    try:
        with ProcessPoolExecutor(min(reading.workers, len(ahead)), initializer=_start, initargs=start) as pool:
            yield from _as_done(pool, task, ahead, reading.workers)
    except BrokenProcessPool as fault:
        raise CheckFailed(
            "a reading process ended unexpectedly", hint="was memory short? try fewer --workers"
        ) from fault
    finally:
        _reader = None


def _as_done(
    pool: ProcessPoolExecutor, task: Callable[[Found], Proposals], ahead: Sequence[Found], workers: int
) -> Iterator[tuple[str, Proposals]]:
    """What is done, as soon as it is; a few documents for each process are under way."""
    rest = iter(ahead)
    waiting: dict[Future[Proposals], str] = {}
    try:
        while True:
            for found in rest:
                waiting[pool.submit(task, found)] = found.id
                if len(waiting) >= 2 * workers:
                    break
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


def _start(open_reader: Callable[[], FactReader], parent: int, lock: int) -> None:
    global _reader
    # Ctrl-C goes to the whole process group; only the parent answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if _reader is None:
        _reader = open_reader()
    elif lock >= 0:
        os.close(lock)  # forked: the lock would outlive a parent that was killed


def _watch(parent: int) -> None:
    """Ends this process when its parent is gone, which may have been killed."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)


def _one(found: Found, *, base: Path, limits: Limits, work: Work | None, reader: FactReader | None = None) -> Proposals:
    reader = reader or _reader
    if reader is None:
        raise CheckFailed("a reading process was not started properly")
    proposals = _proposed(found, base, limits, reader)
    if work is not None:
        work.put(key_of(found.id, found.sha256, reader.identity), proposals)
    return proposals


def _proposed(found: Found, base: Path, limits: Limits, reader: FactReader) -> Proposals:
    origin = Origin(id=found.id, path=Path(os.path.normpath(os.path.join(os.path.abspath(base), found.path))))
    raw = origin.read(limits)
    if sha256(raw).hexdigest() != found.sha256:
        hint = "run `imprimatur kb ingest` again, without naming documents"
        raise InputError("has changed since it was looked at", where=found.id[:200], hint=hint)
    try:
        document = read_document(raw, id_=found.id, limits=limits)
    except InputError as fault:
        if found.named:
            raise
        return Proposals(problem=fault.message)
    candidates = tuple(reader.candidates(document))
    if len(candidates) > _MOST:
        hint = "split the document"
        raise InputError(f"more than {_MOST:,} facts are proposed of it", where=found.id[:200], hint=hint)
    return Proposals(candidates=candidates, notes=document.notes, misplaced=_misplaced(candidates, document))


def _misplaced(candidates: Sequence[Candidate], document: Document) -> Mapping[int, str]:
    """What is wrong with the places of candidates, by their numbers."""
    found = {number: _wrong_place(each, document) for number, each in enumerate(candidates)}
    return {number: why for number, why in found.items() if why}


def _wrong_place(candidate: Candidate, document: Document) -> str:
    place = candidate.place
    if place is None:
        return "a reader of documents must say where a fact stands"
    if place.document != document.id:
        return f"it is said to stand in {place.document[:80]!r}, not in what was read"
    if not 0 <= place.start < place.end <= len(document.text):
        return "there is no such place in the document"
    if document.text[place.start : place.end] != place.quote:
        return "other words stand there"
    return ""
