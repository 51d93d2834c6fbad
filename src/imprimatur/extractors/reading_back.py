"""The read-back: what an extractor proposes is held against what the reader reads in the same words.

    the reader's claim, and                                                     it is
    --------------------------------------------------------------------------  -----------
    a sentence proposed for its words, that the reader reads as the same claim   confirmed
    words marked as its subject and object, with one of its properties          confirmed
    anything else                                                               unconfirmed

"The same claim": the same kind of statement with the same polarity, put forward in the same manner, about things that
may be the same, by a property that may be the same, with equal values, times, bounds, conditions and counts. So the
reader's own reading, with its sentence around it, is what is licensed; a proposal can only agree with it. A sentence
that is proposed and that agrees with nothing the reader found in these words is a stranger: it too counts against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer
from imprimatur.claim import (
    Attribute,
    Claim,
    Membership,
    Mention,
    Modality,
    Predicate,
    Relation,
    Statement,
    mentions_of,
)
from imprimatur.errors import LimitExceeded
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.extract.reader import ReaderOptions, read_whole
from imprimatur.extractors._likeness import alike
from imprimatur.protocols import Lexicon, Proposal
from imprimatur.segment import segment

__all__ = ["ReadBack"]

_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class _Asked:
    """One reading of a claim, and the words of its segment."""

    claim: Claim
    reading: Statement
    body: tuple[int, int]


class ReadBack:
    """Holds proposals against the reader's claims, for the answers of one knowledge base.

    Args:
        lexicon: the words of the knowledge base.
        options: how its answers are read.
        late: whether the time for it is up; then LimitExceeded is raised.
    """

    def __init__(self, lexicon: Lexicon, options: ReaderOptions, *, late: Callable[[], bool] = lambda: False) -> None:
        self._late = late
        self._lexicon = lexicon
        self._options = ReaderOptions(locale=options.locale, language=options.language)
        self._said: dict[str, tuple[Claim, ...]] = {}

    def confirms(self, claim: Claim, proposals: Sequence[Proposal], extracted: Extracted) -> bool:
        """Whether some proposals bear a claim out.

        Args:
            claim: a claim of the reader, or words that are compared with text.
            proposals: those for its segment; their spans are spans of the answer.
            extracted: the segment.
        """
        if claim.prose is not None:
            return _covered((word for word in extracted.words if _inside(word, claim.covers)), proposals)
        if any(self._agrees(claim, each) for each in proposals):
            return True
        marked = [each for each in proposals if not each.says]
        body = extracted.segment.body
        return bool(marked) and any(self._marks(_Asked(claim, each, body), marked) for each in claim.readings)

    def strangers(self, extracted: Extracted, proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        """The sentences among the proposals that agree with nothing that was read in their words.

        Where words are compared with text only, every sentence that is made of such words is among what was read.
        """
        read = extracted.claims
        prose = [claim for claim in extracted.prose if claim.end > claim.start]
        return tuple(
            each
            for each in proposals
            if each.says
            and not any(self._agrees(claim, each) for claim in read)
            and not any(claim.start <= each.start and each.end <= claim.end for claim in prose)
        )

    def _agrees(self, claim: Claim, proposal: Proposal) -> bool:
        """Whether the sentence proposed is the claim once more, about its words."""
        if not proposal.says or not claim.readings or not _overlap((proposal.start, proposal.end), claim):
            return False
        return any(_same(claim, said) for said in self._reading(proposal.says))

    def _reading(self, sentence: str) -> tuple[Claim, ...]:
        """The claims that the reader finds in a sentence by itself."""
        found = self._said.get(sentence)
        if found is None:
            if self._late():
                raise LimitExceeded("the time for reading back is up")
            answer = Answer(text=sentence)
            read = read_whole(answer, self._lexicon, segment(sentence), self._options)
            found = tuple(claim for each in read for claim in each.claims if claim.readings)
            if len(self._said) >= _KEPT:
                self._said.clear()
            self._said[sentence] = found
        return found

    def _marks(self, asked: _Asked, marked: Sequence[Proposal]) -> bool:
        """Whether what a reading is about is marked: as a pair with its property, or else each name by itself."""
        reading = asked.reading
        if isinstance(reading, Relation):
            return any(
                _names(each, reading.predicates)
                and self._at(each.subject, reading.subject, asked)
                and self._at(each.object, reading.object, asked)
                for each in marked
            )
        if isinstance(reading, Attribute):
            return any(
                _names(each, reading.predicates)
                and self._at(each.subject, reading.subject, asked)
                and each.object is not None
                and _overlap(each.object, asked.claim)
                for each in marked
            )
        if isinstance(reading, Membership):
            return any(
                set(each.names) & set(reading.classes) and self._at(each.subject, reading.subject, asked)
                for each in marked
            )
        spans = [span for each in marked for span in (each.subject, each.object) if span is not None]
        return all(any(self._at(span, mention, asked) for span in spans) for mention in mentions_of(reading))

    def _at(self, span: tuple[int, int] | None, mention: Mention, asked: _Asked) -> bool:
        """Whether a marked span is a mention; what only refers to a name, or is named elsewhere, may be left out."""
        here = asked.body[0] <= mention.start and mention.end <= asked.body[1]
        if span is None:
            return not (here and self._lexicon.candidates(mention.text))
        return here and span[0] < mention.end and mention.start < span[1]


def _names(proposal: Proposal, predicates: Sequence[Predicate]) -> bool:
    return not proposal.names or any(predicate.iri in proposal.names for predicate in predicates)


def _same(claim: Claim, said: Claim) -> bool:
    manner = (claim.negated, claim.past, claim.narrowed)
    if said.modality is not Modality.ASSERTED or manner != (said.negated, said.past, said.narrowed):
        return False
    return any(alike(mine, other) for mine in claim.readings for other in said.readings)


def _overlap(span: tuple[int, int], claim: Claim) -> bool:
    """Whether a span shares a character with the words that tell the claim from its siblings."""
    return span[0] < claim.end and claim.start < span[1]


def _inside(word: Word, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= word.start and word.end <= end for start, end in spans)


def _covered(words: Iterable[Word], proposals: Sequence[Proposal]) -> bool:
    """Whether every word lies in something that is proposed."""
    spans = [(each.start, each.end) for each in proposals]
    return all(_inside(word, spans) for word in words)
