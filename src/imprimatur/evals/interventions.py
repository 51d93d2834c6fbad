"""What is right, put in the place of one stage: to measure what that stage loses, with the oracle's own other stages.

    what is put right   how
    ------------------  ------------------------------------------------------------------------------------------
    segmentation        the sentences end where the gold says
    linking             the lexicon knows the names of the gold's things, and each means that thing alone
    relation            words that mean no property, or another one between the gold's two ends, mean the gold's
    value               what is read as a value of the gold's property of its thing is the stored value
    time                the time, tense and restriction of a claim are those of the gold
    coverage            words that no claim accounts for count as nothing
    beside              claims read in the same sentence that say none of its gold are dropped
    reading             the gold claims stand in the place of all that is read: perfect extraction
    policy              soft residue and missing shapes withhold nothing, and every trust class counts

Invariant: nothing here judges; whatever is put in goes through the stages behind it as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Attribute, Claim, Membership, Mention, Predicate, Relation, Statement
from imprimatur.config import TRUST_CLASSES
from imprimatur.evals.gold import Gold, GoldClaim, gold_claim, value_of
from imprimatur.evals.gold_names import same_key
from imprimatur.evals.mining.book import RDF_TYPE, Literal
from imprimatur.evals.predicted import Predicted, says
from imprimatur.examine import parts_of
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.reader import Reader, ReaderOptions, reader
from imprimatur.knowledge import GraphPart
from imprimatur.language.tokens import tokenise
from imprimatur.oracle import MOST_CHARACTERS, Oracle
from imprimatur.policy import Policy
from imprimatur.protocols import Entry, Found, Lexicon, Word
from imprimatur.report import Report
from imprimatur.values import DateValue, Quantity

__all__ = ["PARTS", "Fix", "GoldLexicon", "checked", "segments_of"]

_SECONDS = 600.0


class Fix(StrEnum):
    """What is put right, in the order of the stages."""

    SEGMENTATION = "segmentation"
    LINKING = "linking"
    RELATION = "relation"
    VALUE = "value"
    TIME = "time"
    COVERAGE = "coverage"
    BESIDE = "beside"
    READING = "reading"
    POLICY = "policy"


#: Those that put right one part of what is read.
PARTS = (Fix.SEGMENTATION, Fix.LINKING, Fix.RELATION, Fix.VALUE, Fix.TIME, Fix.COVERAGE, Fix.BESIDE)


def checked(gold: Gold, fixes: frozenset[Fix], oracle: Oracle, part: GraphPart) -> Report:
    """The report on a text when some stages make no mistake."""

    def reading(answer: Answer, lexicon: Lexicon, options: ReaderOptions) -> Reader:
        return _Mended(reader(answer, _lexicon(lexicon, gold, fixes, part), options), gold, fixes, part)

    judging = Oracle(oracle.knowledge, _lenient(oracle.policy)) if Fix.POLICY in fixes else oracle
    parts = segments_of(gold) if Fix.SEGMENTATION in fixes else None
    answer = Answer(text=gold.text, question=gold.question)
    return judging.check_read(answer, reading=reading, parts=parts, seconds=_SECONDS)


def _lenient(policy: Policy) -> Policy:
    return replace(policy, soft_residue=False, require_shapes=False, trust=TRUST_CLASSES)


def segments_of(gold: Gold) -> tuple[Segment, ...] | None:
    """The segments of a text as its gold has them: those of a sentence that was cut are one; None where none was."""
    if not gold.parts:
        return None
    parts, _ = parts_of(gold.text, MOST_CHARACTERS)
    made: list[Segment] = []
    for segment in parts:
        cuts = [s for s, _ in gold.parts if segment.body[0] < s < segment.body[1]]
        ends = (segment.start, *cuts, segment.end)
        whole = [p for p in gold.parts if p[0] < segment.body[0] < p[1]]
        if whole and made and made[-1].end > whole[0][0]:
            body = (made[-1].body[0], segment.body[1])
            made[-1] = Segment(made[-1].start, segment.end, Kind.SENTENCE, body)
        elif cuts:
            made += [Segment(a, b, Kind.SENTENCE, _body(gold.text, a, b)) for a, b in pairwise(ends)]
        else:
            made.append(segment)
    return None if tuple(made) == tuple(parts) else tuple(made)


def _body(text: str, start: int, end: int) -> tuple[int, int]:
    said = text[start:end]
    return start + len(said) - len(said.lstrip()), start + len(said.rstrip())


def _lexicon(lexicon: Lexicon, gold: Gold, fixes: frozenset[Fix], part: GraphPart) -> Lexicon:
    if not fixes & {Fix.LINKING, Fix.RELATION}:
        return lexicon
    claims = [claim for claim in gold.claims if claim.triple is not None]
    return GoldLexicon(
        lexicon,
        names=_surfaces(claims, part) if Fix.LINKING in fixes else {},
        entries=tuple(_entries(claims)) if Fix.RELATION in fixes else (),
        classes=tuple(_classes(claims)) if Fix.RELATION in fixes else (),
    )


def _surfaces(claims: Iterable[GoldClaim], part: GraphPart) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The names of the gold's things as tokens, and without brackets and places, each with what it means."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for claim in claims:
        assert claim.triple is not None
        for iri in (node for node in (claim.triple[0], claim.triple[2]) if isinstance(node, str)):
            number = part.graph.id(iri)
            for name in part.graph.labels(number) if number is not None else ():
                for form in (name, name.partition(" (")[0], name.partition(", ")[0]):
                    words = tuple(token.lower for token in tokenise(form))
                    if words:
                        found.setdefault(words, {})[iri] = None
    return {words: tuple(iris) for words, iris in found.items()}


def _keys(names: dict[tuple[str, ...], tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """What the gold's names have in common with other ways to write them (``gold_names``)."""
    found: dict[str, dict[str, None]] = {}
    for words, iris in names.items():
        for key in _written(" ".join(words)):
            found.setdefault(key, {}).update(dict.fromkeys(iris))
    return {key: tuple(iris) for key, iris in found.items()}


