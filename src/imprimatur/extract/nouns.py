"""The core of a noun phrase, a head with the words before it: the lowest part of the grammar (``extract.grammar``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from imprimatur.extract.syntax import Item, Np, NpKind, is_count, replace
from imprimatur.extract.words import FIRST, forms

__all__ = ["Nouns", "Spent", "lone", "spread"]

_WIDTH = 10  # alternatives kept at one position


class Spent(Exception):
    """The step budget is used up."""


class Nouns:
    """Items and small tests on them, and the heads of noun phrases."""

    def __init__(self, items: Sequence[Item], budget: int) -> None:
        self.items = items
        self._spelt = tuple(None if it.hole is not None else it.lower for it in items)
        self.n = len(items)
        self.budget = budget
        self._memo: dict[tuple[str, int], list[tuple[int, Np]]] = {}

    # -- small tests on one item --------------------------------------------------------------------------------
    def closed(self, i: int, kind: str) -> bool:
        """Whether item ``i`` is of a closed class (never true of names and marks)."""
        if i >= self.n:
            return False
        it = self.items[i]
        return kind in it.forms.closed and not (it.entity and it.text[:1].isupper() and i > 0)

    def word(self, i: int, *words: str) -> bool:
        """Whether item ``i`` is one of the words."""
        return i < self.n and self._spelt[i] in words

    def nominal(self, i: int) -> bool:
        """Whether item ``i`` may stand inside a noun phrase, before or as its head."""
        if i >= self.n:
            return False
        it = self.items[i]
        if it.entity or it.quantity or it.date or it.name or it.hole:
            return True
        f = it.forms
        if it.punct or "prep" in f.closed or (f.closed and not (f.noun or f.adj)):
            return False
        joined = f.adv and self.word(i + 1, "-")  # "the so-called bridge"
        return bool(f.noun or f.adj or joined or f.verb_forms & {"pp", "ing", "past"})

    # -- memo ---------------------------------------------------------------------------------------------------
    def remember(self, key: str, i: int, make: Callable[[int], Iterator[tuple[int, Np]]]) -> list[tuple[int, Np]]:
        """The alternatives at ``i``, longest first; left recursion sees none."""
        at = (key, i)
        if at not in self._memo:
            self._memo[at] = []
            found: dict[tuple[int, Np], None] = {}
            for alt in make(i):
                self.budget -= 1
                if self.budget < 0:
                    raise Spent
                found.setdefault(alt)
                if len(found) >= 8 * _WIDTH:
                    break
            self._memo[at] = spread(found)
        return self._memo[at]

    def _verb_at(self, k: int) -> bool:
        """Whether a finite verb stands at item ``k``."""
        if k >= self.n:
            return False
        it = self.items[k]
        named = it.entity or it.name or it.quantity or it.date or it.hole
        return not named and bool(it.forms.verb_forms & {"s", "past"})

    def _core(self, i: int) -> Iterator[tuple[int, Np]]:
        if i >= self.n:
            return
        it = self.items[i]
        if self.word(i, "there") and i and self.closed(i - 1, "prep"):  # "from there"
            yield i + 1, Np(NpKind.PRONOUN, frozenset((i,)), head="there", head_item=i)
            return
        k, det = i, ""
        while (
            k < self.n
            and k - i < 3
            and (
                self.closed(k, "det")
                or self.closed(k, "poss")
                or (self.word(k, "half") and not self.word(k + 1, "of", "-"))
            )
        ):
            det = f"{det} {self.items[k].lower}".strip()
            k += 1
        owner = None
        if k > i and self.closed(k - 1, "poss"):
            owner = Np(NpKind.PRONOUN, frozenset((k - 1,)), head=self.items[k - 1].lower, head_item=k - 1)
        for e, head in self._heads(k, frozenset(range(i, k)), det):
            yield e, (replace(head, of=owner) if owner and head.of is None else head)
        if k == i + 1 and self.word(i, "the") and self.word(k, "one", "ones"):
            yield k + 1, Np(NpKind.PRONOUN, frozenset((i, k)), head=self.items[k].lower, head_item=k, det="the")
        relative = "rel" in it.forms.closed and i > 0 and (it.lower != "that" or self._relative_that(i))
        if "pron" in it.forms.closed and not it.entity and not relative:
            yield i + 1, Np(NpKind.PRONOUN, frozenset((i,)), head=it.lower, head_item=i)
        if self.word(i, "what") and self.word(i + 1, "is", "was"):
            k = i + 3 if self.word(i + 2, "now", "today") else i + 2
            for e, np in self.remember("core", k, self._core):
                if np.kind is NpKind.ENTITY:
                    yield e, replace(np, items=np.items | set(range(i, k)))

    def _relative_that(self, i: int) -> bool:
        """Whether "that" stands between a name and a finite verb: "a book by A that came out"."""
        before, after = self.items[i - 1], self.items[i + 1] if i + 1 < self.n else None
        named = bool(before.entity or before.name)
        return named and after is not None and (self._verb_at(i + 1) or bool(after.forms.closed & {"aux", "modal"}))

    def _heads(self, k: int, before: frozenset[int], det: str) -> Iterator[tuple[int, Np]]:
        """Noun phrases whose words run from ``k``; every end that can be a head, the longest first."""
        end = k
        while end - k < 12 and self.nominal(end) and not (end > k and (self._finite(end) or self._apart(end))):
            end += 1
            if end < self.n and self.items[end].lower == "-" and self.nominal(end + 1):
                end += 1
        for stop in range(end, k, -1):
            if self.items[stop - 1].punct:
                continue
            yield from self._headed(k, stop, before, det)

    def _apart(self, x: int) -> bool:
        """Whether item ``x`` is a date that brings its preposition along ("since 2018"), no head of what is before."""
        it = self.items[x]
        return it.date is not None and it.entity is None and "prep" in forms(it.lower.split(" ", 1)[0]).closed

    def _finite(self, x: int) -> bool:
        """Whether item ``x`` reads as the verb of the name before it."""
        f = self.items[x].forms
        return (
            bool(f.verb_forms & {"past", "s"})
            and not f.noun
            and lone(self.items[x - 1], 0) is not None
            and lone(self.items[x], 0) is None
        )

    def _tells(self, x: int) -> bool:
        """Whether a word between two names is a verb and no noun ("S links O")."""
        forms = self.items[x].forms
        return forms.plural and "s" in forms.verb_forms and _owner(self.items[x - 1])

    def _headed(self, k: int, stop: int, before: frozenset[int], det: str) -> Iterator[tuple[int, Np]]:
        head = self.items[stop - 1]
        if stop - k > 1 and head.lower in FIRST and not head.entity and _owner(self.items[stop - 2]):
            return  # "S first flew in O"
        items = before | frozenset(range(k, stop))
        inner: list[Np] = []
        mods: list[tuple[str, int]] = []
        for x in range(k, stop - 1):
            single = lone(self.items[x], x)
            if single is not None and single.kind is not NpKind.NAME:
                inner.append(single)
            elif not self.items[x].punct:
                mods.append((_mod(self.items[x]), x))
        base = Np(NpKind.NOUN, items, head_item=stop - 1, det=det, mods=tuple(mods), inner=tuple(inner))
        values = any(x.kind in (NpKind.QUANTITY, NpKind.DATE) for x in inner)
        told = any(self._tells(x) for _, x in mods if x > k)
        if self.word(k - 1, "to") and mods and self.items[k].forms.verb_forms & {"base"} and not det:
            kinds = [kind for kind, _ in _kinds(head)]
            if kinds and NpKind.HOLE not in kinds:
                return  # "lived to see 1700"
        for kind, label in _kinds(head):
            named = kind in (NpKind.ENTITY, NpKind.NAME)
            if not (named and (told or (values and not det))) and not (
                mods and not named and not label[:1].isdigit() and kind is not NpKind.HOLE
            ):
                yield stop, replace(base, kind=kind, head=label)
        verbal = stop - k > 1 and head.forms.verb_forms & {"s", "past"} and _owner(self.items[stop - 2])
        verbal = verbal and not any(x.counted for x in inner)  # "two Michelin stars"
        if head.forms.noun and not head.hole and not verbal and not (head.entity and head.text[:1].isupper()):
            yield stop, _compounded(replace(base, head=head.forms.noun, plural=head.forms.plural))


def _owner(it: Item) -> bool:
    """Whether a noun that may be a verb is one after this item: "S drops", but not "nine patents"."""
    return bool(it.entity or it.name or it.hole) and not it.quantity


_Alt = TypeVar("_Alt")


def spread(found: Iterable[tuple[int, _Alt]]) -> list[tuple[int, _Alt]]:
    """Longest first, a few of every length, so that no end is crowded out."""
    kept: list[tuple[int, _Alt]] = []
    count: dict[int, int] = {}
    for alt in sorted(found, key=lambda a: -a[0]):
        count[alt[0]] = count.get(alt[0], 0) + 1
        if count[alt[0]] <= 3:
            kept.append(alt)
    return kept[: 3 * _WIDTH]


def _compounded(np: Np) -> Np:
    """A name right before the noun owns it: "the Boyers Run watershed"."""
    owners = [x for x in np.inner if x.kind in (NpKind.ENTITY, NpKind.NAME, NpKind.HOLE)]
    if len(owners) == 1 and np.of is None and min(owners[0].items) >= max((m[1] for m in np.mods), default=-1) - 99:
        return replace(np, of=owners[0], inner=tuple(x for x in np.inner if x is not owners[0]))
    return np


def lone(it: Item, x: int) -> Np | None:
    """The noun phrase that item ``x`` is by itself: a name, number, date or hole."""
    for kind, label in _kinds(it):
        counted = kind is NpKind.QUANTITY and is_count(it.quantity)
        return Np(kind, frozenset((x,)), head=label, head_item=x, counted=counted)
    return None


def _kinds(it: Item) -> list[tuple[NpKind, str]]:
    kinds: list[tuple[NpKind, str]] = []
    if it.hole:
        kinds.append((NpKind.HOLE, it.hole))
    if it.entity:
        kinds.append((NpKind.ENTITY, it.lower))
    if it.date:
        kinds.append((NpKind.DATE, it.lower))
    if it.quantity:
        kinds.append((NpKind.QUANTITY, it.lower))
    if it.name and not it.entity:
        kinds.append((NpKind.NAME, it.lower))
    return kinds


def _mod(it: Item) -> str:
    f = it.forms
    return it.lower if it.name else f.adj or f.noun or f.verb or it.lower
