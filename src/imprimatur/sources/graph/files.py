"""The files of a graph: path, role and trust class, how they are opened, and the hash of their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.stamps import remembered
from imprimatur.sources.graph.terms import TRUST_CLASSES

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["MAX_BYTES", "GraphFile", "Mapped", "file_hash", "opened"]

#: More is refused: a small gzip file can unfold without end.
MAX_BYTES = 4 << 30
_ROLES = ("data", "ontology", "shapes")


class Mapped(Protocol):
    """What is read as triples without being RDF."""

    @property
    def content_hash(self) -> str:
        """A hash of all that the triples depend on."""
        ...

    def quads(self) -> Iterator[ox.Quad]:
        """The triples. Raises KnowledgeBaseError where the file cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class GraphFile:
    """One file of a graph: its path, its role (data, ontology or shapes) and the trust class of its triples.

    ``mapped`` gives the triples of what is no file of RDF; ``name`` is how evidence names it, by default the file's.
    """

    path: Path
    role: str = "data"
    trust: str = "curated"
    mapped: Mapped | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Raises KnowledgeBaseError for an unknown role or trust class."""
        for what, value, known in (("role", self.role, _ROLES), ("trust class", self.trust, TRUST_CLASSES)):
            if value not in known:
                raise KnowledgeBaseError(
                    f"unknown {what} {value!r}", hint=f"use one of {', '.join(known)}", where=str(self.path)
                )


def file_hash(path: Path, memory: Path | None = None) -> str:
    """The SHA-256 of a file's bytes; of a large file that has not been touched since, as ``memory`` remembers it.

    Raises:
        KnowledgeBaseError: the file is missing, a directory, or cannot be read.
    """
    if memory is None:
        return _hashed(path)
    opened(path).close()
    return remembered(path, _hashed, folder=memory, what="sha256")


def _hashed(path: Path) -> str:
    digest = hashlib.sha256()
    with opened(path) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def opened(path: Path) -> IO[bytes]:
    """The file, open for reading as bytes.

    Raises:
        KnowledgeBaseError: it is missing, a directory, too large, or cannot be read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise KnowledgeBaseError("the file is too large", hint=f"at most {MAX_BYTES >> 30} GiB", where=str(path))
        return path.open("rb")
    except FileNotFoundError as error:
        raise KnowledgeBaseError("no such file", hint="check the name in the configuration", where=str(path)) from error
    except IsADirectoryError as error:
        raise KnowledgeBaseError("this is a directory", hint="name the files in it", where=str(path)) from error
    except OSError as error:
        raise KnowledgeBaseError(f"cannot be read: {error.strerror}", where=str(path)) from error
