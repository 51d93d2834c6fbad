"""What reads the answers of a knowledge base: English as it is, a language that is data through its rendering.

Contract: ``reader`` gives what reads the segments of one answer, ``items_in`` the items of a text, each in the text's
own words and places. What rendering needs is imported only for a language that is data (``language.languages``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer, Segment
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.items import items_of
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.segments import Extractor
from imprimatur.extract.syntax import Item
from imprimatur.language.citations import STYLES
from imprimatur.language.languages import Language
from imprimatur.protocols import Lexicon

__all__ = ["Reader", "ReaderOptions", "Reading", "items_in", "read_whole", "reader"]


class Reader(Protocol):
    """What reads the segments of one answer in order. A copy (``copy.copy``) goes on from the same place by itself."""

    discourse: Discourse

    def goes_on(self, answer: Answer, segment: Segment) -> None:
        """Takes the answer as far as it has come, and its next segment."""
        ...

    def extract(self, segment: Segment) -> Extracted:
        """What a segment says."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOptions:
    """How an answer is read.

    Attributes:
        language: the language that its words are rendered from; None where they are the grammar's own. Only such words
            are also compared with text, and parsed.
        prose: whether claims are also read as words, for evidence in text.
        titles: whether a line that is only a title claims nothing then.
        tagged: whether each segment is a claim that came ready made.
        styles: how citations may be written.
        slow: what is asked about sentences that the grammar does not read whole.
    """

    locale: str = "en"
    language: Language | None = None
    prose: bool = False
    titles: bool = True
    tagged: bool = False
    styles: tuple[str, ...] = STYLES
    slow: SlowPath | None = None


#: What gives what reads the segments of an answer.
Reading = Callable[[Answer, Lexicon, ReaderOptions], Reader]


def reader(answer: Answer, lexicon: Lexicon, options: ReaderOptions) -> Reader:
    """What reads the segments of an answer, which may still be arriving."""
    if options.language is not None:
        from imprimatur.extract.rendered import RenderedReader

        return RenderedReader(answer, lexicon, (options.locale, options.language))
    made = Extractor(
        answer,
        lexicon,
        locale=options.locale,
        prose=options.prose,
        tagged=options.tagged,
        styles=options.styles,
        slow=options.slow,
    )
    made.titles = options.titles
    return made


def read_whole(answer: Answer, lexicon: Lexicon, parts: Iterable[Segment], options: ReaderOptions) -> list[Extracted]:
    """What the segments of an answer that is all there say."""
    reading = reader(answer, lexicon, options)
    found = []
    for part in parts:
        reading.goes_on(answer, part)
        found.append(reading.extract(part))
    return found


def items_in(
    text: str, lexicon: Lexicon, *, offset: int = 0, locale: str = "en", language: Language | None = None
) -> tuple[Item, ...]:
    """The items of a text, in its own words and places, whatever its language."""
    if language is None:
        return items_of(text, lexicon, offset=offset, locale=locale)
    from imprimatur.extract.rendered import rendered_items

    return rendered_items(text, lexicon, offset=offset, locale=locale, language=language)
