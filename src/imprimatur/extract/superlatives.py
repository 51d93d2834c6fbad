"""Superlatives and ranks, rewritten so that a value stands for them (see ``extract.versions``).

"X is the second longest river in Ohio", "the longest river in Ohio is X", "X has the highest density of all metals",
"X drew the most visitors", "the festival with the most visitors is X", "one of the three largest cities".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Description
from imprimatur.extract.syntax import Item, Ranked
from imprimatur.extract.versions import Describe, Version, copula, hole, nominal, word
from imprimatur.language.degree import AMOUNTS, DATES, superlative

__all__ = ["ranked"]

_OF = frozenset("of among amongst in between".split())
_WHOLE = frozenset("all any every each".split())
_LEADING = frozenset("with that which who having".split())
_MANY = frozenset(("much", "little", "few"))
_ORDINALS = 20


@dataclass(frozen=True, slots=True)
class _Rank:
    """Where the words of a rank begin, the superlative's adjective and where what it ranks begins."""

    start: int
    adj: str
    up: bool
    amount: bool  # "most", "fewest": of the noun after it
    after: int
    rank: int
    among: bool


def ranked(items: Sequence[Item], describe: Describe) -> Iterator[Version]:
    """The versions of a sentence in which a superlative has become a value."""
    reader = _Superlatives(items, describe)
    for k in range(len(items)):
        for found in reader.ranks(k):
            yield from reader.named(found)
            yield from reader.valued(found)


