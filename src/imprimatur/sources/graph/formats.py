"""Which RDF syntax a file is written in, told by its extension and by its first bytes.

Content that is plainly XML or JSON overrides the extension; an extension that says nothing (``.txt``, ``.owl``,
``.xml``, ``.json``) is decided by the content alone. Only the first bytes are read.
"""

from __future__ import annotations

import re
from pathlib import Path

from imprimatur._expressions import expression
from imprimatur.errors import KnowledgeBaseError

__all__ = ["HEAD_BYTES", "SYNTAXES", "check_document_type", "syntax_of"]

#: How much of a file ``syntax_of`` looks at.
HEAD_BYTES = 65536

#: Extension to the name of the syntax.
SYNTAXES = {
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".nt": "n-triples",
    ".nq": "n-quads",
    ".trig": "trig",
    ".rdf": "rdf/xml",
    ".jsonld": "json-ld",
}
_COMMENTS = expression(r"(?:[ \t\r\n]+|#[^\n]*(?:\n|\Z))*+")
_XML = ("<?xml", "<rdf:rdf", "<!doctype", "<!--")
_DIRECTIVE = expression(r"(?:@(?:prefix|base|version)|prefix|base|version)\b", re.IGNORECASE)
_LINE = expression(r"(?:<[^<>\s]*>|_:\S+)[ \t]+<[^<>\s]*>[ \t]")
_OTHER = ("prefix:", "ontology(", "prefix(", "format-version:")
_ENTITY = expression(r"<!ENTITY\s+(?P<parameter>%\s*)?(?P<name>[^\s>]+)\s+(?P<value>\"[^\"]*\"|'[^']*'|[A-Z]+)", re.I)


def syntax_of(path: Path, head: bytes, *, where: str) -> str:
    """The name of the syntax of a file with these first bytes (after decompression).

    Raises:
        KnowledgeBaseError: the file is binary, in another encoding, or in a syntax that is not read.
    """
    text = _decoded(head, where)
    suffix = path.suffix.lower()
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower()
    by_content = _sniffed(text)
    if by_content in ("rdf/xml", "json-ld") and suffix != ".trig":
        return by_content
    known = SYNTAXES.get(suffix)
    if known in ("rdf/xml", "json-ld"):
        # Such a file neither begins as XML nor as JSON; let its content decide, its extension as a last resort.
        return by_content or known
    syntax = known or by_content
    if syntax is None:
        raise KnowledgeBaseError(
            "no RDF syntax was recognised",
            hint="use Turtle, N-Triples, N-Quads, TriG, RDF/XML or JSON-LD, with the usual extension",
            where=where,
        )
    return syntax


def _decoded(head: bytes, where: str) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise KnowledgeBaseError("the file is UTF-16", hint="convert it to UTF-8", where=where)
    if b"\x00" in head:
        raise KnowledgeBaseError("the file is binary", hint="name an RDF text file, or its .gz", where=where)
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start >= len(head) - 4 and len(head) >= HEAD_BYTES:
            return head[: error.start].decode("utf-8-sig")
        line = head[: error.start].count(b"\n") + 1
        raise KnowledgeBaseError(
            "the file is not UTF-8", hint="convert it to UTF-8", where=f"{where}, line {line}"
        ) from error


def _sniffed(text: str) -> str | None:
    skipped = _COMMENTS.match(text)
    body = text[skipped.end() :] if skipped else text
    start = body[:200].lower()
    if start.startswith(_XML):
        return "rdf/xml"
    if start.startswith(_OTHER):
        return None
    if start.startswith(("{", "[")) and re.match(r"[\[{]\s*(?:[\[{\]}]|\"|\Z)", body) and '"@' in text:
        return "json-ld"
    if _LINE.match(body):
        return "n-quads" if text.lstrip("\ufeff").startswith(("<", "_:", "#")) and "@prefix" not in text else "trig"
    if _DIRECTIVE.match(body) or start.startswith(("<", "_:", "[")):
        return "trig"
    return None


def check_document_type(head: bytes, *, where: str) -> None:
    """Refuses an XML document type that reads other files or nests entities; simple name-space entities may stay.

    Raises:
        KnowledgeBaseError: names the entity or the external document type.
    """
    start = head.find(b"<!DOCTYPE")
    if start < 0:
        return
    text = head[start:].decode("utf-8", errors="replace")
    declared = text[: text.find("]>")] if "]>" in text else text[: text.find(">") + 1]
    opening = declared.split("[", 1)[0]
    hint = "write the names out and remove the <!DOCTYPE …> part"
    if re.search(r"\b(?:SYSTEM|PUBLIC)\b", opening):
        raise KnowledgeBaseError("an external document type is not read", hint=hint, where=where)
    for entity in _ENTITY.finditer(declared):
        value = entity["value"]
        if entity["parameter"] or value[0] not in "\"'" or "&" in value or "%" in value:
            raise KnowledgeBaseError(f"the XML entity {entity['name']!r} is external or nested", hint=hint, where=where)
