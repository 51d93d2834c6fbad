"""Numbers and dates that complete a sentence: a surely wrong value is put in, and its refutation gives the right one.

Contract: only values that the five stages named as right are given; each is checked again in its sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from imprimatur.extract.asked import Asked, Wanted
from imprimatur.generate.sentence import written
from imprimatur.language.units import by_iri
from imprimatur.oracle import Oracle
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.schema import Schema
from imprimatur.verdict import Label

__all__ = ["texts_of", "value_of"]

#: The unit in which many of a unit are spoken of, from 10,000 on.
_LARGE = {"m": "km", "m²": "km²"}
#: No thing has this many of anything.
_ABSURD = "987654321.25"
_TRIES = 5
_LONGEST = 60  # characters of a text that is a value
_MOST_TEXTS = 12
_ABSURD_COUNT = "987654321"
_ABSURD_YEARS = ("in 9876", "9876", "9 September 9876")


def value_of(asked: Asked, oracle: Oracle) -> str:
    """The value that the graph has for the gap, in words; empty when it has none, or more than one."""
    found: dict[str, None] = {}
    unread = 0
    for probe in _probes(asked, oracle):
        report = oracle.check(written(asked.items, probe))
        claims = [c for s in report.segments for c in s.claims]
        unread = 0 if any(c.claim.readings for c in claims) else unread + 1
        if unread == _TRIES:
            break  # it is not the value that keeps the sentence from being read
        if len(claims) != 1 or any(s.residue for s in report.segments):
            continue
        verdict = claims[0].verdict
        if verdict.label is Label.CONTRADICTED:
            right = {e.correction for e in verdict.evidence if e.correction}
            found |= dict.fromkeys(right)
        if found:
            break
    if len(found) != 1:
        return ""
    value = _plain(_before_christ(next(iter(found)), oracle))
    large = _LARGE.get(value.partition(" ")[2])
    if large is None or asked.unit or len(value.partition(".")[0]) < len("10,000"):
        return value
    return value_of(replace(asked, unit=large), oracle) or value


def texts_of(asked: Asked, source: GraphSource) -> tuple[str, ...]:
    """The short texts that the graph has of the things in a sentence: what may complete it as it stands."""
    graph = source.graph
    found: dict[str, None] = {}
    for iri in (iri for i in asked.items if i.entity is not None for iri in i.entity.candidates):
        number = graph.id(iri)
        for _, value in graph.out(number) if number is not None else ():
            if graph.is_literal(value):
                found[graph.literal(value).lexical] = None
    plain = [text for text in found if len(text) <= _LONGEST and any(c.isalpha() for c in text)]
    return tuple(plain[:_MOST_TEXTS])


def _before_christ(value: str, oracle: Oracle) -> str:
    """A year before Christ as it is said: "-0384" as "384 BC"; any other value as it is."""
    part = oracle.knowledge.part
    if part is None or not (value.startswith("-") and value[1:].isdigit() and len(value) >= len("-0384")):
        return value
    return f"{int(value[1:]) + (part.judging.graph.years == 'xsd11')} BC"


def _plain(value: str) -> str:
    """The value without the noughts that come of the precision of the probe: "46.60 km²" as "46.6 km²"."""
    number, space, unit = value.partition(" ")
    digits = number.rstrip("%")
    if "." in digits:
        number = digits.rstrip("0").rstrip(".") + number[len(digits) :]
    return (number + space + unit).strip()


def _probes(asked: Asked, oracle: Oracle) -> Iterator[str]:
    if asked.unit:
        yield f"{_ABSURD}{'' if asked.unit == '%' else ' '}{asked.unit}"
        return
    if asked.wanted is Wanted.TIME:
        yield from _ABSURD_YEARS
        return
    part = oracle.knowledge.part
    yield _ABSURD_COUNT
    if part is not None:
        yield from (f"{_ABSURD} {unit}" for unit in _units(part.schema))
    yield from _ABSURD_YEARS


def _units(schema: Schema) -> tuple[str, ...]:
    """The units in which the graph keeps its numbers, the most used first."""
    used = sorted(schema.properties.values(), key=lambda p: -p.used)
    iris = (p.unit_iri for p in used if p.unit_iri is not None)
    units = (by_iri(iri) for iri in dict.fromkeys(iris))
    return tuple(dict.fromkeys(u.symbol for u in units if u is not None))
