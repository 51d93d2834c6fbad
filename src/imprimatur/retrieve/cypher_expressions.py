"""Reading the expressions and patterns of a Cypher query: a small subset, and nothing that is not in it.

Not known are CASE, comprehensions, maps as values, indexes into lists, patterns as values, regular expressions and all
functions but a few that give something stored, put it into another form or fold rows.
"""

from __future__ import annotations

from collections.abc import Callable

from imprimatur.retrieve.cypher_tokens import NotParsed, Token
from imprimatur.retrieve.cypher_tree import Edge, Expression, Path, Spot

__all__ = ["AGGREGATES", "Reading"]

AGGREGATES = frozenset(("count", "sum", "avg", "min", "max", "collect"))
_FUNCTIONS = frozenset(("tolower", "toupper", "trim", "size", "abs", "round", "floor", "ceil", "labels", "type"))
_CASTS = frozenset(("tointeger", "tofloat", "tostring"))
#: They make a day of a text that is written out, to compare with.
_DATES = frozenset(("date", "localdatetime"))
_RESERVED = frozenset(
    "MATCH OPTIONAL WHERE WITH UNWIND RETURN ORDER BY SKIP LIMIT AS AND OR XOR NOT IN IS NULL STARTS ENDS CONTAINS"
    " DISTINCT ASC DESC ASCENDING DESCENDING TRUE FALSE CASE WHEN THEN ELSE END CREATE MERGE SET DELETE DETACH REMOVE"
    " CALL YIELD LOAD FOREACH UNION EXISTS ALL ANY NONE SINGLE".split()
)
_COMPARISONS = frozenset(("=", "<>", "<", "<=", ">", ">="))
#: More relations than these are not followed in one step of a pattern.
_MOST_STEPS = 3
_MOST_LISTED = 100
#: What is read is nested no deeper than this and the brackets.
_MOST_OPERATORS = 100


