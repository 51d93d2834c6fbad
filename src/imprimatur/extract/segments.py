"""The extract stage: segments of an answer to claims, and the words that must be accounted for.

A segment is read on its own words; from its surroundings it takes only what names its subject or property: the heading,
the line that introduces a list, a table's row and column, the question. A verdict thus depends on nothing that comes
after the segment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Claim, Mention, Modality, Prose
from imprimatur.extract.coded import items_in_code
from imprimatur.extract.confirmation import Confirming
from imprimatur.extract.context import asked_items, completed, subjects_of
from imprimatur.extract.discourse import REFERRING, Discourse
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.extract.forms import read
from imprimatur.extract.grammar import parse
from imprimatur.extract.items import items_of
from imprimatur.extract.layout import layout
from imprimatur.extract.markers import once, without_markers
from imprimatur.extract.nameless import NAMELESS
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.pointing import pointed
from imprimatur.extract.polar import answers_by_pointing, asks, reply
from imprimatur.extract.prose import Passage, prose_claims, referents_of
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content, hard, names_something
from imprimatur.extract.titles import states, title
from imprimatur.extract.versions import spans_of
from imprimatur.language import citations, closed_class
from imprimatur.language.modality import SegmentKind, advice, classify, conditional, reported_from
from imprimatur.protocols import Lexicon

__all__ = ["Extractor"]

#: Kinds of segment text that hold no claim, whatever their words.
_SILENT = frozenset((SegmentKind.ASKED, SegmentKind.INSTRUCTION, SegmentKind.GREETING, SegmentKind.META))
_MODALITY = dict.fromkeys(SegmentKind, Modality.ASSERTED) | {
    SegmentKind.HYPOTHETICAL: Modality.HYPOTHETICAL,
    SegmentKind.ATTRIBUTED: Modality.ATTRIBUTED,
}
#: "Here are the rivers:" only announces what follows.
_INTRODUCTION = expression(r"(?:here|below|following)\b[^.!?\d]{0,60}:\s*$", re.IGNORECASE)


State = tuple[Mention | None, tuple[Mention, ...]]

#: Words of what a row of a table is headed by.
_LONGEST_LABEL = 5


@dataclass(frozen=True, slots=True)
class _Unread:
    """What is left to read of a segment: its items, put into a sentence; how it is put forward; its citations."""

    segment: Segment
    items: tuple[Item, ...]
    modality: Modality
    cited: tuple[citations.Citation, ...]


class Extractor:
    """Reads the segments of one answer in order, remembering what they were about.

    Args:
        prose: whether claims are also read as words, for evidence in text.
        tagged: whether each segment is a claim that came ready made: then none is silent.
        styles: how citations may be written.
        slow: what is asked about sentences that the grammar does not read whole.
    """

    def __init__(
        self,
        answer: Answer,
        lexicon: Lexicon,
        *,
        locale: str = "en",
        prose: bool = False,
        tagged: bool = False,
        styles: Sequence[str] = citations.STYLES,
        slow: SlowPath | None = None,
    ) -> None:
        self.answer = answer
        self.lexicon = lexicon
        self.locale = locale
        self.prose = prose
        self.titles = True  # whether a line that is only a title claims nothing, where claims are read as words
        self.tagged = tagged
        self.styles = styles
        self.slow = slow
        self._said: tuple[Kind, tuple[int, int] | None, str] | None = None
        self._unread: _Unread | None = None
        self._items: tuple[Segment, tuple[Item, ...]] | None = None
        self.discourse = Discourse(lexicon)
        self._leads: dict[tuple[int, int], bool] = {}
        self._across = False  # whether the columns of the table are headed by things, so that its rows are properties
        self._states: dict[tuple[int, int], tuple[Mention | None, tuple[Mention, ...]]] = {}
        self._polar = not tagged and bool(answer.question) and asks(answer.question or "")
        self._confirming: Confirming | None = None
        if answer.question:
            words = asked_items(answer.question, lexicon, locale)
            asked = subjects_of(words or ())
            for mention in asked:
                self.discourse.used(mention)
            self.discourse.asked = tuple(asked)
            self.discourse.heard(words)
            if len(asked) == 1:
                self.discourse.about(asked[0])

    def __copy__(self) -> Extractor:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.discourse = copy(self.discourse)
        made._leads = dict(self._leads)
        made._states = dict(self._states)
        return made

    def goes_on(self, answer: Answer, segment: Segment) -> None:
        """Takes the answer as far as it has come; a segment is read from it as it stands there."""
        self.answer = answer

    def extract(self, segment: Segment) -> Extracted:
        """The claims of one segment; segments are given in order."""
        if not self.prose:
            return self._answered(segment)
        before = self.discourse.state if segment.kind is not Kind.CODE else None
        extracted = self._answered(segment)
        return replace(self._with_prose(extracted, before), alone=extracted) if before else extracted

    def _answered(self, segment: Segment) -> Extracted:
        """The segment, with what a yes or no in it says of the question."""
        # A text without words ("129.", a thumb) is no body, and may be an answer all the same.
        start, end = segment.body if segment.body[0] < segment.body[1] else (segment.start, segment.end)
        text = self.answer.text[start:end]
        said = reply(text) if self._polar and segment.kind is not Kind.CODE else None
        if said is None:
            return self._pointing(self._extract(segment), text, (start, end))
        if self._confirming is None:
            self._confirming = Confirming(self.answer.question or "", self.discourse, self.locale)
        plain = Extracted(segment) if said.whole else self._extract(segment)
        return self._confirming.added(plain, said, text, start)

    def _pointing(self, extracted: Extracted, text: str, span: tuple[int, int]) -> Extracted:
        """Where a question was asked, a bare number, letter or pronoun answers it: "129.", "b)", "both of them"."""
        if not extracted.silent or not self.answer.question or self.tagged or not answers_by_pointing(text):
            return extracted
        return replace(extracted, words=(Word(*span, hard=True),), silent=False)

    def _extract(self, segment: Segment) -> Extracted:
        start, end = segment.body
        text = self.answer.text[start:end]
        if segment.kind is Kind.CODE:
            said = items_in_code(text, self.discourse, offset=start, locale=self.locale, prose=self.prose)
            return Extracted(segment, words=_words(said or ()), silent=said is None)
        if not text.strip():
            return Extracted(segment, silent=True)
        if segment.kind in (Kind.HEADING, Kind.TABLE_HEADER):
            return self._heading(segment, text)
        if segment.stem is not None:
            self.discourse.back_to(self._states.setdefault(segment.stem, self.discourse.state))
        manner = classify(text)
        if manner.kind in _SILENT:
            return Extracted(segment, silent=True)
        cited = citations.find(text, styles=self.styles)
        passed = (*manner.meta_spans, *manner.marker_spans, *((each.start, each.end) for each in cited))
        gone = [(a + start, b + start) for a, b in passed]
        if manner.kind is SegmentKind.ATTRIBUTED:
            gone.append((start, start + reported_from(text)))
        items = tuple(i for i in self._items_of(segment) if not _inside(i, gone))
        items = pointed(once(without_markers(items)), self.discourse.last)
        announced = _INTRODUCTION.match(text) is not None and not any(names_something(i) for i in items)
        if announced or _heads_list(text, items) or not any(content(i) for i in items) or _names_row(segment, items):
            return Extracted(segment, silent=True)
        if self._across and _labels_row(segment, items):
            return Extracted(segment, silent=True)
        return self._read(segment, items, manner.kind, cited)

    def _items_of(self, segment: Segment) -> tuple[Item, ...]:
        """The items of a segment, found once: as it stands in what came before it."""
        if self._items is None or self._items[0] is not segment:
            text = self.answer.text[slice(*segment.body)]
            found = items_of(text, self.discourse, offset=segment.body[0], locale=self.locale)
            self._items = segment, found
        return self._items[1]

    def _with_prose(self, extracted: Extracted, before: State) -> Extracted:
        """The segment with its claims read as words too; a silent one is a claim when it is tagged or cites."""
        segment = extracted.segment
        start, end = segment.body
        text = self.answer.text[start:end]
        manner = classify(text)
        cited = citations.find(text, styles=self.styles)
        supposed = manner.kind is SegmentKind.HYPOTHETICAL
        told = manner.kind is SegmentKind.INSTRUCTION and not advice(text)
        headed = segment.kind is Kind.HEADING and states(text)
        if extracted.silent and not (self.tagged or cited or supposed or told or headed):
            return extracted
        claimed = self.tagged or cited or any(c.readings for c in extracted.claims)
        if self.titles and not claimed and self._title(segment, text):
            return replace(self._told(extracted), silent=True)
        marks = ((each.start, each.end) for each in cited)
        gone = tuple((a + start, b + start) for a, b in (*manner.meta_spans, *manner.marker_spans, *marks))
        after = self.discourse.state
        self.discourse.back_to(before)
        items = tuple(i for i in self._items_of(segment) if not _inside(i, gone))
        base = Prose(
            words="",
            referents=self._referents(items),
            context=self._around(segment),
            before=self._before(segment),
            tagged=self.tagged,
        )
        self.discourse.back_to(after)
        self._said = (segment.kind, segment.heading, text)
        modality = Modality.ASSERTED if supposed and conditional(text) else _MODALITY[manner.kind]
        passage = Passage(text=text, start=start, gone=gone, items=items, base=base, modality=modality)
        found = prose_claims(passage, styles=self.styles)
        extracted = extracted if found else self._told(extracted)
        silent = extracted.silent and not found
        return replace(extracted, prose=found, silent=silent, words=extracted.words or _words(items))

    def _title(self, segment: Segment, text: str) -> bool:
        """Whether a line is a title of what follows. After a question it is an answer."""
        return segment.kind is Kind.SENTENCE and not self.answer.question and title(text, self._items_of(segment))

    def _referents(self, items: tuple[Item, ...]) -> tuple[Mention, ...]:
        """What the pronouns of a segment may stand for; where they stand in it tells."""
        if not any(i.lower in REFERRING for i in items):
            return ()
        self.discourse.begin(layout(parse(items)).places)
        return referents_of(items, self.discourse)

    def _around(self, segment: Segment) -> tuple[str, ...]:
        """What completes the words of a segment, the widest first."""
        spans = (segment.heading, segment.column, segment.row if segment.row != segment.body else None, segment.stem)
        question = (self.answer.question,) if self.answer.question else ()
        return (*question, *(self.answer.text[slice(*span)] for span in spans if span is not None))

    def _before(self, segment: Segment) -> str:
        """The sentence before, when it stands under the same heading."""
        if self._said is None or self.tagged or self._said[:2] != (segment.kind, segment.heading):
            return ""
        return self._said[2]

    def _heading(self, segment: Segment, text: str) -> Extracted:
        """A heading or header cell names a subject; it claims nothing unless it is a statement of something."""
        items = items_of(text, self.discourse, offset=segment.body[0], locale=self.locale)
        self.discourse.heard(items)
        named = [i.entity for i in items if i.entity is not None]
        if segment.kind is Kind.TABLE_HEADER:
            line = self.answer.text.rfind("\n", 0, segment.start) + 1
            opens = not self.answer.text[line : segment.start].strip()
            self._across = bool(named) or (self._across and not opens)
        if len(named) == 1 and segment.kind is Kind.HEADING:
            self.discourse.about(named[0])
        found = () if self.lexicon is NAMELESS else read(items, self.discourse).claims
        claims = tuple(replace(c, text=self.answer.text[c.start : c.end]) for c in found if c.readings)
        stated = any(names_something(i) for i in items) and bool(parse(items).clauses)
        if not claims and not stated:
            return Extracted(segment, silent=True)
        return Extracted(segment, claims, _words(items))

    def _read(
        self, segment: Segment, items: tuple[Item, ...], kind: SegmentKind, cited: Sequence[citations.Citation]
    ) -> Extracted:
        whole = completed(items, segment, self.answer, self.discourse)
        unread = _Unread(segment, whole, _MODALITY[kind], tuple(cited))
        claims: tuple[Claim, ...] = ()
        subjects: tuple[Mention, ...] = ()
        if self.prose and self.lexicon is NAMELESS:
            self._unread = unread  # its words are compared with text; claims without a reading would add nothing
        else:
            claims, subjects = self._claims(unread)
        said = claims if unread.modality is Modality.ASSERTED else ()
        self.discourse.saw(items, subjects, said, same=whole is not items)
        return Extracted(
            segment,
            claims,
            _words(items),
            silent=kind is SegmentKind.HYPOTHETICAL,
            attributed=kind is SegmentKind.ATTRIBUTED,
        )

    def _claims(self, unread: _Unread) -> tuple[tuple[Claim, ...], tuple[Mention, ...]]:
        """The claims of a segment as it puts them forward, and what its clauses are about."""
        segment = unread.segment
        found = read(unread.items, self.discourse, self.slow)
        claims = tuple(self._put_forward(c, segment, unread.modality) for c in found.claims)
        text = self.answer.text[slice(*segment.body)]
        if "~~" in text or self._denied(segment):
            claims = tuple(replace(c, readings=()) for c in claims)
        if unread.cited:
            marks = [(each.start + segment.body[0], each.ids) for each in citations.groups(unread.cited, text)]
            claims = tuple(_citing(claim, marks) for claim in claims)
        return claims, found.subjects

    def _told(self, extracted: Extracted) -> Extracted:
        """The segment with the claims that its reading would have, where it was left out and no words stand for it."""
        unread = self._unread
        if unread is None or unread.segment is not extracted.segment:
            return extracted
        return replace(extracted, claims=self._claims(unread)[0])

    def _put_forward(self, claim: Claim, segment: Segment, modality: Modality) -> Claim:
        """The claim in the words of the answer, put forward as its segment is.

        One whose words all stand in the question or a heading is about the whole segment.
        """
        start, end = (claim.start, claim.end) if claim.end > claim.start else segment.body
        text = self.answer.text[start:end]
        same = claim.text == text and claim.modality is modality
        return claim if same else replace(claim, start=start, end=end, modality=modality, text=text)

    def _denied(self, segment: Segment) -> bool:
        """Whether the line over a list takes back what the list says ("None of these is true:", "Myths:")."""
        return any(self._denies(span) for span in (segment.stem, segment.heading) if span is not None)

    def _denies(self, span: tuple[int, int]) -> bool:
        """Whether a lead says so; it is read once for all of its items."""
        if span not in self._leads:
            said = items_of(self.answer.text[slice(*span)], self.discourse, locale=self.locale)
            self._leads[span] = _denying(said)
        return self._leads[span]


def _heads_list(text: str, items: Sequence[Item]) -> bool:
    """Whether a line only says of what a list follows ("Rivers that it crosses:"): a phrase, without a number."""
    if not text.rstrip("*_ \n").endswith(":") or any(i.quantity or i.date for i in items):
        return False
    read_ = parse(items)
    return not read_.clauses and any(f.value is None and not f.prep for f in read_.fragments)


def _denying(said: Sequence[Item]) -> bool:
    return any(
        i.entity is None and {i.lower, i.forms.noun, i.forms.verb, i.forms.adj} & closed_class.words(name)
        for i in said
        for name in ("denial", "negator", "near_negator", "hypothetical", "modal")
    )


def _names_row(segment: Segment, items: Sequence[Item]) -> bool:
    """Whether a table cell only says what its row is about."""
    first = segment.row is None or segment.row == segment.body
    return segment.kind is Kind.TABLE_CELL and first and all(i.entity or not content(i) for i in items)


def _labels_row(segment: Segment, items: Sequence[Item]) -> bool:
    """Whether a table cell only says what its row says of the things that head the columns ("Length", "Flows into")."""
    first = segment.row is None or segment.row == segment.body
    plain = all(not (i.entity or i.quantity or i.date or i.punct or names_something(i)) for i in items)
    label = plain and len(items) <= _LONGEST_LABEL and not _denying(items)
    return segment.kind is Kind.TABLE_CELL and first and label and not parse(items).clauses


def _inside(item: Item, spans: Sequence[tuple[int, int]]) -> bool:
    return any(a <= item.start and item.end <= b for a, b in spans)


def _citing(claim: Claim, marks: Sequence[tuple[int, tuple[str, ...]]]) -> Claim:
    """The claim with the ids of the first citation behind it; claims before one citation share it."""
    ids = next((ids for at, ids in marks if at >= claim.end), ())
    return replace(claim, citations=ids)


def _words(items: Sequence[Item]) -> tuple[Word, ...]:
    return tuple(Word(a, b, hard(i)) for i in items if i.start >= 0 and content(i) for a, b in spans_of((i,)))
