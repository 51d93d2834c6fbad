"""What the other forms of statement share: items that stand for a phrase, and rewritten sentences.

A comparison, a rank, a count or a described thing is read by putting one item in the place of its words: "X is longer
than Y" has a value where "X is 5 km long" has one. The rewritten sentence is read by the same grammar and lexicon as
any other; the item's claim says what the words said. A version is used only where it leaves no word unread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Description, Mention
from imprimatur.extract.syntax import Compared, Item, Lasting, Pooled, Ranked
from imprimatur.extract.words import BE, forms
from imprimatur.values import DateValue, Number, Quantity

__all__ = ["COMMA", "Describe", "Version", "copula", "entity_at", "hole", "nominal", "pronoun", "spans_of", "word"]

_ANY = Quantity(low=Number(Fraction(0)))
#: A comma that is not in the answer.
COMMA = Item(-1, -1, ",", ",", punct=True)
_EVER = DateValue(first=None, last=None, precision="year")


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A sentence rewritten. With ``of`` its claims about ``of.it`` say more of what is described.

    ``number``: how many of it there are; None when one of them is spoken of. ``used`` are the spans of the words that
    the description or the number takes up and that no item stands for.
    """

    items: tuple[Item, ...]
    of: Description | None = None
    number: Quantity | None = None
    used: tuple[tuple[int, int], ...] = ()
    lasting: Quantity | None = None  # how long the rest held
    also: bool = False  # the sentence also says what it says without the number ("only")
    share: Quantity | None = None  # of what is described, so much is as the sentence says
    total: Quantity | None = None  # then ``share`` is a number, of so many in all
    each: tuple[tuple[Item, ...], ...] = ()  # in place of ``items``: sentences of which all are said
    summed: bool = False  # all that it says is of the values that a whole class has together


#: Reads a noun phrase as a description: its items, and whether one thing is meant.
Describe = Callable[[Sequence[Item], bool], Description | None]


def spans_of(items: Sequence[Item]) -> tuple[tuple[int, int], ...]:
    """The spans of all words of some items."""
    return tuple(span for i in items for span in (i.spans or ((i.start, i.end),)) if span[0] >= 0)


def _standing(used: Sequence[Item]) -> Item:
    spans = spans_of(used)
    start, end = (min(s for s, _ in spans), max(e for _, e in spans)) if spans else (-1, -1)
    return Item(start, end, "0", "0", spans=spans)


def hole(
    used: Sequence[Item], stands: Compared | Ranked | Lasting | Pooled, *, number: bool = True, date: bool = True
) -> Item:
    """An item for a value that is given by comparison or rank."""
    made = _standing(used)
    return made._replace(quantity=_ANY if number else None, date=_EVER if date else None, stands=stands)


def pronoun(used: Sequence[Item], it: Mention) -> Item:
    """An item for the thing that a description is about."""
    return _standing(used)._replace(text="It", lower="thing-0", forms=forms(""), entity=it)


def word(text: str, used: Sequence[Item] = ()) -> Item:
    """A word that is not in the answer, or that stands for words of it."""
    return _standing(used)._replace(text=text, lower=text, forms=forms(text))


def entity_at(items: Sequence[Item], k: int) -> bool:
    """Whether item ``k`` is a name that the graph knows."""
    return 0 <= k < len(items) and items[k].entity is not None


def copula(items: Sequence[Item], k: int) -> bool:
    """Whether item ``k`` is a form of "be"."""
    return 0 <= k < len(items) and items[k].lower in BE and items[k].entity is None


def nominal(item: Item) -> bool:
    """Whether the item may be a noun or stand before one: a plain word that is no function word."""
    plain = not (item.punct or item.entity or item.name or item.quantity or item.date)
    return (
        plain
        and not item.forms.closed
        and bool(item.forms.noun or item.forms.adj or item.forms.verb_forms & {"pp", "ing"})
    )
