"""Reading the clauses of a Cypher query: MATCH, OPTIONAL MATCH, WITH, UNWIND and one RETURN at the end."""

from __future__ import annotations

from imprimatur.retrieve.cypher_expressions import Reading
from imprimatur.retrieve.cypher_tokens import NotParsed, Token, tokens_of
from imprimatur.retrieve.cypher_tree import Clause, Expression, Item, Match, Path, Project, Unwind

__all__ = ["parsed"]

_MOST_CLAUSES = 20
_WRITES = frozenset("CREATE MERGE SET DELETE DETACH REMOVE FOREACH DROP".split())
_ELSEWHERE = frozenset("CALL LOAD YIELD USE".split())


def parsed(text: str) -> tuple[Clause, ...]:
    """The clauses of a query. Raises NotParsed, with the first thing that is not known."""
    clauses = _Clauses(tokens_of(text))
    found: list[Clause] = []
    while not (found and isinstance(found[-1], Project) and found[-1].returns):
        if len(found) == _MOST_CLAUSES:
            raise NotParsed(f"more than {_MOST_CLAUSES} clauses")
        found.append(clauses.clause())
    if clauses.here.kind != "end":
        raise clauses.after()
    return tuple(found)


class _Clauses(Reading):
    def clause(self) -> Clause:
        """The next clause. Raises NotParsed."""
        if self.takes("OPTIONAL", "MATCH"):
            return self._match(optional=True)
        if self.takes("MATCH"):
            return self._match(optional=False)
        if self.takes("WITH"):
            return self._project(returns=False)
        if self.takes("RETURN"):
            return self._project(returns=True)
        if self.takes("UNWIND"):
            value = self.expression()
            self.need("AS")
            return Unwind(value, self.variable())
        raise self.after()

    def after(self) -> NotParsed:
        """What is said of something that is no clause here."""
        word = self.here.word
        if word in _WRITES:
            return NotParsed(f"only queries that read are allowed, not {word}")
        if word in _ELSEWHERE:
            return NotParsed(f"{word} is not known here: procedures and files are never read")
        if word == "UNION":
            return NotParsed("write one query, without UNION")
        return self.unexpected("MATCH, OPTIONAL MATCH, WITH, UNWIND or one RETURN at the end")

    def _match(self, *, optional: bool) -> Match:
        paths: list[Path] = []
        while not paths or self.takes(","):
            if self.here.kind == "name":
                raise NotParsed("paths have no variable and no function: name the nodes")
            paths.append(self.path())
        return Match(tuple(paths), self.expression() if self.takes("WHERE") else None, optional)

    def _project(self, *, returns: bool) -> Project:
        self.takes("DISTINCT")
        items: list[Item] = []
        while not items or self.takes(","):
            items.append(self._item(returns=returns))
        order: list[Expression] = []
        if self.takes("ORDER", "BY"):
            while not order or self.takes(","):
                order.append(self.expression())
                _ = self.takes("ASC") or self.takes("DESC") or self.takes("ASCENDING") or self.takes("DESCENDING")
        skips = self.takes("SKIP")
        if skips:
            self._number()
        limit = self._number() if self.takes("LIMIT") else None
        where = self.expression() if not returns and self.takes("WHERE") else None
        span = None if limit is None else (limit.start, limit.end)
        rows = None if limit is None else int(limit.value)
        return Project(tuple(items), tuple(order), span, rows, skips, where, returns)

    def _item(self, *, returns: bool) -> Item:
        if self.here.kind == "sign" and self.here.value == "*":
            raise NotParsed("name what is passed on or returned, instead of *")
        value = self.expression()
        if self.takes("AS"):
            return Item(value, self.variable())
        if not returns and value.kind != "variable":
            raise NotParsed("what WITH passes on needs a name: AS")
        return Item(value, value.name if value.kind == "variable" else "")

    def _number(self) -> Token:
        """A whole number. Raises NotParsed where something else stands."""
        token = self.take()
        if token.kind != "number" or not token.value.isdigit() or len(token.value) > 9:
            raise NotParsed("SKIP and LIMIT take a whole number")
        return token
