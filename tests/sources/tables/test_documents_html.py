"""Pages of HTML as tables: headers, spans and captions; terms and lists; offsets; and what is left aside."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_documents_of_tables import read_tables, reasons, spotted

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.documents.joining import joined
from imprimatur.sources.tables.documents.reading import read_document


def test_headers_and_spans(tmp_path: Path) -> None:
    """Headers in two rows are joined, a cell that spans stands in each of its places, a title row is the caption."""
    text = """<h2>Ignored</h2><table>
<tr><th colspan=4>Lights</tr>
<tr><th rowspan=2>Name</th><th colspan="2">Height</th><th rowspan=2>Colour</th></tr>
<tr><th>in m</th><th>in ft</th></tr>
<tr><td>Skerry&nbsp;Light</td><td>30</td><td>98</td><td rowspan=2>red</td></tr>
<tr><td><a href="x">Holm</a> Light<td colspan=2>unknown</tr>
<tr><td colspan=4>Of old</tr>
<tr><td>Bain Light<td>1</tr>
<tfoot><tr><td>All<td>31<td>1<td>x</tfoot></table>"""
    (table,) = read_tables(tmp_path, a_html=text)
    assert (table.name, table.names) == ("Lights", ("Name", "Height in m", "Height in ft", "Colour"))
    assert [row.cells for row in table.rows] == [
        ("Skerry Light", "30", "98", "red"),
        ("Holm Light", None, None, "red"),
    ]
    assert spotted(table, text) == [
        ["Skerry&nbsp;Light", "30", "98", "red"],
        ['<a href="x">Holm</a> Light', "unknown", "unknown", "red"],
    ]
    assert [row.place for row in table.rows] == ["line 5", "line 6"]
    assert reasons(tmp_path, "a.html", text) == [
        (7, "is one cell over all columns"),
        (8, "has 2 cells where its table has 4 columns"),
        (9, "is a row of sums (tfoot)"),
    ]


def test_one_thing(tmp_path: Path) -> None:
    """A table of headers and values, terms with descriptions, and a list, each tell of what the heading names."""
    text = """<h1>Lights</h1><h2>Skerry Light</h2>
<table><tr><th>Height:</th><td>30 m</td></tr><tr><th>Colour<td>red</table>
<dl><dt>Built<dd>1871<dt>Keepers<dd>Ann<dd>Jo</dl>
<ul><li><b>Use</b>: none<li>Old.<li>Pier:<ul><li>Length: 4&nbsp;m</ul></ul>"""
    (table,) = read_tables(tmp_path, a_html=text)
    assert table.names == ("name", "Height", "Colour", "Built", "Use", "Pier Length")
    assert table.rows[0].cells == ("Skerry Light", "30 m", "red", "1871", "none", "4 m")
    assert [each.replace("&nbsp;", " ") for each in spotted(table, text)[0]] == list(table.rows[0].cells)
    assert [reason for _, reason in reasons(tmp_path, "a.html", text)] == [
        "is a term with 2 descriptions",
        "is no key and value",
    ]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<table><tr><td>name<td>size<tr><td>a<td>30</table>", "is a table without header cells (th)"),
        ("<table><tr><th>a<tr><td><table><tr><th>b</table></table>", "is a table with tables or headings in it"),
        ("<table hidden><tr><th>a<tr><td>30</table>", "is hidden from readers of the page"),
        ("<div style='display: none'><table><tr><th>a<tr><td>30</table></div>", "is hidden from readers of the page"),
        ("<table><tr><th>a<tr hidden><td>30</table>", "is hidden from readers of the page"),
        ("<table><tr><th>a<tr><td style='visibility:hidden'>30</table>", "is hidden from readers of the page"),
        ("<table><tr><th>a<tr><td><img src=x alt=30></table>", "has something in it that is no text"),
        ("<table><tr><th>a<tr><td>30<sup>*</sup></table>", "has a mark of a note at it"),
        ("<table><tr><td>x<th>a<tr><td>30<td>1</table>", "is a table without a row of header cells (th) above"),
        ("<p>Height: 30 m</p>", "is text: no table, list or keys and values"),
    ],
)
def test_what_is_no_evidence(tmp_path: Path, page: str, reason: str) -> None:
    """What is hidden, has no header or more than words in it is left aside, with the reason."""
    tables = read_tables(tmp_path, a_html=page)
    assert not [cell for table in tables for row in table.rows for cell in row.cells if cell]
    assert reason in [said for _, said in reasons(tmp_path, "a.html", page)]


@pytest.mark.parametrize(
    "page",
    [
        "<script><table><tr><th>a<tr><td>30</table></script>",
        "<style>td{}</style><template><table><tr><th>a<tr><td>30</table></template>",
        "<!-- <table><tr><th>a<tr><td>30</table> -->",
        "<!-- > <table> --!> <tr><td>30",
        "<textarea><table><tr><th>a<tr><td>30</table></textarea>",
        "<table><tr><th>a<tr><td>x<script>30</script></table>",
        "<table><tr><th>a<tr><td>x<!-- 30 --></table>",
    ],
)
def test_what_no_reader_sees(tmp_path: Path, page: str) -> None:
    """Scripts, styles, templates, comments and forms give no cell."""
    tables = read_tables(tmp_path, a_html=page)
    assert not [cell for table in tables for row in table.rows for cell in row.cells if cell and "30" in cell]


@pytest.mark.parametrize(
    "cell",
    [
        "<td title='>'>30</td>",
        "<td data-at='7' class=\"a>b\">30</td>",
        "<TD>30</TD >",
        "<td><p>30</p></td>",
        "<td><div><b>30</b></div>",
        "<td\n>\n 30\n",
        "<td><!-- <td>31 -->30",
        "<td><script>'<td>31'</script>30",
        "<td>3&#48;",
    ],
)
def test_places_are_the_cells(tmp_path: Path, cell: str) -> None:
    """However a cell is written, its place holds its words, or its line alone is told."""
    text = f"<table><tr><th>name<th>size<tr><td>a{cell}<tr><td>b<td>2</table>"
    (table,) = read_tables(tmp_path, a_html=text)
    assert [row.cells for row in table.rows] == [("a", "30"), ("b", "2")]
    first, second = spotted(table, text)
    assert first[0] == "a"
    assert "30" in first[1] or first[1] == "" or "3&#48;" in first[1]
    assert second == ["b", "2"]


def test_declared_encodings(tmp_path: Path) -> None:
    """A page in the encoding that it declares is read; one that is in another is refused, as is Markdown in Latin-1."""
    page = "<meta charset=iso-8859-1><table><tr><th>name<tr><td>Höhe</table>"
    path = tmp_path / "a.html"
    path.write_bytes(page.encode("latin-1"))
    assert joined([read_document(path)])[0][0].rows[0].cells == ("Höhe",)
    for name, raw in (("b.html", page.replace("iso-8859-1", "utf-8")), ("b.md", "- Höhe: 3\n"), ("b.txt", "Höhe: 3\n")):
        other = tmp_path / name
        other.write_bytes(raw.encode("latin-1"))
        with pytest.raises(KnowledgeBaseError, match=r"(?i)not utf-8 text"):
            read_document(other)
