"""Markdown as tables: what is read, under which name, from which characters; and what is left aside."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_documents_of_tables import read_tables, reasons, spotted

from imprimatur.sources.tables.columns import relation_of
from imprimatur.sources.tables.relation import ColumnKind

_TABLE = """# Lights of the north

| Name | Height (m) | Note |
|:-----|----------:|:----:|
| Skerry Light | 30 | a \\| b |
| **Holm Light** | `41.5` | [open](https://e.org/x "t") |
Bain Light | 12 &amp; 3 |
"""


def test_pipe_tables(tmp_path: Path) -> None:
    """The heading names the table; alignment, escapes and markup are none of the words; offsets are the cell's."""
    (table,) = read_tables(tmp_path, a_md=_TABLE)
    assert (table.name, table.names) == ("Lights of the north", ("Name", "Height (m)", "Note"))
    assert [row.cells for row in table.rows] == [
        ("Skerry Light", "30", "a | b"),
        ("Holm Light", "41.5", "open"),
    ]
    assert [row.place for row in table.rows] == ["line 5", "line 6"]
    assert spotted(table, _TABLE)[1] == ["**Holm Light**", "`41.5`", '[open](https://e.org/x "t")']
    assert reasons(tmp_path, "a.md", _TABLE) == [(7, "has 2 cells where its table has 3 columns")]


def test_line_ends_and_marks_of_order(tmp_path: Path) -> None:
    """Windows' line ends, lone returns and a byte order mark move no offset."""
    for end in ("\r\n", "\r"):
        text = "## Skerry Light\n\n- Height: 30 m\n- Colour: roja é\n".replace("\n", end)
        (table,) = read_tables(tmp_path, a_md="\ufeff" + text)
        assert table.rows[0].cells == ("Skerry Light", "30 m", "roja é")
        assert spotted(table, text) == [["Skerry Light", "30 m", "roja é"]]
        assert table.rows[0].spots[2] is not None
        assert table.rows[0].spots[2].line == 4


def test_attributes_under_headings(tmp_path: Path) -> None:
    """The heading names the thing, the one above the table; nested attributes are of the thing within."""
    text = """# Lighthouses
## Skerry Light
* **Height**: 30 m
* *Keeper:* Ann Marlow
    1. Born: 1950
* Size:
  + Length of the pier: 4 m
## Holm Light
Height: 41.5 m
**Colour:** dark
green
## Bain Light
**Height:** 12 m
**Colour:** white
"""
    (table,) = read_tables(tmp_path, a_md=text)
    assert table.name == "Lighthouses"
    assert table.title == "name"
    assert table.names == ("name", "Height", "Keeper", "Keeper Born", "Size Length of the pier", "Colour")
    assert table.paths == {
        "Keeper Born": ("Keeper", "Born"),
        "Size Length of the pier": ("Size", "Length of the pier"),
    }
    assert [row.cells for row in table.rows] == [
        ("Skerry Light", "30 m", None, "1950", "4 m", None),
        ("Bain Light", "12 m", None, None, None, "white"),
    ]
    assert spotted(table, text)[0] == ["Skerry Light", "30 m", "Ann Marlow", "1950", "4 m", ""]
    said = reasons(tmp_path, "a.md", text)
    assert said == [
        (4, "has more said beneath it, which may change it"),
        (8, "is a heading beside things of which attributes are told"),
        (9, "is text: no table, list or keys and values"),
    ]


def test_items_that_name_things(tmp_path: Path) -> None:
    """Items with attributes of the same names beneath them are things; others may be groups, and are left aside."""
    text = """# Ferries
- MV Puffin
  - Length: 42 m
- MV Tern:
  - Length: 38 m
- MV Gull
"""
    (table,) = read_tables(tmp_path, a_md=text)
    assert [row.cells for row in table.rows] == [("MV Puffin", "42 m"), ("MV Tern", "38 m")]
    assert reasons(tmp_path, "a.md", text) == [(6, "stands among things, with nothing said of it")]
    groups = "# Skerry Light\n- Dimensions:\n  - Height: 30 m\n- History:\n  - Built: 1871\n"
    assert read_tables(tmp_path, a_md=groups) == ()
    assert [line for line, _ in reasons(tmp_path, "a.md", groups)] == [2, 4]


def test_tables_of_keys_and_values(tmp_path: Path) -> None:
    """A table of properties and values tells of the thing that the heading names."""
    text = "# Lights\n## Skerry Light\n| Property | Value |\n|---|---|\n| Height | 30 m |\n| Colour | red |\n"
    (table,) = read_tables(tmp_path, a_md=text)
    assert (table.name, table.names) == ("Lights", ("name", "Height", "Colour"))
    assert table.rows[0].cells == ("Skerry Light", "30 m", "red")


def test_settings_at_the_beginning(tmp_path: Path) -> None:
    """Front matter with a name tells of what it names; what is more than keys and values is left aside."""
    text = "---\ntitle: 'Skerry Light'\nheight: 30 m  # above the sea\ntags: [a, b]\nnote:\n  - x\n---\n\nText.\n"
    (table,) = read_tables(tmp_path, skerry_md=text)
    assert (table.name, table.names) == ("skerry", ("name", "height"))
    assert table.rows[0].cells == ("Skerry Light", "30 m")
    assert spotted(table, text) == [["Skerry Light", "30 m"]]
    assert [line for line, _ in reasons(tmp_path, "a.md", text)] == [4, 5, 6, 9]
    assert reasons(tmp_path, "b.md", "---\nheight: 30 m\n---\n") == [(1, "are settings without a name or title")]


def test_documents_are_joined(tmp_path: Path) -> None:
    """Things under headings of one name, and documents of the same keys, are one table; rows keep their file."""
    one = "# Lighthouses\n## Skerry Light\n- Height: 30 m\n"
    two = "# lighthouses\n## Holm Light\n- Height: 41.5 m\n- Colour: green\n"
    (table,) = read_tables(tmp_path, one_md=one, two_md=two)
    assert [(row.origin, row.cells) for row in table.rows] == [
        ("", ("Skerry Light", "30 m", None)),
        ("two.md", ("Holm Light", "41.5 m", "green")),
    ]
    alone = {f"{name}_md": f"# {name} Light\n- Height: 3 m\n- Colour: red\n" for name in ("Skerry", "Holm")}
    (table,) = read_tables(tmp_path, **alone, other_md="# Ann Marlow\n- Born: 1950\n")[:1]
    assert (table.name, [row.cells[0] for row in table.rows]) == ("Skerry", ["Skerry Light", "Holm Light"])
    several = "# Prices\n|a|b|\n|-|-|\n|x|1|\n\n|a|c|\n|-|-|\n|x|2|\n\n|A|B|\n|-|-|\n|y|3|\n"
    assert [(each.name, len(each.rows)) for each in read_tables(tmp_path, p_md=several)] == [
        ("Prices", 2),
        ("Prices 2", 1),
    ]


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("~~30~~ 31", "31"),
        ("~~30~~", None),
        ("30[^1]", None),
        ("30<sup>a</sup>", None),
        ("10<sup>5</sup>", "10⁵"),
        ("km<sup>2</sup>", "km²"),
        ("H<sub>2</sub>O", "H₂O"),
        ("the 3<sup>rd</sup>", "the 3rd"),
        ("![30](x.png)", None),
        ("3<!-- 4 -->0", "30"),
        ("<del>30</del><ins>31</ins>", "31"),
        ("red<br>green", "red; green"),
        ("<span hidden>30</span>", None),
        ("*30", "*30"),
        ("\\*30\\*", "*30*"),
        ("&lt;30", "<30"),
        ("n/a", None),
        ("x" * 1100 + "*", None),
    ],
)
def test_markup_of_cells(tmp_path: Path, cell: str, read: str | None) -> None:
    """What is struck out, hidden or a picture is no value; raised figures stay raised; notes make a cell doubtful."""
    (table,) = read_tables(tmp_path, a_md=f"| name | size |\n|-|-|\n| a | {cell} |\n")
    assert table.rows[0].cells == ("a", read)
    assert bool(reasons(tmp_path, "a.md", f"| name | size |\n|-|-|\n| a | {cell} |\n")) == (
        read in (None, "31") and cell != "n/a"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# A\n> - Height: 30 m\n",
        "# A\n```\n- Height: 30 m\n```\n",
        "# A\n\n    - Height: 30 m\n",
        "# A\n<!--\n- Height: 30 m\n-->\n",
        "# A\nIts height: it is 30 m.\n",
        "# A\nHeight: 30 m\nThat was long ago.\n",
        "# A\nIt is said that of the lights on the coast this one has a\nHeight: 30 m\n",
        "# A\nThat is wrong.\nHeight: 30 m\nColour: red\n",
        "- Height: 30 m\n",
        "# A\n- Height:30 m\n- see https://e.org/x\n- at 8:30\n",
        "# ![](a.png)\n- Height: 30 m\n",
        "# ~~A~~\n- Height: 30 m\n",
        "# A\n- ~~Height: 30 m~~\n",
        "# A\n- Height: 30 m\n- Height: 31 m\n",
        "# A\n- [ ] Height: 30 m\n",
        "> | a | b |\n> |-|-|\n> | Height | 30 m |\n",
        "# A\n<table>\n\n<tr><th>Height<td>30 m\n</table>\n",
    ],
)
def test_what_is_no_evidence(tmp_path: Path, text: str) -> None:
    """Quotations, code, comments, sentences, what is named by nothing, struck out or said twice: no cell holds it."""
    tables = read_tables(tmp_path, a_md=text)
    assert not [cell for table in tables for row in table.rows for cell in row.cells if cell and "30" in cell]
    assert reasons(tmp_path, "a.md", text) or "<!--" in text


def test_tables_that_cannot_be(tmp_path: Path) -> None:
    """A table with two columns of one name, or one without a name, is left aside; the others are read."""
    text = "# A\n|a|A|\n|-|-|\n|1|2|\n\n|a||\n|-|-|\n|1|2|\n\n||b|\n|-|-|\n|x|2|\n"
    (table,) = read_tables(tmp_path, a_md=text)
    assert (table.names, table.title) == (("name", "b"), "name")
    assert [line for line, _ in reasons(tmp_path, "a.md", text)] == [2, 6]


def test_the_column_of_names(tmp_path: Path) -> None:
    """What names the things has a column of its own, whatever their attributes are called; figures may name them."""
    said = "- Author: Orwell\n- Name: x\n- Title: y\n- Name 2: z\n"
    text = f"# Years\n## 1984\n{said}## 1985\n- Author: Burgess\n"
    (table,) = read_tables(tmp_path, a_md=text)
    assert (table.title, table.names) == ("name 3", ("name 3", "Author", "Name", "Title", "Name 2"))
    relation = relation_of(table)
    assert (relation.title, relation.column("name 3").kind) == ("name 3", ColumnKind.TEXT)
