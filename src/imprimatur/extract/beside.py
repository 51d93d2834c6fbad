"""Names that stand beside what describes them, rewritten as sentences of their own (see ``extract.versions``).

"The designer of X, Y, was born in Z" says that the designer of X is Y and that Y was born in Z; "two bridges cross X: Y
and Z" names the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.syntax import Item
from imprimatur.extract.versions import COMMA, Version, copula, entity_at, word

__all__ = ["beside"]

_OPENING = frozenset("the its his her their".split())
_LINKS = frozenset("of 's ’s ' ’".split())
_JOINED = frozenset(", and & the".split())
_LONGEST = 14  # items of a description


def beside(items: Sequence[Item]) -> Iterator[Version]:
    """The versions of a sentence in which a name beside a description has become a sentence."""
    items = tuple(items)
    for k in range(1, len(items) - 2):
        if items[k].lower == "," and entity_at(items, _name(items, k + 1)):
            yield from _named(items, k)
        if items[k].lower in (":", "—", "–") and k > 3:
            yield from _listed(items, k)


def _name(items: Sequence[Item], k: int) -> int:
    """Where the name after an article at ``k`` stands."""
    return k + 1 if k < len(items) and items[k].lower == "the" else k


def _named(items: tuple[Item, ...], comma: int) -> Iterator[Version]:
    """ "The designer of X, Y, …": the designer of X is Y, and Y …"""
    name = _name(items, comma + 1)
    after = name + 1
    if after >= len(items) or items[after].lower != ",":
        return
    start = next((x for x in range(comma - 1, -1, -1) if items[x].lower in (",", ";", ":", "and", "but")), -1) + 1
    phrase = items[start:comma]
    if not 1 < len(phrase) <= _LONGEST or not _describes(phrase):
        return
    verb = items[after + 1] if after + 1 < len(items) else None
    if verb is None or not verb.forms.verb_forms & {"s", "past", "base"} or verb.entity or verb.name:
        return
    told = (*phrase, word("is"), items[name], COMMA, word("and"))
    yield Version(items=(*items[:start], *told, items[name], *items[after + 1 :]))


def _describes(phrase: Sequence[Item]) -> bool:
    """Whether some words describe one thing by another: "the N of X", "X's N", "its N"."""
    if any(_verbal(i) for i in phrase if i.lower not in _LINKS):
        return False
    first, last = phrase[0], phrase[-1]
    related = any(i.lower in _LINKS for i in phrase[1:]) or first.lower in _OPENING - {"the"}
    opened = first.lower in _OPENING or first.entity is not None
    return related and opened and not (last.quantity or last.date)


def _verbal(item: Item) -> bool:
    return bool(item.forms.verb_forms & {"s", "past"}) and not item.forms.noun and item.entity is None


def _listed(items: tuple[Item, ...], colon: int) -> Iterator[Version]:
    """ "Two bridges cross X: Y and Z": two bridges, namely Y and Z, cross X."""
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    names = items[colon + 1 : stop]
    if not names or not all(i.entity or i.name or i.lower in _JOINED for i in names) or copula(items, colon - 1):
        return
    verb = next((x for x in range(1, colon) if _finite(items[x])), 0)
    noun = items[verb - 1] if verb else None
    if noun is None or not noun.forms.plural or noun.entity or noun.name:
        return
    led = items[colon]._replace(text="namely", lower="namely", punct=False)
    yield Version(items=(*items[:verb], COMMA, led, *names, COMMA, *items[verb:colon], *items[stop:]))


def _finite(item: Item) -> bool:
    """Whether an item may be the verb of a plural subject."""
    named = item.entity or item.name or item.quantity or item.date
    return not named and bool(item.forms.verb_forms & {"base", "past"}) and not item.forms.plural
