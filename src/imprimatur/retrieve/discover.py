"""Facts found by names: of the things that a question names, and of things whose labels share its words.

``named`` takes the names that the lexicon knows, each with all that it may stand for. ``full_text`` finds things by the
words of their labels, whatever the capitals, and by the words of texts in the graph; a rare word tells more (BM25).
What follows from the graph (inverses, chains, more general properties) is found for the things that are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from imprimatur.retrieve.asked import Asked, known_words
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.chain import Chain, Facts
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.trail import Section
from imprimatur.sources.graph.entail import Fact, Step

__all__ = ["Discovery", "fact_key", "ordered"]

#: How many things of one name, and how many things by full text, are looked at.
_NAMESAKES, _BY_TEXT = 60, 20
#: What it is worth in the order that a fact's value is of the kind asked for, and that its property is asked for.
_SUITED, _OWN = 0.05, 0.1
#: Not all facts of a thing that has more are looked at.
_HUGE = 20_000


def fact_key(fact: Fact) -> tuple[str, int, str, int]:
    """What a fact is told apart by: the same from either end."""
    subject, object_ = (fact.object, fact.subject) if fact.inverse else (fact.subject, fact.object)
    return ("fact", subject, fact.property, object_)


def ordered(chains: Iterable[Chain], facts: Facts, asked: Asked, *, most: int) -> list[Candidate]:
    """The chains that fit best, each by its last fact; the same fact once, by its best chain."""
    best: dict[object, tuple[tuple[float, ...], Chain, float]] = {}
    for chain in chains:
        key, score = fact_key(chain[-1]), facts.fit(chain, asked)
        if len(chain) > 1 and score <= facts.fit(chain[:-1], asked):
            continue  # the last fact adds nothing to what is asked
        own = facts.words.asked_of(chain[-1].property, asked.words)
        suited = score + _SUITED * facts.suits(chain[-1], asked) + _OWN * bool(own)
        order = (suited, facts.touched(chain, asked), -len(chain), not chain[-1].inverse)
        if key not in best or order > best[key][0]:
            best[key] = (order, chain, score)
    found = sorted(best.items(), key=lambda each: (*(-part for part in each[1][0]), str(each[0])))
    return [
        Candidate(
            key=key,
            section=Section.FACTS,
            score=score,
            tell=lambda chain=chain: (facts.tell(chain), facts.evidence(chain)),  # type: ignore[misc]
            order=order,
            fit=order[0],
        )
        for key, (order, chain, score) in found[:most]
        if score > 0
    ]


class Discovery:
    """Finds facts by names in one graph."""

    def __init__(self, facts: Facts, limits: RetrievalLimits) -> None:
        self._facts, self._limits = facts, limits
        self._graph, self._schema = facts.graph, facts.schema
        self._silent = facts.silent

    # The paths

    def named(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Facts of the things that the question names."""
        things = self.anchors(asked)
        chains: list[Chain] = []
        for thing in things:
            clock.check()
            chains += [(fact,) for fact in self.facts_of(thing, asked)]
            chains += [(fact,) for fact in self._entailed(thing, asked)]
        return ordered(chains, self._facts, asked, most=2 * self._limits.items)

    def full_text(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Facts of the things whose labels, or texts, share words with the question."""
        wanted = known_words([asked.text])
        chains: list[Chain] = []
        for thing, _ in self._facts.index.find(wanted, clock, limit=_BY_TEXT):
            clock.check()
            chains += [(fact,) for fact in self.facts_of(thing, asked)]
        return ordered(chains, self._facts, asked, most=2 * self._limits.items)

    # What they are made of

    def anchors(self, asked: Asked) -> list[int]:
        """The things that the question names, as identifiers, in the order of the text."""
        found: dict[int, None] = {}
        for _, candidates in asked.names:
            for iri in candidates[:_NAMESAKES]:
                number = self._graph.id(iri)
                if number is not None:
                    found[number] = None
        return list(found)

    def facts_of(self, thing: int, asked: Asked) -> Iterator[Fact]:
        """The asserted facts of a thing, labels left out; of a hub those that the question asks for come first."""
        graph, limit = self._graph, self._limits.fan
        if graph.degree(thing) > _HUGE:
            return self._asked_of(thing, asked)
        out = [Step(thing, p, o, "asserted") for p, o in graph.out(thing) if p not in self._silent]
        into = [Step(s, p, thing, "asserted") for s, p in graph.into(thing) if p not in self._silent]
        found = [self._fact(step, step.s != thing) for step in (*out, *into)]
        if len(found) > limit:
            told = {p: self._facts.asks_for(fact, asked) for fact in found for p in [fact.property]}
            found.sort(key=lambda fact: not told[fact.property])
        return iter(found[:limit])

    def _said(self, fact: Fact, asked: Asked) -> bool:
        """Whether an asserted fact between the same ends answers as well."""
        stated = [step for step in fact.steps if step.rule == "asserted"]
        if len(stated) != 1 or {stated[0].s, stated[0].o} != {fact.subject, fact.object}:
            return False
        words = self._facts.words
        own = words.asked_of(self._graph.iri(stated[0].p), asked.words)
        return sum(own.values()) >= sum(words.asked_of(fact.property, asked.words).values())

    def _asked_of(self, thing: int, asked: Asked) -> Iterator[Fact]:
        """The facts of a huge hub, of the properties that the question has words of alone."""
        graph, left = self._graph, self._limits.fan
        for p in graph.predicates():
            if p in self._silent or not self._facts.words.asked_of(graph.iri(p), asked.words):
                continue
            for step in [Step(thing, p, o, "asserted") for o in graph.objects(thing, p)[:left]]:
                yield self._fact(step, False)
            for step in [Step(s, p, thing, "asserted") for s in graph.subjects(p, thing)[:left]]:
                yield self._fact(step, True)

    def _fact(self, step: Step, inverse: bool) -> Fact:
        subject, object_ = (step.o, step.s) if inverse else (step.s, step.o)
        return Fact(subject, self._graph.iri(step.p), object_, (step,), None, inverse)

    def _entailed(self, thing: int, asked: Asked) -> Iterator[Fact]:
        """What follows for a thing of the properties that the question has words of."""
        for iri in self._facts.words.properties:
            if not self._facts.words.asked_of(iri, asked.words):
                continue
            for fact in self._facts.entailment.values(thing, iri)[: self._limits.fan]:
                if not self._said(fact, asked):
                    yield fact
