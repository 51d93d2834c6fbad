"""Verb phrases, that is verb groups with their complements: the middle of the grammar (see ``extract.grammar``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.nouns import spread
from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind, replace
from imprimatur.extract.verbs import VerbGroup, Verbs
from imprimatur.extract.words import LOCATIVE, MEASURES, forms

__all__ = ["Predicates"]

_BUDGET = 6000


#: Verbs whose infinitive is denied by them ("fails to feed") and those that leave it true ("used to feed").
_DENYING = frozenset("fail cease refuse decline neglect forget stop omit".split())
#: Verbs with which "on" places nothing.
_ON = frozenset("base build rely depend draw rest focus act play feed live prey model work comment report".split())
#: Verbs after which "to form C" is what comes of it.
_UNITING = frozenset("join meet unite merge combine converge".split())
#: Conjunctions of time, with a clause or an -ing phrase after them.
_TIMED = ("before", "after", "until")
_NEUTRAL = frozenset("happen serve go come help continue tend begin start".split())


class Predicates(Verbs):
    """Complements and verb phrases over items."""

    def __init__(self, items: Sequence[Item], budget: int = _BUDGET) -> None:
        super().__init__(items, budget)
        self._vp_memo: dict[tuple[int, str], list[tuple[int, Clause]]] = {}

    # -- verb phrases -------------------------------------------------------------------------------------------
    def vps(self, i: int, want: str = "finite") -> list[tuple[int, Clause]]:
        """Verb phrases from ``i``: finite, "ing", "pp" or "base"; each a clause that lacks its subject."""
        at = (i, want)
        if at not in self._vp_memo:
            self._vp_memo[at] = []
            found: list[tuple[int, Clause]] = []
            for verb in self.verbs(i):
                if want == "finite" and (verb.form == "ing" or self._only_participle(verb)):
                    continue
                if want in ("ing", "pp", "base") and not self._participle(verb, want, i):
                    continue
                found += self._phrases(i, verb, want)
            self._vp_memo[at] = spread(found)
        return self._vp_memo[at]

    def _only_participle(self, verb: VerbGroup) -> bool:
        """Whether a form is a past participle and no past (in English the two are mostly one)."""
        return verb.form == "pp" and self.items[verb.item].forms.verb_forms == {"pp"}

    def _participle(self, verb: VerbGroup, want: str, i: int) -> bool:
        if want == "base":
            return verb.form == "base" or verb.form == "" or verb.verb in ("be", "have")
        if want == "ing" and self.word(i, "being", "having") and i < verb.item:
            return True
        return verb.form == want

    def _phrases(self, i: int, verb: VerbGroup, want: str) -> Iterator[tuple[int, Clause]]:
        k = verb.end
        if self.word(k, "yet") and self.word(k + 1, "to") and verb.verb in ("have", "be"):
            yield from self._infinitive(i, verb, k + 2, denied=(k,))
        neutral = verb.verb in _NEUTRAL and not self.word(verb.item, "going")  # "was going to" is of no event
        if self.word(k, "to") and (verb.verb in _DENYING or neutral):
            yield from self._infinitive(i, verb, k + 1, denied=(verb.item,) if verb.verb in _DENYING else ())
        for e, comps, particles, adverbs in self.comps(k, 0, verb):
            yield (
                e,
                Clause(
                    verb=verb.verb,
                    items=frozenset(range(i, e)),
                    comps=comps,
                    particles=particles,
                    adverbs=(*verb.adverbs, *adverbs),
                    passive=verb.passive or want == "pp",
                    negated=len(verb.negators) % 2 == 1,
                    negators=verb.negators,
                    modal=verb.modal,
                    past=verb.past,
                    verb_item=verb.item,
                    form=verb.form,
                ),
            )

    def _infinitive(self, i: int, verb: VerbGroup, k: int, denied: tuple[int, ...]) -> Iterator[tuple[int, Clause]]:
        if denied and verb.adverbs:
            return  # what "first failed to do" denies is not that it was done first
        for e, inner in self.vps(k, "base"):
            negators = (*verb.negators, *denied, *inner.negators)
            yield (
                e,
                replace(
                    inner,
                    items=frozenset(range(i, e)),
                    negators=negators,
                    negated=len(negators) % 2 == 1,
                    adverbs=(*verb.adverbs, *inner.adverbs),
                    modal=verb.modal,
                    past=verb.past,
                ),
            )

    Found = tuple[int, tuple[Comp, ...], tuple[str, ...], tuple[int, ...]]

    def comps(self, k: int, bare: int, verb: VerbGroup, *, late: bool = False) -> Iterator[Found]:
        """Complements from item ``k``, the longest first; ``bare`` counts the objects so far; ``late``: not first."""
        self.budget -= 1
        if self.budget < 0:
            return
        if self.word(k, "home"):
            for end, rest, particles, adverbs in self.comps(k + 1, bare, verb, late=late):
                yield end, rest, ("home", *particles), adverbs
        k2 = k + 1 if self.word(k, ",") and (self.closed(k + 1, "prep") or self._adverb_at(k + 1)) else k
        measured = self.word(k, "and", ",") and k2 == k and k + 2 < self.n and verb.copula
        for e, comp in self.comp(k2, bare, verb) if not measured else self._further(k):
            if late and comp.role == "obj" and comp.np is not None and self.verblike(comp.np):
                continue
            if late and bare and comp.role == "adj" and comp.np is None and self._verb_first(e - 1, verb):
                continue
            grown = bare + (comp.role == "obj")
            comp = replace(comp, items=comp.items | set(range(k, e)))
            for stop, whole in (*self._contrasted(k, e, comp), (e, comp)):
                for end, rest, particles, adverbs in self.comps(stop, grown, verb, late=True):
                    yield end, (whole, *rest), particles, adverbs
        stranded = verb.passive and self.closed(k2, "prep") and self.closed(k2 + 1, "prep")
        if k2 < self.n and (stranded or "particle" in self.items[k2].forms.closed) and not self.items[k2].entity:
            for end, rest, particles, adverbs in self.comps(k2 + 1, bare, verb, late=late):
                yield end, rest, (self.items[k2].lower, *particles), adverbs
        if self._adverb_at(k2):
            for end, rest, particles, adverbs in self.comps(k2 + 1, bare, verb, late=late):
                yield end, rest, particles, (k2, *adverbs)
        yield k, (), (), ()

    def _verb_first(self, k: int, verb: VerbGroup) -> bool:
        """Whether what looks like an adjective after an object may be the verb of a further clause ("… designed B")."""
        named = self.items[k - 1].entity or self.items[k - 1].name
        return not verb.copula and bool(named and self.items[k].forms.verb_forms & {"past", "s"})

    def _adverb_at(self, k: int) -> bool:
        return k < self.n and self.adverb(k)

    def comp(self, k: int, bare: int, verb: VerbGroup) -> Iterator[tuple[int, Comp]]:
        if k >= self.n:
            return
        it = self.items[k]
        if self.word(k, "where") or (self.word(k, "when") and verb.copula):
            for e, clause in self.cores(k + 1):
                yield e, Comp("where", clause=clause, items=frozenset(range(k, e)))
        if self.word(k, "to") and verb.verb in _UNITING:
            yield from self._purpose(k)
        if self.closed(k, "prep") and not (it.entity and it.text[:1].isupper()):
            on = it.lower in ("on", "upon") and verb.verb in _ON
            yield from ((e, c._replace(role="on") if on and not _dated(c) else c) for e, c in self.prepositional(k))
        if self.word(k, "to") and verb.verb not in _UNITING:
            yield from self._purpose(k)
        if k + 1 < self.n and (it.quantity or it.hole) and (verb.copula or self.word(k + 1, *MEASURES)):
            yield from self.adjective(k)
        if bare < 2:
            for e, np in self.nps(k):
                if not (bare and self.verblike(np)):
                    yield e, Comp(self._time_role(k, np, verb), np=np, items=np.items)
        if bare < 2 or verb.copula:
            yield from self.adjective(k)

    def _purpose(self, k: int) -> Iterator[tuple[int, Comp]]:
        for e, clause in self.vps(k + 1, "base"):
            yield e, Comp("to-do", clause=clause, items=frozenset(range(k, e)))

    def _further(self, k: int) -> Iterator[tuple[int, Comp]]:
        """ "… and 7.5 m high": a further measure after a copula."""
        start = k + 2 if self.word(k, ",") and self.word(k + 1, "and") else k + 1
        if start < self.n and (self.items[start].quantity or self.items[start].hole):
            for e, comp in self.adjective(start):
                yield e, replace(comp, items=comp.items | set(range(k, start)))

    def _time_role(self, k: int, np: Np, verb: VerbGroup) -> str:
        """A date that brings its preposition along ("until 1990", "before 1900") stands in that role.

        Nobody is born or dies a date: it is when ("born 3 May 1960").
        """
        if np.kind is not NpKind.DATE or not self.items[k].date:
            return "obj"
        word = self.items[k].lower.split()[0]
        born = verb.verb == "bear" and (verb.passive or verb.form == "pp")
        if (born or verb.verb == "die") and "prep" not in forms(word).closed:
            return "loc"
        return word if word in ("until", "till", "since") else "loc" if "prep" in forms(word).closed else "obj"

    def prepositional(self, k: int) -> Iterator[tuple[int, Comp]]:
        word = self.items[k].lower
        start, role = k + 1, word
        if word == "out" and self.word(k + 1, "of"):
            start, role = k + 2, "from"
        elif word == "up" and self.word(k + 1, "in", "at", "on"):
            start, role = k + 2, "loc"
        elif word in LOCATIVE:
            role = "loc"
        timed = word in _TIMED
        if timed:
            for e, clause in (*self.vps(start, "ing"), *self.cores(start)):
                yield e, Comp(role, clause=clause, items=frozenset(range(k, e)))
        dated = "particle" in self.items[k].forms.closed and start < self.n and self._apart(start)
        for e, np in self.nps(start) if not dated else ():  # "has been around since 1949"
            yield from self._again(k, e, Comp(role, np=np, items=frozenset(range(k, e))))
            yield e, Comp(role, np=np, items=frozenset(range(k, e)))
        if word in ("by", "for", "in", "without"):
            for e, clause in self.vps(start, "ing"):
                yield e, Comp(role, clause=clause, items=frozenset(range(k, e)))

    def _again(self, k: int, e: int, comp: Comp) -> Iterator[tuple[int, Comp]]:
        """ "By A and by B": one phrase with a list. (``k``: where the preposition stands.)"""
        at = e + 1 if self.word(e, ",") else e
        if comp.np is None or not self.word(at, "and") or not self.word(at + 1, self.items[k].lower):
            return
        for end, np in self.nps(at + 2):
            items = frozenset(range(k, end))
            yield end, comp._replace(np=Np(NpKind.LIST, items - {k}, parts=(comp.np, np), plural=True), items=items)

    def _contrasted(self, k: int, e: int, comp: Comp) -> Iterator[tuple[int, Comp]]:
        """ "Into A rather than (into) B", "A, not B"."""
        at = e + 1 if self.word(e, ",") else e
        rather = self.word(at, "rather") and self.word(at + 1, "than")
        two = rather or (self.word(at, "instead") and self.word(at + 1, "of"))
        joined = self.word(at, "and", "but") and self.word(at + 1, "not") and not self._clause_after(at + 2)
        start = at + 2 if two or joined else at + 1 if self.word(at, "not") else 0
        if not start or comp.np is None:
            return
        if comp.role != "obj" and self.word(start, self.items[min(comp.items)].lower):
            start += 1
        for end, np in self.nps(start):
            denied = replace(np, items=np.items | set(range(e, start)))
            yield end, comp._replace(unlike=denied, items=comp.items | set(range(k, end)))

    def _clause_after(self, k: int) -> bool:
        """Whether a verb stands at ``k`` ("and not crosses …")."""
        return k < self.n and bool(self.items[k].forms.verb_forms & {"s", "past"}) and not self.items[k].entity

    def adjective(self, k: int) -> Iterator[tuple[int, Comp]]:
        it = self.items[k]
        measure: Np | None = None
        a = k
        if (it.quantity or it.hole or it.date) and k + 1 < self.n:
            kind = NpKind.QUANTITY if it.quantity else NpKind.HOLE if it.hole else NpKind.DATE
            measure = Np(kind, frozenset((k,)), head=it.hole or it.lower, head_item=k)
            a = k + 1
        if measure is not None and self.word(a, "across"):
            yield a + 1, Comp("adj", np=measure, adj="across", items=frozenset((k, a)))
        elif a < self.n:
            w = self.items[a]
            if (
                w.forms.adj
                and not (w.entity or w.hole or w.quantity or w.date or w.punct)
                and not w.forms.closed & {"det", "poss", "pron"}
            ):
                yield a + 1, Comp("adj", np=measure, adj=w.forms.adj, items=frozenset(range(k, a + 1)))

    def cores(self, i: int) -> Iterator[tuple[int, Clause]]:
        """Clauses from ``i`` with a subject; the upper half of the grammar knows them."""
        return iter(())


def _dated(comp: Comp) -> bool:
    return comp.np is not None and comp.np.kind is NpKind.DATE
