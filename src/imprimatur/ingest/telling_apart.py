"""Facts by which two things of one name are told apart: days, years, texts and things of which there may be one only.

A number tells nothing of that kind: two sources give one town two populations. Contract: what is found does not depend
on the order of candidates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations

from imprimatur.ingest.axiom_checks import apart_in_time, word_of
from imprimatur.ingest.candidate import Thing, Value
from imprimatur.ingest.gathering import Group, Said
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.measures import unit_of
from imprimatur.ingest.refusing import same_value, value_name
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES, RDF, RdfLiteral

__all__ = ["contradicting", "telling"]

_TYPE = RDF + "type"
#: No thing has more dates of which it may have one only.
_MOST = 200
#: Property, date, and when it holds.
_Dated = tuple[str, RdfLiteral, tuple[str, str]]


def telling(known: KnownThings, group: Group) -> Iterator[Said]:
    """The facts of a thing that tell it from others of its name."""
    for each in group.said:
        candidate = each.candidate
        if each.as_value or candidate.property == _TYPE or _is_number(candidate.value):
            continue
        if known.single(candidate.property, group.classes):
            yield each


def contradicting(known: KnownThings, group: Group) -> Iterator[tuple[str, str]]:
    """The documents that cannot all speak of one thing, for they give it different days or years; each with the reason.

    Documents that give none are not among them. Names of things are left aside: "Texas" may be "the State of Texas".
    """
    dated: dict[_Dated, set[str]] = defaultdict(set)
    for each in telling(known, group):
        candidate, value = each.candidate, each.candidate.value
        if isinstance(value, RdfLiteral) and value.datatype in DATE_TYPES:
            dated[candidate.property, value, candidate.valid].add(each.document)
    if len(dated) > _MOST:
        every = {document for documents in dated.values() for document in documents}
        yield from (
            (each, f"“{group.name}” has more than {_MOST} dates: they may be several things") for each in sorted(every)
        )
        return
    told: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one, other in permutations(dated, 2):
        if one[0] == other[0] and not _may_be(one[1], other[1]) and not apart_in_time(one[2], other[2]):
            said = {(one[0], value_name(one[1])), (one[0], value_name(other[1]))}
            for document in dated[one]:
                if dated[other] != {document}:
                    told[document] |= said
    for document, listed in sorted(told.items()):
        property_ = min(listed)[0]
        values = " and ".join(sorted(value for name, value in listed if name == property_)[:3])
        name = word_of(known, property_)
        yield document, f"“{group.name}” has one {name!r} at most; documents say {values}: they may be several things"


def _may_be(left: RdfLiteral, right: RdfLiteral) -> bool:
    """Whether two dates may be one: the same, or a year and a day in it."""
    size = min(len(left.lexical), len(right.lexical))
    return same_value(left, right) or left.lexical[:size] == right.lexical[:size]


def _is_number(value: Value) -> bool:
    return not isinstance(value, Thing) and (value.datatype in NUMERIC_TYPES or unit_of(value.datatype) is not None)
