"""Whether a query that somebody else wrote may run: read-only, bounded, reading this graph by its own vocabulary.

The query is parsed (rdflib), and judged by its parse tree, never by its words. Refused are: everything but SELECT and
ASK; SERVICE, GRAPH and FROM; functions whose value changes or that make a value out of nothing (RAND, NOW, IF,
COALESCE, own functions); property paths without bound over many triples; patterns that match every triple; a query that
reads nothing of the graph, or answers with what it does not read; and every class, property and direction that the
ontology does not know (``sparql_terms``). All problems are told together, so that one repair may mend them.

Two parsers must not read one text differently: comments, escapes of characters and invisible characters are refused
before anything is parsed, and line ends are made one. What runs, runs on a copy of the graph in a process of its own
(``query_runner``), whatever this module has missed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imprimatur._expressions import expression
from imprimatur.retrieve.query_language import Refused
from imprimatur.retrieve.sparql_terms import Pattern, path_problems, patterns_of, term_problems
from imprimatur.sources.graph.schema import Schema

__all__ = ["Checked", "Refused", "check_query", "walk"]

_MOST_CHARACTERS = 8000
#: Deeper brackets than this are no question; the parser's time grows with their depth.
_MOST_DEEP = 8
_MOST_PATTERNS = 40
_HIDING = expression(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>"{}|^`\\\s]*>')
_ESCAPE = expression(r"\\[uU]")
_INVISIBLE = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
_OPEN, _CLOSE = "({[", ")}]"
_KINDS = ("SelectQuery", "AskQuery")
_FORBIDDEN = {
    "ServiceGraphPattern": "SERVICE asks another server",
    "GraphGraphPattern": "GRAPH is not known here: all triples are in one graph",
    "DatasetClause": "FROM is not known here: all triples are in one graph",
    "Builtin_RAND": "RAND changes from call to call",
    "Builtin_UUID": "UUID changes from call to call",
    "Builtin_STRUUID": "STRUUID changes from call to call",
    "Builtin_NOW": "NOW changes from call to call",
    "Builtin_BNODE": "BNODE makes a thing that is not in the graph",
    "Builtin_IRI": "IRI makes a thing out of a text",
    "Builtin_URI": "URI makes a thing out of a text",
    "Builtin_IF": "IF may answer with a value that is not in the graph",
    "Builtin_COALESCE": "COALESCE may answer with a value that is not in the graph",
}
_CASTS = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True, slots=True)
class Checked:
    """A query that may run, with its bound, and what it speaks of (IRIs)."""

    text: str
    asks: bool
    properties: tuple[str, ...]
    things: tuple[str, ...]


def check_query(text: str, schema: Schema, *, rows: int) -> Checked | Refused:
    """Whether a query may run over the graph of a schema, with at most so many rows."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    problem = _unreadable(text)
    if problem:
        return Refused((problem,))
    try:
        tree = _parsed(text)
        query = tree[1]
        if query.name not in _KINDS:
            return Refused((f"only SELECT and ASK are allowed, not {query.name.removesuffix('Query').upper()}",))
        # Before the translation, which takes filters out of the tree.
        problems = [*_forbidden(tree), *_dataset(query)]
        algebra = _translated(tree)
    except _NotParsed as fault:
        return Refused((str(fault),))
    problems += _own_functions(algebra)
    patterns = patterns_of(algebra)
    problems += _shape(query, algebra, patterns)
    if not problems:
        problems += [*path_problems(patterns, schema), *term_problems(patterns, schema)]
    if problems:
        return Refused(tuple(dict.fromkeys(problems)))
    asks = query.name == "AskQuery"
    bounded = text if asks or (query.limitoffset and query.limitoffset.limit) else f"{text}\nLIMIT {rows}"
    used = dict.fromkeys(iri for pattern in patterns for iri in pattern.properties)
    things = dict.fromkeys(iri for pattern in patterns for iri in pattern.things)
    return Checked(bounded, asks, tuple(used), tuple(things))


class _NotParsed(Exception):
    """The text is no query; says why."""


