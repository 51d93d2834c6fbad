"""The report as JSON: the one shape for library, command line, REST, gateway, MCP and ledger (DESIGN section 7).

Invariants: keys and their order are fixed, and described by ``resources/report.schema.json`` (draft 2020-12); spans are
code points of the answer as given; every number that an answer or a source stated is an exact string (``"2334"``,
``"1/3"``), never a float; a date is ``[-]YYYY-MM-DD``, where year -0384 is 384 BC.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_never

from imprimatur._expressions import expression
from imprimatur.claim import (
    Aggregate,
    Attribute,
    Comparison,
    Condition,
    Count,
    Description,
    Membership,
    Mention,
    Predicate,
    Prose,
    Relation,
    Route,
    Share,
    Span,
    Statement,
    Superlative,
    When,
)
from imprimatur.evidence import Evidence
from imprimatur.report import SCHEMA_VERSION, JudgedClaim, JudgedSegment, Report
from imprimatur.values import DateValue, Number, Quantity, TextValue, Value

__all__ = ["dumps", "report_schema", "report_to_dict", "statement_to_dict", "value_to_dict"]

_SURROGATE = expression("[\ud800-\udfff]")


def report_to_dict(report: Report) -> dict[str, Any]:
    """The report as JSON-ready values, in the shape of schema version ``SCHEMA_VERSION``."""
    edits = getattr(report.decision, "edits", ())
    versions = report.versions
    return {
        "schema_version": SCHEMA_VERSION,
        "decision": report.decision.kind,
        "summary": report.summary,
        "text": report.decision.text,
        "segments": [_segment(segment) for segment in report.segments],
        "accounting": {str(label): count for label, count in report.accounting.items()},
        "edits": [{**asdict(edit), "evidence": list(edit.evidence)} for edit in edits],
        "warnings": list(report.warnings),
        "versions": {
            "imprimatur": versions.imprimatur,
            "knowledge_base": versions.knowledge_base,
            "shapes": versions.shapes,
            "policy": versions.policy,
            "models": list(versions.models),
        },
    }


def report_schema() -> dict[str, Any]:
    """The published JSON Schema of ``report_to_dict``'s result."""
    path = Path(__file__).parent / "resources" / "report.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def dumps(value: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """``value`` as JSON that can always be written as UTF-8: lone surrogates become ``\\uXXXX`` escapes.

    Compact without ``indent``. Raises ValueError for infinities and NaN.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, sort_keys=sort_keys, separators=separators
    )
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _segment(segment: JudgedSegment) -> dict[str, Any]:
    return {
        "start": segment.start,
        "end": segment.end,
        "label": segment.label.value,
        "reasons": [reason.value for reason in segment.reasons],
        "residue": [{"start": part.start, "end": part.end, "hard": part.hard} for part in segment.residue],
        "claims": [_claim(judged) for judged in segment.claims],
    }


def _claim(judged: JudgedClaim) -> dict[str, Any]:
    claim, verdict = judged.claim, judged.verdict
    return {
        "start": claim.start,
        "end": claim.end,
        "text": claim.text,
        "label": verdict.label.value,
        "reasons": [reason.value for reason in verdict.reasons],
        "kind": claim.kind,
        "citations": list(claim.citations),
        "statement": _best(judged),
        "candidates": list(verdict.candidates),
        "clarify": verdict.clarify,
        "evidence": [_evidence(evidence) for evidence in verdict.evidence],
        "findings": [
            {"reason": each.reason.value, "start": each.start, "end": each.end, "detail": each.detail}
            for each in verdict.findings
        ],
    }


def _best(judged: JudgedClaim) -> dict[str, Any] | None:
    claim = judged.claim
    if claim.prose is not None:
        return {**_prose(claim.prose), "negated": claim.negated, "modality": claim.modality.value}
    if not claim.readings:
        return None
    return {**statement_to_dict(claim.readings[0]), "negated": claim.negated, "modality": claim.modality.value}


