"""``imprimatur tables``: what tables are taken to be, and queries over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_tables import write_tables
from small_kb import write_kb

Shell = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """The folder of the three tables."""
    return str(write_tables(tmp_path / "lights"))


def test_show_says_what_the_columns_are(shell: Shell, folder: str) -> None:
    """Kinds, units, words, references, and the first rows; one table by its name."""
    ran = shell("tables", "show", folder)
    assert ran.status == 0
    assert "lights: 4 rows (lights.csv); a row is a lighthouse, all there are of the kind “lighthouse”" in ran.out
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "height (m) number m height" in lines
    assert "keeper text keeper, kept by, is kept by keepers.name" in lines
    assert "Bain Light 12 white 1911 Ann Marlow – – –" in lines
    one = shell("tables", "show", folder, "keepers", "--rows", "1")
    assert "Ann Marlow" in one.out
    assert "Jo Tarn" not in one.out
    assert "lights" not in one.out


def test_show_as_json(shell: Shell, folder: str) -> None:
    """The same for programs."""
    told = json.loads(shell("tables", "show", folder, "--json").out)
    assert [(each["name"], each["rows"], each["complete"]) for each in told] == [
        ("lights", 4, True),
        ("keepers", 2, False),
        ("ferries", 2, False),
    ]
    assert told[0]["columns"][1] | {"synonyms": []} == {
        "name": "height (m)",
        "kind": "number",
        "unit": "m",
        "words": "height",
        "synonyms": [],
        "key": False,
        "refers": None,
        "hidden": False,
        "about": "",
    }


def test_query_prints_rows(shell: Shell, folder: str) -> None:
    """A SELECT over several tables, as a table and as JSON; numbers are numbers."""
    sql = (
        'SELECT k.village, count(*) n, max(l."height (m)") FROM lights l JOIN keepers k ON k.name = l.keeper GROUP BY 1'
    )
    ran = shell("tables", "query", folder, sql)
    assert ran.status == 0
    assert "Eddle" in ran.out
    assert ran.out.rstrip().endswith("2 rows")
    found = json.loads(shell("tables", "query", folder, sql, "--json").out)
    assert found["rows"] == [["Corran", 1, 41.5], ["Eddle", 3, 30]]
    assert not found["cut"]


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE lights",
        "DELETE FROM lights",
        "UPDATE lights SET colour = 'blue'",
        "INSERT INTO lights (name) VALUES ('x')",
        "ATTACH 'x.db' AS x",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
        "SELECT 1; DROP TABLE lights",
        "SELECT * FROM nothing",
        "",
    ],
)
def test_a_query_only_reads(shell: Shell, folder: str, sql: str) -> None:
    """What writes, leaves the tables or is no query is refused in words, and nothing changes."""
    ran = shell("tables", "query", folder, sql)
    assert ran.status == 2
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    left = json.loads(shell("tables", "query", folder, "SELECT count(*) FROM lights", "--json").out)
    assert left["rows"] == [[4]]


def test_what_is_not_there_is_said(shell: Shell, folder: str, tmp_path: Path) -> None:
    """A table by a wrong name; a knowledge base without tables."""
    ran = shell("tables", "show", folder, "lihgts")
    assert (ran.status, "did you mean 'lights'?" in ran.err) == (2, True)
    bare = shell("tables", "show", str(write_kb(tmp_path / "kb")))
    assert (bare.status, "has no tables" in bare.err) == (2, True)


def test_the_tables_are_named_among_the_sources(shell: Shell, folder: str) -> None:
    """`kb info` lists them, `check` judges by them alone."""
    told = json.loads(shell("kb", "info", folder, "--json").out)["sources"]["tables"]
    assert told["tables"]["lights"] == "4 rows, 8 columns (lights.csv)"
    assert told["complete"] == ["lights"]
    ran = shell("check", "Holm Light is 41.5 m tall.", "--kb", folder)
    assert ran.status == 0
    assert "lights: name = Holm Light; height (m) = 41.5  [tables: lights.csv, line 3]" in ran.out


def test_what_stands_in_cells_is_shown_never_obeyed(shell: Shell, tmp_path: Path) -> None:
    """Marks of a terminal and of the printing library are text."""
    folder = write_tables(tmp_path / "kb", config="version: 1\ntables: [odd.csv]\n")
    (folder / "odd.csv").write_text("name,note\nA,\x1b[31m[bold]red[/bold]\u202e:smile:\n", encoding="utf-8")
    ran = shell("tables", "show", str(folder))
    assert ran.status == 0
    assert "[bold]red[/bold]" in ran.out
    assert ":smile:" in ran.out
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out


def test_what_was_left_aside_of_documents(shell: Shell, tmp_path: Path) -> None:
    """With its line and the reason: the first of it below the tables, all of it where it is asked for."""
    folder = write_tables(tmp_path / "kb", config="version: 1\ntables: [guide.md, more.txt]\n")
    prose = "".join(f"Words {number}.\n\n" for number in range(30))
    guide = f"# Lights\n\n{prose}## Skerry Light\n\n- Height: 30 m\n- Height: 31 m\n- Colour: \x1b[31mred\n"
    (folder / "guide.md").write_text(guide, encoding="utf-8")
    (folder / "more.txt").write_text("Nothing of use.\n", encoding="utf-8")
    ran = shell("tables", "show", str(folder))
    assert ran.status == 0
    assert "Lights: 1 row (guide.md); a row is a light" in ran.out
    assert "  guide.md, line 3: is text: no table, list or keys and values: Words 0." in ran.out
    assert "  and 13 more: --asides lists them all" in ran.out
    every = shell("tables", "show", str(folder), "--asides").out.splitlines()
    assert len(every) == 33
    assert every[30] == "  guide.md, line 65: is one of several values of “Height” of one thing: 30 m"
    assert every[32] == "  more.txt, line 1: is text: no table, list or keys and values: Nothing of use."
    told = json.loads(shell("tables", "show", str(folder), "--asides", "--json").out)
    assert told[31]["start"] == guide.index("31 m")
    assert not told[31]["lost"]
    assert "\x1b" not in ran.out + "".join(every)
    assert shell("tables", "show", str(folder), "Lights", "--asides").out.count("more.txt") == 0
