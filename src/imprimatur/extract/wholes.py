"""What is said of all things of a kind, rewritten so that a pronoun stands for each of them (see ``extract.versions``).

Shares: "half of the rivers flow into X", "40 % of the lakes …", "most bridges …", "three of the four towns …", "all
bridges that …", "none of the …". Sums, means and medians: "the average length of the rivers is 12 km", "together, the
lakes that … are …". Invariants: the words that say how many are taken up whole, or the sentence is not read; a share
before which a negator stands ("not half of") is not read, nor what "the" may mean some of that were spoken of before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.extract.groups import kind_at
from imprimatur.extract.nouns import Spent
from imprimatur.extract.pooled import markers, standing, values_in
from imprimatur.extract.sentences import Sentences
from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.versions import Describe, Version, nominal, pronoun, spans_of
from imprimatur.language.degree import superlative
from imprimatur.values import Bound, Number, Quantity, Unit

__all__ = ["shared", "summed"]

#: Whether "the" with a noun may mean some that were spoken of before.
OfSome = Callable[[tuple[str, ...]], bool]

_BUDGET = 1500
_MOST_TRIED = 6
_MOST_VALUES = 4
_NONE = Quantity(low=Number(Fraction(0)))
_ALL = Quantity(low=Number(Fraction(1)))
_HALF = Number(Fraction(1, 2))
#: Of all, or of none, "most" and "a minority" are not said.
_MOST = Quantity(low=_HALF, high=Number(Fraction(1)), bound=Bound.MORE_THAN)
_MINORITY = Quantity(low=_HALF, high=Number(Fraction(0)), bound=Bound.LESS_THAN)
_HEADS: dict[tuple[str, ...], Quantity] = {
    ("the", "majority", "of"): _MOST,
    ("a", "majority", "of"): _MOST,
    ("a", "minority", "of"): _MINORITY,
    ("most", "of"): _MOST,
    ("most",): _MOST,
    ("all", "of"): _ALL,
    ("all",): _ALL,
    ("each", "of"): _ALL,
    ("every", "one", "of"): _ALL,
    ("none", "of"): _NONE,
}
_LIMITING = ("only", "exactly", "just", "precisely")
_DENYING = frozenset("not n't n’t never hardly scarcely nor neither no without than except but".split())


@dataclass(frozen=True, slots=True)
class _Said:
    """How much of something is spoken of, from one item to another; ``total``: of so many."""

    start: int
    end: int
    share: Quantity
    total: Quantity | None = None
    number: bool = False  # ``share`` is a number of things, and nothing is said of how many there are


# -- shares -----------------------------------------------------------------------------------------------------------
def shared(items: Sequence[Item], describe: Describe, of_some: OfSome) -> Iterator[Version]:
    """The versions of a sentence in which what a share is of has become a pronoun."""
    items = tuple(items)
    tried = 0
    for k in range(len(items)):
        for said in _shares(items, k):
            if any(i.lower in _DENYING for i in items[max(0, said.start - 2) : said.start]):
                continue
            for end, phrase in _plural(items, said.end, of_some):
                if tried >= _MOST_TRIED:
                    return
                tried += 1
                number = _whole(phrase, 0)
                of = describe(phrase[1:] if number is not None else phrase, False)
                if of is None:
                    continue
                it = pronoun(items[said.start : end], of.it)
                rest = (*items[: said.start], it, *items[end:])
                if not said.number:
                    used = spans_of(phrase[:1]) if number is not None else ()
                    yield Version(items=rest, of=of, share=said.share, total=said.total, number=number, used=used)
                elif number is None:
                    yield Version(items=rest, of=of, number=said.share)


def _shares(items: Sequence[Item], k: int) -> Iterator[_Said]:
    """The words for a share that begin at item ``k``; what it is of comes after them."""
    lowers = [i.lower if not (i.entity or i.name) else "" for i in items[k : k + 5]]
    for words, share in _HEADS.items():
        if tuple(lowers[: len(words)]) == words:
            yield _Said(k, k + len(words), share)
            return
    if lowers[:2] == ["one", "in"] and (of := _whole(items, k + 2)) is not None and of.low.value > 1:
        yield _Said(_begun(items, k), k + 3, _part(Fraction(1) / of.low.value))
    if lowers[:1] == ["one"]:
        yield from _of_so_many(items, (_begun(items, k), k), _part(Fraction(1)), lowers)
    stated = items[k].quantity
    if stated is None or items[k].date is not None or items[k].stands is not None or stated.ordinal:
        return
    start = _begun(items, k)
    if _parts(stated):
        if lowers[1:2] == ["of"]:
            yield _Said(start, k + 2, stated)
        elif lowers[1:2] == ["the"] and stated.unit is None:
            yield _Said(start, k + 1, stated)  # "half the rivers"
    elif (few := _whole(items, k)) is not None:
        yield from _of_so_many(items, (start, k), few, lowers)


def _of_so_many(items: Sequence[Item], at: tuple[int, int], few: Quantity, lowers: Sequence[str]) -> Iterator[_Said]:
    """ "Three of the four", "three of the rivers", "three out of four", "three in four"."""
    start, k = at
    if lowers[1:4] == ["out", "of", "the"] and (of := _whole(items, k + 4)) is not None:
        yield _Said(start, k + 5, few, of)
    elif (lowers[1:3] == ["out", "of"] and (of := _whole(items, k + 3)) is not None) or (
        lowers[1:2] == ["in"] and (of := _whole(items, k + 2)) is not None
    ):
        if few.bound is Bound.EXACT and few.low.value < of.low.value:
            yield _Said(start, k + (4 if lowers[1] == "out" else 3), _part(few.low.value / of.low.value))
    elif lowers[1:3] == ["of", "the"] and (of := _whole(items, k + 3)) is not None:
        yield _Said(start, k + 4, few, of)
    elif lowers[1:3] in (["of", "the"], ["of", "these"]):
        yield _Said(start, k + 2, few, number=True)


def _part(value: Fraction) -> Quantity:
    return Quantity(low=Number(value))


def _begun(items: Sequence[Item], k: int) -> int:
    """Where the words begin: "exactly half" is half."""
    return k - 1 if k and items[k - 1].lower in _LIMITING[1:] else k


def _parts(stated: Quantity) -> bool:
    """Whether a quantity is a part of a whole: "half", "two thirds", "40 %"."""
    ratio = stated.unit is not None and _ratio(stated.unit)
    part = stated.unit is None and stated.low.step == 0 and 0 < stated.low.value < 1
    return ratio or part


def _ratio(unit: Unit) -> bool:
    return unit.symbol == "%" and not unit.dimension


def _whole(items: Sequence[Item], k: int) -> Quantity | None:
    """The plain whole number at item ``k``, exact or a bound."""
    if not 0 <= k < len(items) or items[k].date is not None or items[k].stands is not None:
        return None
    q = items[k].quantity
    whole = q is not None and q.unit is None and not q.ordinal and q.high is None and q.low.value.denominator == 1
    return q if whole and q is not None and q.low.value > 0 else None


# -- sums, means, medians ---------------------------------------------------------------------------------------------
def summed(items: Sequence[Item], describe: Describe, of_some: OfSome) -> Iterator[Version]:
    """The versions of a sentence in which a sum or mean over all things of a description has become a value."""
    items = tuple(items)
    found, values = markers(items), values_in(items)
    if len(found) != 1 or len(values) > _MOST_VALUES:
        return
    marker = found[0]
    gone = set(range(marker.start, marker.end))
    gone |= {n for n in (marker.start - 1, marker.end) if 0 <= n < len(items) and _comma(items, n, gone)}
    tried = 0
    for start in range(len(items)):
        if start and items[start - 1].lower in ("the", "all"):
            continue  # the phrase begins before
        for end, phrase in _plural(items, start, of_some):
            if tried >= _MOST_TRIED:
                return
            outside = [n for n in values if n not in range(start, end)]
            if len(outside) != 1 or gone & set(range(start, end)) or not _amount(items[outside[0]]):
                continue
            tried += 1
            number = _whole(phrase, 0)
            within = describe(phrase[1:] if number is not None else phrase, False)
            if within is None:
                continue
            made = standing(items[outside[0]], within, [items[n] for n in sorted(gone)], marker=marker)
            it = pronoun(items[start:end], within.it)
            rest = [*items[:start], it, *items[end:]]
            shift = end - start - 1
            out = {n if n < start else n - shift for n in gone}
            at = outside[0] if outside[0] < start else outside[0] - shift
            told = tuple(made if n == at else i for n, i in enumerate(rest) if n not in out)
            counted = spans_of(phrase[:1]) if number is not None else ()
            yield Version(items=told, summed=True, of=within, number=number, used=counted)


def _amount(item: Item) -> bool:
    """Whether an item is a value that may be a sum or mean."""
    return item.quantity is not None and not item.quantity.ordinal and item.difference is None


def _comma(items: Sequence[Item], n: int, gone: set[int]) -> bool:
    """Whether a comma only sets the marker apart."""
    return items[n].lower == "," and (n == 0 or n - 1 in gone or n + 1 in gone)


# -- phrases ----------------------------------------------------------------------------------------------------------
def _plural(items: tuple[Item, ...], start: int, of_some: OfSome) -> Iterator[tuple[int, tuple[Item, ...]]]:
    """The plural noun phrases from an item on, with where they end, the longest first; without their article."""
    begin = start
    for words in (("all",), ("of",), ("the",)):
        begin += items[begin].lower in words and (begin > start or words != ("of",)) if begin < len(items) else 0
    if begin >= len(items) or not (nominal(items[begin]) or _whole(items, begin) is not None):
        return
    parser = Sentences(items, _BUDGET)
    while parser.n and items[parser.n - 1].lower in (".", "!", ";"):
        parser.n -= 1
    found: dict[int, Np] = {}
    try:
        for end, np in parser.nps(begin):
            chosen = any(superlative(i.lower) for i in items[begin:end])  # "the tallest mills": how many is open
            if np.kind is NpKind.NOUN and np.plural and not chosen:
                found.setdefault(end, np)
    except (Spent, RecursionError):
        pass
    if begin == start and _whole(items, begin) is not None:
        return  # "three rivers" are some, "the three rivers" are all
    counted = _whole(items, begin) is not None
    if begin and items[begin - 1].lower == "the" and not counted:
        found = {end: np for end, np in found.items() if not of_some(kind_at(items, np.head_item))}
    yield from ((end, items[begin:end]) for end in sorted(found, reverse=True))
