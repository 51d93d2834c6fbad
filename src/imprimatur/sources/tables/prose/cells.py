"""An index of a relation's cells by their words, and what of a statement stands in which cells and columns.

Invariants: the longest run of words that stands together in some cell counts, whole cells before parts of cells; a word
belongs to one link at most; a link has every cell that its words stand in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import closed_class
from imprimatur.sources.tables.prose.tokens import Token, tokens_of
from imprimatur.sources.tables.relation import ColumnKind, Relation

__all__ = ["CellIndex", "Link", "Named", "content"]

Kin = Callable[[str, str], bool]
_LONGEST = 14
#: What may stand between the words of a column's name.
_WITHIN = frozenset("of the by - / ( ) ' s for in".split())
#: A number with a currency before it, or a unit or a remark in brackets behind it; no score, range or date.
_ONE_NUMBER = expression(
    r"[$€£¥]?\s?([-+−]?\s?\d[\d,]*(?:\.\d+)?)\s*[^\d\-–:,.()\[\]]{0,20}(?:[(\[][^()\[\]]*[)\]])?[^\d]{0,3}"
)
_MOSTLY = Fraction(7, 10)


@dataclass(frozen=True, slots=True)
class Link:
    """Words ``start:end`` (of the statement's tokens) and the (row, column) cells that they stand in.

    ``whole``: they are all of those cells; ``wide``: the rows of all cells that they are at least a part of.
    """

    start: int
    end: int
    hits: frozenset[tuple[int, int]]
    whole: bool
    wide: frozenset[int] = frozenset()

    @property
    def rows(self) -> frozenset[int]:
        """The rows of the cells."""
        return frozenset(row for row, _ in self.hits)

    @property
    def columns(self) -> frozenset[int]:
        """The columns of the cells."""
        return frozenset(column for _, column in self.hits)

    def within(self, columns: frozenset[int]) -> Link:
        """The same in some of the columns."""
        return Link(
            self.start, self.end, frozenset(hit for hit in self.hits if hit[1] in columns), self.whole, self.wide
        )


@dataclass(frozen=True, slots=True)
class Named:
    """Words ``start:end`` that name a column, by all of its content words or (``whole`` is False) by some."""

    start: int
    end: int
    column: int
    whole: bool


def content(token: Token) -> bool:
    """Whether a token is more than a mark or a word of a closed class."""
    return not token.mark and not closed_class.is_function_word(token.lower)


class CellIndex:
    """The cells of one relation by their words."""

    def __init__(self, relation: Relation) -> None:
        self.relation = relation
        self.columns = [tokens_of(column.words or column.name) for column in relation.columns]
        self._runs: dict[tuple[str, ...], set[tuple[int, int]]] = defaultdict(set)
        self._wholes: dict[tuple[str, ...], set[tuple[int, int]]] = defaultdict(set)
        for row, each in enumerate(relation.rows):
            for column, cell in enumerate(each.cells):
                if cell is not None:
                    self._enter(tuple(token.key for token in tokens_of(cell)), (row, column))
        self.numeric = [self._is_numeric(column) for column in range(len(relation.columns))]

    def _enter(self, keys: tuple[str, ...], at: tuple[int, int]) -> None:
        self._wholes[keys].add(at)
        keys = keys[: 4 * _LONGEST]
        for start in range(len(keys)):
            for end in range(start + 1, min(len(keys), start + _LONGEST) + 1):
                self._runs[keys[start:end]].add(at)

    def number(self, row: int, column: int) -> Fraction | None:
        """The number that a cell is, whatever its unit; None where it is none."""
        cell = self.relation.rows[row].cells[column]
        found = _ONE_NUMBER.fullmatch(cell) if cell is not None else None
        if found is None:
            return None
        return Fraction(re.sub(r"[\s,]", "", found[1]).replace("−", "-"))

    def _is_numeric(self, column: int) -> bool:
        rows = range(len(self.relation.rows))
        found = sum(self.number(row, column) is not None for row in rows)
        return bool(rows) and Fraction(found, len(rows)) >= _MOSTLY

    def is_text(self, column: int) -> bool:
        """Whether the cells of a column are words rather than numbers or dates."""
        return self.relation.columns[column].kind is ColumnKind.TEXT and not self.numeric[column]

    def links(self, tokens: Sequence[Token]) -> tuple[Link, ...]:
        """What of a statement stands in cells."""
        keys = [token.key for token in tokens]
        found: list[tuple[float, Link]] = []
        for start in range(len(keys)):
            for end in range(min(len(keys), start + _LONGEST), start, -1):
                run = tuple(keys[start:end])
                if run not in self._runs or not any(content(token) for token in tokens[start:end]):
                    continue
                whole = self._wholes.get(run)
                bare = content(tokens[start]) and content(tokens[end - 1])
                if whole or bare:
                    hits = frozenset(whole or self._runs[run])
                    wide = frozenset(row for row, _ in self._runs[run])
                    found.append((end - start + (0.5 if whole else 0), Link(start, end, hits, bool(whole), wide)))
        return _apart(found, len(keys))

    def named(self, tokens: Sequence[Token], linked: frozenset[int], kin: Kin) -> tuple[Named, ...]:
        """The columns that a statement names, by words that stand in no cell; ``kin`` says which words are as good."""
        found = []
        for column, words in enumerate(self.columns):
            keys = [token.key for token in words if content(token) and (len(token.key) > 1 or len(words) == 1)]
            if keys:
                found += _naming(keys, tokens, column, linked, kin)
        return _chosen(found)


def _apart(found: list[tuple[float, Link]], length: int) -> tuple[Link, ...]:
    """The longest, none over another."""
    taken = [False] * length
    links = []
    for _, link in sorted(found, key=lambda each: (-each[0], each[1].start)):
        if not any(taken[link.start : link.end]):
            taken[link.start : link.end] = [True] * (link.end - link.start)
            links.append(link)
    return tuple(sorted(links, key=lambda link: link.start))


def _naming(keys: list[str], tokens: Sequence[Token], column: int, linked: frozenset[int], kin: Kin) -> list[Named]:
    """Where the words of a column's name stand, with little between them."""

    def said(n: int) -> str | None:
        if n in linked or not content(tokens[n]):
            return None
        return next((key for key in keys if kin(tokens[n].key, key)), None)

    found: list[Named] = []
    for at in range(len(tokens)):
        first = said(at)
        if first is None:
            continue
        seen, end, n = {first}, at + 1, at + 1
        while n < len(tokens) and n <= end + 2:
            key = said(n)
            if key is not None and key not in seen:
                seen.add(key)
                end = n + 1
            elif n in linked or (tokens[n].lower not in _WITHIN and key is None):
                break
            n += 1
        found.append(Named(at, end, column, len(seen) == len(set(keys))))
    return found


def _chosen(found: list[Named]) -> tuple[Named, ...]:
    """Names by all of their words before names by some, long ones before short ones, and none over another.

    Names of several columns by the same words stay side by side: what is said beside them may tell which is meant.
    """
    out: list[Named] = []
    for each in sorted(found, key=lambda named: (not named.whole, named.start - named.end, named.start)):
        if not any(
            each.start < other.end
            and other.start < each.end
            and (each.start, each.end, each.whole) != (other.start, other.end, other.whole)
            for other in out
        ):
            out.append(each)
    return tuple(sorted(out, key=lambda each: each.start))
