"""What a call fixes for all segments of its answer, and the look-ups that examining them asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.reader import ReaderOptions, Reading, reader
from imprimatur.hearing import Behind, Hearing
from imprimatur.language.citations import STYLES
from imprimatur.language.languages import Language
from imprimatur.observer import UNOBSERVED, Observer
from imprimatur.policy import Policy
from imprimatur.protocols import Lexicon, Source
from imprimatur.report import JudgedSegment
from imprimatur.verdict import Judgement, Reason

if TYPE_CHECKING:
    from imprimatur.confirming import Confirming
    from imprimatur.corrector import Asked, Correcting
    from imprimatur.extractors.extraction import Extraction
    from imprimatur.judges.panel import Panel

__all__ = ["Batch", "Examining", "Frame", "LookUp", "Objecting", "Tag"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LookUp:
    """One question to one source; ``over`` tells the driver whether the time for it is up."""

    source: Source
    claim: Claim
    over: Callable[[], bool]


Batch = tuple[LookUp, ...]
#: The kind and the citations of a claim that came ready made.
Tag = tuple[str, tuple[str, ...]]
Examining = Generator["Batch | Confirming | Hearing | Asked", tuple[Judgement, ...], T]


#: Why a judged segment of a text must not be licensed, whatever its claims came to; nothing where it may.
Objecting = Callable[[str, JudgedSegment], tuple[Reason, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a call fixes for all of its segments.

    Attributes:
        on: the day of the check.
        language: the language of the answers; None where its words are the grammar's own.
        sources: gives the sources for one text; some remember the claims before.
        over: whether the call's time is up.
        blind: whether shapes that the policy requires examine nothing: then nothing is licensed.
        most: how many characters of an answer are examined.
        tagged: whether the segments are given, each of them a tagged claim.
        texts: the sources that compare claims read as words with text; without one no claim is read so.
        styles: how citations may be written.
        slow: what is asked about sentences that the grammar does not read whole; it knows what it was asked for.
        extraction: the extractor that says what is claimed, beside the reader; None when there is none.
        panel: the trained judges that hear what was found supported; None when there are none.
        correcting: what proposes other words for what is not licensed; None where nothing does.
        behind: for them, the text that a piece of evidence stands in.
        left: the seconds that are left of the call's time.
        objects: what else speaks against a segment; it can only lower it.
        observer: is told how the stages go.
        reading: gives what reads the answer; another than the grammar's only where it is measured what reading loses.
    """

    lexicon: Lexicon
    locale: str
    language: Language | None
    sources: Callable[[], tuple[Source, ...]]
    policy: Policy
    on: date
    over: Callable[[], bool]
    most: int
    blind: bool = False
    tagged: bool = False
    texts: tuple[Source, ...] = ()
    styles: tuple[str, ...] = STYLES
    slow: SlowPath | None = None
    extraction: Extraction | None = None
    panel: Panel | None = None
    correcting: Correcting | None = None
    behind: Behind = attrgetter("content")
    left: Callable[[], float] = lambda: math.inf
    objects: Objecting | None = None
    observer: Observer = UNOBSERVED
    reading: Reading = reader

    @property
    def options(self) -> ReaderOptions:
        """How the call's answers are read."""
        return ReaderOptions(
            locale=self.locale,
            language=self.language,
            prose=bool(self.texts),
            # What only refutes is no reason to pass over a line that the graph has to account for.
            titles=any(not getattr(source, "only_refutes", False) for source in self.texts),
            tagged=self.tagged,
            styles=self.styles,
            slow=self.slow,
        )
