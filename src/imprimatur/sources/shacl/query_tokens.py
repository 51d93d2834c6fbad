"""The tokens of a SPARQL query, and a reader of single tokens and terms."""

from __future__ import annotations

import re
from collections.abc import Mapping

from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, Terms

__all__ = ["TokenReader", "tokens_of"]

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


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if code[0] in "uU" and len(code) > 1 else _ESCAPED.get(code, code)

    return _ESCAPE.sub(one, text)


def tokens_of(text: str) -> list[tuple[str, str]]:
    """The (kind, text) of each token.

    Raises:
        Unsupported: the text is too long, or holds what is no token.
    """
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


class TokenReader:
    """Goes through tokens; reads terms."""

    def __init__(self, text: str, terms: Terms, prefixes: Mapping[str, str]) -> None:
        self._tokens = [*tokens_of(text), ("end", ""), ("end", "")]
        self._at = 0
        self._terms, self._prefixes = terms, dict(prefixes)

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
