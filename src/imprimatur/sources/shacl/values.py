"""Constraints that each value node keeps or breaks by itself, and those that count values (W3C SHACL 4.1-4.4, 4.8).

Each factory takes the value of a parameter and gives the constraint. What W3C SHACL does not allow there raises
``Unsupported``: then pySHACL judges the shape, and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from imprimatur.sources.graph.terms import INTEGER_TYPES, RDFS, XSD, RdfLiteral, parse_number, spoken_name
from imprimatur.sources.shacl.facts import SH
from imprimatur.sources.shacl.literals import compare, value_of, well_formed
from imprimatur.sources.shacl.patterns import SafePattern
from imprimatur.sources.shacl.shape import Broken, Check, Constraint, Route
from imprimatur.sources.shacl.view import Hierarchy, Term, Terms, View

__all__ = [
    "BadPattern",
    "Unsupported",
    "class_of",
    "count",
    "datatype",
    "extent",
    "has_value",
    "language_in",
    "length",
    "members",
    "node_kind",
    "pattern",
    "spoken",
    "unique_lang",
    "whole",
]

_Fits = Callable[[View, int], bool]
_checked = lru_cache(maxsize=65536)(well_formed)


class Unsupported(Exception):
    """The shape cannot be compiled; the text says why. A signal inside the compiler, never shown as an error."""


class BadPattern(ValueError):
    """A regular expression is malformed."""


def spoken(term: Term) -> str:
    """What a person calls a term of a shapes graph."""
    if isinstance(term, RdfLiteral):
        return term.lexical
    return "an unnamed thing" if term.startswith("_:") else spoken_name(term)


def _each(kind: str, fits: _Fits) -> Check:
    """A check that every value node fits."""
    component = kind + "ConstraintComponent"

    def check(view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        for value in values:
            if not fits(view, value):
                yield Broken(component, value)

    return check


def whole(term: Term, name: str, types: frozenset[str] = INTEGER_TYPES) -> int:
    """The parameter as a whole number that is not negative."""
    number = parse_number(term.lexical, term.datatype) if isinstance(term, RdfLiteral) else None
    if not isinstance(term, RdfLiteral) or number is None or term.datatype not in types or number < 0:
        raise Unsupported(f"sh:{name} is no whole number")
    return int(number)


def class_of(term: Term, terms: Terms, types: Hierarchy) -> Constraint:
    """``sh:class``."""
    if not isinstance(term, str):
        raise Unsupported("sh:class is a literal")
    kind = terms.number(term)
    return Constraint(
        kind="Class",
        check=_each("Class", lambda view, value: view.is_a(value, kind)),
        limits=(spoken(term),),
        classes=(kind,),
        at_values=(Route(types.type), Route(types.subclass, retypes=True)),
    )


def datatype(term: Term) -> Constraint:
    """``sh:datatype``."""
    if not isinstance(term, str):
        raise Unsupported("sh:datatype is a literal")

    def fits(view: View, value: int) -> bool:
        literal = view.terms.literal(value)
        if literal is None:
            return False
        if literal.datatype == term:
            return _checked(literal)
        return term == RDFS + "Literal" or (term == RDFS + "Datatype" and not literal.lang)

    return Constraint(kind="Datatype", check=_each("Datatype", fits), limits=(spoken(term),))


_KINDS = {
    "IRI": ("iri",),
    "BlankNode": ("blank",),
    "Literal": ("literal",),
    "BlankNodeOrIRI": ("blank", "iri"),
    "BlankNodeOrLiteral": ("blank", "literal"),
    "IRIOrLiteral": ("iri", "literal"),
}


def _kind(view: View, value: int) -> str:
    term = view.terms.term(value)
    if isinstance(term, RdfLiteral):
        return "literal"
    return "blank" if term.startswith("_:") else "iri"


def node_kind(term: Term) -> Constraint:
    """``sh:nodeKind``."""
    allowed = _KINDS.get(term.removeprefix(SH)) if isinstance(term, str) else None
    if allowed is None:
        raise Unsupported("sh:nodeKind is none of the six kinds")
    kinds = allowed
    return Constraint(
        kind="NodeKind",
        check=_each("NodeKind", lambda view, value: _kind(view, value) in kinds),
        limits=(spoken(term),),
    )


def extent(term: Term, kind: str) -> Constraint:
    """``sh:minExclusive`` and its like: a value that has no order with the limit breaks them (W3C SHACL 4.3)."""
    if not isinstance(term, RdfLiteral):
        raise Unsupported(f"sh:{kind[0].lower()}{kind[1:]} is no literal")
    limit = value_of(term)
    allowed = {
        "MinExclusive": (1,),
        "MinInclusive": (0, 1),
        "MaxExclusive": (-1,),
        "MaxInclusive": (-1, 0),
    }[kind]

    def fits(view: View, number: int) -> bool:
        value = view.terms.value(number)
        return value is not None and compare(value, limit) in allowed

    return Constraint(kind=kind, check=_each(kind, fits), limits=(term.lexical,))


def _string(view: View, value: int) -> str | None:
    """SPARQL's STR of a node; None for a blank node."""
    term = view.terms.term(value)
    if isinstance(term, RdfLiteral):
        return term.lexical
    return None if term.startswith("_:") else term


