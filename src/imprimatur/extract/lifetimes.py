"""What is said of the length of a life, rewritten as what it says of its end (see ``extract.versions``).

"X did not live to see 1700" says that X died before 1700, "X lived to see 1700" that X did not, "X outlived Y" that X
died after Y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur.extract.syntax import Compared, Item
from imprimatur.extract.versions import Version, entity_at, hole, word
from imprimatur.values import Bound

__all__ = ["ended"]

_SEEING = frozenset("see witness".split())
_DENIED = frozenset("not n't never".split())


def ended(items: Sequence[Item]) -> Iterator[Version]:
    """The versions of a sentence that say of a life when it ended."""
    for k, item in enumerate(items):
        if item.entity is not None or item.name is not None:
            continue
        if item.forms.verb == "live":
            yield from _seen(items, k)
        elif item.forms.verb == "outlive":
            yield from _outlived(items, k)


def _seen(items: Sequence[Item], k: int) -> Iterator[Version]:
    """ "Lived to see 1700", "did not live to see the year 1700"."""
    if k + 3 >= len(items) or items[k + 1].lower != "to" or items[k + 2].lower not in _SEEING:
        return
    at = k + 3
    at += items[at].lower == "the"
    at += [i.lower for i in items[at - 1 : at + 1]] == ["the", "year"]
    if at >= len(items) or items[at].date is None or items[at].entity is not None:
        return
    date = items[at].date
    if date is None or date.bound is not Bound.EXACT or items[at].interval is not None:
        return
    start, denied = _begun(items, k)
    if denied is None:
        return
    bound, preposition = (Bound.LESS_THAN, "before") if denied else (Bound.AT_LEAST, "after")
    when = items[at]._replace(date=replace(date, bound=bound), quantity=None, lower=f"{preposition} {items[at].lower}")
    yield Version(items=(*items[:start], word("died", items[start:at]), when, *items[at + 1 :]))


def _begun(items: Sequence[Item], k: int) -> tuple[int, bool | None]:
    """Where the verb group of "live" at ``k`` begins, and whether it is denied; None where it is no plain past."""
    before = [i.lower for i in items[max(0, k - 2) : k]]
    if before[-1:] == ["never"]:
        return k - 1, True
    if len(before) == 2 and before[0] == "did" and before[1] in _DENIED:
        return k - 2, True
    if before[-1:] == ["did"]:
        return k - 1, False
    if before[-1:] and before[-1] in _DENIED:
        return k, None
    return k, False if items[k].forms.verb_forms & {"past"} else None


def _outlived(items: Sequence[Item], k: int) -> Iterator[Version]:
    """ "Outlived Y", "outlived Y by five years"."""
    at = k + 2 if k + 1 < len(items) and items[k + 1].lower == "the" else k + 1
    past = bool(items[k].forms.verb_forms & {"past"})
    if not entity_at(items, at) or not (past or items[k].forms.verb_forms & {"base"}):
        return
    other, end, by = items[at].entity, at + 1, None
    if end + 1 < len(items) and items[end].lower == "by" and items[end + 1].quantity is not None:
        by, end = items[end + 1].quantity, end + 2
    if other is not None:
        value = hole(items[k + 1 : end], Compared(sign=">", other=other, by=by))._replace(quantity=None)
        died = word("died" if past else "die", items[k : k + 1])
        yield Version(items=(*items[:k], died, word("in"), value, *items[end:]))
