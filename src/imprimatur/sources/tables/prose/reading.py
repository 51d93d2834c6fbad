"""A statement read by whichever form it has."""

from __future__ import annotations

from imprimatur.sources.tables.prose.counting import of_count
from imprimatur.sources.tables.prose.ordering import of_comparison, of_superlative
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.rows import of_row
from imprimatur.sources.tables.prose.statement import Statement

__all__ = ["read"]

_ORDERED = (of_comparison, of_superlative)


def read(statement: Statement) -> Outcome | None:
    """What a statement comes to; None where it has no form that is known, or several."""
    if statement.negated:
        return None
    for form in _ORDERED:
        found = form(statement)
        if found is not None:
            return found
    return of_count(statement) or (of_row(statement) if not statement.turning else None)
