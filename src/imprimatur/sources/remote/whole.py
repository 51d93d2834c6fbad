"""All triples of a SPARQL endpoint, read in parts, and proved to be all.

The proof is a count: a graph is a set, and so many different triples of it as it has are the graph. What a server cuts
off, gives twice or leaves out (a maximum of rows, an order that changes between two pages) is found out by that and is
an error, or is read again in another way:

1. How many triples there are, how many of each property, and how many with a blank node. These must add up.
2. Properties, several together where they are small, page by page (``LIMIT`` and ``OFFSET``, without an order, which
   servers limit or pay dearly for). The next page begins where the last one ended, however many rows that had.
3. Where that gives too little, the same triples by the first digits of a hash of subject and value, so that each part
   fits into a page.
4. Triples with a blank node in one answer, for their labels hold in one answer only; where that is cut, by the things
   that have them, each with all that hangs on it, if nothing hangs deeper than one blank node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from imprimatur.errors import CheckFailed, LimitExceeded, StoreUnavailable
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.remote.results import Row, Term

__all__ = ["Ask", "Fact", "Whole", "plain_iri", "whole_number"]

#: Subject, predicate, value; a blank node as ``_:`` and a label.
Fact = tuple[str, str, Term]
#: Asks a query of which at most so many rows may come.
Ask = Callable[[str, int], Sequence[Row]]

_BAD_IN_IRI = frozenset('<>"{}|^`\\') | {chr(code) for code in (*range(33), 127)}
_PLAIN = "FILTER(!isBlank(?s) && !isBlank(?o))"
_BLANK = "FILTER(isBlank(?s) || isBlank(?o))"
_HEX = "0123456789abcdef"
_DEEPEST = 6
#: So many properties are asked for together.
_TOGETHER = 100


def plain_iri(value: str) -> str:
    """An IRI as a query has it. Raises CheckFailed where it cannot be written plainly."""
    if ":" not in value or value.startswith("_:") or len(value) > 8000 or not _BAD_IN_IRI.isdisjoint(value):
        raise CheckFailed("not an IRI that an endpoint can be asked about", where=repr(value[:80]))
    return f"<{value}>"


class Whole:
    """Reads one endpoint.

    Args:
        ask: asks it.
        where: its name in errors.
        page: rows that are asked for at once. most: so many triples may there be.
    """

    def __init__(self, ask: Ask, *, where: str, page: int, most: int) -> None:
        self._ask, self._where, self._page, self._most = ask, where, page, most

    def facts(self) -> Iterator[Fact]:
        """All triples, each once.

        Raises:
            StoreUnavailable: there are none, or the endpoint cannot be reached. LimitExceeded: there are too many.
            CheckFailed: what it gives is not all.
        """
        total = self._count("?s ?p ?o")
        if total == 0:
            hint = "check the address, and name a graph by `graph:` where the endpoint has several"
            raise StoreUnavailable("the endpoint has no such graph, or nothing is in it", where=self._where, hint=hint)
        if total > self._most:
            hint = "raise `most`, or make an extract of what is needed"
            raise LimitExceeded(f"{total:,} triples, and at most {self._most:,} are read", where=self._where, hint=hint)
        blank = self._count(f"?s ?p ?o {_BLANK}")
        sizes = self._sizes(total - blank)
        if sum(sizes.values()) + blank != total:
            raise self._short(f"{total:,} triples in all, and {sum(sizes.values()) + blank:,} by property")
        for group in self._groups(sizes):
            yield from self._group(group, sum(sizes[p] for p in group))
        if blank:
            yield from self._blanks(blank)

    def _count(self, pattern: str) -> int:
        rows = self._ask(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}", 1)
        return whole_number(rows[0].get("n") if rows else None, self._where)

    def _sizes(self, size: int) -> dict[str, int]:
        """The properties, with the number of triples of each that have no blank node; ``size`` of them in all."""
        query = f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?s ?p ?o {_PLAIN} }} GROUP BY ?p LIMIT {self._page}"
        found: dict[str, int] = {}
        after = 0
        # Each of them has a triple, so that there are not more of them than triples.
        while max(sum(found.values()), after) < size and (rows := self._ask(f"{query} OFFSET {after}", self._page)):
            found |= {str(row.get("p")): whole_number(row.get("n"), self._where) for row in rows}
            after += len(rows)
        return dict(sorted(found.items()))

    def _groups(self, sizes: dict[str, int]) -> Iterator[list[str]]:
        """The properties, those together that fit into a page."""
        group: list[str] = []
        room = self._page
        for name, size in sizes.items():
            if group and (size > room or len(group) >= _TOGETHER):
                yield group
                group, room = [], self._page
            group.append(name)
            room -= size
        if group:
            yield group

    def _group(self, names: Sequence[str], size: int) -> set[Fact]:
        """The triples of some properties. Raises CheckFailed where neither way gives all of them."""
        listed = " ".join(map(plain_iri, names))
        pattern = f"VALUES ?p {{ {listed} }} ?s ?p ?o {_PLAIN}"
        found: set[Fact] = set()
        try:
            after = 0
            while len(found) < size and after < 2 * size:
                rows = self._ask(f"SELECT ?s ?p ?o WHERE {{ {pattern} }} LIMIT {self._page} OFFSET {after}", self._page)
                if not rows:
                    break
                after += len(rows)
                if len(rows) < self._page and after < size:
                    self._page = len(rows)  # as many as the server gives at once
                found.update(fact for row in rows if (fact := _fact(row)) is not None)
        except StoreUnavailable:
            if not after:
                raise
        if len(found) != size:
            parts = self._parts(f"SELECT ?s ?p ?o WHERE {{ {pattern}", "CONCAT(STR(?s), STR(?o))")
            found = {fact for _, rows in parts for row in rows if (fact := _fact(row)) is not None}
        wrong = any(fact[1] not in names for fact in found)
        if wrong or len(found) != size:
            raise self._short(f"{size:,} triples of {', '.join(names)[:200]}, and {len(found):,} were given")
        return found

    def _parts(self, select: str, hashed: str, start: str = "") -> Iterator[tuple[str, Sequence[Row]]]:
        """The rows of a query by the first digits of a hash, part by part; ``select`` lacks its closing bracket."""
        sought = f'FILTER(STRSTARTS(MD5({hashed}), "{start}"))' if start else ""
        rows = self._ask(f"{select} {sought} }} LIMIT {self._page}", self._page)
        if len(rows) < self._page:
            yield start, rows
        elif len(start) >= _DEEPEST:
            raise self._short("one part of the graph has more rows than a page")
        else:
            for digit in _HEX:
                yield from self._parts(select, hashed, start + digit)

    def _blanks(self, size: int) -> set[Fact]:
        """The triples with a blank node."""
        rows = self._ask(f"SELECT ?s ?p ?o WHERE {{ ?s ?p ?o {_BLANK} }}", size)
        found = {fact for row in rows if (fact := _fact(row)) is not None}
        if len(found) == size:
            return found
        pattern = "?s ?p ?b . ?b ?q ?o FILTER(isBlank(?b) && !isBlank(?s) && !isBlank(?o))"
        found = set()
        for start, rows in self._parts(f"SELECT ?s ?p ?b ?q ?o WHERE {{ {pattern}", "STR(?s)"):
            for row in rows:
                # Its label holds in this answer: with the part's name it is another than those of other answers.
                node = f"_:{start}.{str(row.get('b'))[2:]}"
                found.update(
                    filter(None, (_fact({**row, "o": node}), _fact({**row, "s": node, "p": row.get("q", "")})))
                )
        if len(found) != size:
            message = f"{size:,} triples with blank nodes, and {len(found):,} could be read"
            hint = "raise the server's maximum of rows, or give the nodes names (skolemize them)"
            raise CheckFailed(message, where=self._where, hint=hint)
        return found

    def _short(self, message: str) -> CheckFailed:
        hint = "the graph may have changed meanwhile: try again; or lower `page`, or name one graph by `graph:`"
        return CheckFailed(f"the endpoint does not give all: {message}", where=self._where, hint=hint)


def whole_number(term: Term | None, where: str) -> int:
    """The number that a literal is. Raises CheckFailed where it is none."""
    if isinstance(term, RdfLiteral) and term.lexical.isascii() and term.lexical.isdigit() and len(term.lexical) < 16:
        return int(term.lexical)
    raise CheckFailed("the endpoint gave no number where it was asked for one", where=where)


def _fact(row: Row) -> Fact | None:
    subject, predicate, value = row.get("s"), row.get("p"), row.get("o")
    if isinstance(subject, str) and isinstance(predicate, str) and value is not None:
        return subject, predicate, value
    return None
