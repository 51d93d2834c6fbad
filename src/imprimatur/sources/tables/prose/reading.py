"""A statement in prose judged by a relation as a whole.

The forms are tried in order, the most special first; the first that can be read decides. Invariants: the same statement
and relation give the same outcome; a statement that is not about the relation (nothing of it stands there) has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.comparisons import comparison
from imprimatur.sources.tables.prose.counting import count
from imprimatur.sources.tables.prose.degrees import denies, turns
from imprimatur.sources.tables.prose.existence import existence
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.quantifiers import denial, every, only, same
from imprimatur.sources.tables.prose.read import Read, read
from imprimatur.sources.tables.prose.superlatives import superlative
from imprimatur.sources.tables.prose.totals import total

__all__ = ["outcome_of", "read_statement"]

_FORMS: tuple[Callable[[Read], Outcome | None], ...] = (
    comparison,
    same,
    superlative,
    total,
    only,
    count,
    every,
    denial,
    existence,
)


def read_statement(text: str, index: CellIndex) -> Outcome | None:
    """What a relation says of a statement; None where it could not be read over it.

    A denial that a form has not read makes the statement unread; another word that would turn it, the outcome unsure.
    """
    return outcome_of(read(text, index))


def outcome_of(found: Read) -> Outcome | None:
    """What a relation says of a statement that was read over it, as ``read_statement``."""
    if not found.atoms:
        return None
    outcome = next((outcome for form in _FORMS if (outcome := form(found)) is not None), None)
    if outcome is None or any(denies(word) for word in outcome.left):
        return None
    return replace(outcome, sure=False) if any(turns(word) for word in outcome.left) else outcome
