"""Queries written for a question, usually by a model: checked, run, and given back for repair when they are refused.

A writer is told the vocabulary and the things that the question names, never the data. What it writes is checked and
run by the language (``sparql_queries``, ``cypher_queries``); a query that is refused, or that the store cannot run,
goes back with what is wrong, at most ``repairs`` times. A query that finds nothing is no evidence for anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from imprimatur._expressions import expression
from imprimatur.errors import CheckFailed
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.query_language import QueryLanguage, Refused

__all__ = ["Attempt", "Queries", "QueryRequest", "QueryWriter"]

_FENCED = expression(r"```[a-zA-Z]*[ \t\r]*\n(.*?)```", 16)  # 16: a dot is any character
_MOST_THINGS = 20


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
        things: what the question names: the words, and how the query writes the thing.
        before: what was written and refused, oldest first.
        seconds: the time that is left.
        language: what the query is to be written in, ``sparql`` or ``cypher``.
    """

    question: str
    vocabulary: str
    things: tuple[tuple[str, str], ...] = ()
    before: tuple[Attempt, ...] = ()
    seconds: float = 10.0
    language: str = "sparql"


class QueryWriter(Protocol):
    """Writes queries for questions."""

    def write(self, request: QueryRequest) -> str:
        """The query, bare or in a fence; empty when none can be written. Raises an ``ImprimaturError``."""
        ...


class Queries:
    """The path of queries that are written for a question, in one language."""

    def __init__(self, language: QueryLanguage, writer: QueryWriter, limits: RetrievalLimits) -> None:
        self._language, self._writer, self._limits = language, writer, limits

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """The rows that a query gives, in their order.

        Raises:
            CheckFailed: every query was refused. LimitExceeded, StoreUnavailable: it could not be run.
        """
        language = self._language
        things = tuple(language.things(asked))[:_MOST_THINGS]
        before: list[Attempt] = []
        for _ in range(self._limits.repairs + 1):
            clock.check()
            request = QueryRequest(
                question=asked.text,
                vocabulary=language.vocabulary,
                things=things,
                before=tuple(before),
                seconds=clock.left,
                language=language.name,
            )
            query = _bare(self._writer.write(request))
            if not query:
                return ()
            checked = language.checked(query)
            if isinstance(checked, Refused):
                before.append(Attempt(query, checked.problems))
                continue
            try:
                return checked(asked, seconds=clock.left)
            except CheckFailed as fault:
                before.append(Attempt(query, (fault.message,)))
        last = "; ".join(before[-1].problems)
        raise CheckFailed(f"no query may run: {len(before)} were refused, the last because {last}")


def _bare(text: str) -> str:
    fenced = _FENCED.search(text)
    return (fenced[1] if fenced else text).strip()
