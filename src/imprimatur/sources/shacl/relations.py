"""Constraints that look beyond one value: pairs of properties, logic, other shapes, closed shapes (W3C SHACL 4.5-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from imprimatur.sources.graph.terms import RDF, RDFS
from imprimatur.sources.shacl.literals import compare
from imprimatur.sources.shacl.shape import ANY, Broken, Check, Constraint, Route, Shape
from imprimatur.sources.shacl.stepwise import Undecided
from imprimatur.sources.shacl.values import Unsupported, spoken, whole
from imprimatur.sources.shacl.view import Term, Terms, View

__all__ = ["closed", "every", "one_of", "opposite", "pair", "qualified"]

_Less = Callable[[int | None], bool]


def pair(term: Term, kind: str, terms: Terms) -> Constraint:
    """``sh:equals``, ``sh:disjoint``, ``sh:lessThan`` or ``sh:lessThanOrEquals``."""
    if not isinstance(term, str) or term.startswith("_:"):
        raise Unsupported(f"sh:{kind[0].lower()}{kind[1:]} is no property")
    predicate = terms.number(term)
    component = kind + "ConstraintComponent"

    def equals(view: View, focus: int, values: Sequence[int]) -> Iterator[Broken]:
        others = view.objects(focus, predicate)
        for value in set(values) ^ set(others):
            yield Broken(component, value)

    def disjoint(view: View, focus: int, values: Sequence[int]) -> Iterator[Broken]:
        for value in set(values).intersection(view.objects(focus, predicate)):
            yield Broken(component, value)

    allowed = (-1,) if kind == "LessThan" else (-1, 0)

    def less(view: View, focus: int, values: Sequence[int]) -> Iterator[Broken]:
        for other in view.objects(focus, predicate) if values else ():
            right = view.terms.value(other)
            for value in values:
                view.tick()
                left = view.terms.value(value)
                if left is None or right is None or compare(left, right) not in allowed:
                    yield Broken(component, value)

    check = {"Equals": equals, "Disjoint": disjoint}.get(kind, less)
    return Constraint(
        kind=kind, check=check, limits=(spoken(term),), at_focus=(Route(predicate),), by_absence=kind == "Equals"
    )


def _each(kind: str, keeps: Callable[[View, int], bool]) -> Check:
    """A check that every value node keeps the constraint; those that are undecided hide no others."""
    component = kind + "ConstraintComponent"

    def check(view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        undecided: Undecided | None = None
        for value in values:
            try:
                kept = keeps(view, value)
            except Undecided as reason:
                undecided = reason
                continue
            if not kept:
                yield Broken(component, value)
        if undecided is not None:
            raise undecided

    return check


def _settles(shapes: Sequence[Shape], view: View, value: int, *, by: bool) -> bool:
    """Whether the value conforms (or does not, as ``by`` says) to one of the shapes."""
    undecided: Undecided | None = None
    for shape in shapes:
        try:
            if shape.conforms(view, value) is by:
                return True
        except Undecided as reason:
            undecided = reason
    if undecided is not None:
        raise undecided
    return False


def every(kind: str, shapes: Sequence[Shape]) -> Constraint:
    """``sh:node`` (of one shape) or ``sh:and``: each value node conforms to all the shapes."""

    def keeps(view: View, value: int) -> bool:
        return not _settles(shapes, view, value, by=False)

    return Constraint(kind=kind, check=_each(kind, keeps), inner=_indexes(shapes))


def opposite(shape: Shape) -> Constraint:
    """``sh:not``."""

    def keeps(view: View, value: int) -> bool:
        return not shape.conforms(view, value)

    return Constraint(kind="Not", check=_each("Not", keeps), inner=(shape.index,))


def one_of(kind: str, shapes: Sequence[Shape]) -> Constraint:
    """``sh:or`` (at least one of the shapes) or ``sh:xone`` (exactly one)."""

    def keeps(view: View, value: int) -> bool:
        if kind == "Or":
            return _settles(shapes, view, value, by=True)
        return sum(shape.conforms(view, value) for shape in shapes) == 1

    return Constraint(kind=kind, check=_each(kind, keeps), inner=_indexes(shapes))


def qualified(shape: Shape, siblings: Sequence[Shape], least: Sequence[Term], most: Sequence[Term]) -> Constraint:
    """``sh:qualifiedValueShape`` with its counts; values that conform to a sibling shape do not count."""
    if len(least) > 1 or len(most) > 1 or not (least or most):
        raise Unsupported("sh:qualifiedValueShape needs one sh:qualifiedMinCount or sh:qualifiedMaxCount")
    low = whole(least[0], "qualifiedMinCount") if least else 0
    high = whole(most[0], "qualifiedMaxCount") if most else None

    def check(view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        number = sum(
            shape.conforms(view, value) and not any(sibling.conforms(view, value) for sibling in siblings)
            for value in values
        )
        if number < low:
            yield Broken("QualifiedMinCountConstraintComponent")
        if high is not None and number > high:
            yield Broken("QualifiedMaxCountConstraintComponent")

    counts = tuple(f"{name} {n}" for name, n in (("at least", low), ("at most", high)) if n)
    return Constraint(kind="Qualified", check=check, limits=counts, inner=_indexes([shape, *siblings]))


def closed(allowed: Sequence[str], terms: Terms) -> Constraint:
    """``sh:closed true``: no other properties than these. That all are resources (rdfs:Resource) may always be said."""
    numbers = frozenset(map(terms.number, allowed))
    always = (terms.number(RDF + "type"), terms.number(RDFS + "Resource"))

    def check(view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        for value in values:
            for predicate, object_ in view.out(value):
                if predicate not in numbers and (predicate, object_) != always:
                    path = view.terms.term(predicate)
                    yield Broken("ClosedConstraintComponent", object_, path=str(path))

    return Constraint(kind="Closed", check=check, at_values=(Route(ANY),))


def _indexes(shapes: Sequence[Shape]) -> tuple[int, ...]:
    return tuple(shape.index for shape in shapes)
