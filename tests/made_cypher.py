"""Cypher queries for the guard to be tried with: built clause by clause, or made of accepted ones by changes of tokens.

What is built knows the grammar, the graph's names and the variables of each place, and breaks the rules now and then,
so that a good part of it is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from imprimatur.retrieve.cypher_tokens import NotParsed, tokens_of

__all__ = ["CANARIES", "KEYS", "queries_like"]

#: Written into queries, and stored nowhere.
CANARIES = ("canary", "4242")
_VARIABLES = ("p", "q", "r", "x", "t")
KEYS = {
    "Person": ("name", "age", "tags"),
    "Author": ("name", "age", "tags"),
    "Town": ("name",),
    "`Odd label`": ("`odd key`",),
    "KNOWS": ("since",),
    "LIVES_IN": (),
    "": ("name", "age", "since"),
}
_VALUES = ("'Ann Lee'", "'Bob Hill'", "'Arden'", "31", "50", "2001", "'canary'", "4242", "-1.5", "true", "''")
_FUNCTIONS = (
    *("count", "sum", "avg", "min", "max", "collect", "tolower", "toupper", "trim", "size", "abs", "round", "floor"),
    *("ceil", "labels", "type", "tointeger", "tofloat", "tostring"),
)
_FOLDING = 6
_MIXED_IN = (
    *("MATCH", "OPTIONAL MATCH", "WHERE", "WITH", "RETURN", "UNWIND", "DISTINCT", "ORDER BY", "SKIP", "LIMIT", "AS"),
    *("AND", "OR", "XOR", "NOT", "IN", "IS NULL", "IS NOT NULL", "STARTS WITH", "CONTAINS", "DESC", "UNION", "CALL"),
    *("SET", "DELETE", "CREATE", "MERGE", "REMOVE", ";", "$x", "/*", "//", "\\", "=~", "^", "!=", "+=", "|", "->"),
    *("()[]{}:,.*=<>+/%-"),
    *("p", "q", "r", "Person", "Town", "KNOWS", "name", "age", "count(*)", "p.name", "(p:Person)", "*1..2", "--"),
    *_VALUES,
)
_LIMITS = (0, 1, 1, 2, 3, 42, 4242)


class _Builder:
    """Builds one query; ``scope``: what each variable stands for, a label, a type, "" or None for a value."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.scope: dict[str, str | None] = {}

    def one(self, choices: Sequence[str]) -> str:
        return self.draw(st.sampled_from(choices))

    def seldom(self, parts: int = 12) -> bool:
        return self.draw(st.integers(0, parts)) == parts

    def query(self) -> str:
        clauses = [self.match(optional=self.seldom())]
        for _ in range(self.draw(st.integers(0, 3))):
            kind = self.one(("match", "match", "optional", "with", "with", "unwind"))
            if kind in ("match", "optional"):
                clauses.append(self.match(optional=kind == "optional"))
            else:
                clauses.append(self.passed_on() if kind == "with" else self.unwound())
        return " ".join((*clauses, self.returned()))

    # Patterns

    def match(self, *, optional: bool) -> str:
        paths = [self.path() for _ in range(2 if self.seldom(4) else 1)]
        where = f" WHERE {self.condition()}" if self.draw(st.booleans()) else ""
        return f"{'OPTIONAL ' if optional else ''}MATCH {', '.join(paths)}{where}"

    def path(self) -> str:
        persons = [name for name, of in self.scope.items() if of in ("Person", "Author")]
        known = self.one(persons) if persons and not self.seldom(2) else ""
        steps = self.draw(st.sampled_from((1, 1, 2) if known and not self.seldom(20) else (0, 0, 1, 1, 2)))
        labels = ("Person", "Author") if steps else ("Person", "Author", "Town", "`Odd label`")
        spots = [f"({known})" if known else self.spot(self.one(labels))]
        for step in range(steps):
            type_ = self.one(("KNOWS", "LIVES_IN")) if step == steps - 1 else "KNOWS"
            spots.append(self.edge(type_))
            spots.append(self.spot("Town" if type_ == "LIVES_IN" else "Person"))
        return "".join(spots)

    def spot(self, label: str) -> str:
        free = [name for name in _VARIABLES if name not in self.scope or self.seldom(40)]
        variable = self.one(free) if free and not self.seldom(4) else ""
        if variable and variable not in self.scope:
            self.scope[variable] = label
        values = f" {{{self.one(KEYS[label])}: {self.one(_VALUES)}}}" if self.seldom(2) else ""
        shown = "" if variable and self.seldom(6) else f":{label}"
        return f"({variable}{shown}{values})"

    def edge(self, type_: str) -> str:
        if self.seldom(6):
            return f"-[:{type_}*1..{self.draw(st.integers(1, 3))}]->"
        variable = self.one(_VARIABLES) if self.seldom(3) else ""
        if variable in self.scope:
            variable = ""
        if variable:
            self.scope[variable] = type_
        values = " {since: 2001}" if self.seldom(8) else ""
        return f"-[{variable}:{type_}{values}]{self.one(('->', '->', '-'))}"

    # Expressions

    def variable(self) -> str:
        return self.one(list(self.scope) or ["p"]) if not self.seldom(30) else self.one(_VARIABLES)

    def property(self) -> str:
        name = self.variable()
        of = self.scope.get(name)
        if of is None:
            return name
        return f"{name}.{self.one(KEYS[of] or ('name',))}" if not self.seldom(40) else f"{name}.age"

    def reckoned(self, depth: int = 0) -> str:
        kind = self.one(("property",) * 5 + ("call", "call", "count", "sum", "value", "whole"))
        if kind == "property" or depth > 2:
            return self.property()
        if kind == "call":
            name = self.one(_FUNCTIONS)
            inner = self.variable() if name in ("labels", "type", "count") else self.reckoned(depth + 1)
            return f"{name}({'DISTINCT ' if name in _FUNCTIONS[:_FOLDING] and self.seldom(2) else ''}{inner})"
        if kind == "sum":
            return f"{self.reckoned(depth + 1)} {self.one('+-*/%')} {self.reckoned(depth + 1)}"
        if kind == "value" and self.seldom(3):
            return self.one(_VALUES)
        return (
            self.variable()
            if kind == "whole" and self.seldom(3)
            else "count(*)"
            if kind == "count"
            else self.property()
        )

    def condition(self, depth: int = 0) -> str:
        kind = self.one(("same", "same", "compare", "list", "null", "label", "path", "joined", "not", "part"))
        if kind == "joined" and depth < 2:
            return f"({self.condition(depth + 1)} {self.one(('AND', 'AND', 'OR', 'XOR'))} {self.condition(depth + 1)})"
        if kind == "not" and depth < 2:
            return f"NOT {self.condition(depth + 1)}"
        if kind == "compare":
            return f"{self.property()} {self.one(('<>', '<', '>=', '=', 'IN'))} {self.property()}"
        if kind == "list":
            return f"{self.property()} IN [{self.one(_VALUES)}, {self.one(_VALUES)}]"
        if kind == "null":
            return f"{self.property()} IS {self.one(('', 'NOT '))}NULL"
        if kind == "label":
            return f"{self.variable()}:{self.one(('Person', 'Author', 'Town'))}"
        if kind == "path":
            other = self.one(("", self.variable(), ":Person"))
            return f"({self.variable()})-[:{self.one(('KNOWS', 'LIVES_IN'))}]-({other})"
        if kind == "part":
            return f"{self.property()} {self.one(('CONTAINS', 'STARTS WITH', 'ENDS WITH'))} {self.one(_VALUES)}"
        return self.one((f"{self.property()} = {self.one(_VALUES)}", f"{self.one(_VALUES)} = {self.property()}"))

    # Clauses that pass on

    def passed_on(self) -> str:
        kept = {name: of for name, of in self.scope.items() if not self.seldom(3)} or dict(self.scope)
        items = list(kept)
        if self.draw(st.booleans()):
            free = [name for name in _VARIABLES if name not in kept] or ["z"]
            name, value = self.one(free), self.reckoned()
            items.append(f"{value} AS {name}")
            kept[name] = self.scope.get(value)
        cut = self.cut()
        self.scope = kept
        where = f" WHERE {self.condition()}" if self.seldom(2) else ""
        return f"WITH {'DISTINCT ' if self.seldom(6) else ''}{', '.join(items)}{cut}{where}"

    def cut(self) -> str:
        order = f" ORDER BY {self.property()}" if self.seldom(3) else ""
        skip = f" SKIP {self.draw(st.sampled_from(_LIMITS))}" if self.seldom(6) else ""
        return f"{order}{skip} LIMIT {self.draw(st.sampled_from(_LIMITS))}" if self.seldom(2) else order + skip

    def unwound(self) -> str:
        value = f"labels({self.variable()})" if self.draw(st.booleans()) else self.reckoned()
        name = self.one(_VARIABLES)
        self.scope.setdefault(name, None)
        return f"UNWIND {value} AS {name}"

    def returned(self) -> str:
        items = [self.reckoned() for _ in range(self.draw(st.integers(1, 3)))]
        named = [f"{item} AS c{k}" if self.seldom(3) else item for k, item in enumerate(items)]
        return f"RETURN {'DISTINCT ' if self.seldom(6) else ''}{', '.join(named)}{self.cut()}"


