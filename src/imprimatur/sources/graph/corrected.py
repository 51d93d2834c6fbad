"""Wrong values put right: the smallest edits that make refuted claims say what the graph says (DESIGN section 4).

A claim is put right where one value is the right one: a quantity in the writer's own unit, precision and words, a date
in the form it was written in, a name by the thing's label, a count; a comparison by the opposite word; a denied fact
without its negator. The edit covers the value alone, with the article before it or the noun counted. Nothing here is
released unchecked: the caller checks the changed text from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from imprimatur._expressions import expression
from imprimatur.claim import Aggregate, Attribute, Claim, Comparison, Count, Mention, Relation
from imprimatur.decision import Edit
from imprimatur.evidence import Evidence
from imprimatur.language import affirming, dates, morphology, rewriting, units
from imprimatur.language.morphology import Form
from imprimatur.language.rewriting import Change
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.sources.graph.candidates import Triple, rested_on
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import CLOCK, XSD, iri_text, parse_number
from imprimatur.values import DateValue, Quantity, TextValue
from imprimatur.verdict import Label, Reason

__all__ = ["corrected", "corrections"]

_LITERAL = expression(r'"((?:[^"\\]|\\.)*)"(?:\^\^<([^<>\s]*)>|@[A-Za-z0-9-]+)?')
_VALIDITY = expression(r'"([^"\\]{1,40})"\^\^<([^<>\s]{1,200})> \. \[validity\]')
_NOUN = expression(r"[ \u00a0]([a-z]+)\b")
_THERE = expression(r"\b([Tt]here )(is|are|was|were) $")
_COUNTING = expression(r"\b(?:[Tt]here (?:is|are|was|were)|has|have|had|with|of|receives?|holds?|contains?) $")
_NUMBERS = {"is": "are", "was": "were"}


def corrected(text: str, segment: JudgedSegment, schema: Schema, *, locale: str = "en") -> tuple[Edit, ...]:
    """The edits that put right what can be of a segment, in order; none where they would run into each other.

    Args:
        text: the text that the segment stands in.
        schema: the vocabulary of the graph that refutes its claims.
        locale: the language of the answer, for its numbers and dates.
    """
    made = {judged.claim: corrections(judged, text, schema, locale=locale) for judged in segment.claims}
    first = {edit.evidence for claim, each in made.items() if not _is_bracketed(claim, text) for edit in each}
    # A conversion may be right once its number is; where it is not, the next look puts it right, too.
    kept = (
        each
        for claim, each in made.items()
        if not (_is_bracketed(claim, text) and each[:1] and each[0].evidence in first)
    )
    same: dict[tuple[int, int, str], Edit] = {}
    for edit in (edit for each in kept for edit in each):  # one word may be wrong in several claims ("on weekdays")
        known = same.setdefault((edit.start, edit.end, edit.after), edit)
        evidence = tuple(dict.fromkeys((*known.evidence, *edit.evidence)))
        same[edit.start, edit.end, edit.after] = replace(known, evidence=evidence)
    edits = sorted(same.values(), key=lambda edit: (edit.start, edit.end))
    if not all(first.end <= second.start for first, second in pairwise(edits)):
        return ()
    if any(_listed_already(edit, text, segment) for edit in edits):
        return ()  # "Perch Lake and Mullett Lake": the wrong one goes
    return tuple(edits)


def _is_bracketed(claim: Claim, text: str) -> bool:
    return text[claim.start : claim.start + 1] == "("


def _listed_already(edit: Edit, text: str, segment: JudgedSegment) -> bool:
    """Whether a supported claim says of another name in the segment what the edit would say again."""
    said = {
        text[reading.object.start : reading.object.end].casefold()
        for judged in segment.claims
        if judged.verdict.label is Label.SUPPORTED
        for reading in judged.claim.readings
        if isinstance(reading, Relation) and reading.object.start >= 0
    }
    return edit.after.casefold() in said


def corrections(judged: JudgedClaim, text: str, schema: Schema, *, locale: str = "en") -> tuple[Edit, ...]:
    """The edits that put a contradicted claim right, in order; none when there is no one right value.

    Args:
        judged: the claim with its verdict.
        text: the answer that it stands in.
        schema: the vocabulary of the graph that refutes it.
        locale: the language of the answer, for its numbers and dates.
    """
    claim, verdict = judged.claim, judged.verdict
    if verdict.label is not Label.CONTRADICTED:
        return ()
    changes, evidence = _changes(claim, judged, text, schema, locale)
    queries = tuple(dict.fromkeys(each.query for each in evidence))
    return tuple(
        Edit(start=start, end=end, before=text[start:end], after=after, evidence=queries)
        for start, end, after in _with_articles(sorted(changes), text, locale)
        if text[start:end] != after
    )


def _changes(
    claim: Claim, judged: JudgedClaim, text: str, schema: Schema, locale: str
) -> tuple[list[Change], Sequence[Evidence]]:
    verdict = judged.verdict
    words = text[claim.start : claim.end]
    english = schema.language is None and locale.startswith("en")
    if claim.negated:
        denied = english and Reason.NEGATION_OF_FACT in verdict.reasons
        return _moved(affirming.affirmed(words) if denied else (), claim.start), verdict.evidence[:1]
    if claim.readings and all(isinstance(reading, Comparison) for reading in claim.readings):
        return _moved(affirming.turned(words) if english else (), claim.start), verdict.evidence
    if Reason.OUTDATED in verdict.reasons and len(verdict.evidence) == 1:
        return list(_redated(claim, text, verdict.evidence[0], schema, locale)), verdict.evidence
    right = [evidence for evidence in verdict.evidence if evidence.correction is not None]
    if len({evidence.correction for evidence in right}) != 1:
        return [], ()
    if any(isinstance(reading, Aggregate) for reading in claim.readings):
        from imprimatur.sources.graph.corrected_figures import figure_edits

        return list(figure_edits(claim, right[0].correction or "", text, locale=locale)), verdict.evidence[:1]
    for evidence in right:
        if (counts := [r for r in claim.readings if isinstance(r, Count)]) and len(counts) == len(claim.readings):
            return _count(counts[0], claim, text, evidence.correction or "", locale), verdict.evidence
        stated = rested_on(evidence)
        found = _reading(claim, stated[0]) if stated else None
        if found is not None:
            reading, wrong = found
            return _replaced(reading, wrong, claim, text, (evidence, stated[0]), (schema, locale)), (evidence,)
    return [], ()


def _redated(claim: Claim, text: str, evidence: Evidence, schema: Schema, locale: str) -> Iterator[Change]:
    """The time at which a fact that is right held, or from or until which it did, in the place of another."""
    whens = {reading.when for reading in claim.readings if isinstance(reading, Relation)}
    when = whens.pop() if len(whens) == 1 else None
    held = [dates.stored(m[1], m[2], years=schema.graph.years) for m in _VALIDITY.finditer(evidence.content)]
    if when is None or len(held) != 2 or held[0] is None or held[1] is None:
        return
    first, last = held
    words = text[claim.start : claim.end]
    at = first if first == last else None
    for stated, value in ((when.at, at), (when.start, first), (when.end, last)):
        if stated is not None and value is not None and stated != value:
            yield from _moved(rewriting.redated(words, stated, value, locale=locale), claim.start)


def _moved(changes: Iterable[Change], by: int) -> list[Change]:
    return [(start + by, end + by, new) for start, end, new in changes]


def _reading(claim: Claim, fact: Triple) -> tuple[Relation | Attribute, Mention | None] | None:
    """The reading that the fact refutes, by the same thing and property, and what it names wrongly."""
    for reading in claim.readings:
        if not isinstance(reading, Relation | Attribute):
            continue
        backwards = {predicate.inverse for predicate in reading.predicates if iri_text(predicate.iri) == fact[1]}
        if False in backwards and _may_be(reading.subject, fact[0]):
            return reading, reading.object if isinstance(reading, Relation) else None
        if True in backwards and isinstance(reading, Relation) and _may_be(reading.object, fact[0]):
            return reading, reading.subject
    return None


def _may_be(mention: Mention, term: str) -> bool:
    return term in [iri_text(iri) for iri in mention.candidates]


def _replaced(
    reading: Relation | Attribute,
    wrong: Mention | None,
    claim: Claim,
    text: str,
    fact: tuple[Evidence, Triple],
    reader: tuple[Schema, str],
) -> list[Change]:
    """What is right for every span that is wrong."""
    (evidence, triple), (schema, locale) = fact, reader
    right = evidence.correction or ""
    if wrong is not None:
        inside = claim.start <= wrong.start and wrong.end <= claim.end
        return [(wrong.start, wrong.end, right)] if inside else []
    literal = _LITERAL.fullmatch(triple[2])
    if literal is None or not isinstance(reading, Attribute):
        return []
    words = text[claim.start : claim.end]
    match reading.value:
        case Quantity():
            value, info = parse_number(literal.group(1), XSD + "double"), schema.property(reading.predicates[0].iri)
            unit = units.by_iri(info.unit_iri) if info is not None and info.unit_iri else None
            if value is None:
                return []
            return _moved(rewriting.requantified(words, reading.value, value, unit, locale=locale), claim.start)
        case DateValue():
            day = dates.stored(literal.group(1), literal.group(2) or "", years=schema.graph.years)
            changes = () if day is None else rewriting.redated(words, reading.value, day, locale=locale)
            foreign = schema.language is not None  # then the name of a month would be an English one
            return _moved((c for c in changes if not (foreign and any(char.isalpha() for char in c[2]))), claim.start)
        case TextValue() if literal.group(2) == CLOCK:
            from imprimatur.sources.graph.corrected_times import time_edits

            return list(time_edits(reading.value.text, literal.group(1), claim, text))
        case TextValue():
            at = text.find(reading.value.text, claim.start, claim.end)
            return [(at, at + len(reading.value.text), right)] if at >= 0 else []


def _count(reading: Count, claim: Claim, text: str, right: str, locale: str) -> list[Change]:
    """The right number, and the noun behind it in the form that goes with it."""
    if not right.isdecimal():
        return []
    words = text[claim.start : claim.end]
    value = int(right)
    one = 1 in (value, reading.value.low.value) or not value
    changes = list(rewriting.requantified(words, reading.value, Fraction(value), None, locale=locale))
    if len(changes) != 1 or not locale.startswith("en"):
        return _moved(changes, claim.start)
    start, end, _ = changes[0]
    if one and not _COUNTING.search(words[:start]):
        return []  # what the number stands with would have to change, too
    noun = _NOUN.match(words, end)
    was_one = reading.value.low.value == 1
    if noun is not None and (value == 1) is not was_one:
        lemma = next((lemma for lemma, pos in sorted(morphology.lemmas(noun[1])) if pos == "n"), None)
        if lemma is None:
            return []
        changes.append(
            (noun.start(1), noun.end(1), lemma if value == 1 else morphology.inflect(lemma, "n", Form.PLURAL))
        )
        there = _THERE.search(words[:start])
        if there is not None:
            verbs = {v: k for k, v in _NUMBERS.items()} if value == 1 else _NUMBERS
            changes.append((there.start(2), there.end(2), verbs.get(there[2], there[2])))
    return _moved(changes, claim.start)


def _with_articles(changes: list[Change], text: str, locale: str) -> list[Change]:
    """The changes, with "a" and "an" before what is new."""
    if not locale.startswith("en"):
        return changes
    articles = (rewriting.article_before(text, start, new) for start, _, new in changes if new)
    return sorted([*changes, *(article for article in articles if article is not None)])