class Reading:
    """Reads one query's tokens, from the first on."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._marks = 0
        self._operators = 0

    # The tokens

    @property
    def here(self) -> Token:
        """The next token."""
        return self._tokens[self._place]

    def ahead(self, count: int) -> str:
        """The value of a token further on; empty for a text."""
        token = self._tokens[min(self._place + count, len(self._tokens) - 1)]
        return "" if token.kind == "text" else token.value

    def take(self) -> Token:
        """The next token, which is passed."""
        token = self.here
        self._place += token.kind != "end"
        return token

    def takes(self, *wanted: str) -> bool:
        """Passes signs or words that follow, if all of them do."""
        following = self._tokens[self._place : self._place + len(wanted)]
        met = [token.value if token.kind == "sign" else token.word for token in following]
        if met != list(wanted):
            return False
        self._place += len(wanted)
        return True

    def need(self, wanted: str) -> None:
        """Passes a sign or word. Raises NotParsed where another one follows."""
        if not self.takes(wanted):
            raise self.unexpected(wanted)

    def unexpected(self, wanted: str) -> NotParsed:
        """What is said where something else was to follow."""
        met = "the end" if self.here.kind == "end" else repr(self.here.value[:40])
        return NotParsed(f"the query cannot be parsed: {wanted} must stand in place of {met}")

    def variable(self) -> str:
        """A variable. Raises NotParsed."""
        if self.here.kind != "name" or self.here.word in _RESERVED or len(self.here.value) > 40:
            raise self.unexpected("a variable")
        return self.take().value

    def named(self, what: str) -> str:
        """A label, type or key. Raises NotParsed."""
        if self.here.kind not in ("name", "ticked"):
            raise self.unexpected(what)
        return self.take().value

    # Patterns

    def path(self) -> Path:
        """A pattern. Raises NotParsed."""
        spots, edges = [self._spot()], []
        while self.here.kind == "sign" and self.here.value in ("-", "<"):
            edges.append(self._edge())
            spots.append(self._spot())
        named = [spot.variable for spot in spots if spot.variable]
        if len(set(named)) < len(named):  # FalkorDB 4 falls over (p:Person)-[:LIVES_IN]->(p:Town)
            raise NotParsed("a variable stands once in a path: no path leads from a node to itself")
        return Path(tuple(spots), tuple(edges))

    def _spot(self) -> Spot:
        self.need("(")
        variable = self.variable() if self.here.kind == "name" else ""
        labels = []
        while self.takes(":"):
            labels.append(self.named("a label"))
        values = self._values()
        self.need(")")
        self._marks += 1
        return Spot(variable, tuple(labels), values, self._marks)

    def _edge(self) -> Edge:
        into = self.takes("<")
        self.need("-")
        variable, steps = "", 1
        types: list[str] = []
        values: tuple[tuple[str, str], ...] = ()
        if self.takes("["):
            variable = self.variable() if self.here.kind == "name" else ""
            if self.takes(":"):
                types.append(self.named("a type"))
                while self.takes("|"):
                    self.takes(":")
                    types.append(self.named("a type"))
            steps = self._range() if self.takes("*") else 1
            values = self._values()
            self.need("]")
        self.need("-")
        out = self.takes(">")
        if into and out:
            raise NotParsed("a relationship has one direction: write -> or <- or neither")
        if steps > 1 and variable:
            raise NotParsed("a relationship of several steps has no variable: name the nodes")
        return Edge(variable, tuple(types), values, "in" if into else "out" if out else "any", steps)

    def _range(self) -> int:
        """The most steps of a range that begins behind its star. Raises NotParsed where it has no bound."""
        first = self._steps() if self.here.kind == "number" else None
        last = first
        if self.takes(".."):
            last = self._steps() if self.here.kind == "number" else None
        if first == 0 or last is None or not 1 <= last <= _MOST_STEPS or (first or 1) > last:
            raise NotParsed(f"a path of any length (*) needs a bound: 1 to {_MOST_STEPS} steps, for instance *1..2")
        return max(2, last)

    def _steps(self) -> int:
        value = self.take().value
        return int(value) if value.isdigit() and len(value) < 4 else -1

    def _values(self) -> tuple[tuple[str, str], ...]:
        """The map of literals of a node or relationship; empty without one."""
        if not self.takes("{"):
            return ()
        found: list[tuple[str, str]] = []
        while True:
            key = self.named("a key")
            self.need(":")
            literal = self._unary()
            if literal.kind != "literal" or literal.name == "NULL":
                raise NotParsed("the values in a pattern's map must be texts, numbers, true or false")
            found.append((key, literal.key))
            if not self.takes(","):
                break
        self.need("}")
        return tuple(found)

    # Expressions, by the precedence of their operators

    def expression(self) -> Expression:
        """An expression. Raises NotParsed."""
        found = self._chain(lambda: self._chain(self._negated, "AND"), "OR")
        if self.here.word == "XOR":  # FalkorDB 4 falls over a path beside it
            raise NotParsed("XOR is not known here: write AND, OR and NOT")
        return found

    def _chain(self, one: Callable[[], Expression], *operators: str) -> Expression:
        found = one()
        while operator := next((each for each in operators if self.takes(each)), ""):
            self._operators += 1
            if self._operators > _MOST_OPERATORS:
                raise NotParsed(f"more than {_MOST_OPERATORS} operators")
            found = Expression("operator", operator, parts=(found, one()))
        return found

    def _negated(self) -> Expression:
        times = 0
        while self.takes("NOT"):
            times += 1
        found = self._compared()
        return Expression("operator", "NOT", parts=(found,)) if times % 2 else found

    def _compared(self) -> Expression:
        if self._begins_path():
            return Expression("path", path=self.path())
        left = self._sum()
        if self.takes("IS", "NULL") or self.takes("IS", "NOT", "NULL"):
            return Expression("operator", "IS NULL", parts=(left,))
        word = self._comparison()
        if not word:
            return left
        found = Expression("operator", word, parts=(left, self._sum()))
        if self._comparison():
            raise NotParsed("compare two things at a time, joined by AND")
        return found

    def _comparison(self) -> str:
        """The comparison that follows and is passed; empty without one."""
        if self.here.kind == "sign" and self.here.value in _COMPARISONS:
            return self.take().value
        for words in (("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",), ("IN",)):
            if self.takes(*words):
                return " ".join(words)
        return ""

    def _begins_path(self) -> bool:
        """Whether a pattern follows, and no expression in brackets: ``(a:X {…})-[`` and the like."""
        if not (self.here.kind == "sign" and self.here.value == "("):
            return False
        depth = 0
        for k in range(self._place, len(self._tokens)):
            token = self._tokens[k]
            if token.kind == "sign":
                depth += (token.value in "([{") - (token.value in ")]}")
            if depth == 0:
                after = [each.value for each in self._tokens[k + 1 : k + 4] if each.kind == "sign"]
                return after[:2] in (["-", "["], ["-", "-"]) or after[:3] in (["<", "-", "["], ["<", "-", "-"])
        return False

    def _sum(self) -> Expression:
        return self._chain(lambda: self._chain(self._unary, "*", "/", "%"), "+", "-")

    def _unary(self) -> Expression:
        if self.takes("-"):
            if self.here.kind != "number":
                raise self.unexpected("a number behind -")
            return Expression("literal", key=f"-{self.take().value}")
        return self._one()

    def _one(self) -> Expression:
        token = self.here
        if token.kind in ("number", "text"):
            self.take()
            return Expression("literal", token.kind, key=token.value)
        if token.word in ("TRUE", "FALSE", "NULL"):
            return Expression("literal", self.take().word, key=token.word.lower())
        if self.takes("("):
            found = self.expression()
            self.need(")")
            return found
        if self.takes("["):
            return self._list()
        if token.kind == "name" and self.ahead(1) == "(":
            return self._call()
        name = self.variable()
        if self.takes("."):
            return Expression("property", name, self.named("a key"))
        labels = []
        while self.takes(":"):
            labels.append(self.named("a label"))
        if labels:
            return Expression("labels", name, labels=tuple(labels))
        return Expression("variable", name)

    def _list(self) -> Expression:
        items: list[Expression] = []
        while not self.takes("]"):
            if items:
                self.need(",")
            item = self._unary()
            if item.kind != "literal" or len(items) >= _MOST_LISTED:
                raise NotParsed(f"a list has at most {_MOST_LISTED} texts or numbers, and nothing else")
            items.append(item)
        return Expression("list", parts=tuple(items))

    def _call(self) -> Expression:
        """A call of a function that is known. Raises NotParsed."""
        name = self.take().value.lower()
        if name not in AGGREGATES | _FUNCTIONS | _CASTS | _DATES:
            raise NotParsed(f"the function {name[:40]} is not known here")
        self.need("(")
        if name == "count" and self.takes("*"):
            self.need(")")
            return Expression("call", "count")
        different = "DISTINCT" if name in AGGREGATES and self.takes("DISTINCT") else ""
        value = self.expression()
        self.need(")")
        if name in _DATES and value.kind != "literal":
            raise NotParsed(f"{name} takes a text that is written out")
        return value if name in _DATES else Expression("call", name, different, parts=(value,))
