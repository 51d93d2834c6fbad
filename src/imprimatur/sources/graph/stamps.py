"""What is known of a large file from an earlier look at it, for as long as the file has not been touched since.

A stamp is a file's size, times of change and place on the disk, as ``make`` and ``git`` use them: writing to a file or
putting another in its place changes it, and setting the time of modification back does not restore the time of change.
A file that was changed less than ``_SETTLED_NS`` ago is not remembered, for it could change again within one tick of
the clock. Small files are always looked at anew. A memory that is damaged, missing or cannot be written is no memory.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

__all__ = ["SMALL", "remembered"]

#: Files up to this many bytes are read in about ten milliseconds, and are.
SMALL = 16 << 20
_SETTLED_NS = 3_000_000_000


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]


def remembered(path: Path, compute: Callable[[Path], str], *, folder: Path, what: str) -> str:
    """What ``compute`` says of the file, from the last time where the file is the same.

    Args:
        folder: where memories are kept.
        what: names what is computed; memories of different things are kept apart.

    Raises: what ``compute`` raises; OSError when the file cannot be looked at.
    """
    before = _stamp(path)
    if before[0] <= SMALL:
        return compute(path)
    name = sha256(os.fsencode(f"{what}\0{path.absolute()}")).hexdigest()[:32]
    memory = folder / f"{name}.stamp"
    known = _read(memory, before)
    if known is not None:
        return known
    found = compute(path)
    changed = max(before[1], before[2])
    if _stamp(path) == before and time.time_ns() - changed > _SETTLED_NS:
        _write(memory, before, found)
    return found


def _read(memory: Path, stamp: list[int]) -> str | None:
    try:
        stored = json.loads(memory.read_bytes())
        found = stored["found"] if stored["stamp"] == stamp else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def _write(memory: Path, stamp: list[int], found: str) -> None:
    """Without a warning on failure: the only loss is time, and the cache beside it warns when the folder is closed."""
    part = memory.with_suffix(f".{os.getpid()}.part")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.write_text(json.dumps({"stamp": stamp, "found": found}), encoding="ascii")
        part.replace(memory)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
