"""The constraint parameters that are compiled: each makes a constraint of its value at a shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl import relations, values
from imprimatur.sources.shacl.components import declared_prefixes
from imprimatur.sources.shacl.path_reading import path_of
from imprimatur.sources.shacl.shape import Constraint, Shape
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term

if TYPE_CHECKING:
    from imprimatur.sources.shacl.compile import Compiler

__all__ = ["ONCE", "ON_PROPERTIES", "PARAMETERS", "is_true"]


def is_true(term: Term) -> bool:
    """Whether the term is true as a boolean."""
    return isinstance(term, RdfLiteral) and term.datatype == XSD + "boolean" and term.lexical in ("true", "1")


_Maker = Callable[["Compiler", Shape, Term], Constraint | None]
#: Parameters that a shape may have once only.
ONCE = frozenset("""datatype nodeKind minCount maxCount minLength maxLength languageIn uniqueLang in closed""".split())
#: Kinds of constraints that only property shapes may have.
ON_PROPERTIES = ("MinCount", "MaxCount", "UniqueLang", "LessThan", "LessThanOrEquals")


def _members(compiler: Compiler, head: Term) -> list[Shape]:
    shapes = [compiler.shape(each) for each in compiler.facts.items(head)]
    if not shapes:
        raise Unsupported("a list of shapes is empty")
    return shapes


def _node(compiler: Compiler, _shape: Shape, value: Term) -> Constraint:
    if compiler.facts.sh(value, "path"):
        raise Unsupported("sh:node names a property shape")
    return relations.every("Node", [compiler.shape(value)])


def _qualified(compiler: Compiler, shape: Shape, value: Term) -> Constraint | None:
    if not shape.path_text:
        return None
    sh = compiler.facts.sh
    return relations.qualified(
        compiler.shape(value),
        compiler.siblings(shape, value),
        sh(shape.node, "qualifiedMinCount"),
        sh(shape.node, "qualifiedMaxCount"),
    )


def _closed(compiler: Compiler, shape: Shape, value: Term) -> Constraint | None:
    if not isinstance(value, RdfLiteral) or value.datatype != XSD + "boolean":
        raise Unsupported("sh:closed is no boolean")
    if not is_true(value):
        return None
    facts = compiler.facts
    allowed = [path for each in facts.sh(shape.node, "property") for path in facts.sh(each, "path")]
    for head in facts.sh(shape.node, "ignoredProperties"):
        allowed += facts.items(head)
    return relations.closed([path for path in allowed if isinstance(path, str)], compiler.terms)


def _pattern(compiler: Compiler, shape: Shape, value: Term) -> Constraint:
    flags = [each.lexical for each in compiler.facts.sh(shape.node, "flags") if isinstance(each, RdfLiteral)]
    made, expression = values.pattern(value, "".join(flags[:1]))
    if expression.may_explode:
        compiler.hazards.add(shape.index)
    return made


def _sparql(compiler: Compiler, shape: Shape, value: Term) -> Constraint | None:
    # Only shapes with queries need what reads and runs them.
    from imprimatur.sources.shacl.query import query_constraint
    from imprimatur.sources.shacl.query_reading import read_query

    facts = compiler.facts
    if any(is_true(each) for each in facts.sh(value, "deactivated")):
        return None
    selects = facts.sh(value, "select")
    if len(selects) != 1 or not isinstance(selects[0], RdfLiteral) or not isinstance(value, str):
        raise Unsupported("sh:sparql needs one sh:select")
    text = selects[0].lexical
    if "shapesGraph" in text:
        raise Unsupported("the query asks for the shapes graph")
    path = path_of(facts, facts.sh(shape.node, "path")[0], compiler.terms) if shape.path_text else None
    select = read_query(
        text, compiler.terms, declared_prefixes(facts, value), path=path, given={"?currentShape": shape.node}
    )
    said = [values.spoken(each) for each in facts.sh(value, "message")]
    return query_constraint(
        select, constraint=value, messages=(*said, *shape.messages), is_node_shape=not shape.path_text
    )


def _extent(kind: str) -> _Maker:
    return lambda _compiler, _shape, value: values.extent(value, kind)


def _pair(kind: str) -> _Maker:
    return lambda compiler, _shape, value: relations.pair(value, kind, compiler.terms)


#: Constraint parameters, by their local name in SHACL's vocabulary.
PARAMETERS: dict[str, _Maker] = {
    "class": lambda c, _, value: values.class_of(value, c.terms, c.types),
    "datatype": lambda _, __, value: values.datatype(value),
    "nodeKind": lambda _, __, value: values.node_kind(value),
    "minCount": lambda _, __, value: values.count(value, "MinCount"),
    "maxCount": lambda _, __, value: values.count(value, "MaxCount"),
    "minExclusive": _extent("MinExclusive"),
    "minInclusive": _extent("MinInclusive"),
    "maxExclusive": _extent("MaxExclusive"),
    "maxInclusive": _extent("MaxInclusive"),
    "minLength": lambda _, __, value: values.length(value, "MinLength"),
    "maxLength": lambda _, __, value: values.length(value, "MaxLength"),
    "pattern": _pattern,
    "languageIn": lambda c, _, value: values.language_in(c.facts.items(value)),
    "uniqueLang": lambda _, __, value: values.unique_lang(value),
    "equals": _pair("Equals"),
    "disjoint": _pair("Disjoint"),
    "lessThan": _pair("LessThan"),
    "lessThanOrEquals": _pair("LessThanOrEquals"),
    "not": lambda c, _, value: relations.opposite(c.shape(value)),
    "and": lambda c, _, value: relations.every("And", _members(c, value)),
    "or": lambda c, _, value: relations.one_of("Or", _members(c, value)),
    "xone": lambda c, _, value: relations.one_of("Xone", _members(c, value)),
    "node": _node,
    "qualifiedValueShape": _qualified,
    "closed": _closed,
    "hasValue": lambda c, _, value: values.has_value(value, c.terms),
    "in": lambda c, _, value: values.members(c.facts.items(value), c.terms),
    "sparql": _sparql,
}
