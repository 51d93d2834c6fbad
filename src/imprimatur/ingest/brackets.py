"""What stands in brackets behind a name, as sentences of their own: "(born 1950)", "(manager: Adnan Hamad)".

Contract: a bracket right behind a name is read where its words, put into a plain sentence about that name, are one the
grammar reads; what it does not read says nothing. Items keep their places in the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.asked import added
from imprimatur.extract.syntax import Item

__all__ = ["bracketed"]

_LONGEST = 12
_ENDS = (")", ";", ",")


def bracketed(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """The sentences that brackets behind names stand for."""
    for n, item in enumerate(items[:-2]):
        if item.entity is None or items[n + 1].lower != "(":
            continue
        start = n + 2
        while start < len(items):
            end = next((k for k in range(start, min(start + _LONGEST, len(items))) if items[k].lower in _ENDS), None)
            if end is None:
                break
            yield from _sentences(item, items[start:end])
            if items[end].lower == ")":
                break
            start = end + 1


def _sentences(name: Item, inner: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """Of "born 1950", "born in 1950" and "manager: X"."""
    if len(inner) < 2:
        return
    colon = next((k for k, i in enumerate(inner) if i.lower == ":"), 0)
    if colon and colon < len(inner) - 1:
        yield (added("the"), *inner[:colon], added("of"), name, added("is"), *inner[colon + 1 :])
        return
    first = inner[0]
    if "pp" not in first.forms.verb_forms or first.entity is not None:
        return
    dated = inner[1].date is not None or inner[1].quantity is not None
    middle = (added("in"),) if dated else ()
    yield (name, added("was"), first, *middle, *inner[1:])