def _written(name: str) -> set[str]:
    """The keys of a name, with its dots and without; of three letters at least."""
    return {key for key in (same_key(name), same_key(name.replace(" .", "").replace(".", ""))) if len(key) > 2}


def _entries(claims: Iterable[GoldClaim]) -> Iterable[Entry]:
    """The gold's properties, from either end, for words that mean none."""
    for claim in claims:
        assert claim.triple is not None
        _, name, node = claim.triple
        kinds = ("quantity", "date", "text") if isinstance(node, Literal) else ("entity",)
        for kind in kinds if name != RDF_TYPE else ():
            yield from (Entry(iri=name, subject=at, value=kind) for at in (0, 1))


def _classes(claims: Iterable[GoldClaim]) -> Iterable[str]:
    return (str(c.triple[2]) for c in claims if c.triple is not None and c.triple[1] == RDF_TYPE)


@dataclass(frozen=True, slots=True)
class GoldLexicon:
    """A lexicon that knows what some names and words mean (implements ``protocols.Lexicon``).

    Attributes:
        names: things by the tokens of a name, in small letters; an ambiguous name with one of them means these alone.
        entries: what words with two ends mean that mean nothing to ``inner``; ``classes``: so for nouns.
    """

    inner: Lexicon
    names: dict[tuple[str, ...], tuple[str, ...]]
    keys: dict[str, tuple[str, ...]]
    entries_: tuple[Entry, ...]
    classes_: tuple[str, ...]

    def __init__(
        self,
        inner: Lexicon,
        *,
        names: dict[tuple[str, ...], tuple[str, ...]],
        entries: tuple[Entry, ...] = (),
        classes: tuple[str, ...] = (),
    ) -> None:
        given = {"inner": inner, "names": names, "keys": _keys(names), "entries_": entries, "classes_": classes}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names, those of the gold among them wherever they stand."""
        own = self._own(tokens)
        known = [self._narrowed(each) for each in self.inner.find(tokens)]
        longer = [k for k in known if any(k.first <= o.first and o.stop <= k.stop and _longer(k, o) for o in own)]
        own = [o for o in own if not any(k.first <= o.first and o.stop <= k.stop for k in longer)]
        rest = [k for k in known if all(k.stop <= o.first or o.stop <= k.first for o in own)]
        return sorted((*own, *rest), key=lambda found: found.first)

    def _own(self, tokens: Sequence[Word]) -> list[Found]:
        """The gold's names among some tokens, the longest first."""
        own: list[Found] = []
        longest = max(map(len, self.names), default=0) + 2 if self.names else 0
        for size in range(min(longest, len(tokens)), 0, -1):
            for at in range(len(tokens) - size + 1):
                free = all(at + size <= found.first or found.stop <= at for found in own)
                means = self._means(tokens[at : at + size]) if free else ()
                if means:
                    own.append(Found(at, at + size, means))
        return own

    def _means(self, tokens: Sequence[Word]) -> tuple[str, ...]:
        exact = self.names.get(tuple(token.lower for token in tokens))
        first, last = tokens[0].text, tokens[-1].text
        opens = first[:1].isupper() or first[:1].isdigit()
        # The key of a name leaves out what follows a comma, so words with one would be taken in.
        if exact or not opens or not last[-1:].isalnum() or any(token.text == "," for token in tokens):
            return exact or ()
        return next((self.keys[key] for key in _written(" ".join(t.text for t in tokens)) if key in self.keys), ())

    def _narrowed(self, found: Found) -> Found:
        right = {iri for iris in self.names.values() for iri in iris}
        kept = tuple(iri for iri in found.candidates if iri in right)
        return replace(found, candidates=kept) if kept else found

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        own = self.names.get(tuple(token.lower for token in tokenise(name)))
        return own or self.inner.candidates(name)

    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        known = self.inner.entries(key)
        return known or (self.entries_ if key.count("*") == 2 else ())

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain may name."""
        return self.inner.classes(noun) or self.classes_

    def instances(self, class_iri: str) -> Sequence[str]:
        """As of ``inner``."""
        return self.inner.instances(class_iri)

    def of_kind(self, noun: str, entity: str) -> bool:
        """As of ``inner``."""
        return self.inner.of_kind(noun, entity)

    def is_person(self, entity: str) -> bool | None:
        """As of ``inner``."""
        return self.inner.is_person(entity)

    def general(self, noun: str, entity: str) -> bool:
        """As of ``inner``."""
        return self.inner.general(noun, entity)


def _longer(known: Found, own: Found) -> bool:
    """Whether a known name is more than the gold's, and means a thing of the gold."""
    return known.stop - known.first > own.stop - own.first and bool(set(known.candidates) & set(own.candidates))


