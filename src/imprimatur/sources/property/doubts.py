"""What a graph takes back itself: nodes and relationships that it marks as deleted, denied or disputed.

A relationship ``negated: true`` says the opposite of what its type says, and one that was deleted softly is still
there. Neither is read; nor is a relationship that does not have what its type's rule asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from imprimatur.sources.property.mapping import TypeRule, plain_key

__all__ = ["falls_short", "is_doubt", "is_taken_back"]

#: As ``plain_key`` writes them; some with "is" before them.
_MARKS = frozenset(
    "negated negation denied retracted retractedat deleted deletedat removed removedat rejected refuted disputed "
    "hypothetical speculative invalid invalidated invalidatedat superseded expired expiredat".split()
)
_NOTHING = ("", "0", "false", "no", "none", "null", "n", "f")


def is_doubt(key: str) -> bool:
    """Whether a key says, by its name, that what has it does not hold."""
    plain = plain_key(key)
    return plain in _MARKS or plain.removeprefix("is") in _MARKS


def is_taken_back(properties: Mapping[str, Any], but: Collection[str]) -> bool:
    """Whether one of the properties says so; ``but`` are keys that say something else in this graph."""
    return any(is_doubt(key) and key not in but and _holds(value) for key, value in properties.items())


def falls_short(properties: Mapping[str, Any], rule: TypeRule) -> bool:
    """Whether a relationship lacks a value that the rule wants, or has less than it wants."""
    if any(_word(properties.get(key)) not in allowed for key, allowed in rule.only.items()):
        return True
    return any(not _reaches(properties.get(key), least) for key, least in rule.least.items())


def _holds(value: Any) -> bool:
    """Whether a value says yes: a day on which something was deleted does; a value that is not known does, too."""
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, str):
        return value.strip().casefold() not in _NOTHING
    return value is not None and value != []


def _word(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int) else None


def _reaches(value: Any, least: Decimal) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return Decimal(repr(value)) >= least
