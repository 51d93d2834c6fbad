"""A record: some relations, with what running text calls their rows, values, parts and contests.

Invariants: nothing is guessed from a text here. Words are compared by ``stem`` (lower case, without dots and a plural's
s), names of rows as written but for case and dots. A value of a row is exact, or None where the cell says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur.language.tokens import tokenise
from imprimatur.sources.tables.numbers import exact
from imprimatur.sources.tables.relation import Cell, Column, ColumnKind, Relation
from imprimatur.sources.tables.spoken import Feat, SpokenValue

__all__ = ["At", "Lookup", "Phrase", "Record", "Sheet", "stem", "words_of"]

T = TypeVar("T")
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))


def stem(word: str) -> str:
    """A word as it is compared: lower case, no dots, no plural's s."""
    low = word.lower().replace(".", "") or word
    if len(low) > 3 and low.endswith("s") and not low.endswith("ss"):
        return low[:-3] + "y" if low.endswith("ies") and len(low) > 4 else low[:-1]
    return low


@lru_cache(maxsize=4096)
def words_of(phrase: str) -> tuple[str, ...]:
    """The stems of a phrase, hyphens left out."""
    return tuple(stem(token.lower) for token in tokenise(phrase) if token.text != "-")


@dataclass(frozen=True, slots=True)
class At:
    """A row of a sheet."""

    sheet: str
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What some words may mean.

    ``kind``: "value" (of a row), "when" (a time that a value has), "ahead" and "behind" (a contest's verb), "gap" (what
    two rows differ by; ``yes``: at the end), "feat", "part" (``yes``: of those that are), "noun" (what a row is),
    "belongs" (it is of the parent's row that follows) or "elsewhere" (of another record). ``name`` is the value's,
    column's or feat's.
    """

    kind: str
    sheet: str
    name: str = ""
    yes: bool = True


@dataclass(frozen=True, eq=False)
class Sheet:
    """A relation with the values that may be spoken of; ``known`` keeps numbers that were read."""

    relation: Relation
    values: dict[str, SpokenValue]
    parent: tuple[str, dict[int, int]] | None = None
    known: dict[tuple[int, str], Fraction | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The relation's."""
        return self.relation.name

    def cell(self, row: int, column: str) -> Cell:
        """A cell, as written."""
        return self.relation.rows[row].cells[self.relation.numbers[column]]

    def number(self, row: int, name: str) -> Fraction | None:
        """The number of a value that is no pair; None where a cell says nothing or is no number."""
        value = self.values.get(name)
        total = value.total if value is not None and value.total else (name,)
        found = [self._plain(row, column) for column in total]
        return None if None in found else sum(filter(None, found), Fraction(0))

    def _plain(self, row: int, column: str) -> Fraction | None:
        """The number of a cell; each is read once."""
        if (row, column) not in self.known:
            cell = self.cell(row, column)
            if cell is None:
                cell = self.relation.spoken.empty
            self.known[row, column] = None if cell is None else exact(cell, self.relation.column(column).unit)
        return self.known[row, column]

    def pair(self, row: int, name: str) -> tuple[Fraction | None, Fraction | None]:
        """The two numbers of a pair."""
        first, second = self.values[name].pair
        return self._plain(row, first), self._plain(row, second)

    def column(self, name: str) -> Column | None:
        """The column of a value that is one."""
        return self.relation.column(name) if name in self.relation.numbers else None

    def rows(self) -> range:
        """All rows."""
        return range(len(self.relation.rows))

    def title(self, row: int) -> str:
        """What a row is called."""
        title = self.relation.title
        return (title and self.cell(row, title)) or f"row {row + 1}"

    def owner(self, row: int) -> int | None:
        """The row of the parent that a row belongs to."""
        return self.parent[1].get(row) if self.parent is not None else None

    def mates(self, row: int) -> list[int]:
        """The rows that belong to the same row of the parent, itself among them; all rows without a parent."""
        mine = self.owner(row)
        return [each for each in self.rows() if self.parent is None or self.owner(each) == mine]

    def has(self, row: int, feat: Feat) -> bool | None:
        """Whether a row has done it; None where that is not known."""
        found = [self.number(row, column) for column in feat.columns]
        if sum(1 for each in found if each is not None and each >= feat.least) >= feat.count:
            return True
        return None if None in found else False

    def is_part(self, row: int, column: str) -> bool | None:
        """Whether a column of yes and no says yes."""
        cell = self.cell(row, column)
        said = None if cell is None else self.relation.column(column).values.get(cell, cell).lower()
        return {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}.get(said or "")


class Lookup(Generic[T]):
    """What stands for runs of words: the longest run wins."""

    def __init__(self, found: dict[tuple[str, ...], T]) -> None:
        self._found = found
        lengths: dict[str, set[int]] = {}
        for words in found:
            lengths.setdefault(words[0], set()).add(len(words))
        self._lengths = {word: sorted(each, reverse=True) for word, each in lengths.items()}

    def lengths(self, first: str) -> Sequence[int]:
        """How many words runs have that begin with a word, the most first."""
        return self._lengths.get(first, ())

    def get(self, words: tuple[str, ...]) -> T | None:
        """What stands for a run of words."""
        return self._found.get(words)


class Record:
    """Some relations that one text speaks of."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self.relations = tuple(relations)
        self.sheets = {each.name: Sheet(each, _values(each), self._parent(each)) for each in self.relations}

    def _parent(self, relation: Relation) -> tuple[str, dict[int, int]] | None:
        """The first relation that a column refers to, and which of its rows each row belongs to."""
        above = {each.name: each for each in self.relations}
        for column in relation.columns:
            to = column.refers
            if to is None or to.relation not in above or to.relation == relation.name:
                continue
            known = {cell: row for row, cell in enumerate(above[to.relation].cells(to.column)) if cell is not None}
            cells = enumerate(relation.cells(column.name))
            return to.relation, {row: known[cell] for row, cell in cells if cell in known}
        return None

    def number(self, at: At, name: str) -> Fraction | None:
        """The number of a value of a row."""
        return self.sheets[at.sheet].number(at.row, name)

    def title(self, at: At) -> str:
        """What a row is called."""
        return self.sheets[at.sheet].title(at.row)

    def owner(self, at: At) -> At | None:
        """The row that it belongs to."""
        sheet = self.sheets[at.sheet]
        row = sheet.owner(at.row)
        return At(sheet.parent[0], row) if sheet.parent is not None and row is not None else None

    @cached_property
    def phrases(self) -> Lookup[tuple[Phrase, ...]]:
        """What phrases may mean, by their stems."""
        gathered: dict[tuple[str, ...], dict[Phrase, None]] = {}
        for sheet in self.sheets.values():
            for phrase, words in _phrases(sheet):
                for stems in {words_of(each) for each in words} - {()}:
                    gathered.setdefault(stems, {})[phrase] = None
        return Lookup({stems: tuple(meanings) for stems, meanings in gathered.items()})

    @cached_property
    def names(self) -> Lookup[tuple[tuple[At, ...], bool]]:
        """The rows that names may be, by their words; the flag says that it is a whole name of one of them."""
        gathered: dict[tuple[str, ...], dict[bool, dict[At, None]]] = {}
        for sheet in self.sheets.values():
            nouns = {words_of(noun) for noun in sheet.relation.nouns}
            for row in sheet.rows():
                for tokens, whole in _named(sheet, row):
                    if whole or tuple(map(stem, tokens)) not in nouns:  # "School" alone names no school
                        gathered.setdefault(tokens, {}).setdefault(whole, {})[At(sheet.name, row)] = None
        return Lookup({tokens: (tuple(each[max(each)]), max(each)) for tokens, each in gathered.items()})


def _values(relation: Relation) -> dict[str, SpokenValue]:
    """The values of a relation's rows: its columns of numbers, and those that are described."""
    found: dict[str, SpokenValue] = {}
    for column in relation.columns:
        if not column.hidden and column.kind is ColumnKind.NUMBER:
            found[column.name] = SpokenValue(name=column.name, words=(column.words, *column.synonyms))
    for value in relation.spoken.values:
        own = found.get(value.name)
        words = value.words or (own.words if own is not None else (value.name,))
        found[value.name] = SpokenValue(
            name=value.name,
            words=words,
            pair=value.pair,
            total=value.total,
            when=value.when,
            bare=value.bare,
            main=value.main,
        )
    return found


def _phrases(sheet: Sheet) -> Iterator[tuple[Phrase, Sequence[str]]]:
    told, name = sheet.relation.spoken, sheet.name
    for value in sheet.values.values():
        yield Phrase(kind="value", sheet=name, name=value.name), value.words
        for each in value.when:
            yield Phrase(kind="when", sheet=name, name=" ".join(words_of(each))), (each,)
    for column, words in told.ahead.items():
        yield Phrase(kind="ahead", sheet=name, name=column), words
    for column, words in told.behind.items():
        yield Phrase(kind="behind", sheet=name, name=column), words
    for gaps, at_the_end in ((told.gaps, True), (told.leads, False)):
        for column, words in gaps.items():
            yield Phrase(kind="gap", sheet=name, name=column, yes=at_the_end), words
    for feat in told.feats:
        yield Phrase(kind="feat", sheet=name, name=feat), (feat,)
    for column, yes, words in told.parts:
        yield Phrase(kind="part", sheet=name, name=column, yes=yes), words
    yield Phrase(kind="noun", sheet=name), sheet.relation.nouns
    yield Phrase(kind="belongs", sheet=name), told.belongs
    yield Phrase(kind="elsewhere", sheet=name), told.elsewhere


def _named(sheet: Sheet, row: int) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The names of a row as words: those of its cells whole, and of a title its last words and its first."""
    relation = sheet.relation
    titles = [relation.title] if relation.title else []
    for column in (*titles, *relation.names):
        cell = sheet.cell(row, column)
        if cell is None or relation.column(column).kind is not ColumnKind.TEXT:
            continue
        cell = relation.column(column).values.get(cell, cell)
        tokens = tuple(t.lower.replace(".", "") for t in tokenise(cell) if any(map(str.isalnum, t.text)))
        if not tokens:
            continue
        yield tokens, True
        plain = tokens[:-1] if len(tokens) > 2 and tokens[-1] in _SUFFIXES else tokens
        if plain != tokens:
            yield plain, True
        if column == relation.title and len(plain) > 1 and all(token[0].isalpha() for token in plain):
            yield plain[1:], False
            yield plain[-1:], False
            yield plain[:1], False
