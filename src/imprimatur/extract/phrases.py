"""Noun phrases: the lower half of the grammar (see ``extract.grammar``)."""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.nouns import Nouns, lone
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace

__all__ = ["Phrases"]

_POST = frozenset(
    "for on to in between with from by at along around near over within inside through as about into".split()
)
_NAMES = (NpKind.ENTITY, NpKind.NAME)
_ITSELF = frozenset("itself himself herself themselves".split())
#: What may open a clause after a name.
_RELATIVE = (",", "(", "–", "—", "which", "who", "where", "whose")
_NOMINATIVE = frozenset("it he she they we i xe".split())


class Phrases(Nouns):
    """Memoised parsing of noun phrases over items: lists, and what follows a head."""

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
                if part.kind is NpKind.NOUN and part.of is None and self.word(e, "of"):
                    continue  # "in A and a staff of 640": "of" goes with the noun before it
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
        first, after = self.items[min(part.items)].forms, min(part.items) + 1
        if not first.noun or (part.mods and after < self.n and self.items[after].quantity is not None):
            return True  # "… and employs 640 people"
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
        named = self.items[np.head_item].entity is not None and not (np.det or np.mods)  # "lumoxide", a name as well
        if np.kind is NpKind.NOUN and j < self.n and self.items[j].lower in _POST and not (np.clauses or named):
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

    def _placed(self, i: int, j: int, np: Np) -> Iterator[tuple[int, Np]]:
        """ "Hancock County, Ohio,": a place and what it lies in, after a preposition."""
        after = i > 0 and self.closed(i - 1, "prep")
        if not after or np.kind not in _NAMES or np.det or not self.word(j, ","):
            return
        single = lone(self.items[j + 1], j + 1) if j + 1 < self.n else None
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


def _amounts(np: Np) -> bool:
    """Whether a noun comes with its number: "640 employees", "a staff of 640"."""
    return any(x.counted for x in np.inner) or (np.of is not None and np.of.kind in (NpKind.QUANTITY, NpKind.DATE))


def _alike(a: Np, b: Np) -> bool:
    """Whether two phrases may be members of one list."""
    if a.kind is NpKind.PRONOUN or b.kind is NpKind.PRONOUN:
        return True
    values = (NpKind.QUANTITY, NpKind.DATE)
    if a.kind in _NAMES and b.kind is NpKind.NOUN and b.listed is None and _amounts(b):
        return False  # "headquarters in A and 640 employees"
    return (a.kind in values) == (b.kind in values)
