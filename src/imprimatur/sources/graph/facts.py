"""Entailed facts: what follows from a graph, the asserted triples it follows from, and when it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.statements import Statements
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import TRUST_CLASSES, Origin, iri_text
from imprimatur.values import DateValue

__all__ = ["Fact", "Step", "Validity", "describe", "meet", "origins", "trust", "validity_of"]


class Step(NamedTuple):
    """An asserted triple (identifiers) and the rule that uses it: ``asserted`` for a plain fact, ``validity`` for a
    time, else the RDFS or OWL term, ``statement`` or ``reifies``.

    A tuple, for one is made with every fact and a frozen dataclass takes three times as long to make.
    """

    s: int
    p: int
    o: int
    rule: str


@dataclass(frozen=True, slots=True)
class Validity:
    """When a fact holds: first and last date, each None when the graph does not give it.

    ``node`` is the statement node or reifier that says so. ``known`` is False when the graph gives a time that cannot
    be read, or says by its name alone that it was so: then the fact held at some time, and nothing follows for any
    given day. A ``point`` is a time at which it held: nothing is known of before and after. ``done``: what is said was
    done then, once and for all (``tenses.is_done``). ``latest``: it is a figure of a point, and the newest there is.
    """

    first: DateValue | None
    last: DateValue | None
    node: int
    known: bool = True
    point: bool = False
    done: bool = False
    latest: bool = False

    @property
    def single(self) -> bool:
        """Whether it is one day, month or year."""
        return self.first is not None and self.first == self.last


class Fact(NamedTuple):
    """``subject property object``; with ``inverse`` the graph says ``object property subject``. A tuple as ``Step`` is.

    ``object`` is always the value that was asked for. ``steps`` are the asserted triples used, in order, axioms after
    the facts that they are applied to.
    """

    subject: int
    property: str
    object: int
    steps: tuple[Step, ...]
    valid: Validity | None = None
    inverse: bool = False


def validity_of(graph: Graph, statements: Statements, node: int) -> tuple[Validity | None, tuple[Step, ...]]:
    """When the statement of a node holds, with the triples that say so; None when it carries no time."""
    times = statements.times
    firsts: list[DateValue] = []
    lasts: list[DateValue] = []
    points: list[DateValue] = []
    steps: list[Step] = []
    known, ends = True, False
    for predicate, value in graph.out(node):
        if predicate not in times.first and predicate not in times.last and predicate not in times.point:
            continue
        steps.append(Step(node, predicate, value, "validity"))
        ends = ends or predicate not in times.point
        date = _date(graph, value, steps)
        if date is None:
            known = False
            continue
        side = firsts if predicate in times.first else lasts if predicate in times.last else points
        side.append(date)
    if not steps:
        return None, ()
    if not ends:
        firsts = lasts = points
    # Of several dates for one end the narrowest interval is taken: it never says more than the graph does.
    first = max(firsts, key=_low, default=None)
    last = min(lasts, key=_high, default=None)
    known = known and _agree(firsts) and _agree(lasts) and not (first and last and _low(first) > _high(last))
    return Validity(first, last, node, known, not ends), tuple(steps)


def _agree(told: list[DateValue]) -> bool:
    """Whether some dates may be one, told more and less exactly."""
    return max(map(_low, told), default=(0, 1, 1)) <= min(map(_high, told), default=(0, 1, 1))


def _date(graph: Graph, value: int, steps: list[Step]) -> DateValue | None:
    if graph.is_literal(value):
        return graph.date(value)
    # An OWL-Time instant (or any node): its first dated literal.
    for predicate, inner in graph.out(value):
        date = graph.date(inner)
        if date is not None:
            steps.append(Step(value, predicate, inner, "validity"))
            return date
    return None


def _low(date: DateValue) -> tuple[int, int, int]:
    return date.first or (-(10**9), 1, 1)


def _high(date: DateValue) -> tuple[int, int, int]:
    return date.last or (10**9, 12, 31)


def meet(left: Validity | None, right: Validity | None) -> tuple[bool, Validity | None]:
    """Whether two validities may overlap, and what they have in common (None: no time is given)."""
    if left is None or right is None:
        return True, left or right
    first = max((d for d in (left.first, right.first) if d is not None), key=_low, default=None)
    last = min((d for d in (left.last, right.last) if d is not None), key=_high, default=None)
    if first is not None and last is not None and _low(first) > _high(last):
        return False, None
    both = Validity(first, last, left.node, left.known and right.known)
    return True, replace(both, point=left.point or right.point, done=left.done and right.done)


def describe(graph: Graph, fact: Fact) -> str:
    """The fact in N-Triples; after ``<=`` the triples it follows from, each with its rule."""
    ends = (fact.object, fact.subject) if fact.inverse else (fact.subject, fact.object)
    conclusion = f"{graph.n3(ends[0])} {iri_text(fact.property)} {graph.n3(ends[1])} ."
    if len(fact.steps) == 1 and fact.steps[0].rule == "asserted":
        return conclusion
    reasons = "; ".join(f"{graph.n3(x.s)} {graph.n3(x.p)} {graph.n3(x.o)} . [{x.rule}]" for x in fact.steps)
    return f"{conclusion} <= {reasons}"


def origins(graph: Graph, steps: Iterable[Step]) -> tuple[Origin, ...]:
    """Where the asserted triples of some steps come from, each origin once, in order."""
    return tuple(dict.fromkeys(graph.origin(step.s, step.p, step.o) for step in steps))


def trust(graph: Graph, fact: Fact) -> str:
    """The trust class of a fact: the least trusted one among its steps."""
    ranks = [TRUST_CLASSES.index(origin.trust) for origin in origins(graph, fact.steps)]
    return TRUST_CLASSES[max(ranks, default=0)]
