"""Whether texts say what a claim says: ``compare``, the core that all text sources share.

First implementation: one sentence must have every name, number, date and content word of the claim, and the same words
that turn a statement (negators, quantifiers, modals, conditions).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from imprimatur.claim import Prose
from imprimatur.extract.items import items_of
from imprimatur.extract.nameless import NAMELESS
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content, turning
from imprimatur.language import dates, rounding
from imprimatur.sources.text.comparison import Comparison, Mark, Text, TextLimits, Used
from imprimatur.sources.text.sentences import sentences
from imprimatur.verdict import Label, Reason

__all__ = ["compare"]


def compare(claim: Prose, texts: Sequence[Text], limits: TextLimits, *, inference: bool = False) -> Comparison:
    """What the texts say of the claim; ``inference``: numbers may follow from theirs by arithmetic."""
    words = [i for i in items_of(claim.words, NAMELESS, locale=limits.locale) if content(i) or turning(i)]
    best = Comparison(label=Label.NOT_FOUND, marks=(Mark(reason=Reason.NO_EVIDENCE, start=0, end=len(claim.words)),))
    for text in texts:
        for start, end in sentences(text.text):
            used = Used(text.key, start, end, text.text[start:end])
            items = items_of(used.sentence, NAMELESS, locale=limits.locale)
            marks = tuple(_marks(words, items, limits))
            covered = Fraction(len(words) - len(marks), max(len(words), 1))
            if not marks:
                return Comparison(label=Label.SUPPORTED, used=(used,), coverage=covered)
            if covered > best.coverage:
                best = Comparison(label=Label.NOT_FOUND, marks=marks, used=(used,), coverage=covered)
    return best


def _marks(words: Sequence[Item], items: Sequence[Item], limits: TextLimits) -> Iterator[Mark]:
    turned = [i.lower for i in items if turning(i)]
    for word in words:
        if word.quantity or word.date:
            if not any(_same_value(word, item, limits) for item in items):
                yield Mark(reason=Reason.NUMBER_NOT_IN_SOURCE, start=word.start, end=word.end)
        elif not any(_same_word(word, item) for item in items):
            yield Mark(reason=Reason.LOW_COVERAGE, start=word.start, end=word.end)
    said = [i.lower for i in words if turning(i)]
    if sorted(said) != sorted(turned):
        yield Mark(
            reason=Reason.NEGATION_MISMATCH, start=words[0].start if words else 0, end=words[-1].end if words else 0
        )


def _same_value(word: Item, item: Item, limits: TextLimits) -> bool:
    if word.date is not None and item.date is not None:
        return dates.compare(word.date, item.date) is dates.Match.YES
    if word.quantity is None or item.quantity is None:
        return False
    stored = item.quantity
    fits = rounding.matches(word.quantity, stored.low.value, stored.unit, about=limits.about)
    return stored.high is None and stored.bound == word.quantity.bound and fits is rounding.Match.YES


def _same_word(word: Item, item: Item) -> bool:
    a, b = word.forms, item.forms
    same = word.lower == item.lower or (a.noun and a.noun == b.noun) or (a.verb and a.verb == b.verb)
    return bool(same or (a.adj and a.adj == b.adj))
