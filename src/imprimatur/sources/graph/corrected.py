"""Wrong values put right: the smallest edits that make a refuted claim say what the graph says (DESIGN section 4).

Only a claim that exactly one stored value refutes is put right: a quantity in the writer's own unit and precision, a
date as it is usually written, a name by the thing's label. The edit covers the value alone. Nothing here is released
unchecked: the caller checks the changed text from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.claim import Aggregate, Attribute, Claim, Count, Relation
from imprimatur.decision import Edit
from imprimatur.errors import InputError
from imprimatur.evidence import Evidence
from imprimatur.language import dates, numbers, quantities, rounding, units
from imprimatur.report import JudgedClaim
from imprimatur.sources.graph.candidates import Triple, rested_on
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import CLOCK, XSD, iri_text, parse_number
from imprimatur.values import Bound, DateValue, Quantity, TextValue
from imprimatur.verdict import Label

__all__ = ["corrections"]

_DIGIT = expression(r"\d")
_SCALE = expression(r"[ \u00a0](?:hundred|thousand|million|billion|trillion|dozen)\b", re.IGNORECASE)

_LITERAL = expression(r'"((?:[^"\\]|\\.)*)"(?:\^\^<([^<>\s]*)>|@[A-Za-z0-9-]+)?')


def corrections(judged: JudgedClaim, text: str, schema: Schema, *, locale: str = "en") -> tuple[Edit, ...]:
    """The edits that put a contradicted claim right, in order; none when there is no one right value.

    Args:
        judged: the claim with its verdict.
        text: the answer that it stands in.
        schema: the vocabulary of the graph that refutes it.
        locale: the language of the answer, for its numbers and dates.
    """
    claim, verdict = judged.claim, judged.verdict
    right = [evidence for evidence in verdict.evidence if evidence.correction is not None]
    if verdict.label is not Label.CONTRADICTED or claim.negated or len(right) != 1:
        return ()
    if any(isinstance(reading, Aggregate | Count) for reading in claim.readings):
        from imprimatur.sources.graph.corrected_figures import figure_edits

        replaced = [*figure_edits(claim, right[0].correction or "", text, locale=locale)]
    else:
        stated = rested_on(right[0])
        reading = _reading(claim, stated[0]) if stated else None
        if reading is None:
            return ()
        replaced = _replaced(reading, claim, text, fact=(right[0], stated[0]), reader=(schema, locale))
    return tuple(
        Edit(start=start, end=end, before=text[start:end], after=after, evidence=(right[0].query,))
        for start, end, after in replaced
        if text[start:end] != after
    )


def _reading(claim: Claim, fact: Triple) -> Relation | Attribute | None:
    """The reading that the fact refutes: same subject, same property."""
    for reading in claim.readings:
        if not isinstance(reading, Relation | Attribute):
            continue
        subjects = [iri_text(iri) for iri in reading.subject.candidates]
        predicates = [iri_text(predicate.iri) for predicate in reading.predicates if not predicate.inverse]
        if fact[0] in subjects and fact[1] in predicates:
            return reading
    return None


def _replaced(
    reading: Relation | Attribute,
    claim: Claim,
    text: str,
    *,
    fact: tuple[Evidence, Triple],
    reader: tuple[Schema, str],
) -> list[tuple[int, int, str]]:
    """(start, end, what is right) for every span that is wrong."""
    (evidence, triple), (schema, locale) = fact, reader
    right = evidence.correction or ""
    if isinstance(reading, Relation):
        mention = reading.object
        inside = claim.start <= mention.start and mention.end <= claim.end
        return [(mention.start, mention.end, right)] if inside else []
    literal = _LITERAL.fullmatch(triple[2])
    if literal is None:
        return []
    match reading.value:
        case Quantity():
            info = schema.property(reading.predicates[0].iri)
            stored = (literal.group(1), info.unit_iri if info else None)
            return list(_quantity(reading.value, claim, text, stored=stored, locale=locale))
        case DateValue():
            years = schema.graph.years
            edits = list(_date(reading.value, claim, text, stored=(literal, years), locale=locale))
            foreign = schema.language is not None  # then the name of a month would be an English one
            return [edit for edit in edits if not (foreign and any(c.isalpha() for c in edit[2]))]
        case TextValue() if literal.group(2) == CLOCK:
            from imprimatur.sources.graph.corrected_times import time_edits

            return list(time_edits(reading.value.text, literal.group(1), claim, text))
        case TextValue():
            at = text.find(reading.value.text, claim.start, claim.end)
            return [(at, at + len(reading.value.text), right)] if at >= 0 else []


def _quantity(
    stated: Quantity, claim: Claim, text: str, *, stored: tuple[str, str | None], locale: str
) -> Iterator[tuple[int, int, str]]:
    """The number, and the number of its conversion in brackets where there is one."""
    value = parse_number(stored[0], XSD + "double")
    parts = (stated, stated.partner) if stated.partner is not None else (stated,)
    plain = all(part.high is None and part.bound in (Bound.EXACT, Bound.ABOUT) for part in parts)
    words = text[claim.start : claim.end]
    as_read = replace(stated, unit=None) if units.scale_of(stated.unit) is not None else stated
    found = [each for each in quantities.find(words, locale=locale) if each.quantity == as_read]
    if value is None or not plain or len(found) != 1:
        return
    written = _numerals(words, found[0].start, found[0].end)
    if len(written) != len(parts):
        return
    unit = units.by_iri(stored[1]) if stored[1] else None
    made = []
    for part, (start, end) in zip(parts, written, strict=True):
        try:
            right = rounding.write(value, part, unit, written=words[start:end])
        except InputError:
            return
        made.append((claim.start + start, claim.start + end, right))
    yield from made


def _numerals(words: str, start: int, end: int) -> list[tuple[int, int]]:
    """The numbers in digits between two offsets, each with the scale word behind it."""
    plain = numbers.normalise(words[:end])
    found = []
    while (digit := _DIGIT.search(plain, start)) is not None:
        start, numerals = numbers.read_at(plain, digit.start())
        for numeral in numerals:
            scale = _SCALE.match(plain, numeral.end)
            found.append((numeral.start, scale.end() if scale else numeral.end))
    return found


def _date(
    stated: DateValue, claim: Claim, text: str, *, stored: tuple[re.Match[str], str], locale: str
) -> Iterator[tuple[int, int, str]]:
    literal, years = stored
    value = dates.stored(literal.group(1), literal.group(2) or "", years=years)
    found = [each for each in dates.find(text[claim.start : claim.end], locale=locale) if each.value == stated]
    if value is None or len(found) != 1 or stated.bound not in (Bound.EXACT, Bound.ABOUT):
        return
    yield claim.start + found[0].start, claim.start + found[0].end, dates.write(value)
