"""Whether a block of code says something that a reader could take for a fact.

Code states nothing by itself, and most of it may be shown. But a false sentence does not become true by being fenced.
Code speaks when it names a thing that the lexicon knows beside another one, a number or a date, or when one of its
lines is a sentence that can be read. Invariant: what is too long to look at speaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.discourse import Discourse
from imprimatur.extract.forms import read
from imprimatur.extract.grammar import parse
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item

__all__ = ["items_in_code"]

#: So many characters of a block, and of a line at once, are looked at.
_LONGEST = 20_000
_LINE = 2_000


def items_in_code(text: str, discourse: Discourse, *, offset: int, locale: str, prose: bool) -> tuple[Item, ...] | None:
    """The items of a block of code that speaks; None for one that does not.

    Args:
        text: the block's text.
        discourse: what names are known; it is not changed.
        offset: where the text begins in the answer.
        locale: how numbers are written.
        prose: whether there is evidence in text, for which a whole sentence counts whatever it names.
    """
    lines = [items_of(line, discourse, offset=offset + at, locale=locale) for at, line in _lines(text[:_LONGEST])]
    items = tuple(item for line in lines for item in line)
    named = {item.text.casefold() for item in items if item.entity is not None}
    valued = any(item.quantity or item.date for item in items)
    if len(text) > _LONGEST or len(named) > 1 or (named and valued):
        return items
    return items if any(_sentence(line, discourse, prose) for line in lines) else None


#: Marks that programs are written with and sentences are not: a line with one ("x = 3") is read only as what is known.
_SYNTAX = frozenset("=<>{}[]|&$#@\\/+*_~^")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a block, each with its place; a long one in parts."""
    at = 0
    for line in text.splitlines(keepends=True):
        for part in range(0, len(line), _LINE):
            yield at + part, line[part : part + _LINE]
        at += len(line)


def _sentence(items: tuple[Item, ...], discourse: Discourse, prose: bool) -> bool:
    claims = read(items, discourse).claims
    if any(claim.readings for claim in claims) or (claims and not any(item.text in _SYNTAX for item in items)):
        return True
    return prose and parse(items).complete and bool(parse(items).clauses)
