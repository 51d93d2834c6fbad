"""What reads the answers of a knowledge base: English as it is, a language that is data through its rendering.

Contract: ``reader`` gives what reads the segments of one answer, ``items_in`` the items of a text, each in the text's
own words and places. What rendering needs is imported only for a language that is data (``language.languages``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from imprimatur.answer import Answer, Segment
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.items import items_of
from imprimatur.extract.segments import Extracted, Extractor
from imprimatur.extract.syntax import Item
from imprimatur.language.languages import Language
from imprimatur.protocols import Lexicon

__all__ = ["Reader", "items_in", "reader"]


class Reader(Protocol):
    """What reads the segments of one answer in order."""

    discourse: Discourse

    def extract(self, segment: Segment) -> Extracted:
        """What a segment says."""
        ...


def reader(
    answer: Answer, lexicon: Lexicon, *, parts: Sequence[Segment], locale: str = "en", language: Language | None = None
) -> Reader:
    """What reads the segments of an answer; ``parts`` are all of them."""
    if language is None:
        return Extractor(answer, lexicon, locale=locale)
    from imprimatur.extract.rendered import RenderedReader

    return RenderedReader(answer, lexicon, parts, (locale, language))


def items_in(
    text: str, lexicon: Lexicon, *, offset: int = 0, locale: str = "en", language: Language | None = None
) -> tuple[Item, ...]:
    """The items of a text, in its own words and places, whatever its language."""
    if language is None:
        return items_of(text, lexicon, offset=offset, locale=locale)
    from imprimatur.extract.rendered import rendered_items

    return rendered_items(text, lexicon, offset=offset, locale=locale, language=language)
