"""The compiled graph on disk: written whole, renamed into place, checked, mapped into memory, rebuilt when damaged.

Layout, in the byte order of the machine: magic, length and CRC-32 of a JSON header, the header, then the columns that
it names with their places, each on a multiple of 64 bytes; the header holds one CRC-32 over all of them. Only numbers
and UTF-8 text are stored; nothing in a cache file is ever executed. The header and the lengths of all columns are
checked whenever a file is opened; the columns' content too, except for a large file that was found whole before and has
not been touched since (``stamps``). A file in place is never written to, so what is mapped does not change. A damaged,
foreign or unwritable cache gives a warning, never an error.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from imprimatur.sources.graph.index import COLUMNS, Index
from imprimatur.sources.graph.stamps import remembered
from imprimatur.sources.graph.terms import Origin

__all__ = ["FORMAT_VERSION", "default_directory", "read", "write"]

#: Goes into every cache key: a change of the layout or of what loading does must raise it.
FORMAT_VERSION = 3
_MAGIC = b"IMPRGRA2"
_ALIGNED = 64
_FIXED = 20
_BLOCK = 1 << 24
#: Larger is no header of ours: reading it whole would take what its writer pleases.
_MAX_HEADER = 64 << 20
_Stored = tuple[Index, tuple[Origin, ...], tuple[str, ...]]


def default_directory() -> Path:
    """``$XDG_CACHE_HOME/imprimatur``, by default ``~/.cache/imprimatur``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "imprimatur"


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def write(path: Path, index: Index, *, origins: tuple[Origin, ...], warnings: tuple[str, ...]) -> str | None:
    """Writes the index to ``path`` atomically. Returns a warning when that was not possible, else None."""
    columns = {name: memoryview(getattr(index, name)).cast("B") for name in COLUMNS}
    places: dict[str, tuple[int, int]] = {}
    at = checksum = 0
    for name, column in columns.items():
        places[name] = (at, column.nbytes)
        at += _padded(column.nbytes)
        checksum = zlib.crc32(bytes(at - sum(places[name])), zlib.crc32(column, checksum))
    header = {
        "version": FORMAT_VERSION,
        "byte_order": sys.byteorder,
        "columns": places,
        "size": at,
        "crc32": checksum,
        "counts": [index.subjects, index.literals],
        "langs": index.langs,
        "origins": [asdict(origin) for origin in origins],
        "warnings": warnings,
    }
    import tempfile  # only where a cache is written

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                _write_all(stream, json.dumps(header).encode("utf-8"), columns)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"the graph cache was not written ({path}: {error.strerror or error})"
    return None


def _write_all(stream: IO[bytes], head: bytes, columns: Mapping[str, memoryview]) -> None:
    stream.write(_MAGIC + len(head).to_bytes(8, "little") + zlib.crc32(head).to_bytes(4, "little") + head)
    stream.write(bytes(_padded(_FIXED + len(head)) - _FIXED - len(head)))
    for column in columns.values():
        for start in range(0, column.nbytes, _BLOCK):
            stream.write(column[start : start + _BLOCK])
        stream.write(bytes(_padded(column.nbytes) - column.nbytes))


def read(path: Path) -> _Stored | str | None:
    """The index, origins and warnings stored at ``path``; None when absent; a warning when it is not usable."""
    try:
        with path.open("rb") as stream:
            # An empty file cannot be mapped; it is damaged like any other that is cut short.
            mapped = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b"")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return f"the graph cache was not read ({path}: {error})"
    try:
        header, start = _header(mapped)
        index = _index(header, mapped[start:])
        origins = tuple(Origin(**origin) for origin in header["origins"])

        def whole(_: Path) -> str:
            if zlib.crc32(mapped[start:]) != header["crc32"]:
                return "wrong checksum"
            return index.faults(len(origins))

        fault = remembered(path, whole, folder=path.parent, what=f"crc {header['crc32']}")
        if fault:
            raise ValueError(fault)
        return index, origins, tuple(header["warnings"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OSError) as error:
        return f"the graph cache is damaged and was rebuilt ({path}: {error})"


def _header(mapped: memoryview) -> tuple[dict[str, Any], int]:
    """The header, checked, and where the columns begin."""
    if mapped[:8] != _MAGIC:
        raise ValueError("unknown file")
    length = int.from_bytes(mapped[8:16], "little")
    if length > _MAX_HEADER:
        raise ValueError("unknown file")
    head = mapped[_FIXED : _FIXED + length]
    if zlib.crc32(head) != int.from_bytes(mapped[16:_FIXED], "little"):
        raise ValueError("wrong checksum of the header")
    header = json.loads(bytes(head))
    start = _padded(_FIXED + length)
    if header["version"] != FORMAT_VERSION or header["byte_order"] != sys.byteorder:
        raise ValueError("wrong version or byte order")
    if len(mapped) != start + header["size"]:
        raise ValueError("wrong length")
    return header, start


def _index(header: Mapping[str, Any], columns: memoryview) -> Index:
    """The columns as they lie in the file; nothing is copied."""
    places = {name: header["columns"][name] for name in COLUMNS}
    cut = {name: columns[at : at + size] for name, (at, size) in places.items()}
    subjects, literals = header["counts"]
    index = Index(
        langs=tuple(header["langs"]),
        subjects=subjects,
        literals=literals,
        **{name: block if COLUMNS[name] == "B" else block.cast(COLUMNS[name]) for name, block in cut.items()},  # type: ignore[call-overload]
    )
    index.check()
    return index
