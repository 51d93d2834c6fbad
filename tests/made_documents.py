"""PDFs written by hand, a small embedding model, and a few documents, for the tests of passages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy

from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.onnx_file import GraphFile
from imprimatur.sources.passages.passage import Document

__all__ = ["WORDS", "check_offsets", "made_model", "origin", "pdf", "snapshot"]

WORDS = "river flows north sea mountain high long kiln holds plates fired zebra".split()


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF with the lines of each page, as plain as the format allows."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"({line}) Tj T*\n" for line in lines)
        stream = f"BT /F1 11 Tf 14 TL 50 750 Td\n{shown}ET".encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        resources = b"/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        objects.append(b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R >>" % (resources, content))
        kids.append(len(objects))
    shown_kids = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (shown_kids, len(kids))
    made, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(made))
    return made + head + tail


def made_model(folder: Path, *, seed: int = 0) -> Path:
    """A folder with a small model: the mean of random vectors, one for each of ``WORDS``."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {"[UNK]": 0, **{word: number for number, word in enumerate(WORDS, 1)}}
    table = numpy.random.default_rng(seed).normal(size=(len(vocabulary), 16)).astype(numpy.float32)
    graph = GraphFile("small")
    graph.input("input_ids", "int64", ("batch", "tokens"))
    graph.tensor("table", table)
    graph.node("Gather", ("table", "input_ids"), "vectors")
    graph.node("ReduceMean", ("vectors",), "embedding", axes=[1], keepdims=0)
    graph.output("embedding", "float32", ("batch", 16))
    (folder / "model.onnx").write_bytes(graph.to_bytes({}))
    tokenizer = {
        "version": "1.0",
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
        "added_tokens": [],
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return folder


def origin(id_: str, text: str | bytes, *, named: bool = True) -> Origin:
    """A document that is given."""
    return Origin(id=id_, raw=text.encode() if isinstance(text, str) else text, named=named)


def check_offsets(document: Document) -> None:
    """Asserts all that is promised of places: of passages, sentences and fields."""
    before = 0
    for number, passage in enumerate(document.passages, 1):
        assert passage.id == f"{document.id}#{number}"
        assert before <= passage.start < passage.end
        assert document.text[passage.start : passage.end] == passage.text
        inner = passage.start
        assert passage.sentences
        for place, sentence in enumerate(passage.sentences):
            assert (sentence.number, sentence.passage, sentence.document) == (place, passage.id, document.id)
            assert inner <= sentence.start < sentence.end <= passage.end
            assert document.text[sentence.start : sentence.end] == sentence.text
            assert all(sentence.start <= field.start < field.end <= sentence.end for field in sentence.fields)
            inner = sentence.end
        before = passage.end


def snapshot(folder: Path) -> tuple[object, ...]:
    """All that an index holds: its documents, passages, terms, and vectors as bytes."""
    from imprimatur.sources.passages.rows import Rows

    version = IndexFolder(folder).current()
    assert version is not None
    rows = Rows(version / "rows.sqlite")
    vectors = version / "vectors.bin"
    held = ([rows.candidate(number) for number in range(rows.count)], list(rows.terms()))
    found = (rows.documents, *held, vectors.read_bytes() if vectors.exists() else None)
    rows.close()
    return found
