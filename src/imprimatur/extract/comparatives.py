"""Comparisons with another thing, rewritten so that a value stands for them (see ``extract.versions``).

"longer than Y", "a greater radius than Y", "more visitors than Y", "5 m taller than Y", "as long as Y", "twice as many
seats as Y", "the same length as Y", "founded before Y", "exceeds that of Y"; and "longer than any other river", which
is a rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Mention
from imprimatur.extract.syntax import Compared, Item, Ranked
from imprimatur.extract.versions import Describe, Version, copula, entity_at, hole, nominal, word
from imprimatur.language.degree import AMOUNTS, DATES, comparative
from imprimatur.values import Quantity

__all__ = ["Other", "compared"]

_AUX = frozenset("does did do is was are were has had".split())
_EXCEEDING = frozenset("exceed surpass outstrip".split())
_TIMES = {"twice": Fraction(2), "thrice": Fraction(3), "half": Fraction(1, 2)}
#: Puts words around the item of a value.
_Put = Callable[[Item], tuple[Item, ...]]
#: Gives the other one of the two things that the text speaks of; None where they are not two.
Other = Callable[[Mention, Sequence[Item]], Mention | None]
_LONGEST = 6  # words between "more" and "than"


@dataclass(frozen=True, slots=True)
class _Standard:
    """What something is compared with: another thing, or all others of a description (then ``rank``)."""

    end: int
    other: Mention | None = None
    rank: Ranked | None = None
    by: Quantity | None = None


def compared(items: Sequence[Item], describe: Describe, other_of: Other) -> Iterator[Version]:
    """The versions of a sentence in which a comparison has become a value."""
    reader = _Comparisons(_of_two_first(items), describe)
    for k, item in enumerate(items := reader.items):
        if item.lower == "the" and k + 1 < len(items) and comparative(items[k + 1].lower) is not None:
            yield from reader.of_two(k, other_of)
        if item.lower == "than":
            yield from reader.than(k)
        elif item.lower == "as":
            yield from reader.as_as(k)
        elif item.lower in ("before", "after"):
            yield from reader.before(k)
        elif item.lower == "same":
            yield from reader.same(k)
        elif item.forms.verb in _EXCEEDING:
            yield from reader.exceeds(k)


def _of_two_first(items: Sequence[Item]) -> Sequence[Item]:
    """ "Of the two, X is longer" as "X is the longer of the two"."""
    opened = [i.lower for i in items[:4]] == ["of", "the", "two", ","]
    last = next((k for k in range(len(items) - 1, 3, -1) if not items[k].punct), 0)
    if not opened or not last or comparative(items[last].lower) is None:
        return items
    the = () if items[last - 1].lower == "the" else (word("the"),)
    return (*items[4:last], *the, items[last], *items[:3], *items[last + 1 :])


def _is_named(value: Item) -> tuple[Item, ...]:
    return (word("is"), *_named(value))


def _around(before: Sequence[Item], after: Sequence[Item] = (), *, without: str = "") -> _Put:
    """Puts a value between words; ``without`` says what it does not stand for (``date`` or ``quantity``)."""

    def put(value: Item) -> tuple[Item, ...]:
        if without == "date":
            value = value._replace(date=None)
        elif without == "quantity":
            value = value._replace(quantity=None)
        return (*before, value, *after)

    return put


def _named(h: Item) -> tuple[Item, ...]:
    """The value alone: a noun before it says what is compared."""
    stands = replace(h.stands, named=True) if isinstance(h.stands, (Compared, Ranked)) else h.stands
    return (h._replace(date=None, stands=stands),)


class _Comparisons:
    def __init__(self, items: Sequence[Item], describe: Describe) -> None:
        self.items = tuple(items)
        self.describe = describe

    # -- what is compared with ------------------------------------------------------------------------------------
    def _standard(self, k: int) -> _Standard | None:
        """The phrase from ``k``: "Y", "Y's", "that of Y", "the length of Y", "Y does", "any other river"."""
        if self._is(k, "any", "all", "every", "each") and self._is(k + 1, "other"):
            return self._others(k + 2)
        k = self._skipped(k)
        if not entity_at(self.items, k):
            return None
        other, end = self.items[k].entity, k + 1
        if self._is(end, "'s", "’s", "'", "’"):
            end += 1
            while end < len(self.items) and nominal(self.items[end]):
                if not self._said_before(end, k):
                    return None  # "higher than Y's boiling point"
                end += 1
        elif self._is(end, *_AUX):
            end += 1
        if self._is(end, "by") and end + 1 < len(self.items) and (by := self.items[end + 1].quantity) is not None:
            return _Standard(end + 2, other, by=by)
        return _Standard(end, other)

    def _said_before(self, n: int, k: int) -> bool:
        """Whether a noun of the standard only repeats what is compared."""
        return self.items[n].lower in {i.lower for i in self.items[:k]}

    def _skipped(self, k: int) -> int:
        """Past "that of", "the length of" and the article."""
        if self._is(k, "that", "those") and self._is(k + 1, "of"):
            k += 2
        elif self._is(k, "the"):
            n = k + 1
            while n < len(self.items) and nominal(self.items[n]) and self._said_before(n, k):
                n += 1
            if n > k + 1 and self._is(n, "of"):
                k = n + 1
        return k + 1 if self._is(k, "the") else k

    def _others(self, k: int) -> _Standard | None:
        for end in range(len(self.items), k, -1):
            found = self.describe(self.items[k:end], False)
            if found is not None:
                return _Standard(end, rank=Ranked(largest=True, within=found))
        return None

    def _is(self, k: int, *words: str) -> bool:
        return 0 <= k < len(self.items) and self.items[k].lower in words and self.items[k].entity is None

    # -- the forms ------------------------------------------------------------------------------------------------
    def than(self, t: int) -> Iterator[Version]:
        """ "longer than Y", "more populous than Y", "weighs more than Y", "a greater radius than Y"."""
        standard = self._standard(t + 1)
        if standard is None or not t:
            return
        last = self.items[t - 1]
        if self._is(t - 2, "more", "less") and last.forms.adj:
            up = self._is(t - 2, "more")
            yield from self._adjective((t - 2, last.forms.adj, up, standard), amounts=False)
        if self._is(t - 1, "more", "less"):
            yield from self._put((t - 1, standard.end), standard, self._is(t - 1, "more"), _around(()))
        elif (adj := comparative(last.lower)) is not None:
            yield from self._adjective((t - 1, adj, True, standard), amounts=True)
        for c in range(t - 2, max(-1, t - 2 - _LONGEST), -1):
            if comparative(self.items[c].lower) is not None:
                yield from self._noun(c, t, standard)
            if not (nominal(self.items[c]) or self._is(c, "of", "-")):
                break

    def _adjective(self, found: tuple[int, str, bool, _Standard], *, amounts: bool) -> Iterator[Version]:
        """ "X is longer than Y" as "X is _ long"; "the radius is greater than Y's" as "the radius is _"."""
        c, adj, up, standard = found
        if adj in DATES:
            put = _around((word("in"),), without="quantity")
            yield from self._put((c, standard.end), standard, DATES[adj], put)
            return
        yield from self._put((c, standard.end), standard, up, _around((), (word(adj),)))
        if amounts and adj in AMOUNTS:
            yield from self._put((c, standard.end), standard, AMOUNTS[adj], _named)

    def of_two(self, k: int, other_of: Other) -> Iterator[Version]:
        """ "X is the longer of the two", "X is the longer one", "the longer of the two is X"."""
        adj, items = comparative(self.items[k + 1].lower), self.items
        pair = self._is(k + 2, "of") and self._is(k + 3, "the") and self._is(k + 4, "two", "pair")
        end = k + 5 if pair else k + 3 if self._is(k + 2, "one") else 0
        turned = k == 0 and copula(items, end) and entity_at(items, end + 1) and len(items) <= end + 3
        before = [i.entity for i in (items[end:] if turned else items[:k]) if i.entity is not None]
        other = other_of(before[-1], items) if end and before and adj is not None else None
        if adj is None or other is None:
            return
        reader = self
        if turned:
            reader = _Comparisons((items[end + 1], items[end], *items[:end], *items[end + 2 :]), self.describe)
            k, end = 2, end + 2
        yield from reader._adjective((k, adj, True, _Standard(end, other)), amounts=True)

    def _noun(self, c: int, t: int, standard: _Standard) -> Iterator[Version]:
        """ "more visitors than Y" as "_ visitors"; "a greater radius than Y" as "a radius of _"."""
        adj, noun = comparative(self.items[c].lower), self.items[c + 1 : t]
        if adj is None or not noun:
            return
        if adj in DATES:
            put = _around(
                (
                    *noun,
                    word("of"),
                ),
                without="quantity",
            )
            yield from self._put((c, standard.end), standard, DATES[adj], put, kept=noun)
            return
        if adj in ("much", "little", "few"):
            up = adj == "much"
            yield from self._put((c, standard.end), standard, up, _around((), (*noun,), without="date"), kept=noun)
            amount = _around(
                (
                    word("a"),
                    *noun,
                    word("of"),
                ),
                without="date",
            )
            yield from self._put((c, standard.end), standard, up, amount, kept=noun)
        elif adj in AMOUNTS:
            of = _around(
                (
                    *noun,
                    word("of"),
                ),
                without="date",
            )
            yield from self._put((c, standard.end), standard, AMOUNTS[adj], of, kept=noun)
            if noun[0].lower == "number" and len(noun) > 2:
                rest = _around((), (*noun[2:],), without="date")
                start = c - 1 if self._is(c - 1, "a") else c
                yield from self._put((start, standard.end), standard, AMOUNTS[adj], rest, kept=noun[2:])

    def as_as(self, a: int) -> Iterator[Version]:
        """ "as long as Y", "twice as many seats as Y"."""
        b = next((x for x in range(a + 2, min(a + 2 + _LONGEST, len(self.items))) if self._is(x, "as")), None)
        standard = self._standard(b + 1) if b is not None else None
        if b is None or standard is None or standard.other is None or standard.by is not None:
            return
        start, times = self._factor(a)
        stands = Compared(sign="=", other=standard.other, times=times)
        between = self.items[a + 1 : b]
        if len(between) == 1 and between[0].forms.adj:
            adj = between[0].forms.adj
            yield from self._placed((start, standard.end), stands, _around((), (word(adj),)))
            if adj in AMOUNTS:
                yield from self._placed((start, standard.end), stands, _named)
        elif between[0].lower in ("many", "much"):
            noun = between[1:]
            plain = _around((), noun, without="date")
            yield from self._placed((start, standard.end), stands, plain, kept=noun)

    def _factor(self, a: int) -> tuple[int, Fraction | None]:
        """ "twice as …", "half as …", "three times as …": where it starts, and how many times."""
        if self._is(a - 1, *_TIMES):
            return a - 1, _TIMES[self.items[a - 1].lower]
        if self._is(a - 1, "times") and a > 1 and (q := self.items[a - 2].quantity) is not None and q.unit is None:
            return a - 2, q.low.value
        return a, None

    def same(self, k: int) -> Iterator[Version]:
        """ "the same length as Y" as "a length of _"; "X and Y have the same length"."""
        end = k + 1
        while end < len(self.items) and nominal(self.items[end]):
            end += 1
        noun = self.items[k + 1 : end]
        if not noun or not self._is(k - 1, "the"):
            return
        of = _around(
            (
                word("a"),
                *noun,
                word("of"),
            ),
            without="date",
        )
        dated = _around(
            (
                word("a"),
                *noun,
                word("of"),
            ),
            without="quantity",
        )
        standard = self._standard(end + 1) if self._is(end, "as") else None
        if standard is not None and standard.other is not None:
            stands = Compared(sign="=", other=standard.other)
            for put in (of, dated):
                yield from self._placed((k - 1, standard.end), stands, put, kept=noun)
        elif self._is(k - 2, "have", "had") and k == 5 and entity_at(self.items, 2) and self._is(1, "and"):
            other = self.items[2].entity
            if other is not None and entity_at(self.items, 0):
                used = (self.items[1], self.items[2], self.items[4], self.items[5])
                made = hole(used, Compared(sign="=", other=other))
                for put in (of, dated):
                    rest = (*put(made), *self.items[end:])
                    yield Version(items=(self.items[0], word("has", self.items[3:4]), *rest))

    def before(self, k: int) -> Iterator[Version]:
        """ "was founded 23 years before Y" as "was founded in _"."""
        standard = self._standard(k + 1)
        if standard is None or standard.other is None:
            return
        by = self.items[k - 1].quantity if k and self.items[k - 1].date is None else None
        start = k - 1 if by is not None else k
        sign = "<" if self.items[k].lower == "before" else ">"
        stands = Compared(sign=sign, other=standard.other, by=by)
        yield from self._placed((start, standard.end), stands, _around((word("in"),), without="quantity"))

    def exceeds(self, v: int) -> Iterator[Version]:
        """ "the length of X exceeds that of Y" as "… is _"; "X exceeds Y in length" as "X has a length of _"."""
        standard = self._standard(v + 1)
        if standard is None or standard.other is None:
            return
        stands = Compared(sign=">", other=standard.other, by=standard.by)
        end = standard.end
        if self._is(end, "in") and end + 1 < len(self.items) and nominal(self.items[end + 1]):
            noun = self.items[end + 1 : end + 2]
            put = _around(
                (
                    word("has"),
                    word("a"),
                    *noun,
                    word("of"),
                ),
                without="date",
            )
            yield from self._placed((v, end + 2), stands, put, kept=noun)
        yield from self._placed((v, end), stands, _is_named)

    # -- putting the value in place -------------------------------------------------------------------------------
    def _put(
        self, at: tuple[int, int], standard: _Standard, up: bool, put: _Put, *, kept: Sequence[Item] = ()
    ) -> Iterator[Version]:
        """The versions with a value for the words ``at``, more or less than the standard."""
        start, end = at
        if standard.rank is not None:
            yield from self._placed((start, end), replace(standard.rank, largest=up), put, kept=kept)
        if standard.other is None:
            return
        by, start = self._difference(start, standard.by)
        stands = Compared(sign=">" if up else "<", other=standard.other, by=by)
        yield from self._placed((start, end), stands, put, kept=kept)

    def _difference(self, start: int, by: Quantity | None) -> tuple[Quantity | None, int]:
        """The number right before a comparative says by how much."""
        before = self.items[start - 1] if start else None
        stated = (before.difference or before.quantity) if before is not None else None
        return (stated, start - 1) if stated is not None and by is None else (by, start)

    def _placed(
        self, at: tuple[int, int], stands: Compared | Ranked, put: _Put, *, kept: Sequence[Item] = ()
    ) -> Iterator[Version]:
        start, end = at
        used = [i for i in self.items[start:end] if i not in kept]
        yield Version(items=(*self.items[:start], *put(hole(used, stands)), *self.items[end:]))
