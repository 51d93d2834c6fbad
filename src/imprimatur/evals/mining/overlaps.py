"""Sentences in the words of one property that another property's facts bear out: where wordings overlap.

Two things that the graph links by one property are said to be linked by another one, either way round, and what is
licensed is listed. Often that is right ("X joins Y" of a tributary), sometimes a label or a wording says too much ("the
county feeds the river"). No second opinion can tell, for it knows no words: a person has to look. So these sentences
are no part of any measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from imprimatur.evals.claims import Checker
from imprimatur.evals.mining.book import RDF_TYPE, Node
from imprimatur.evals.mining.making import Maker
from imprimatur.verdict import Label, worst

__all__ = ["Overlap", "overlaps"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """A licensed sentence: the property that is said, the one whose fact is stored, and whether it was turned round."""

    text: str
    said: str
    stored: str
    turned: bool


def overlaps(
    maker: Maker, checker: Checker, *, each: int = 3, step: Callable[[str], None] = lambda what: None
) -> list[Overlap]:
    """One licensed sentence for each pair of properties, direction and form of wording.

    Args:
        each: of how many facts of each property it is tried.
    """
    names = [name for name in maker.properties if name != RDF_TYPE]
    found: dict[tuple[str, str, str, bool], Overlap] = {}
    for stored in names:
        kin = maker.source.book.kin(stored)
        for subject, value in maker.facts(stored)[:each]:
            for said in (name for name in names if name not in kin):
                for text, form, turned in _said(maker, subject, said, value):
                    key = stored, said, form, turned
                    if key not in found and _licensed(checker, text):
                        found[key] = Overlap(
                            text=text, said=maker.label(said), stored=maker.label(stored), turned=turned
                        )
        step(maker.label(stored))
    return list(found.values())


def _said(maker: Maker, subject: str, name: str, value: Node) -> Iterator[tuple[str, str, bool]]:
    """The sentences that say it, and those that say it the other way round, where it is not so."""
    source = maker.source
    if not source.book.holds(subject, name, value):
        yield from ((way.text, way.form, False) for way in source.sentences(subject, name, value))
    if isinstance(value, str) and not source.book.holds(value, name, subject):
        yield from ((way.text, way.form, True) for way in source.sentences(value, name, subject))


def _licensed(checker: Checker, text: str) -> bool:
    report = checker.check(text[:1].upper() + text[1:])
    return worst([segment.label for segment in report.segments]) is Label.SUPPORTED
