"""Files of one folder that change together: all of them or none, whenever the power goes.

A writer puts the new files into a folder beside them, has the disk take them, and renames that folder to ``NEXT``: from
then on the change is made. Then each file is moved to its place, and the empty folder is removed. Whoever finds a
``NEXT`` waits for the writer, or finishes its work where it died: the moves can be repeated. One process writes at a
time; the lock goes with the process that holds it.

Invariants: a file is never written in its place; a reader that looks at ``stamps`` before and after it has read, and
finds them equal, has read files of one state. The folder may have come from anywhere: a link in it, in the place of the
lock or of ``NEXT``, is never followed, for that would write or move files that are not its own.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from imprimatur.errors import StoreUnavailable

__all__ = ["FACT_FILES", "NEXT", "is_fact_file", "settle", "stamps", "switch", "writing"]

#: The folder of files that are on their way to their places.
NEXT = ".next-facts"
_PART = ".part-facts-"
_LOCK = ".lock"
#: Seconds that a reader waits for a writer to move its files, and a writer for one that was killed to be gone.
_PATIENCE = 5.0
_STEP = 0.02
#: The files of facts in RDF, and one that stands only beside them.
FACT_FILES = ("derived.nq", "model.nq", "accepted.nq")
_BESIDE = "stored.jsonl"


def is_fact_file(path: Path) -> bool:
    """Whether a file is one of a store of facts, which may well be empty."""
    return path.name in FACT_FILES and (path.parent / _BESIDE).is_file()


def stamps(paths: Iterable[Path]) -> tuple[object, ...]:
    """What changes when one of the files is replaced, or about to be."""
    found: list[object] = []
    for path in paths:
        with suppress(OSError, ValueError):
            status = path.stat()
            moving = (path.parent / NEXT).exists()
            found.append((path, moving, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return tuple(found)


def settle(folder: Path) -> None:
    """Has a change that was begun in a folder finished, by its writer or here; at once where there is none.

    Raises:
        StoreUnavailable: the writer takes too long, or died and its work cannot be finished here.
    """
    ends = time.monotonic() + _PATIENCE
    while (folder / NEXT).exists():
        try:
            with _opened(folder / _LOCK) as stream:
                if _locked(stream):
                    _finish(folder)
                    return
        except OSError as fault:
            hint = "`imprimatur kb ingest DIR` finishes it"
            message = f"a change of the facts was begun and cannot be finished: {fault.strerror or fault}"
            raise StoreUnavailable(message, where=str(folder), hint=hint) from fault
        if time.monotonic() > ends:
            raise StoreUnavailable("the facts are being written", where=str(folder), hint="try again in a moment")
        time.sleep(_STEP)


@contextmanager
def writing(folder: Path) -> Iterator[IO[bytes]]:
    """Holds other writers off, finishes what one left, and gives the open lock (a forked process must close it).

    Raises:
        StoreUnavailable: another process writes, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = _opened(folder / _LOCK)
    except OSError as fault:
        raise StoreUnavailable(f"cannot be written: {fault.strerror or fault}", where=str(folder)) from fault
    with stream:
        ends = time.monotonic() + _PATIENCE
        while not _locked(stream):
            if time.monotonic() > ends:
                stream.seek(0)
                holder = stream.read(20).decode("ascii", "replace").strip()
                who = f" (process {holder})" if holder.isdigit() else ""
                hint = "wait until it has ended, or end it"
                raise StoreUnavailable(f"facts are being written by another process{who}", where=str(folder), hint=hint)
            time.sleep(_STEP)
        try:
            stream.truncate(0)
            stream.write(b"%d\n" % os.getpid())
            stream.flush()
            _finish(folder)
            _clean(folder)
        except OSError as fault:
            raise StoreUnavailable(f"cannot be written: {fault.strerror or fault}", where=str(folder)) from fault
        yield stream


def switch(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Puts files in place of those of the same names, all or none; only within ``writing``.

    Raises:
        StoreUnavailable: the disk does not take them; nothing has changed then.
    """
    part = folder / f"{_PART}{secrets.token_hex(6)}"
    try:
        part.mkdir()
        for name, content in contents.items():
            with (part / name).open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        _synced(part)
        part.rename(folder / NEXT)
        _synced(folder)
    except OSError as fault:
        shutil.rmtree(part, ignore_errors=True)
        message = f"the facts cannot be written, and stay as they were: {fault.strerror or fault}"
        raise StoreUnavailable(message, where=str(folder), hint="is there room on the disk?") from fault
    try:
        _finish(folder)
    except OSError as fault:
        hint = "the next call finishes it"
        raise StoreUnavailable(
            f"a change was begun: {fault.strerror or fault}", where=str(folder), hint=hint
        ) from fault


def _finish(folder: Path) -> None:
    """Moves what is on its way to its place."""
    waiting = folder / NEXT
    if waiting.is_symlink():
        raise OSError(errno.ELOOP, f"{NEXT} is a link, and none of ours")
    if not waiting.is_dir():
        return
    for path in sorted(waiting.iterdir()):
        path.replace(folder / path.name)
    _synced(folder)
    waiting.rmdir()
    _synced(folder)


def _clean(folder: Path) -> None:
    for path in folder.glob(f"{_PART}*"):
        shutil.rmtree(path, ignore_errors=True)


def _synced(path: Path) -> None:
    """Has the disk take a folder's entries, where it can."""
    with suppress(PermissionError, IsADirectoryError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _opened(lock: Path) -> IO[bytes]:
    """The file of the lock, made where it is not there; a link is an OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.fdopen(os.open(lock, flags, 0o666), "a+b")


def _locked(stream: IO[bytes]) -> bool:
    """Whether the lock is ours now; released when the stream is closed."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock; there, one process is to write at a time
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
