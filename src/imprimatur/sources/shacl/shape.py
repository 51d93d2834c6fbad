"""What a shape is once it is compiled, and what it finds.

A ``Shape`` is a path, constraints, and nested property shapes; each constraint is a function over a view, a focus node
and its value nodes. A ``Route`` says how an added triple leads back to the focus nodes that it may affect (by
unification with one edge of a path or one pattern of a query, ignoring filters: an over-approximation, hence sound).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from imprimatur._dataclasses import dataclass
from imprimatur.sources.shacl import stepwise
from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.stepwise import Undecided
from imprimatur.sources.shacl.view import View

__all__ = [
    "ANY",
    "COMPILED",
    "FALLBACK",
    "RECURSIVE",
    "Broken",
    "Check",
    "Constraint",
    "Finding",
    "Route",
    "Shape",
    "Target",
]

#: A route that any predicate may take.
ANY = -1
COMPILED, FALLBACK = "compiled", "fallback"
#: Why a compiled shape is worth a remark: it refers to itself, or to a shape that does.
RECURSIVE = "recursive"


class Broken(NamedTuple):
    """What a constraint finds; ``focus`` and ``path`` only where they differ from the shape's."""

    component: str
    value: int | None = None
    path: str = ""
    constraint: str = ""
    said: tuple[str, ...] = ()
    focus: int | None = None


