"""The course of an answer: its parts in order, what it was asked, and which words it had said before each part.

Contract: what ``carried`` says of a place depends on the parts before it alone, so a verdict hangs on nothing that
follows. Words are compared in any form. A claim may say again what was asked or said before; that proves nothing of
it, and a word that no passage has stays one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from imprimatur.answer import Kind, Segment
from imprimatur.segment import segment
from imprimatur.sources.passages.alignment import Found
from imprimatur.sources.passages.ground import Term, contents, terms_of

__all__ = ["CARRIED", "Carried", "Course", "Part", "carried_of"]

CARRIED = ("asked", "said_before", "repeated")


@dataclass(frozen=True, slots=True)
class Part:
    """A segment of an answer without its markup: where its words start, they, and whether it is an item of a list."""

    start: int
    words: str
    item: bool


@dataclass(frozen=True, slots=True)
class Carried:
    """What was asked, and what an answer said before a place."""

    question: frozenset[str] = frozenset()
    first: Mapping[str, int] | None = None
    place: int = 0

    def asked(self, term: Term) -> bool:
        """Whether a word stands in the question."""
        return not self.question.isdisjoint(term.forms)

    def said(self, term: Term) -> bool:
        """Whether a word stands in a part before the place."""
        first = self.first or {}
        return any(first.get(form, self.place) < self.place for form in term.forms)


class Course:
    """The parts of an answer as far as it has come, code aside; ``hear`` adds to them."""

    def __init__(self, question: str = "") -> None:
        self.parts: list[Part] = []
        self._question = question
        self._answer = ""
        self._heard = 0
        self._ends: list[int] = []
        self._items: set[int] = set()
        self._first: dict[str, int] = {}  # for each word the number of the part that says it first,
        self._told = 0  # of so many parts

    @classmethod
    def of(cls, answer: str, question: str = "") -> Course:
        """The course of an answer that is all there."""
        made = cls(question)
        made.hear(answer, segment(answer))
        return made

    def __copy__(self) -> Course:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        for name in ("parts", "_ends", "_items", "_first"):
            setattr(made, name, self.__dict__[name].copy())
        return made

    def hear(self, text: str, parts: Sequence[Segment]) -> None:
        """Takes the answer so far, which goes on from what was heard, and its segments."""
        self._answer = text
        for part in parts[self._heard :]:
            if part.kind is not Kind.CODE:
                made = Part(part.body[0], text[slice(*part.body)], part.kind is Kind.LIST_ITEM)
                self.parts.append(made)
                self._ends.append(part.body[1])
                if made.item:
                    self._items.add(made.start)
        self._heard = len(parts)

    def place(self, start: int, end: int, text: str) -> int:
        """How many parts end before a stretch of the answer; 0 for a text that does not stand there."""
        if self._answer[start:end] != text:
            return 0
        return bisect_right(self._ends, start)

    def is_item(self, start: int) -> bool:
        """Whether an item of a list starts there."""
        return start in self._items

    def carried(self, place: int) -> Carried:
        """What was asked and said before the part of that number."""
        return Carried(self._asked, self._said() if place else None, place)

    @cached_property
    def _asked(self) -> frozenset[str]:
        return frozenset[str]().union(*(term.forms for term in contents(terms_of(self._question))))

    def _said(self) -> dict[str, int]:
        """For each word the number of the part that says it first."""
        for number in range(self._told, len(self.parts)):
            for term in contents(terms_of(self.parts[number].words)):
                for form in term.forms:
                    self._first.setdefault(form, number)
        self._told = len(self.parts)
        return self._first


def carried_of(found: Found, known: Sequence[bool], carried: Carried) -> dict[str, float]:
    """The signs of what a claim carries over: new words that were asked or said before, and what it repeats."""
    new = [(term, weight) for term, weight, stands in zip(found.terms, found.weights, known) if not stands]
    repeated = sum(carried.said(term) for term in found.terms)
    return {
        "asked": sum(weight for term, weight in new if carried.asked(term)),
        "said_before": sum(weight for term, weight in new if carried.said(term)),
        "repeated": repeated / len(found.terms) if found.terms else 0.0,
    }
