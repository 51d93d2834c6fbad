"""Whether two statements say the same: about things that may be the same, by a property that may be the same.

Mentions and properties are alternatives of a reading, so they need one in common; all else must be equal. Spans and the
nouns that were used do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from imprimatur.claim import (
    Aggregate,
    Attribute,
    Comparison,
    Condition,
    Count,
    Description,
    Membership,
    Mention,
    Relation,
    Route,
    Share,
    Span,
    Statement,
    Superlative,
)
from imprimatur.values import TextValue

__all__ = ["alike"]


def alike(one: Statement, other: Statement) -> bool:
    """Whether two statements say the same."""
    return _alike(one, other)


def _alike(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    compare = _COMPARED.get(type(one))
    if compare is not None:
        return compare(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _fields(one: Any, other: Any) -> bool:
    """Field by field; properties and classes are alternatives, and the noun that was used does not count."""
    for each in fields(one):
        mine, its = getattr(one, each.name), getattr(other, each.name)
        if each.name in ("predicates", "ends"):
            if not {(p.iri, p.inverse) for p in mine} & {(p.iri, p.inverse) for p in its}:
                return False
        elif each.name == "classes":
            if not set(mine) & set(its):
                return False
        elif each.name != "noun" and not _alike(mine, its):
            return False
    return True


def _mentions(one: Mention, other: Mention) -> bool:
    if (one.every, one.count) != (other.every, other.count):
        return False
    if one.candidates or other.candidates:
        return bool(set(one.candidates) & set(other.candidates))
    return one.text.casefold() == other.text.casefold()


def _texts(one: TextValue, other: TextValue) -> bool:
    return one.text.split() == other.text.split()


def _conditions(one: Condition, other: Condition) -> bool:
    return one.negated is other.negated and any(_alike(a, b) for a in one.readings for b in other.readings)


_BY_FIELDS = (
    Aggregate,
    Attribute,
    Comparison,
    Count,
    Description,
    Membership,
    Relation,
    Route,
    Share,
    Span,
    Superlative,
)
_COMPARED: Mapping[type, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(_BY_FIELDS, _fields),
    Mention: _mentions,
    TextValue: _texts,
    Condition: _conditions,
}
