"""The sentences behind facts that came from documents: what evidence shows as the origin of such a fact.

The graph of each quad in a store of facts is the IRI of a place; the store's rows say which words stand there. They are
kept with the facts, as they were when the document was read: a fact opens its sentence when the document has changed or
gone, and then that is said too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur.sources.graph.switched import FACT_FILES, is_fact_file
from imprimatur.sources.graph.terms import Origin

__all__ = ["Places", "places_of", "where"]

_ROWS = ("stored.jsonl", "review.jsonl")
_STATE = "state.json"
_MOST_DOCUMENT = 64 << 20


class Places:
    """The places of some stores of facts, read when the first one is asked for.

    What they say is what stood in the files when this was made, as it is with the graph that was read with them.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._content = [(folder, {name: _read(folder / name) for name in (*_ROWS, _STATE)}) for folder in folders]
        self._rows: dict[str, list[tuple[Path, Mapping[str, Any]]]] | None = None
        self._paths: dict[tuple[Path, str], Path] = {}
        self._now: dict[tuple[Path, tuple[int, int]], str] = {}

    def told(self, origin: Origin) -> str:
        """Document, characters and words of an origin; as any other where its graph is no place that is known."""
        if origin.file not in FACT_FILES or not origin.graph:
            return str(origin)
        rows = self._known().get(origin.graph, ())
        accepted = origin.file == FACT_FILES[2]
        for folder, row in sorted(rows, key=lambda each: (each[1].get("state") == "accepted") != accepted):
            return self._told(folder, row)
        return f"{origin} ({origin.graph})"

    def _told(self, folder: Path, row: Mapping[str, Any]) -> str:
        words = " ".join(row["quote"].split())
        told = f"{row['document']}, characters {row['start']}-{row['end']}: “{words}”"
        if row.get("state") == "accepted":
            told += f", accepted by {row.get('decided_by', '')} on {str(row.get('decided_at', ''))[:10]}"
        now = self._hash(folder, row["document"])
        if now == row.get("document_hash"):
            return told
        return f"{told} ({'the document is gone' if not now else 'the document has changed since'})"

    def _known(self) -> dict[str, list[tuple[Path, Mapping[str, Any]]]]:
        if self._rows is None:
            self._rows = {}
            for folder, content in self._content:
                for row in (row for name in _ROWS for row in _read_rows(content[name])):
                    graph = row["quads"][0].rpartition(" <")[2].removesuffix("> .")
                    self._rows.setdefault(graph, []).append((folder, row))
                for id_, path in _paths(content[_STATE]):
                    self._paths[folder, id_] = Path(os.path.normpath(folder.parent / path))
            self._content = []
        return self._rows

    def _hash(self, folder: Path, document: str) -> str:
        """The hash of a document's bytes now; "" where it cannot be read."""
        path = self._paths.get((folder, document), folder.parent / document)
        try:
            status = path.stat()
            key = (path, (status.st_mtime_ns, status.st_size))
            if key not in self._now and path.is_file() and status.st_size <= _MOST_DOCUMENT:
                self._now[key] = sha256(path.read_bytes()).hexdigest()
            return self._now.get(key, "")
        except (OSError, ValueError):
            return ""


def _read_rows(content: bytes) -> Iterator[Mapping[str, Any]]:
    """The rows that have a place; what is no such row tells nothing, and the fact is told of by its file."""
    for line in content.splitlines():
        with suppress(ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            row = json.loads(line)
            texts = (row["document"], row["quote"], row["quads"][0])
            if all(isinstance(each, str) and each for each in texts) and type(row["start"]) is type(row["end"]) is int:
                yield row


def _paths(content: bytes) -> Iterator[tuple[str, str]]:
    """The paths of documents, by id."""
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        for id_, each in json.loads(content)["documents"].items():
            yield str(id_), str(each["path"])


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def places_of(files: Iterable[Path]) -> Places | None:
    """The places of the stores among a graph's files; None where there is none."""
    folders = dict.fromkeys(path.parent for path in files if is_fact_file(path))
    return Places(folders) if folders else None


def where(places: Places | None, origins: Sequence[Origin]) -> str:
    """Where some triples come from, as evidence names it: each origin once, sentences of documents in full."""
    if places is None:
        return ", ".join(dict.fromkeys(map(str, origins)))
    return "; ".join(dict.fromkeys(map(places.told, origins)))
