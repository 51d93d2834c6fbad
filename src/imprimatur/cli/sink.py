"""Where a command's output goes: a file that appears whole or not at all, or a stream.

Invariants: a regular file is written beside its place and renamed into it by ``keep``, with the mode of what was
there; leaving without it leaves what was there before; devices, pipes and ``-`` are written through, never replaced.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from imprimatur.errors import InputError

__all__ = ["Sink"]


class Sink:
    """An open output; a context manager."""

    def __init__(self, stream: BinaryIO, *, part: Path | None = None, target: Path | None = None) -> None:
        """``part`` is what ``keep`` renames to ``target``; without both, the stream is written through."""
        self._stream = stream
        self._part = part
        self._target = target

    @classmethod
    def open(cls, name: str) -> Sink:
        """The output of that name. Raises InputError when it cannot be written."""
        if name == "-":
            return cls(sys.stdout.buffer)
        try:
            target = Path(os.path.realpath(name))
            if target.is_dir():
                raise InputError("a folder, not a file", where=name, hint="give a file's name")
            if target.exists() and not target.is_file():
                return cls(open(name, "wb"))
            part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
            return cls(open(part, "xb"), part=part, target=target)
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise InputError(f"cannot be written: {reason}", where=name, hint="does the folder exist?") from fault

    def write(self, content: bytes) -> None:
        """Adds to the output."""
        self._stream.write(content)

    def keep(self) -> None:
        """Says that all is written: a file now appears under its name."""
        self._stream.flush()
        if self._part is not None and self._target is not None:
            os.fsync(self._stream.fileno())
            with contextlib.suppress(FileNotFoundError):
                os.chmod(self._part, stat.S_IMODE(self._target.stat().st_mode))
            os.replace(self._part, self._target)
            self._part = None

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not sys.stdout.buffer:
            self._stream.close()
        if self._part is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._part)
