"""Reads a SPARQL query for compiling: SELECT over patterns, FILTER, OPTIONAL, UNION, BIND, EXISTS.

Contract: a query is read whole or refused (``Unsupported``), with the reason: nothing in it is passed over. Refused are
sub-queries, GRAPH, SERVICE, MINUS, VALUES, aggregates, solution modifiers and negated property sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.shacl.paths import Choice, Path, Repeat, Series, Step, inverse
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Constant,
    Element,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Node,
    Pattern,
    Select,
    Union,
    Variable,
)
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, Terms

__all__ = ["read_select"]

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|\#[^\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<variable>[?$]\w+)
    |(?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''
        |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)
    |(?P<blank>_:\w+)
    |(?P<prefixed>(?:[^\W\d_][\w\-]*)?:(?:[\w:%\-]|\\[_~.\-!$&'()*+,;=/?\#@%]|\.(?=[\w:%\-]))*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<mark>\^\^|&&|\|\||!=|<=|>=|[{}()\[\].;,=<>!+\-*/^|?])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_LONGEST = 100_000
_DEEPEST = 60


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if code[0] in "uU" and len(code) > 1 else _ESCAPED.get(code, code)

    return _ESCAPE.sub(one, text)


def _tokens(text: str) -> list[tuple[str, str]]:
    found, place = [], 0
    if len(text) > _LONGEST:
        raise Unsupported("the query is too long")
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise Unsupported(f"the query holds {text[place : place + 10]!r}")
        if match.lastgroup != "space":
            found.append((match.lastgroup, match.group()))
        place = match.end()
    return found


def read_select(text: str, terms: Terms, prefixes: Mapping[str, str], path: Path | None) -> Select:
    """The query; ``path`` is what ``$PATH`` stands for.

    Raises:
        Unsupported: it holds something that is not compiled, or it is malformed.
    """
    try:
        return _Reader(_tokens(text), terms, dict(prefixes), path).select()
    except (IndexError, ValueError, OverflowError) as error:
        raise Unsupported("the query cannot be read") from error


class _Reader:
    """Recursive descent over tokens; the names follow SPARQL 1.1's grammar."""

    def __init__(
        self, tokens: list[tuple[str, str]], terms: Terms, prefixes: dict[str, str], path: Path | None
    ) -> None:
        self._tokens = [*tokens, ("end", ""), ("end", "")]
        self._at = 0
        self._depth = 0
        self._terms, self._prefixes, self._path = terms, prefixes, path

    # Tokens

    def _is(self, *texts: str) -> bool:
        kind, text = self._tokens[self._at]
        return kind in ("word", "mark") and text.upper() in texts

    def _take(self, *texts: str) -> bool:
        if self._is(*texts):
            self._at += 1
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise Unsupported(f"the query has {self._tokens[self._at][1] or 'its end'!r} where {text!r} is read")

    def _next(self, kind: str) -> str:
        found, text = self._tokens[self._at]
        if found != kind:
            raise Unsupported(f"the query has {text or 'its end'!r}")
        self._at += 1
        return text

    def _kind(self) -> str:
        return self._tokens[self._at][0]

    # The query

    def select(self) -> Select:
        while self._take("PREFIX"):
            prefix = self._next("prefixed")
            self._prefixes[prefix[:-1]] = self._next("iri")[1:-1]
        self._need("SELECT")
        self._take("DISTINCT") or self._take("REDUCED")
        projection: list[tuple[str, Expression | None]] = []
        while not self._is("*", "WHERE", "{"):
            if self._take("("):
                value = self._expression()
                self._need("AS")
                projection.append((self._variable(), value))
                self._need(")")
            else:
                projection.append((self._variable(), None))
        if self._take("*") and projection:
            raise Unsupported("the query's projection cannot be read")
        self._take("WHERE")
        where = self._group()
        if self._kind() != "end":
            raise Unsupported(f"the query has {self._tokens[self._at][1]}")
        return Select(tuple(projection), where)

    def _variable(self) -> str:
        return "?" + self._next("variable")[1:]

    def _group(self) -> Group:
        self._need("{")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unsupported("the query is nested too deeply")
        elements: list[Element] = []
        while not self._take("}"):
            elements.append(self._element())
            self._take(".")
        self._depth -= 1
        return Group(tuple(elements))

    def _element(self) -> Element:
        if self._take("FILTER"):
            return Filter(self._constraint())
        if self._take("OPTIONAL"):
            return Maybe(self._group())
        if self._take("BIND"):
            self._need("(")
            value = self._expression()
            self._need("AS")
            name = self._variable()
            self._need(")")
            return Bind(name, value)
        if self._is("{"):
            groups = [self._group()]
            while self._take("UNION"):
                groups.append(self._group())
            return Union(tuple(groups))
        return self._patterns()

    def _patterns(self) -> tuple[Pattern, ...]:
        found: list[Pattern] = []
        while True:
            subject = self._node()
            while True:
                path = self._verb()
                found.append(Pattern(subject, path, self._node()))
                while self._take(","):
                    found.append(Pattern(subject, path, self._node()))
                if not self._take(";") or self._is(".", "}"):
                    break
            if not self._take(".") or self._kind() not in ("variable", "iri", "prefixed", "string", "number", "blank"):
                return tuple(found)

    def _node(self) -> Node:
        kind = self._kind()
        if kind == "variable":
            return self._variable()
        if kind == "blank":
            return "?" + self._next("blank")
        return self._terms.number(self._term())

    # Terms

    def _iri(self) -> str:
        if self._kind() == "iri":
            return self._next("iri")[1:-1]
        prefix, _, name = self._next("prefixed").partition(":")
        if prefix not in self._prefixes:
            raise Unsupported(f"the query uses the undeclared prefix {prefix}:")
        return self._prefixes[prefix] + re.sub(r"\\(.)", r"\1", name)

    def _term(self) -> Term:
        kind = self._kind()
        if kind == "string":
            return self._string()
        if kind == "number" or self._is("+", "-"):
            return self._number()
        if self._is("TRUE", "FALSE"):
            return RdfLiteral(self._next("word").lower(), XSD + "boolean")
        return self._iri()

    def _string(self) -> RdfLiteral:
        text = self._next("string")
        width = 3 if text[:3] in ('"""', "'''") else 1
        content = _unescaped(text[width:-width])
        if self._kind() == "language":
            return RdfLiteral(content, RDF + "langString", self._next("language")[1:].lower())
        return RdfLiteral(content, self._iri()) if self._take("^^") else RdfLiteral(content)

    def _number(self) -> RdfLiteral:
        sign = "-" if self._take("-") else ""
        self._take("+")
        text = self._next("number")
        kind = "double" if "e" in text.lower() else "decimal" if "." in text else "integer"
        return RdfLiteral(sign + text, XSD + kind)

    # Paths

    def _verb(self) -> Path | str:
        if self._kind() == "variable" and self._tokens[self._at][1][1:] != "PATH":
            return self._variable()
        return self._choice()

    def _choice(self) -> Path:
        parts = [self._series()]
        while self._take("|"):
            parts.append(self._series())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _series(self) -> Path:
        parts = [self._repeated()]
        while self._take("/"):
            parts.append(self._repeated())
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def _repeated(self) -> Path:
        inverted = self._take("^")
        path = self._primary_path()
        for mark, many, none in (("*", True, True), ("+", True, False), ("?", False, True)):
            if self._take(mark):
                path = Repeat(path, many, none)
        return inverse(path) if inverted else path

    def _primary_path(self) -> Path:
        if self._take("("):
            path = self._choice()
            self._need(")")
            return path
        if self._kind() == "variable" and self._tokens[self._at][1][1:] == "PATH" and self._path is not None:
            self._at += 1
            return self._path
        if self._kind() == "word" and self._tokens[self._at][1] == "a":
            self._at += 1
            return Step(self._terms.number(RDF + "type"))
        return Step(self._terms.number(self._iri()))

    # Expressions

    def _constraint(self) -> Expression:
        return self._primary()

    def _expression(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unsupported("the query is nested too deeply")
        found = self._left(self._and, "||")
        self._depth -= 1
        return found

    def _and(self) -> Expression:
        return self._left(self._relation, "&&")

    def _left(self, part: Callable[[], Expression], *marks: str) -> Expression:
        found = part()
        while self._is(*marks):
            name = self._next("mark")
            found = Call(name, (found, part()))
        return found

    def _relation(self) -> Expression:
        left = self._sum()
        if self._is("=", "!=", "<", ">", "<=", ">="):
            return Call(self._next("mark"), (left, self._sum()))
        negated = self._take("NOT")
        if negated or self._is("IN"):
            self._need("IN")
            members = Call("IN", (left, *self._arguments()))
            return Call("!", (members,)) if negated else members
        return left

    def _sum(self) -> Expression:
        return self._left(self._product, "+", "-")

    def _product(self) -> Expression:
        return self._left(self._unary, "*", "/")

    def _unary(self) -> Expression:
        if self._take("!"):
            return Call("!", (self._unary(),))
        if self._is("-") and self._tokens[self._at + 1][0] != "number":
            self._need("-")
            return Call("NEGATE", (self._unary(),))
        return self._primary()

    def _primary(self) -> Expression:
        if self._take("("):
            found = self._expression()
            self._need(")")
            return found
        if self._kind() == "variable":
            return Variable(self._variable())
        negated = self._take("NOT")
        if negated or self._is("EXISTS"):
            self._need("EXISTS")
            return Exists(self._group(), negated)
        if self._kind() == "word" and not self._is("TRUE", "FALSE"):
            name = self._next("word").upper()
            return Call(name, self._arguments())
        term = self._term()
        if isinstance(term, str) and self._is("("):
            return Call(term, self._arguments())
        return Constant(term)

    def _arguments(self) -> tuple[Expression, ...]:
        self._need("(")
        found: list[Expression] = []
        while not self._take(")"):
            found.append(self._expression())
            if not self._is(")"):
                self._need(",")
        return tuple(found)
