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
from dataclasses import dataclass, replace

from imprimatur.extract.phrases import Phrases, spread
from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind
from imprimatur.extract.words import BE, DO, HAVE, LOCATIVE, PASTS, forms

__all__ = ["Fragment", "Parse", "parse"]

_BUDGET = 6000


@dataclass(frozen=True, slots=True)
class Fragment:
    """A phrase without a verb: a short answer, a list item, a table cell, or "label: value"."""

    np: Np
    value: Np | None = None
    prep: str = ""
    items: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Parse:
    """Clauses and fragments of a segment; ``complete`` when together they account for every item."""

    clauses: tuple[Clause, ...]
    fragments: tuple[Fragment, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Verb:
    """A verb group: the main verb with its auxiliaries."""

    verb: str
    end: int
    item: int
    passive: bool = False
    negators: tuple[int, ...] = ()
    adverbs: tuple[int, ...] = ()
    modal: str = ""
    past: bool = False
    copula: bool = False
    form: str = ""


Core = tuple[int, tuple[Clause, ...], tuple[Fragment, ...]]
#: Verbs whose infinitive is denied by them ("fails to feed") and those that leave it true ("used to feed").
_DENYING = frozenset("fail cease refuse decline neglect forget stop omit".split())
_FALSE = ("false", "untrue", "incorrect", "wrong", "myth", "lie", "misconception", "falsehood")
_TRUE = ("true", "correct")
_NEUTRAL = frozenset("happen serve go come help continue tend begin start".split())


class Clauses(Phrases):
    """The upper half: verb groups, complements, clauses, sentences."""

    def __init__(self, items: Sequence[Item], budget: int = _BUDGET) -> None:
        super().__init__(items, budget)
        self._vp_memo: dict[tuple[int, str], list[tuple[int, Clause]]] = {}
        self._verb_memo: dict[int, list[_Verb]] = {}

    # -- verb groups --------------------------------------------------------------------------------------------
    def verbs(self, i: int) -> list[_Verb]:
        """The verb groups that start at item ``i``."""
        if i not in self._verb_memo:
            self._verb_memo[i] = list(reversed(list(self._verbs(i))))
        return self._verb_memo[i]

    def _verbs(self, i: int) -> Iterator[_Verb]:
        k, aux, modal = i, "", ""
        neg: list[int] = []
        adv: list[int] = []
        past = False
        while k < self.n:
            it = self.items[k]
            if "neg" in it.forms.closed:
                (adv if self.word(k + 1, "only") else neg).append(k)
            elif "modal" in it.forms.closed and not aux and not modal:
                modal = it.lower
            elif it.lower in BE | HAVE | DO and not it.hole:
                yield from self._bare(k, it, (aux, modal, past, tuple(neg), tuple(adv)))
                aux = "be" if it.lower in BE else "have" if it.lower in HAVE else "do"
                past = past or "past" in it.forms.verb_forms
            elif it.forms.verb and it.lower == "used" and self.word(k + 1, "to") and not aux:
                yield from self._used_to(k, (modal, tuple(neg), tuple(adv)))
                return
            elif it.forms.verb == "get" and not aux and k + 1 < self.n and "pp" in self.items[k + 1].forms.verb_forms:
                aux, past = "be", "past" in it.forms.verb_forms
            elif "adverb" in it.forms.closed and k > i:
                adv.append(k)
            elif it.forms.adv and not it.forms.closed and not it.entity and (k > i or it.lower.endswith("ly")):
                if it.forms.verb and self._fits(it, aux, modal):
                    yield self._group(k, it, (aux, modal, past, tuple(neg), tuple(adv)))
                adv.append(k)
            elif it.forms.verb and not it.entity and not it.hole and self._fits(it, aux, modal):
                yield self._group(k, it, (aux, modal, past, tuple(neg), tuple(adv)))
                return
            else:
                return
            k += 1

    def _bare(
        self, k: int, it: Item, state: tuple[str, str, bool, tuple[int, ...], tuple[int, ...]]
    ) -> Iterator[_Verb]:
        """ "be", "have" and "do" as main verbs, with the negators and adverbs that follow."""
        aux, modal, past, neg, adv = state
        verb = "be" if it.lower in BE else "have" if it.lower in HAVE else "do"
        if aux == "be" or (it.lower in ("been", "being") and not aux):
            return
        end, negs, advs = k + 1, list(neg), list(adv)
        while end < self.n and (
            "neg" in self.items[end].forms.closed or self._adverb(end) or (verb == "be" and self.word(end, ":"))
        ):
            if not self.items[end].punct:
                (negs if "neg" in self.items[end].forms.closed else advs).append(end)
            end += 1
        yield _Verb(
            verb,
            end,
            k,
            negators=tuple(negs),
            adverbs=tuple(advs),
            modal=modal,
            past=past or "past" in it.forms.verb_forms,
            copula=verb == "be",
        )

    @staticmethod
    def _fits(it: Item, aux: str, modal: str) -> bool:
        tags = it.forms.verb_forms
        if it.lower in PASTS and (aux == "do" or modal):
            return True
        if aux == "be":
            return bool(tags & {"pp", "ing"})
        if aux == "have":
            return "pp" in tags
        if aux == "do" or modal:
            return "base" in tags
        return bool(tags)

    @staticmethod
    def _group(k: int, it: Item, state: tuple[str, str, bool, tuple[int, ...], tuple[int, ...]]) -> _Verb:
        aux, modal, past, neg, adv = state
        tags = it.forms.verb_forms
        form = "ing" if tags == {"ing"} else "pp" if "pp" in tags else "s" if "s" in tags else "base"
        return _Verb(
            it.lower if it.lower in PASTS and (aux == "do" or modal) else it.forms.verb or "",
            k + 1,
            k,
            passive=aux == "be" and "pp" in tags,
            negators=neg,
            adverbs=adv,
            modal=modal,
            past=past or (not aux and "past" in tags),
            form=form if not aux else "",
        )

    def _used_to(self, k: int, state: tuple[str, tuple[int, ...], tuple[int, ...]]) -> Iterator[_Verb]:
        """"Used to live": the verb after it, with "used" as an adverb that a wording must have as well."""
        modal, neg, adv = state
        for verb in self.verbs(k + 2):
            if verb.form in ("base", "") or verb.copula or verb.verb in ("be", "have"):
                yield replace(verb, negators=(*neg, *verb.negators), adverbs=(*adv, k, *verb.adverbs), modal=modal, past=True, form="")

    def _adverb(self, k: int) -> bool:
        it = self.items[k]
        if "adverb" in it.forms.closed:
            return True
        plain = it.forms.adv and not it.forms.closed and not it.forms.noun
        return plain and not (it.entity or it.hole or it.quantity or it.name)

    # -- verb phrases -------------------------------------------------------------------------------------------
    def vps(self, i: int, want: str = "finite") -> list[tuple[int, Clause]]:
        """Verb phrases from ``i``: finite, "ing", "pp" or "base"; each a clause that lacks its subject."""
        at = (i, want)
        if at not in self._vp_memo:
            self._vp_memo[at] = []
            found: list[tuple[int, Clause]] = []
            for verb in self.verbs(i):
                if want == "finite" and verb.form in ("ing",):
                    continue
                if want in ("ing", "pp", "base") and not self._participle(verb, want, i):
                    continue
                found += self._phrases(i, verb, want)
            self._vp_memo[at] = spread(found)
        return self._vp_memo[at]

    @staticmethod
    def _participle(verb: _Verb, want: str, i: int) -> bool:
        if want == "base":
            return verb.form == "base" or verb.form == "" or verb.verb in ("be", "have")
        return verb.form == want

    def _phrases(self, i: int, verb: _Verb, want: str) -> Iterator[tuple[int, Clause]]:
        k = verb.end
        if self.word(k, "yet") and self.word(k + 1, "to") and verb.verb in ("have", "be"):
            yield from self._infinitive(i, verb, k + 2, denied=(k,))
        if self.word(k, "to") and (verb.verb in _DENYING or verb.verb in _NEUTRAL):
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

    def _infinitive(self, i: int, verb: _Verb, k: int, denied: tuple[int, ...]) -> Iterator[tuple[int, Clause]]:
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

    def comps(self, k: int, bare: int, verb: _Verb) -> Iterator[Found]:
        """Complements from item ``k``, as many as fit first; ``bare`` counts the objects so far."""
        self.budget -= 1
        if self.budget < 0:
            return
        if self.word(k, "home"):
            for end, rest, particles, adverbs in self.comps(k + 1, bare, verb):
                yield end, rest, ("home", *particles), adverbs
        k2 = k + 1 if self.word(k, ",") and (self.closed(k + 1, "prep") or self._adverb_at(k + 1)) else k
        measured = self.word(k, "and", ",") and k + 2 < self.n and verb.copula
        for e, comp in self._comp(k2, bare, verb) if not measured else self._further(k):
            grown = bare + (comp.role == "obj")
            comp = replace(comp, items=comp.items | set(range(k, e)))
            for end, rest, particles, adverbs in self.comps(e, grown, verb):
                yield end, (comp, *rest), particles, adverbs
        stranded = verb.passive and self.closed(k2, "prep") and self.closed(k2 + 1, "prep")
        if k2 < self.n and (stranded or "particle" in self.items[k2].forms.closed) and not self.items[k2].entity:
            for end, rest, particles, adverbs in self.comps(k2 + 1, bare, verb):
                yield end, rest, (self.items[k2].lower, *particles), adverbs
        if self._adverb_at(k2):
            for end, rest, particles, adverbs in self.comps(k2 + 1, bare, verb):
                yield end, rest, particles, (k2, *adverbs)
        yield k, (), (), ()

    def _adverb_at(self, k: int) -> bool:
        return k < self.n and self._adverb(k)

    def _comp(self, k: int, bare: int, verb: _Verb) -> Iterator[tuple[int, Comp]]:
        if k >= self.n:
            return
        it = self.items[k]
        if self.word(k, "where") or (self.word(k, "when") and verb.copula):
            for e, clause in self.cores(k + 1):
                yield e, Comp("where", clause=clause, items=frozenset(range(k, e)))
        if self.closed(k, "prep") and not (it.entity and it.text[:1].isupper()):
            yield from self._prepositional(k)
        if self.word(k, "to"):
            for e, clause in self.vps(k + 1, "base"):
                yield e, Comp("to-do", clause=clause, items=frozenset(range(k, e)))
        if verb.copula and k + 1 < self.n and (it.quantity or it.hole):
            yield from self._adjective(k)
        if bare < 2:
            for e, np in self.nps(k):
                if not (bare and self.verblike(np)):
                    yield e, Comp(self._time_role(k, np), np=np, items=np.items)
        if bare < 2 or verb.copula:
            yield from self._adjective(k)

    def _further(self, k: int) -> Iterator[tuple[int, Comp]]:
        """"… and 7.5 m high": a further measure after a copula."""
        start = k + 2 if self.word(k, ",") and self.word(k + 1, "and") else k + 1
        if start < self.n and (self.items[start].quantity or self.items[start].hole):
            for e, comp in self._adjective(start):
                yield e, replace(comp, items=comp.items | set(range(k, start)))

    def _time_role(self, k: int, np: Np) -> str:
        """A date that brings its preposition along ("until 1990", "before 1900") stands in that role."""
        if np.kind is not NpKind.DATE or not self.items[k].date:
            return "obj"
        word = self.items[k].lower.split()[0]
        return word if word in ("until", "till", "since") else "loc" if "prep" in forms(word).closed else "obj"

    def _prepositional(self, k: int) -> Iterator[tuple[int, Comp]]:
        word = self.items[k].lower
        start, role = k + 1, word
        if word == "out" and self.word(k + 1, "of"):
            start, role = k + 2, "from"
        elif word == "up" and self.word(k + 1, "in", "at", "on"):
            start, role = k + 2, "loc"
        elif word in LOCATIVE:
            role = "loc"
        for e, np in self.nps(start):
            yield e, Comp(role, np=np, items=frozenset(range(k, e)))
        if word in ("by", "for", "in", "after", "before", "without"):
            for e, clause in self.vps(start, "ing"):
                yield e, Comp(role, clause=clause, items=frozenset(range(k, e)))

    def _adjective(self, k: int) -> Iterator[tuple[int, Comp]]:
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

    # -- relative and participial clauses -----------------------------------------------------------------------
    def modifying(self, j: int) -> Iterator[tuple[int, Clause]]:
        k = j + 1 if self.word(j, ",") else j
        for e, clause in self._modifying(k):
            stop = e + 1 if k > j and self.word(e, ",") else e
            yield stop, replace(clause, items=clause.items | set(range(j, stop)))

    def _modifying(self, k: int) -> Iterator[tuple[int, Clause]]:
        if k >= self.n:
            return
        if self.word(k, "which", "that", "who", "whom"):
            for e, clause in self.vps(k + 1):
                yield e, replace(clause, gap="subj", items=clause.items | {k})
            yield from self._gapped(k + 1, {k})
        elif self.word(k, "where"):
            for e, clause in self.cores(k + 1):
                yield e, replace(clause, gap="loc", items=clause.items | {k})
        elif self.closed(k, "prep") and self.word(k + 1, "which", "whom"):
            role = "loc" if self.items[k].lower in LOCATIVE else self.items[k].lower
            for e, clause in self.cores(k + 2):
                yield e, replace(clause, gap=role, items=clause.items | {k, k + 1})
        elif self.word(k, "whose"):
            for e, np in self._heads(k + 1, frozenset((k,)), ""):
                for e2, clause in self.vps(e):
                    owner = Np(NpKind.PRONOUN, frozenset((k,)), head="whose", head_item=k)
                    yield e2, replace(clause.with_subject(replace(np, of=owner)), gap="whose")
        else:
            for want in ("pp", "ing"):
                for e, clause in self.vps(k, want):
                    yield e, replace(clause, gap="subj")
            yield from self._gapped(k, set())

    def _gapped(self, k: int, extra: set[int]) -> Iterator[tuple[int, Clause]]:
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
                    yield e + 1, replace(clause, gap=role, items=items | {e})
                elif not any(c.role == "obj" for c in clause.comps) and not clause.passive:
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
            yield from self._participial(i)
        for j, subj in self.nps(i):
            for e, clauses in self._predicates(j, subj):
                yield e, clauses, ()
        yield from self._inverted(i)
        yield from self._fronted(i)

    def _predicates(self, j: int, subj: Np) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        if subj.kind is NpKind.LIST and self.word(j, "all", "both", "each"):
            subj = replace(subj, items=subj.items | {j})
            j += 1
        for e, clause in self.vps(j):
            if not _agree(subj, clause.form):
                continue
            first = clause.with_subject(subj)
            yield from self._joined(e, subj, (first,))
            yield e, (first,)

    def _joined(self, e: int, subj: Np, done: tuple[Clause, ...]) -> Iterator[tuple[int, tuple[Clause, ...]]]:
        if len(done) > 8:
            return
        k = e + 1 if self.word(e, ",", ";") else e
        both = self.word(k, "and", "but", "or")
        k = k + 1 if both else k
        if k == e:
            return
        for e2, clause in self.vps(k):
            nxt = (*done, replace(clause.with_subject(subj), items=clause.items | set(range(e, k))))
            yield from self._joined(e2, subj, nxt)
            if both:
                yield e2, nxt

    def _said_false(self, i: int) -> Iterator[Core]:
        """"It is false that …", "it is not true that …": the clause, denied as often as the words say."""
        if not self.word(i, "it"):
            return
        for verb in self.verbs(i + 1):
            k = verb.end + 1 if self.word(verb.end, "a") else verb.end
            if not verb.copula or not self.word(k, *_FALSE, *_TRUE) or not self.word(k + 1, "that"):
                continue
            denied = (*verb.negators, *((k,) if self.items[k].lower in _FALSE else ()))
            for e, clause in self.cores(k + 2):
                negators = (*denied, *clause.negators)
                items = frozenset(range(i, e))
                yield e, (replace(clause, negators=negators, negated=len(negators) % 2 == 1, items=items),), ()

    def _cleft(self, i: int) -> Iterator[Core]:
        if not self.word(i, "it"):
            return
        for verb in self.verbs(i + 1):
            if not verb.copula:
                continue
            for e, comp in self._comp(verb.end, 0, verb):
                k = e + 1 if self.word(e, ",") else e
                if self.word(k, "that", "where", "when", "who", "which"):
                    yield from self._clefted(i, k, comp, verb)

    def _clefted(self, i: int, k: int, comp: Comp, verb: _Verb) -> Iterator[Core]:
        def mended(clause: Clause, e: int) -> Clause:
            negators = (*verb.negators, *clause.negators)
            items, adverbs = frozenset(range(i, e)), (*verb.adverbs, *clause.adverbs)
            return replace(clause, negators=negators, negated=len(negators) % 2 == 1, items=items, adverbs=adverbs)

        if comp.role != "obj":
            for e, clause in self.cores(k + 1):
                yield e, (mended(replace(clause, comps=(*clause.comps, comp)), e),), ()
        elif comp.np is not None:
            for e, clause in self.vps(k + 1):
                yield e, (mended(clause.with_subject(comp.np), e),), ()
            for e, clause in self._gapped(k + 1, set()):
                yield (
                    e,
                    (mended(replace(clause, gap="", comps=(*clause.comps, replace(comp, role=clause.gap))), e),),
                    (),
                )

    def _existential(self, i: int) -> Iterator[Core]:
        if not self.word(i, "there"):
            return
        for verb in self.verbs(i + 1):
            if not verb.copula:
                continue
            for e, np in self.nps(verb.end):
                for end, rest, particles, adverbs in self.comps(e, 2, verb):
                    yield (
                        end,
                        (
                            Clause(
                                verb="be",
                                items=frozenset(range(i, end)),
                                subj=np,
                                comps=rest,
                                particles=("there", *particles),
                                adverbs=(*verb.adverbs, *adverbs),
                                negators=verb.negators,
                                negated=len(verb.negators) % 2 == 1,
                                past=verb.past,
                                verb_item=verb.item,
                            ),
                        ),
                        (),
                    )

    def _fronted(self, i: int) -> Iterator[Core]:
        """ "In 1929 …", "From source to mouth, …", "For 87 km the river keeps going"."""
        for j, comp in self._fronts(i):
            k = j + 1 if self.word(j, ",") else j
            for e, clauses, fragments in self.core(k):
                first = clauses[0]
                if any(c.role == comp.role and c.np == comp.np for c in first.comps):
                    continue
                grown = tuple(
                    replace(c, comps=(*c.comps, comp), items=c.items | (set(range(i, k)) if n == 0 else set()))
                    for n, c in enumerate(clauses)
                )
                yield e, grown, fragments

    def _fronts(self, i: int) -> Iterator[tuple[int, Comp]]:
        if self.closed(i, "prep") and not self.items[i].entity:
            yield from self._prepositional(i)
        elif i < self.n and self._adverb(i):
            yield i + 1, Comp("adv", adj=self.items[i].lower, items=frozenset((i,)))
        elif (
            i < self.n
            and self.items[i].date
            and self.items[i].lower.startswith(("since", "before", "after", "until", "by", "from"))
        ):
            np = Np(NpKind.DATE, frozenset((i,)), head=self.items[i].lower, head_item=i)
            yield i + 1, Comp("loc", np=np, items=np.items)

    def _inverted(self, i: int) -> Iterator[Core]:
        """ "In the hills rises X", "Among its tributaries is X", "Running through Webb is X"."""
        if self.closed(i, "prep") and not self.items[i].entity:
            for j, comp in self._prepositional(i):
                for verb in self.verbs(j):
                    for e, subj in self.nps(verb.end):
                        clause = Clause(
                            verb=verb.verb,
                            items=frozenset(range(i, e)),
                            subj=subj,
                            comps=(comp,),
                            passive=verb.passive,
                            negators=verb.negators,
                            negated=len(verb.negators) % 2 == 1,
                            past=verb.past,
                            adverbs=verb.adverbs,
                            verb_item=verb.item,
                        )
                        yield e, (clause,), ()

    def _participial(self, i: int) -> Iterator[Core]:
        """ "Running through Webb is X"."""
        for want in ("ing", "pp"):
            for j, clause in self.vps(i, want):
                for verb in self.verbs(j):
                    if verb.copula:
                        for e, subj in self.nps(verb.end):
                            whole = replace(clause.with_subject(subj), items=frozenset(range(i, e)))
                            negators = (*clause.negators, *verb.negators)
                            adverbs = (*whole.adverbs, *verb.adverbs)
                            denied = len(negators) % 2 == 1
                            yield e, (replace(whole, negators=negators, negated=denied, adverbs=adverbs),), ()


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


def parse(items: Sequence[Item], budget: int = _BUDGET) -> Parse:
    """The clauses and fragments of a segment's items."""
    from imprimatur.extract.sentences import Sentences

    return Sentences(items, budget).parse()
