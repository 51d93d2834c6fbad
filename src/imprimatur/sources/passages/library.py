"""The passages of a knowledge base, as its configuration names them.

Contract: ``open_passages`` gives a retriever, or None where the knowledge base names no passages. Its index lies in the
user's cache folder and is brought up to date first: what did not change since (told by the files' sizes and times,
then by their hashes) is not read again. Where the cache cannot be written, or the library of full text is not
installed, the passages are searched in memory, and ``warnings`` says so. A folder under ``passages:`` that is an index
itself is opened as it is. Two opened knowledge bases with the same ``content_hash`` find the same.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import InputError, KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.graph.cache import default_directory
from imprimatur.sources.passages import fulltext
from imprimatur.sources.passages.build import Outcome, Plan, build
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.fusion import Joined
from imprimatur.sources.passages.given import Given
from imprimatur.sources.passages.index import Index
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.listing import Origin, origins_of
from imprimatur.sources.passages.reading import read_document
from imprimatur.sources.passages.retriever import Retriever

if TYPE_CHECKING:
    from imprimatur.sources.passages.embedding import Embeds

__all__ = ["Library", "build_index", "index_folder", "open_passages"]

T = TypeVar("T")
_STAMPS = "stamps.json"
_SETTLED_NS = 3_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The passages of a knowledge base, open.

    Attributes:
        retriever: finds sentences in them.
        documents, passages: how many there are.
        ways: how they are searched, in words.
        content_hash: of documents, settings and model: all that a search depends on.
        warnings: what every report must say of them.
    """

    retriever: Retriever
    documents: int
    passages: int
    ways: str
    content_hash: str
    warnings: tuple[str, ...] = ()

    def info(self) -> dict[str, Any]:
        """The counts, JSON-ready."""
        counts = {"documents": self.documents, "passages": self.passages, "searched by": self.ways}
        return {**counts, "warnings": list(self.warnings)}


@dataclass(slots=True)
class _Parts:
    """What is put together to a library."""

    retrievers: list[Retriever] = field(default_factory=list)
    documents: int = 0
    ways: list[str] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add_index(self, index: Index) -> None:
        """Takes an index."""
        self.retrievers.append(index)
        self.documents += index.manifest.documents
        self.ways.append(index.ways)
        self.hashes += [index.manifest.content_hash, index.ways, str(index.manifest.fingerprint)]
        self.warnings += [f"{id_} was not read: {why}" for id_, why in sorted(index.manifest.problems.items())]


def open_passages(
    config: KnowledgeBaseConfig, *, cache_dir: Path | None = None, limits: Limits | None = None
) -> Library | None:
    """The passages that a configuration names; None where it names none.

    Args:
        config: what ``imprimatur.yaml`` says.
        cache_dir: where indexes are kept; None for the user's cache folder.
        limits: limits for one document; those of the configuration by default.

    Raises:
        KnowledgeBaseError: a document that is named cannot be read. ConfigError: there is no model where ``embed``
        says. StoreUnavailable: an index that is named is damaged.
    """
    if not config.passages:
        return None
    embedder = _embedder(config)
    parts = _Parts()
    paths, indexes = _parted(config)
    if paths:
        _open_listed(
            config, paths, embedder, parts, cache_dir=cache_dir, limits=limits or Limits(**dict(config.limits))
        )
    for path in indexes:
        parts.add_index(Index.open(path, embedder=embedder))
    if embedder is not None and any("embeddings" not in ways for ways in parts.ways):
        parts.warnings.append("some passages are found by full text only: they have no vectors of this model")
    retriever = parts.retrievers[0] if len(parts.retrievers) == 1 else Joined(parts.retrievers)
    return Library(
        retriever=retriever,
        documents=parts.documents,
        passages=len(retriever),
        ways="; ".join(dict.fromkeys(parts.ways)),
        content_hash=sha256("\n".join(parts.hashes).encode()).hexdigest(),
        warnings=tuple(parts.warnings),
    )


