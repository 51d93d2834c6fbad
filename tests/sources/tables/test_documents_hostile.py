"""Documents that are made to break the reader: a clear error or a list of what was left aside, in linear time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from effort import ends, grows_linearly
from made_documents_of_tables import FORMS, LIGHTS

from imprimatur import Oracle
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.documents.joining import joined
from imprimatur.sources.tables.documents.reading import read_document
from imprimatur.sources.tables.raw import RawTable

_BITS = (
    *(
        "|",
        "-",
        "- ",
        "* ",
        "# ",
        "## ",
        "\n",
        "\n\n",
        "  ",
        "    ",
        ":",
        ": ",
        "~~",
        "**",
        "`",
        "```\n",
        "[^1]",
        "[a](b)",
    ),
    *("<table>", "</table>", "<tr>", "<td>", "<th>", "</td>", "<del>", "</del>", "<!--", "-->", "&amp;", "<ul><li>"),
    *("</ul>", "<dl><dt>", "<dd>", "![](x)", "\\", "\\|", "> ", "---\n", "===\n", "<div>\n\n", "\t", "\r", "\u200b"),
    *("\u202e", "é", "😀", "<sup>2</sup>", "name", "1.", "<p hidden>", "<h2>", "<", '"', "<th colspan=3>", "\ufeff"),
)
_MEGABYTE = 1_000_000
_MANY = "# T\n" + "".join(f"## t{n}\n- k{n % 450}: v\n" for n in range(12_000))


def _read(folder: Path, name: str, text: str) -> tuple[int, int]:
    """The numbers of tables and of what was left aside."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    tables, asides = joined([read_document(path)])
    return len(tables), len(asides)


def _tables(folder: Path, name: str, text: str) -> tuple[RawTable, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return joined([read_document(path)])[0]


@ends
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pipes.md", "|" * _MEGABYTE),
        ("wide.md", f"|{'a|' * 100_000}\n|{'-|' * 100_000}\n"),
        ("row.md", "a|b\n-|-\n" + "|" * _MEGABYTE + "\n"),
        ("items.md", "- " * 100_000 + "a: b\n"),
        ("quotes.md", ">" * _MEGABYTE),
        ("brackets.md", "# a\n- b: " + "[" * _MEGABYTE),
        ("stars.md", "# a\n- b: " + "*a " * 300_000),
        ("long.md", "# " + "a" * _MEGABYTE + "\n- b: c\n"),
        ("key.md", "# a\n- " + "b" * _MEGABYTE + ": c\n"),
        ("ticks.md", "# a\n- b: " + "`" * _MEGABYTE),
        ("settings.md", "---\n" + "a: b\n" * 100_000),
        ("line.txt", "a: " + "b" * _MEGABYTE),
        ("colons.txt", ":" * _MEGABYTE),
        ("rule.txt", "- " * 500_000),
        ("comment.html", "<!--" * 250_000),
        ("comments.html", "<!-- --" * 150_000),
        ("quote.html", '<a ="' * 200_000),
        ("tag.html", "<td " * 250_000),
        ("less.html", "<" * _MEGABYTE),
        ("script.html", "<script></script" * 60_000),
        ("style.html", "<p style='" + "display :" * 100_000 + "'>x"),
        ("spans.html", "<table><tr><th colspan=500>a" + "<tr><td colspan=500>x" * 20_000),
        ("cells.html", "<table><tr>" + "<td>x" * 200_000),
        ("row.html", "<table><tr>" + "<th>x" * 200_000),
    ],
)
def test_a_megabyte_of_nonsense(tmp_path: Path, name: str, text: str) -> None:
    """No cell says anything, and nothing takes longer than reading."""
    tables = _tables(tmp_path, name, text)
    assert not [cell for table in tables for row in table.rows for cell in row.cells[1:] if cell is not None]


@ends
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("tables.html", "<table>" * 100_000, "nested too deep"),
        ("cells.html", "<table><tr><td>" * 50_000, "nested too deep"),
        ("items.html", "<ul><li>" * 100_000, "nested too deep"),
        ("bold.html", "<b>" * 300_000, "nested too deep"),
        ("nul.md", "# A\n- b: c\0d\n", "binary"),
        ("nul.txt", "a: b\0\nc: d\n", "binary"),
        ("nul.html", "<table><tr><th>a\0</table>", "binary"),
        ("controls.md", "# A\n- b: " + "\x01" * 50 + "\n", "binary"),
        ("large.txt", "a: b\n" * 4_000_000, "larger than 16 MiB"),
        ("keys.md", "# T\n" + "".join(f"## t{n}\n- k{n}: v\n" for n in range(600)), ""),
        ("kinds.md", "".join(f"# t{n}\n- k{n}: v\n" for n in range(1200)), "more than 1000 tables"),
        pytest.param("many.md", _MANY, "more than 5,000,000 cells", marks=pytest.mark.slow),
    ],
)
def test_too_much_or_no_text(tmp_path: Path, name: str, text: str, said: str) -> None:
    """What is nested without end, too large or no text is refused in words; too many columns leave a table aside."""
    if not said:
        tables, asides = _read(tmp_path, name, text)
        assert (tables, asides) == (0, 600)
        return
    with pytest.raises(KnowledgeBaseError, match=said):
        _read(tmp_path, name, text)


