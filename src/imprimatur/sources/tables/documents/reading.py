"""Documents read as tables: Markdown, HTML, and plain text."""

from __future__ import annotations

from pathlib import Path

from imprimatur.errors import InputError, KnowledgeBaseError
from imprimatur.sources.passages.passage import Form
from imprimatur.sources.tables.documents.blocks import Block, Text
from imprimatur.sources.tables.documents.joining import Document
from imprimatur.sources.tables.documents.things import things_of

__all__ = ["SUFFIXES", "read_document"]

SUFFIXES: dict[str, Form] = {
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".html": Form.HTML,
    ".htm": Form.HTML,
    ".txt": Form.TEXT,
}


def read_document(path: Path, *, table: str = "", trust: str = "") -> Document:
    """What a document says.

    Raises:
        KnowledgeBaseError: it is too large, no text, nested too deep, or the library that reads its form is missing.
    """
    form = SUFFIXES[path.suffix.lower()]
    text = Text.of(path, form)
    try:
        things = things_of(_blocks(text, form), text)
    except InputError as fault:
        raise KnowledgeBaseError(fault.message, where=str(path), hint=fault.hint) from fault
    except RecursionError as fault:
        raise KnowledgeBaseError("is nested too deep", where=str(path), hint="is this the right file?") from fault
    return Document(origin=path.name, stem=path.stem, things=things, table=table, trust=trust)


def _blocks(text: Text, form: Form) -> list[Block]:
    if form is Form.MARKDOWN:
        from imprimatur.sources.tables.documents.markdown import read_markdown

        return read_markdown(text)
    if form is Form.HTML:
        from imprimatur.sources.tables.documents.html import read_html

        return read_html(text)
    from imprimatur.sources.tables.documents.keyed import read_keyed

    return list(read_keyed(text))
