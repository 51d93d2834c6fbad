"""Reads a SPARQL query for compiling: SELECT and ASK over patterns, FILTER, OPTIONAL, UNION, BIND, EXISTS, sub-queries,
aggregates, GROUP BY and HAVING.

Contract: a query is read whole or refused (``Unsupported``), with the reason: nothing in it is passed over but ORDER
BY, which cannot matter where no LIMIT stands. Refused are GRAPH, SERVICE, MINUS, VALUES, LIMIT, aggregates whose
outcome depends on the order of solutions, and negated property sets.
"""

from __future__ import annotations

from collections.abc import Mapping

from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.query_expressions import DEEPEST
from imprimatur.sources.shacl.query_path_reading import PathReader
from imprimatur.sources.shacl.query_syntax import (
    Aggregate,
    Bind,
    Constant,
    Element,
    Expression,
    Filter,
    Group,
    Maybe,
    Node,
    Pattern,
    Select,
    Union,
)
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, Terms

__all__ = ["QueryReader", "read_query"]

_Projection = list[tuple[str, Expression | None]]
_NODES = ("variable", "iri", "prefixed", "string", "number", "blank")


def read_query(
    text: str,
    terms: Terms,
    prefixes: Mapping[str, str],
    *,
    form: str = "SELECT",
    path: Path | None = None,
    given: Mapping[str, Term] | None = None,
    prebound: tuple[str, ...] = ("?this",),
) -> Select:
    """The query of a form, SELECT or ASK.

    Args:
        path: what ``$PATH`` stands for.
        given: variables that stand for a term.
        prebound: variables that are bound before the query is run (W3C SHACL 5.3.1).

    Raises:
        Unsupported: it holds something that is not compiled, or it is malformed.
    """
    try:
        return QueryReader(text, terms, prefixes, path, given or {}, prebound).query(form)
    except (IndexError, ValueError, OverflowError) as error:
        raise Unsupported("the query cannot be read") from error


