"""Requests as questions: "Tell me when X was born", "Name the river that X flows into".

Contract: ``as_question`` gives the question that a request puts, word for word but for "what is"; other items as they
are.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.asked import added
from imprimatur.extract.asked_phrase import phrase
from imprimatur.extract.syntax import Item

__all__ = ["as_question"]

_ASKING = frozenset("tell name list give state".split())
_POLITE = frozenset(("please", ","))
_WH = frozenset("which what who whom whose when where how".split())


def as_question(items: Sequence[Item]) -> tuple[Item, ...]:
    """The question of a request; what is no request as it is."""
    at = 0
    while at < len(items) and items[at].lower in _POLITE:
        at += 1
    if at + 2 >= len(items) or items[at].lower not in _ASKING:
        return tuple(items)
    at += 1
    at += items[at].lower in ("me", "us")
    if items[at].lower in _WH:
        return tuple(items[at:])
    if items[at].lower not in ("the", "all"):
        return tuple(items)
    at += items[at].lower == "all"
    nouns = items[at + 1 : phrase(items, at + 1)]
    verb = "are" if any(i.forms.plural for i in nouns) else "is"
    return (added("what"), added(verb), *items[at:])
