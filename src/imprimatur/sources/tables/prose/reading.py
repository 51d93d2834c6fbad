"""A statement read by whichever form it has."""

from __future__ import annotations

from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.rows import of_row
from imprimatur.sources.tables.prose.statement import Statement

__all__ = ["read"]


def read(statement: Statement) -> Outcome | None:
    """What a statement comes to; None where it has no form that is known, or several."""
    if statement.turning:
        return None
    return of_row(statement)
