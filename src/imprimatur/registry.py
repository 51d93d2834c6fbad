"""A generic table of named implementations, loaded only when one is asked for.

Invariants: a registry is an object that is passed in, never a global; a name is registered once, a second target for it
is an error; built-ins and third parties' entry points come through the same door.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from imprimatur.errors import CheckFailed, UsageError, nearest

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Names mapped to objects, or to ``"module:attribute"`` texts that are imported at first use."""

    __slots__ = ("_entries", "_group", "_scanned", "_what")

    def __init__(self, what: str, entries: Mapping[str, str | T] | None = None, *, group: str | None = None) -> None:
        """An empty registry, or one with built-in ``entries``.

        Args:
            what: the word for an entry in messages, for instance "source".
            entries: the built-ins.
            group: the entry-point group that third parties may use, read at the first look-up that needs it.
        """
        self._what = what
        self._group = group
        self._scanned = group is None
        self._entries: dict[str, str | T] = {}
        for name, target in (entries or {}).items():
            self.register(name, target)

    def register(self, name: str, target: str | T) -> None:
        """Adds an entry. Raises UsageError when the name stands for something else already."""
        if isinstance(target, str) and not all(target.partition(":")):
            raise UsageError(f"{target!r} is not of the form 'module:attribute'", where=f"{self._what} {name!r}")
        standing = self._entries.get(name, target)
        if standing is not target and standing != target:
            message = f"the {self._what} {name!r} is registered twice: {standing!r} and {target!r}"
            raise UsageError(message, hint="give one of them another name")
        self._entries[name] = target

    def get(self, name: str) -> T:
        """The object of that name, imported if need be.

        Raises:
            UsageError: no such name; the hint names the nearest.
            CheckFailed: the entry cannot be imported.
        """
        if name not in self._entries:
            self._scan()
        if name not in self._entries:
            near = nearest(name, self._entries)
            hint = f"did you mean {near!r}?" if near else f"known: {', '.join(sorted(self._entries)) or 'none'}"
            raise UsageError(f"no {self._what} is called {name[:100]!r}", hint=hint)
        target = self._entries[name]
        if isinstance(target, str):
            target = self._entries[name] = self._import(name, target)
        return target

    def names(self) -> tuple[str, ...]:
        """All names, sorted, without importing anything."""
        self._scan()
        return tuple(sorted(self._entries))

    def __contains__(self, name: object) -> bool:
        self._scan()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def _scan(self) -> None:
        if self._scanned or self._group is None:
            return
        self._scanned = True
        for entry in importlib.metadata.entry_points(group=self._group):
            self.register(entry.name, entry.value)

    def _import(self, name: str, target: str) -> T:
        module, _, attribute = target.partition(":")
        try:
            found: object = importlib.import_module(module)
            for part in attribute.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as fault:
            message = f"the {self._what} {name!r} cannot be loaded from {target!r}: {fault}"
            raise CheckFailed(message, hint="is the package or extra that provides it installed?") from fault
        return found  # type: ignore[return-value]
