"""Reads the property paths of a SPARQL query (SPARQL 1.1, 19.8: VerbPath to PathPrimary)."""

from __future__ import annotations

from imprimatur.sources.graph.terms import RDF
from imprimatur.sources.shacl.paths import Choice, Path, Repeat, Series, Step, inverse
from imprimatur.sources.shacl.query_expressions import ExpressionReader

__all__ = ["PathReader"]


class PathReader(ExpressionReader):
    """Reads paths; ``$PATH`` stands for ``_path``."""

    _path: Path | None = None

    def _verb(self) -> Path | str:
        if self._kind() == "variable" and self._tokens[self._at][1][1:] != "PATH":
            name = self._variable()
            return Step(self._terms.number(self._given[name])) if name in self._given else name
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
