"""What a question asks to complete: a sentence with a gap, and what may stand there."""

from __future__ import annotations

from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms

__all__ = ["GAP", "Asked", "Wanted", "added", "is_gap"]

#: What stands for the answer.
GAP = Item(-1, -1, "", "gap-0")


class Wanted(StrEnum):
    """What kind of thing a question asks for."""

    THING = "thing"
    PERSON = "person"
    NUMBER = "number"
    TIME = "time"
    PLACE = "place"
    DIRECTION = "direction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One sentence that a question asks to complete.

    Attributes:
        items: the sentence, with ``GAP`` once.
        wanted: what stands in the gap.
        noun: the nouns that the question gives it ("river system"), with what stands before and after them.
        unit: for a number, the words of the unit in which it is asked.
        plural: whether several are asked for.
        lossy: whether something was left out that may tell one answer from another.
        supposed: a sentence that must hold for the question to be asked; empty when there is none.
        apart: things that are not the answer though they may stand in the gap.
    """

    items: tuple[Item, ...]
    wanted: Wanted
    noun: tuple[Item, ...] = ()
    unit: str = ""
    plural: bool = False
    lossy: bool = False
    supposed: tuple[Item, ...] = ()
    apart: tuple[str, ...] = ()


def is_gap(item: Item) -> bool:
    """Whether the item stands for what is asked."""
    return item.lower == GAP.lower


def added(word: str) -> Item:
    """A word that is not in the question."""
    return Item(-1, -1, word, word, forms=forms(word))
