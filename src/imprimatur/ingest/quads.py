"""Candidates as lines of N-Quads: the fact, what is new of its things, and when it holds.

Invariants: each line is one whole statement of N-Quads in ASCII-safe form: nothing that a document holds ends a line, a
literal or an IRI; what cannot be written so is refused before (``unfit``). The graph of every line is the place that
states the fact, or the model that proposes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.ingest.candidate import Candidate, Refusal, Thing
from imprimatur.sources.graph.terms import (
    DATE_TYPES,
    NUMERIC_TYPES,
    OWL,
    RDF,
    RDFS,
    SCHEMA,
    SH,
    SKOS,
    TRUST_CLASSES,
    UNNAMED,
    XSD,
    RdfLiteral,
    iri_text,
    is_number,
    literal_text,
)

__all__ = ["graph_name", "is_iri", "of_candidate", "term", "unfit"]

_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]{0,60}:[^\x00-\x20\x7f-\xa0<>\"{}|\\^`\ud800-\udfff]{1,2000}")
_DATE = expression(r"-?[0-9]{4,9}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_LANG = expression(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}")
_TYPE, _LABEL = RDF + "type", RDFS + "label"
#: What the meaning of a graph hangs on; no document may state it.
_RESERVED = (RDF, RDFS, OWL, SH, SKOS, XSD, "http://www.w3.org/2003/11/swrl", UNNAMED)
_STATEMENT = UNNAMED + "statement:"
_MOST_NAME, _MOST_LITERAL = 400, 10_000
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI that can be written."""
    return _IRI.fullmatch(text) is not None


def term(value: Thing | RdfLiteral) -> str:
    """A value in N-Triples; "" for a thing that is not settled."""
    if isinstance(value, Thing):
        return iri_text(value.iri) if value.iri else ""
    return literal_text(value)


def graph_name(candidate: Candidate) -> str:
    """The IRI of the graph that its statements are in."""
    if candidate.place is not None:
        return candidate.place.iri
    return f"model:{quote(candidate.by.removeprefix('model:'), safe='?:=-._')}"


def unfit(candidate: Candidate) -> tuple[Refusal, ...]:
    """Why a candidate cannot be written down, whatever an ontology says of it."""
    return tuple(_unfit(candidate))


def _unfit(candidate: Candidate) -> Iterator[Refusal]:
    if candidate.trust not in TRUST_CLASSES[1:]:
        yield Refusal(code="wrong-trust", detail=f"{candidate.trust[:40]!r} is no class of trust of a proposed fact")
    if candidate.place is None and candidate.trust != TRUST_CLASSES[2]:
        yield Refusal(code="no-place", detail="a fact that stands nowhere can only be a model's")
    things = [each for each in (candidate.subject, candidate.value) if isinstance(each, Thing)]
    iris = [candidate.property, *(cls for thing in things for cls in thing.classes), *(t.iri for t in things if t.iri)]
    for iri in iris:
        if not is_iri(iri):
            yield Refusal(code="unreadable", detail=f"{iri[:80]!r} is not an IRI")
    yield from _reserved(candidate, things)
    for thing in things:
        if candidate.property != _TYPE or thing is candidate.subject:  # a class need not be named
            yield from _unfit_name(thing)
    if isinstance(candidate.value, RdfLiteral):
        yield from _unfit_literal(candidate.value)
    for day in candidate.valid:
        if day and not _DATE.fullmatch(day):
            yield Refusal(code="wrong-datatype", detail=f"{day[:40]!r} is no day or year")


def _reserved(candidate: Candidate, things: Sequence[Thing]) -> Iterator[Refusal]:
    """What would change the meaning of the graph instead of telling a fact."""
    classes = [cls for thing in things for cls in thing.classes]
    if candidate.property == _TYPE:
        if isinstance(candidate.value, Thing):
            classes.append(candidate.value.iri)
        else:
            yield Refusal(code="vocabulary", detail="a class is a thing, not a text")
    elif candidate.property.startswith(_RESERVED):
        yield Refusal(code="vocabulary", detail=f"<{candidate.property[:80]}> belongs to the graph's vocabulary")
    told = [thing.iri for thing in things if not (candidate.property == _TYPE and thing is candidate.value)]
    for iri in (*classes, *told):
        if iri.startswith(_RESERVED):
            yield Refusal(code="vocabulary", detail=f"<{iri[:80]}> belongs to the graph's vocabulary")


def _unfit_name(thing: Thing) -> Iterator[Refusal]:
    name = thing.name
    if not name.strip() or len(name) > _MOST_NAME:
        yield Refusal(code="unreadable", detail=f"a name has 1 to {_MOST_NAME} characters")
    elif any(unicodedata.category(char) in _UNSEEN for char in name):
        yield Refusal(code="unreadable", detail="the name has characters in it that cannot be seen")


def _unfit_literal(value: RdfLiteral) -> Iterator[Refusal]:
    if len(value.lexical) > _MOST_LITERAL or any("\ud800" <= char <= "\udfff" for char in value.lexical):
        yield Refusal(code="unreadable", detail=f"a text has at most {_MOST_LITERAL} characters, all of Unicode")
    if not is_iri(value.datatype):
        yield Refusal(code="unreadable", detail=f"{value.datatype[:80]!r} is not an IRI")
    if value.lang and not _LANG.fullmatch(value.lang):
        yield Refusal(code="unreadable", detail=f"{value.lang[:40]!r} is no tag of a language")
    wrong_number = value.datatype in NUMERIC_TYPES and not is_number(value.lexical, value.datatype)
    plain_date = value.datatype in DATE_TYPES and "dateTime" not in value.datatype
    if wrong_number or (plain_date and not _DATE.fullmatch(value.lexical)):
        kind = value.datatype.removeprefix(XSD)
        yield Refusal(code="wrong-datatype", detail=f"{value.lexical[:40]!r} is no {kind}")


def of_candidate(candidate: Candidate, new: Iterable[Thing] = ()) -> tuple[str, ...]:
    """The lines of a candidate whose things are settled, without line ends.

    Args:
        new: those of its things that the graph does not have yet: they get their name. What a thing was taken for is no
            fact: that it is of a class stands in the graph where a document says so.
    """
    graph = iri_text(graph_name(candidate))
    subject, relation, value = iri_text(candidate.subject.iri), iri_text(candidate.property), term(candidate.value)
    lines = [f"{subject} {relation} {value} {graph} ."]
    for thing in new:
        lines.append(f"{iri_text(thing.iri)} {iri_text(_LABEL)} {literal_text(RdfLiteral(thing.name))} {graph} .")
    if any(candidate.valid):
        lines += _validity(candidate, (subject, relation, value), graph)
    return tuple(dict.fromkeys(lines))


def _validity(candidate: Candidate, triple: Sequence[str], graph: str) -> Iterator[str]:
    """A statement node with the first and last day (RDF 1.1 semantics, appendix D.1)."""
    told = "\0".join((*triple, graph, *candidate.valid))
    node = iri_text(_STATEMENT + sha256(told.encode()).hexdigest()[:32])
    for name, part in zip(("subject", "predicate", "object"), triple, strict=True):
        yield f"{node} {iri_text(RDF + name)} {part} {graph} ."
    for name, day in zip(("startDate", "endDate"), candidate.valid, strict=True):
        if day:
            kind = ("gYear", "gYearMonth", "date")[day.removeprefix("-").count("-")]
            literal = literal_text(RdfLiteral(day, XSD + kind))
            yield f"{node} {iri_text(SCHEMA[0] + name)} {literal} {graph} ."
