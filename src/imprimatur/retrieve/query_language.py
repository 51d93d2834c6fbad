"""What a language is in which queries are written for a question: its vocabulary, its guard, and how they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate

__all__ = ["QueryLanguage", "Refused", "Run"]


@dataclass(frozen=True, slots=True)
class Refused:
    """A query that may not run, and all that is wrong with it."""

    problems: tuple[str, ...]


class Run(Protocol):
    """A query that may run: what it gives, as candidates, in the order of the rows.

    Raises CheckFailed where the store refuses it, LimitExceeded, StoreUnavailable.
    """

    def __call__(self, asked: Asked, *, seconds: float) -> Sequence[Candidate]:
        """The rows."""
        ...


class QueryLanguage(Protocol):
    """A language over one store."""

    #: As a request for a query names it: "sparql" or "cypher".
    name: str

    @property
    def vocabulary(self) -> str:
        """What a query may use, one class, property, label or type a line; never data. Raises an ImprimaturError."""
        ...

    def things(self, asked: Asked) -> Sequence[tuple[str, str]]:
        """What the question names: the words, and how a query writes the thing."""
        ...

    def checked(self, query: str) -> Run | Refused:
        """The query, ready to run, or what is wrong with it."""
        ...
