"""Documents read from each form: golden files of their text, passages, sentences and fields."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from made_documents import check_offsets, pdf

from imprimatur.errors import InputError
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Document, Form, SentenceKind
from imprimatur.sources.passages.reading import read_context, read_document

_GOLDEN = Path(__file__).parents[2] / "golden" / "passages"
_PDF = [
    ["The Rhine is 1,233 km long. It is navi-", "gable as far as Basel. The well-", "known poem is not"],
    ["by Goethe. It was written in 1824.", "", "A new paragraph."],
    [],
]


def _shown(document: Document) -> str:
    """A document as lines: what a person compares."""
    lines = [f"{document.id} {document.form} {list(document.notes)}"]
    for passage in document.passages:
        lines.append(f"{passage.id} {passage.start}:{passage.end} page={passage.page} line={passage.line}")
        for each in passage.sentences:
            lines.append(f"  {each.kind} {each.start}:{each.end} {each.text!r} under {' / '.join(each.headings)}")
            lines += [
                f"    {' / '.join(field.path)} = {document.text[field.start : field.end]!r}" for field in each.fields
            ]
    return "\n".join(lines) + "\n"


def _golden(document: Document, name: str) -> None:
    check_offsets(document)
    path = _GOLDEN / f"{name}.out"
    shown = _shown(document)
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["rivers.md", "rivers.html", "business.json", "rivers.txt"])
def test_golden_documents(name: str) -> None:
    """A file of each form gives the text, passages, sentences and fields that are kept beside it."""
    _golden(read_document((_GOLDEN / name).read_bytes(), id_=name), name)


def test_golden_pdf() -> None:
    """Pages, words parted at line ends, sentences cut by a page's end, and a page without text."""
    document = read_document(pdf(_PDF), id_="rivers.pdf")
    _golden(document, "rivers.pdf")
    kinds = {sentence.kind for passage in document.passages for sentence in passage.sentences}
    assert SentenceKind.FRAGMENT in kinds
    assert "navigable" in document.text
    assert "well-known" in document.text


def test_plain_text_is_kept_as_it_is() -> None:
    """The text of a plain file is its content, so that offsets are those of the file."""
    raw = (_GOLDEN / "rivers.txt").read_bytes()
    assert read_document(raw, id_="rivers.txt").text == raw.decode()
    given = "A. B! \u2028 c\u0301?"
    assert read_context(given, id_="context:1").text == given


def test_nothing_of_a_page_is_run_or_hidden() -> None:
    """Scripts, comments, forms and hidden texts leave nothing; that something was hidden is noted."""
    document = read_document((_GOLDEN / "rivers.html").read_bytes(), id_="rivers.html")
    for gone in ("5 km", "7 km", "SYSTEM", "Ignore", "evil", "color", "Typed", "Send", "frame"):
        assert gone not in document.text
    assert document.notes == ("text that a reader of the page does not see was left out",)


def test_nulls_are_silence() -> None:
    """Nothing is written for null, an empty text, list or object; what is given twice stands twice."""
    document = read_document((_GOLDEN / "business.json").read_bytes(), id_="business.json")
    assert "closed" not in document.text
    assert "menu" not in document.text
    assert "Tuesday" not in document.text
    assert document.text.count("name: ") == 2
    assert "price: 4.50\nbig: 12345678901234567890" in document.text


@pytest.mark.parametrize(
    ("text", "form"),
    [('{"a": 1}', Form.JSON), ('[{"a": 1}]', Form.JSON), ("[12]", Form.TEXT), ("{}", Form.TEXT), ("{a}", Form.TEXT)],
)
def test_what_a_context_is(text: str, form: Form) -> None:
    """An object or a list of things is structured data; a citation or a brace is not."""
    assert read_context(text, id_="context:1").form is form


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Río".encode("utf-8-sig"), "Río"),
        ("Río".encode("utf-16"), "Río"),
        (b"<meta charset=iso-8859-1><p>R\xedo \x93x\x94", "Río “x”"),
        (b"<meta charset='no-such'><p>R\xc3\xado", "Río"),
    ],
)
def test_encodings(raw: bytes, text: str) -> None:
    """Byte order marks and what a page declares are followed."""
    name = "a.html" if raw.startswith(b"<") else "a.txt"
    assert read_document(raw, id_=name).text.strip() == text


def test_long_sentences_are_cut_into_fragments() -> None:
    """Passages and sentences are bounded; a piece of a sentence is called one."""
    limits = Limits(passage=100, sentence=150)
    text = "Short one. " + "Word " * 100 + "end. " + "x" * 400 + "."
    document = read_document(text.encode(), id_="a.txt", limits=limits)
    check_offsets(document)
    assert max(len(passage.text) for passage in document.passages) <= 150
    kinds = [sentence.kind for passage in document.passages for sentence in passage.sentences]
    assert kinds[0] is SentenceKind.SENTENCE
    assert set(kinds[1:]) == {SentenceKind.FRAGMENT}


def test_missing_libraries_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library of a form, the error says what to install; plain text needs none."""
    import sys

    for name in ("lxml", "markdown_it"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("a.html", "a.md"):
        with pytest.raises(InputError, match="cannot be read here") as found:
            read_document(b"x", id_=name)
        assert "imprimatur[passages]" in found.value.hint
    assert read_document(b"x", id_="a.txt").text == "x"
