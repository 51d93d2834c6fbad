"""The compiled graph on disk: written whole, renamed into place, checked when read, rebuilt when damaged.

Layout, little-endian: magic, length of a JSON header, the header, then the sections that it names with their sizes and
one CRC-32 over all. Only numbers and UTF-8 text are stored; nothing in a cache file is ever executed. A damaged,
foreign or unwritable cache gives a warning, never an error.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import zlib
from array import array
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path

from imprimatur.sources.graph.index import Index
from imprimatur.sources.graph.terms import Origin

__all__ = ["FORMAT_VERSION", "default_directory", "read", "write"]

#: Goes into every cache key: a change of the layout or of what loading does must raise it.
FORMAT_VERSION = 1
_MAGIC = b"IMPRGRA1"
_ARRAYS = {
    "tags": "i",
    "s_start": "I",
    "s_predicate": "I",
    "s_object": "I",
    "o_start": "I",
    "o_predicate": "I",
    "o_subject": "I",
    "p_start": "I",
    "p_position": "I",
    "origins": "H",
}


def default_directory() -> Path:
    """``$XDG_CACHE_HOME/imprimatur``, by default ``~/.cache/imprimatur``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "imprimatur"


def _little(column: array[int]) -> bytes:
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def write(path: Path, index: Index, *, origins: tuple[Origin, ...], warnings: tuple[str, ...]) -> str | None:
    """Writes the index to ``path`` atomically. Returns a warning when that was not possible, else None."""
    sections: dict[str, bytes] = {
        "texts": "".join(index.texts).encode("utf-8"),
        "lengths": _little(array("I", map(len, index.texts))),
        "kinds": index.kinds,
    }
    sections.update({name: _little(getattr(index, name)) for name in _ARRAYS})
    payload = b"".join(sections.values())
    header = {
        "version": FORMAT_VERSION,
        "sections": {name: len(block) for name, block in sections.items()},
        "crc32": zlib.crc32(payload),
        "langs": index.langs,
        "origins": [asdict(origin) for origin in origins],
        "warnings": warnings,
    }
    head = json.dumps(header).encode("utf-8")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(_MAGIC + len(head).to_bytes(8, "little") + head + payload)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"the graph cache was not written ({path}: {error.strerror or error})"
    return None


def read(path: Path) -> tuple[Index, tuple[Origin, ...], tuple[str, ...]] | str | None:
    """The index, origins and warnings stored at ``path``; None when absent; a warning when it is not usable."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"the graph cache was not read ({path}: {error.strerror or error})"
    try:
        return _parsed(content)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        return f"the graph cache is damaged and was rebuilt ({path}: {error})"


def _parsed(content: bytes) -> tuple[Index, tuple[Origin, ...], tuple[str, ...]]:
    if content[:8] != _MAGIC:
        raise ValueError("unknown file")
    end = 16 + int.from_bytes(content[8:16], "little")
    header = json.loads(content[16:end])
    payload = memoryview(content)[end:]
    if header["version"] != FORMAT_VERSION or zlib.crc32(payload) != header["crc32"]:
        raise ValueError("wrong version or checksum")
    blocks: dict[str, memoryview] = {}
    at = 0
    for name, size in header["sections"].items():
        blocks[name] = payload[at : at + size]
        at += size
    columns = {name: _column(kind, blocks[name]) for name, kind in _ARRAYS.items()}
    texts = _cut(str(blocks["texts"], "utf-8"), _column("I", blocks["lengths"]))
    index = Index(texts=texts, kinds=bytes(blocks["kinds"]), langs=tuple(header["langs"]), **columns)
    origins = tuple(Origin(**origin) for origin in header["origins"])
    _check(index, len(origins))
    return index, origins, tuple(header["warnings"])


def _column(kind: str, block: memoryview) -> array[int]:
    column: array[int] = array(kind)
    column.frombytes(block)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _cut(text: str, lengths: array[int]) -> list[str]:
    ends = list(accumulate(lengths))
    if (ends[-1] if ends else 0) != len(text):
        raise ValueError("texts do not fit their lengths")
    return [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _check(index: Index, origins: int) -> None:
    """Raises ValueError when columns do not fit together, so that no later look-up can leave an array."""
    terms, triples = len(index.texts), len(index.s_object)
    if len(index.kinds) != terms or len(index.tags) != terms:
        raise ValueError("columns of terms differ in length")
    for name in ("s_start", "o_start", "p_start"):
        starts: array[int] = getattr(index, name)
        if len(starts) != terms + 1 or starts[-1] != triples:
            raise ValueError(f"{name} does not fit")
    for name in ("s_predicate", "o_predicate", "o_subject", "p_position", "origins"):
        if len(getattr(index, name)) != triples:
            raise ValueError(f"{name} does not fit")
    if triples and max(index.origins) >= origins:
        raise ValueError("an origin is missing")