def build_index(
    config: KnowledgeBaseConfig,
    *,
    cache_dir: Path | None = None,
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Brings the index of a knowledge base up to date, whatever the files' times say, and says what was done.

    Raises:
        KnowledgeBaseError: it names no documents, or one that is named cannot be read. StoreUnavailable: no index can
        be written.
    """
    paths, _ = _parted(config)
    if not paths:
        hint = "name files, folders or patterns under `passages:` in imprimatur.yaml"
        raise KnowledgeBaseError("the knowledge base names no documents", where=str(config.folder), hint=hint)
    origins = _origins(config, paths)
    plan = Plan(
        wanted=origins, limits=limits or Limits(**dict(config.limits)), embedder=_embedder(config), progress=progress
    )
    folder = IndexFolder(index_folder(config, cache_dir))
    stamps = _stamps(origins)
    outcome = _as_knowledge_base(lambda: build(folder, plan))
    _remember(folder.path, stamps, plan)
    return outcome


def index_folder(config: KnowledgeBaseConfig, cache_dir: Path | None = None) -> Path:
    """Where the index of a knowledge base lies."""
    key = sha256(os.fsencode(str(config.folder))).hexdigest()[:32]
    return (cache_dir or default_directory()) / "passages" / key


def _parted(config: KnowledgeBaseConfig) -> tuple[list[Path], list[Path]]:
    """What is named: documents and folders of them, and indexes."""
    indexes = [path for path in config.passages if path.is_dir() and IndexFolder(path).exists]
    return [path for path in config.passages if path not in indexes], indexes


def _embedder(config: KnowledgeBaseConfig) -> Embeds | None:
    if config.embed is None:
        return None
    from imprimatur.sources.passages.embedding import open_embedder

    return open_embedder(config.embed)


def _origins(config: KnowledgeBaseConfig, paths: Sequence[Path]) -> list[Origin]:
    return _as_knowledge_base(lambda: origins_of(paths, base=config.folder))


def _as_knowledge_base(work: Callable[[], T]) -> T:
    """What work gives; a document that cannot be read is a fault of the knowledge base that names it."""
    try:
        return work()
    except InputError as fault:
        raise KnowledgeBaseError(fault.message, where=fault.where, hint=fault.hint) from fault


def _open_listed(
    config: KnowledgeBaseConfig,
    paths: Sequence[Path],
    embedder: Embeds | None,
    parts: _Parts,
    *,
    cache_dir: Path | None,
    limits: Limits,
) -> None:
    origins = _origins(config, paths)
    if not fulltext.available():
        _open_in_memory(origins, parts, limits, why="tantivy is not installed")
        return
    folder = IndexFolder(index_folder(config, cache_dir))
    plan = Plan(wanted=origins, limits=limits, embedder=embedder)
    try:
        parts.add_index(_up_to_date(folder, plan))
    except StoreUnavailable as fault:
        _open_in_memory(origins, parts, limits, why=fault.message)


def _up_to_date(folder: IndexFolder, plan: Plan) -> Index:
    stamps = _stamps(plan.wanted)
    if _remembered(folder.path, stamps, plan):
        with suppress(StoreUnavailable, KnowledgeBaseError):
            return Index.open(folder.path, embedder=plan.embedder)
    _as_knowledge_base(lambda: build(folder, plan))
    _remember(folder.path, stamps, plan)
    return Index.open(folder.path, embedder=plan.embedder)


def _open_in_memory(origins: Sequence[Origin], parts: _Parts, limits: Limits, *, why: str) -> None:
    documents = []
    for origin in origins:
        try:
            raw = origin.read(limits)
            documents.append(read_document(raw, id_=origin.id, form=origin.form, limits=limits))
        except InputError as fault:
            if origin.named:
                raise KnowledgeBaseError(fault.message, where=fault.where, hint=fault.hint) from fault
            parts.warnings.append(f"{origin.id} was not read: {fault.message}")
    parts.retrievers.append(Given(documents))
    parts.documents += len(documents)
    parts.ways.append("full text in memory")
    parts.hashes += [f"{each.id}\0{each.content_hash}" for each in documents]
    parts.warnings.append(f"passages are searched in memory, without an index ({why})")


# What was found when the index was last brought up to date, so that an unchanged folder is not read to be sure.


def _stamps(origins: Sequence[Origin]) -> dict[str, list[Any]] | None:
    """Size, times and place of every file; None where one cannot be looked at."""
    found: dict[str, list[Any]] = {}
    for origin in origins:
        try:
            status = origin.path.stat() if origin.path is not None else None
        except OSError:
            return None
        if status is None:
            return None
        times = [status.st_mtime_ns, status.st_ctime_ns]
        found[origin.id] = [status.st_size, *times, status.st_ino, status.st_dev, origin.named, origin.fault]
    return found


def _key(stamps: Mapping[str, list[Any]], plan: Plan) -> dict[str, Any]:
    model = plan.embedder.fingerprint if plan.embedder else None
    return {"stamps": stamps, "limits": repr(plan.limits), "model": model}


def _remembered(folder: Path, stamps: Mapping[str, list[Any]] | None, plan: Plan) -> bool:
    try:
        told = json.loads((folder / _STAMPS).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return stamps is not None and bool(told == _key(stamps, plan))


def _remember(folder: Path, stamps: Mapping[str, list[Any]] | None, plan: Plan) -> None:
    """Without a warning on failure: the only loss is time. Files that changed just now could change unseen again."""
    last = max((max(stamp[1:3]) for stamp in (stamps or {}).values()), default=0)
    part = folder / f".{_STAMPS}.{secrets.token_hex(4)}.part"
    with suppress(OSError):
        if stamps is None or time.time_ns() - last < _SETTLED_NS:
            (folder / _STAMPS).unlink(missing_ok=True)
            return
        part.write_text(json.dumps(_key(stamps, plan)), encoding="ascii")
        part.replace(folder / _STAMPS)
