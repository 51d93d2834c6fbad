"""Plain text as tables: blocks of keys and values, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_documents_of_tables import read_tables, reasons, spotted

from imprimatur.sources.tables.documents.keyed import key_value


def test_blocks_of_keys(tmp_path: Path) -> None:
    """A block tells of the thing that it begins with, by a key or a line above; indented lines go on."""
    text = """Lights
======

Name: Skerry Light
Height: 30 m
Note: red,
  and old

Holm Light
- Height: 41.5 m
* Note:

-----
Old prose here.

Height: 3 m
Note: of nothing

Name: Bain Light
Height: 12 m
It is white.
"""
    (table,) = read_tables(tmp_path, a_txt=text)
    assert (table.name, table.names) == ("Lights", ("name", "Height", "Note"))
    assert [row.cells for row in table.rows] == [
        ("Skerry Light", "30 m", "red, and old"),
        ("Holm Light", "41.5 m", None),
    ]
    assert spotted(table, text)[0] == ["Skerry Light", "30 m", "red,\n  and old"]
    assert [line for line, _ in reasons(tmp_path, "a.txt", text)] == [14, 16, 17, 19]


def test_without_a_heading(tmp_path: Path) -> None:
    """What nothing names is left aside; a title names it where no heading stands above."""
    text = "Title: Emma\nAuthor: Jane Austen\n\nAuthor: Ann\nYear: 1900\n"
    (table,) = read_tables(tmp_path, books_txt=text)
    assert (table.name, [row.cells for row in table.rows]) == ("books", [("Emma", "Jane Austen")])
    assert reasons(tmp_path, "a.txt", text) == [(4, "nothing names the thing that it is said of")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Height: 30 m", ("Height", "30 m")),
        ("Height :30", None),
        ("Height (m):\t30", ("Height (m)", "30")),
        ("Height:", ("Height", "")),
        ("Opens: 8:30", ("Opens", "8:30")),
        ("8:30: opens", None),
        ("https://e.org: x", None),
        (": x", None),
        ("- x: y", None),
        ("He said this. Then: x", None),
        ("a | b: c", None),
        ('"Height": 30', None),
        ("one two three four five six: x", ("one two three four five six", "x")),
        ("one two three four five six seven: x", None),
        ("x" * 61 + ": y", None),
        ("~~Height~~: 3", None),
        ("\u200bHeight: 3", None),
        ("Height\u202e: 3", ("Height\u202e", "3")),
        ("高さ: 3", ("高さ", "3")),
    ],
)
def test_keys(line: str, found: tuple[str, str] | None) -> None:
    """A key is a short name before a colon and a blank."""
    assert key_value(line) == found


def test_keys_without_values(tmp_path: Path) -> None:
    """A key that has a value elsewhere is silent here; one that has none may be a name, and ends what is said."""
    text = "Name: A\nKeeper:\nSize: 3\n\nName: B\nKeeper: Ann\nSize: 4\n\nName: C\nSize: 5\nOther light:\nKeeper: Jo\n"
    (table,) = read_tables(tmp_path, a_txt=text)
    assert [row.cells for row in table.rows] == [("A", None, "3"), ("B", "Ann", "4"), ("C", None, "5")]
    assert [line for line, _ in reasons(tmp_path, "a.txt", text)] == [11, 12]
