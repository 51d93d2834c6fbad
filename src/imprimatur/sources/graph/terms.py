"""RDF terms as the graph holds them: IRIs used here, literals, origins, N-Triples text, exact numbers.

Invariants: text made by this module is valid N-Triples and valid SPARQL whatever the term holds (quotes, angle
brackets, line ends and braces are escaped), so it may be put into a query as it stands. Numbers are exact fractions.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from imprimatur._dataclasses import dataclass

__all__ = [
    "CLOCK",
    "DATE_TYPES",
    "NUMERIC_TYPES",
    "OWL",
    "RDF",
    "RDFS",
    "SCHEMA",
    "SH",
    "SKOS",
    "TRUST_CLASSES",
    "UNNAMED",
    "XSD",
    "Origin",
    "RdfLiteral",
    "TripleTerm",
    "iri_text",
    "is_number",
    "literal_text",
    "local_name",
    "parse_number",
    "spoken_name",
]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SH = "http://www.w3.org/ns/shacl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
#: schema.org is written with both schemes; every look-up of one of its terms tries both.
SCHEMA = ("https://schema.org/", "http://schema.org/")

#: Things whose IRIs begin so have no names, not even their local ones (rows of tables without a title).
UNNAMED = "urn:imprimatur:unnamed:"
#: The datatype of times of day and of stretches between two, as ``language.clock_times`` writes them.
CLOCK = "urn:imprimatur:clock"
#: From most to least trusted (DESIGN section 2).
TRUST_CLASSES = ("curated", "derived", "model")

_INTEGERS = (
    "integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger "
    "unsignedInt unsignedLong unsignedShort unsignedByte"
)
INTEGER_TYPES = frozenset(XSD + name for name in _INTEGERS.split())
NUMERIC_TYPES = INTEGER_TYPES | {XSD + "decimal", XSD + "double", XSD + "float"}
DATE_TYPES = frozenset(XSD + name for name in ("gYear", "gYearMonth", "date", "dateTime", "dateTimeStamp"))

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
#: Longer digit strings are kept as text: no quantity is written so, and exact arithmetic on them has no bound.
_MAX_DIGITS = 400

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')
_BAD_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class RdfLiteral:
    """A literal as written: its lexical form, datatype IRI and language tag (empty: none)."""

    lexical: str
    datatype: str = XSD + "string"
    lang: str = ""


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """An RDF 1.2 triple term: the identifiers of its subject, predicate and object."""

    subject: int
    predicate: int
    object: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a triple comes from.

    Attributes:
        file: the file's name. trust: its trust class.
        graph: the named graph in it; empty for the default graph.
        rule: the rule of the file that adds it (``sh:rule``); empty for a triple that stands there.
    """

    file: str
    trust: str
    graph: str = ""
    rule: str = ""

    def __str__(self) -> str:
        """As evidence names it: the file, or the place that the graph's name is (``doc:a.csv#row=3``)."""
        named = _place(self.graph) if self.graph.startswith("doc:") else self.file
        return f"{named} (rule: {self.rule})" if self.rule else named


def _place(iri: str) -> str:
    """A place in words: ``a.csv, row 3``, ``a.db, table t, row 3``, ``a.md, char 4 to 10``, ``a.json, /log/3``."""
    from urllib.parse import unquote

    path, _, fragment = iri.removeprefix("doc:").partition("#")
    said = [unquote(path)]
    for part in fragment.split("&") if fragment else ():
        key, equals, value = part.partition("=")
        said.append(
            f"{key} {unquote(value).replace('-' if key == 'row' else ',', ' to ', 1)}" if equals else unquote(part)
        )
    return ", ".join(said)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def iri_text(iri: str) -> str:
    """``<iri>`` for N-Triples and SPARQL; characters that would end or change it are written as ``\\uXXXX``."""
    return "<" + _BAD_IN_IRI.sub(lambda match: f"\\u{ord(match.group()):04X}", iri) + ">"


def literal_text(literal: RdfLiteral) -> str:
    """The literal for N-Triples and SPARQL, on one line."""
    quoted = '"' + _NEEDS_ESCAPE.sub(_escape, literal.lexical) + '"'
    if literal.lang:
        return f"{quoted}@{literal.lang}"
    if literal.datatype == XSD + "string":
        return quoted
    return f"{quoted}^^{iri_text(literal.datatype)}"


def is_number(lexical: str, datatype: str) -> bool:
    """Whether ``parse_number`` gives a value."""
    if datatype not in NUMERIC_TYPES or len(lexical) > _MAX_DIGITS:
        return False
    if datatype in INTEGER_TYPES:
        pattern = _INTEGER
    else:
        pattern = _DECIMAL if datatype == XSD + "decimal" else _FLOAT
    return lexical.isascii() and pattern.fullmatch(lexical.strip(" \t\r\n")) is not None


@lru_cache(maxsize=65536)
def parse_number(lexical: str, datatype: str) -> Fraction | None:
    """The exact value of a numeric XSD literal (XSD 1.1 part 2, section 3.3); None for any other or an ill-typed one.

    INF and NaN have no exact value. A datatype outside XSD gives None too, since it may imply a unit.
    """
    # By way of Decimal, which is exact as well and reads text many times faster.
    return Fraction(Decimal(lexical.strip(" \t\r\n"))) if is_number(lexical, datatype) else None


def local_name(iri: str) -> str:
    """The part of an IRI after its last ``#``, ``/`` or ``:`` (the whole when nothing follows)."""
    trimmed = iri.rstrip("/#")
    cut = max(trimmed.rfind("#"), trimmed.rfind("/"), trimmed.rfind(":"))
    return trimmed[cut + 1 :] or iri


def spoken_name(iri: str) -> str:
    """The local name as words: underscores, percent escapes and camel case undone (``inCounty`` gives "in county").

    Capitals are kept unless the name is camel case that starts with a small letter, as properties are named.
    """
    name = local_name(iri)
    if _PERCENT.search(name):
        from urllib.parse import unquote

        name = unquote(name, errors="replace")
    name = name.replace("_", " ").strip() or name
    if " " in name:
        return name
    words = [word for word in _CAMEL.split(name) if word]
    if words and words[0][:1].islower():
        words = [words[0], *(word if word.isupper() and len(word) > 1 else word.lower() for word in words[1:])]
    return " ".join(words)
