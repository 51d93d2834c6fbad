"""The former and the latter: read as the names that they point back to.

They are read only where exactly two things were named: before them in their own sentence, or else in the last one.
Where there are fewer or more, they stay words that nothing accounts for.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.claim import Mention
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms

__all__ = ["pointed"]

_PLACES = {"former": 0, "latter": 1}
_POINTING = frozenset(f"the {word}" for word in _PLACES)


def pointed(items: Sequence[Item], last: Sequence[Mention]) -> tuple[Item, ...]:
    """The items with "the former" and "the latter" as names; ``last`` are the names of the sentence before."""
    out: list[Item] = []
    two: tuple[Mention, Mention] | None = None
    k = 0
    while k < len(items):
        place = _PLACES.get(items[k + 1].lower) if k + 1 < len(items) and items[k].lower == "the" else None
        pointing = place is not None and not _describing(items, k + 2)
        two = (two or _two(out, last)) if pointing else two
        if not pointing or two is None or place is None:
            out.append(items[k])
            k += 1
            continue
        start, end = items[k].start, items[k + 1].end
        text = f"{items[k].text} {items[k + 1].text}"
        meant = Mention(start, end, text, two[place].candidates)
        out.append(items[k]._replace(end=end, text=text, lower=text.lower(), forms=forms(""), entity=meant))
        k += 2
    return tuple(out)


def _describing(items: Sequence[Item], k: int) -> bool:
    """Whether a noun follows ("the former mayor")."""
    if k >= len(items):
        return False
    item = items[k]
    if item.quantity or item.date or item.forms.closed or item.forms.verb_forms & {"s", "past"}:
        return False
    return bool(item.entity or item.name or item.forms.noun or item.forms.adj)


def _two(before: Sequence[Item], last: Sequence[Mention]) -> tuple[Mention, Mention] | None:
    """The two things that were named, in their order; None where there are not exactly two."""
    here = [i.entity or i.name for i in before if (i.entity or i.name) and i.lower not in _POINTING]
    pool = here or list(last)
    distinct = {m.candidates or (m.text,): m for m in reversed([m for m in pool if m is not None])}
    named = list(distinct.values())[::-1]
    return (named[0], named[1]) if len(named) == 2 and all(m.candidates for m in named) else None
