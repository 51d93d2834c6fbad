"""A row as a record: its yes/no attributes with the words they are spoken of by, its hours, numbers and texts.

Contract: an attribute is a column whose cells say yes or no, or of which some cell says no and the others what there is
("free", "paid"). ``truth`` is None where the cell is empty: silence, neither yes nor no. A column of which no cell is
known is silent, too. The label of a nested column is the name of its last key, and its group that of the key above,
where that groups several. Words that keys of one group begin with ("RestaurantsTakeOut", "RestaurantsDelivery") are
left out of the label. A key in the plural ("facilities") groups things that are spoken of by themselves, and makes no
group. Rows of other tables that refer to the row lend it their texts and numbers, not their attributes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from imprimatur.extract.words import forms
from imprimatur.language.tokens import TokenKind, tokenise
from imprimatur.sources.tables.attributes.words import is_quality
from imprimatur.sources.tables.columns import spoken
from imprimatur.sources.tables.mapping import flag, title_of
from imprimatur.sources.tables.opening_hours import opening_day
from imprimatur.sources.tables.relation import Cell, Column, ColumnKind, Relation, Row

__all__ = [
    "Attribute",
    "Group",
    "Opening",
    "Rated",
    "Record",
    "Records",
    "Sight",
    "Words",
    "day_columns",
    "key_words",
    "sights_of",
]

Words = tuple[str, ...]

_HAVING = frozenset(("has", "have", "is", "are", "offers", "provides", "with"))
_NONE = frozenset(("no", "none", "false"))
#: A cell of more words says more than what there is.
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Attributes under one key: ``words`` are the key's; most may be ``qualities`` of it, and no things."""

    words: Words
    columns: tuple[str, ...]
    qualities: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """One yes/no attribute of a relation, as it is spoken of: ``phrases`` are its label and what else it is called."""

    column: str
    phrases: tuple[Words, ...]
    group: Group | None


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a row says of an attribute; ``truth`` is None for silence, ``said`` the cell."""

    sight: Sight
    truth: bool | None
    said: Cell


@dataclass(frozen=True, slots=True)
class Opening:
    """The cell of one day of the week; of every day where ``day`` is empty."""

    column: str
    day: str
    said: Cell


@dataclass(frozen=True, slots=True)
class Rated:
    """A number of the row, with the words of its column; ``own``: it is of the row, not of one that refers to it."""

    column: str
    words: frozenset[str]
    said: str
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One row. ``texts`` are all that is written in it and in the rows that refer to it, ``kinds`` what a row is."""

    relation: Relation
    row: Row
    name: str | None
    attributes: tuple[Attribute, ...]
    hours: tuple[Opening, ...]
    numbers: tuple[Rated, ...]
    texts: tuple[str, ...]
    prose: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    truths: Mapping[str, bool | None] = field(default_factory=dict)


def shown(column: str, cell: Cell) -> str:
    """A cell as a person reads it."""
    return f"{column} is empty" if cell is None else f"{column} = {cell}"


def key_words(key: str) -> Words:
    """The words of a key, lower-case: "RestaurantsTakeOut" and "restaurants take out" have three."""
    return tuple(token.lower for token in tokenise(spoken(key)[0]) if token.kind is not TokenKind.PUNCT)


def sights_of(relation: Relation) -> tuple[Sight, ...]:
    """The yes/no attributes of a relation."""
    around = {column.path[:depth] for column in relation.columns for depth in range(1, len(column.path))}
    columns = [
        column
        for column in relation.columns
        if not (column.hidden or column.name == relation.title or column.name in day_columns(relation))
        and (column.path or (column.name,)) not in around
    ]
    grouped: dict[Words, list[Column]] = {}
    for column in columns:
        grouped.setdefault(_above(column), []).append(column)
    found = []
    for path, members in grouped.items():
        kept = [column for column in members if _says_whether(relation, column)]
        shared = _shared(members)
        group = None
        if path and len(kept) > 1 and len(kept) == len(members) and not _lists(key_words(path[-1])[-1]):
            qualities = sum(is_quality(_last_words(column)[-1]) for column in kept) * 2 > len(kept)
            group = Group(key_words(path[-1]), tuple(column.name for column in kept), qualities)
        found += [Sight(column.name, _phrases(column, shared), group) for column in kept]
    return tuple(each for each in found if each.phrases)


def day_columns(relation: Relation) -> Mapping[str, str]:
    """The columns of opening hours by name, with the day that they are of: one without any cell is of a day, too."""
    hours = {column.name for column in relation.columns if column.kind is ColumnKind.HOURS}
    empty = {
        column.name for column in relation.columns if hours and not any(cell for cell in relation.cells(column.name))
    }
    named = ((name, opening_day(name.replace("_", " "))) for name in (*hours, *empty))
    return {name: day for name, day in named if day is not None and (day or name in hours)}