Check = Callable[[View, int, Sequence[int]], Iterable[Broken]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One validation result (W3C SHACL 3.6.2), by identifiers. Two runs give equal findings for the same fault."""

    shape: int
    focus: int
    path: str
    component: str
    value: int | None
    severity: str
    constraint: str = ""
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """From a triple with this predicate, from its object when ``inverted``, back to focus nodes.

    ``retypes``: from all instances of the triple's subject, which is a class that has a new superclass.
    ``everywhere``: it may affect every focus node.
    """

    predicate: int
    inverted: bool = False
    back: Path | None = None
    retypes: bool = False
    everywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One constraint of a shape.

    Attributes:
        kind: the component's local name without ``ConstraintComponent``.
        check: yields what is broken at a focus node with its value nodes.
        limits: what the constraint allows, as people read it.
        says: what a custom constraint component says of it, with its variables as ``{?x}``.
        inner: the shapes that it refers to.
        classes: the classes that it requires.
        at_focus: routes to the focus node. at_values: routes to the value nodes.
        by_absence: whether missing triples may break it.
    """

    kind: str
    check: Check
    limits: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    inner: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()
    at_focus: tuple[Route, ...] = ()
    at_values: tuple[Route, ...] = ()
    by_absence: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A target (W3C SHACL 2.1.3): ``class``, ``node``, ``subjectsOf`` or ``objectsOf``, and its term.

    ``target`` stands for one of SHACL Advanced Features, whose nodes are not known here.
    """

    kind: str
    term: int

    def covers(self, view: View, node: int) -> bool:
        """Whether the node is a focus node by this target."""
        match self.kind:
            case "node":
                return node == self.term
            case "class":
                return view.is_a(node, self.term)
            case "subjectsOf":
                return bool(view.objects(node, self.term))
            case "objectsOf":
                return bool(view.subjects(self.term, node))
        return False

    def nodes(self, view: View) -> Iterator[int]:
        """All focus nodes by this target; one may come several times."""
        match self.kind:
            case "node":
                yield self.term
            case "class":
                yield from view.instances(self.term)
            case "subjectsOf":
                yield from (s for s, _ in view.pairs(self.term))
            case "objectsOf":
                yield from (o for _, o in view.pairs(self.term))


@dataclass(slots=True, eq=False, kw_only=True)
class Shape:
    """A compiled shape; ``constraints``, ``properties``, ``way`` and ``why`` are filled in after it is made.

    Attributes:
        node: its IRI or blank node in the shapes graph.
        naming, labelling: give the name and label of a node; finding them may be dear.
        title: ``sh:name``, or empty.
        path_text: the path as an IRI or in SPARQL's notation; empty for a node shape.
        messages: ``sh:message``, sorted.
        way: how it runs, with all that it refers to: compiled or fallback. why: the reason for the latter, or
            ``RECURSIVE``.
        refers: whether it refers to other shapes.
        stepwise: whether it is recursive, or nested so deeply that ``stepwise`` must judge it.
        recursive: whether it refers to itself, directly or not.
        barred: why it may not be run at all; empty when it may.
    """

    index: int
    node: str
    naming: Callable[[str], str]
    labelling: Callable[[str], str]
    title: str = ""
    path: Path | None = None
    path_text: str = ""
    targets: tuple[Target, ...] = ()
    severity: str = "Violation"
    messages: tuple[str, ...] = ()
    active: bool = True
    constraints: tuple[Constraint, ...] = ()
    properties: tuple[Shape, ...] = ()
    way: str = COMPILED
    why: str = ""
    barred: str = ""
    refers: bool = True
    stepwise: bool = True
    recursive: bool = False

    @property
    def name(self) -> str:
        """Its stable name: the IRI; for a blank node that of the shape that holds it, "/" and a hash."""
        return self.naming(self.node)

    @property
    def label(self) -> str:
        """What people call it."""
        return self.labelling(self.node)

    def values(self, view: View, focus: int) -> Sequence[int]:
        """The value nodes of a focus node, each once."""
        return (focus,) if self.path is None else self.path.values(view, focus)

    def run(self, view: View, focus: int, found: list[Finding]) -> None:
        """Adds all results of validating the focus node to ``found``; notes in the view what is left undecided."""
        open_: set[tuple[int, int]] = set()
        seen: set[tuple[int, int]] = set()
        queue: list[tuple[Shape, int, bool]] = [(self, focus, True)]
        while queue:
            shape, node, enters = queue.pop()
            key = (shape.index, node)
            if not enters:
                open_.discard(key)
            elif key in open_:
                view.steps.circles[self.index, focus] = None
            elif shape.active and key not in seen:
                seen.add(key)
                values = shape._break(view, node, found, at=(self.index, focus))
                if shape.properties:
                    open_.add(key)
                    queue.append((shape, node, False))
                    queue += [(nested, value, True) for nested in shape.properties[::-1] for value in values[::-1]]

    def _break(self, view: View, focus: int, found: list[Finding], *, at: tuple[int, int]) -> Sequence[int]:
        """Adds what the own constraints find at a node, and gives its value nodes."""
        view.tick()
        values = self.values(view, focus)
        for constraint in self.constraints:
            try:
                for broken in constraint.check(view, focus, values):
                    found.append(self._finding(broken, focus))
            except Undecided:
                view.steps.circles[at] = None
        return values

    def _finding(self, broken: Broken, focus: int) -> Finding:
        return Finding(
            self.index,
            focus if broken.focus is None else broken.focus,
            broken.path or self.path_text,
            broken.component,
            broken.value,
            self.severity,
            broken.constraint,
            broken.said,
        )

    def conforms(self, view: View, focus: int) -> bool:
        """Whether validating the node gives no result; remembered for the view.

        Raises:
            Undecided: that rests on itself.
        """
        key = (self.index, focus)
        known = view.memo.get(key)
        if known is None:
            judged = stepwise.conforms(self, view, focus) if self.stepwise else self.examine(view, focus)
            known = view.memo[key] = judged
        return known

    def examine(self, view: View, focus: int) -> bool:
        """As ``conforms``, without remembering. What is broken for certain settles it, whatever else is undecided."""
        if not self.active:
            return True
        view.tick()
        values = self.values(view, focus)
        undecided: Undecided | None = None
        for constraint in self.constraints:
            try:
                for _ in constraint.check(view, focus, values):
                    return False
            except Undecided as reason:
                undecided = reason
        for nested in self.properties:
            # Shapes that refer to no others are judged again sooner than remembered.
            conforms = nested.conforms if nested.refers else nested.examine
            for value in values:
                try:
                    if not conforms(view, value):
                        return False
                except Undecided as reason:
                    undecided = reason
        if undecided is not None:
            raise undecided
        return True

    def covers(self, view: View, node: int) -> bool:
        """Whether the node is a focus node of the shape."""
        for target in self.targets:  # noqa: SIM110 (a generator takes twice as long)
            if target.covers(view, node):
                return True
        return False

    def has_focus(self, view: View) -> bool:
        """Whether there is any focus node."""
        return any(True for target in self.targets for _ in target.nodes(view))

    def focus_nodes(self, view: View) -> dict[int, None]:
        """All focus nodes, each once."""
        return dict.fromkeys(node for target in self.targets for node in target.nodes(view))
