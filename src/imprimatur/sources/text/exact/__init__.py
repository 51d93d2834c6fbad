"""What a clause must keep exactly of the frame that bears it out: time, number, amount, place, and degree.

These are small words and endings, and each makes another claim: "was" for "is", "the houses" for "the house", "few" for
"most", "near" for "in", "almost". ``changed`` gives a mark for each that is otherwise than in the text. Invariants: it
only ever takes support away; it compares words that stand for each other (``Match.found``), so that a word without a
counterpart is none of its business; where the text has the same thing both ways, nothing is marked.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.exact.amounts import amounts, numbers
from imprimatur.sources.text.exact.attached import beside, misattached, owned, renamed
from imprimatur.sources.text.exact.crossing import crossings
from imprimatur.sources.text.exact.degrees import (
    binding,
    codes,
    degrees,
    directions,
    misdated,
    nearly,
    persons,
    pointers,
)
from imprimatur.sources.text.exact.denials import denied, limited, widened
from imprimatur.sources.text.exact.figured import before_numbers
from imprimatur.sources.text.exact.limbs import near_copy
from imprimatur.sources.text.exact.places import bare_objects, places, starts
from imprimatur.sources.text.exact.small import added, loosened
from imprimatur.sources.text.exact.tenses import tense
from imprimatur.sources.text.exact.wholes import clauses, parts
from imprimatur.sources.text.frames import Reading

__all__ = ["added", "changed", "misdated", "misplaced"]


def changed(match: Match, claim: Reading, texts: Evidence, *, computed: bool) -> Iterator[Mark]:
    """The marks for what a clause says otherwise than the frame that it was matched with.

    Args:
        computed: whether numbers of the clause follow from others, so that their places may differ.
    """
    yield from tense(match, claim, texts)
    yield from numbers(match, claim, texts)
    yield from degrees(match, claim, texts)
    yield from persons(match, claim, texts)
    yield from pointers(match, claim, texts)
    yield from directions(match, claim, texts)
    yield from codes(match, claim, texts)
    if not computed:
        yield from amounts(match, claim, texts)
        yield from places(match, claim, texts)
        yield from bare_objects(match, claim, texts)
        yield from starts(match, claim, texts)
        yield from parts(match, claim, texts)
        yield from binding(match, claim, texts)
    yield from clauses(match, claim, texts)


def misplaced(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The marks for what a clause puts together otherwise than the sentences that its words stand in.

    To be asked only of what nothing else is wrong with, and of which no number was computed: these marks refuse, and
    refute nothing.
    """
    yield from nearly(match, claim, texts)
    yield from before_numbers(match, claim, texts)
    yield from misattached(match, claim, texts)
    yield from loosened(match, claim, texts)
    yield from beside(match, claim, texts)
    yield from owned(match, claim, texts)
    yield from renamed(match, claim, texts)
    yield from limited(match, claim, texts)
    yield from widened(match, claim, texts)
    if near_copy(match, claim, texts):
        yield from crossings(match, claim, texts)
        yield from denied(match, claim, texts)
