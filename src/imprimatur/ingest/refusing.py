"""Why a candidate is not let in: stable codes with one home, and words that name what was met and what is allowed.

A candidate is held against a guardrail alone: by its property, by what its things are taken for, and by its value. All
reasons are given, not the first. What a thing is taken for counts as the guardrail's classes have it; a thing of no
class fits where any thing does, or where the other end leaves one class for it (``untold``). Nothing is turned round,
converted or mended here without being said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from imprimatur.errors import nearest
from imprimatur.ingest.candidate import Candidate, Refusal, Thing, Value
from imprimatur.ingest.measures import unit_of, unit_refusal
from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, ANYTHING, Guardrail, Pattern, Property, is_datatype
from imprimatur.ingest.untold import left_for, may_be
from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN
from imprimatur.sources.graph.terms import (
    INTEGER_TYPES,
    NUMERIC_TYPES,
    OWL,
    RDF,
    RDFS,
    SH,
    TRUST_CLASSES,
    XSD,
    RdfLiteral,
    is_number,
    spoken_name,
)
from imprimatur.sources.shacl.literals import equal, value_of, well_formed

__all__ = ["CODES", "fits_datatype", "refusals", "same_value"]

TYPE = RDF + "type"
#: Every code, and what it means.
CODES: Mapping[str, str] = {
    "unreadable": "a name, an IRI or a value holds characters that no name, IRI or value of that kind has, or too many",
    "wrong-trust": "what is ingested is `derived` or `model`, never `curated`",
    "vocabulary": "it would change what words mean: a class, a property, or a term of RDF, RDFS, OWL or SHACL",
    "unknown-class": "a class that the ontology does not name, where it is closed",
    "unknown-relation": "a property that the ontology does not name, where it is closed",
    "no-class": "it is not told what the thing is, and the property does not leave one class that it may well be",
    "wrong-source": "the property does not lead from such a thing",
    "wrong-target": "the property does not lead to such a thing",
    "wrong-direction": "it would fit if subject and value changed places; they are never changed",
    "not-a-thing": "the property leads to things, and the value is a literal",
    "not-a-value": "the property leads to values, and the value is a thing",
    "wrong-datatype": "the value is of another datatype, or is not written as its datatype is",
    "wrong-unit": "the value is measured in a unit that cannot be converted into the attribute's",
    "not-allowed": "the value is not one of those that there may be",
    "disjoint-classes": "one thing would be of two classes that share no member",
    "several-values": "there is another value already, and there may be one only",
    "several-subjects": "another thing has this value already, and one only may have it",
    "disjoint-properties": "two properties that never share a pair would share one",
    "shape": "the graph with it breaks a SHACL shape",
    "ambiguous-thing": "it could not be told which thing is meant, or whether it is a new one",
    "unchecked": "a check failed or did not end in time",
}
_LONGEST_NAME, _LONGEST_VALUE, _LONGEST_IRI = 400, 20_000, 2_000
_BAD_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\x7f-\x9f\ud800-\udfff]')
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:")
_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_VOCABULARIES = (RDF, RDFS, OWL, SH)
_SHOWN = 6
_PLACES = {
    ANY_THING: "any thing",
    ANYTHING: "anything",
    ANY_VALUE: "any value",
    XSD + "gYear": "year",
    XSD + "gYearMonth": "month of a year",
    XSD + "anyURI": "web address",
    RDF + "langString": "text in a language",
}


def refusals(guardrail: Guardrail, candidate: Candidate, held: Iterable[Value] = ()) -> tuple[Refusal, ...]:
    """All that speaks against a candidate, in the order of ``CODES``, each reason once."""
    found = [*_unreadable(candidate), *_steering(guardrail, candidate), *_classes(guardrail, candidate)]
    if candidate.property == TYPE:
        found += _membership(guardrail, candidate)
    else:
        found += _use(guardrail, candidate, held)
    order = list(CODES)
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (order.index(each.code), each.detail)))


# What no candidate may hold


def _unreadable(candidate: Candidate) -> Iterator[Refusal]:
    for thing in _things(candidate):
        if not thing.name.strip() or len(thing.name) > _LONGEST_NAME or _STEERING.search(thing.name):
            yield Refusal(code="unreadable", detail=f"the name {_shown(thing.name)} cannot be one")
        for iri in (thing.iri, *thing.classes):
            if iri and not _is_iri(iri):
                yield Refusal(code="unreadable", detail=f"{_shown(iri)} is no IRI")
    if not _is_iri(candidate.property):
        yield Refusal(code="unreadable", detail=f"the property {_shown(candidate.property)} is no IRI")
    value = candidate.value
    if isinstance(value, RdfLiteral):
        if len(value.lexical) > _LONGEST_VALUE or _STEERING.search(value.lexical):
            yield Refusal(code="unreadable", detail=f"the value {_shown(value.lexical)} cannot be one")
        if not _is_iri(value.datatype):
            yield Refusal(code="unreadable", detail=f"the datatype {_shown(value.datatype)} is no IRI")
        if value.lang and not re.fullmatch(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}", value.lang):
            yield Refusal(code="unreadable", detail=f"{_shown(value.lang)} is no language tag")
    if candidate.trust not in TRUST_CLASSES[1:]:
        detail = f"the trust class is {_shown(candidate.trust)}; allowed are {' and '.join(TRUST_CLASSES[1:])}"
        yield Refusal(code="wrong-trust", detail=detail)


def _is_iri(text: str) -> bool:
    return len(text) <= _LONGEST_IRI and _SCHEME.match(text) is not None and _BAD_IRI.search(text) is None


def _things(candidate: Candidate) -> tuple[Thing, ...]:
    value = candidate.value
    return (candidate.subject, value) if isinstance(value, Thing) else (candidate.subject,)


def _steering(guardrail: Guardrail, candidate: Candidate) -> Iterator[Refusal]:
    """What would speak of words instead of things."""
    known = guardrail.property_(candidate.property) is not None
    named = candidate.property in (*MAIN, *ALTERNATIVE)
    if not known and (named or (candidate.property.startswith(_VOCABULARIES) and candidate.property != TYPE)):
        detail = f"{_short(candidate.property)} says what words mean; the ontology does not name it for facts"
        yield Refusal(code="vocabulary", detail=detail)
    spoken = [candidate.subject.iri]
    if isinstance(candidate.value, Thing) and candidate.property != TYPE:
        spoken.append(candidate.value.iri)
    for iri in spoken:
        if guardrail.class_(iri) or guardrail.property_(iri) or iri.startswith(_VOCABULARIES):
            detail = f"{_short(iri)} is a word of the ontology, not a thing that facts are about"
            yield Refusal(code="vocabulary", detail=detail)


# Classes


def _classes(guardrail: Guardrail, candidate: Candidate) -> Iterator[Refusal]:
    for thing in _things(candidate):
        if thing is candidate.value and candidate.property == TYPE:
            continue
        for iri in thing.classes:
            yield from _unknown_class(guardrail, iri, thing.name)
        for left, right in combinations(dict.fromkeys(thing.classes), 2):
            if guardrail.disjoint(left, right):
                yield _disjoint(guardrail, thing.name, left, right)


def _unknown_class(guardrail: Guardrail, iri: str, name: str) -> Iterator[Refusal]:
    if not guardrail.closed or iri == ANY_THING or guardrail.class_(iri) is not None:
        return
    known = {each.name: each for each in guardrail.classes}
    near = nearest(spoken_name(iri), known)
    hint = f"; did it mean {near!r}?" if near else f"; it names {_listed(sorted(known))}"
    detail = f"{_shown(name)} is taken for a {_short(iri)}, a class that the ontology does not name{hint}"
    yield Refusal(code="unknown-class", detail=detail)


def _disjoint(guardrail: Guardrail, name: str, left: str, right: str) -> Refusal:
    first, second = sorted((class_name(guardrail, left), class_name(guardrail, right)))
    detail = f"{_shown(name)} would be a {first} and a {second}, and nothing is both"
    return Refusal(code="disjoint-classes", detail=detail)


def _membership(guardrail: Guardrail, candidate: Candidate) -> Iterator[Refusal]:
    """What speaks against "X is a member of the class"."""
    subject, value = candidate.subject, candidate.value
    if isinstance(value, RdfLiteral):
        yield Refusal(code="not-a-thing", detail=f"{_shown(subject.name)} is said to be of a class, and it is a text")
        return
    if value.iri.startswith(_VOCABULARIES) and value.iri != ANY_THING:
        detail = f"{_shown(subject.name)} would be a {_short(value.iri)}, which is a word of the language itself"
        yield Refusal(code="vocabulary", detail=detail)
        return
    yield from _unknown_class(guardrail, value.iri, subject.name)
    for iri in subject.classes:
        if guardrail.disjoint(iri, value.iri):
            yield _disjoint(guardrail, subject.name, iri, value.iri)


# Use of a property


def _use(guardrail: Guardrail, candidate: Candidate, held: Iterable[Value]) -> Iterator[Refusal]:
    known = guardrail.property_(candidate.property)
    if known is None:
        if guardrail.closed:
            names = {name: None for each in guardrail.properties for name in each.labels}
            near = nearest(spoken_name(candidate.property), names)
            hint = f"; did it mean {near!r}?" if near else f"; it names {_listed(sorted(names))}"
            detail = f"{_short(candidate.property)!r} is a relation that the ontology does not name{hint}"
            yield Refusal(code="unknown-relation", detail=detail)
        return
    value = candidate.value
    if isinstance(value, Thing):
        yield from _to_thing(guardrail, known, candidate.subject, value)
    else:
        yield from _to_value(guardrail, known, candidate.subject, value)
    if known.allowed and not _is_allowed(known, value):
        detail = f"{value_name(value)} is not a value of {known.name!r}; there may be {_listed(_values(known))}"
        yield Refusal(code="not-allowed", detail=detail)
    if any(guardrail.is_a(candidate.subject.classes, each) for each in known.single):
        others = [each for each in held if not same_value(each, value)]
        if others:
            detail = f"{_shown(candidate.subject.name)} has one {known.name!r} at most, and {value_name(others[0])} is"
            yield Refusal(code="several-values", detail=f"{detail} there; proposed is {value_name(value)}")


def _to_thing(guardrail: Guardrail, known: Property, subject: Thing, value: Thing) -> Iterator[Refusal]:
    if not known.leads_to_things:
        detail = f"{known.name!r} leads to {_types(known)}, and {_shown(value.name)} is a thing"
        yield Refusal(code="not-a-value", detail=detail)
        return
    patterns = [each for each in known.patterns if not is_datatype(each.target)]
    if any(_fits(guardrail, each, subject, value) for each in patterns):
        return
    ways = _ways(guardrail, patterns)
    met = f"{_told(guardrail, subject)} → {_told(guardrail, value)}"
    if not (subject.classes and value.classes):
        if not _may_fit(guardrail, patterns, subject, value):
            yield Refusal(code="no-class", detail=f"{known.name!r} leads {ways}; it is not told what {met} are")
        return
    if any(_fits(guardrail, each, value, subject) for each in patterns):
        detail = f"{known.name!r} leads {ways}; found was {met}, which would fit turned round"
        yield Refusal(code="wrong-direction", detail=detail)
        return
    source = [each for each in patterns if guardrail.is_a(subject.classes, each.source)]
    if not source:
        yield Refusal(code="wrong-source", detail=f"{known.name!r} leads {ways}; found was {met}")
    if source or not any(guardrail.is_a(value.classes, each.target) for each in patterns):
        yield Refusal(code="wrong-target", detail=f"{known.name!r} leads {ways}; found was {met}")


def _may_fit(guardrail: Guardrail, patterns: Iterable[Pattern], subject: Thing, value: Thing) -> bool:
    """Whether the end of which no class is told may be what the other one leaves for it."""
    if not (subject.classes or value.classes):
        return False
    thing = value if subject.classes else subject
    if subject.classes:
        wanted = [each.target for each in patterns if guardrail.is_a(subject.classes, each.source)]
    else:
        wanted = [each.source for each in patterns if guardrail.is_a(value.classes, each.target)]
    left = guardrail.class_(left_for(guardrail, wanted)) if wanted else None
    return left is not None and may_be(thing.name, left.labels)


def _to_value(guardrail: Guardrail, known: Property, subject: Thing, value: RdfLiteral) -> Iterator[Refusal]:
    if not known.leads_to_values:
        ways = _ways(guardrail, known.patterns)
        detail = f"{known.name!r} leads {ways}, and {value_name(value)} is no thing but a value"
        yield Refusal(code="not-a-thing", detail=detail)
        return
    patterns = [each for each in known.patterns if is_datatype(each.target) or each.target == ANYTHING]
    fitting = [each for each in patterns if guardrail.is_a(subject.classes, each.source)]
    if not fitting:
        ways = _ways(guardrail, patterns)
        code = "wrong-source" if subject.classes else "no-class"
        yield Refusal(code=code, detail=f"{known.name!r} leads {ways}; found was {_told(guardrail, subject)}")
    if unit_of(value.datatype) is not None:
        yield from unit_refusal(known, value)
    elif not any(fits_datatype(value, each.target) for each in fitting or patterns):
        kind = _PLACES.get(value.datatype) or _short(value.datatype)
        detail = f"{known.name!r} takes {_types(known)}, and {value_name(value)} is written as {kind}"
        wrong = "" if well_formed(value) else ", and not even well"
        yield Refusal(code="wrong-datatype", detail=detail + wrong)


def _fits(guardrail: Guardrail, pattern: Pattern, subject: Thing, value: Thing) -> bool:
    return guardrail.is_a(subject.classes, pattern.source) and guardrail.is_a(value.classes, pattern.target)


def fits_datatype(value: RdfLiteral, datatype: str) -> bool:
    """Whether a literal is one of a datatype: written as its own datatype is, which is that one or one of its kinds.

    A number written as a decimal or integer is a float too; a text in a language is a text; a whole number is an
    integer only if it is written as one.
    """
    if not well_formed(value) or (value.datatype in NUMERIC_TYPES and not is_number(value.lexical, value.datatype)):
        return False  # infinite, or no number, is no value that a text states
    if datatype in (ANY_VALUE, ANYTHING, value.datatype):
        return True
    if datatype == XSD + "string":
        return value.datatype == RDF + "langString"
    if datatype in INTEGER_TYPES:
        return value.datatype in INTEGER_TYPES and well_formed(RdfLiteral(value.lexical, datatype))
    if datatype in (XSD + "double", XSD + "float"):
        return value.datatype in NUMERIC_TYPES
    return datatype == XSD + "decimal" and value.datatype in INTEGER_TYPES


def same_value(left: Value, right: Value) -> bool:
    """Whether two values are one: the same thing, or literals that are equal. In doubt they are two."""
    if isinstance(left, Thing) or isinstance(right, Thing):
        both = isinstance(left, Thing) and isinstance(right, Thing)
        return both and left.iri == right.iri and (bool(left.iri) or left.name == right.name)  # type: ignore[union-attr]
    return equal(value_of(left), value_of(right)) is True


def _is_allowed(known: Property, value: Value) -> bool:
    if isinstance(value, Thing):
        return value.iri in known.allowed
    return any(isinstance(each, RdfLiteral) and same_value(each, value) for each in known.allowed)


# Words


def class_name(guardrail: Guardrail, iri: str) -> str:
    """What a class, a datatype or a place for any is called."""
    known = guardrail.class_(iri)
    return _PLACES.get(iri) or (known.name if known else _short(iri))


def value_name(value: Value) -> str:
    """A value as messages name it."""
    return _shown(value.name if isinstance(value, Thing) else value.lexical)


def _told(guardrail: Guardrail, thing: Thing) -> str:
    kinds = " and ".join(class_name(guardrail, iri) for iri in thing.classes)
    return f"{_shown(thing.name)} ({kinds or 'of no class'})"


def _ways(guardrail: Guardrail, patterns: Iterable[Pattern]) -> str:
    ways = [f"{class_name(guardrail, each.source)} → {class_name(guardrail, each.target)}" for each in patterns]
    return _listed(ways)


def _types(known: Property) -> str:
    return _listed([_PLACES.get(each) or _short(each) for each in known.datatypes])


def _values(known: Property) -> list[str]:
    return [each.lexical if isinstance(each, RdfLiteral) else _short(each) for each in known.allowed]


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "") if names else "nothing"


def _short(iri: str) -> str:
    return spoken_name(iri) if _is_iri(iri) else _shown(iri)


def _shown(text: str) -> str:
    """A text as messages show it: on one line, shortened, and harmless."""
    plain = "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))
    return f"“{plain[:80]}…”" if len(plain) > 80 else f"“{plain}”"