def length(term: Term, kind: str) -> Constraint:
    """``sh:minLength`` or ``sh:maxLength``, in code points."""
    limit = whole(term, kind[0].lower() + kind[1:])

    def fits(view: View, value: int) -> bool:
        text = _string(view, value)
        if kind == "MinLength":
            return limit == 0 or (text is not None and len(text) >= limit)
        return text is not None and len(text) <= limit

    return Constraint(kind=kind, check=_each(kind, fits), limits=(str(limit),))


def pattern(term: Term, flags: str) -> tuple[Constraint, SafePattern]:
    """``sh:pattern`` with ``sh:flags``, and the expression.

    Raises:
        BadPattern: it is no regular expression.
    """
    if not isinstance(term, RdfLiteral):
        raise Unsupported("sh:pattern is no literal")
    try:
        expression = SafePattern.of(term.lexical, flags)
    except re.error as error:
        raise BadPattern(f"bad sh:pattern {term.lexical[:200]}: {error}") from error

    def fits(view: View, value: int) -> bool:
        text = _string(view, value)
        return text is not None and expression.found_in(text, view.tick)

    return Constraint(kind="Pattern", check=_each("Pattern", fits), limits=(term.lexical,)), expression


def language_in(ranges: list[Term]) -> Constraint:
    """``sh:languageIn``: basic language ranges (RFC 4647)."""
    wanted = tuple(each.lexical.lower() for each in ranges if isinstance(each, RdfLiteral))
    if len(wanted) != len(ranges):
        raise Unsupported("sh:languageIn holds something that is no text")

    def fits(view: View, value: int) -> bool:
        literal = view.terms.literal(value)
        tag = literal.lang.lower() if literal is not None else ""
        return bool(tag) and any(each in ("*", tag) or tag.startswith(each + "-") for each in wanted)

    return Constraint(kind="LanguageIn", check=_each("LanguageIn", fits), limits=wanted)


def unique_lang(term: Term) -> Constraint | None:
    """``sh:uniqueLang``; None unless it is the term ``true`` (W3C SHACL 4.4.5)."""
    if not isinstance(term, RdfLiteral) or term.datatype != XSD + "boolean":
        raise Unsupported("sh:uniqueLang is no boolean")

    def check(view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        literals = [view.terms.literal(value) for value in values]
        tags = [literal.lang.lower() for literal in literals if literal is not None and literal.lang]
        if len(set(tags)) < len(tags):
            yield Broken("UniqueLangConstraintComponent")

    return Constraint(kind="UniqueLang", check=check) if term.lexical == "true" else None


def members(allowed: list[Term], terms: Terms) -> Constraint:
    """``sh:in``."""
    numbers = frozenset(map(terms.number, allowed))
    return Constraint(
        kind="In", check=_each("In", lambda _view, value: value in numbers), limits=tuple(map(spoken, allowed))
    )


def has_value(term: Term, terms: Terms) -> Constraint:
    """``sh:hasValue``."""
    wanted = terms.number(term)

    def check(_view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        if wanted not in values:
            yield Broken("HasValueConstraintComponent")

    return Constraint(kind="HasValue", check=check, limits=(spoken(term),), by_absence=True)


def count(term: Term, kind: str) -> Constraint:
    """``sh:minCount`` or ``sh:maxCount``."""
    limit = whole(term, kind[0].lower() + kind[1:], frozenset({XSD + "integer"}))
    component = kind + "ConstraintComponent"
    least = kind == "MinCount"

    def check(_view: View, _focus: int, values: Sequence[int]) -> Iterator[Broken]:
        if len(values) < limit if least else len(values) > limit:
            yield Broken(component)

    return Constraint(kind=kind, check=check, limits=(str(limit),), by_absence=least)
