"""Discourse markers ("however,", "in turn", "too") among the items of a sentence: they say nothing and are taken out.

A comma that parted one from its sentence goes with it. "Too" is one only at an end, "again" and "well" only by
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.syntax import Item
from imprimatur.language import closed_class

__all__ = ["once", "without_markers"]


def without_markers(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items without discourse markers ("however,", "in turn"), which say nothing."""
    lowers = [i.lower for i in items]
    out: list[Item] = []
    k = 0
    while k < len(items):
        n = _marker(items, lowers, k)
        if n:
            k += n
            if k < len(items) and items[k].lower in (",", ":") and (not out or out[-1].lower == ","):
                k += 1
                if out and k < len(items) and _begins_predicate(items[k]):
                    out.pop()  # "X, for its part, is": no comma parts the subject from its verb
                elif len(out) > 1 and out[-2].forms.closed & {"aux", "modal"}:
                    out.pop()  # "was, in turn, crossed"
            continue
        out.append(items[k])
        k += 1
    return tuple(out)


def once(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items with one comma where a remark between commas was taken out."""
    return tuple(i for k, i in enumerate(items) if not (i.lower == "," and k and items[k - 1].lower == ","))


def _marker(items: Sequence[Item], lowers: list[str], k: int) -> int:
    """How many items from ``k`` are a discourse marker: "too" only at an end, "again" only by itself."""
    if items[k].entity or items[k].punct or items[k].name:
        return 0
    n = closed_class.longest("discourse_marker", lowers, k)
    after = lowers[k + n] if k + n < len(lowers) else "."
    if n == 1 and lowers[k] in ("well", "again") and (after not in (",", ":", ".") or _inner(lowers, k)):
        return 0
    if n and (
        (lowers[k] == "too" and after not in (".", ",", ";", "!"))
        or (lowers[k : k + n] == ["as", "well"] and after == "as")
    ):
        return 0
    return n


def _begins_predicate(item: Item) -> bool:
    """Whether a verb that can be nothing else stands there."""
    f = item.forms
    named = item.entity or item.name or item.quantity or item.date
    return not named and bool(
        f.closed & {"aux", "modal"} or (f.verb_forms & {"s", "past"} and not f.noun and not f.adj)
    )


def _inner(lowers: list[str], k: int) -> bool:
    """Whether an item follows another one without a mark between them."""
    return k > 0 and any(c.isalnum() for c in lowers[k - 1]) and lowers[k - 1] not in ("and", "but")