class QueryReader(PathReader):
    """Reads queries, groups and patterns."""

    def __init__(
        self,
        text: str,
        terms: Terms,
        prefixes: Mapping[str, str],
        path: Path | None,
        given: Mapping[str, Term],
        prebound: tuple[str, ...],
    ) -> None:
        super().__init__(text, terms, prefixes, given)
        self._path, self._prebound = path, prebound
        self._blanks = 0

    def query(self, form: str) -> Select:
        """The query; see ``read_query``."""
        while self._take("PREFIX"):
            prefix = self._next("prefixed")
            self._prefixes[prefix[:-1]] = self._next("iri")[1:-1]
        if form == "ASK":
            self._need("ASK")
            self._take("WHERE")
            found = Select(projection=(), where=self._group())
        else:
            found = self._select(sub=False)
        if self._kind() != "end":
            raise Unsupported(f"the query has {self._tokens[self._at][1]}")
        return found

    def _select(self, *, sub: bool) -> Select:
        self._need("SELECT")
        aggregates: list[Aggregate] = []
        outer, self._open = self._open, aggregates
        distinct = self._take("DISTINCT")
        if not distinct and self._take("REDUCED") and sub:
            self._refuse("REDUCED in a sub-query")
        projection = self._projection(sub=sub)
        self._take("WHERE")
        where = self._group()
        keys = self._keys() if self._take("GROUP") else None
        having = self._having() if self._take("HAVING") else ()
        self._open = None
        if self._take("ORDER"):
            self._order()
        self._open = outer
        found = Select(
            projection=tuple(projection) if projection is not None else None,
            where=where,
            distinct=distinct,
            keys=keys,
            aggregates=tuple(aggregates),
            having=having,
        )
        if found.grouped and projection is None:
            self._refuse("SELECT * over groups")
        if having and not found.grouped:
            self._refuse("HAVING without groups")
        return found

    def _projection(self, *, sub: bool) -> _Projection | None:
        if self._take("*"):
            if sub:
                self._refuse("SELECT * in a sub-query")
            return None
        found: _Projection = []
        leading: set[str] = set()
        while not self._is("WHERE", "{"):
            if self._take("("):
                value = self._expression()
                self._need("AS")
                found.append((self._unbound(), value))
                self._need(")")
                continue
            name = self._variable()
            if all(value is None for _, value in found):
                leading.add(name)
            if name not in self._given:
                found.append((name, None))
            elif not sub:
                found.append((name, Constant(self._given[name])))
        # W3C SHACL 5.3.1: a sub-query has to select what is bound beforehand. pySHACL asks it of those that begin with
        # a variable.
        wanted = {*self._prebound, *self._given} - {"?currentShape"}
        if sub and leading and not leading >= wanted:
            self._refuse("SELECT in a sub-query without $this or another variable that is bound beforehand")
        return found

    def _unbound(self) -> str:
        name = self._variable()
        if name in self._given or name in self._prebound:
            self._refuse(f"a value for {name}, which is bound beforehand")
        return name

    def _keys(self) -> tuple[str, ...]:
        self._need("BY")
        found = []
        while self._kind() == "variable":
            name = self._variable()
            if name not in self._given:
                found.append(name)
        if not found or self._is("(") or (self._kind() == "word" and not self._is("HAVING", "ORDER", "LIMIT")):
            self._refuse("GROUP BY of something calculated")
        return tuple(dict.fromkeys(found))

    def _having(self) -> tuple[Expression, ...]:
        found = [self._primary()]
        while self._is("(", "NOT", "EXISTS"):
            found.append(self._primary())
        return tuple(found)

    def _order(self) -> None:
        self._need("BY")
        while self._take("ASC", "DESC") or self._is("(") or self._kind() == "variable":
            self._primary()

    # Groups

    def _group(self) -> Group:
        self._need("{")
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unsupported("the query is nested too deeply")
        outer, self._open = self._open, None
        elements: list[Element] = []
        if self._is("SELECT"):
            elements.append(self._select(sub=True))
            self._need("}")
        else:
            while not self._take("}"):
                elements.append(self._element())
                self._take(".")
        self._open = outer
        self._depth -= 1
        return Group(_merged(elements))

    def _element(self) -> Element:
        if self._take("FILTER"):
            return Filter(self._primary())
        if self._take("OPTIONAL"):
            return Maybe(self._group())
        if self._take("BIND"):
            self._need("(")
            value = self._expression()
            self._need("AS")
            name = self._unbound()
            self._need(")")
            return Bind(name, value)
        if self._is("{"):
            groups = [self._group()]
            while self._take("UNION"):
                groups.append(self._group())
            (*_, last) = groups[0].elements or (None,)
            if len(groups) == len(groups[0].elements) == 1 and isinstance(last, Select):
                return last
            return Union(tuple(groups))
        return self._patterns()

    # Patterns

    def _patterns(self) -> tuple[Pattern, ...]:
        found: list[Pattern] = []
        while True:
            alone = self._is("[")
            subject = self._node(found)
            if not alone or not self._is(".", "}"):
                self._properties(subject, found)
            if not self._take(".") or (self._kind() not in _NODES and not self._is("[")):
                return tuple(found)

    def _properties(self, subject: Node, found: list[Pattern]) -> None:
        while True:
            path = self._verb()
            found.append(Pattern(subject, path, self._node(found)))
            while self._take(","):
                found.append(Pattern(subject, path, self._node(found)))
            if not self._take(";") or self._is(".", "}", "]"):
                return

    def _node(self, found: list[Pattern]) -> Node:
        kind = self._kind()
        if kind == "variable":
            name = self._variable()
            return self._terms.number(self._given[name]) if name in self._given else name
        if kind == "blank":
            return "?" + self._next("blank")
        if self._take("["):
            self._blanks += 1
            node = f"?_:[{self._blanks}"
            if not self._is("]"):
                self._properties(node, found)
            self._need("]")
            return node
        return self._terms.number(self._term())


def _merged(elements: list[Element]) -> tuple[Element, ...]:
    """The elements with neighbouring patterns as one; FILTER counts for the whole group, wherever it stands."""
    found: list[Element] = []
    for element in (each for each in elements if not isinstance(each, Filter)):
        last = found[-1] if found else None
        if isinstance(element, tuple) and isinstance(last, tuple):
            found[-1] = (*last, *element)
        else:
            found.append(element)
    return (*found, *(each for each in elements if isinstance(each, Filter)))
