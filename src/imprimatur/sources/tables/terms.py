"""Tables as terms of a graph: the IRIs of tables, columns and rows, and the way back from them.

In the spirit of the W3C's Direct Mapping: a table is a class, a column a property, a row a thing. Invariant: names of
tables and columns, and numbers of rows, can be read off a term exactly (``found``). A row without a title is a thing
without a name: nothing that is said can mention it.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, unquote

from imprimatur.sources.graph.terms import UNNAMED

__all__ = ["Term", "class_iri", "column_iri", "found", "in_words", "row_iri"]

_BASE = "urn:imprimatur:"
_NAMES = {"table": (1,), "column": (2, 3), "row": (2,), "unnamed": (2,)}


class Term(NamedTuple):
    """What an IRI stands for: a table, one of its columns, or one of its rows (the first is 1).

    Of a column whose cells say several things, each has its own IRI.
    """

    relation: str
    column: str | None = None
    row: int | None = None


def class_iri(relation: str) -> str:
    """The class of a table's rows."""
    return f"{_BASE}table:{_quoted(relation)}"


def column_iri(relation: str, column: str, part: str = "") -> str:
    """The property that a column is, or that a ``part`` of what its cells say is."""
    return f"{_BASE}column:{_quoted(relation)}:{_quoted(column)}{':' if part else ''}{_quoted(part)}"


def row_iri(relation: str, number: int, *, named: bool) -> str:
    """The thing that a row is."""
    return f"{_BASE if named else UNNAMED}{'row:' if named else ''}{_quoted(relation)}:{number}"


def found(iri: str) -> Term | None:
    """What an IRI stands for; None for one that is not of a table."""
    if not iri.startswith(_BASE):
        return None
    kind, *names = iri[len(_BASE) :].split(":")
    if kind not in _NAMES or len(names) not in _NAMES[kind]:
        return None
    relation = unquote(names[0])
    if kind == "table":
        return Term(relation)
    if kind == "column":
        return Term(relation, column=unquote(names[1]))
    return Term(relation, row=int(names[1])) if names[1].isdigit() else None


def in_words(iri: str) -> str:
    """What an IRI stands for, as a person would look for it; empty for one that is not of a table."""
    term = found(iri)
    if term is None:
        return ""
    if term.column is not None:
        return f"column “{term.column}” of the table {term.relation}"
    return f"the table {term.relation}" if term.row is None else f"row {term.row} of the table {term.relation}"


def _quoted(name: str) -> str:
    return quote(name, safe="")
