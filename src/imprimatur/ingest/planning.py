"""Which documents are new, changed, unchanged or gone since a store was last brought up to date.

What counts is the hash of a document's bytes and the identity of what reads it. Files and folders that were named once
are looked at again each time (*roots*): what is new in a folder is found, and what is no longer there is deleted. A
folder that is gone as a whole is an error unless it is named: it may be a disk that is not mounted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.ingest.store import FOLDER, Facts
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.listing import Origin, found_in
from imprimatur.sources.passages.reading import checked_id

__all__ = ["Found", "Plan", "Sought", "hash_now", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which documents are to be looked at.

    Attributes:
        named: files and folders; none: all that were ever named, and those ``configured``.
        apart: files that are no documents where a folder has them, such as the ontology.
    """

    named: Sequence[Path] = ()
    configured: Sequence[Path] = ()
    apart: Sequence[Path] = ()
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document as it is now.

    Attributes:
        id: its path below the knowledge base's folder, or as it was named. path: relative to that folder.
        sha256: of its bytes; "" where it cannot be read, and then ``problem`` says why.
        named: it was named itself, so that a fault in it is the caller's to mend.
    """

    id: str
    path: str
    sha256: str
    problem: str = ""
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done: the ids of documents by what has become of them, sorted.

    Attributes:
        documents: all that the store is to hold the facts of, by id.
        roots: what is to be looked at the next time.
    """

    documents: Mapping[str, Found]
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def to_do(self) -> bool:
        """Whether any document has changed."""
        return bool(self.added or self.changed or self.deleted)


def plan(base: Path, facts: Facts, sought: Sought, *, reader: str) -> Plan:
    """What has become of the documents of a knowledge base.

    Args:
        base: the knowledge base's folder.
        facts: what its store holds.
        reader: the identity of what is to read the documents.

    Raises:
        InputError: a file or folder is not there, cannot be read, or two documents would have one id.
    """
    roots = [_root(base, path) for path in sought.named or sought.configured]
    roots = list(dict.fromkeys(roots if sought.named else [*roots, *facts.roots]))
    found = _looked_at(base, roots, facts, sought)
    held = {id_ for id_, listed in facts.documents.items() if sought.named and not _under_any(listed.path, roots)}
    for id_ in held - found.keys():
        listed = facts.documents[id_]
        found[id_] = Found(id=id_, path=listed.path, sha256=listed.sha256, problem=listed.problem)
    if not found and not facts.documents:
        hint = "name files or folders, or write `ingest: {documents: [docs/]}` into imprimatur.yaml"
        raise InputError("there are no documents", where=str(base), hint=hint)
    known = facts.documents
    added = [id_ for id_ in found if id_ not in known]
    same = {id_ for id_ in found if id_ in known and _same(found[id_], facts, reader)}
    changed = [id_ for id_ in found if id_ in known and id_ not in same]
    return Plan(
        documents=dict(sorted(found.items())),
        added=tuple(sorted(added)),
        changed=tuple(sorted(changed)),
        unchanged=tuple(sorted(same)),
        deleted=tuple(sorted(known.keys() - found.keys())),
        roots=tuple(sorted(root for root in {*facts.roots, *roots} if root.rstrip("/") not in _gone(base, roots))),
        limits=sought.limits,
    )


def hash_now(base: Path, path: str, limits: Limits | None = None) -> str:
    """The hash of the bytes that a document has now; "" where it is gone or cannot be read.

    Args:
        path: of its file, relative to the knowledge base's folder ``base``.
    """
    try:
        return sha256(Origin(id=path, path=_path(base, path)).read(limits or Limits())).hexdigest()
    except InputError:
        return ""


def _same(found: Found, facts: Facts, reader: str) -> bool:
    listed = facts.documents[found.id]
    return (listed.sha256, listed.reader, listed.path) == (found.sha256, reader, found.path)


def _root(base: Path, path: Path) -> str:
    """A path as it is kept: relative to the knowledge base's folder, with ``/``; a folder ends with one."""
    whole = os.path.abspath(path)
    relative = Path(os.path.relpath(whole, os.path.abspath(base))).as_posix()
    return f"{relative}/" if os.path.isdir(whole) else relative


def _path(base: Path, root: str) -> Path:
    """The path that a root means; the knowledge base's folder need not be there yet."""
    return Path(os.path.normpath(os.path.join(os.path.abspath(base), root)))


def _gone(base: Path, roots: Sequence[str]) -> set[str]:
    return {root.rstrip("/") for root in roots if not _path(base, root).exists()}


def _under(path: str, root: str) -> bool:
    return root == "./" or path == root or path.startswith(root if root.endswith("/") else f"{root}/")


def _under_any(path: str, roots: Sequence[str]) -> bool:
    return any(_under(path, root) for root in roots)


def _looked_at(base: Path, roots: Sequence[str], facts: Facts, sought: Sought) -> dict[str, Found]:
    found: dict[str, Found] = {}
    apart = {os.path.realpath(path) for path in sought.apart}
    for root in roots:
        path = _path(base, root)
        if not path.exists():
            _check_gone(root, facts, named=bool(sought.named))
            continue
        for origin, relative in _origins(base, root):
            if not origin.named and os.path.realpath(origin.path or "") in apart:
                continue
            each = _found(origin, relative, sought.limits)
            before = found.get(each.id)
            if before is not None and before.path != each.path:
                hint = "rename one of them, or put them into the knowledge base's folder"
                raise InputError(f"two documents have the id {each.id[:60]!r}", where=root, hint=hint)
            if before is None or each.named:
                found[each.id] = each
    return found


def _check_gone(root: str, facts: Facts, *, named: bool) -> None:
    """Raises InputError for what is not there, unless it is clear that its facts are to go."""
    known = any(_under(listed.path, root) for listed in facts.documents.values())
    if not known or (root.endswith("/") and not named):
        hint = "check the path"
        if known:
            hint = "put it back; or name it on the command line, to remove all facts of its documents"
        raise InputError("no such file or folder", where=root, hint=hint)


def _origins(base: Path, root: str) -> Iterator[tuple[Origin, str]]:
    """The documents of a root, with their paths; the store's own files are none."""
    path = _path(base, root)
    outside = root.startswith("../")
    if not path.is_dir():
        yield Origin(id=checked_id(path.name if outside else root), path=path), root
        return
    inner = "" if root == "./" else root
    prefix = f"{path.resolve().name}/" if outside else inner
    store = os.path.realpath(base / FOLDER) + os.sep
    for origin in found_in(path, prefix=prefix):
        if not os.path.realpath(origin.path or "").startswith(store):
            yield origin, inner + origin.id.removeprefix(prefix)


def _found(origin: Origin, path: str, limits: Limits) -> Found:
    try:
        checked_id(origin.id)
        digest = sha256(origin.read(limits)).hexdigest()
    except InputError as fault:
        if origin.named:
            raise
        return Found(id=origin.id, path=path, sha256="", problem=fault.message)
    return Found(id=origin.id, path=path, sha256=digest, named=origin.named)
