"""Terms of claims as the outside gives them: N-Triples text, pyoxigraph terms or rdflib terms."""

from __future__ import annotations

import re
from functools import lru_cache

from imprimatur.errors import InputError
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl.view import Term

__all__ = ["term_of"]

#: Most literals need no parser: no escapes and no language tag.
_PLAIN_LITERAL = re.compile(r'"([^"\\\x00-\x1f]*)"(?:\^\^<([^<>"{}|^`\\\x00-\x20]+:[^<>"{}|^`\\\x00-\x20]*)>)?')
_PLAIN_IRI = re.compile(r'<[^<>"{}|^`\\\x00-\x20]+:[^<>"{}|^`\\\x00-\x20]*>')


def term_of(given: object) -> Term:
    """The term that is given.

    Raises:
        InputError: it is no IRI, blank node or literal.
    """
    if type(given) is str:
        return given[1:-1] if _PLAIN_IRI.fullmatch(given) else _literal(given)
    written = getattr(given, "n3", None)
    return _read(str(written())) if callable(written) else _of_oxigraph(given)


def _literal(text: str) -> Term:
    match = _PLAIN_LITERAL.fullmatch(text)
    return _read(text) if match is None else RdfLiteral(match.group(1), match.group(2) or XSD + "string")


@lru_cache(maxsize=4096)
def _read(text: str) -> Term:
    import pyoxigraph as ox

    try:
        quad = next(iter(ox.parse(f"<x:s> <x:p> {text} .", format=ox.RdfFormat.N_TRIPLES)))
    except (SyntaxError, StopIteration) as error:
        raise InputError(f"{text[:100]!r} is no N-Triples term", hint='write <iri>, _:b0 or "text"') from error
    return _of_oxigraph(quad.object)


def _of_oxigraph(term: object) -> Term:
    import pyoxigraph as ox

    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.BlankNode):
        return f"_:{term.value}"
    if isinstance(term, ox.Literal):
        return RdfLiteral(term.value, term.datatype.value, term.language or "")
    raise InputError(f"a triple of a claim cannot hold {str(term)[:100]!r}", hint="give IRIs, blank nodes or literals")
