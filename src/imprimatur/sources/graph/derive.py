"""Derives all values of a property for one subject, goal by goal, to a fixpoint.

A goal is (subject, property, swapped). Its table maps (value, validity) to the first derivation found. A goal that
reads another one is evaluated again when that table grows; tables only grow and are finite, so cycles of any kind (in
the data or in the axioms) end. Transitive closures are breadth-first. Work is counted: past the limit a run stops and
is marked incomplete, and what it found stays true.

Rules: OWL 2 RL prp-spo1, prp-spo2, prp-eqp1/2, prp-inv1/2, prp-symp, prp-trp, eq-sym, eq-trans, eq-rep-s, eq-rep-o
(W3C OWL 2 Profiles, section 4.3), and statement nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain as joined

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.axioms import Axioms, Chain
from imprimatur.sources.graph.facts import Step, Validity, meet, validity_of
from imprimatur.sources.graph.labels import rank_of
from imprimatur.sources.graph.statements import StatementLink, Statements
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.tenses import is_done, is_past, is_present
from imprimatur.sources.graph.terms import OWL, spoken_name
from imprimatur.values import DateValue

__all__ = ["Derivation", "Goal", "Plan", "Rules", "Run", "State", "Table"]

Goal = tuple[int, int, bool]
Key = tuple[int, Validity | None]


@dataclass(frozen=True, slots=True)
class Derivation:
    """Steps, as a tree of two parts, so that joining long derivations copies nothing."""

    steps: tuple[Step, ...] = ()
    left: Derivation | None = None
    right: Derivation | None = None

    def then(self, other: Derivation) -> Derivation:
        """This one followed by another."""
        if not self.steps and self.left is None:
            return other
        return Derivation((), self, other)

    def flat(self) -> tuple[Step, ...]:
        """All steps in order, each once."""
        found: list[tuple[Step, ...]] = []
        waiting: list[Derivation] = [self]
        while waiting:
            part = waiting.pop()
            found.append(part.steps)
            waiting += [side for side in (part.right, part.left) if side is not None]
        return tuple(dict.fromkeys(joined.from_iterable(found)))


Table = dict[Key, Derivation]
_Found = Iterator[tuple[int, Validity | None, Derivation]]
_Stated = tuple[int, Validity | None, tuple[Step, ...]]


@dataclass(frozen=True, slots=True)
class State:
    """A property (perhaps swapped) all of whose pairs are pairs of the one asked for, and the axioms that say so."""

    property: int
    flip: bool
    axioms: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a property is answered.

    Attributes:
        states: all properties whose pairs are pairs of it.
        direct: every pair of it is an asserted pair of one of its states, so that a pair is found by look-ups alone.
        plain: the same with no state but the property itself.
    """

    states: tuple[State, ...]
    direct: bool
    plain: bool


