"""What was extracted from a text, held against its gold claims: as triples of the graph, and as marked words.

A claim of the reader may have several readings, and a name in it several things: they are alternatives that the judge
chooses from, so a claim says a gold triple when one of its alternatives does (``linked``). ``strict`` asks for more:
the names in the text are those of the gold's things, word for word but for accents, brackets and places. Invariant: no
fact of the graph is looked at, only its names, units and axioms on properties.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from imprimatur.claim import Attribute, Claim, Membership, Mention, Modality, Relation, Statement
from imprimatur.evals.gold import Gold, GoldClaim, value_of
from imprimatur.evals.gold_names import same_key
from imprimatur.evals.mining.book import RDF_TYPE, Literal
from imprimatur.knowledge import GraphPart
from imprimatur.language import rounding, units
from imprimatur.sources.graph.names import folded
from imprimatur.values import DateValue, Quantity, TextValue, Unit, Value

__all__ = ["Matched", "Predicted", "matched", "of_claims", "says"]

Span = tuple[int, int]
_TRIPLES = (Relation, Attribute, Membership)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One claim that an extractor finds: its alternatives, whether it denies, and the words it is about."""

    readings: tuple[Statement, ...]
    negated: bool = False
    spans: tuple[Span, ...] = ()

    @property
    def triple(self) -> bool:
        """Whether it is one triple; comparisons, counts and the like are not."""
        return any(isinstance(each, _TRIPLES) for each in self.readings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The claims of one text beside its gold.

    Attributes:
        linked, strict: for each gold claim with a triple, whether some claim says it.
        right: for each claim that is a triple, whether it says some gold triple; those that say none and are about
            words of which the gold has no triple are left out.
        properties: for each such claim, the properties that it may mean, best first.
        spans: the words that the claims are about; ``gold_spans`` those of the gold.
    """

    gold: Gold
    said: tuple[GoldClaim, ...]
    linked: tuple[bool, ...]
    strict: tuple[bool, ...]
    right: tuple[bool, ...]
    right_strictly: tuple[bool, ...]
    properties: tuple[tuple[str, ...], ...]
    spans: tuple[Span, ...]
    gold_spans: tuple[Span, ...]
    others: int = 0
    unread: int = 0


def of_claims(claims: Iterable[Claim]) -> tuple[tuple[Predicted, ...], int]:
    """What the reader found, and how many stretches it took for claims that it could not read."""
    asserted = [each for each in claims if each.modality is Modality.ASSERTED and each.prose is None]
    read = [each for each in asserted if each.readings]
    found = tuple(Predicted(readings=each.readings, negated=each.negated, spans=_about(each)) for each in read)
    return found, len(asserted) - len(read)


def _about(claim: Claim) -> tuple[Span, ...]:
    """The names and values of a claim, as far as they stand in its words."""
    found: dict[Span, None] = {}
    for reading in claim.readings:
        if isinstance(reading, _TRIPLES):
            found[reading.subject.start, reading.subject.end] = None
        if isinstance(reading, Relation):
            found[reading.object.start, reading.object.end] = None
        if isinstance(reading, Attribute):
            found[claim.start, claim.end] = None
    return tuple(span for span in found if 0 <= span[0] < span[1])


def matched(gold: Gold, found: Sequence[Predicted], part: GraphPart, *, unread: int = 0) -> Matched:
    """The claims of a text held against its gold."""
    said = tuple(each for each in gold.claims if each.triple is not None)
    triples = [each for each in found if each.triple]
    linked = [[says(each, claim, part) for claim in said] for each in triples]
    open_ = [(each.start, each.end) for each in gold.claims if each.triple is None]
    kept = [n for n, each in enumerate(triples) if any(linked[n]) or not _touches(each, open_)]
    triples, linked = [triples[n] for n in kept], [linked[n] for n in kept]
    strict = [
        [hit and _named(each, claim, part) for hit, claim in zip(row, said)] for each, row in zip(triples, linked)
    ]
    return Matched(
        gold=gold,
        said=said,
        linked=tuple(any(row[n] for row in linked) for n in range(len(said))),
        strict=tuple(any(row[n] for row in strict) for n in range(len(said))),
        right=tuple(map(any, linked)),
        right_strictly=tuple(map(any, strict)),
        properties=tuple(_properties(each) for each in triples),
        spans=tuple(span for each in triples for span in each.spans),
        gold_spans=_gold_spans(gold, said, part),
        others=len(found) - len(triples),
        unread=unread,
    )


def _touches(found: Predicted, spans: Sequence[Span]) -> bool:
    """Whether a claim is about words of which the gold has no triple: then it may be right."""
    return any(start < b and a < end for start, end in found.spans for a, b in spans)


def says(found: Predicted, gold: GoldClaim, part: GraphPart) -> bool:
    """Whether one of the alternatives of a claim is a gold triple, from whichever end it is said."""
    return found.negated is gold.negated and any(_is(each, gold, part) for each in found.readings)


def _is(reading: Statement, gold: GoldClaim, part: GraphPart) -> bool:
    assert gold.triple is not None
    subject, name, node = gold.triple
    if isinstance(reading, Membership):
        return name == RDF_TYPE and subject in reading.subject.candidates and node in reading.classes
    if not isinstance(reading, Relation | Attribute):
        return False
    own = {predicate.iri for predicate in reading.predicates}
    if isinstance(reading, Attribute):
        if name not in own or subject not in reading.subject.candidates:
            return False
        return isinstance(node, Literal) and _agree(reading.value, node, name, part)
    if isinstance(node, Literal):
        text = folded(node.text)
        return name in own and subject in reading.subject.candidates and folded(reading.object.text) == text
    ends = (reading.subject.candidates, reading.object.candidates)
    if name in own and subject in ends[0] and node in ends[1]:
        return True
    info = part.schema.property(name)
    turned = frozenset() if info is None else frozenset((*info.inverses, *((name,) if info.symmetric else ())))
    return bool(turned & own) and node in ends[0] and subject in ends[1]


def _agree(value: Value, node: Literal, name: str, part: GraphPart) -> bool:
    """Whether a value in a text is the gold's, as it is rounded there and in whatever unit."""
    right = value_of(node, name, part)
    if isinstance(value, Quantity) and isinstance(right, Quantity):
        return rounding.matches(value, right.low.value, _unit(name, part)) is rounding.Match.YES
    if isinstance(value, DateValue) and isinstance(right, DateValue):
        ends = (value.first, right.first, right.last, value.last)
        return None not in ends and ends[0] <= ends[1] and ends[2] <= ends[3]  # type: ignore[operator]
    return isinstance(value, TextValue) and folded(value.text) == folded(node.text)


def _unit(name: str, part: GraphPart) -> Unit | None:
    info = part.schema.property(name)
    return units.by_iri(info.unit_iri) if info is not None and info.unit_iri else None


def _named(found: Predicted, gold: GoldClaim, part: GraphPart) -> bool:
    """Whether a claim that says a gold triple names its things as the graph does."""
    assert gold.triple is not None
    ends = [node for node in (gold.triple[0], gold.triple[2]) if isinstance(node, str)]
    named = {iri: {same_key(name) for name in _names(iri, part)} for iri in ends}
    for reading in found.readings:
        if _is(reading, gold, part):
            mentions = [m for m in _mentions(reading) if set(m.candidates) & named.keys()]
            if all(any(same_key(m.text) in named[iri] for iri in m.candidates if iri in named) for m in mentions):
                return True
    return False


def _mentions(reading: Statement) -> tuple[Mention, ...]:
    return (reading.subject, reading.object) if isinstance(reading, Relation) else (reading.subject,)


def _names(iri: str, part: GraphPart) -> tuple[str, ...]:
    number = part.graph.id(iri)
    return part.graph.labels(number) if number is not None else ()


def _properties(found: Predicted) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for reading in found.readings:
        if isinstance(reading, Membership):
            names[RDF_TYPE] = None
        elif isinstance(reading, Relation | Attribute):
            names.update(dict.fromkeys(predicate.iri for predicate in reading.predicates))
    return tuple(names)


def _gold_spans(gold: Gold, said: Sequence[GoldClaim], part: GraphPart) -> tuple[Span, ...]:
    """Where the names and written values of gold triples stand; a set that gives the words of a claim has these too."""
    found: dict[Span, None] = {(each.start, each.end): None for each in said} if gold.told else {}
    text = gold.text.lower()
    for claim in said:
        assert claim.triple is not None
        for node in (claim.triple[0], claim.triple[2]):
            names = (node.text,) if isinstance(node, Literal) else _names(node, part)
            short = [name.partition(" (")[0] for name in names]
            for name in sorted({*names, *short}, key=len, reverse=True):
                at = text.find(name.lower()) if name else -1
                if at >= 0:
                    found[at, at + len(name)] = None
                    break
    return tuple(found)
