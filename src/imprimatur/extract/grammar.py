"""A small grammar of English clauses over items: no domain in it, only syntax.

``parse(items)`` returns the clauses of a segment, best reading first. It is a memoised backtracking parser with a step
budget: when the budget is spent or no reading covers the whole segment, it returns the longest clauses it found from
left to right, and the words outside them stay uncovered (the accounting then withholds the segment). It decides
nothing about truth.

Fronted and inverted phrases, clefts, relative and participial clauses, passives, possessives, lists, appositions and
brackets come out in one normal form, so that "In Webb rises X", "It is in Webb that X rises" and "Webb is where X
rises" are the same clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.extract.openings import Core, Openings
from imprimatur.extract.syntax import Clause, Comp, Fragment, Item, Np, NpKind, is_count, replace
from imprimatur.extract.words import LOCATIVE

__all__ = ["MOST_KEPT", "Clauses", "Parse", "parse"]

_BUDGET = 6000


@dataclass(frozen=True, slots=True, eq=False)
class Parse:
    """Clauses and fragments of a segment; ``complete`` when together they account for every item.

    Two parses are equal only when they are one: what is made of a parse is looked up by it.
    """

    clauses: tuple[Clause, ...]
    fragments: tuple[Fragment, ...]
    complete: bool


class Clauses(Openings):
    """The upper half: relative clauses, clauses, sentences."""

    # -- relative and participial clauses -----------------------------------------------------------------------
    def modifying(self, j: int) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        k = j + 1 if self.word(j, ",") else j
        for e, clauses in self._coordinated(k, bare=k == j):
            stop = e + 1 if k > j and self.word(e, ",") else e
            yield stop, self._around(clauses, {*range(j, k), *range(e, stop)})
        if self.word(j, "(", "–", "—"):  # "(built by A)"
            closing = ")" if self.word(j, "(") else self.items[j].lower
            for e, clauses in self._coordinated(j + 1, bare=False):
                if self.word(e, closing):
                    yield e + 1, self._around(clauses, {j, e})

    @staticmethod
    def _around(clauses: tuple[Clause, ...], marks: set[int]) -> tuple[Clause, ...]:
        """Clauses with the marks around them."""
        return (replace(clauses[0], items=clauses[0].items | marks), *clauses[1:])

    def _coordinated(self, k: int, *, bare: bool) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        """ "Built by A and made of B", "which crosses A and links B"."""
        finite = self.word(k, "which", "that", "who")
        for e, first in self._modifying(k, bare=bare):
            yield e, (first,)
            if not finite and first.gap == "subj" and self.word(e, "which", "that", "who"):  # "a book by A that …"
                for stop, more in self.vps(e + 1):
                    yield stop, (first, replace(more, gap="subj", items=more.items | {e}))
            if first.gap in ("subj", "main") and self.word(e, "and"):
                wants = ("finite",) if finite else ("pp", "ing")
                for want in wants:
                    for stop, more in self.vps(e + 1, want):
                        second = replace(more, gap=first.gap, items=more.items | {e})
                        yield stop, (first, second)

    def _modifying(self, k: int, *, bare: bool) -> Iterator[tuple[int, Clause]]:
        """The clauses from ``k``; ``bare``: no comma before it, so "that" may be left out ("towns it links")."""
        if k >= self.n:
            return
        if self.word(k, "which", "that", "who", "whom"):
            for e, clause in self.vps(k + 1):
                yield e, replace(clause, gap="subj", items=clause.items | {k})
            yield from self.gapped(k + 1, {k})
        elif self.word(k, "where"):
            for e, clause in self.cores(k + 1):
                yield e, replace(clause, gap="loc", items=clause.items | {k})
        elif self.closed(k, "prep") and (self.word(k + 1, "which", "whom") or self._from_where(k)):
            role = "loc" if self.items[k].lower in LOCATIVE else self.items[k].lower
            for e, clause in self.cores(k + 2):
                yield e, replace(clause, gap=role, items=clause.items | {k, k + 1}, gap_items=frozenset((k, k + 1)))
        elif self.word(k, "whose"):
            for e, np in self._heads(k + 1, frozenset((k,)), ""):
                for e2, clause in self.vps(e):
                    owner = Np(NpKind.PRONOUN, frozenset((k,)), head="whose", head_item=k)
                    yield e2, replace(clause.with_subject(replace(np, of=owner)), gap="whose")
                yield from self._whose(k, e, np)
        else:
            for want in ("pp", "ing"):
                gap = "subj" if bare or want == "pp" else "main"
                for e, clause in self.vps(k, want):
                    yield e, replace(clause, gap=gap)
            if bare:
                yield from self.gapped(k, set())

    def _from_where(self, k: int) -> bool:
        return self.word(k, "from") and self.word(k + 1, "where")

    def free(self, j: int) -> Iterator[tuple[int, Clause]]:
        for e, clause in self.vps(j):
            yield e, replace(clause, gap="subj")
        yield from self.gapped(j, set())

    def _whose(self, k: int, e: int, noun: Np) -> Iterator[tuple[int, Clause]]:
        """ "…, whose tributary it is"."""
        for j, subj in self.simple(e):
            for verb in self.verbs(j):
                if verb.copula and not verb.adverbs:
                    items = frozenset(range(k, verb.end))
                    comp = Comp("obj", np=noun, items=noun.items)
                    plain = Clause(
                        verb="be",
                        items=items,
                        subj=subj,
                        comps=(comp,),
                        gap="whose",
                        negators=verb.negators,
                        negated=len(verb.negators) % 2 == 1,
                        past=verb.past,
                        verb_item=verb.item,
                    )
                    yield verb.end, plain

    def gapped(self, k: int, extra: set[int]) -> Iterator[tuple[int, Clause]]:
        """ "Y was influenced by", "Y comes from": a clause whose object or preposition has no phrase after it."""
        for j, subj in self.simple(k):
            if j == k:
                continue
            for e, clause in self.vps(j):
                clause = clause.with_subject(subj)
                stranded = clause.particles[-1:] if clause.particles else ()
                items = clause.items | extra
                if stranded:
                    role = "loc" if stranded[0] in LOCATIVE else stranded[0]
                    yield e, replace(clause, gap=role, particles=clause.particles[:-1], items=items)
                elif self.closed(e, "prep"):
                    role = "loc" if self.items[e].lower in LOCATIVE else self.items[e].lower
                    yield e + 1, replace(clause, gap=role, items=items | {e}, gap_items=frozenset((e,)))
                elif clause.verb != "be" and not clause.passive and not any(c.role == "obj" for c in clause.comps):
                    yield e, replace(clause, gap="obj", items=items)

    # -- clauses ------------------------------------------------------------------------------------------------
    def cores(self, i: int) -> Iterator[tuple[int, Clause]]:
        """Clauses from ``i`` with a subject, without coordination of verb phrases."""
        for e, clauses, _ in self.core(i):
            if len(clauses) == 1:
                yield e, clauses[0]

    def core(self, i: int) -> Iterator[Core]:
        """One clause (or several verb phrases of one subject) from ``i``, the longest first."""
        yield from self._said_false(i)
        yield from self._cleft(i)
        yield from self._existential(i)
        if i < self.n and self.items[i].forms.verb_forms & {"ing", "pp"} and not self.items[i].entity:
            yield from self._introduced(i)
            yield from self._participial(i)
        elif i < self.n and self.adverb(i):
            yield from self._introduced(i)
        if self.word(i, "a", "an"):
            yield from self._fronted_predicate(i)
        for j, subj in self.nps(i):
            for e, clauses in self._predicates(j, subj):
                yield e, clauses, ()
        yield from self._situated(i)
        yield from self._inverted(i)
        if not self.word(i, "a", "an"):
            yield from self._fronted_predicate(i)
        yield from self._fronted(i)

    def _predicates(self, j: int, subj: Np) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        if subj.kind is NpKind.LIST and self.word(j, "all", "both", "each"):
            subj = replace(subj, items=subj.items | {j})
            j += 1
        if subj.kind is NpKind.QUANTITY and self._counts(subj.head_item, j):
            return
        for e, clause in self.vps(j):
            if not _agree(subj, clause.form):
                continue
            first = clause.with_subject(subj)
            yield from self._sharing(e, subj, first)
            yield from self._joined(e, subj, (first,))
            yield e, (first,)

    def _sharing(self, e: int, subj: Np, first: Clause) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        """ "Was written, directed and produced by A": what follows the last participle is said with each of them."""
        if not first.passive or first.comps or first.particles or first.adverbs or first.negators:
            return
        done, k = [first], e
        while self.word(k, ",") and (verb := self._bare_participle(k + 1)):
            done.append(replace(first, verb=verb, verb_item=k + 1, items=first.items | {k, k + 1}))
            k += 2
        k = k + 1 if self.word(k, ",") else k
        verb = self._bare_participle(k + 1) if self.word(k, "and") else None
        if verb is None or not self.word(k + 2, "by"):
            return
        for stop, last in self.vps(k + 1, "pp"):
            if last.verb_item != k + 1 or not last.comps or last.comps[0].role != "by" or last.negators:
                continue
            said = frozenset(range(k + 2, stop))
            done.append(replace(first, verb=verb, verb_item=k + 1, items=first.items | {k, k + 1}))
            all_said = tuple(replace(c, comps=last.comps, adverbs=last.adverbs, items=c.items | said) for c in done)
            done.pop()
            yield from self._joined(stop, subj, all_said)
            yield stop, all_said

    def _bare_participle(self, k: int) -> str | None:
        """The verb of a past participle that stands alone at item ``k``."""
        plain = k < self.n and not (self.items[k].entity or self.items[k].name)
        return self.items[k].forms.verb if plain and "pp" in self.items[k].forms.verb_forms else None

    def _situated(self, i: int) -> Iterator[Core]:
        """ "S in P flows …": S is in P, and it flows."""
        for j, subj in self.simple(i):
            if subj.kind not in (NpKind.ENTITY, NpKind.NAME) or not self.word(j, "in"):
                continue
            for e, place in self.simple(j + 1):
                if place.kind not in (NpKind.ENTITY, NpKind.NAME):
                    continue
                where = Comp("loc", np=place, items=frozenset(range(j, e)))
                there = Clause("be", frozenset(range(i, e)), subj=subj, comps=(where,), naming=True)
                for end, clauses in self._predicates(e, subj):
                    yield end, (there, *clauses), ()

    def _counts(self, number: int, j: int) -> bool:
        """Whether item ``j`` is a noun that the number before it counts: "24 seats" are seats, and no 24 that seat."""
        quantity = self.items[number].quantity
        bare = quantity is not None and quantity.unit is None
        return bare and number == j - 1 and j < self.n and self.items[j].forms.plural

    def _introduced(self, i: int) -> Iterator[Core]:
        """ "Founded in 1903 and based in Novary, it …": what is said of the subject before naming it."""
        for j, said in self.introduced(i):
            for e, clauses, fragments in self.core(j):
                subj = clauses[0].subj
                if subj is not None and min(subj.items) == j:
                    before = frozenset(range(i, j))
                    front = tuple(replace(c, subj=subj, items=c.items & before | subj.items) for c in said)
                    yield e, (*front, *clauses), fragments

    def _joined(self, e: int, subj: Np, done: tuple[Clause, ...]) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        if len(done) > 8:
            return
        k = e + 1 if self.word(e, ",", ";") else e
        both = self.word(k, "and", "but", "or")
        k = k + 1 if both else k
        if k == e:
            return
        # "Or" stays unread: neither of what it joins is asserted by itself, and a denial before it denies both.
        joint = set(range(e, k)) if not self.word(k - 1, "or") else set()
        if both and self.word(k, ",") and self.closed(k + 1, "prep"):
            for end, comp in self.prepositional(k + 1):
                for e2, clause in self.vps(end + 1) if self.word(end, ",") else ():
                    said = replace(clause.with_subject(subj), comps=(*clause.comps, comp))
                    yield e2, (*done, replace(said, items=said.items | set(range(e, end + 1))))
        for e2, clause in self.vps(k):
            nxt = (*done, replace(clause.with_subject(subj), items=clause.items | joint))
            yield from self._joined(e2, subj, nxt)
            if both:
                yield e2, nxt


def _agree(subj: Np, form: str) -> bool:
    """A bare verb form needs a plural subject, an -s form a singular one; names may be either."""
    if form not in ("base", "s"):
        return True
    if subj.kind is NpKind.LIST:
        return form == "base" or subj.joint == "or"
    if subj.kind is NpKind.NOUN:
        return subj.plural == (form == "base")
    if subj.kind is NpKind.PRONOUN:
        return (subj.head in ("they", "these", "those", "both", "we", "you", "i", "some")) == (form == "base")
    return True


_KEPT: dict[tuple[object, ...], Parse] = {}
#: Skeletons whose parse is remembered.
MOST_KEPT = 4096


def parse(items: Sequence[Item], budget: int = _BUDGET) -> Parse:
    """The clauses and fragments of a segment's items.

    Names, numbers and dates are interchangeable for the grammar: segments of one skeleton are parsed once.
    """
    from imprimatur.extract.sentences import Sentences

    skeleton = tuple(_bone(it) for it in items)
    known = _KEPT.get(skeleton)
    if known is None:
        known = Sentences(items, budget).parse()
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        _KEPT[skeleton] = known
    return known


def _bone(it: Item) -> object:
    """All that the grammar sees of an item."""
    if it.hole or not (it.entity or it.quantity or it.date or it.name):
        return (it.lower, it.text[:1].isupper(), it.hole, it.quantity is not None)
    q = it.quantity
    named = it.lower if it.name or (it.entity and not it.text[:1].isupper()) else "," in it.text
    first = it.lower.split(" ", 1)[0] if (q or it.date) and not it.lower[:1].isdigit() else ""
    counted = is_count(q)
    return (
        named,
        bool(it.entity),
        bool(it.name),
        q is not None,
        counted,
        it.date is not None,
        bool(it.interval),
        first,
        it.forms,
    )
