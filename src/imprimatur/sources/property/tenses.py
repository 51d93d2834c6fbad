"""When a relationship held: by its keys, and by a name in the past.

A time that cannot be read, that is told in two ways, or that ends before it begins, is one that is not known: then the
relationship held once, and nothing is said of now. So it is with ``WORKED_AT`` and ``WAS_MEMBER_OF`` where no end is
told: they say that it was so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.extract.words import forms
from imprimatur.language.morphology import Form, inflect
from imprimatur.sources.graph import tenses
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.property.literals import time_literal
from imprimatur.sources.property.mapping import TypeRule, time_of
from imprimatur.sources.property.ontology import in_words
from imprimatur.sources.property.values import Unread

__all__ = ["in_present", "is_past", "times"]


def times(type_: str, properties: Mapping[str, Any], rule: TypeRule) -> list[tuple[str, RdfLiteral]]:
    """The times of a relationship with their sides: first, last or point; each at most once."""
    told: dict[str, list[RdfLiteral]] = {}
    for key in sorted(properties):
        side, value = time_of(rule, key), properties[key]
        if side != "none" and value is not None:
            read = time_literal(value)
            told.setdefault(side, []).append(_unknown(read.kind) if isinstance(read, Unread) else read)
    found = {side: _one(values) for side, values in told.items()}
    if "first" in found and "last" in found and _is_before(found["last"], found["first"]):
        found["first"] = found["last"] = _unknown("an end before the beginning")
    if "last" not in found and (is_past(type_) if rule.past is None else rule.past):
        found["last"] = _unknown("it is over")
    return sorted(found.items(), key=lambda each: each[0])


def is_past(type_: str) -> bool:
    """Whether a type's name says that something was so for a while."""
    return tenses.is_past(in_words(type_))


def in_present(type_: str) -> str:
    """What a name in the past says of now ("works at" of ``WORKED_AT``)."""
    first, _, rest = in_words(type_).lower().partition(" ")
    verb = {"was": "is", "were": "are", "had": "has"}.get(first) or _third_person(first)
    return f"{verb} {rest}".rstrip()


def _third_person(word: str) -> str:
    verb = forms(word).verb
    return inflect(verb, "v", Form.THIRD_PERSON) if verb else word


def _one(values: list[RdfLiteral]) -> RdfLiteral:
    """The time that several values tell, the most exact one; not known where they tell different ones."""
    longest = max(values, key=lambda each: len(each.lexical))
    if all(longest.lexical.startswith(each.lexical) for each in values):
        return longest
    return _unknown("two times")


def _is_before(one: RdfLiteral, other: RdfLiteral) -> bool:
    """Whether a time is before another one, as far as both are exact."""
    parts = [_day(each) for each in (one, other)]
    least = min(map(len, parts))
    return least > 0 and parts[0][:least] < parts[1][:least]


def _day(value: RdfLiteral) -> tuple[int, ...]:
    """Year, month and day, as far as they are told; empty for anything else."""
    parts = value.lexical.partition("T")[0].split("-")
    return tuple(map(int, parts)) if all(part.isdecimal() and part.isascii() for part in parts) else ()


def _unknown(why: str) -> RdfLiteral:
    return RdfLiteral(f"unread: {why}")
