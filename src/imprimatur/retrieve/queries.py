"""Queries written for a question, usually by a model: checked, run, and given back for repair when they are refused.

A writer is told the vocabulary and the things that the question names, never the data. What it writes is checked by
``sparql_guard`` and run by ``query_runner``; a query that is refused, or that the store cannot run, goes back with what
is wrong, at most ``repairs`` times. A query that finds nothing is no evidence for anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from imprimatur._expressions import expression
from imprimatur.errors import CheckFailed
from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.sparql_guard import Checked, Refused, check_query
from imprimatur.retrieve.trail import Section
from imprimatur.sources.graph.schema import Schema

__all__ = ["Attempt", "Queries", "QueryRequest", "QueryWriter", "vocabulary_of"]

_FENCED = expression(r"```[a-zA-Z]*\s*\n(.*?)```", 16)  # 16: a dot is any character
_MOST_THINGS = 20
_MOST_LINES = 400


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query that was written before, and what was wrong with it."""

    query: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRequest:
    """What a query is to be written for.

    Attributes:
        vocabulary: the classes and properties that a query may use, one a line (``vocabulary_of``).
        things: what the question names: the words, and the IRI.
        before: what was written and refused, oldest first.
        seconds: the time that is left.
    """

    question: str
    vocabulary: str
    things: tuple[tuple[str, str], ...] = ()
    before: tuple[Attempt, ...] = ()
    seconds: float = 10.0


class QueryWriter(Protocol):
    """Writes SPARQL for a question."""

    def write(self, request: QueryRequest) -> str:
        """The query, bare or in a fence; empty when none can be written. Raises an ``ImprimaturError``."""
        ...


class Queries:
    """The path of queries that are written for a question."""

    def __init__(self, facts: Facts, writer: QueryWriter, limits: RetrievalLimits) -> None:
        self._facts, self._writer, self._limits = facts, writer, limits
        self._vocabulary = vocabulary_of(facts.schema)

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """The rows that a query gives, in their order.

        Raises:
            CheckFailed: every query was refused. LimitExceeded, StoreUnavailable: it could not be run.
        """
        things = [(name, iri) for name, candidates in asked.names for iri in candidates]
        before: list[Attempt] = []
        for _ in range(self._limits.repairs + 1):
            clock.check()
            request = QueryRequest(
                question=asked.text,
                vocabulary=self._vocabulary,
                things=tuple(things[:_MOST_THINGS]),
                before=tuple(before),
                seconds=clock.left,
            )
            query = _bare(self._writer.write(request))
            if not query:
                return ()
            checked = check_query(query, self._facts.schema, rows=self._limits.rows)
            if isinstance(checked, Refused):
                before.append(Attempt(query, checked.problems))
                continue
            try:
                found = self._facts.runner.run(checked.text, rows=self._limits.rows, seconds=clock.left)
            except CheckFailed as fault:
                before.append(Attempt(query, (fault.message,)))
                continue
            return self._candidates(checked, found, asked)
        last = "; ".join(before[-1].problems)
        raise CheckFailed(f"no query may run: {len(before)} were refused, the last because {last}")

    def _candidates(self, checked: Checked, found: dict[str, Any], asked: Asked) -> list[Candidate]:
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
            trust="derived",
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


def _bare(text: str) -> str:
    fenced = _FENCED.search(text)
    return (fenced[1] if fenced else text).strip()


def vocabulary_of(schema: Schema) -> str:
    """The classes and properties that a query may use, one a line, with domains, ranges and units."""
    lines = [f"class <{iri}>: {', '.join(info.labels)}" for iri, info in sorted(schema.classes.items())]
    for iri, info in sorted(schema.properties.items(), key=lambda each: -each[1].used):
        ends = " → ".join(" or ".join(f"<{end}>" for end in each) or "anything" for each in (info.domains, info.ranges))
        unit = f", in <{info.unit_iri}>" if info.unit_iri else ""
        lines.append(f"property <{iri}>: {', '.join((*info.labels, *info.alt_labels))} ({ends}{unit})")
    return "\n".join(lines[:_MOST_LINES])
