"""SPARQL-based constraint components (W3C SHACL 6) compiled into look-ups.

A component applies to a shape that has all its mandatory parameters; these stand in its query for their values. As
pySHACL does, the query is run once for each value node with ``$value`` bound, and a property shape's result of an ASK
validator names no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.terms import RDF, RDFS, RdfLiteral
from imprimatur.sources.shacl.facts import SH, Facts
from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.shape import Broken, Check, Constraint
from imprimatur.sources.shacl.values import Unsupported, spoken
from imprimatur.sources.shacl.view import Term, Terms, View

if TYPE_CHECKING:
    from imprimatur.sources.shacl.query import Query

__all__ = ["Component", "component_constraint", "components_of", "declared_prefixes"]

_RESERVED = frozenset(("this", "shapesGraph", "currentShape", "path", "PATH", "value"))
_PREBOUND = ("?this", "?value")


@dataclass(frozen=True, slots=True)
class Component:
    """A component's node, and its parameters' paths: whether each is mandatory."""

    node: str
    parameters: dict[str, bool]


def declared_prefixes(facts: Facts, node: Term) -> dict[str, str]:
    """The prefixes that ``sh:prefixes`` of a query names, over those of the files."""
    declared = {
        str(prefix.lexical): namespace.lexical if isinstance(namespace, RdfLiteral) else namespace
        for owner in facts.sh(node, "prefixes")
        for each in facts.sh(owner, "declare")
        for prefix in facts.sh(each, "prefix")
        for namespace in facts.sh(each, "namespace")
        if isinstance(prefix, RdfLiteral)
    }
    return {**facts.prefixes, **declared}


def components_of(facts: Facts) -> tuple[Component, ...]:
    """All components that are declared outside of SHACL's own vocabulary."""
    kinds = {SH + "ConstraintComponent", *facts.subjects(RDFS + "subClassOf", SH + "ConstraintComponent")}
    nodes = {node: None for kind in sorted(kinds) for node in facts.subjects(RDF + "type", kind)}
    return tuple(
        Component(
            node,
            {
                str(path): not any(value.lexical in ("true", "1") for value in _literals(facts, parameter, "optional"))
                for parameter in facts.sh(node, "parameter")
                for path in facts.sh(parameter, "path")
            },
        )
        for node in nodes
        if not node.startswith(SH)
    )


def _literals(facts: Facts, node: Term, name: str) -> list[RdfLiteral]:
    return [each for each in facts.sh(node, name) if isinstance(each, RdfLiteral)]


def component_constraint(
    facts: Facts, component: Component, shape: str, *, terms: Terms, path: Path | None
) -> Constraint | None:
    """The constraint that a component makes of a shape; None when it does not apply.

    Raises:
        Unsupported: it cannot be compiled.
    """
    given: dict[str, Term] = {}
    for parameter, mandatory in component.parameters.items():
        values = facts.values(shape, parameter)
        if mandatory and not values:
            return None
        if len(values) > 1:
            raise Unsupported("a parameter of a custom constraint component is given twice")
        name = _local(parameter)
        if name in _RESERVED or "?" + name in given or not name.isidentifier():
            raise Unsupported(f"a custom constraint component has a parameter called {name!r}")
        if values:
            given["?" + name] = values[0]
    if not any(component.parameters.values()) or component.node.startswith("_:"):
        raise Unsupported("a custom constraint component has no name or no mandatory parameter")
    validator, form = _validator(facts, component.node, is_property=path is not None)
    return _made(facts, component.node, validator, form, given=given, terms=terms, path=path)


def _local(path: str) -> str:
    return path.partition("#")[2] or path.rpartition("/")[2]


def _validator(facts: Facts, component: str, *, is_property: bool) -> tuple[Term, str]:
    """The validator for the kind of shape, and the form of its query (W3C SHACL 6.2.3)."""
    special = facts.sh(component, "propertyValidator" if is_property else "nodeValidator")
    found, form = (special, "SELECT") if special else (facts.sh(component, "validator"), "ASK")
    if len(found) != 1:
        raise Unsupported("a custom constraint component has no validator for the shape, or several")
    kinds = facts.values(found[0], RDF + "type")
    other = "Ask" if form == "SELECT" else "Select"
    if f"{SH}SPARQL{other}Validator" in kinds or len(facts.sh(found[0], form.lower())) != 1:
        raise Unsupported(f"the validator of a custom constraint component needs one sh:{form.lower()}")
    return found[0], form


def _made(
    facts: Facts, component: str, node: Term, form: str, *, given: dict[str, Term], terms: Terms, path: Path | None
) -> Constraint:
    # Only shapes with such components need what reads and runs queries.
    from imprimatur.sources.shacl.query import Query, filled
    from imprimatur.sources.shacl.query_absence import by_absence
    from imprimatur.sources.shacl.query_reading import read_query
    from imprimatur.sources.shacl.query_routes import query_routes

    (text,) = facts.sh(node, form.lower())
    if not isinstance(text, RdfLiteral) or "shapesGraph" in text.lexical:
        raise Unsupported("the query of a validator is no text, or asks for the shapes graph")
    prefixes = declared_prefixes(facts, node)
    query = Query(
        read_query(text.lexical, terms, prefixes, form=form, path=path, given=given, prebound=_PREBOUND), _PREBOUND
    )
    at_focus, at_values = query_routes(query.select, of_values=True)
    ask = form == "ASK"
    return Constraint(
        kind=component.removesuffix("ConstraintComponent"),
        check=_asked(query, component, path is None) if ask else _selected(query, component, path is None),
        limits=tuple(sorted(map(spoken, given.values()))),
        says=tuple(sorted(filled(each.lexical, given) for each in _literals(facts, node, "message"))),
        at_focus=at_focus,
        at_values=at_values,
        # What an ASK validator asks for is missing; without patterns it only looks at the value.
        by_absence=bool(at_focus or at_values) if ask else by_absence(query.select),
    )


def _asked(query: Query, component: str, is_node_shape: bool) -> Check:
    def check(view: View, focus: int, values: Sequence[int]) -> Iterator[Broken]:
        for value in values:
            if not query.holds(view, {"?this": focus, "?value": value}):
                yield Broken(component, value if is_node_shape else None)

    return check


def _selected(query: Query, component: str, is_node_shape: bool) -> Check:
    def check(view: View, focus: int, values: Sequence[int]) -> Iterator[Broken]:
        seen: set[Broken] = set()
        for value in values:
            for terms in query.rows(view, {"?this": focus, "?value": value}):
                broken = _broken(terms, value if is_node_shape else None, view, component)
                if broken is not None and broken not in seen:
                    seen.add(broken)
                    yield broken

    return check


def _broken(terms: dict[str, Term], value: int | None, view: View, component: str) -> Broken | None:
    if terms.keys().isdisjoint(("?this", "?path", "?value")):
        return None
    path, this = terms.get("?path"), terms.get("?this")
    return Broken(
        component,
        view.terms.number(terms["?value"]) if "?value" in terms else value,
        path=path if isinstance(path, str) else "",
        focus=None if this is None else view.terms.number(this),
    )
