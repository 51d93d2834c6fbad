"""SPARQL as the language of written queries: checked by ``sparql_guard``, run on a copy by ``query_runner``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.query_language import Refused, Run
from imprimatur.retrieve.sparql_guard import Checked, check_query
from imprimatur.retrieve.trail import Section
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import TRUST_CLASSES

__all__ = ["SparqlQueries", "vocabulary_of"]

_MOST_LINES = 400


class SparqlQueries:
    """SPARQL over one graph (implements ``QueryLanguage``)."""

    name = "sparql"

    def __init__(self, facts: Facts, *, rows: int) -> None:
        """``rows``: how many a query may give."""
        self._facts, self._rows = facts, rows
        self._vocabulary = vocabulary_of(facts.schema)
        # A row derives something, and may rest on any triple.
        classes = {TRUST_CLASSES[1], *(origin.trust for origin in facts.graph.origins)}
        self._trust = max(classes, key=TRUST_CLASSES.index)

    @property
    def vocabulary(self) -> str:
        """The classes and properties that a query may use."""
        return self._vocabulary

    def things(self, asked: Asked) -> Sequence[tuple[str, str]]:
        """What the question names, by its IRIs."""
        return [(name, f"<{iri}>") for name, candidates in asked.names for iri in candidates]

    def checked(self, query: str) -> Run | Refused:
        """The query, ready to run, or what is wrong with it."""
        checked = check_query(query, self._facts.schema, rows=self._rows)
        return checked if isinstance(checked, Refused) else partial(self._run, checked)

    def _run(self, checked: Checked, asked: Asked, *, seconds: float) -> list[Candidate]:
        found = self._facts.runner.run(checked.text, rows=self._rows, seconds=seconds)
        if "truth" in found:
            return [self._candidate(checked, "yes", asked, ("truth",))] if found["truth"] else []
        names = found["variables"]
        rows = [[(name, term) for name, term in zip(names, row) if term is not None] for row in found["rows"]]
        return [
            self._candidate(checked, ", ".join(f"{name}: {self._shown(term)}" for name, term in row), asked, tuple(row))
            for row in rows
            if row
        ]

    def _candidate(self, checked: Checked, text: str, asked: Asked, row: tuple[Any, ...]) -> Candidate:
        evidence = Evidence(
            source="graph",
            kind="row",
            content=" ".join(str(part) for cell in row for part in (cell if isinstance(cell, tuple) else (cell,))),
            query=checked.text,
            origin=", ".join(sorted({str(origin) for origin in self._facts.graph.origins})),
            trust=self._trust,
        )
        ends = [
            number for term in (*checked.things, *self._iris(row)) if (number := self._facts.graph.id(term)) is not None
        ]
        return Candidate(
            key=("row", checked.text, row),
            section=Section.RESULTS,
            score=self._facts.fit_words(checked.properties, ends, asked),
            tell=lambda: (text, (evidence,)),
        )

    def _iris(self, row: tuple[Any, ...]) -> list[str]:
        return [cell[1][1:-1] for cell in row if isinstance(cell, tuple) and cell[1].startswith("<")]

    def _shown(self, term: str) -> str:
        """A term as a person reads it."""
        number = self._facts.graph.id(term[1:-1]) if term.startswith("<") else None
        if number is not None:
            return self._facts.graph.label(number)
        return term[1:].rpartition('"')[0] if term.startswith('"') else term


def vocabulary_of(schema: Schema) -> str:
    """The classes and properties that a query may use, one a line, with domains, ranges and units."""
    lines = [f"class <{iri}>: {', '.join(info.labels)}" for iri, info in sorted(schema.classes.items())]
    for iri, info in sorted(schema.properties.items(), key=lambda each: -each[1].used):
        ends = " → ".join(" or ".join(f"<{end}>" for end in each) or "anything" for each in (info.domains, info.ranges))
        unit = f", in <{info.unit_iri}>" if info.unit_iri else ""
        lines.append(f"property <{iri}>: {', '.join((*info.labels, *info.alt_labels))} ({ends}{unit})")
    return "\n".join(lines[:_MOST_LINES])
