"""What a yes or no claims: the sentence that the question asks to confirm, or that it is not so.

Invariants: the sentence counts only when it is read whole; a "no" only when it denies one single claim; else the word
itself is left over, so that nothing is licensed by it. A yes before a sentence that says all of the question once
more adds nothing to it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from imprimatur.claim import Claim, Mention, with_mentions
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.extract.forms import read
from imprimatur.extract.items import items_of
from imprimatur.extract.parsed import whole
from imprimatur.extract.polar import Reply, confirmed
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content

__all__ = ["Confirming"]

_LONGEST = 4000
_PRONOUNS = frozenset("it it's he she they this that these those".split())


class Confirming:
    """A question that asks whether something is so."""

    def __init__(self, question: str, discourse: Discourse, locale: str) -> None:
        self._discourse, self._locale = copy(discourse), locale
        items = items_of(question, discourse, locale=locale) if len(question) <= _LONGEST else ()
        sentence = confirmed(items)
        found = read(sentence, copy(discourse)).claims if sentence else ()
        self._claims = tuple(found) if sentence and whole(found, sentence) else ()
        self._asked = tuple(item for item in sentence or items if content(item))

    def added(self, extracted: Extracted, said: Reply, text: str, at: int) -> Extracted:
        """What was read of a segment with what its yes or no claims; ``text`` is the segment's, ``at`` its place."""
        start, end = at + said.start, at + said.end
        word = text[said.start : said.end]
        claims = tuple(_said(claim, start, end, word) for claim in self._claims_of(said))
        if not claims and not said.whole and said.sign and self._restated(extracted, text[said.end :]):
            return extracted
        words = (word for word in extracted.words if word.start >= end or word.end <= start)
        mine = Word(start, end, hard=True)
        return replace(extracted, claims=(*claims, *extracted.claims), words=(mine, *words), silent=False)

    def _claims_of(self, said: Reply) -> tuple[Claim, ...]:
        """What is claimed: all that is asked, or that it is not so."""
        if said.sign is None or not self._claims:
            return ()
        if said.sign:
            return self._claims
        if len(self._claims) > 1:
            return ()  # that not all of them is so leaves open which
        return (replace(self._claims[0], negated=not self._claims[0].negated),)

    def _restated(self, extracted: Extracted, rest: str) -> bool:
        """Whether what follows a yes says the question's words once more and no others, but for a pronoun."""
        if not self._asked or not extracted.words:
            return False
        said = [item for item in items_of(rest, self._discourse, locale=self._locale) if content(item)]
        pronoun = any(token in _PRONOUNS for token in rest.lower().split()[:2])
        left = [item for item in self._asked if not any(_same(item, other) for other in said)]
        named = all(item.entity is not None or item.name is not None for item in left)
        added = [item for item in said if item.lower not in _PRONOUNS and not any(_same(item, o) for o in self._asked)]
        return not added and (not left or (named and pronoun))


def _same(item: Item, other: Item) -> bool:
    """Whether two words are one, but for the inflection of a verb or noun; degrees of an adjective are not."""
    if item.lower == other.lower:
        return True
    return bool({item.forms.verb, item.forms.noun} & {other.forms.verb, other.forms.noun} - {"", None})


def _said(claim: Claim, start: int, end: int, text: str) -> Claim:
    """A claim of the question in the place of the word that confirms it."""

    def outside(mention: Mention) -> Mention:
        return replace(mention, start=-1, end=-1)

    readings = tuple(with_mentions(reading, outside) for reading in claim.readings)
    return replace(claim, start=start, end=end, text=text, covers=((start, end),), readings=readings)
