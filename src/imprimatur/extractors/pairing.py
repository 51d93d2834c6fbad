"""Names and values of a text in pairs: what a text could claim of them, by the classes and properties of a graph.

Contract: a pair is proposed where the classes of both ends fit the property, in both orders, and once with an end open
for what is named outside the text. This says what may be claimed, not that it is: whether the words between them say so
is for the reader. Numbers and dates are found by the rules of ``language``; a text that a property has as its value can
be any of the words. The work grows with the square of the names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.extractors.terms import Term, Terms
from imprimatur.language import dates, quantities
from imprimatur.protocols import Proposal

__all__ = ["MOST_NAMES", "Marked", "pairs", "singles"]

#: A text with more names has no pairs proposed: it is no sentence.
MOST_NAMES = 40
_MEASURED = ("quantity", "any")
_DATED = ("date", "any", "quantity")
_WORDED = ("text", "any")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Marked:
    """A name that was found in a text, and the class that it was found as."""

    start: int
    end: int
    term: Term

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end


def singles(marked: Sequence[Marked], known: frozenset[str]) -> Iterator[Proposal]:
    """That something is said of each name, for instance that it is of its class, or of a known one above that."""
    for each in marked:
        names = tuple(sorted(known & (each.term.above | {each.term.iri})))
        yield Proposal(start=each.start, end=each.end, subject=each.span, names=names)


def pairs(text: str, marked: Sequence[Marked], terms: Terms) -> tuple[Proposal, ...]:
    """What could be claimed of the names in a text. Nothing where there are too many of them."""
    if len(marked) > MOST_NAMES:
        return ()
    found = [*_relations(marked, terms), *_attributes(text, marked, terms)]
    return tuple(dict.fromkeys(found))


def _relations(marked: Sequence[Marked], terms: Terms) -> Iterator[Proposal]:
    related = [term for term in terms.properties if term.value in ("entity", "any")]
    for subject in (*marked, None):
        for other in (*marked, None):
            if subject is other or (subject is not None and other is not None and subject.span == other.span):
                continue
            names = tuple(t.iri for t in related if _fits(subject, t.domains) and _fits(other, t.ranges))
            if names:
                yield _pair(subject.span if subject else None, other.span if other else None, names)


def _attributes(text: str, marked: Sequence[Marked], terms: Terms) -> Iterator[Proposal]:
    measured = [(found.start, found.end) for found in quantities.find(text, locale=terms.locale)]
    dated = [(found.start, found.end) for found in dates.find(text, locale=terms.locale)]
    words = [(0, len(text))] if text else []
    kinds = ((measured, _MEASURED), (dated, _DATED), (words, _WORDED))
    for spans, kind in kinds:
        stated = [term for term in terms.properties if term.value in kind]
        for subject in (*marked, None):
            names = tuple(t.iri for t in stated if _fits(subject, t.domains))
            for span in spans if names else ():
                yield _pair(subject.span if subject else None, span, names)


def _pair(subject: Span | None, other: Span | None, names: tuple[str, ...]) -> Proposal:
    spans = [span for span in (subject, other) if span is not None]
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    return Proposal(start=start, end=end, subject=subject, object=other, names=names)


def _fits(marked: Marked | None, wanted: frozenset[str]) -> bool:
    """Whether something can be what a property wants; what is named elsewhere can be anything."""
    return marked is None or not wanted or bool(marked.term.above & wanted)