class _Mended:
    """A reader whose claims are put right (implements ``extract.reader.Reader``)."""

    def __init__(self, inner: Reader, gold: Gold, fixes: frozenset[Fix], part: GraphPart) -> None:
        self._inner = inner
        self._gold = gold
        self._fixes = fixes
        self._part = part
        self._claims = tuple(claim for claim in gold.claims if claim.triple is not None)

    def __copy__(self) -> _Mended:
        return _Mended(copy(self._inner), self._gold, self._fixes, self._part)

    @property
    def discourse(self) -> Discourse:
        """What the text was about so far."""
        return self._inner.discourse

    @discourse.setter
    def discourse(self, value: Discourse) -> None:
        self._inner.discourse = value

    def goes_on(self, answer: Answer, segment: Segment) -> None:
        """As of the reader."""
        self._inner.goes_on(answer, segment)

    def extract(self, segment: Segment) -> Extracted:
        """What a segment says, with what is put right in it."""
        found = self._inner.extract(segment)
        own = [each for each in self._gold.claims if each.start < segment.end and segment.start < each.end]
        if Fix.READING in self._fixes:
            return self._whole(found, own) or found
        claims = tuple(self._mended(claim) for claim in found.claims)
        saying = tuple(claim for claim in claims if self._says(claim))
        if Fix.BESIDE in self._fixes and saying:
            dropped = [span for c in claims if c.readings and c not in saying for span in c.covers]
            claims = tuple(c for c in claims if c in saying or not c.readings)
            words = tuple(w for w in found.words if not any(a <= w.start and w.end <= b for a, b in dropped))
            found = replace(found, words=words)
        if Fix.COVERAGE not in self._fixes:
            return replace(found, claims=claims)
        read = tuple(claim for claim in claims if claim.readings)
        return replace(found, claims=read or claims, words=())

    def _whole(self, found: Extracted, own: Sequence[GoldClaim]) -> Extracted | None:
        """The segment with its gold claims, in the tense that was read; None without any, or where one is no triple."""
        segment, past = found.segment, any(claim.past for claim in found.claims)
        text = self._gold.text
        made = [gold_claim(each, self._part, text, covers=segment.body) for each in own]
        claims = tuple(replace(each, past=each.past or past) for each in made if each is not None)
        return Extracted(segment, claims) if claims and len(claims) == len(made) else None

    def _says(self, claim: Claim) -> bool:
        found = Predicted(readings=claim.readings, negated=claim.negated)
        return any(says(found, each, self._part) for each in self._claims)

    def _mended(self, claim: Claim) -> Claim:
        for gold in self._claims:
            made = (self._reading(reading, gold) for reading in claim.readings)
            readings = tuple(reading for reading in made if reading is not None)
            if not readings:
                continue
            right = replace(claim, readings=readings)
            if Fix.TIME in self._fixes:
                right = replace(right, narrowed=False, past=claim.past or gold.when is not None)
            return right
        return claim

    def _reading(self, reading: Statement, gold: GoldClaim) -> Statement | None:
        """A reading with its parts put right; None where it is about other things than the gold."""
        assert gold.triple is not None
        subject, name, node = gold.triple
        if isinstance(reading, Membership):
            fits = name == RDF_TYPE and subject in reading.subject.candidates
            return replace(reading, subject=self._linked(reading.subject, subject)) if fits else None
        if isinstance(reading, Relation):
            return self._relation(reading, gold) if isinstance(node, str) else None
        if not isinstance(reading, Attribute) or subject not in reading.subject.candidates:
            return None
        return self._attribute(reading, gold) if isinstance(node, Literal) else None

    def _relation(self, reading: Relation, gold: GoldClaim) -> Statement | None:
        assert gold.triple is not None
        subject, name, node = gold.triple
        ends = (reading.subject, reading.object)
        named = name in {predicate.iri for predicate in reading.predicates}
        straight = self._at(subject, ends[0], named) and self._at(str(node), ends[1], named)
        turned = self._at(str(node), ends[0], False) and self._at(subject, ends[1], False)
        if not (straight or turned) or not any(mention.candidates for mention in ends):
            return None
        first, last = (subject, str(node)) if straight else (str(node), subject)
        made = replace(reading, subject=self._linked(ends[0], first), object=self._linked(ends[1], last))
        same = Predicted(readings=(made,), negated=gold.negated)
        if Fix.RELATION in self._fixes and not says(same, gold, self._part):
            one, other = (made.subject, made.object) if straight else (made.object, made.subject)
            made = replace(made, subject=one, object=other, predicates=(Predicate(name),))
        return replace(made, when=_time(gold, self._part)) if Fix.TIME in self._fixes else made

    def _attribute(self, reading: Attribute, gold: GoldClaim) -> Statement:
        assert gold.triple is not None
        subject, name, node = gold.triple
        assert isinstance(node, Literal)
        made = replace(reading, subject=self._linked(reading.subject, subject))
        right = value_of(node, name, self._part)
        kinds = (Quantity, DateValue)
        alike = any(isinstance(reading.value, kind) and isinstance(right, kind) for kind in kinds)
        named = name in {predicate.iri for predicate in reading.predicates}
        if Fix.RELATION in self._fixes and not named and alike:
            made = replace(made, predicates=(Predicate(name),))
            named = True
        if Fix.VALUE in self._fixes and named and right is not None:
            made = replace(made, value=right, beside=None)
        return replace(made, when=_time(gold, self._part)) if Fix.TIME in self._fixes else made

    def _at(self, iri: str, mention: Mention, named: bool) -> bool:
        """Whether a mention is a thing of the gold: so is a name that nobody knows, of its property, when put right."""
        unknown = named and Fix.LINKING in self._fixes and not mention.candidates
        return unknown or iri in mention.candidates

    def _linked(self, mention: Mention, iri: str) -> Mention:
        if Fix.LINKING not in self._fixes:
            return mention
        return replace(mention, candidates=(iri,), given=())


def _time(gold: GoldClaim, part: GraphPart) -> Any:
    made = gold_claim(gold, part, "", covers=(0, 0))
    said = made.readings[0] if made is not None else None
    return said.when if isinstance(said, Relation | Attribute) else None