def _lists(word: str) -> bool:
    """Whether a key lists things of their own ("facilities"), and not kinds of one thing ("parking")."""
    known = forms(word)
    return known.noun is not None and known.noun != word


def _above(column: Column) -> Words:
    return column.path[:-1]


def _says_whether(relation: Relation, column: Column) -> bool:
    """Whether a column says yes or no of its rows."""
    if column.kind is ColumnKind.FLAG:
        return True
    if column.kind is not ColumnKind.TEXT or column.refers is not None:
        return False
    known = [cell.lower() for cell in relation.cells(column.name) if cell is not None]
    return not known or any(cell in _NONE for cell in known)


def _shared(columns: Sequence[Column]) -> frozenset[str]:
    """The first words that several keys have."""
    firsts = Counter(words[0] for words in map(_last_words, columns) if len(words) > 1)
    return frozenset(word for word, count in firsts.items() if count > 1)


def _last_words(column: Column) -> Words:
    return key_words(column.path[-1] if column.path else column.name)


def _phrases(column: Column, shared: frozenset[str]) -> tuple[Words, ...]:
    """The label of a column and its other names."""
    words = _last_words(column)
    if len(words) > 1 and words[0] in shared and column.path:
        words = words[1:]
    named = [column.words] if column.words != spoken(column.name)[0] else []
    said = [words, *map(key_words, (*named, *column.synonyms))]
    return tuple(dict.fromkeys(told for each in said if (told := _without_having(each))))


def _without_having(words: Words) -> Words:
    """The words of a label without a first verb that only says that it is there ("has WiFi", "is tidal")."""
    return words[1:] if len(words) > 1 and words[0] in _HAVING else words


class Records:
    """The rows of some relations as records."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self.relations = tuple(relations)
        self._sights = {each.name: sights_of(each) for each in relations}

    def record(self, relation: Relation, number: int) -> Record:
        """The row of a number (from 0) as a record, with what refers to it."""
        return _record(self.relations, relation, relation.rows[number], self._sights[relation.name])


def _record(relations: Sequence[Relation], relation: Relation, row: Row, sights: Sequence[Sight]) -> Record:
    attributes = tuple(_attribute(relation, row, each) for each in sights)
    spoken = {each.sight.column for each in attributes}
    own = _Cells(relation, row, own=True)
    cells = [own, *_referring(relations, relation, row)]
    texts = [text for each in cells for text in each.texts(spoken)]
    return Record(
        relation=relation,
        row=row,
        name=title_of(relation, row),
        attributes=attributes,
        hours=tuple(own.hours()),
        numbers=tuple(rated for each in cells for rated in each.numbers()),
        texts=tuple(texts),
        prose=tuple(text for each in cells[1:] for text in each.texts(frozenset())),
        kinds=frozenset(word for noun in relation.nouns for word in key_words(noun)),
        truths={each.sight.column: each.truth for each in attributes},
    )


def _attribute(relation: Relation, row: Row, sight: Sight) -> Attribute:
    column = relation.column(sight.column)
    cell = row.cells[relation.numbers[sight.column]]
    if cell is None or len(cell.split()) > _MOST_WORDS:
        return Attribute(sight, None, None)
    said = flag(column.values.get(cell, cell))
    return Attribute(sight, said if said is not None else cell.lower() not in _NONE, cell)


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of a row, by what they are."""

    relation: Relation
    row: Row
    own: bool

    def _of(self, *kinds: ColumnKind) -> Iterator[tuple[Column, str]]:
        for column, cell in zip(self.relation.columns, self.row.cells):
            if cell is not None and not column.hidden and column.kind in kinds and column.refers is None:
                yield column, cell

    def texts(self, spoken: Iterable[str]) -> Iterator[str]:
        without = frozenset(spoken)
        yield from (cell for column, cell in self._of(ColumnKind.TEXT) if column.name not in without)

    def hours(self) -> Iterator[Opening]:
        days = day_columns(self.relation)
        for column, cell in zip(self.relation.columns, self.row.cells):
            if column.name in days:
                yield Opening(column.name, days[column.name], cell)

    def numbers(self) -> Iterator[Rated]:
        for column, cell in self._of(ColumnKind.NUMBER):
            named = [key_words(column.name), *map(key_words, (column.words, *column.synonyms))]
            yield Rated(column.name, frozenset(word for words in named for word in words), cell, self.own)


def _referring(relations: Sequence[Relation], relation: Relation, row: Row) -> Iterator[_Cells]:
    """The rows of other relations that refer to a row."""
    for other in relations:
        for column in other.columns:
            to = column.refers
            if other is relation or to is None or to.relation != relation.name or to.column not in relation.numbers:
                continue
            key = row.cells[relation.numbers[to.column]]
            at = other.numbers[column.name]
            yield from (
                _Cells(other, each, own=False) for each in other.rows if key is not None and each.cells[at] == key
            )
