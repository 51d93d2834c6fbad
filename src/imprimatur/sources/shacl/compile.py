"""Shapes compiled from the triples of shapes files (W3C SHACL Core, and SHACL-SPARQL constraints that allow it).

Malformed shapes are refused here with file and shape: bad paths, bad lists and bad regular expressions. A shape that
cannot be compiled, or that refers to one, is marked ``fallback`` with the reason; nothing that it says is passed over.
Shapes may be recursive (``stepwise`` judges them).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, RdfLiteral
from imprimatur.sources.shacl import values
from imprimatur.sources.shacl.components import Component, component_constraint, components_of
from imprimatur.sources.shacl.facts import SH, Facts, local
from imprimatur.sources.shacl.nesting import Nesting
from imprimatur.sources.shacl.parameters import ON_PROPERTIES, ONCE, PARAMETERS, is_true
from imprimatur.sources.shacl.path_reading import path_of, path_text
from imprimatur.sources.shacl.shape import FALLBACK, RECURSIVE, Constraint, Shape, Target
from imprimatur.sources.shacl.values import BadPattern, Unsupported
from imprimatur.sources.shacl.view import Hierarchy, Term, Terms

__all__ = ["Compiler", "compile_shapes"]

#: A chain of so many shapes is judged by calls; a longer one by ``stepwise``.
_DEEPEST = 15
_HINT = "mend the shape; see https://www.w3.org/TR/shacl/"
_TARGETS = {
    SH + "targetClass": "class",
    SH + "targetNode": "node",
    SH + "targetSubjectsOf": "subjectsOf",
    SH + "targetObjectsOf": "objectsOf",
    SH + "target": "target",
}
_SINGLES = (SH + "property", SH + "node", SH + "not", SH + "qualifiedValueShape")
_LISTS = (SH + "and", SH + "or", SH + "xone")
#: SHACL Advanced Features that are not compiled.
_ADVANCED = ("target", "expression", "js")
#: Properties of shapes that constrain nothing by themselves.
_SILENT = frozenset(
    """path flags ignoredProperties qualifiedMinCount qualifiedMaxCount qualifiedValueShapesDisjoint targetClass
    targetNode targetSubjectsOf targetObjectsOf message severity name description order group defaultValue deactivated
    property select parameter optional labelTemplate validator nodeValidator propertyValidator declare prefixes
    entailment suggestedShapesGraph shapesGraph shapesGraphWellFormed codeIdentifier agentInstruction intent
    rule""".split()
)


@dataclass(slots=True)
class Compiler:
    """Compiles the shapes of some facts, each once; the shapes refer to each other by object and index."""

    facts: Facts
    terms: Terms
    types: Hierarchy
    shapes: list[Shape] = field(default_factory=list)
    #: Shapes with a pattern that a backtracking search may never finish.
    hazards: set[int] = field(default_factory=set)
    #: Which shapes refer to which; known once all are filled in.
    nesting: Nesting = field(default_factory=lambda: Nesting([]))
    _known: dict[str, Shape] = field(default_factory=dict)
    _custom: frozenset[str] | None = None
    _components: tuple[Component, ...] = ()

    def shape(self, node: Term) -> Shape:
        """The shape of a node; compiled later, when all that it refers to can be named."""
        if not isinstance(node, str):
            raise Unsupported("a shape is a literal")
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._made(node)
            self.shapes.append(known)
        return known

    def _made(self, node: str) -> Shape:
        facts, about = self.facts, self.facts.about(node)
        paths, off = about.get(SH + "path"), about.get(SH + "deactivated")
        severity = next(iter(about.get(SH + "severity", ())), SH + "Violation")
        return Shape(
            index=len(self.shapes),
            node=node,
            naming=facts.name,
            labelling=facts.label,
            title=next((each.lexical for each in about.get(SH + "name", ()) if isinstance(each, RdfLiteral)), ""),
            path_text=path_text(facts, paths[0]) if paths else "",
            # Looking for a triple is cheaper than looking for a class.
            targets=tuple(sorted(self._targets(about, node), key=lambda target: target.kind == "class")),
            severity=severity.rpartition("#")[2] if isinstance(severity, str) else severity.lexical,
            messages=tuple(sorted(values.spoken(each) for each in about.get(SH + "message", ()))),
            active=not (off and all(map(is_true, off))),
        )

    def _targets(self, about: Mapping[str, Sequence[Term]], node: str) -> Iterator[Target]:
        for predicate, kind in _TARGETS.items():
            for term in about.get(predicate, ()):
                yield Target(kind, self.terms.number(term))
        kinds = about.get(RDF + "type", ())
        if RDFS + "Class" in kinds or OWL + "Class" in kinds:
            yield Target("class", self.terms.number(node))

    def fill(self, shape: Shape) -> None:
        """Reads the constraints of a shape; marks it when it cannot be compiled.

        Raises:
            KnowledgeBaseError: its path or a regular expression is malformed.
        """
        try:
            paths = self.facts.sh(shape.node, "path")
            if paths:
                shape.path = path_of(self.facts, paths[0], self.terms)
            shape.constraints = tuple(self._constraints(shape))
            shape.properties = tuple(self.shape(each) for each in self.facts.sh(shape.node, "property"))
            shape.refers = bool(shape.properties) or any(each.inner for each in shape.constraints)
            self._fits_together(shape)
        except BadPattern as error:
            raise KnowledgeBaseError(str(error), hint=_HINT, where=self._where(shape)) from error
        except Unsupported as reason:
            shape.way, shape.why = FALLBACK, str(reason)
        except ValueError as error:
            message = f"malformed sh:path or list: {error}"
            raise KnowledgeBaseError(message, hint=_HINT, where=self._where(shape)) from error

    def _where(self, shape: Shape) -> str:
        return f"{self.facts.where}: {shape.name}"

    def _fits_together(self, shape: Shape) -> None:
        """Raises Unsupported for what W3C SHACL does not allow, so that pySHACL says what is wrong."""
        facts = self.facts
        if len(facts.sh(shape.node, "path")) > 1 or len(facts.sh(shape.node, "deactivated")) > 1:
            raise Unsupported("sh:path or sh:deactivated is given twice")
        is_property = bool(shape.path_text)
        kinds = facts.values(shape.node, RDF + "type")
        if SH + ("NodeShape" if is_property else "PropertyShape") in kinds:
            raise Unsupported("its type is at odds with its sh:path")
        if any(not facts.sh(each.node, "path") for each in shape.properties):
            raise Unsupported("sh:property names a shape without sh:path")
        if not is_property and any(each.kind in ON_PROPERTIES for each in shape.constraints):
            raise Unsupported("a constraint is only allowed on property shapes")

    def _constraints(self, shape: Shape) -> Iterator[Constraint]:
        for predicate, given in self.facts.about(shape.node).items():
            name = local(predicate)
            if name in _ADVANCED and predicate != name:
                raise Unsupported(f"sh:{name} is a SHACL Advanced Feature")
            if predicate in self.custom():
                if predicate != name:
                    raise Unsupported("a custom constraint component has a parameter of SHACL's own")
                continue
            if predicate == name or name in _SILENT:
                continue
            if name not in PARAMETERS:
                raise Unsupported(f"sh:{name} is not known")
            if name in ONCE and len(given) > 1:
                raise Unsupported(f"sh:{name} is given twice")
            for value in given:
                made = PARAMETERS[name](self, shape, value)
                if made is not None:
                    yield made
        yield from self._by_components(shape)

    def _by_components(self, shape: Shape) -> Iterator[Constraint]:
        """The constraints of custom constraint components (W3C SHACL 6) whose parameters the shape has."""
        given = self.facts.about(shape.node)
        for component in self._components:
            if not component.parameters.keys().isdisjoint(given):
                made = component_constraint(self.facts, component, shape.node, terms=self.terms, path=shape.path)
                if made is not None:
                    yield made

    def custom(self) -> frozenset[str]:
        """The parameters of custom constraint components."""
        if self._custom is None:
            self._components = components_of(self.facts)
            self._custom = frozenset(path for each in self._components for path in each.parameters)
        return self._custom

    def inner(self, shape: Shape) -> Iterator[Shape]:
        """The shapes that a shape refers to directly, in any way."""
        about = self.facts.about(shape.node)
        for predicate in _SINGLES:
            yield from (self.shape(each) for each in about.get(predicate, ()) if isinstance(each, str))
        for value_shape in about.get(SH + "qualifiedValueShape", ()):
            yield from self.siblings(shape, value_shape)
        for predicate in _LISTS:
            for head in about.get(predicate, ()):
                yield from (self.shape(each) for each in self.facts.items(head) if isinstance(each, str))

    def siblings(self, shape: Shape, value_shape: Term) -> list[Shape]:
        """The sibling shapes of a qualified value shape (W3C SHACL 4.7.3), if it is to be disjoint with them."""
        facts = self.facts
        if not any(is_true(each) for each in facts.sh(shape.node, "qualifiedValueShapesDisjoint")):
            return []
        found = {
            sibling: None
            for parent in facts.subjects(SH + "property", shape.node)
            for property_shape in facts.sh(parent, "property")
            for sibling in facts.sh(property_shape, "qualifiedValueShape")
            if sibling != value_shape
        }
        return [self.shape(each) for each in found]


def compile_shapes(compiler: Compiler) -> tuple[Shape, ...]:
    """The shapes with targets that are not deactivated, by name; each with its way of running settled.

    Raises:
        KnowledgeBaseError: a shape is malformed.
    """
    facts = compiler.facts
    nodes = {s for predicate in _TARGETS for s in facts.subjects(predicate)}
    for kind in ("NodeShape", "PropertyShape"):
        nodes |= {s for s in facts.subjects(RDF + "type", SH + kind) if compiler.shape(s).targets}
    roots = sorted((compiler.shape(node) for node in nodes), key=lambda shape: shape.name)
    roots = [root for root in roots if root.active]
    advanced = any(True for name in ("expression", "js") for _ in facts.subjects(SH + name))
    nesting = compiler.nesting = Nesting(_fill_all(compiler, roots))
    for shape in compiler.shapes:
        shape.recursive = nesting.is_recursive(shape.index)
        shape.stepwise = shape.recursive or nesting.height(shape.index) > _DEEPEST
    recursive = nesting.lowest({shape.index for shape in compiler.shapes if shape.recursive})
    fallback = nesting.lowest({shape.index for shape in compiler.shapes if shape.way == FALLBACK})
    hazards = nesting.lowest(compiler.hazards)
    for root in roots:
        first = fallback[root.index]
        if advanced:
            root.way, root.why = FALLBACK, "the shapes hold Advanced Features that concern all of them"
        elif first is not None:
            root.way, root.why = FALLBACK, compiler.shapes[first].why
        elif recursive[root.index] is not None:
            root.why = RECURSIVE
        if root.way == FALLBACK and hazards[root.index] is not None:
            root.barred = f"{root.why}; and its sh:pattern may take for ever"
    return tuple(roots)


def _fill_all(compiler: Compiler, roots: Sequence[Shape]) -> list[list[int]]:
    """Fills in the shapes and all that they refer to; gives what each refers to, by index."""
    refers: dict[int, list[int]] = {}
    queue = list(roots)
    for shape in queue:
        if shape.index in refers:
            continue
        try:
            inner = list(compiler.inner(shape))
        except ValueError as error:
            where = f"{compiler.facts.where}: {shape.name}"
            raise KnowledgeBaseError(f"malformed list of shapes: {error}", hint=_HINT, where=where) from error
        compiler.fill(shape)
        refers[shape.index] = [each.index for each in inner]
        queue += [each for each in inner if each.index not in refers]
    return [refers.get(number, []) for number in range(len(compiler.shapes))]
