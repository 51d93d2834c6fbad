"""Noun phrases: the lower half of the grammar (see ``extract.grammar``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind, replace
from imprimatur.extract.words import FIRST, forms

__all__ = ["Phrases", "Spent", "spread"]

_WIDTH = 10  # alternatives kept at one position
_POST = frozenset(
    "for on to in between with from by at along around near over within inside through as about into".split()
)
_NAMES = (NpKind.ENTITY, NpKind.NAME)
_ITSELF = frozenset("itself himself herself themselves".split())
#: What may open a clause after a name.
_RELATIVE = (",", "(", "–", "—", "which", "who", "where", "whose")
_NOMINATIVE = frozenset("it he she they we i".split())


class Spent(Exception):
    """The step budget is used up."""


class Phrases:
    """Memoised parsing of noun phrases over items."""

    def __init__(self, items: Sequence[Item], budget: int) -> None:
        self.items = items
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
        return i < self.n and self.items[i].lower in words and self.items[i].hole is None

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

    def nps(self, i: int) -> list[tuple[int, Np]]:
        """Noun phrases from item ``i``, coordination included."""
        return self.remember("np", i, self._lists)

    def simple(self, i: int) -> list[tuple[int, Np]]:
        """Noun phrases without coordination."""
        return self.remember("simple", i, self._simple)

    # -- coordination -------------------------------------------------------------------------------------------
    def _lists(self, i: int) -> Iterator[tuple[int, Np]]:
        if self.word(i, "neither"):
            yield from self._neither(i)
        start = i + 1 if self.word(i, "both", "either") else i
        for j, first in self.simple(start):
            yield from self._more(i, j, (first,))
            if start == i:
                yield j, first
        if start > i:  # "both" by itself, "both rivers"
            yield from self.simple(i)

    def _neither(self, i: int) -> Iterator[tuple[int, Np]]:
        """ "Neither A nor B": a list that denies what is said of it."""
        for j, first in self.simple(i + 1):
            if self.word(j, "nor"):
                for e, second in self.simple(j + 1):
                    yield e, Np(NpKind.LIST, frozenset(range(i, e)), parts=(first, second), joint="or", det="neither")

    def _more(self, i: int, j: int, parts: tuple[Np, ...]) -> Iterator[tuple[int, Np]]:
        if len(parts) > 30:
            return
        for k, joint, last in self._joints(j):
            for e, part in self.simple(k):
                if not _alike(parts[-1], part) or self._resumes(parts[-1], part, e):
                    continue
                if not last:
                    yield from self._more(i, e, (*parts, part))
                    if e == self.n and len(parts) > 1 and all(x.kind in _NAMES for x in (*parts, part)):
                        yield e, Np(NpKind.LIST, frozenset(range(i, e)), parts=(*parts, part), plural=True)
                else:
                    items = frozenset(range(i, e))
                    yield e, Np(NpKind.LIST, items, parts=(*parts, part), joint=joint, plural=True)
                    yield from self._more(i, e, (*parts, part))

    def verblike(self, np: Np) -> bool:
        """Whether a bare noun may as well be the verb of a further predicate ("… and lives in Lorne")."""
        if np.kind in _NAMES and np.mods and not np.det:
            return bool(self.items[min(np.items)].forms.verb_forms & {"s", "past"})
        return not np.det and self._finite_first(np) and (np.kind is NpKind.NOUN or bool(np.mods))

    def _finite_first(self, np: Np) -> bool:
        """Whether the first word of a phrase has the form of a finite verb and names nothing."""
        it = self.items[min(np.items)]
        named = it.entity or it.name or it.quantity or it.date or it.hole
        return not named and bool(it.forms.verb_forms & {"s", "past"}) and not it.forms.adj

    def _resumes(self, before: Np, part: Np, e: int) -> bool:
        """Whether what looks like a member of a list goes on as a clause ("5 km, and it drains", "A, and feeds B")."""
        if part.kind is NpKind.PRONOUN and part.head in _NOMINATIVE and part.of is None:
            return e < self.n and not self.items[e].punct
        if part.kind is NpKind.NOUN and before.kind in _NAMES and self._verb_of_many(part, e):
            return True
        if not self.verblike(part):
            return False
        return (
            before.kind is not NpKind.NOUN
            or bool(part.posts or part.clauses)
            or (e < self.n and not self.items[e].punct)
        )

    def _verb_of_many(self, part: Np, e: int) -> bool:
        """Whether a bare noun before a preposition may be the verb of a plural ("… and winter in B")."""
        it = self.items[part.head_item]
        bare = part.head_item == min(part.items) and not part.plural and part.of is None
        return bare and "base" in it.forms.verb_forms and (bool(part.posts) or self.closed(e, "prep"))

    def _joints(self, j: int) -> Iterator[tuple[int, str, bool]]:
        comma = self.word(j, ",", ";")
        k = j + 1 if comma else j
        if self.word(k, "and", "or", "&", "plus"):
            joint = "or" if self.word(k, "or") else "and"
            yield k + 1, joint, True
        elif self.word(k, "as") and self.word(k + 1, "well") and self.word(k + 2, "as"):
            yield k + 3, "and", True
        elif self.word(k, "along", "together") and self.word(k + 1, "with"):
            yield k + 2, "and", True
        elif comma:
            yield k, "and", False

    # -- one phrase ---------------------------------------------------------------------------------------------
    def _simple(self, i: int) -> Iterator[tuple[int, Np]]:
        for j, np in self.remember("core", i, self._core):
            yield from self._extend(i, j, np)

    def _extend(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        """The phrase with what follows it: possessives, "of", other prepositions, clauses, appositions."""
        yield from self._enumerated(i, j, np)
        yield from self._possessed(i, j, np)
        if np.kind in (NpKind.ENTITY, NpKind.NAME, NpKind.HOLE, NpKind.NOUN) and self.word(j, *_ITSELF):
            yield from self._extend(i, j + 1, replace(np, items=np.items | {j}))
        if np.kind is NpKind.ENTITY and self.word(j, ",") and "," in self.items[np.head_item].text:
            yield j + 1, replace(np, items=np.items | {j})
        if np.kind is NpKind.NOUN and np.of is None and j < self.n and self._bounded(j):
            of = Np(NpKind.QUANTITY, frozenset((j,)), head=self.items[j].lower, head_item=j)
            yield from self._extend(i, j + 1, replace(np, of=of, items=np.items | {j}))
        if self.word(j, "of") and (
            np.kind in (NpKind.NOUN, NpKind.QUANTITY, NpKind.HOLE) or np.head in ("one", "none", "some", "all")
        ):
            for e, of in self.nps(j + 1):
                whole = replace(
                    np,
                    items=frozenset(range(i, e)),
                    **({"of": of} if np.of is None else {"posts": (*np.posts, ("of", of))}),
                )
                yield from self._extend(i, e, whole)
        if np.kind is NpKind.NOUN and j < self.n and self.items[j].lower in _POST and not np.clauses:
            for e, obj in self.nps(j + 1):
                whole = replace(np, items=frozenset(range(i, e)), posts=(*np.posts, (self.items[j].lower, obj)))
                yield from self._extend(i, e, whole)
        if np.kind is not NpKind.PRONOUN or np.head in ("one", "someone", "something", "those", "that", "what"):
            named = np.kind in (NpKind.ENTITY, NpKind.HOLE, NpKind.NAME, NpKind.DATE, NpKind.QUANTITY)
            for e, clauses in self.modifying(j) if not named or self.word(j, *_RELATIVE) else ():
                yield e, replace(np, items=frozenset(range(i, e)), clauses=(*np.clauses, *clauses))
        if np.kind is NpKind.PRONOUN and np.head in ("what", "who") and len(np.items) == 1:
            for e, clause in self.free(j):
                yield e, replace(np, items=frozenset(range(i, e)), clauses=(clause,))
        yield from self._apposed(i, j, np)
        yield j, np

    def _enumerated(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        """ "Three towns: A, B and C", "rivers such as A and B"."""
        k = j + 1 if self.word(j, ",") else j
        opened = self._opening(k)
        if np.kind is not NpKind.NOUN or not np.plural or np.listed is not None or not opened:
            return
        for e, names in self.nps(opened):
            if all(leaf.kind in _NAMES for leaf in names.leaves()):
                yield e, replace(np, items=frozenset(range(i, e)), listed=names)
                if k > j and self.word(e, ","):
                    yield e + 1, replace(np, items=frozenset(range(i, e + 1)), listed=names)

    def _opening(self, k: int) -> int:
        """The item after "namely", "such as", "including" or a colon at ``k``; 0 where none of them stands."""
        if self.word(k, ":", "namely", "including", "like"):
            return k + 1
        return k + 2 if self.word(k, "such") and self.word(k + 1, "as") else 0

    def _bounded(self, j: int) -> bool:
        """Whether item ``j`` is a number with words before it ("between 86 % and 90 %", "about 5 km")."""
        it = self.items[j]
        return it.quantity is not None and it.interval is None and not it.lower[:1].isdigit()

    def _possessed(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        if not (j < self.n and self.items[j].lower in ("'s", "'", "’") and not self.items[j].hole):
            return
        if np.kind is NpKind.PRONOUN and np.head in _NOMINATIVE:
            return  # "he's" is "he is"
        for e, head in self._heads(j + 1, frozenset(range(i, j + 1)), ""):
            if head.kind is NpKind.NOUN and head.of is None:
                yield from self._extend(i, e, replace(head, of=np, items=frozenset(range(i, e))))

    def _apposed(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        if np.kind not in (NpKind.ENTITY, NpKind.NAME, NpKind.NOUN, NpKind.QUANTITY, NpKind.HOLE) or np.appos:
            return
        if self.word(j, "("):
            yield from self._labelled(i, j, np)
            for e, inner in self.nps(j + 1):
                if self.word(e, ")"):
                    yield from self._extend(i, e + 1, replace(np, items=frozenset(range(i, e + 1)), appos=(inner,)))
        yield from self._placed(i, j, np)
        if self.word(j, ",") and np.kind is not NpKind.QUANTITY:
            for e, inner in self.simple(j + 1):
                if inner.kind is NpKind.NOUN and (self.word(e, ",") or e == self.n or self.word(e, ".")):
                    stop = e + 1 if self.word(e, ",") else e
                    yield stop, replace(np, items=frozenset(range(i, stop)), appos=(inner,))

    def _labelled(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        """ "S (designer: A)": the designer of S is A."""
        for k, label in self.simple(j + 1):
            if label.kind is not NpKind.NOUN or label.of is not None or not self.word(k, ":"):
                continue
            for e, value in self.nps(k + 1):
                if self.word(e, ")"):
                    owner = Np(NpKind.PRONOUN, frozenset((j,)), head="whose", head_item=j)
                    comp = Comp("obj", np=value, items=value.items)
                    items = frozenset(range(j, e + 1))
                    told = Clause("be", items, subj=label._replace(of=owner), comps=(comp,), gap="whose")
                    yield from self._extend(i, e + 1, replace(np, items=frozenset(range(i, e + 1)), clauses=(told,)))

    def _verb_at(self, k: int) -> bool:
        """Whether a finite verb stands at item ``k``."""
        if k >= self.n:
            return False
        it = self.items[k]
        named = it.entity or it.name or it.quantity or it.date or it.hole
        return not named and bool(it.forms.verb_forms & {"s", "past"})

    def _placed(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        """ "Hancock County, Ohio,": a place and what it lies in, after a preposition."""
        after = i > 0 and self.closed(i - 1, "prep")
        if not after or np.kind not in _NAMES or np.det or not self.word(j, ","):
            return
        single = _single(self.items[j + 1], j + 1) if j + 1 < self.n else None
        if single is not None and single.kind in _NAMES:
            stop = j + 3 if self.word(j + 2, ",") else j + 2
            if self.word(stop, "and", "or", "&") and not (stop > j + 2 and self._verb_at(stop + 1)):
                return  # "A, B and C"
            if stop > j + 2 and stop < self.n and self.nominal(stop) and not self._verb_at(stop):
                return
            place = Np(NpKind.NOUN, frozenset(range(j, stop)), head="place", posts=(("in", single),))
            yield stop, replace(np, items=frozenset(range(i, stop)), appos=(place,))

    def modifying(self, j: int) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        """Relative and participial clauses from item ``j``; the upper half of the grammar knows them."""
        return iter(())

    def free(self, j: int) -> Iterator[tuple[int, Clause]]:
        """The verb phrase after "what" or "who" that stands for a thing ("what crosses A is B")."""
        return iter(())

    def _core(self, i: int) -> Iterator[tuple[int, Np]]:
        if i >= self.n:
            return
        it = self.items[i]
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
        if "pron" in it.forms.closed and not it.entity and not ("rel" in it.forms.closed and i and it.lower != "that"):
            yield i + 1, Np(NpKind.PRONOUN, frozenset((i,)), head=it.lower, head_item=i)
        if self.word(i, "what") and self.word(i + 1, "is", "was"):
            k = i + 3 if self.word(i + 2, "now", "today") else i + 2
            for e, np in self.remember("core", k, self._core):
                if np.kind is NpKind.ENTITY:
                    yield e, replace(np, items=np.items | set(range(i, k)))

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
            and _single(self.items[x - 1], 0) is not None
            and _single(self.items[x], 0) is None
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
            single = _single(self.items[x], x)
            if single is not None and single.kind is not NpKind.NAME:
                inner.append(single)
            elif not self.items[x].punct:
                mods.append((_mod(self.items[x]), x))
        base = Np(NpKind.NOUN, items, head_item=stop - 1, det=det, mods=tuple(mods), inner=tuple(inner))
        values = any(x.kind in (NpKind.QUANTITY, NpKind.DATE) for x in inner)
        told = any(self._tells(x) for _, x in mods if x > k)
        for kind, label in _kinds(head):
            named = kind in (NpKind.ENTITY, NpKind.NAME)
            if not (named and (told or (values and not det))) and not (
                mods and not named and not label[:1].isdigit() and kind is not NpKind.HOLE
            ):
                yield stop, replace(base, kind=kind, head=label)
        verbal = stop - k > 1 and head.forms.verb_forms & {"s", "past"} and _owner(self.items[stop - 2])
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


def _single(it: Item, x: int) -> Np | None:
    for kind, label in _kinds(it):
        q = it.quantity
        counted = kind is NpKind.QUANTITY and q is not None and q.unit is None and not q.ordinal
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


def _alike(a: Np, b: Np) -> bool:
    """Whether two phrases may be members of one list."""
    if a.kind is NpKind.PRONOUN or b.kind is NpKind.PRONOUN:
        return True
    values = (NpKind.QUANTITY, NpKind.DATE)
    return (a.kind in values) == (b.kind in values)
