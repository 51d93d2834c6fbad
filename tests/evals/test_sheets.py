"""Workbooks: texts are taken as they are stored, and what is no workbook is refused."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.sheets import sheet_rows
from imprimatur.evals.teqhallu_rows import load

_SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_TEXTS = ("ID", "text", "label", "domain", "A1: Is it open?\nB1: Yes &amp; no.", "task-oriented")
_SHEET = """<worksheet {space}><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>
<c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>
<row r="2"><c r="A2"><v>7</v></c><c r="B2" t="s"><v>4</v></c><c r="C2"><v>1</v></c><c r="D2" t="s"><v>5</v></c></row>
<row r="3"><c r="B3" t="inlineStr"><is><t>A1: Hello.
B1: </t><t>Hello.</t></is></c><c r="C3"><v>0</v></c></row>
<row r="4"><c r="A4"/></row>
</sheetData></worksheet>"""


def _book(path: Path, sheet: str = _SHEET, texts: tuple[str, ...] = _TEXTS) -> Path:
    shared = "".join(f'<si><t xml:space="preserve">{text}</t><rPh sb="0" eb="1"><t>x</t></rPh></si>' for text in texts)
    with ZipFile(path, "w") as book:
        book.writestr("xl/sharedStrings.xml", f"<sst {_SPACE}>{shared}</sst>")
        book.writestr("xl/worksheets/sheet1.xml", sheet.replace("{space}", _SPACE))
    return path


def test_rows_go_by_the_head(tmp_path: Path) -> None:
    """Shared and inline texts, numbers as written, empty cells as empty texts; empty rows are left out."""
    rows = list(sheet_rows(_book(tmp_path / "a.xlsx")))
    assert [row["ID"] for row, _ in rows] == ["7", ""]
    assert rows[0][0]["text"] == "A1: Is it open?\nB1: Yes & no."
    assert rows[1][0]["text"].endswith("Hello.")
    assert rows[1][0]["domain"] == ""
    assert rows[1][1].endswith("row 3")


def test_diahalu_is_read_as_published(tmp_path: Path) -> None:
    """The dialogues of a workbook are samples like those of JSON lines."""
    found = load(_book(tmp_path / "DiaHalu_V2.xlsx"))
    assert [(each.unit, each.hallucinated) for each in found] == [("7", True), ("2", False)]


@pytest.mark.parametrize(
    ("sheet", "what"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet {space}/>", "document type"),
        ("<worksheet {space}><sheetData/></worksheet>", "no head"),
        ("<worksheet", "not an .xlsx workbook"),
        (_SHEET.replace("<v>4</v>", "<v>99</v>"), "names no text"),
    ],
)
def test_what_is_no_sheet_is_refused(tmp_path: Path, sheet: str, what: str) -> None:
    """The error names the file."""
    with pytest.raises(InputError, match=what) as raised:
        list(sheet_rows(_book(tmp_path / "a.xlsx", sheet)))
    assert "a.xlsx" in str(raised.value.where)


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    """A text file, a workbook without sheets, and a file that is not there."""
    path = tmp_path / "a.xlsx"
    with pytest.raises(InputError, match="cannot be read"):
        list(sheet_rows(path))
    path.write_text("no zip", encoding="utf-8")
    with pytest.raises(InputError, match="workbook"):
        list(sheet_rows(path))
    with ZipFile(path, "w") as book:
        book.writestr("a.txt", "a")
    with pytest.raises(InputError, match="no sheet"):
        list(sheet_rows(path))
