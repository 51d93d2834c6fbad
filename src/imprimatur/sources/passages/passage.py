"""Documents, passages and sentences: frozen, without input or output.

Offsets are 0-based, half-open, in code points of the document's *extracted text*: of a text file the text as it was
decoded, of Markdown, HTML, PDF and JSON what the reader of that format took out of it, without markup.

Invariants, for every document that is made here:

- ``document.text[each.start : each.end] == each.text`` for each passage and each sentence.
- Passages are in order, do not overlap, and are bounded in size; every sentence lies within one passage, and the
  sentences of a passage are in order and do not overlap. What lies between them is white space and marks.
- A passage's id is ``DOCUMENT#NUMBER``, numbered from 1: the same content under the same id gives the same ids.
- The same bytes give the same document, always.

What a sentence is, its ``kind`` says. A ``heading`` or ``code`` states nothing by itself. A ``row`` of a table or a
``field`` of structured data is written out with its headers or keys (``Length: 1,233 km``), and its ``fields`` say
where each value stands and what it is the value of. A ``fragment`` is a piece of a sentence that is longer than a
passage may be: words that change its meaning may stand outside it, so nothing may be supported by it.
Nulls, empty texts and empty lists of structured data are silence: nothing is written for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Document", "Field", "Form", "Passage", "Sentence", "SentenceKind"]


class SentenceKind(StrEnum):
    """What a sentence is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    FIELD = "field"
    QUOTE = "quote"
    HEADING = "heading"
    CODE = "code"
    FRAGMENT = "fragment"


class Form(StrEnum):
    """How a document is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a row or of structured data: ``document.text[start:end]``; ``path`` are its headers or keys."""

    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, list item, row or field.

    Attributes:
        passage, document: the ids of what it lies in.
        number: its place among the sentences of its passage, from 0.
        headings: the headings above it, outermost first; of structured data, the keys.
        page: its page in a PDF, from 1.
    """

    passage: str
    document: str
    number: int
    start: int
    end: int
    text: str
    kind: SentenceKind = SentenceKind.SENTENCE
    headings: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of a document that is found as one.

    Attributes:
        id: ``DOCUMENT#NUMBER``; it finds the passage again.
        headings: the headings above its first sentence, outermost first.
        page: the page of a PDF on which it begins, from 1.
        line: the line of the file on which it begins, from 1; None where the format has no lines.
    """

    id: str
    document: str
    start: int
    end: int
    text: str
    sentences: tuple[Sentence, ...]
    headings: tuple[str, ...] = ()
    page: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document, read and cut.

    Attributes:
        text: the extracted text, to which all offsets refer.
        content_hash: the SHA-256 of its bytes.
        notes: what could not be read or was left out, in words; empty when all was read.
    """

    id: str
    form: Form
    text: str
    content_hash: str
    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()
