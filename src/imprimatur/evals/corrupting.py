"""Wrong values for true sentences: another number, unit, date, or thing where a functional property has the right one.

Every change is made at a value that a supported claim states of a functional property, so that the changed sentence
is refuted wherever the graph still tells which thing is meant. Invariants: one seed gives one change a sentence; the
change stays within the span of the value.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from imprimatur.claim import Attribute, Relation
from imprimatur.evals.claims import LabelledRow
from imprimatur.evals.falsehoods import UNITS
from imprimatur.report import JudgedClaim, Report
from imprimatur.sources.graph.candidates import rested_on
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import iri_text
from imprimatur.values import DateValue, Quantity
from imprimatur.verdict import Label

__all__ = ["KINDS", "Corruption", "Others", "corrupted", "others_of"]

KINDS = ("value", "unit", "date", "entity")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
#: What a number is multiplied by: never so near that it may be the right one, rounded.
_FACTORS = (0.5, 0.7, 1.3, 1.6, 2.0, 3.0)
Others = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corruption:
    """A sentence that states a wrong value; ``start`` and ``end`` are where, in it."""

    row: LabelledRow
    true: Report
    kind: str
    text: str
    start: int
    end: int


def others_of(reports: Sequence[Report]) -> dict[str, tuple[str, ...]]:
    """By property, how the things are named that it leads to in some texts."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for report in reports:
        for judged in _supported(report):
            for reading in judged.claim.readings:
                if isinstance(reading, Relation) and reading.object.start >= 0:
                    for iri in _rested(judged, reading):
                        found[iri][report.answer[reading.object.start : reading.object.end]] = None
    return {iri: tuple(names) for iri, names in found.items()}


def corrupted(row: LabelledRow, true: Report, schema: Schema, others: Others, *, seed: int) -> Corruption | None:
    """One wrong value in a true sentence; None where it states no value of a functional property.

    Args:
        true: the report on the sentence as it stands.
        others: names of other things, by property.
    """
    chosen = Random(f"{seed} {row.id} {row.text}")
    made: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for judged in _supported(true):
        for kind, change in _changes(judged, true.answer, schema, others, chosen):
            made[kind].append(change)
    if not made:
        return None
    kind = chosen.choice(sorted(made))
    start, end, wrong = chosen.choice(sorted(made[kind]))
    text = true.answer[:start] + wrong + true.answer[end:]
    return Corruption(row=row, true=true, kind=kind, text=text, start=start, end=start + len(wrong))


def _supported(report: Report) -> Iterator[JudgedClaim]:
    for segment in report.segments:
        yield from (judged for judged in segment.claims if judged.verdict.label is Label.SUPPORTED)


def _changes(
    judged: JudgedClaim, text: str, schema: Schema, others: Others, chosen: Random
) -> Iterator[tuple[str, tuple[int, int, str]]]:
    claim = judged.claim
    if claim.negated:
        return
    for reading in claim.readings:
        if not isinstance(reading, Relation | Attribute):
            continue
        functional = [iri for iri in _rested(judged, reading) if _functional(schema, iri)]
        if not functional:
            continue
        if isinstance(reading, Relation):
            start, end = reading.object.start, reading.object.end
            names = [n for n in others.get(functional[0], ()) if n not in text and text[start:end] not in n]
            if start >= claim.start and end <= claim.end and names:
                yield "entity", (start, end, chosen.choice(names))
        elif isinstance(reading.value, Quantity):
            yield from _numbers(text, claim.start, claim.end, chosen)
            yield from _units(text, claim.start, claim.end, chosen)
        elif isinstance(reading.value, DateValue):
            for found in _YEAR.finditer(text, claim.start, claim.end):
                wrong = str(int(found.group()) + chosen.choice((-40, -7, 3, 12)))
                yield "date", (*found.span(), wrong)


def _rested(judged: JudgedClaim, reading: Relation | Attribute) -> list[str]:
    """The properties of a reading, followed forwards, that the evidence on its claim states."""
    stated = {triple[1] for evidence in judged.verdict.evidence for triple in rested_on(evidence)[:1]}
    return [p.iri for p in reading.predicates if not p.inverse and iri_text(p.iri) in stated]


def _functional(schema: Schema, iri: str) -> bool:
    info = schema.property(iri)
    return info is not None and info.functional


def _numbers(text: str, start: int, end: int, chosen: Random) -> Iterator[tuple[str, tuple[int, int, str]]]:
    for found in _NUMBER.finditer(text, start, end):
        written = found.group()
        places = len(written.partition(".")[2])
        wrong = float(written.replace(",", "")) * chosen.choice(_FACTORS)
        said = f"{wrong:,.{places}f}" if "," in written else f"{wrong:.{places}f}"
        if said != written:
            yield "value", (*found.span(), said)


def _units(text: str, start: int, end: int, chosen: Random) -> Iterator[tuple[str, tuple[int, int, str]]]:
    spelled = sorted(((unit, group) for group in UNITS for unit in group), key=lambda pair: -len(pair[0]))
    for unit, group in spelled:
        found = re.compile(rf"(?<=\d)[ -]?({re.escape(unit)})(?!\w)").search(text, start, end)
        if found is not None:
            like = [u for pair in _ALIKE if group[0] in pair for u in pair if u != group[0]]
            if like:
                yield "unit", (*found.span(1), chosen.choice(like))
            return


#: Units that measure the same, by the first word of their line of ``UNITS``: a claim in the other one is refuted.
_ALIKE = (
    ("km", "miles", "m"),
    ("m", "feet", "yards"),
    ("feet", "m", "inches"),
    ("km²", "square miles", "hectares"),
    ("square miles", "km²", "acres"),
    ("cubic feet per second", "cubic metres per second"),
)
