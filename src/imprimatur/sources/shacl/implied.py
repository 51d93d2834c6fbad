"""What compiled shapes imply of each property: at most one value, ranges, classes, allowed values, disjoint properties.

Only what holds for every use of a property is taken: a shape counts when it is active and of severity Violation, when
the property shape hangs on it directly with a plain path, and when every subject of the property in the graph is among
its targets (``sh:targetSubjectsOf`` of that property, or a class that all its subjects belong to). A property that no
triple has is covered by ``sh:targetSubjectsOf`` alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from imprimatur.sources.graph.shape_digest import Bound, Implied
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.paths import Step
from imprimatur.sources.shacl.shape import Shape
from imprimatur.sources.shacl.view import Term, View

__all__ = ["implied_by"]

_BOUNDS = {"minExclusive": ">", "minInclusive": ">=", "maxExclusive": "<", "maxInclusive": "<="}


def implied_by(engine: Engine) -> tuple[Implied, ...]:
    """What the shapes imply, by property."""
    view = engine.view(engine.scope())
    found: dict[str, list[Shape]] = defaultdict(list)
    for shape, predicate in _direct(engine):
        iri = engine.terms.term(predicate)
        if isinstance(iri, str) and shape not in found[iri]:
            found[iri].append(shape)
    covered = {iri: [shape for shape in shapes if _covers(engine, shape, iri, view)] for iri, shapes in found.items()}
    return tuple(_implied(engine, iri, shapes) for iri, shapes in sorted(covered.items()) if shapes)


def _counts(shape: Shape) -> bool:
    return shape.active and shape.severity == "Violation"


def _direct(engine: Engine) -> Iterator[tuple[Shape, int]]:
    """Property shapes with a plain path that hang on a shape with targets, or have targets themselves."""
    for root in engine.roots:
        for shape in (root, *root.properties) if root.path is None else (root,):
            if _counts(root) and _counts(shape) and isinstance(shape.path, Step) and not shape.path.inverted:
                yield shape, shape.path.predicate


def _covers(engine: Engine, shape: Shape, iri: str, view: View) -> bool:
    """Whether all subjects of the property are targets of the shape, or of one that it hangs on."""
    predicate = engine.terms.number(iri)
    owners = [root for root in engine.roots if _counts(root) and (root is shape or shape in root.properties)]
    targets = [target for root in owners for target in root.targets]
    if any(target.kind == "subjectsOf" and target.term == predicate for target in targets):
        return True
    subjects = dict.fromkeys(subject for subject, _ in view.pairs(predicate))
    return bool(subjects) and all(any(target.covers(view, each) for target in targets) for each in subjects)


def _implied(engine: Engine, iri: str, shapes: list[Shape]) -> Implied:
    facts = engine.facts

    def values(name: str) -> Iterator[Term]:
        for shape in shapes:
            yield from facts.sh(shape.node, name)

    def iris(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for value in values(name) if isinstance(value, str)))

    lists = [facts.items(head) for head in values("in")]
    allowed = [value for value in lists[0] if all(value in each for each in lists)] if lists else []
    return Implied(
        property=iri,
        single=any(isinstance(value, RdfLiteral) and value.lexical in ("1", "0") for value in values("maxCount")),
        bounds=tuple(
            Bound(mark=mark, limit=limit)
            for name, mark in _BOUNDS.items()
            for limit in values(name)
            if isinstance(limit, RdfLiteral)
        ),
        classes=iris("class"),
        datatypes=iris("datatype"),
        allowed=tuple(allowed),
        disjoint=iris("disjoint"),
        below=iris("lessThan"),
        shapes=tuple(shape.name for shape in shapes),
    )
