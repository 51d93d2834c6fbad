"""A CONSTRUCT query of the user's, read for one purpose: its solutions, page by page, and the triples they make.

The pattern is asked for as SELECT, whose results as JSON are whole or no JSON at all, and the template is filled here
(SPARQL 1.1, section 16.2: the same triples). Invariants: only a CONSTRUCT without SERVICE, FROM, escapes by code point,
modifiers and blank nodes in its template is taken; whatever else a text holds, it never reaches a server.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.remote.endpoint import Triple
from imprimatur.sources.remote.results import Row, Term
from imprimatur.sources.shacl.query_tokens import tokens_of
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["Construct", "read_construct"]

_HINT = "for instance CONSTRUCT { ?s ?p ?o } WHERE { ?s a <https://…/Bridge> ; ?p ?o }"
_REFUSED = {
    "SERVICE": "it would ask another server",
    "FROM": "it would name other graphs",
    "INSERT": "it would write",
    "DELETE": "it would write",
    "LOAD": "it would write",
    "CLEAR": "it would write",
    "DROP": "it would write",
    "CREATE": "it would write",
    "COPY": "it would write",
    "MOVE": "it would write",
    "ADD": "it would write",
}


@dataclass(frozen=True, slots=True)
class _Variable:
    """A place in the template."""

    name: str


#: A term of the template.
_Part = _Variable | str | RdfLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct:
    """A query: ``select`` gives its solutions in an order; ``triples`` what one of them makes."""

    select: str
    template: tuple[tuple[_Part, _Part, _Part], ...]

    def triples(self, row: Row) -> Iterator[Triple]:
        """The triples of a solution; one with an unbound place or a wrong kind of term is none (section 16.2)."""
        for parts in self.template:
            subject, predicate, value = (_filled(part, row) for part in parts)
            if isinstance(subject, str) and isinstance(predicate, str) and value is not None:
                yield subject, predicate, value


def _filled(part: _Part, row: Row) -> Term | None:
    return row.get(part.name) if isinstance(part, _Variable) else part


def read_construct(text: str, *, where: str) -> Construct:
    """The query of a file. Raises InputError where it is no CONSTRUCT, or one that is not taken."""
    tokens = _tokens(text, where)
    parsed, template = _parsed(text, where)
    extra = sorted(set(parsed.keys()) - {"template", "where"})
    if extra:
        hint = "leave LIMIT, OFFSET, ORDER BY, GROUP BY and VALUES out, or put them into a subquery; --most limits"
        raise InputError("the query has more than a template and a pattern", where=where, hint=hint)
    start = next(number for number, (kind, word) in enumerate(tokens) if kind == "word" and word.upper() == "CONSTRUCT")
    prologue = " ".join(word for _, word in tokens[:start])
    group = _last_group([word for _, word in tokens[start:]])
    parts = tuple(_triple(each, where) for each in template)
    names = sorted({part.name for each in parts for part in each if isinstance(part, _Variable)})
    if not names:
        raise InputError("the template has no variable", where=where, hint=_HINT)
    order = " ".join(f"STR(?{name}) LANG(?{name}) STR(DATATYPE(?{name}))" for name in names)
    shown = " ".join(f"?{name}" for name in names)
    return Construct(
        select=f"{prologue} SELECT DISTINCT {shown} WHERE {group} ORDER BY {order}".strip(), template=parts
    )


def _tokens(text: str, where: str) -> list[tuple[str, str]]:
    if "\\u" in text or "\\U" in text:
        raise InputError("escapes by code point are not taken", where=where, hint="write the characters themselves")
    try:
        tokens = tokens_of(text)
    except Unsupported as fault:
        raise InputError(f"is no query: {str(fault)[:100]}", where=where, hint=_HINT) from fault
    for kind, word in tokens:
        if kind == "word" and word.upper() in _REFUSED:
            raise InputError(f"{word.upper()} is not taken: {_REFUSED[word.upper()]}", where=where, hint=_HINT)
    return tokens


def _parsed(text: str, where: str) -> tuple[dict[str, object], list[tuple[object, object, object]]]:
    """The query as rdflib parses it, and its template."""
    from pyparsing import ParseException
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        parsed = parseQuery(text)
        if parsed[1].name != "ConstructQuery":
            raise InputError("is no CONSTRUCT query", where=where, hint=_HINT)
        algebra = translateQuery(parsed).algebra
    except ParseException as fault:
        message = f"is no query (line {fault.lineno}, column {fault.column})"
        raise InputError(message, where=where, hint=_HINT) from fault
    except InputError:
        raise
    except Exception as fault:  # rdflib raises errors of many kinds for queries that hang together badly
        raise InputError(f"is no query: {type(fault).__name__}", where=where, hint=_HINT) from fault
    template = algebra.template
    if template is None:  # CONSTRUCT WHERE: the pattern is the template (section 16.2.4)
        template = [triple for part in parsed[1].where.part for triple in _plain(part, where)]
    return dict(parsed[1]), list(template)


def _plain(part: object, where: str) -> list[tuple[object, object, object]]:
    """The triples of a pattern that is a template, too."""
    raise InputError("CONSTRUCT WHERE is not taken", where=where, hint="write the template out: CONSTRUCT { … } WHERE")


def _last_group(words: list[str]) -> str:
    """The text of the last group at the top level."""
    depth, start, last = 0, 0, ""
    for number, word in enumerate(words):
        if word == "{":
            start = number if depth == 0 else start
            depth += 1
        elif word == "}":
            depth -= 1
            if depth == 0:
                last = " ".join(words[start : number + 1])
    return last


def _triple(each: tuple[object, object, object], where: str) -> tuple[_Part, _Part, _Part]:
    subject, predicate, value = (_part(term, where) for term in each)
    return subject, predicate, value


def _part(term: object, where: str) -> _Part:
    from rdflib.term import Literal, URIRef, Variable

    if isinstance(term, Variable):
        return _Variable(str(term))
    if isinstance(term, URIRef):
        return str(term)
    if isinstance(term, Literal):
        datatype = RDF + "langString" if term.language else str(term.datatype or XSD + "string")
        return RdfLiteral(str(term), datatype, (term.language or "").lower())
    raise InputError("the template has a blank node", where=where, hint="name it by an IRI or a variable")
