"""Things that a question describes instead of naming them: "the river that X flows into", "the mouth of X"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.extract.asked import GAP, Asked, Wanted, added
from imprimatur.extract.asked_phrase import is_named, last, phrase
from imprimatur.extract.inversion import finite
from imprimatur.extract.syntax import Item
from imprimatur.language.units import parse as unit_of

__all__ = ["Relative", "in_unit", "relatives", "whole_relative"]

#: A longer question is not looked through for descriptions.
_MOST_RELATIVES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A thing that a question describes by a clause ("the river that X flows into"): where, and what asks for it."""

    start: int
    stop: int
    asked: Asked


def relatives(question: Sequence[Item]) -> tuple[Relative, ...]:
    """The things that a question describes, the longest descriptions first."""
    items = last(question)
    found: list[Relative] = []
    for n in range(len(items) - 2):
        if items[n].lower != "the" or len(found) >= _MOST_RELATIVES:
            continue
        stop = phrase(items, n + 1)
        noun = items[n + 1 : stop]
        if noun and not any(map(is_named, noun)):
            found += _described(items, n, stop)
    return tuple(sorted(found, key=lambda r: r.start - r.stop))


def whole_relative(items: tuple[Item, ...]) -> Asked | None:
    """ "the river that X flows into" as "X flows into GAP", where that is all there is."""
    by = next((n for n, i in enumerate(items) if i.lower == "by" and n > 1), 0)
    if by and items[by - 1].forms.verb_forms & {"pp"} and items[by - 2].forms.noun and by + 1 < len(items):
        doing = finite(items[by - 1], added("does"))
        return Asked(items=(*items[by + 1 :], doing, GAP), wanted=Wanted.NUMBER)  # "the area drained by X"
    found = [r for r in relatives(items) if r.start == 0 and r.stop == len(items)]
    return found[0].asked if found and found[0].asked.noun else None


def _described(items: tuple[Item, ...], start: int, stop: int) -> Iterator[Relative]:
    noun = items[start + 1 : stop]
    after = items[stop : stop + 2]
    if len(after) < 2:
        return
    if after[0].lower == "of" or after[0].lower == "'s":
        for end in range(len(items), stop + 1, -1):
            if is_named(items[end - 1]):
                told = Asked(items=(*items[start:end], added("is"), GAP), wanted=Wanted.THING)
                yield Relative(start=start, stop=end, asked=told)
        return
    lead = 1 if "prep" in after[0].forms.closed and after[1].lower in ("which", "whom") else 0
    if after[lead].lower not in ("which", "that", "who", "whom"):
        return
    prep, first = items[stop : stop + lead], stop + lead + 1
    for end in range(len(items), first + 1, -1):
        clause = items[first:end]
        verb = clause[0].forms.verb and not is_named(clause[0]) and clause[0].lower != "the"
        made = (GAP, *clause) if verb and not prep else (*clause, *prep, GAP)
        told = Asked(items=made, wanted=Wanted.THING, noun=noun, plural=any(i.forms.plural for i in noun))
        yield Relative(start=start, stop=end, asked=told)


def in_unit(rest: Sequence[Item]) -> tuple[tuple[Item, ...], str]:
    """What stands before "in kilometers", and the unit."""
    at = max((n for n, i in enumerate(rest) if i.lower == "in"), default=0)
    unit = " ".join(i.text for i in rest[at + 1 :])
    if at and unit_of(unit) is not None:
        return tuple(rest[:at]), unit
    return tuple(rest), ""
