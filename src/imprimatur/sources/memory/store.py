"""A memory: its entries as they are now, their history, and finding them by their words.

Contract: ``Memory.open`` reads a file whole; ``add``, ``update`` and ``delete`` read it again before they write, so
that several processes may change one memory. Nothing is ever removed from the file: ``history`` gives all that an entry
was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.extract.words import forms
from imprimatur.language.tokens import TokenKind, tokenise
from imprimatur.sources.memory.entries import Entry, Revision, entry_of, entry_to_dict
from imprimatur.sources.memory.files import SQLITE_SUFFIXES, JsonLines, Revisions, Sqlite

__all__ = ["Memory"]


class Memory:
    """An open memory. Make it with ``Memory.open`` or ``Memory.of``.

    ``left_out`` are the ids of entries that are no part of it, for nobody trusts them; most memories have none.
    """

    def __init__(
        self, revisions: Sequence[Revision], file: Revisions | None = None, *, left_out: Collection[str] = ()
    ) -> None:
        self.left_out = frozenset(left_out)
        self._file = file
        self._revisions = list(revisions)
        self._entries: dict[str, Entry] = {}
        self._take(revisions)
        self._lemmas: dict[str, Counter[str]] | None = None

    @classmethod
    def open(cls, path: str | Path) -> Memory:
        """The memory in a file: SQLite for .db, .sqlite and .sqlite3, else JSON lines; empty when there is none yet.

        Raises:
            KnowledgeBaseError: the file cannot be read. InputError: an entry in it is wrong; says where.
        """
        file = Path(path)
        kept: Revisions = Sqlite(file) if file.suffix.lower() in SQLITE_SUFFIXES else JsonLines(file)
        return cls(kept.read(), kept)

    @classmethod
    def of(cls, entries: Sequence[Entry], *, left_out: Collection[str] = ()) -> Memory:
        """A memory of some entries, without a file.

        Raises:
            InputError: an id is given twice.
        """
        twice = [id_ for id_, count in Counter(entry.id for entry in entries).items() if count > 1]
        if twice:
            raise InputError(f"the id {twice[0]!r} is given twice")
        return cls([Revision(entry.id, None, entry) for entry in entries], left_out=left_out)

    def trusting(self, classes: Collection[str]) -> Memory:
        """The entries of some trust classes, without a file; the memory itself where that is all of them.

        The others have no part in anything: not in what is found for a text, nor in how rare its words are.
        """
        kept = [each for each in self if each.trust in classes]
        others = {each.id for each in self} - {each.id for each in kept}
        return Memory.of(kept, left_out=self.left_out | others) if others else self

    def __len__(self) -> int:
        """How many entries there are now."""
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        """The entries as they are now, in the order in which they were first written."""
        return iter(self._entries.values())

    def get(self, id_: str) -> Entry | None:
        """The entry of that id; None when there is none (any more)."""
        return self._entries.get(id_)

    def history(self, id_: str) -> tuple[Revision, ...]:
        """All that an entry was, oldest first; empty when it never was."""
        return tuple(each for each in self._revisions if each.id == id_)

    @property
    def content_hash(self) -> str:
        """A SHA-256 over the entries as they are now."""
        lines = sorted(json.dumps(entry_to_dict(each), sort_keys=True, ensure_ascii=False) for each in self)
        return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    # Changing

    def add(self, *entries: Entry, at: datetime | None = None) -> None:
        """Adds entries, all or none.

        Args:
            at: when, with a zone; None for now.

        Raises:
            InputError: an id is taken. StoreUnavailable: the file cannot be written.
        """

        def new() -> list[Revision]:
            taken = [each.id for each in entries if each.id in self._entries]
            taken += [id_ for id_, count in Counter(each.id for each in entries).items() if count > 1]
            if taken:
                raise InputError(f"the id {taken[0]!r} is taken", hint="use `update`, or another id")
            return [Revision(each.id, _now(at), each) for each in entries]

        self._change(new)

    def update(self, id_: str, changes: Mapping[str, Any], *, at: datetime | None = None) -> Entry:
        """Changes fields of an entry, given as in its JSON (``text``, ``metadata``, ``valid_from``, …; None ends one).

        Raises:
            InputError: there is no such entry, or a value is not allowed. StoreUnavailable: the file cannot be written.
        """
        made: list[Entry] = []

        def new() -> list[Revision]:
            values = {**entry_to_dict(self._known(id_)), **changes, "id": id_}
            kept = {key: value for key, value in values.items() if value is not None}
            made.append(entry_of(kept, where=f"entry {id_}"))
            return [Revision(id_, _now(at), made[0])]

        self._change(new)
        return made[0]

    def delete(self, id_: str, *, at: datetime | None = None) -> None:
        """Ends an entry; its history stays.

        Raises:
            InputError: there is no such entry. StoreUnavailable: the file cannot be written.
        """
        self._change(lambda: [Revision(self._known(id_).id, _now(at), None)])

    def _change(self, new: Callable[[], list[Revision]]) -> None:
        if self._file is None:
            self._take(made := new())
            self._revisions += made
            return
        with self._file.writing():
            # Another process may have written since.
            self._revisions, self._entries = self._file.read(), {}
            self._take(self._revisions)
            made = new()
            self._file.append(made)
        self._take(made)
        self._revisions += made

    def _take(self, revisions: Sequence[Revision]) -> None:
        for each in revisions:
            if each.entry is None:
                self._entries.pop(each.id, None)
            else:
                self._entries[each.id] = each.entry
        self._lemmas = None

    def _known(self, id_: str) -> Entry:
        found = self._entries.get(id_)
        if found is None:
            raise InputError(f"there is no entry {id_[:60]!r}", hint="`imprimatur memory list` shows the ids")
        return found

    # Finding

    def search(self, text: str, *, most: int = 5) -> tuple[tuple[Entry, float], ...]:
        """The entries that share the rarest words with a text, best first, each with its score (BM25, above 0)."""
        lemmas = self._indexed()
        if not lemmas:
            return ()
        asked = set(lemmas_of(text))
        known = Counter(word for words in lemmas.values() for word in words)
        mean = sum(words.total() for words in lemmas.values()) / len(lemmas) or 1.0
        found = []
        for id_, words in lemmas.items():
            score = 0.0
            for word in asked & words.keys():
                rarity = log(1 + (len(lemmas) - known[word] + 0.5) / (known[word] + 0.5))
                score += rarity * words[word] * 2.2 / (words[word] + 1.2 * (0.25 + 0.75 * words.total() / mean))
            if score > 0:
                found.append((self._entries[id_], score))
        found.sort(key=lambda each: (-each[1], each[0].id))
        return tuple(found[:most])

    def _indexed(self) -> dict[str, Counter[str]]:
        if self._lemmas is None:
            self._lemmas = {each.id: Counter(lemmas_of(each.text)) for each in self}
        return self._lemmas


@lru_cache(4096)
def lemmas_of(text: str) -> tuple[str, ...]:
    """The base forms of a text's words and numbers, without words of closed classes."""
    found = []
    for token in tokenise(text):
        if token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL):
            continue
        known = forms(token.lower)
        if not known.closed:
            found.append(known.noun or known.verb or known.adj or token.lower)
    return tuple(found)


def _now(at: datetime | None) -> datetime:
    return datetime.now(UTC) if at is None else at.astimezone(UTC)
