"""Which of the answers to choose from is the one that was found without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item
from imprimatur.generate.answered import Answered, Outcome
from imprimatur.generate.asking import Asking
from imprimatur.language.rounding import Match, matches

__all__ = ["meant", "named"]


def meant(options: Sequence[str], found: Answered, asking: Asking) -> Answered:
    """The answer in the words of the one option that means the same; unknown when none or several do."""
    if found.outcome is not Outcome.ANSWERED or len(found.values) != 1:
        return Answered(outcome=Outcome.UNKNOWN)
    right = [option for option in options if _same(option, found, asking)]
    if len(right) != 1:
        return Answered(outcome=Outcome.AMBIGUOUS if right else Outcome.UNKNOWN)
    return replace(found, values=(right[0].strip().rstrip("."),))


def named(options: Sequence[str], asking: Asking) -> frozenset[str]:
    """The things that the options may name."""
    items = (i for option in options for i in _read(option, asking)[:1] if i.entity is not None)
    return frozenset(iri for i in items if i.entity is not None for iri in i.entity.candidates)


def _same(option: str, found: Answered, asking: Asking) -> bool:
    """Whether an option is the thing that was found, or its number by the number rules, or its text."""
    given, value = _read(option, asking), _read(found.values[0], asking)
    if found.iris:
        return any(i.entity is not None and set(i.entity.candidates) & set(found.iris) for i in given[:1])
    if len(given) == len(value) == 1 and given[0].quantity is not None and value[0].quantity is not None:
        a, b = given[0].quantity, value[0].quantity
        stated = ((a, b), (b, a))
        return any(matches(x, y.low.value, y.unit) is Match.YES for x, y in stated)
    return option.strip().rstrip(".").casefold() == found.values[0].casefold()


def _read(text: str, asking: Asking) -> tuple[Item, ...]:
    items = items_of(text.strip().rstrip("."), asking.discourse, locale=asking.oracle.knowledge.config.locale)
    return tuple(i for i in items if i.lower not in ("the", "approximately", "about"))
