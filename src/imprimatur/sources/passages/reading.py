"""A document from its bytes: what form it has, how it is encoded, and its passages.

Contract: ``read_document`` gives a document or raises ``InputError``; what was left out of a document is said in its
``notes``. The form is told by the bytes where they show it (PDF), else by the file's name; a text without a known
ending is plain text. Bytes that are neither a known form nor text are refused, never guessed at. Libraries of a form
are imported only when a document has that form.
"""

from __future__ import annotations

import codecs
from hashlib import sha256
from pathlib import PurePath

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.sources.passages.cut import passages_of
from imprimatur.sources.passages.extraction import Extraction
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Document, Form
from imprimatur.sources.passages.plain import read_text
from imprimatur.sources.passages.structured import looks_structured, read_structured

__all__ = ["SUFFIXES", "checked_id", "decoded", "form_of", "read_context", "read_document"]

SUFFIXES: dict[str, Form] = {
    ".txt": Form.TEXT,
    ".text": Form.TEXT,
    ".rst": Form.TEXT,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".html": Form.HTML,
    ".htm": Form.HTML,
    ".xhtml": Form.HTML,
    ".pdf": Form.PDF,
    ".json": Form.JSON,
}
_MAX_ID = 400
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What a page may say of its encoding; as browsers do, ISO 8859-1 is read as Windows-1252, which contains it.
_DECLARED = {
    **{name: name for name in ("utf-8", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "koi8-r", "koi8-u")},
    **{f"windows-{number}": f"cp{number}" for number in range(1250, 1259)},
    **{f"iso-8859-{number}": f"iso-8859-{number}" for number in range(2, 17) if number != 12},
    **dict.fromkeys(("iso-8859-1", "latin1", "us-ascii", "ascii"), "cp1252"),
}
_CHARSET = expression(r"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]{1,20})", 2)
#: Control characters that no text holds; more than a few mean that it is none.
_CONTROLS = expression("[\x01-\x08\x0e-\x1a\x1c-\x1f]")


def form_of(name: str, raw: bytes) -> Form:
    """The form of a document, by its first bytes and its name."""
    if raw[:1024].lstrip().startswith(b"%PDF-"):
        return Form.PDF
    return SUFFIXES.get(PurePath(name).suffix.lower(), Form.TEXT)


def checked_id(id_: str) -> str:
    """The id of a document, as it was given.

    Raises:
        InputError: it is empty, too long, or has characters in it that cannot be shown.
    """
    if not id_ or len(id_) > _MAX_ID or not id_.isprintable() or id_ != id_.strip():
        hint = f"use 1 to {_MAX_ID} printable characters without blanks at the ends; rename the file"
        raise InputError(f"{id_[:60]!r} cannot be the id of a document", hint=hint)
    return id_


def read_document(raw: bytes, *, id_: str, form: Form | None = None, limits: Limits | None = None) -> Document:
    """The document that some bytes hold.

    Args:
        raw: the file's content.
        id_: what it is called; a relative path, usually. Its ending tells the form where ``form`` is None.

    Raises:
        InputError: it is empty, too large, of no known form, encrypted, damaged, or not in the encoding it claims.
    """
    limits = limits or Limits()
    try:
        checked_id(id_)
        if len(raw) > limits.max_bytes:
            message = f"{len(raw):,} bytes, more than {limits.max_bytes:,}"
            raise InputError(message, hint="split the document, or raise the limit")
        into = Extraction(limits)
        known = form or form_of(id_, raw)
        _read(raw, known, into, limits)
    except InputError as fault:
        raise InputError(fault.message, where=fault.where or id_[:200], hint=fault.hint) from fault
    return _document(into, id_=id_, form=known, content_hash=sha256(raw).hexdigest(), limits=limits)


def read_context(text: str, *, id_: str, limits: Limits | None = None) -> Document:
    """The document that a text is which comes with a call: JSON where it is that, else plain text.

    Plain text is kept as it is: offsets are those of the text that was given.

    Raises:
        InputError: it is too long, or nested too deep.
    """
    limits = limits or Limits()
    into = Extraction(limits)
    form = Form.JSON if looks_structured(text) else Form.TEXT
    try:
        if form is Form.JSON:
            read_structured(text, into, limits)
        else:
            read_text(text, into)
    except InputError as fault:
        raise InputError(fault.message, where=fault.where or id_, hint=fault.hint) from fault
    content_hash = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return _document(into, id_=id_, form=form, content_hash=content_hash, limits=limits)


def _document(into: Extraction, *, id_: str, form: Form, content_hash: str, limits: Limits) -> Document:
    text = into.text
    passages = passages_of(id_, text, into.units, limits)
    if not passages:
        into.note("no text was found in it")
    return Document(id=id_, form=form, text=text, content_hash=content_hash, passages=passages, notes=tuple(into.notes))


def _read(raw: bytes, form: Form, into: Extraction, limits: Limits) -> None:
    if not raw.strip():
        raise InputError("the document is empty", hint="remove it, or put the text into it")
    if form is Form.PDF:
        from imprimatur.sources.passages.pdf import read_pdf

        read_pdf(raw, into, limits)
        return
    text = decoded(raw, form)
    if form is Form.HTML:
        from imprimatur.sources.passages.html import read_html

        read_html(text, into, limits)
    elif form is Form.MARKDOWN:
        from imprimatur.sources.passages.markdown import read_markdown

        read_markdown(text, into, limits)
    elif form is Form.JSON:
        read_structured(text, into, limits)
    else:
        read_text(text, into)


def decoded(raw: bytes, form: Form) -> str:
    """The text of a file. Raises InputError for bytes that are no text, or not in the encoding that is claimed."""
    encoding = next((name for mark, name in _BOMS if raw.startswith(mark)), None)
    if encoding is None and b"\0" in raw:
        raise InputError("a binary file, not a text", hint="give text, Markdown, HTML, PDF or JSON")
    if encoding is None and form is Form.HTML:
        declared = _CHARSET.search(raw[:2048].decode("latin-1"))
        encoding = _DECLARED.get(declared.group(1).lower()) if declared else None
    try:
        text = raw.decode(encoding or "utf-8")
    except UnicodeDecodeError as fault:
        shown = encoding or "UTF-8"
        message = f"not {shown} text (byte {fault.start})"
        raise InputError(message, hint="convert it to UTF-8, for instance with iconv") from fault
    if len(_CONTROLS.findall(text)) > 2 + len(text) // 1000 or "\0" in text:
        raise InputError("a binary file, not a text", hint="give text, Markdown, HTML, PDF or JSON")
    return text
