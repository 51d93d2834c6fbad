"""An index of what stands in a relation: which cells and which columns a stretch of words may speak of.

Invariants: a stretch is linked to a cell only where all its words stand in the cell in this order, side by side (signs
aside), by their stems; a date also where the cell says it in another way. Links are proposals: what they come to is for
the reader to say. Looking a stretch up costs time by the cells that hold its first word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language.closed_class import is_function_word
from imprimatur.sources.tables.prose.days import Day, days, is_year
from imprimatur.sources.tables.prose.kinship import SAME, SYNONYM, kinship
from imprimatur.sources.tables.prose.tokens import Token, tokens
from imprimatur.sources.tables.prose.worth import Worth, worth_of
from imprimatur.sources.tables.relation import Relation

__all__ = ["CellIndex", "Found", "Heading", "Place"]

_BRACKETED = expression(r"\([^()]*\)")

#: Row and column of a cell.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """The cells that a stretch of words may speak of: ``whole`` say it and nothing else, ``part`` say more."""

    whole: frozenset[Place] = frozenset()
    part: frozenset[Place] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.whole or self.part)


@dataclass(frozen=True, slots=True)
class Heading:
    """How well some words speak of a column.

    ``said`` is how many words of its name they say, of ``words`` in all; ``near`` is the least kinship among them.
    """

    column: int
    said: int
    words: int
    near: int

    @property
    def whole(self) -> bool:
        """Whether all of its name is said."""
        return self.said == self.words


class CellIndex:
    """The cells and columns of one relation, by their words."""

    def __init__(self, relation: Relation) -> None:
        self.relation = relation
        self.shown = tuple(at for at, column in enumerate(relation.columns) if not column.hidden)
        self.words: dict[Place, tuple[str, ...]] = {}
        self._tokens: dict[Place, tuple[Token, ...]] = {}
        self._starts: dict[str, list[tuple[Place, int]]] = {}
        for number, row in enumerate(relation.rows):
            for at in self.shown:
                cell = row.cells[at]
                if cell is not None:
                    self._add((number, at), tokens(relation.columns[at].values.get(cell, cell)))

    def _add(self, place: Place, read: tuple[Token, ...]) -> None:
        self._tokens[place] = read
        words = self.words[place] = tuple(token.stem for token in read if token.stem)
        for at, word in enumerate(words):
            self._starts.setdefault(word, []).append((place, at))

    # -- cells ---------------------------------------------------------------------------------------------------------
    def find(self, words: Sequence[str]) -> Found:
        """The cells in which some words (stems) stand side by side."""
        if not words:
            return Found()
        whole: set[Place] = set()
        part: set[Place] = set()
        for place, at in self._starts.get(words[0], ()):
            said = self.words[place]
            if said[at : at + len(words)] == tuple(words):
                (whole if len(said) == len(words) else part).add(place)
        return Found(frozenset(whole), frozenset(part - whole))

    def longest(self, words: Sequence[str]) -> int:
        """How many of the words, from the first one on, stand side by side in some cell."""
        best = 0
        for place, at in self._starts.get(words[0], ()) if words else ():
            said = self.words[place]
            if best and said[at : at + best] != tuple(words[:best]):
                continue
            length = 0
            while length < len(words) and at + length < len(said) and said[at + length] == words[length]:
                length += 1
            best = max(best, length)
        return best

    def on(self, day: Day) -> Found:
        """The cells that are at a date, or hold it."""
        whole: set[Place] = set()
        part: set[Place] = set()
        for place, held in self._dates:
            if not day.says(held):
                if held.year is None and day.month and day.day and not day.differs(held):
                    part.add(place)  # the year stands elsewhere
            else:
                worth = self.worth(place)
                (whole if worth is not None and worth.day == held and worth.exact else part).add(place)
        return Found(frozenset(whole), frozenset(part - whole))

    @cached_property
    def _dates(self) -> tuple[tuple[Place, Day], ...]:
        """Each date with the cell that it stands in."""
        return tuple((place, day) for place, read in self._tokens.items() for _, _, day in days(read))

    def worth(self, place: Place) -> Worth | None:
        """What a cell is worth in an order; None for one that says nothing, or a text."""
        return self._worths.get(place)

    @cached_property
    def _worths(self) -> Mapping[Place, Worth]:
        found = ((place, worth_of(read)) for place, read in self._tokens.items())
        return {place: worth for place, worth in found if worth is not None}

    def kind(self, column: int) -> str:
        """What most cells of a column are worth: "number", "day", or "" for texts."""
        return self._kinds[column]

    def years(self, column: int) -> bool:
        """Whether the cells of a column are years, or begin or end with one."""
        return column in self._of_years

    @cached_property
    def _kinds(self) -> Mapping[int, str]:
        held = Counter(column for _, column in self.words)
        days_ = Counter(column for (_, column), worth in self._worths.items() if worth.day is not None)
        numbers = Counter(column for (_, column), worth in self._worths.items() if worth.day is None)
        return {
            column: "day"
            if 2 * days_[column] > held[column]
            else "number"
            if 2 * numbers[column] > held[column]
            else ""
            for column in self.shown
        }

    @cached_property
    def _of_years(self) -> frozenset[int]:
        held = Counter(column for _, column in self.words)
        years = Counter(
            column for (_, column), read in self._tokens.items() if read and (is_year(read[0]) or is_year(read[-1]))
        )
        return frozenset(column for column in self.shown if 2 * years[column] > held[column])

    def valued(self, number: Fraction) -> frozenset[Place]:
        """The cells that are worth a number, whatever is written beside it."""
        return self._numbers.get(number, frozenset())

    @cached_property
    def _numbers(self) -> Mapping[Fraction, frozenset[Place]]:
        found: dict[Fraction, set[Place]] = {}
        for place, worth in self._worths.items():
            if worth.number is not None:
                found.setdefault(worth.number, set()).add(place)
        return {number: frozenset(places) for number, places in found.items()}

    def near(self, number: Fraction, digits: int) -> frozenset[Place]:
        """The cells that may say a number of so many digits after the point, and write it in another way.

        They have more digits and come to it when rounded, or their point may part thousands, or that of the number.
        """
        step = Fraction(1, 10**digits)
        found: set[Place] = set()
        for own, places in self._numbers.items():
            rounded = (own / step).denominator > 1 and abs(own - number) * 2 <= step
            if rounded or (number and (own * 1000 == number or number * 1000 == own)):
                found |= places
        return frozenset(found)

    def siblings(self, column: int, other: int) -> bool:
        """Whether two columns hold the same kind of thing: their names share a word ("home team", "away team")."""
        own, its = self.headings[column], self.headings[other]
        return column != other and any({*a} & {*b} for a in own for b in its)

    # -- columns -------------------------------------------------------------------------------------------------------
    @cached_property
    def headings(self) -> Mapping[int, tuple[tuple[str, ...], ...]]:
        """For each column the words (stems) of each of its names; those that say nothing by themselves are left out."""
        found = {}
        for at in self.shown:
            column = self.relation.columns[at]
            names = (column.name, _BRACKETED.sub(" ", column.name), column.words, *column.synonyms)
            found[at] = tuple(dict.fromkeys(words for name in names if (words := _content(tokens(name)))))
        return found

    def heads(self, words: Sequence[str]) -> tuple[Heading, ...]:
        """The columns that some words (stems) speak of, best first: every word must be kin to one of the name."""
        found = []
        for at, names in self.headings.items():
            best = max((_said(words, name) for name in names), default=(0, 0, 0))
            if best[1] == SYNONYM:  # units and remarks in brackets are called by their own words only
                best = _said(words, names[min(1, len(names) - 1)])
            if best[0]:
                found.append(Heading(at, best[0], -best[2], best[1]))
        found.sort(key=lambda each: (-each.near, -each.said, each.words, each.column))
        return tuple(found)

    @cached_property
    def context(self) -> frozenset[str]:
        """The words (stems) of what the table is called, what its rows are, and what is said about it."""
        relation = self.relation
        said = (relation.name.replace("_", " "), relation.about, *relation.nouns)
        return frozenset(token.stem for text in said for token in tokens(text) if token.stem)


def _content(read: Iterable[Token]) -> tuple[str, ...]:
    every = [token for token in read if token.stem]
    said = tuple(token.stem for token in every if len(token.text) == 1 or not is_function_word(token.text))
    return said or tuple(token.stem for token in every)


def _said(words: Sequence[str], name: Sequence[str]) -> tuple[int, int, int]:
    """How many words of a name are said, the least kinship, and (negative) the length of the name; 0 if one is not."""
    left = list(name)
    near = SAME
    for word in words:
        kin = [(kinship(word, other), -at) for at, other in enumerate(left)]
        best = max(kin, default=(0, 0))
        if not best[0]:
            return (0, 0, 0)
        near = min(near, best[0])
        del left[-best[1]]
    return (len(words), near, -len(name))