class Rules:
    """What of a graph's axioms the derivation of facts needs, compiled once."""

    def __init__(self, graph: Graph, axioms: Axioms, statements: Statements) -> None:
        self.graph = graph
        self.axioms = axioms
        self.statements = statements
        self.same_as = graph.id(OWL + "sameAs")
        self._own_ids: dict[str, int] = {}
        self.links: dict[int, tuple[StatementLink, ...]] = {}
        for iri, links in statements.links.items():
            number = graph.id(iri)
            if number is None:
                # A property that only statement nodes state has no identifier in the graph; it gets one of its own.
                number = self._own_ids[iri] = -1 - len(self._own_ids)
            self.links[number] = links
        self._plans: dict[tuple[int, bool], Plan] = {}
        self._validity: dict[int, tuple[Validity | None, tuple[Step, ...]]] = {}
        self._tenses: dict[int, tuple[bool, bool]] = {}

    def property_id(self, iri: str) -> int | None:
        """The identifier of a property, in the graph or of its own; None when unknown."""
        number = self.graph.id(iri)
        return self._own_ids.get(iri) if number is None else number

    def plan(self, property_: int, flip: bool) -> Plan:
        """The plan for a property."""
        found = self._plans.get((property_, flip))
        if found is None:
            states = self._states(property_, flip)
            direct = self.same_as is None and not self.statements.reifiers
            direct = direct and not any(
                self._is_recursive(s.property) or s.property in self.links or self.tense(s.property)[0] for s in states
            )
            found = self._plans[property_, flip] = Plan(states, direct, direct and len(states) == 1)
        return found

    def is_near(self, plan: Plan) -> bool:
        """Whether all that a plan finds stands at the subject, or at statement nodes that hang on it."""
        if self.same_as is not None or self.statements.reifiers:
            return False
        return not any(
            state.flip or self._is_recursive(state.property) or any(x.event for x in self.links.get(state.property, ()))
            for state in plan.states
        )

    def _is_recursive(self, property_: int) -> bool:
        return property_ in self.axioms.transitive or bool(self.axioms.chains.get(property_))

    def _states(self, property_: int, flip: bool) -> tuple[State, ...]:
        states = {(property_, flip): State(property_, flip, ())}
        queue = list(states.values())
        for state in queue:
            for edge in self.axioms.narrower_properties.get(state.property, ()):
                key = (edge.other, state.flip != edge.flip)
                if key not in states:
                    steps = tuple(Step(*triple, edge.rule) for triple in edge.triples)
                    states[key] = State(*key, steps + state.axioms)
                    queue.append(states[key])
        return tuple(states.values())

    def validity(self, node: int) -> tuple[Validity | None, tuple[Step, ...]]:
        """When a statement node holds, and the triples that say so."""
        found = self._validity.get(node)
        if found is None:
            found = self._validity[node] = validity_of(self.graph, self.statements, node)
        return found

    def tense(self, property_: int) -> tuple[bool, bool]:
        """Whether a property says by its name that something was so, and whether it tells of what is done."""
        found = self._tenses.get(property_)
        if found is None:
            if property_ < 0:
                iri = next((iri for iri, number in self._own_ids.items() if number == property_), "")
                names = [(spoken_name(iri), True)]
            else:
                told = self.graph.named(property_)
                names = [(text, main) for text, lang, main in told if not rank_of(lang, self.graph.language)]
                names = names or [(label, True) for label in self.graph.labels(property_)[:1]]
            past = any(map(is_past, (text for text, main in names if main)))
            found = past and not any(is_present(text) for text, _ in names), any(is_done(text) for text, _ in names)
            self._tenses[property_] = found
        return found

    def same(self, entity: int) -> dict[int, Derivation]:
        """All that is the same as an entity (itself first), by owl:sameAs in either direction."""
        found = {entity: Derivation()}
        if self.same_as is None:
            return found
        graph, same_as = self.graph, self.same_as
        for item in (queue := [entity]):
            edges = [(o, Step(item, same_as, o, "sameAs")) for o in graph.objects(item, same_as)]
            edges += [(s, Step(s, same_as, item, "sameAs")) for s in graph.subjects(same_as, item)]
            for other, step in edges:
                if other not in found and not graph.is_literal(other):
                    found[other] = found[item].then(Derivation((step,)))
                    queue.append(other)
        return found

    # Facts that one state gives without any other goal

    def stated(self, subject: int, property_: int, *, flip: bool) -> _Found:
        """Values by plain triples and statement nodes of one property.

        A timed value hides its untimed triple, and a statement node is no value: it stands for its own subject.
        """
        timed: set[int] = set()
        past, done = self.tense(property_)
        bygone = Validity(None, None, property_, known=False) if past else None
        stated = list(self._by_statement(subject, property_, flip=flip))
        newest = None if flip else _newest(self.graph, stated)
        for value, valid, steps in stated:
            if valid is not None:
                timed.add(value)
                valid = replace(valid, latest=valid.node == newest) if newest is not None else valid
            yield value, _done(valid, done) or bygone, Derivation(steps)
        reifiers = self.statements.reifiers
        graph = self.graph
        values = graph.subjects(property_, subject) if flip else graph.objects(subject, property_)
        for value in values:
            if flip and any(self._starts(link, value) for link in self.links.get(property_, ())):
                continue
            s, o = (value, subject) if flip else (subject, value)
            if reifiers and (nodes := reifiers.get((s, property_, o))):
                for valid, steps in self._by_reifier((s, property_, o), nodes):
                    timed.add(value)
                    yield value, _done(valid, done), Derivation(steps)
            if value not in timed:
                yield value, bygone, Derivation((Step(s, property_, o, "asserted"),))

    def _by_statement(
        self, subject: int, property_: int, *, flip: bool
    ) -> Iterator[tuple[int, Validity | None, tuple[Step, ...]]]:
        graph = self.graph
        for link in self.links.get(property_, ()):
            started = graph.subjects(link.link, subject) if link.event else graph.objects(subject, link.link)
            for node in graph.subjects(link.value, subject) if flip else started:
                if node in self.statements.deprecated:
                    continue
                others = self._starts(link, node) if flip else graph.objects(node, link.value)
                valid, times = self.validity(node)
                for other in others:
                    s, o = (other, subject) if flip else (subject, other)
                    first = (
                        Step(node, link.link, s, "statement") if link.event else Step(s, link.link, node, "statement")
                    )
                    yield other, valid, (first, Step(node, link.value, o, "statement"), *times)

    def _starts(self, link: StatementLink, node: int) -> Sequence[int]:
        """The subjects of which a statement node speaks."""
        return self.graph.objects(node, link.link) if link.event else self.graph.subjects(link.link, node)

    def _by_reifier(
        self, triple: tuple[int, int, int], nodes: tuple[int, ...]
    ) -> Iterator[tuple[Validity, tuple[Step, ...]]]:
        for node in nodes:
            valid, times = self.validity(node)
            if valid is not None:
                yield valid, (Step(*triple, "asserted"), *times)