class _Superlatives:
    def __init__(self, items: Sequence[Item], describe: Describe) -> None:
        self.items = tuple(items)
        self.describe = describe
        self.stop = len(self.items)
        while self.stop and self.items[self.stop - 1].lower in (".", "!", ";"):
            self.stop -= 1

    def _is(self, k: int, *words: str) -> bool:
        return 0 <= k < len(self.items) and self.items[k].lower in words and self.items[k].entity is None

    # -- the words of the rank ------------------------------------------------------------------------------------
    def ranks(self, k: int) -> Iterator[_Rank]:
        """The superlative at item ``k``, if any."""
        item = self.items[k]
        adj = superlative(item.lower) if not (item.entity or item.name or item.punct) else None
        if adj is None:
            return
        start, rank, among = self._begun(k)
        if item.lower in ("most", "least"):
            following = self.items[k + 1] if k + 1 < self.stop else None
            if following is not None and following.forms.adj and not following.forms.closed:
                yield _Rank(start, following.forms.adj, item.lower == "most", False, k + 2, rank, among)
            yield _Rank(start, adj, item.lower == "most", True, k + 1, rank, among)
        elif adj == "few":
            yield _Rank(start, adj, False, True, k + 1, rank, among)
        else:
            yield _Rank(start, adj, True, False, k + 1, rank, among)

    def _begun(self, k: int) -> tuple[int, int, bool]:
        """Where the phrase begins, the rank, and whether it is one of the first so many."""
        rank, among, start = 1, False, k
        x = k - 2 if self._is(k - 1, "-") else k - 1
        number = self.items[x].quantity if x >= 0 else None
        if number is not None and number.unit is None and number.low.value.denominator == 1:
            value = int(number.low.value)
            if 0 < value <= _ORDINALS:
                rank, among, start = value, not number.ordinal, x
        if self._is(start - 1, "the"):
            start -= 1
        if self._is(start - 1, "of") and self._is(start - 2, "one"):
            return start - 2, rank, among
        if among:
            return (start - 1, rank, True) if self._is(start - 1, "among") else (k, 0, False)
        return start, rank, False

    # -- "the longest river in Ohio" --------------------------------------------------------------------------------
    def named(self, found: _Rank) -> Iterator[Version]:
        """The rank as a predicate, a subject, or beside a name."""
        if found.amount or not found.rank:
            return
        for end, within, owner in self._ranked_things(found):
            stands = Ranked(largest=found.up, rank=found.rank, among=found.among, within=within)
            start = owner if owner is not None else found.start
            value = (hole(self.items[start:end], stands), word(found.adj))
            if copula(self.items, start - 1) or self._is(start - 1, "not", "n't"):
                yield Version(items=(*self.items[:start], *value, *self.items[end:]))
            elif start == 0 and copula(self.items, end):
                yield Version(items=(*self.items[end + 1 : self.stop], self.items[end], *value))
            elif self._is(start - 1, ","):
                joined = (word("which"), word("is"))
                yield Version(items=(*self.items[:start], *joined, *value, *self.items[end:]))

    def _ranked_things(self, found: _Rank) -> Iterator[tuple[int, Description | None, int | None]]:
        """Ends of the phrase with what it ranks; the third is where an owner begins ("Ohio's longest river")."""
        begin = found.after
        owner = self._owner(found)
        if begin < self.stop and nominal(self.items[begin]):
            for end in self._ends(begin):
                phrase = self.items[begin:end]
                if owner is not None:
                    place = self.describe((*phrase, word("in"), *self.items[owner : found.start - 1]), False)
                    if place is not None:
                        yield end, place, owner
                within = self.describe(phrase, False) if owner is None else None
                if within is not None:
                    yield end, within, None
        elif self._is(begin, *_OF) and owner is None:
            yield from ((end, within, None) for end, within in self._class(begin) if within is not None)

    def _owner(self, found: _Rank) -> int | None:
        """Where the name is that owns the phrase."""
        k = found.start - 1
        return k - 1 if self._is(k, "'s", "’s", "'") and k and self.items[k - 1].entity is not None else None

    def _ends(self, begin: int) -> Iterator[int]:
        """Where a phrase from ``begin`` may end, the longest first: never where what follows may belong to it."""
        for end in range(self.stop, begin, -1):
            if end == self.stop or copula(self.items, end) or self._is(end, ",", ";", "and", "but"):
                yield end

    def _class(self, k: int) -> Iterator[tuple[int, Description | None]]:
        """ "of all rivers in Ohio", "among the cities": what is ranked; nothing when no such phrase follows."""
        if self._is(k, *_OF):
            begin = k + 1
            begin += self._is(begin, *_WHOLE)
            begin += self._is(begin, "the")
            counted = begin < self.stop and self.items[begin].quantity is not None
            for end in self._ends(begin):
                within = self.describe(self.items[begin:end], False) if not counted else None
                if within is not None:
                    yield end, within
        else:
            yield k, None

    # -- "the highest density", "the most visitors" -----------------------------------------------------------------
    def valued(self, found: _Rank) -> Iterator[Version]:
        """The superlative of a value: of a noun that names a property, or of a number of things."""
        if not found.rank or (not found.amount and found.adj not in AMOUNTS and found.adj not in DATES):
            return
        begin = found.after + 2 if self._is(found.after, "number") and self._is(found.after + 1, "of") else found.after
        end = begin
        while end < self.stop and nominal(self.items[end]):
            end += 1
        noun = self.items[begin:end]
        if not noun:
            return
        found = replace(found, amount=found.amount or begin > found.after, after=begin)
        for stop, within in self._class(end):
            yield from self._framed(found, noun, (end, stop), within)

    def _framed(
        self, found: _Rank, noun: Sequence[Item], ends: tuple[int, int], within: Description | None
    ) -> Iterator[Version]:
        """The sentence with the value; what bears it may be described before ("the festival with the most …")."""
        end, stop = ends
        up = AMOUNTS.get(found.adj, DATES.get(found.adj, found.up)) if found.adj not in _MANY else found.up
        used = (*self.items[found.start : found.after], *self.items[end:stop])
        stands = Ranked(largest=up, rank=found.rank, among=found.among, within=within)
        yield from (
            Version(items=(*self.items[: found.start], *value, *self.items[stop:]))
            for value in self._values(found, noun, hole(used, stands))
        )
        if within is None:
            yield from self._borne(found, noun, used, stands, stop)

    def _values(self, found: _Rank, noun: Sequence[Item], value: Item) -> Iterator[tuple[Item, ...]]:
        number, date = value._replace(date=None), value._replace(quantity=None)
        if found.amount:
            yield (number, *noun)
        if found.adj in DATES:
            yield (word("a"), *noun, word("of"), date)
        else:
            yield (word("a"), *noun, word("of"), number)

    def _borne(
        self, found: _Rank, noun: Sequence[Item], used: Sequence[Item], stands: Ranked, stop: int
    ) -> Iterator[Version]:
        """ "X is the festival with the most visitors", "the festival that drew the most visitors is X"."""
        lead = next((x for x in range(found.start - 1, -1, -1) if self._is(x, *_LEADING)), None)
        first = next((x for x in range(lead - 1, -1, -1) if self._is(x, "the")), None) if lead is not None else None
        if lead is None or first is None:
            return
        within = self.describe(self.items[first + 1 : lead], False)
        verb = self.items[lead + 1 : found.start] if not self._is(lead, "with", "having") else (word("has"),)
        if within is None or not verb:
            return
        words = (*self.items[first : lead + 1], *used)
        if first and copula(self.items, first - 1):
            subject, words, rest = self.items[: first - 1], (*words, self.items[first - 1]), self.items[stop:]
        elif first == 0 and copula(self.items, stop):
            subject, words, rest = self.items[stop + 1 : self.stop], (*words, self.items[stop]), ()
        else:
            return
        for value in self._values(found, noun, hole(words, replace(stands, within=within))):
            yield Version(items=(*subject, *verb, *value, *rest))
