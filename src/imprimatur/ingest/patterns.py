"""Facts that the sentences of a document state, read by the grammar that reads answers: no model has a part in it.

Contract: a candidate is made only where a wording of the ontology links its ends, by one reading. What is denied,
asked, supposed, reported, compared or ranked makes none, nor does a sentence in which a word that turns what is said
is left unread. Each candidate opens its sentence: ``document.text[place.start : place.end] == place.quote``. The same
document and ontology give the same candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import cast

from imprimatur import __version__
from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Claim, Membership
from imprimatur.extract.items import items_of
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.patterns import read as read_plainly
from imprimatur.ingest.accounted import Sheet, sheet
from imprimatur.ingest.around import taken_back
from imprimatur.ingest.beside import counts, number_of_several, unclear_subject, unread_time, unread_words
from imprimatur.ingest.brackets import bracketed
from imprimatur.ingest.candidate import Candidate, Place, Refusal
from imprimatur.ingest.choosing import Fitting
from imprimatur.ingest.doubt import doubt_in
from imprimatur.ingest.ontology_words import words_hash
from imprimatur.ingest.open_names import OpenDiscourse, OpenLexicon
from imprimatur.ingest.plainer import Plainer
from imprimatur.ingest.rows_read import RowReader
from imprimatur.ingest.stated import Options, Stated, facts_of
from imprimatur.language.tokens import tokenise
from imprimatur.protocols import Lexicon
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.passages.passage import Document, Sentence, SentenceKind

__all__ = ["PatternReader", "Readout"]

#: An initial behind a capitalised word, at the end of what was taken for a sentence.
_INITIAL = expression(r"\b[A-Z][\w’']* [A-Z]\.$")
_KINDS = {
    SentenceKind.SENTENCE: Kind.SENTENCE,
    SentenceKind.ITEM: Kind.LIST_ITEM,
    SentenceKind.HEADING: Kind.HEADING,
}


@dataclass(frozen=True, slots=True)
class Readout:
    """What a document states, and what was left out of it, each with its sentence."""

    candidates: tuple[Candidate, ...]
    refused: tuple[tuple[Place, Refusal], ...]


class PatternReader:
    """Reads documents by rules (implements ``FactReader``).

    Args:
        ontology: what gives the words.
        known: what knows things by name, where that is another graph.
        slow: what is asked about sentences that the grammar does not read whole.
    """

    def __init__(
        self,
        ontology: GraphLexicon,
        *,
        known: Lexicon | None = None,
        slow: SlowPath | None = None,
        options: Options | None = None,
    ) -> None:
        self._ontology = ontology
        self._known = known
        self._slow = slow
        self._options = Options() if options is None else options
        told = (words_hash(ontology), str(self._options), __version__, "" if slow is None else type(slow).__name__)
        self.identity = "patterns:" + sha256("\n".join(told).encode()).hexdigest()[:16]

    def candidates(self, document: Document) -> list[Candidate]:
        """What a document states, in the order of the text."""
        return list(self.read(document).candidates)

    def read(self, document: Document) -> Readout:
        """What a document states, and what was left out."""
        sentences = _whole([s for passage in document.passages for s in passage.sentences], document.text)
        lexicon = OpenLexicon(self._ontology, [s.text for s in sentences], known=self._known)
        reading = Plainer(Answer(text=document.text), lexicon, slow=self._slow)
        reading.discourse = OpenDiscourse(lexicon)
        rows = RowReader(Fitting(lexicon, document.text), document.text, self._options, sentences)
        found: list[Candidate] = []
        refused: list[tuple[Place, Refusal]] = []
        without = taken_back(sentences, lexicon.words)
        for number, sentence, segment in _segments(sentences):
            place = Place(document=document.id, start=sentence.start, end=sentence.end, quote=sentence.text)
            if segment is None:
                said = rows.facts(sentence)
            else:
                said = self._stated(segment, reading, document)
            silent = number in without or sentence.kind is SentenceKind.HEADING
            for each in said:
                if silent and isinstance(each, Stated):
                    told = "a heading" if sentence.kind is SentenceKind.HEADING else "what stands around it"
                    refused.append((place, Refusal(code="not-asserted", detail=f"{told} may change what it says")))
                elif isinstance(each, Refusal):
                    refused.append((place, each))
                else:
                    found.append(self._candidate(each, place))
        return Readout(tuple(dict.fromkeys(found)), tuple(refused))

    def _candidate(self, stated: Stated, place: Place) -> Candidate:
        return Candidate(
            subject=stated.subject,
            property=stated.property,
            value=stated.value,
            place=place,
            trust="derived",
            by=self.identity,
            valid=stated.valid,
            span=stated.span,
        )

    def _stated(self, segment: Segment, reading: Plainer, document: Document) -> Iterator[Stated | Refusal]:
        """What a sentence states, brackets behind names included."""
        reading.apart = reading.dropped = ()
        extracted = reading.extract(segment)
        if extracted.silent or extracted.attributed:
            return
        lexicon = cast("OpenLexicon", reading.lexicon)
        sentence = document.text[slice(*segment.body)]
        apart = tuple(_apart(reading))
        claims = (*extracted.claims, *_in_brackets(segment, reading, sentence), *apart)
        covered = [span for claim in claims if claim.readings for span in claim.covers]
        doubt = doubt_in(sentence, covered, segment.start)
        if doubt:
            yield Refusal(code="not-asserted", detail=f"{doubt[:60]!r} may change what the sentence says")
            return
        read = replace(extracted, claims=claims)
        read_spans = [*reading.dropped, *(span for c in claims if c.readings and counts(c) for span in c.covers)]
        written = _sheet(document.text, segment.body, read_spans, lexicon)
        # What says of which kind things are comes first: it tells which property is meant.
        for claim in sorted(claims, key=lambda c: not any(isinstance(r, Membership) for r in c.readings)):
            unread = unread_words(claim, read, document.text) if claim.readings and claim not in apart else ""
            if claim.readings and not unread:
                unread = number_of_several(claim, claims, document.text) or written.left(claim, beside=claim in apart)
            if unread:
                yield Refusal(code="unread-words", detail=f"{unread[:60]!r} in {claim.text[:80]!r}")
            elif unclear_subject(claim, segment.start, document.text, lexicon):
                yield Refusal(code="ambiguous-name", detail=f"said of which thing? {claim.text[:80]!r}")
            elif unread_time(claim, segment.start, segment.end, document.text):
                yield Refusal(code="unread-words", detail=f"a time or a quotation beside {claim.text[:80]!r}")
            else:
                yield from facts_of(claim, lexicon, document.text, self._options)


def _sheet(text: str, span: tuple[int, int], read: Sequence[tuple[int, int]], lexicon: OpenLexicon) -> Sheet:
    """The words of a sentence, with what accounts for them."""
    start, tokens = span[0], tokenise(text[slice(*span)])
    names = [(start + tokens[f.first].start, start + tokens[f.stop - 1].end) for f in lexicon.find(tokens)]
    return sheet(text, span, read, names, lexicon.words)


def _in_brackets(segment: Segment, reading: Plainer, sentence: str) -> Iterator[Claim]:
    """The claims of brackets behind names, each of which is read whole."""
    if "(" not in sentence:
        return
    items = items_of(sentence, reading.discourse, offset=segment.body[0])
    for made in bracketed(items):
        found = read_plainly(made, reading.discourse).claims
        named = [i for i in made if i.entity is not None or i.date is not None or i.quantity is not None]
        if found and all(c.readings for c in found) and len(named) == 2:
            yield from found


def _apart(reading: Plainer) -> Iterator[Claim]:
    """The claims of what parts of the last sentence stand for, each of which is read whole."""
    for made in reading.apart:
        found = read_plainly(made, reading.discourse).claims
        if found and all(c.readings for c in found):
            yield from found


def _whole(sentences: Sequence[Sentence], text: str) -> list[Sentence]:
    """The sentences, those together that were cut behind an initial ("Abraham A. Ribicoff")."""
    out: list[Sentence] = []
    for sentence in sentences:
        last = out[-1] if out else None
        if (
            last is not None
            and last.kind is sentence.kind is SentenceKind.SENTENCE
            and last.passage == sentence.passage
            and _INITIAL.search(last.text)
            and sentence.text[:1].isupper()
        ):
            out[-1] = replace(last, end=sentence.end, text=text[last.start : sentence.end])
        else:
            out.append(sentence)
    return out


def _segments(sentences: Sequence[Sentence]) -> Iterator[tuple[int, Sentence, Segment | None]]:
    """The sentences that can state something, and headings, as segments, with their numbers; rows and fields as are."""
    heading: tuple[int, int] | None = None
    for number, sentence in enumerate(sentences):
        if sentence.kind in (SentenceKind.ROW, SentenceKind.FIELD):
            yield number, sentence, None
            continue
        kind = _KINDS.get(sentence.kind)
        if kind is None:
            continue
        span = (sentence.start, sentence.end)
        yield number, sentence, Segment(sentence.start, sentence.end, kind, span, heading=heading)
        if kind is Kind.HEADING:
            heading = span
