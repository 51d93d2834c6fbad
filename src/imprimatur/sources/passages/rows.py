"""Documents as rows of an SQLite file: written once, in one order, then only read.

Invariants: passages are numbered from 0 in the order of their documents' ids and places, so that the rows depend on the
documents alone and not on the order in which they came; a document's text is its passages with what stands between
them, kept once. The file is opened read-only and as immutable: nothing changes it while it is read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

from imprimatur.errors import StoreUnavailable
from imprimatur.sources.passages.passage import Document, Field, Form, Passage, Sentence, SentenceKind
from imprimatur.sources.passages.scoring import Candidate
from imprimatur.sources.passages.terms import terms_above, terms_of

__all__ = ["Listed", "Rows", "RowsWriter"]

_TABLES = """
CREATE TABLE documents (
  id TEXT PRIMARY KEY, form TEXT NOT NULL, content_hash TEXT NOT NULL, settings TEXT NOT NULL, first INTEGER NOT NULL,
  passages INTEGER NOT NULL, notes TEXT NOT NULL, lead TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE passages (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL, start INTEGER NOT NULL, page INTEGER,
  line INTEGER, headings TEXT NOT NULL, text TEXT NOT NULL, tail TEXT NOT NULL, sentences TEXT NOT NULL,
  terms TEXT NOT NULL, above TEXT NOT NULL
) STRICT;
"""
_COLUMNS = "id, document, start, page, line, headings, text, tail, sentences, terms, above"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A document without its text. ``settings`` are those with which it was read; ``first`` numbers its passages."""

    id: str
    form: Form
    content_hash: str
    settings: str
    first: int
    passages: int
    notes: tuple[str, ...]


class RowsWriter:
    """A file of rows while it is written; documents must come in the order of their ids."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        self._connection.execute("BEGIN")
        self.count = 0

    def add(self, document: Document, settings: str) -> None:
        """Writes a document and its passages down."""
        passages = document.passages
        lead = document.text[: passages[0].start] if passages else document.text
        notes = json.dumps(list(document.notes))
        head = (document.id, str(document.form), document.content_hash, settings, self.count, len(passages))
        self._connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*head, notes, lead))
        for place, passage in enumerate(passages):
            stop = passages[place + 1].start if place + 1 < len(passages) else len(document.text)
            values = (self.count, *_row(passage, document.text[passage.end : stop]))
            self._connection.execute(f"INSERT INTO passages VALUES ({', '.join('?' * 12)})", values)
            self.count += 1

    def copy(self, rows: Rows, id_: str) -> None:
        """Writes a document down as it stands in another file."""
        for values in rows.raw_document(id_):
            self._connection.execute(
                "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values[:4], self.count, *values[5:])
            )
        for values in rows.raw_passages(id_):
            marks = ", ".join("?" * 12)
            self._connection.execute(f"INSERT INTO passages VALUES ({marks})", (self.count, *values))
            self.count += 1

    def close(self) -> None:
        """Ends the writing; the file is whole then."""
        self._connection.execute("COMMIT")
        self._connection.close()

    def abandon(self) -> None:
        """Ends the writing; the file is of no use."""
        self._connection.close()


class Rows:
    """A file of rows, open for reading; it may be used by several threads."""

    def __init__(self, path: Path) -> None:
        """Opens it. Raises StoreUnavailable where it is no such file."""
        self._where = str(path)
        self._lock = Lock()
        try:
            if not path.is_file():
                raise sqlite3.OperationalError("no such file")
            address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self.documents = self._listed()
        except (sqlite3.Error, ValueError) as fault:
            raise self._broken(fault) from fault
        self.count = sum(each.passages for each in self.documents.values())

    def _listed(self) -> dict[str, Listed]:
        columns = "id, form, content_hash, settings, first, passages, notes"
        found = self._all(f"SELECT {columns} FROM documents ORDER BY id")
        return {
            id_: Listed(
                id=id_,
                form=Form(form),
                content_hash=content_hash,
                settings=settings,
                first=first,
                passages=passages,
                notes=tuple(json.loads(notes)),
            )
            for id_, form, content_hash, settings, first, passages, notes in found
        }

    def candidate(self, number: int) -> Candidate:
        """The passage of a number, with the terms of its sentences. Raises StoreUnavailable where there is none."""
        found = self._all(f"SELECT {_COLUMNS} FROM passages WHERE number = ?", (number,))
        if not found:
            raise self._broken(ValueError(f"no passage {number}"))
        try:
            return Candidate(_passage(found[0]), [frozenset(line.split(" ")) for line in found[0][9].split("\n")])
        except (ValueError, IndexError, TypeError) as fault:
            raise self._broken(fault) from fault

    def number_of(self, id_: str) -> int | None:
        """The number of the passage of an id; None when there is none."""
        found = self._all("SELECT number FROM passages WHERE id = ?", (id_,))
        return int(found[0][0]) if found else None

    def text_of(self, document: str) -> str | None:
        """The extracted text of a document; None when there is none."""
        lead = self._all("SELECT lead FROM documents WHERE id = ?", (document,))
        if not lead:
            return None
        parts = self._all("SELECT text, tail FROM passages WHERE document = ? ORDER BY start", (document,))
        return str(lead[0][0]) + "".join(text + tail for text, tail in parts)

    def terms(self) -> Iterator[tuple[int, str]]:
        """Every passage's number with all its terms between blanks, for full text."""
        for first in range(0, self.count, 1000):
            query = "SELECT number, terms, above FROM passages WHERE number >= ? AND number < ? ORDER BY number"
            for number, terms, above in self._all(query, (first, first + 1000)):
                yield number, f"{terms.replace(chr(10), ' ')} {above}"

    def texts(self, document: str) -> Iterator[str]:
        """The texts of a document's passages under their headings, for embedding."""
        listed = self.documents[document]
        query = "SELECT headings, text FROM passages WHERE number >= ? AND number < ? ORDER BY number"
        for headings, text in self._all(query, (listed.first, listed.first + listed.passages)):
            yield "\n".join([*json.loads(headings), text])

    def raw_document(self, id_: str) -> list[Any]:
        """A document's row as it stands."""
        return self._all("SELECT * FROM documents WHERE id = ?", (id_,))

    def raw_passages(self, id_: str) -> list[Any]:
        """A document's passages as they stand, without numbers, in order."""
        listed = self.documents[id_]
        query = f"SELECT {_COLUMNS} FROM passages WHERE number >= ? AND number < ? ORDER BY number"
        return self._all(query, (listed.first, listed.first + listed.passages))

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()

    def _all(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeError) as fault:
            raise self._broken(fault) from fault

    def _broken(self, fault: Exception) -> StoreUnavailable:
        message = f"the index of passages cannot be read: {str(fault)[:200]}"
        return StoreUnavailable(message, where=self._where, hint="build it anew with `imprimatur passages build`")


def _row(passage: Passage, tail: str) -> tuple[Any, ...]:
    """A passage's columns, without its number."""
    sentences = [
        [
            each.start,
            each.end,
            str(each.kind),
            None if each.headings == passage.headings else list(each.headings),
            [[list(field.path), field.start, field.end] for field in each.fields],
        ]
        for each in passage.sentences
    ]
    terms = [terms_of(each.text) for each in passage.sentences]
    above = terms_above(passage.headings, {term for each in terms for term in each})
    place = (passage.id, passage.document, passage.start, passage.page, passage.line)
    told = (json.dumps(list(passage.headings)), passage.text, tail, json.dumps(sentences, separators=(",", ":")))
    return (*place, *told, "\n".join(" ".join(each) for each in terms), " ".join(above))


def _passage(row: Any) -> Passage:
    id_, document, start, page, line, headings, text, _, sentences, _, _ = row
    above = tuple(json.loads(headings))
    made = tuple(
        Sentence(
            passage=id_,
            document=document,
            number=place,
            start=first,
            end=stop,
            text=text[first - start : stop - start],
            kind=SentenceKind(kind),
            headings=above if own is None else tuple(own),
            fields=tuple(Field(tuple(path), begin, end) for path, begin, end in fields),
            page=page,
        )
        for place, (first, stop, kind, own, fields) in enumerate(json.loads(sentences))
    )
    return Passage(
        id=id_,
        document=document,
        start=start,
        end=start + len(text),
        text=text,
        sentences=made,
        headings=above,
        page=page,
        line=line,
    )
