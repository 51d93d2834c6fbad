"""Results of SPARQL queries, read strictly from JSON (SPARQL 1.1 Query Results JSON Format, section 3).

Blank nodes are left out, unless they are asked for: they name nothing outside of the answer that they stand in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from imprimatur.errors import CheckFailed
from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral

__all__ = ["Row", "Term", "read"]

#: An IRI, or a literal.
Term: TypeAlias = str | RdfLiteral
#: What a row has in the places of the query's variables; a place without a term is absent.
Row: TypeAlias = Mapping[str, Term]


def read(body: bytes, *, most: int, blanks: bool = False) -> tuple[Row, ...]:
    """The rows of an answer.

    Args:
        body: the answer.
        most: how many rows were asked for.
        blanks: whether a blank node is given, as ``_:`` and its label in this answer.

    Raises:
        CheckFailed: it is not of the format, or has more rows.
    """
    try:
        found = json.loads(body)
        rows = found["results"]["bindings"]
        if not isinstance(rows, list) or not isinstance(found["head"]["vars"], list):
            raise TypeError
        read_rows = tuple(_row(row, blanks) for row in rows)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CheckFailed("the endpoint's answer cannot be read as results of SPARQL") from None
    if len(read_rows) > most:
        raise CheckFailed("the endpoint gave more rows than it was asked for")
    return read_rows


def _row(row: dict[str, Any], blanks: bool) -> Row:
    found: dict[str, Term] = {}
    for name, term in row.items():
        made = _term(term, blanks)
        if made is not None:
            found[name] = made
    return found


def _term(term: dict[str, Any], blanks: bool) -> Term | None:
    kind, value = term["type"], term["value"]
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # a lone surrogate is no text
    if kind == "uri":
        if value.startswith("_:"):
            raise ValueError
        return value
    if kind in ("literal", "typed-literal"):
        language, datatype = term.get("xml:lang", ""), term.get("datatype", XSD + "string")
        if not isinstance(language, str) or not isinstance(datatype, str):
            raise TypeError
        return RdfLiteral(value, RDF + "langString" if language else datatype, language.lower())
    if kind == "bnode":
        return f"_:{value}" if blanks else None
    raise ValueError