@ends
@pytest.mark.parametrize(
    ("name", "made", "size"),
    [
        ("rows.md", lambda n: "|a|b|\n|-|-|\n" + "|x|y|\n" * n, 2_000),
        ("markup.md", lambda n: "|a|b|\n|-|-|\n" + "|*x*|[y](z)|\n" * n, 500),
        ("things.md", lambda n: "# T\n" + "## a\n- b: c\n" * n, 1_000),
        ("names.md", lambda n: "".join(f"# T{k}\n## a\n- b: c\n" for k in range(n // 10)), 2_000),
        ("nested.md", lambda n: "# T\n" + "- a\n  - b: c\n" * n, 500),
        ("blocks.md", lambda n: "<div>\n\n" * n, 500),
        ("asides.md", lambda n: "Some words.\n\n" * n, 1_000),
        ("twice.md", lambda n: "# T\n- a: b\n" + "- a: c\n" * n, 1_000),
        ("rows.html", lambda n: "<table><tr><th>a<th>b" + "<tr><td>x<td>y" * n, 1_000),
        ("items.html", lambda n: "<h1>x</h1><ul>" + "<li>a: b" * n, 1_000),
        ("ends.html", lambda n: "<ul><li>" * 50 + "</td></p>" * n, 5_000),
        ("inner.html", lambda n: "<li><ul>" + "<div>" * 100 + "<li></li>" * n, 2_000),
        ("terms.html", lambda n: "<h1>x</h1><dl>" + "<dt>a<dd>b" * n, 1_000),
        ("blocks.txt", lambda n: "Name: a\nb: c\n\n" * n, 2_000),
        ("more.txt", lambda n: "a: b\n" + "   c\n" * n, 2_000),
    ],
)
def test_time_is_linear(tmp_path: Path, name: str, made: Callable[[int], str], size: int) -> None:
    """Four times the document takes about four times the time."""
    assert grows_linearly(lambda count: _read(tmp_path, name, made(count)), size)


def test_signs_that_do_not_show(tmp_path: Path) -> None:
    """Signs of no width and of direction are kept as they are: no name or number is another one because of them."""
    text = "# Lights\n## Skerry\u200b Light\n- Height: 3\u200b0 m\n- Colour: \u202ered\n## Holm Light\n- Height: 41 m\n"
    (table,) = _tables(tmp_path, "lights.md", text)
    assert table.rows[0].cells == ("Skerry\u200b Light", "3\u200b0 m", "\u202ered")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [lights.md]\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    for sentence in ("Skerry Light is 30 m tall.", "Skerry Light is 0 m tall.", "The colour of Skerry Light is der."):
        assert oracle.check(sentence).segments[0].label.value != "supported"


def test_orders_in_a_document_are_words(tmp_path: Path) -> None:
    """What a document says to programs, shells, databases and models is text in a cell."""
    odd = "'); DROP TABLE lights; --"
    text = f"# Lights\n| name | note |\n|-|-|\n| Skerry Light | {odd} |\n| ${{HOME}} | $(id) `id` |\n"
    (tmp_path / "lights.md").write_text(text, encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [lights.md]\n", encoding="utf-8")
    part = Oracle.from_folder(tmp_path).knowledge.part
    assert part is not None
    assert part.tables is not None
    assert part.tables.first_rows("Lights", 9) == (("Skerry Light", odd), ("${HOME}", "$(id) id"))


@pytest.mark.parametrize("name", ["imprimatur places", "sqlite_master", "a\u202eb", "x" * 300, "a'b\"c", "_rowid_"])
def test_names_of_tables(tmp_path: Path, name: str) -> None:
    """A heading that cannot be a table's name is an error or is left aside; any other is a name like all."""
    (tmp_path / "a.md").write_text(f"# {name}\n## Skerry Light\n- Height: 30 m\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [a.md]\n", encoding="utf-8")
    if name.startswith(("imprimatur", "sqlite")):
        with pytest.raises(KnowledgeBaseError, match="cannot be called"):
            Oracle.from_folder(tmp_path)
        return
    label = Oracle.from_folder(tmp_path).check("Skerry Light is 30 m tall.").segments[0].label.value
    assert label == ("not_found" if len(name) > 200 else "supported")


@pytest.mark.parametrize("form", FORMS)
def test_random_damage(tmp_path: Path, form: str) -> None:
    """Whatever is put into a document or taken out, it is read or refused, and every place lies in it."""
    random = Random(form)
    for _ in range(150):
        text = FORMS[form](LIGHTS)
        for _ in range(random.randint(1, 8)):
            at, length = random.randrange(len(text) + 1), random.randint(0, 20)
            text = text[:at] + random.choice(_BITS) + text[at + random.choice((0, 0, length)) :]
        path = tmp_path / form
        path.write_text(text, encoding="utf-8", newline="")
        whole = len(text.encode("utf-8").decode("utf-8-sig"))
        tables, asides = joined([read_document(path)])
        for table in tables:
            for row in table.rows:
                assert len(row.cells) == len(row.spots) == len(table.names)
                assert all(spot is None or 0 <= spot.start <= spot.end <= whole for spot in row.spots)
        assert all(0 <= each.spot.start <= each.spot.end <= whole for each in asides)
