"""Clauses that begin with something else than their subject (see ``extract.grammar``).

"It is false that …", "It is in Webb that …", "There is …", "In 1929 …", "A bridge over the Tarn, it …", "In the hills
rises X", "Running through Webb is X": each comes out as the clause that its subject would begin.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.participles import Participles
from imprimatur.extract.syntax import Clause, Comp, Fragment, Np, NpKind, replace
from imprimatur.extract.verbs import VerbGroup

__all__ = ["Core", "Openings"]

Core = tuple[int, tuple[Clause, ...], tuple[Fragment, ...]]
_FALSE = ("false", "untrue", "incorrect", "wrong", "myth", "lie", "misconception", "falsehood")
_TRUE = ("true", "correct")


class Openings(Participles):
    """Clauses whose subject comes later."""

    def core(self, i: int) -> Iterator[Core]:
        """Clauses from ``i``; the upper half of the grammar knows them."""
        return iter(())

    def gapped(self, k: int, extra: set[int]) -> Iterator[tuple[int, Clause]]:
        """Clauses from ``k`` that lack an object or what a preposition needs; the upper half knows them."""
        return iter(())

    def _said_false(self, i: int) -> Iterator[Core]:
        """ "It is false that …", "it is not true that …": the clause, denied as often as the words say."""
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
            for e, comp in self.comp(verb.end, 0, verb):
                k = e + 1 if self.word(e, ",") else e
                if self.word(k, "that", "where", "when", "who", "which"):
                    yield from self._clefted(i, k, comp, verb)

    def _clefted(self, i: int, k: int, comp: Comp, verb: VerbGroup) -> Iterator[Core]:
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
            for e, clause in self.gapped(k + 1, set()):
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
            if k == j and self.closed(k, "prep") and not self.word(k, "to", "until"):
                continue  # "With 24 seats in A, S …": the seats are in A; "From A to B, S …" has two phrases
            for e, clauses, fragments in self.core(k):
                first = clauses[0]
                if any(c.role == comp.role and c.np == comp.np for c in first.comps):
                    continue
                grown = tuple(
                    replace(c, comps=(*c.comps, comp), items=c.items | (set(range(i, k)) if n == 0 else set()))
                    for n, c in enumerate(clauses)
                )
                yield e, grown, fragments

    def _fronted_predicate(self, i: int) -> Iterator[Core]:
        """ "At 64 miles long, it …", "Famous among sailors, it …", "A bridge over the Tarn, it …": what it is."""
        for j, comps in self._predicate(i):
            if not self.word(j, ","):
                continue
            for e, clauses, fragments in self.core(j + 1):
                subj = clauses[0].subj
                if subj is not None and min(subj.items) == j + 1:
                    items = frozenset(range(i, j + 1)) | subj.items
                    yield e, (Clause("be", items, subj=subj, comps=comps), *clauses), fragments

    def _predicate(self, i: int) -> Iterator[tuple[int, tuple[Comp, ...]]]:
        """A measure or adjective with what belongs to it, or "a N …", at the front of a sentence."""
        if i >= self.n or self.items[i].entity or self.items[i].name:
            return
        k = i + 1 if self.word(i, "at") else i
        if k < self.n and (k == i or self.items[k].quantity):
            for e, comp in self.adjective(k):
                comp = comp._replace(items=frozenset(range(i, e)))
                yield e, (comp,)
                if self.closed(e, "prep"):
                    yield from ((stop, (comp, more)) for stop, more in self.prepositional(e))
        if k == i and self.word(i, "a", "an"):
            for e, np in self.simple(i):
                if np.kind is NpKind.NOUN:
                    yield e, (Comp("obj", np=np, items=np.items),)

    def _fronts(self, i: int) -> Iterator[tuple[int, Comp]]:
        if self.closed(i, "prep") and not self.items[i].entity:
            yield from self.prepositional(i)
        elif i < self.n and self.adverb(i):
            yield i + 1, Comp("adv", adj=self.items[i].lower, items=frozenset((i,)))
        elif (
            i < self.n
            and self.items[i].date
            and self.items[i].lower.startswith(("since", "before", "after", "until", "by", "from", "between"))
        ):
            np = Np(NpKind.DATE, frozenset((i,)), head=self.items[i].lower, head_item=i)
            yield i + 1, Comp("loc", np=np, items=np.items)

    def _inverted(self, i: int) -> Iterator[Core]:
        """ "In the hills rises X", "Among its tributaries is X", "Running through Webb is X"."""
        if self.closed(i, "prep") and not self.items[i].entity:
            for j, comp in self.prepositional(i):
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
                yield from self._fronting(i, j, clause)
                for verb in self.verbs(j):
                    if verb.copula:
                        for e, subj in self.nps(verb.end):
                            whole = replace(clause.with_subject(subj), items=frozenset(range(i, e)))
                            negators = (*clause.negators, *verb.negators)
                            adverbs = (*whole.adverbs, *verb.adverbs)
                            denied = len(negators) % 2 == 1
                            yield e, (replace(whole, negators=negators, negated=denied, adverbs=adverbs),), ()

    def _fronting(self, i: int, j: int, clause: Clause) -> Iterator[Core]:
        """ "Designed by A, S crosses B": what is said before the subject."""
        if not self.word(j, ",") or not clause.comps:
            return
        for e, clauses, fragments in self.core(j + 1):
            subj = clauses[0].subj
            if subj is not None and min(subj.items) == j + 1:
                told = clause.with_subject(subj)
                yield e, (replace(told, items=told.items | set(range(i, j + 1))), *clauses), fragments
