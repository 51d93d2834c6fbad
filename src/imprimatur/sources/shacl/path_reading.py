"""Property paths read from a shapes graph (W3C SHACL 2.3.1), and written in SPARQL's notation and in Turtle."""

from __future__ import annotations

from imprimatur.sources.graph.terms import RDF, RdfLiteral, iri_text
from imprimatur.sources.shacl.facts import Facts
from imprimatur.sources.shacl.paths import Choice, Path, Series, Step, inverse, repeated
from imprimatur.sources.shacl.view import Term, Terms

__all__ = ["path_of", "path_text", "path_turtle"]

_DEEPEST = 50
#: So many IRIs may stand in a path once it is written out (parts of it may be shared).
_LONGEST = 10_000
_REPEATS = (("zeroOrMorePath", True, True), ("oneOrMorePath", True, False), ("zeroOrOnePath", False, True))
_FORMS = {"zeroOrMorePath": "({})*", "oneOrMorePath": "({})+", "zeroOrOnePath": "({})?", "inversePath": "^{}"}


def _length(facts: Facts, node: Term, known: dict[Term, int], depth: int = 0) -> int:
    """How many IRIs a path has when it is written out; too many for one that holds itself."""
    if isinstance(node, RdfLiteral) or not node.startswith("_:"):
        return 1
    if node not in known:
        known[node] = _LONGEST + 1
        if depth <= _DEEPEST:
            inside = sum(_length(facts, part, known, depth + 1) for part in _parts(facts, node))
            known[node] = min(inside, _LONGEST + 1)
    return known[node]


def _parts(facts: Facts, node: str) -> list[Term]:
    if facts.values(node, RDF + "first"):
        return facts.items(node)
    inside = [part for head in facts.sh(node, "alternativePath") for part in facts.items(head)]
    return inside + [part for name in _FORMS for part in facts.sh(node, name)]


def _is_too_long(facts: Facts, node: Term) -> bool:
    return _length(facts, node, {}) > _LONGEST


def path_of(facts: Facts, node: Term, terms: Terms, depth: int = 0) -> Path:
    """The path that ``node`` describes.

    Raises:
        ValueError: it is no well-formed path (or one that holds itself).
    """
    if depth == 0 and _is_too_long(facts, node):
        raise ValueError("a path is too long, nested too deeply, or holds itself")
    if isinstance(node, RdfLiteral) or depth > _DEEPEST:
        raise ValueError("a path is nested too deeply, or a literal")
    if not node.startswith("_:") and node != RDF + "nil":
        return Step(terms.number(node))
    if facts.values(node, RDF + "first"):
        parts = facts.items(node)
        read = tuple(path_of(facts, part, terms, depth + 1) for part in parts)
        return read[0] if len(read) == 1 else Series(read)
    for part in facts.sh(node, "inversePath"):
        return inverse(path_of(facts, part, terms, depth + 1))
    for head in facts.sh(node, "alternativePath"):
        return Choice(tuple(path_of(facts, part, terms, depth + 1) for part in facts.items(head)))
    for name, many, none in _REPEATS:
        for part in facts.sh(node, name):
            return repeated(path_of(facts, part, terms, depth + 1), many=many, none=none)
    raise ValueError("neither an IRI, a list, nor one of sh:inversePath, sh:alternativePath, sh:zeroOrMorePath, …")


def path_text(facts: Facts, node: Term, depth: int = 0) -> str:
    """A path as text: an IRI as it is, anything else in SPARQL's notation; empty for one that is not well-formed."""
    if isinstance(node, RdfLiteral) or depth > _DEEPEST or (depth == 0 and _is_too_long(facts, node)):
        return ""
    if facts.values(node, RDF + "first"):
        return "/".join(path_text(facts, part, depth + 1) for part in facts.items(node))
    for head in facts.sh(node, "alternativePath"):
        return "(" + "|".join(path_text(facts, part, depth + 1) for part in facts.items(head)) + ")"
    for name, form in _FORMS.items():
        for part in facts.sh(node, name):
            return form.format(path_text(facts, part, depth + 1))
    return node if depth == 0 else f"<{node}>"


def path_turtle(facts: Facts, node: Term, depth: int = 0) -> str:
    """A path in Turtle, as ``sh:resultPath`` gives it."""
    if isinstance(node, RdfLiteral) or depth > _DEEPEST:
        return "[]"
    if facts.values(node, RDF + "first"):
        return "( " + " ".join(path_turtle(facts, part, depth + 1) for part in facts.items(node)) + " )"
    for head in facts.sh(node, "alternativePath"):
        inside = " ".join(path_turtle(facts, part, depth + 1) for part in facts.items(head))
        return f"[ <http://www.w3.org/ns/shacl#alternativePath> ( {inside} ) ]"
    for name in _FORMS:
        for part in facts.sh(node, name):
            return f"[ <http://www.w3.org/ns/shacl#{name}> {path_turtle(facts, part, depth + 1)} ]"
    return iri_text(node)
