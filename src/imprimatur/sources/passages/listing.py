"""Where documents come from: files that were named, files found in folders, and texts that are given.

Contract: nothing outside of a folder is read for it. Links to folders are not followed; a link to a file is read only
where it leads into the folder again. (A file that is *named*, in ``imprimatur.yaml`` or on the command line, may be a
link to anywhere: the operator named it.) Hidden files and files without a known ending are passed over. Only regular
files are opened, and never more of one than its limit is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from imprimatur.errors import InputError
from imprimatur.sources.passages.folder import POINTER
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Form
from imprimatur.sources.passages.reading import SUFFIXES

__all__ = ["Origin", "found_in", "origins_of"]

_MOST_FILES = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """One document to be: a file, or bytes that are given. ``named``: an error in it is the caller's to mend.

    ``fault`` says why it must not be read.
    """

    id: str
    path: Path | None = None
    raw: bytes | None = None
    form: Form | None = None
    named: bool = True
    fault: str = ""

    def read(self, limits: Limits) -> bytes:
        """Its content. Raises InputError where it is not to be had."""
        if self.fault:
            raise InputError(self.fault, where=self.id[:200])
        if self.path is None:
            return self.raw or b""
        try:
            # A pipe or device would keep the reader waiting.
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise InputError("not a file", where=self.id[:200], hint="name a file or a folder")
            with self.path.open("rb") as stream:
                raw = stream.read(limits.max_bytes + 1)
        except FileNotFoundError as fault:
            raise InputError("the file is not there (any more)", where=self.id[:200], hint="check the path") from fault
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise InputError(f"cannot be read: {reason}", where=self.id[:200], hint="check its permissions") from fault
        if len(raw) > limits.max_bytes:
            hint = "split the document, or raise the limit"
            raise InputError(f"larger than {limits.max_bytes:,} bytes", where=self.id[:200], hint=hint)
        return raw


def origins_of(paths: Sequence[Path], *, base: Path | None = None) -> list[Origin]:
    """The documents that files and folders hold, by id.

    Args:
        base: ids are relative to it; None: a file's name, and for a folder its name and the path in it.

    Raises:
        InputError: a path does not exist, or two documents would have one id.
    """
    found: dict[str, Origin] = {}
    for path in paths:
        for origin in _of(path, base):
            before = found.get(origin.id)
            if before is not None and before.path != origin.path:
                hint = "rename one of them, or add them one by one with --id"
                raise InputError(f"two documents have the id {origin.id[:60]!r}", where=str(path), hint=hint)
            # What is named as well as found in a folder is named.
            found[origin.id] = origin if before is None or origin.named else before
    return [found[id_] for id_ in sorted(found)]


def _of(path: Path, base: Path | None) -> Iterator[Origin]:
    name = path.relative_to(base).as_posix() if base is not None else path.resolve().name
    if path.is_dir():
        yield from found_in(path, prefix="" if name == "." else f"{name}/")
    elif path.exists():
        yield Origin(id=name, path=path)
    else:
        raise InputError("no such file or folder", where=str(path)[:200], hint="check the path")


def _unreadable(fault: OSError) -> None:
    """What cannot be looked into is not empty: its documents would be taken for deleted."""
    where = str(fault.filename or "")[:200]
    raise InputError(f"cannot be read: {fault.strerror or fault}", where=where, hint="check its permissions") from fault


def found_in(folder: Path, *, prefix: str) -> Iterator[Origin]:
    """The documents in a folder and the folders in it, in order.

    Raises:
        InputError: there are too many files, or a folder cannot be looked into.
    """
    root = Path(os.path.realpath(folder))
    seen = 0
    for parent, folders, names in os.walk(root, onerror=_unreadable):
        if POINTER in names:  # an index, not documents
            folders[:] = []
            continue
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            seen += 1
            if seen > _MOST_FILES:
                raise InputError(f"more than {_MOST_FILES:,} files", where=str(folder), hint="name smaller folders")
            if name.startswith(".") or Path(name).suffix.lower() not in SUFFIXES:
                continue
            path = Path(parent, name)
            id_ = prefix + path.relative_to(root).as_posix()
            leads_out = path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)
            fault = "a link that leads out of the folder" if leads_out else ""
            yield Origin(id=id_, path=path, named=False, fault=fault)
