"""Ages and durations, rewritten so that a value stands for them (see ``extract.versions``, and "span" in frames.txt).

"X died aged 76", "X lived 76 years", "X was 76 years old when he died", "the war lasted five years": the value is what
lies between two dates of the subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur.extract.frames import spans
from imprimatur.extract.syntax import Item, Lasting
from imprimatur.extract.versions import Version, copula, hole, nominal, spans_of, word
from imprimatur.language import units
from imprimatur.protocols import Entry, Lexicon
from imprimatur.values import Quantity

__all__ = ["lasting", "moved", "span_entries", "timely"]

_HIS = frozenset("his her their its the".split())
_JOINING = frozenset("the a an of 's ’s".split())
_HE = frozenset("he she they it".split())


def timely(q: Quantity) -> bool:
    """Whether a quantity is a length of time, of a day or more."""
    if q.unit is None or q.ordinal:
        return False
    known = (units.by_name("YR"), units.by_name("DAY"))
    return any(u is not None and u.dimension == q.unit.dimension for u in known) and q.unit.factor > 0


def lasting(items: Sequence[Item]) -> Iterator[Version]:
    """The versions of a sentence in which an age or a duration has become a value of its own."""
    for k, item in enumerate(items):
        q = item.quantity
        if (
            q is None
            or item.stands is not None
            or q.ordinal
            or (item.date is not None and q.unit is None and q.low.value > 200)
        ):
            continue
        if not (timely(q) or q.unit is None):
            continue
        start, end = _phrase(items, k)
        made = hole(items[start:end], Lasting(value=q))._replace(date=None)
        aged = start < k and items[start].lower == "aged"
        before = (*items[:start], word("at")) if aged else tuple(items[:start])
        yield Version(items=(*before, made, *items[end:]))
        if timely(q) and start and items[start - 1].lower == "for":
            said = spans_of(items[start - 1 : end])
            yield Version(items=(*items[: start - 1], *items[end:]), lasting=q, used=said)
        rest = _died(items, end)
        if rest is not None:
            used = made._replace(spans=(*made.spans, *((i.start, i.end) for i in items[end:rest] if i.start >= 0)))
            yield Version(items=(*before, used, word("at"), word("death"), *items[rest:]))
        verb = next((i for i in before if i.forms.verb in ("die", "live")), None)
        if verb is not None and start > 2:
            cut = start - 1 if items[start - 1].lower in (",", "at", "for") else start
            words = (
                word("and"),
                verb,
                word("at"),
                made._replace(spans=(*made.spans, *((i.start, i.end) for i in items[cut:start]))),
            )
            yield Version(items=(*items[:cut], *words, *items[end:]))


def moved(items: Sequence[Item]) -> Iterator[Version]:
    """ "The mayor of X in 2003 was Y" as "the mayor of X was Y in 2003": a time before the verb goes to the end."""
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    for k in range(2, stop - 1):
        dated = items[k - 1].date is not None and items[k - 1].stands is None
        if copula(items, k) and dated and items[k - 2].lower in ("in", "during"):
            before = items[: k - 2]
            if all(i.entity or nominal(i) or i.lower in _JOINING for i in before):
                yield Version(items=(*before, *items[k:stop], *items[k - 2 : k], *items[stop:]))


def _phrase(items: Sequence[Item], k: int) -> tuple[int, int]:
    """The words that belong to the number: "aged 76", "the age of 76", "76 years old", "76 years of age"."""
    start, end = k, k + 1
    lowers = [i.lower for i in items]
    if lowers[end : end + 2] in (["years", "old"], ["of", "age"]):
        end += 2
    elif lowers[end : end + 1] == ["old"] and copula(items, k - 1):
        end += 1
    if lowers[max(0, k - 3) : k] == ["the", "age", "of"]:
        start = k - 3
    elif lowers[max(0, k - 1) : k] in (["aged"], ["age"]):
        start = k - 1
    return start, end


def _died(items: Sequence[Item], k: int) -> int | None:
    """Where "when he died" or "at the time of his death" ends, from ``k``; None when it is not there."""
    lowers = [i.lower for i in items]
    if (
        lowers[k : k + 1] == ["when"]
        and k + 2 < len(items)
        and lowers[k + 1] in _HE
        and items[k + 2].forms.verb == "die"
    ):
        return k + 3
    x = k + 4 if lowers[k : k + 4] == ["at", "the", "time", "of"] else k + 1 if lowers[k : k + 1] == ["at"] else k
    if x > k and x + 1 < len(items) and lowers[x] in _HIS and lowers[x + 1] == "death":
        return x + 2
    return None


def span_entries(key: str, lexicon: Lexicon) -> Iterator[Entry]:
    """The properties of the last date of a span that a key tells the length of, with those of its first date."""
    for frame, subject, age in spans().get(key, ()):
        starts = tuple(dict.fromkeys(e.iri for noun in frame.nouns for e in _dates(noun, lexicon)))
        for e in (e for noun in frame.ends for e in _dates(noun, lexicon)):
            if starts and e.iri not in starts:
                yield replace(e, subject=subject, value="span", starts=starts, age=age)


def _dates(noun: str, lexicon: Lexicon) -> Iterator[Entry]:
    """The properties that date what a noun names, of the thing that it belongs to."""
    for key in (f"@{noun}<*", f"={noun}<*", f"=date<{noun}<*", f"=year<{noun}<*"):
        yield from (e for e in lexicon.entries(key) if e.value == "date" and e.subject == 0)