def _done(valid: Validity | None, done: bool) -> Validity | None:
    """A validity of a property that tells of what is done."""
    return replace(valid, done=True) if done and valid is not None else valid


def _newest(graph: Graph, stated: Sequence[_Stated]) -> int | None:
    """The node of the newest figure, where all that is stated are figures of points in time; None where it is not sure.

    A point that may be the same as another's, or cannot be read, leaves open which is newer.
    """
    points: dict[int, DateValue] = {}
    for value, valid, _ in stated:
        if valid is None or not valid.point or not valid.known or valid.first is None or graph.number(value) is None:
            return None
        points[valid.node] = valid.first
    ranked = sorted(points, key=lambda node: points[node].first or (0, 0, 0))
    if len(ranked) > 1 and (points[ranked[-2]].last or (0, 0, 0)) >= (points[ranked[-1]].first or (0, 0, 0)):
        return None
    return ranked[-1] if ranked else None


class Run:
    """One derivation run: solves a goal and all the goals it needs."""

    def __init__(self, rules: Rules, limit: int) -> None:
        self.rules = rules
        self.complete = True
        self._left = limit
        self._tables: dict[Goal, Table] = {}
        self._readers: dict[Goal, dict[Goal, None]] = {}
        self._agenda: dict[Goal, None] = {}

    def solve(self, goal: Goal) -> Table:
        """The table of a goal. ``complete`` tells afterwards whether nothing was cut."""
        self._open(goal)
        while self._agenda:
            # The latest goal first: what others wait for is settled before they are looked at again.
            current, _ = self._agenda.popitem()
            if self._evaluate(current):
                for reader in self._readers.get(current, ()):
                    self._agenda[reader] = None
        return self._tables[goal]

    def _open(self, goal: Goal) -> None:
        self._tables[goal] = {}
        self._agenda[goal] = None

    def _read(self, goal: Goal, reader: Goal) -> Table:
        if goal not in self._tables:
            self._open(goal)
        self._readers.setdefault(goal, {})[reader] = None
        return self._tables[goal]

    def _spend(self, amount: int = 1) -> bool:
        self._left -= amount
        if self._left < 0:
            self.complete = False
        return self._left >= 0

    def _evaluate(self, goal: Goal) -> bool:
        """Adds what follows now; whether the table grew."""
        table = self._tables[goal]
        before = len(table)
        subject, property_, flip = goal
        for state in self.rules.plan(property_, flip).states:
            tail = Derivation(state.axioms)
            found = self._transitive if state.property in self.rules.axioms.transitive else self._once
            for value, valid, derivation in found(subject, state, goal):
                if not self._spend():
                    return len(table) > before
                self._add(table, value, valid=valid, derivation=derivation.then(tail) if state.axioms else derivation)
        return len(table) > before

    def _add(self, table: Table, value: int, *, valid: Validity | None, derivation: Derivation) -> None:
        if (value, valid) in table:
            return
        if self.rules.same_as is None or self.rules.graph.is_literal(value):
            table[value, valid] = derivation
            return
        for other, sameness in self.rules.same(value).items():
            table.setdefault((other, valid), derivation.then(sameness))

    def _once(self, subject: int, state: State, reader: Goal) -> _Found:
        """Values of one state in one application of a rule."""
        for alias, sameness in self.rules.same(subject).items():
            for value, valid, derivation in self.rules.stated(alias, state.property, flip=state.flip):
                yield value, valid, sameness.then(derivation)
        for chain in self.rules.axioms.chains.get(state.property, ()):
            yield from self._chain(subject, chain, flip=state.flip, reader=reader)

    def _chain(self, subject: int, chain: Chain, *, flip: bool, reader: Goal) -> _Found:
        links = [(p, not turned) for p, turned in reversed(chain.links)] if flip else list(chain.links)
        frontier: Table = {(subject, None): Derivation()}
        for property_, turned in links:
            following: Table = {}
            for (entity, valid), derivation in frontier.items():
                if self.rules.graph.is_literal(entity) and not turned:
                    continue
                for (value, other), further in list(self._read((entity, property_, turned), reader).items()):
                    if not self._spend():
                        return
                    overlap, both = meet(valid, other)
                    if overlap:
                        following.setdefault((value, both), derivation.then(further))
            frontier = following
        axiom = Derivation(tuple(Step(*triple, "propertyChainAxiom") for triple in chain.triples))
        for (value, valid), derivation in frontier.items():
            yield value, valid, derivation.then(axiom)

    def _transitive(self, subject: int, state: State, reader: Goal) -> _Found:
        """Breadth-first closure over single applications of the property's own states."""
        axiom = Derivation((Step(*self.rules.axioms.transitive[state.property], "TransitiveProperty"),))
        states = self.rules.plan(state.property, state.flip).states
        reached: dict[Key, tuple[Derivation, bool]] = {}
        start = Derivation()
        queue: list[tuple[Key, Derivation]] = [((subject, None), start)]
        for (entity, valid), path in queue:
            for value, other, derivation in self._single(entity, states, reader):
                if not self._spend():
                    return
                overlap, both = meet(valid, other)
                key = (value, both)
                if overlap and key not in reached:
                    whole = path.then(derivation)
                    reached[key] = (whole, path is not start)
                    if not self.rules.graph.is_literal(value):
                        queue.append((key, whole))
        for (value, valid), (derivation, several) in reached.items():
            yield value, valid, derivation.then(axiom) if several else derivation

    def _single(self, entity: int, states: tuple[State, ...], reader: Goal) -> _Found:
        for state in states:
            tail = Derivation(state.axioms)
            for value, valid, derivation in self._once(entity, state, reader):
                yield value, valid, derivation.then(tail) if state.axioms else derivation
