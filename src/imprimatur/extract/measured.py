"""Measures that a question describes by a clause: "the distance that X flows", "the elevation at which X rises".

Contract: ``measured`` gives the sentences with the number in their gap; the unit is that of the question. Only word
order changes, and "distance" by which something goes is said of how far it goes ("X flows for GAP").
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.asked import GAP, Asked, Wanted, added
from imprimatur.extract.syntax import Item
from imprimatur.language.units import parse as unit_of

__all__ = ["in_unit_at", "measured"]

_LONGEST_UNIT = 5  # words


def measured(items: tuple[Item, ...]) -> Iterator[Asked]:
    """The sentences of "the NOUN (in UNIT) (that) X goes" and of "the NOUN at which X goes"."""
    plain = tuple(i for i in items if i.lower != ",")
    noun = next((n for n, i in enumerate(plain[:6]) if i.forms.noun and not i.forms.adj and i.lower != "the"), None)
    if noun is None or plain[0].lower != "the":
        return
    at, unit = in_unit_at(plain, noun + 1)
    level = plain[at : at + 3] if [i.lower for i in plain[at : at + 3]] == ["above", "sea", "level"] else ()
    at += len(level)
    rest = [i.lower for i in plain[at : at + 2]]
    if rest[:1] == ["where"] or rest == ["at", "which"]:
        clause = plain[at + (1 if rest[0] == "where" else 2) :]
        head = plain[noun]
        article = added("an" if head.lower[0] in "aeiou" else "a")
        if _is_clause(clause):
            told = (*clause, added("at"), article, head, added("of"), GAP, *level)
            yield Asked(items=told, wanted=Wanted.NUMBER, unit=unit)
    elif plain[noun].lower == "distance":
        clause = plain[at + (rest[0] in ("that", "which") if rest else 0) :]
        if _is_clause(clause):
            yield Asked(items=(*clause, GAP), wanted=Wanted.NUMBER, unit=unit)
            yield Asked(items=(*clause, added("for"), GAP), wanted=Wanted.NUMBER, unit=unit)


def _is_clause(items: tuple[Item, ...]) -> bool:
    """Whether a name, with or without article, and its verb are all there is."""
    named = items[1:] if items and items[0].lower == "the" else items
    return len(named) == 2 and named[0].entity is not None and bool(named[1].forms.verb_forms & {"s", "past"})


def in_unit_at(items: tuple[Item, ...], at: int) -> tuple[int, str]:
    """Where the words go on after "in kilometers" at a place, and the unit; the place itself when there is none."""
    if at < len(items) and items[at].lower == "in":
        for end in range(min(len(items), at + 1 + _LONGEST_UNIT), at + 1, -1):
            unit = " ".join(i.text for i in items[at + 1 : end])
            if unit_of(unit) is not None:
                return end, unit
    return at, ""
