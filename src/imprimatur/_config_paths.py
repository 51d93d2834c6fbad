"""The files that imprimatur.yaml names: found in the knowledge base's folder, or an error that says how to mend it.

Invariants: every path is absolute and lies lexically inside the folder; a symbolic link in it may point elsewhere, what
a pattern matches may not; a file exists and may be read.
"""

from __future__ import annotations

import os
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError, nearest
from imprimatur.settings_file import Section

__all__ = ["NamedFiles", "exists"]

#: Folder and name of the files that hold facts of documents (``ingest/store.py``).
_OF_DOCUMENTS = frozenset(("facts", name) for name in ("derived.nq", "model.nq", "accepted.nq"))


def exists(path: Path) -> bool:
    """Whether there is a file or folder; False for a path that cannot be one."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """The files of a folder, as the sections of its imprimatur.yaml name them."""

    folder: Path
    top: Section

    def memory(self) -> Path | None:
        """The file of the memory; None where there is none."""
        name = self.top.text("memory")
        return None if name is None else self.existing(self.top, "memory", name, folders=False)

    def files(self, part: Section, key: str, *, folders: bool) -> tuple[Path, ...]:
        """The files that a key lists; ``folders``: folders count as well."""
        return tuple(self.existing(part, key, name, folders=folders) for name in part.texts(key))

    def passages(self) -> tuple[Path, ...]:
        """Files, folders, and what patterns match; a pattern that matches nothing is a mistake."""
        found: dict[Path, None] = {}
        for name in self.top.texts("passages"):
            if any(char in name for char in "*?["):
                found.update(dict.fromkeys(self.matching(name)))
            else:
                found[self.existing(self.top, "passages", name, folders=True)] = None
        return tuple(found)

    def matching(self, pattern: str) -> list[Path]:
        """The files that a pattern matches, at least one."""
        cleaned = self.inside(self.top, "passages", pattern).relative_to(self.folder).as_posix()
        try:
            found = sorted(path for path in self.folder.glob(cleaned) if path.is_file())
        except (OSError, ValueError) as fault:
            raise self.top.fault("passages", f"{pattern[:100]!r} is no pattern: {fault}") from fault
        if not found:
            message = f"`passages` names {pattern[:100]!r}, which matches no file"
            raise KnowledgeBaseError(message, where=self.top.where, hint="patterns are relative to the folder")
        root = Path(os.path.realpath(self.folder))
        for path in found:
            if not Path(os.path.realpath(path)).is_relative_to(root):
                message = f"`passages` matches {path.name[:100]!r}, a link that leads out of the folder"
                raise KnowledgeBaseError(message, where=self.top.where, hint="name the link itself, if it is meant")
        return found

    def file(self, key: str) -> Path | None:
        """The file that a key names."""
        name = self.top.text(key)
        return None if name is None else self.existing(self.top, key, name, folders=False)

    def existing(self, part: Section, key: str, name: str, *, folders: bool) -> Path:
        """The absolute path of a file that exists and may be read."""
        path = self.inside(part, key, name)
        where, label = part.where, f"`{part.path}{key}` names {name[:100]!r}, which"
        if not exists(path):
            siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
            near = nearest(path.name, siblings)
            hint = f"did you mean {near!r}?" if near else f"put the file into {self.folder}, or mend its name"
            if (path.parent.name, path.name) in _OF_DOCUMENTS:
                hint = "`imprimatur kb ingest` makes it, of the knowledge base's documents"
            raise KnowledgeBaseError(f"{label} does not exist", where=where, hint=hint)
        if not path.is_file() and not (folders and path.is_dir()):
            raise KnowledgeBaseError(f"{label} is not a file", where=where, hint="name each file")
        if not os.access(path, os.R_OK):
            raise KnowledgeBaseError(f"{label} may not be read", where=where, hint="check the file's permissions")
        return path

    def inside(self, part: Section, key: str, name: str) -> Path:
        """The absolute path of a file; links are not followed, so that a link may point anywhere."""
        cleaned = os.path.normpath(name)
        if not name.strip() or "\0" in name or len(name) > 1000:
            raise part.fault(key[:60], "a file name that is empty, too long or has a NUL in it")
        if os.path.isabs(cleaned) or cleaned.split(os.sep)[0] == os.pardir:
            message = f"{name[:100]!r} lies outside the knowledge base's folder"
            hint = "use a path relative to the folder; a symbolic link inside it may point elsewhere"
            raise KnowledgeBaseError(f"`{part.path}{key[:60]}`: {message}", where=part.where, hint=hint)
        return self.folder / cleaned
