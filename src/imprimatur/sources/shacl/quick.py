"""One triple against the shapes that its predicate touches, without a view of the graph where that is enough.

Most constraints are kept or broken by each value alone, or by how many there are. Where all that a triple can change at
its subject are such constraints on its own predicate, only its object is looked at, and what it breaks rests on it: the
finding goes when the triple goes. Any other shape is evaluated at the subject; that it is kept there is remembered for
triples that the graph holds. What is not settled here (``None``) is for ``blame``, which says the same, more slowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.paths import Step
from imprimatur.sources.shacl.shape import ANY, Constraint, Finding, Route, Shape
from imprimatur.sources.shacl.view import Edge, Terms, View

__all__ = ["Quick"]

#: Kinds that a value keeps or breaks by itself, in a time that does not depend on the data.
_OF_VALUES = frozenset(
    """Class Datatype NodeKind MinExclusive MinInclusive MaxExclusive MaxInclusive MinLength MaxLength LanguageIn
    In""".split()
)
#: Kinds that compare a value with those of another property of its subject.
_OF_PAIRS = frozenset({"LessThan", "LessThanOrEquals"})
_COUNTS = frozenset({"MinCount", "MaxCount"})
_REMEMBERED = 65_536


@dataclass(frozen=True, slots=True)
class _Own:
    """A property shape and those of its constraints that a triple may break by its object.

    Attributes:
        of_values: constraints that the object keeps or breaks by itself.
        others: of pairs and of how many values there are. against: those that compare the shape's values with the
            object, whose property is another one.
    """

    shape: Shape
    of_values: tuple[Constraint, ...] = ()
    others: tuple[Constraint, ...] = ()
    against: tuple[Constraint, ...] = ()


@dataclass(slots=True, eq=False)
class _Plan:
    """What is to be looked at when a triple with a certain predicate comes to a focus node of a shape.

    Attributes:
        own: what the triple may break by its object; None when the shape is evaluated whole.
        makes: whether the triple itself makes its subject a focus node; then any fault there may rest on it.
        fits: values of the graph for which the constraints of values are known to be kept or broken.
        kept: focus nodes of the graph where the shape is known to be kept.
    """

    root: Shape
    own: tuple[_Own, ...] | None
    makes: bool
    fits: dict[int, bool]
    kept: dict[int, bool]


class Quick:
    """Judges single triples over the graph of an engine."""

    __slots__ = ("_engine", "_first", "_graph", "_plans", "_sorts", "_type", "_view", "_wide")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._graph = engine.terms.graph
        self._first = engine.terms.first
        self._type = engine.types.type
        self._view = engine.view(engine.terms)
        self._plans: dict[int, tuple[_Plan, ...] | None] = {}
        #: Whether a node with exactly these types is a focus node of a shape, by its number.
        self._sorts: dict[tuple[int, Sequence[int]], bool] = {}
        self._wide = bool(engine.everywhere or engine.ways(ANY) or engine.fallback or engine.recursive)

    def findings(self, edge: Edge, terms: Terms, *, stored: bool, deadline: float) -> list[Finding] | None:
        """What rests on a triple of the graph, or one that is added to it; None when ``blame`` has to say.

        Raises:
            LimitExceeded: no time is left.
        """
        subject, predicate, object_ = edge
        if self._wide:
            return None
        plans = self._plans.get(predicate, ())
        if not plans:
            if plans is None or predicate in self._plans:
                return None if plans is None else []
            plans = self._planned(predicate)
            if plans is None:
                return None
        found: list[Finding] = []
        view: View | None = None
        for plan in plans:
            if stored and subject in plan.kept:
                continue
            if not plan.makes and not self._covered(plan.root, subject):
                continue
            if plan.own is not None:
                fits = plan.fits.get(object_)
                if fits is None:
                    fits = self._fits(plan, object_, terms)
                for finding in self._broken(plan, edge, terms, of_values=not fits):
                    if finding not in found:
                        found.append(finding)
                continue
            if view is None:
                view = self._engine.view(terms, added=() if stored else (edge,), deadline=deadline)
            if not plan.root.conforms(view, subject) or view.doubts:
                return None
            if stored:
                _remember(plan.kept, subject, True)
        return found

    def _covered(self, root: Shape, subject: int) -> bool:
        """Whether the node is a focus node of the shape in the graph as it is."""
        if subject >= self._first:
            return root.covers(self._view, subject)
        key = (root.index, self._graph.objects(subject, self._type))
        known = self._sorts.get(key)
        if known is None:
            known = root.covers(self._view, subject)
            if all(target.kind == "class" for target in root.targets):
                _remember(self._sorts, key, known)
        return known

    def _fits(self, plan: _Plan, value: int, terms: Terms) -> bool:
        """Whether a value keeps all constraints of values."""
        view = self._view if value < self._first else self._engine.view(terms)
        constraints = [each for own in plan.own or () for each in own.of_values]
        fits = not any(True for each in constraints for _ in each.check(view, value, (value,)))
        if value < self._first:
            _remember(plan.fits, value, fits)
        return fits

    def _broken(self, plan: _Plan, edge: Edge, terms: Terms, *, of_values: bool) -> Iterator[Finding]:
        """What the triple breaks; the constraints of values only where they are known to be broken."""
        subject, predicate, object_ = edge
        view = self._view if max(edge) < self._first else None
        for own in plan.own or ():
            for constraint in (*own.of_values, *own.others) if of_values else own.others:
                view = view or self._engine.view(terms)
                values: Sequence[int] = (object_,)
                if constraint.kind == "MaxCount":
                    known = self._graph.objects(subject, predicate) if max(subject, predicate) < self._first else ()
                    values = known if object_ in known else (*known, object_)
                yield from _found(own.shape, constraint, view, subject, values)
            if own.against:
                known = self._graph.objects(subject, predicate) if max(subject, predicate) < self._first else ()
                rivals = [(subject, predicate, each) for each in known if each != object_]
                alone = self._engine.view(terms, added=(edge,), removed=rivals)
                for constraint in own.against:
                    yield from _found(own.shape, constraint, alone, subject, own.shape.values(alone, subject))

    # Plans

    def _planned(self, predicate: int) -> tuple[_Plan, ...] | None:
        """The plans for a predicate; None when a triple with it may change more than what is at its subject."""
        engine = self._engine
        ways = engine.ways(predicate)
        simple = predicate not in (self._type, engine.types.subclass)
        if not simple or any(_is_far(way.route) for way in ways):
            plans = None
        else:
            roots = {way.root.index: way.root for way in ways}
            plans = tuple(self._plan(root, predicate) for root in roots.values())
        self._plans[predicate] = plans
        return plans

    def _plan(self, root: Shape, predicate: int) -> _Plan:
        makes = any(target.kind == "subjectsOf" and target.term == predicate for target in root.targets)
        return _Plan(root, self._own(root, predicate, makes=makes), makes, {}, {})

    def _own(self, root: Shape, predicate: int, *, makes: bool) -> tuple[_Own, ...] | None:
        if root.path is None and root.constraints:
            return None
        found = []
        for shape in (root,) if root.path is not None else root.properties:
            if not shape.active:
                continue
            if not isinstance(shape.path, Step) or shape.path.inverted or shape.properties:
                return None
            reads = [each for each in shape.constraints if any(r.predicate == predicate for r in each.at_focus)]
            if shape.path.predicate != predicate:
                # What another property has stays as it is, unless it is compared with this one, or looked at because
                # of the triple.
                if makes or not all(each.kind in _OF_PAIRS for each in reads):
                    return None
                if reads:
                    found.append(_Own(shape, against=tuple(reads)))
                continue
            kinds = {each.kind for each in shape.constraints}
            if reads or (makes and "MinCount" in kinds) or not kinds <= _OF_VALUES | _OF_PAIRS | _COUNTS:
                return None
            of_values = tuple(each for each in shape.constraints if each.kind in _OF_VALUES)
            others = tuple(each for each in shape.constraints if each.kind in _OF_PAIRS or each.kind == "MaxCount")
            found.append(_Own(shape, of_values, others))
        return tuple(found)


def _found(shape: Shape, constraint: Constraint, view: View, focus: int, values: Sequence[int]) -> Iterator[Finding]:
    for broken in constraint.check(view, focus, values):
        yield Finding(shape.index, focus, shape.path_text, broken.component, broken.value, shape.severity)


def _is_far(route: Route) -> bool:
    """Whether it leads from a triple to other nodes than its subject."""
    return route.inverted or route.back is not None or route.retypes or route.everywhere


def _remember(table: dict, key: object, value: bool) -> None:  # type: ignore[type-arg]
    if len(table) >= _REMEMBERED:
        table.clear()
    table[key] = value
