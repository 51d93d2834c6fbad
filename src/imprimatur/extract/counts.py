"""Counts, and things that are described and not named, rewritten so that a pronoun stands for them.

"X stars three people", "three rivers flow into X", "X has no tributaries", "there are two bridges in X", "the number of
tributaries of X is five", "only Y flows into X", "X is the only planet with …"; "X is maintained by the maintainer of
Y", "X depends on a package that is licensed under Z" (see ``extract.versions``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from imprimatur.extract.nouns import Spent
from imprimatur.extract.sentences import Sentences
from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.versions import Describe, Version, copula, nominal, pronoun, spans_of, word
from imprimatur.language.degree import superlative
from imprimatur.values import Bound, Number, Quantity

__all__ = ["counted", "described"]

_LIMITING = frozenset("only exactly just precisely".split())
_LISTING = frozenset(", and the".split())
_HAVE = frozenset("has have had".split())
_BUDGET = 1500
_MOST_TRIED = 8


def _is(items: Sequence[Item], k: int, *words: str) -> bool:
    return 0 <= k < len(items) and items[k].lower in words and items[k].entity is None


def _end(items: Sequence[Item]) -> int:
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    return stop


def exactly(number: int, bound: Bound = Bound.EXACT) -> Quantity:
    """A plain count."""
    return Quantity(low=Number(Fraction(number)), bound=bound)


# -- counts -------------------------------------------------------------------------------------------------------
def counted(items: Sequence[Item], describe: Describe) -> Iterator[Version]:
    """The versions of a sentence in which what is counted has become a pronoun."""
    items = tuple(items)
    stop = _end(items)
    yield from _number_of(items, stop, describe)
    yield from _only_one(items, stop, describe)
    yield from _among_others(items, stop, describe)
    for k in range(stop):
        number = _number(items, k)
        if number is not None and k + 1 < stop and nominal(items[k + 1]):
            yield from _of_things(items, (k, stop), number, describe)


def _number(items: Sequence[Item], k: int) -> Quantity | None:
    """The count that stands at ``k``: a whole number without a unit, or "no"."""
    if _is(items, k, "no"):
        return exactly(0)
    q = items[k].quantity
    if q is None or q.unit is not None or q.ordinal or items[k].date is not None or items[k].stands is not None:
        return None
    whole = q.low.value.denominator == 1 and (q.high is None or q.high.value.denominator == 1)
    return q if whole else None


def _of_things(items: tuple[Item, ...], at: tuple[int, int], number: Quantity, describe: Describe) -> Iterator[Version]:
    """ "Three rivers flow into X", "X stars three people", "there are three rivers in X", "X has three tributaries"."""
    k, stop = at
    start = k
    while start and _is(items, start - 1, *_LIMITING, "a", "total", "of") and not _is(items, start - 1, "of"):
        start -= 1
    if start and _is(items, start - 1, "of") and _is(items, start - 2, "total") and _is(items, start - 3, "a"):
        start -= 3
    words = items[start : k + 1]
    for end in range(stop, k + 1, -1):
        thing = items[k + 1 : end]
        if start == 2 and _is(items, 0, "there") and copula(items, start - 1) and end == stop:
            whole = describe(thing, False)
            if whole is not None:
                yield Version(items=(), of=whole, number=number, used=spans_of(items[:stop]))
        of = describe(thing, False) if nominal(thing[0]) else None
        if of is not None:
            it = pronoun((*words, *thing), of.it)
            yield Version(items=(*items[:start], it, *items[end:]), of=of, number=number)
        if start and _is(items, start - 1, *_HAVE) and end == stop:
            owned = (*thing, word("of"), *items[: start - 1])
            whole = describe(owned, False)
            if whole is not None:
                yield Version(items=(), of=whole, number=number, used=spans_of(items[:stop]))


def _number_of(items: tuple[Item, ...], stop: int, describe: Describe) -> Iterator[Version]:
    """ "The number of tributaries of X is five", "X's number of …"."""
    if not (_is(items, 0, "the") and _is(items, 1, "number") and _is(items, 2, "of")):
        return
    for k in range(4, stop - 1):
        if copula(items, k) and k + 2 == stop and (number := _number(items, k + 1)) is not None:
            of = describe(items[3:k], False)
            if of is not None:
                yield Version(items=(), of=of, number=number, used=spans_of(items[:stop]))


def _only_one(items: tuple[Item, ...], stop: int, describe: Describe) -> Iterator[Version]:
    """ "Only X flows into Y"; "X is the only river that flows into Y", "X's only tributary is Y"."""
    for k in range(stop):
        if not _is(items, k, "only", "sole"):
            continue
        used = spans_of(items[k : k + 1])
        name = 2 if _is(items, 1, "the") else 1
        if k == 0 and stop > name + 1 and items[name].entity is not None:
            of = describe((word("one"), word("that"), *items[name + 1 : stop]), False)
            if of is not None:
                yield Version(items=items[1:], of=of, number=exactly(1), used=used, also=True)
        elif _is(items, k - 1, "the") and k + 1 < stop and nominal(items[k + 1]):
            for end in range(stop, k + 1, -1):
                of = describe(items[k + 1 : end], False)
                if of is not None:
                    rest = (*items[: k - 1], word("a" if k > 1 else "the", items[k - 1 : k]), *items[k + 1 :])
                    yield Version(items=rest, of=of, number=exactly(1), used=used, also=True)
        elif _is(items, k - 1, "'s", "’s") and k > 1 and items[k - 2].entity is not None:
            end = next((x for x in range(k + 1, stop) if copula(items, x)), stop)
            of = describe((*items[k + 1 : end], word("of"), items[k - 2]), False)
            if of is not None:
                yield Version(items=(*items[:k], *items[k + 1 :]), of=of, number=exactly(1), used=used, also=True)


def _among_others(items: tuple[Item, ...], stop: int, describe: Describe) -> Iterator[Version]:
    """ "X was shaped by A and B, among others": by A, by B, and by at least three."""
    for k in range(1, stop - 1):
        if not (_is(items, k, "among", "amongst") and _is(items, k + 1, "others")):
            continue
        start, end = k - _is(items, k - 1, ","), k + 2
        end += _is(items, end, ",") and start < k
        rest = (*items[:start], *items[end:stop])
        first = _names_from(rest)
        named = sum(i.entity is not None for i in rest[first:])
        of = describe((word("one"), word("that"), *rest[:first]), False) if 0 < first < len(rest) else None
        if of is not None:
            number, used = exactly(named + 1, Bound.AT_LEAST), spans_of(items[k : k + 2])
            yield Version(items=rest, of=of, number=number, used=used, also=True)


def _names_from(items: Sequence[Item]) -> int:
    """Where the list of names begins with which a sentence ends."""
    first = len(items)
    while first and (items[first - 1].entity or items[first - 1].lower in _LISTING):
        first -= 1
    while first < len(items) and not items[first].entity:
        first += 1
    return first


# -- described things ---------------------------------------------------------------------------------------------
def described(items: Sequence[Item], describe: Describe) -> Iterator[Version]:
    """The versions of a sentence in which a described thing has become a pronoun, the longest phrases first."""
    items = tuple(items)
    tried = 0
    for start, end, np in _phrases(items):
        if items[end - 1].entity and _is(items, end, "'s", "’s", "'"):
            continue  # of "the seat of X's rival" only "X's rival" is a phrase
        if tried >= _MOST_TRIED:
            return
        tried += 1
        definite = not np.plural and (np.det == "the" or (not np.det and np.of is not None) or _possessed(np))
        of = describe(_bare(items[start:end]), definite)
        if of is not None:
            it = pronoun(items[start:end], of.it)
            yield Version(items=(*items[:start], it, *items[end:]), of=of)


def _tells(item: Item) -> bool:
    """Whether an item may single out what is described."""
    return bool(item.entity or item.quantity or item.date) or superlative(item.lower) is not None


def _possessed(np: Np) -> bool:
    return np.of is not None and np.of.kind is NpKind.PRONOUN


def _bare(phrase: tuple[Item, ...]) -> tuple[Item, ...]:
    """The phrase without its article; "some", "another" and other words that say more stay in it."""
    return phrase[1:] if _is(phrase, 0, "a", "an", "the") else phrase


def _phrases(items: tuple[Item, ...]) -> Iterator[tuple[int, int, Np]]:
    """The noun phrases that describe something by what they name, the longest first."""
    parser = Sentences(items, _BUDGET)
    parser.n = _end(items)
    found: dict[tuple[int, int], Np] = {}
    try:
        for start in range(parser.n):
            if (
                start
                and nominal(items[start])
                and (nominal(items[start - 1]) or _is(items, start - 1, "the", "a", "an"))
            ):
                continue
            for end, np in parser.nps(start):
                told = np.of or np.posts or np.clauses or any(superlative(i.lower) for i in items[start:end])
                if np.kind is NpKind.NOUN and told and end - start < parser.n:
                    found.setdefault((start, end), np)
    except (Spent, RecursionError):
        pass
    named = [(s, e, np) for (s, e), np in found.items() if any(_tells(i) for i in items[s:e])]
    yield from sorted(named, key=lambda x: (x[0] - x[1], x[0]))
