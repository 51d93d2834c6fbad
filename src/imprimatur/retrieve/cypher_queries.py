"""Cypher as the language of written queries: checked by ``cypher_guard``, run by the server in its reading mode.

A row is told by what its columns read, not by the aliases that whoever wrote the query gave them, beside the values and
links that it was found by, and its evidence holds the query. A row that holds nothing that can be told is no evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import partial
from math import isfinite
from typing import Any

from imprimatur._expressions import expression
from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.cypher_guard import CheckedCypher, check_cypher
from imprimatur.retrieve.cypher_terms import written
from imprimatur.retrieve.property_store import PropertyStore
from imprimatur.retrieve.query_language import Refused, Run
from imprimatur.retrieve.trail import Section

__all__ = ["CypherQueries"]

_LONGEST = 500
#: What is counted or summed over no rows at all: silence, which is no "none".
_NOTHING, _COUNTS = frozenset(("0", "0.0")), expression(r"(?:[a-z]+ of )*(?:count|sum) of matched ")
#: What would end a column, or the row.
_PARTING = expression(r"[:\"\x00-\x1f\x7f\x85\u2028\u2029]")


class CypherQueries:
    """Cypher over one property graph (implements ``QueryLanguage``)."""

    name = "cypher"

    def __init__(self, facts: Facts, store: PropertyStore, *, rows: int) -> None:
        """``facts``: those of the mirror; ``rows``: the most a query may give. Nothing is asked yet."""
        self._facts, self._store, self._rows = facts, store, rows

    @property
    def vocabulary(self) -> str:
        """The labels, types and keys that a query may use. Raises what ``store.terms`` raises."""
        return self._store.terms().told

    def things(self, asked: Asked) -> Sequence[tuple[str, str]]:
        """What the question names, by a pattern that finds it."""
        return [
            (name, pattern)
            for name, candidates in asked.names
            for iri in candidates
            if (pattern := _pattern(self._store.found_by(iri)))
        ]

    def checked(self, query: str) -> Run | Refused:
        """The query, ready to run, or what is wrong with it."""
        checked = check_cypher(query, self._store.terms(), rows=self._rows)
        return checked if isinstance(checked, Refused) else partial(self._run, checked)

    def _run(self, checked: CheckedCypher, asked: Asked, *, seconds: float) -> list[Candidate]:
        found = self._store.connection.read(checked.text, seconds=seconds, most=self._rows)
        return [candidate for row in found.rows if (candidate := self._candidate(checked, row, asked)) is not None]

    def _candidate(self, checked: CheckedCypher, row: tuple[Any, ...], asked: Asked) -> Candidate | None:
        cells = [
            (name, text)
            for name, value in zip(checked.columns, row)
            if (text := _shown(value)) and not (text in _NOTHING and _COUNTS.match(name))
        ]
        if not cells:
            return None
        of = [pair for pair in checked.of if pair not in cells]
        told = ", ".join((*checked.links, *(f"{name}: {_told(text)}" for name, text in (*of, *cells))))
        evidence = Evidence(
            source="graph",
            kind="row",
            content=json.dumps([list(cell) for cell in cells], ensure_ascii=False),
            query=checked.text,
            origin=self._store.connection.where,
            trust="model" if self._store.trust == "model" else "derived",
        )
        names = (*checked.types, *(key for key, _ in checked.keys))
        properties = [iri for name in dict.fromkeys(names) for iri in self._store.means(name)]
        ends = list(self._ends(checked, {text for _, text in cells}, asked))
        return Candidate(
            key=("row", checked.text, tuple(cells)),
            section=Section.RESULTS,
            score=self._facts.fit_words(properties, ends, asked),
            tell=lambda: (told, (evidence,)),
        )

    def _ends(self, checked: CheckedCypher, said: set[str], asked: Asked) -> Iterator[int]:
        """The things named by the question that the query holds to, or that the row names."""
        graph = self._facts.graph
        for iri in dict.fromkeys(iri for _, candidates in asked.names for iri in candidates):
            number, found_by = graph.id(iri), self._store.found_by(iri)
            if number is None:
                continue
            held = found_by is not None and found_by[1:] in checked.values
            if held or graph.label(number) in said:
                yield number


def _pattern(found_by: tuple[str, str, str] | None) -> str:
    """The node pattern that finds a thing; empty where none can be written without escapes."""
    if found_by is None:
        return ""
    label, key, value = found_by
    quote = next((each for each in "\"'" if each not in value), "")
    if not quote or "\\" in value or not value.isprintable() or len(value) > _LONGEST:
        return ""
    try:
        return f"(:{written(label)} {{{written(key)}: {quote}{value}{quote}}})"
    except ValueError:
        return ""


def _shown(value: object) -> str:
    """A value as a person reads it; empty for what is none, such as a vector or a whole node, and for no number.

    What is too long ends with an ellipsis, behind a word or value that is whole.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and not isfinite(value):
        return ""
    if isinstance(value, str | int | float):
        text = str(value)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]} …"
    if isinstance(value, list):
        found = ""
        for text in filter(None, map(_shown, value)):
            if len(found) + len(text) > _LONGEST:
                return f"{found}, …" if found else text
            found = f"{found}, {text}" if found else text
        return found
    return ""


def _told(text: str) -> str:
    """A text that cannot be read as more than one column, or as a line of its own."""
    return json.dumps(text, ensure_ascii=False) if _PARTING.search(text) else text