def _unreadable(text: str) -> str:
    """What keeps a text from being parsed at all; empty when nothing does."""
    if not text or len(text) > _MOST_CHARACTERS:
        return f"a query must have 1 to {_MOST_CHARACTERS:,} characters"
    if any(char not in "\n\t" and unicodedata.category(char) in _INVISIBLE for char in text):
        return "the query holds invisible characters"
    if _ESCAPE.search(text):
        return "write characters as they are, without \\u"
    bare = _HIDING.sub(" ", text)
    if "#" in bare:
        return "write no comments"
    depth = deepest = 0
    for char in bare:
        depth += (char in _OPEN) - (char in _CLOSE)
        deepest = max(deepest, depth)
    return f"brackets are nested deeper than {_MOST_DEEP}" if deepest > _MOST_DEEP else ""


def _parsed(text: str) -> Any:
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return parseQuery(text)
    except RecursionError:
        raise _NotParsed("the query is nested too deeply") from None
    except Exception as fault:  # pyparsing's and rdflib's many kinds, undocumented
        raise _NotParsed(f"the query cannot be parsed: {' '.join(str(fault).split())[:200]}") from None


def _translated(tree: Any) -> Any:
    from rdflib.plugins.sparql.algebra import translateQuery

    try:
        return translateQuery(tree).algebra
    except RecursionError:
        raise _NotParsed("the query is nested too deeply") from None
    except Exception as fault:  # as above
        raise _NotParsed(f"the query cannot be understood: {' '.join(str(fault).split())[:200]}") from None


def walk(node: Any) -> Iterator[Any]:
    """All nodes of a parse tree or an algebra, with their names; iterative, so that depth does not matter."""
    from rdflib.plugins.sparql.parserutils import CompValue

    waiting, seen = [node], set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, CompValue):
            if id(each) in seen:
                continue
            seen.add(id(each))
            yield each
            waiting.extend(each.values())
        elif isinstance(each, list | tuple | set) or type(each).__name__ == "ParseResults":
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())


def _forbidden(tree: Any) -> Iterator[str]:
    for node in walk(list(tree)):
        if node.name in _FORBIDDEN:
            yield _FORBIDDEN[node.name]


def _own_functions(algebra: Any) -> Iterator[str]:
    for node in walk(algebra):
        if node.name == "Function" and not str(node.iri).startswith(_CASTS):
            yield f"the function {str(node.iri)[:80]} is not known"


def _dataset(query: Any) -> Iterator[str]:
    if query.datasetClause:
        yield _FORBIDDEN["DatasetClause"]
    if query.valuesClause:
        yield "put VALUES inside WHERE"


def _shape(query: Any, algebra: Any, patterns: list[Pattern]) -> Iterator[str]:
    """What is wrong with how the query reads the graph."""
    from rdflib.term import Variable

    if all(pattern.filters for pattern in patterns):
        yield "the query reads nothing of the graph"
        return
    if len(patterns) > _MOST_PATTERNS:
        yield f"more than {_MOST_PATTERNS} patterns"
    if any(pattern.matches_all for pattern in patterns):
        yield "a pattern of three variables matches every triple: name the property, or one of its ends"
    read = {each for pattern in patterns if not pattern.filters for each in pattern.variables}
    for node in sorted(walk(algebra), key=lambda node: node.name != "AggregateJoin"):
        if node.name == "AggregateJoin":
            read |= {each.res for each in node.A}
        elif node.name == "Extend" and _variables(node.expr) & read:
            read.add(node.var)
    if query.name == "SelectQuery":
        for each in algebra.PV or ():
            if isinstance(each, Variable) and each not in read:
                yield f"?{each} is not read from the graph"


def _variables(expression: Any) -> set[Any]:
    from rdflib.term import Variable

    found = {expression} if isinstance(expression, Variable) else set()
    for node in walk(expression):
        found |= {each for each in node.values() if isinstance(each, Variable)}
        found |= {
            each for part in node.values() if isinstance(part, list) for each in part if isinstance(each, Variable)
        }
    return found
