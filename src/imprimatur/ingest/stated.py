"""One claim of a document as the facts that it states: which property, which ends, and why not.

Contract: a claim gives a fact only where it is asserted, positive, of one reading, and says nothing less than the
property. Of several properties that its words may mean, the one by the closest words counts; where several are as
close, those whose classes do not go with its ends fall out; what then is still open gives no fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, Claim, Membership, Mention, Modality, Relation, Statement, When, mentions_of
from imprimatur.extract.discourse import REFERRING
from imprimatur.ingest.beside import THINGS
from imprimatur.ingest.candidate import Refusal, Thing, Value
from imprimatur.ingest.choosing import Fact, Fit, Fitting, chosen
from imprimatur.ingest.doubt import past_state
from imprimatur.ingest.ill_named import ill_named
from imprimatur.ingest.literals import day_text, literal_of
from imprimatur.ingest.open_names import OPEN, OpenLexicon
from imprimatur.sources.graph.terms import RDF
from imprimatur.values import DateValue, Quantity, TextValue

__all__ = ["Options", "Stated", "facts_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How facts are made.

    Attributes:
        bare: whether a number keeps its digits and loses its unit where the property has no unit.
        past: whether a state of the past without a time ("was the mayor of") is a fact.
    """

    bare: bool = False
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A fact that a claim states; see ``Candidate``."""

    subject: Thing
    property: str
    value: Value
    valid: tuple[str, str] = ("", "")
    span: tuple[int, int] | None = None


def facts_of(claim: Claim, lexicon: OpenLexicon, text: str, options: Options) -> Iterator[Stated | Refusal]:
    """The facts that a claim states, or why it states none."""
    if not claim.readings:
        return
    if claim.negated or claim.narrowed or claim.modality is not Modality.ASSERTED:
        yield Refusal(code="not-asserted", detail=f"denied, narrowed or not asserted: {claim.text[:80]!r}")
        return
    if not options.past and past_state(claim, text) and not any(getattr(r, "when", None) for r in claim.readings):
        yield Refusal(code="past-state", detail=f"a state of the past, without a time: {claim.text[:80]!r}")
        return
    readings = [r for r in claim.readings if isinstance(r, (Relation, Attribute, Membership))]
    if len(readings) < len(claim.readings):
        yield Refusal(
            code="no-fact",
            detail=f"a comparison, count or rank: {claim.text[:80]!r} {[type(r).__name__ for r in claim.readings]}",
        )
        return
    fitting = Fitting(lexicon, text)
    best = chosen(claim, fitting)
    if not best:
        yield Refusal(code="other-class", detail=f"no property whose classes fit: {claim.text[:80]!r}")
        return
    best = [_of_the_domain(reading, fitting) for reading in best]
    subjects = {r.subject.candidates or (r.subject.text,) for r in best}
    unnamed = any(not r.subject.candidates for r in best)  # "an American", "the College": nobody's name
    if unnamed or len(subjects) > 1 or any(len(each) > 1 for each in subjects):
        yield Refusal(code="ambiguous-name", detail=f"of which thing it is said is not clear: {claim.text[:80]!r}")
        return
    if any(isinstance(r, Relation) and r.object.text.lower() in THINGS for r in best):
        yield Refusal(code="ambiguous-name", detail=f"which thing a pronoun means is not clear: {claim.text[:80]!r}")
        return
    if any(_ill_named(m, lexicon, text) for r in best for m in mentions_of(r)):
        yield Refusal(code="ambiguous-name", detail=f"a name that may be none, or two: {claim.text[:80]!r}")
        return
    made = [each for reading in best for each in _made(reading, fitting, options)]
    facts = [each for each in made if isinstance(each, Stated) and each.subject.name.lower() not in REFERRING]
    if len({f.property for f in facts}) > 1:
        yield Refusal(code="ambiguous-relation", detail=f"{sorted({f.property for f in facts})}: {claim.text[:80]!r}")
    elif len({(f.subject.iri or f.subject.name, _end(f)) for f in facts}) > 1:
        yield Refusal(code="ambiguous-name", detail=f"which things it links is not clear: {claim.text[:80]!r}")
    elif facts:
        yield from dict.fromkeys(facts)
    else:
        yield from (each for each in made if isinstance(each, Refusal))


def _ill_named(mention: Mention, lexicon: OpenLexicon, text: str) -> bool:
    iri = mention.candidates[0] if mention.candidates else ""
    if not iri.startswith(OPEN):
        return False
    name = lexicon.name_of(iri) or mention.text
    if mention.start < 0 or mention.text != name:
        return ill_named(name, "", "")
    return ill_named(name, text[max(0, mention.start - 24) : mention.start], text[mention.end : mention.end + 40])


def _of_the_domain(reading: Fact, fitting: Fitting) -> Fact:
    """The reading with the one thing that a pronoun can mean, where all others are known not to be of the domain."""
    subject = reading.subject
    if len(subject.candidates) < 2 or isinstance(reading, Membership) or len(reading.predicates) != 1:
        return reading
    predicate = reading.predicates[0]
    info = fitting.lexicon.ontology.schema.property(predicate.iri)
    inverse = isinstance(reading, Relation) and predicate.inverse
    if info is None or inverse or not info.domains:
        return reading
    each = [replace(subject, candidates=(iri,)) for iri in subject.candidates]
    fits = [fitting.fits(_unwritten(one), info.domains) for one in each]
    if fits.count(Fit.YES) != 1 or any(fit > Fit.NO for fit in fits if fit is not Fit.YES):
        return reading
    return replace(reading, subject=each[fits.index(Fit.YES)])


def _unwritten(mention: Mention) -> Mention:
    return replace(mention, start=-1, end=-1, text="")


def _end(fact: Stated) -> object:
    return fact.value.iri or fact.value.name if isinstance(fact.value, Thing) else fact.value


def _made(reading: Statement, fitting: Fitting, options: Options) -> Iterator[Stated | Refusal]:
    lexicon = fitting.lexicon
    match reading:
        case Membership():
            if len(reading.classes) != 1:
                if reading.classes:
                    yield Refusal(code="ambiguous-class", detail=f"{reading.noun!r} names several classes")
                return
            classes = reading.classes
            if fitting.fits(reading.subject, classes) is Fit.NO:
                yield Refusal(code="other-class", detail=f"{reading.subject.text!r} cannot be a {reading.noun!r}")
                return
            for iri in reading.subject.candidates:
                lexicon.learn(iri, classes)
            yield Stated(
                subject=_thing(reading.subject, fitting, ()),
                property=RDF + "type",
                value=Thing(name="", iri=classes[0]),
            )
        case Relation():
            for predicate in reading.predicates:
                ends = (reading.subject, reading.object)
                if predicate.inverse:
                    ends = ends[::-1]
                if any(len(end.candidates) != 1 for end in ends):
                    yield Refusal(code="ambiguous-name", detail=f"{[e.text for e in ends]}")
                    continue
                if ends[0].candidates == ends[1].candidates:
                    continue  # nothing is said of itself
                info = lexicon.ontology.schema.property(predicate.iri)
                declared = (info.domains, info.ranges) if info is not None else ((), ())
                subject, other = (_thing(e, fitting, d) for e, d in zip(ends, declared, strict=True))
                valid = _valid(reading.when)
                if valid is None:
                    yield _UNTIMED
                    continue
                yield Stated(subject=subject, property=predicate.iri, value=other, valid=valid, span=other.span)
        case Attribute():
            yield from _attributes(reading, fitting, options)
        case _:
            return


def _attributes(reading: Attribute, fitting: Fitting, options: Options) -> Iterator[Stated | Refusal]:
    for predicate in reading.predicates:
        info = fitting.lexicon.ontology.schema.property(predicate.iri)
        if info is None or not isinstance(reading.value, (Quantity, DateValue, TextValue)):
            continue
        literal = literal_of(reading.value, info, bare=options.bare)
        if isinstance(literal, Refusal):
            yield literal
            continue
        valid = _valid(reading.when)
        if valid is None:
            yield _UNTIMED
            continue
        yield Stated(
            subject=_thing(reading.subject, fitting, info.domains), property=predicate.iri, value=literal, valid=valid
        )


def _thing(mention: Mention, fitting: Fitting, declared: Sequence[str]) -> Thing:
    """What a mention names: provisional things have no IRI yet. ``declared``: classes of the property's end."""
    lexicon = fitting.lexicon
    iri = mention.candidates[0] if mention.candidates else ""
    name = lexicon.name_of(iri) or mention.text
    own = mention.text == name
    return Thing(
        name=name,
        span=(mention.start, mention.end) if mention.start >= 0 and own else None,
        classes=fitting.taken_for(mention, declared),
        iri="" if iri.startswith(OPEN) else iri,
    )


_UNTIMED = Refusal(code="not-exact", detail="a time that no first and last day says")


def _valid(when: When | None) -> tuple[str, str] | None:
    """The first and last day of a time, "" for an open end; None where it is told in a way that these do not say."""
    if when is None:
        return "", ""
    if when.at is not None:
        told = day_text(when.at), "" if when.event else day_text(when.at, last=True)
    else:
        told = day_text(when.start), day_text(when.end, last=True)
    lost = when.at is None and any(d is not None and not t for d, t in zip((when.start, when.end), told, strict=True))
    return told if any(told) and not lost and when.lasting is None else None
