"""The memory: both kinds of files, history, several writers, bad input, and finding by words."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from imprimatur.errors import ImprimaturError, InputError, KnowledgeBaseError
from imprimatur.sources.memory.entries import MAX_TEXT, Entry, entry_of, entry_to_dict
from imprimatur.sources.memory.store import Memory

FILES = ["memory.jsonl", "memory.db"]
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def _entry(id_: str, text: str = "The kiln holds 40 plates.") -> Entry:
    return Entry(id=id_, text=text)


@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    """Entries, changes and deletions survive, and so does all that an entry was."""
    memory = Memory.open(tmp_path / name)
    first, last = date(2025, 1, 1), date(2025, 12, 31)
    whole = Entry(id="k-1", text="Fired at 900 °C.", metadata={"page": 3}, valid_from=first, valid_to=last)
    memory.add(whole, _entry("k-2"), at=NOON)
    memory.update("k-2", {"text": "The kiln holds 42 plates.", "trust": "derived"}, at=NOON)
    memory.delete("k-1", at=NOON)
    again = Memory.open(tmp_path / name)
    assert [each.id for each in again] == ["k-2"]
    assert again.get("k-2") == Entry(id="k-2", text="The kiln holds 42 plates.", trust="derived")
    assert [each.entry for each in again.history("k-1")] == [whole, None]
    assert [each.at for each in again.history("k-2")] == [NOON, NOON]
    assert again.content_hash == memory.content_hash == Memory.of([again.get("k-2") or whole]).content_hash
    again.add(whole, at=NOON)
    assert len(Memory.open(tmp_path / name)) == 2
    assert whole.holds_on(date(2025, 6, 1))
    assert not whole.holds_on(date(2026, 1, 1))


@pytest.mark.parametrize("name", FILES)
def test_a_change_that_is_not_allowed_changes_nothing(name: str, tmp_path: Path) -> None:
    """A taken or unknown id, a value that is not allowed: an error, and the file is as it was."""
    path = tmp_path / name
    memory = Memory.open(path)
    memory.add(_entry("a"))
    for change in (
        lambda: memory.add(_entry("b"), _entry("a")),
        lambda: memory.add(_entry("c"), _entry("c")),
        lambda: memory.update("z", {"text": "x"}),
        lambda: memory.update("a", {"text": " "}),
        lambda: memory.update("a", {"valid_from": "soon"}),
        lambda: memory.delete("z"),
    ):
        with pytest.raises(InputError):
            change()
    assert [each.id for each in Memory.open(path)] == ["a"]
    assert len(memory.history("a")) == 1


@pytest.mark.parametrize("name", FILES)
def test_several_writers(name: str, tmp_path: Path) -> None:
    """Memories that were opened at once see each other's entries when they write; nothing is lost."""
    path = tmp_path / name
    memories = [Memory.open(path) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: memories[n].add(*(_entry(f"{n}-{m}") for m in range(5))), range(8)))
    assert len(Memory.open(path)) == 40
    with pytest.raises(InputError, match="taken"):
        memories[0].add(_entry("7-4"))


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    """No times, no line end at the end, a number as id, a byte order mark, empty lines; then a change is added."""
    path = tmp_path / "memory.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 12, "text": "One."}\n\n{"id": "b", "text": "Two."}')
    memory = Memory.open(path)
    assert [each.id for each in memory] == ["12", "b"]
    memory.update("b", {"text": "Three."}, at=NOON)
    assert [each.text for each in Memory.open(path)] == ["One.", "Three."]
    assert len(path.read_bytes().splitlines()) == 4


BAD = {
    "not a line of JSON": b"{",
    "must be a JSON object": b"[1]",
    "needs a `text`": b'{"id": "a"}',
    "needs an `id`": b'{"text": "x"}',
    "cannot be cited": b'{"id": "a b", "text": "x"}',
    "unknown key 'txet'": b'{"id": "a", "text": "x", "txet": 1}',
    "unknown trust class": b'{"id": "a", "text": "x", "trust": "mine"}',
    "`valid_to` is no day": b'{"id": "a", "text": "x", "valid_to": "31/12/2026"}',
    "valid_from is after": b'{"id": "a", "text": "x", "valid_from": "2026-02-01", "valid_to": "2026-01-01"}',
    "`metadata` must be": b'{"id": "a", "text": "x", "metadata": 1}',
    "no time with a zone": b'{"id": "a", "text": "x", "at": "2026-01-01"}',
    "is given twice": b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}',
    "characters": json.dumps({"id": "a", "text": "x" * (MAX_TEXT + 1)}).encode(),
}


@pytest.mark.parametrize("said", BAD)
def test_a_bad_line_is_an_error_with_its_place(said: str, tmp_path: Path) -> None:
    """What is wrong, and in which line."""
    path = tmp_path / "memory.jsonl"
    path.write_bytes(b'{"id": "ok", "text": "Fine."}\n' + BAD[said])
    with pytest.raises(InputError, match=said) as fault:
        Memory.open(path)
    assert "line 3" in str(fault.value) if "twice" in said else "line 2" in str(fault.value)


def test_files_that_are_no_memory(tmp_path: Path) -> None:
    """A folder, another SQLite file, a text under an SQLite name: errors, and the file is left alone."""
    (tmp_path / "a.jsonl").mkdir()
    with closing_connection(tmp_path / "b.db") as connection:
        connection.execute("CREATE TABLE other (x)")
    (tmp_path / "c.sqlite").write_text("not a database, but longer than a header of one " * 40, encoding="ascii")
    for name in ("a.jsonl", "b.db", "c.sqlite"):
        with pytest.raises(KnowledgeBaseError):
            Memory.open(tmp_path / name)
    with closing_connection(tmp_path / "b.db") as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("other",)]


class closing_connection:
    """A connection that is closed at the end."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)

    def __enter__(self) -> sqlite3.Connection:
        return self.connection

    def __exit__(self, *_: object) -> None:
        self.connection.commit()
        self.connection.close()


def test_finding_by_words() -> None:
    """The rarest shared words count most, in any form of the word; nothing in common, nothing found."""
    memory = Memory.of(
        [
            _entry("a", "The kiln was fired twice on Monday."),
            _entry("b", "The kiln holds plates."),
            _entry("c", "Glazes are mixed on Friday."),
        ]
    )
    assert [entry.id for entry, _ in memory.search("Which kilns hold a plate?")] == ["b", "a"]
    assert memory.search("Quite unrelated")[:1] == ()
    assert len(memory.search("kiln Friday", most=1)) == 1
    assert Memory.of([]).search("kiln") == ()


def test_entries_as_json_and_back() -> None:
    """Nothing is added or lost; twice the same id is refused."""
    values = {"id": "x", "text": "T", "metadata": {"a": [1]}, "valid_from": "2026-01-01", "trust": "model"}
    assert entry_to_dict(entry_of(values, where="here")) == values
    with pytest.raises(ImprimaturError, match="twice"):
        Memory.of([_entry("a"), _entry("a")])