def _prose(prose: Prose) -> dict[str, Any]:
    referents = [{"start": each.start, "end": each.end, **_mention(each)} for each in prose.referents]
    return {"kind": "prose", "words": prose.words, "referents": referents, "context": list(prose.context)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    spots = [{"line": line, "start": start, "end": end} for line, start, end in evidence.spots]
    return {
        **({"spots": spots} if spots else {}),
        "source": evidence.source,
        "kind": evidence.kind,
        "content": evidence.content,
        "query": evidence.query,
        "origin": evidence.origin,
        "trust": evidence.trust,
    }


_KINDS: dict[type, str] = {
    each: each.__name__.lower()
    for each in (Relation, Attribute, Membership, Comparison, Superlative, Count, Route, Share, Aggregate, Span)
}


def statement_to_dict(statement: Statement) -> dict[str, Any]:
    """A statement as JSON-ready values; ``kind`` tells which of them it is."""
    made: dict[str, Any] = {"kind": _KINDS[type(statement)], "subject": _mention(statement.subject)}
    if not isinstance(statement, (Membership, Count, Route, Share)):
        made["predicates"] = _predicates(statement.predicates)
    return made | _said(statement)


def _said(statement: Statement) -> dict[str, Any]:
    """What a statement says of its subject."""
    match statement:
        case Relation():
            return {"object": _mention(statement.object), "when": _when(statement.when)}
        case Attribute():
            return {"value": value_to_dict(statement.value), "when": _when(statement.when)}
        case Membership():
            return {"classes": list(statement.classes), "noun": statement.noun}
        case Comparison():
            by = None if statement.by is None else value_to_dict(statement.by)
            times = None if statement.times is None else _exact(statement.times)
            return {"sign": statement.sign, "other": _mention(statement.other), "by": by, "times": times}
        case Superlative():
            within = None if statement.within is None else _description(statement.within)
            said = {"within": within, "largest": statement.largest}
            return {**said, "rank": statement.rank, "among": statement.among}
        case Count():
            return {"of": _description(statement.of), "value": value_to_dict(statement.value)}
        case Route():
            return {"of": _description(statement.of), "says": [_condition(c) for c in statement.says]}
        case Aggregate():
            members = [_mention(m) for m in statement.members]
            within = None if statement.within is None else _description(statement.within)
            said = {"value": value_to_dict(statement.value), "mean": statement.mean, "median": statement.median}
            return {"members": members, **said, "within": within}
        case Share():
            total = None if statement.total is None else value_to_dict(statement.total)
            says = [_condition(c) for c in statement.says]
            return {
                "of": _description(statement.of),
                "says": says,
                "value": value_to_dict(statement.value),
                "total": total,
            }
        case Span():
            ends = _predicates(statement.ends)
            return {"ends": ends, "value": value_to_dict(statement.value), "age": statement.age}
        case _:
            assert_never(statement)


def _description(description: Description) -> dict[str, Any]:
    conditions = [_condition(c) for c in description.conditions]
    return {"it": _mention(description.it), "definite": description.definite, "conditions": conditions}


def _condition(condition: Condition) -> dict[str, Any]:
    return {"negated": condition.negated, "readings": [statement_to_dict(r) for r in condition.readings]}


def value_to_dict(value: Value) -> dict[str, Any]:
    """A value as JSON-ready values, numbers as exact strings."""
    match value:
        case Quantity():
            return {
                "kind": "quantity",
                "low": _number(value.low),
                "high": None if value.high is None else _number(value.high),
                "bound": value.bound.value,
                "unit": None if value.unit is None else value.unit.symbol,
                "ordinal": value.ordinal,
                "other": [value_to_dict(reading) for reading in value.other],
                "partner": None if value.partner is None else value_to_dict(value.partner),
            }
        case DateValue():
            return {
                "kind": "date",
                "first": _day(value.first),
                "last": _day(value.last),
                "precision": value.precision,
                "bound": value.bound.value,
                "other": [value_to_dict(reading) for reading in value.other],
            }
        case TextValue():
            return {"kind": "text", "text": value.text}
        case _:
            assert_never(value)


def _mention(mention: Mention) -> dict[str, Any]:
    return {"text": mention.text, "candidates": list(mention.candidates)}


def _predicates(predicates: tuple[Predicate, ...]) -> list[dict[str, Any]]:
    return [{"iri": predicate.iri, "inverse": predicate.inverse} for predicate in predicates]


def _when(when: When | None) -> dict[str, Any] | None:
    if when is None:
        return None
    parts = {"at": when.at, "start": when.start, "end": when.end, "lasting": when.lasting}
    return {name: None if value is None else value_to_dict(value) for name, value in parts.items()}


def _number(number: Number) -> dict[str, Any]:
    return {"value": _exact(number.value), "step": _exact(number.step), "significant": number.significant}


def _exact(value: Fraction) -> str:
    """A terminating decimal written out, anything else as ``n/d``."""
    if _huge(value):
        return f"{value.numerator:#x}/{value.denominator:#x}"
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 40:
        return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def _huge(value: Fraction) -> bool:
    """Whether decimal digits would cost quadratic time: such a number is written in hexadecimal."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) > 10_000


def _day(day: tuple[int, int, int] | None) -> str | None:
    if day is None:
        return None
    year, month, number = day
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{number:02d}"