def _pieces(query: str) -> list[str]:
    """The tokens of a query as they are written; of one that has none, its words."""
    try:
        return [query[token.start : token.end] for token in tokens_of(query) if token.kind != "end"]
    except NotParsed:
        return query.split()


@st.composite
def queries_like(draw: st.DrawFn, queries: tuple[str, ...]) -> str:
    """A query that is built, as it is or with up to two changes; or one of these with some."""
    built = draw(st.integers(0, 3)) > 0
    query = _Builder(draw).query() if built else draw(st.sampled_from(queries))
    changes = draw(st.sampled_from((0, 0, 0, 1, 2))) if built else draw(st.integers(1, 3))
    for _ in range(changes):
        pieces = _pieces(query)
        at = draw(st.integers(0, len(pieces)))
        kind = draw(st.sampled_from(("other", "put in", "leave out", "twice", "tail")))
        if kind == "tail":
            tail = _pieces(draw(st.sampled_from(queries)))
            pieces = pieces[:at] + tail[draw(st.integers(0, len(tail))) :]
        elif kind == "leave out":
            pieces = pieces[:at] + pieces[at + draw(st.integers(1, 3)) :]
        elif kind == "twice":
            pieces = pieces[:at] + pieces[max(0, at - draw(st.integers(1, 8))) :]
        else:
            pieces = [*pieces[:at], draw(st.sampled_from(_MIXED_IN)), *pieces[at + (kind == "other") :]]
        query = " ".join(pieces)
    return query
