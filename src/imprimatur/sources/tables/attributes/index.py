"""Which row an answer speaks of: rows are found by their titles, and those of one title told apart by other cells.

Contract: a title is found as whole words, accents and typography aside, with a capital where it is written with one. Of
several rows with one title the one counts of which the most short texts (a place, an address) stand in the answer so
far; where that is not one row, none does. Only relations with yes/no attributes or hours are looked at.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.tables.attributes.reading import RowReader
from imprimatur.sources.tables.attributes.record import Records, sights_of
from imprimatur.sources.tables.relation import ColumnKind, Relation

__all__ = ["Named", "RowIndex", "speaks_of_rows"]

#: Characters of a cell that tells rows of one title apart.
_SHORT = (4, 60)
#: Rows are read while an answer is judged; those of larger tables are not kept.
_MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Named:
    """A title in a text: ``text[start:end]``, and the rows that bear it, as numbers from 0 within their relation."""

    start: int
    end: int
    rows: tuple[tuple[str, int], ...]


def speaks_of_rows(relation: Relation) -> bool:
    """Whether a relation has something that prose can be held against attribute by attribute."""
    if relation.title is None:
        return False
    return any(column.kind is ColumnKind.HOURS for column in relation.columns) or bool(sights_of(relation))


class RowIndex:
    """The titled rows of some relations."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._records = Records(relations)
        self._relations = {each.name: each for each in relations if speaks_of_rows(each)}
        self._titles: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        self._readers: dict[tuple[str, int], RowReader] = {}
        self._small: set[tuple[str, ...]] = set()
        self._longest = 0
        for relation in self._relations.values():
            self._add(relation)

    def _add(self, relation: Relation) -> None:
        for name in filter(None, (relation.title, *relation.names)):
            for number, cell in enumerate(relation.cells(name)):
                words = _plain(tokenise(cell)) if cell is not None else ()
                if words:
                    self._small |= {words} if (cell or "")[:1].islower() else set()
                    rows = self._titles.setdefault(words, [])
                    rows += [(relation.name, number)] if (relation.name, number) not in rows else []
                    self._longest = max(self._longest, len(words))

    def find(self, text: str) -> tuple[Named, ...]:
        """The titles in a text, in order, the longest first where they overlap."""
        tokens = [token for token in tokenise(text) if token.kind is not TokenKind.PUNCT]
        plain = _plain(tokens)
        found: list[Named] = []
        at = 0
        while at < len(tokens):
            ends = range(min(len(tokens), at + self._longest), at, -1)
            small = tokens[at].text[:1].islower()
            stop = next((end for end in ends if self._is_title(plain[at:end], small=small)), at)
            if stop > at:
                found.append(Named(tokens[at].start, tokens[stop - 1].end, tuple(self._titles[plain[at:stop]])))
            at = max(stop, at + 1)
        return tuple(found)

    def _is_title(self, words: tuple[str, ...], *, small: bool) -> bool:
        return words in self._titles and (words in self._small or not small)

    def meant(self, named: Named, text: str) -> tuple[str, int] | None:
        """The row that a title means in a text; None where that does not tell."""
        if len(named.rows) == 1:
            return named.rows[0]
        low = text.lower()
        scores = [sum(cell.lower() in low for cell in self._telling(*row)) for row in named.rows]
        best = max(scores)
        return named.rows[scores.index(best)] if best and scores.count(best) == 1 else None

    def _telling(self, relation: str, number: int) -> list[str]:
        """The short texts of a row besides its title."""
        of = self._relations[relation]
        told = (
            cell
            for column, cell in zip(of.columns, of.rows[number].cells)
            if column.kind is ColumnKind.TEXT and column.name != of.title and cell is not None
        )
        return [cell for cell in told if _SHORT[0] <= len(cell) <= _SHORT[1]]

    def reader(self, relation: str, number: int) -> RowReader:
        """What reads sentences beside a row."""
        found = self._readers.get((relation, number))
        if found is None:
            if len(self._readers) >= _MOST_KEPT:
                self._readers.clear()
            found = RowReader(self._records.record(self._relations[relation], number))
            self._readers[relation, number] = found
        return found


def _plain(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Words to compare by: lower case, without accents; marks are no words."""
    return tuple(_unaccented(token.lower) for token in tokens if token.kind is not TokenKind.PUNCT)


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
