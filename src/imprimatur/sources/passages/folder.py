"""The folder of an index: whole versions beside each other, and a pointer to the current one.

Layout: ``passages.json`` names the current version; each version is a folder that nothing changes once it is named.
Invariants: the pointer is replaced in one step after all of a version is on disk, so that a reader finds the old or
the new one whole, and a crash at any moment leaves the old one; a reader that has a version open keeps it, though its
files are removed; one process writes at a time, others wait; what a crash left is removed by the next writer. The
version before the current one is kept, for readers that are about to open it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from imprimatur.errors import KnowledgeBaseError, StoreUnavailable

__all__ = ["POINTER", "IndexFolder"]

POINTER = "passages.json"
_FORMAT = 1
_PREFIX = "version-"


class IndexFolder:
    """A folder that holds, or will hold, an index."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether there is an index."""
        return (self.path / POINTER).is_file()

    def current(self) -> Path | None:
        """The folder of the current version; None when there is none yet.

        Raises:
            KnowledgeBaseError: the pointer is damaged, or of another format. StoreUnavailable: it cannot be read.
        """
        pointer = self._pointer()
        return None if pointer is None else self.path / pointer["current"]

    def _pointer(self) -> dict[str, Any] | None:
        where = str(self.path)
        try:
            told = json.loads((self.path / POINTER).read_bytes())
            format_, current = told["format"], told["current"]
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise StoreUnavailable(f"the index cannot be read: {fault.strerror}", where=where) from fault
        except (ValueError, TypeError, KeyError, RecursionError) as fault:
            raise KnowledgeBaseError("the index's pointer is damaged", where=where, hint=_ANEW) from fault
        if format_ != _FORMAT:
            raise KnowledgeBaseError("the index is of another format", where=where, hint=_ANEW)
        if not isinstance(current, str) or not current.startswith(_PREFIX) or Path(current).name != current:
            raise KnowledgeBaseError("the index's pointer is damaged", where=where, hint=_ANEW)
        return {"current": current, "before": told.get("before")}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds other writers off, and removes what a crash left. Raises StoreUnavailable."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            stream = (self.path / "lock").open("ab")
        except OSError as fault:
            raise StoreUnavailable(f"the index cannot be written: {fault.strerror}", where=str(self.path)) from fault
        with stream:
            _lock(stream)
            self._clean()
            yield

    @contextmanager
    def new_version(self) -> Iterator[Path]:
        """An empty folder that becomes the current version when the block ends without a fault; within ``writing``."""
        version = self.path / f"{_PREFIX}{secrets.token_hex(8)}"
        try:
            version.mkdir(mode=0o700)
            yield version
            self._publish(version)
        except OSError as fault:
            shutil.rmtree(version, ignore_errors=True)
            raise StoreUnavailable(f"the index cannot be written: {fault}", where=str(self.path)) from fault
        except BaseException:
            shutil.rmtree(version, ignore_errors=True)
            raise
        self._clean()

    def _publish(self, version: Path) -> None:
        for file in version.rglob("*"):
            _synced(file)
        _synced(version)
        with suppress(KnowledgeBaseError):  # a damaged pointer is what building anew mends
            before = self._pointer()
            told = {"format": _FORMAT, "current": version.name, "before": before["current"] if before else None}
            return self._point(told)
        self._point({"format": _FORMAT, "current": version.name, "before": None})

    def _point(self, told: dict[str, Any]) -> None:
        part = self.path / f".{POINTER}.{secrets.token_hex(4)}.part"
        try:
            with part.open("x", encoding="ascii") as stream:
                json.dump(told, stream)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self.path / POINTER)
            _synced(self.path)
        finally:
            part.unlink(missing_ok=True)

    def _clean(self) -> None:
        """Removes versions that are neither the current one nor the one before."""
        kept: set[object] = set()
        with suppress(KnowledgeBaseError):
            if (pointer := self._pointer()) is not None:
                kept = {pointer["current"], pointer["before"]}
        for each in self.path.glob(f"{_PREFIX}*"):
            if each.name not in kept and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
        for part in self.path.glob(f".{POINTER}.*.part"):
            part.unlink(missing_ok=True)


_ANEW = "remove the folder, or build the index anew with `imprimatur passages build`"


def _synced(path: Path) -> None:
    """Has the system write a file or folder to the disk, where it can."""
    with suppress(PermissionError, IsADirectoryError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _lock(stream: Any) -> None:
    """Waits until no other process writes; released when the stream is closed."""
    with suppress(ImportError):  # Windows has no such lock; there, one process is to write at a time
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX)
