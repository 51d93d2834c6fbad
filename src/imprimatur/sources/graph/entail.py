"""Entailment: does the graph say it, or does it follow, and from which triples?

The RDFS and OWL RL part that people use (``derive``), with the derivation and, where the graph gives it, the time of
validity. Results are remembered in bounded tables. A limit that is hit is reported (``complete``, ``LimitExceeded``),
never taken for absence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from imprimatur.errors import LimitExceeded
from imprimatur.sources.graph import facts
from imprimatur.sources.graph.derive import Plan, Rules, Run
from imprimatur.sources.graph.facts import Fact, Step, Validity
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import RDF, TRUST_CLASSES, Origin

__all__ = ["Entailment", "Fact", "Step", "Validity"]

_TYPE = RDF + "type"
_MEMO = 8192


class Entailment:
    """Answers what a graph entails.

    Args:
        limit: how many units of work (values looked at) one question may cost.
    """

    def __init__(self, graph: Graph, schema: Schema, *, limit: int = 200_000) -> None:
        self.graph = graph
        self.schema = schema
        self._limit = limit
        self._rules = Rules(graph, schema.axioms, schema.statements)
        self._type = graph.id(_TYPE)
        #: All that ``trust`` may answer.
        self._trust_classes = frozenset((TRUST_CLASSES[0], *(origin.trust for origin in graph.origins)))
        # Per instance, so that the tables go with the graph; lru_cache is bounded and safe between threads.
        self._answers: Callable[[int, str, bool], tuple[tuple[Fact, ...], bool]] = lru_cache(_MEMO)(self._answer)
        self._classes: Callable[[int], dict[str, Fact]] = lru_cache(_MEMO)(self._find_classes)
        self._asked: Callable[[str], tuple[int, Plan] | None] = lru_cache(_MEMO)(self._plan_of)
        self._above: Callable[[int], dict[str, tuple[int, tuple[Step, ...]]]] = lru_cache(_MEMO)(self._find_above)

    def values(self, subject: int, property_iri: str, *, inverse: bool = False) -> tuple[Fact, ...]:
        """Every entailed value of a property for a subject, one fact for each value and time of validity.

        With ``inverse`` the values are the subjects whose value is ``subject``. ``rdf:type`` gives all classes. What a
        limit cut off is missing: ask ``complete`` before concluding anything from absence.
        """
        return self._answers(subject, property_iri, inverse)[0]

    def complete(self, subject: int, property_iri: str, *, inverse: bool = False) -> bool:
        """Whether ``values`` gives all that the graph entails (no limit was hit)."""
        return self._answers(subject, property_iri, inverse)[1]

    def entails(self, subject: int, property_iri: str, object_: int) -> Fact | None:
        """The fact that ``subject property object_`` holds, or None when the graph does not entail it.

        Where it holds at several times, the first of them; ``values`` gives all.

        Raises:
            LimitExceeded: a limit was hit before it was found.
        """
        if property_iri == _TYPE:
            return self.member(subject, self.graph.iri(object_))
        asked = self._asked(property_iri)
        if asked is None:
            return None
        number, plan = asked
        if plan.direct:
            for state in plan.states:
                s, o = (object_, subject) if state.flip else (subject, object_)
                if self.graph.has(s, state.property, o):
                    steps = (Step(s, state.property, o, "asserted"), *state.axioms)
                    return Fact(subject, property_iri, object_, steps)
            return None
        untimed = number not in self._rules.links and not self._rules.statements.reifiers
        if untimed and self.graph.has(subject, number, object_):
            return Fact(subject, property_iri, object_, (Step(subject, number, object_, "asserted"),))
        for fact in self.values(subject, property_iri):
            if fact.object == object_:
                return fact
        if not self.complete(subject, property_iri):
            raise LimitExceeded(
                f"the closure of {property_iri} was cut after {self._limit} values",
                hint="raise the limit of entailment, or store the closure in the graph",
                where=self.graph.iri(subject),
            )
        return None

    def is_near(self, property_iri: str) -> bool:
        """Whether every value of a property stands at its subject, or at a statement node that hangs on it.

        Else an inverse, a closure, a chain, an event or a sameness may lead to values that stand elsewhere.
        """
        asked = self._asked(property_iri)
        return asked is None or self._rules.is_near(asked[1])

    def types(self, subject: int) -> tuple[Fact, ...]:
        """Every class of an entity, asserted or by superclasses, with the derivation."""
        return tuple(self._classes(subject).values())

    def member(self, subject: int, class_iri: str) -> Fact | None:
        """The fact that an entity is a member of a class, or None."""
        if self._rules.same_as is None and self._type is not None:
            direct = self.graph.objects(subject, self._type)
            if len(direct) == 1:
                found = self._above(direct[0]).get(class_iri)
                if found is None:
                    return None
                class_id, axioms = found
                return Fact(subject, _TYPE, class_id, (Step(subject, self._type, direct[0], "asserted"), *axioms))
        return self._classes(subject).get(class_iri)

    def same(self, entity: int) -> tuple[int, ...]:
        """All that is the same as an entity by owl:sameAs, itself first."""
        return (entity,) if self._rules.same_as is None else tuple(self._rules.same(entity))

    def describe(self, fact: Fact) -> str:
        """The fact in N-Triples, and the triples it follows from with their rules."""
        return facts.describe(self.graph, fact)

    def origins(self, fact: Fact) -> tuple[Origin, ...]:
        """Where the triples that the fact rests on come from."""
        return facts.origins(self.graph, fact.steps)

    def trust(self, fact: Fact) -> str:
        """The least trust class among the triples that the fact rests on."""
        return facts.trust(self.graph, fact)

    def trusted(self, found: Iterable[Fact], classes: Sequence[str]) -> list[Fact]:
        """Those of some facts whose trust class is among ``classes``."""
        if self._trust_classes.issubset(classes):
            return list(found)
        return [fact for fact in found if self.trust(fact) in classes]

    def least_trusted(self, found: Sequence[Fact]) -> Fact | None:
        """The first of those of some facts that are trusted least; None where all of the graph is trusted alike."""
        if len(self._trust_classes) < 2 or not found:
            return None
        return max(found, key=lambda fact: TRUST_CLASSES.index(self.trust(fact)))

    def _plan_of(self, property_iri: str) -> tuple[int, Plan] | None:
        number = self._rules.property_id(property_iri)
        return None if number is None else (number, self._rules.plan(number, False))

    def _answer(self, subject: int, property_iri: str, inverse: bool) -> tuple[tuple[Fact, ...], bool]:
        if property_iri == _TYPE:
            return (self._members(subject) if inverse else self.types(subject)), True
        number = self._rules.property_id(property_iri)
        if number is None:
            return (), True
        if self._rules.plan(number, inverse).plain:
            return self._plain(subject, number, property_iri=property_iri, inverse=inverse), True
        run = Run(self._rules, self._limit)
        table = run.solve((subject, number, inverse))
        found = tuple(
            Fact(subject, property_iri, value, derivation.flat(), valid, inverse)
            for (value, valid), derivation in table.items()
        )
        return found, run.complete

    def _plain(self, subject: int, number: int, *, property_iri: str, inverse: bool) -> tuple[Fact, ...]:
        if inverse:
            return tuple(
                Fact(subject, property_iri, s, (Step(s, number, subject, "asserted"),), None, True)
                for s in self.graph.subjects(number, subject)
            )
        return tuple(
            Fact(subject, property_iri, o, (Step(subject, number, o, "asserted"),))
            for o in self.graph.objects(subject, number)
        )

    def _find_classes(self, subject: int) -> dict[str, Fact]:
        if self._type is None:
            return {}
        found: dict[int, tuple[Step, ...]] = {}
        for alias, sameness in self._rules.same(subject).items():
            for class_id in self.graph.objects(alias, self._type):
                found.setdefault(class_id, (*sameness.flat(), Step(alias, self._type, class_id, "asserted")))
        self._climb(found)
        return {self.graph.iri(c): Fact(subject, _TYPE, c, steps) for c, steps in found.items() if self.graph.is_iri(c)}

    def _climb(self, found: dict[int, tuple[Step, ...]]) -> None:
        """Adds all superclasses of some classes, nearest first, with the axioms that lead there."""
        queue = list(found)
        for class_id in queue:
            for edge in self.schema.axioms.broader_classes.get(class_id, ()):
                if edge.other not in found:
                    found[edge.other] = found[class_id] + tuple(Step(*t, edge.rule) for t in edge.triples)
                    queue.append(edge.other)

    def _find_above(self, class_id: int) -> dict[str, tuple[int, tuple[Step, ...]]]:
        """A class and its superclasses by IRI, each with its identifier and the axioms that lead there."""
        found: dict[int, tuple[Step, ...]] = {class_id: ()}
        self._climb(found)
        return {self.graph.iri(c): (c, steps) for c, steps in found.items() if self.graph.is_iri(c)}

    def _members(self, class_id: int) -> tuple[Fact, ...]:
        """The members of a class and of its subclasses, aliases included."""
        below = {class_id: None}
        for narrower in (queue := [class_id]):
            for other in self.schema.axioms.narrower_classes.get(narrower, ()):
                if other not in below:
                    below[other] = None
                    queue.append(other)
        found: list[Fact] = []
        class_iri = self.graph.iri(class_id)
        direct = [s for c in below if self._type is not None for s in self.graph.subjects(self._type, c)]
        for entity in dict.fromkeys(alias for s in dict.fromkeys(direct) for alias in self._rules.same(s)):
            fact = self._find_classes(entity).get(class_iri)
            if fact is not None:
                found.append(Fact(class_id, _TYPE, entity, fact.steps, None, True))
        return tuple(found)
