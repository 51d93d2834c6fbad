"""How an answer was read: for each segment its mentions, the readings of its claims, and the words left over.

Contract: a ``Traced`` for each segment of a report, in order, with the mentions that the knowledge base's own words and
the readers of numbers and dates find in it. What a pronoun stands for is seen in the readings. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imprimatur.claim import Claim
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item
from imprimatur.language import dates
from imprimatur.protocols import Lexicon
from imprimatur.report import JudgedSegment, Report
from imprimatur.report_json import statement_to_dict, value_to_dict

__all__ = ["Traced", "TracedMention", "said", "trace"]

_MOST_READINGS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedMention:
    """Words that name something: ``answer[start:end] == text``.

    Attributes:
        kind: ``entity`` (known to the knowledge base), ``name`` (unknown to it), ``quantity`` or ``date``.
        means: the IRIs of an entity; the value in words for a quantity or date.
    """

    start: int
    end: int
    text: str
    kind: str
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One segment: how it was judged, what it mentions, and the readings of each of its claims, best first.

    ``readings`` are statements as in the report's JSON, one list for each claim.
    """

    segment: JudgedSegment
    text: str
    mentions: tuple[TracedMention, ...]
    readings: tuple[tuple[dict[str, Any], ...], ...]


def trace(report: Report, lexicon: Lexicon, *, locale: str = "en") -> tuple[Traced, ...]:
    """How the segments of a report were read."""
    return tuple(_traced(segment, report.answer, lexicon, locale) for segment in report.segments)


def _traced(segment: JudgedSegment, answer: str, lexicon: Lexicon, locale: str) -> Traced:
    text = answer[segment.start : segment.end]
    items = items_of(text, lexicon, offset=segment.start, locale=locale)
    return Traced(
        segment=segment,
        text=text,
        mentions=tuple(mention for item in items for mention in _mentions(item)),
        readings=tuple(_readings(judged.claim) for judged in segment.claims),
    )


def _readings(claim: Claim) -> tuple[dict[str, Any], ...]:
    if claim.prose is not None:
        return ({"kind": "prose", "words": claim.prose.words, "citations": list(claim.citations)},)
    return tuple(statement_to_dict(reading) for reading in claim.readings[:_MOST_READINGS])


def _mentions(item: Item) -> Iterator[TracedMention]:
    def made(kind: str, *means: str) -> TracedMention:
        return TracedMention(start=item.start, end=item.end, text=item.text, kind=kind, means=means)

    if item.entity is not None:
        yield made("entity", *item.entity.candidates)
    if item.quantity is not None:
        yield made("quantity", said(value_to_dict(item.quantity)))
    if item.date is not None:
        yield made("date", dates.write(item.date))
    if item.name is not None:
        yield made("name")


def said(part: Any) -> str:
    """A part of a statement's JSON in short: a mention, a value, a list of predicates."""
    if isinstance(part, list):
        return " or ".join(said(each) for each in part)
    if not isinstance(part, dict):
        return str(part)
    if "candidates" in part:
        iris = part["candidates"]
        return f"“{part['text']}” " + (f"<{'> or <'.join(iris)}>" if iris else "(unknown)")
    if "iri" in part:
        return ("^" if part.get("inverse") else "") + f"<{part['iri']}>"
    match part.get("kind"):
        case "quantity":
            ends = [part["low"]["value"], *([part["high"]["value"]] if part["high"] else [])]
            bound = "" if part["bound"] in ("=", "..") else f"{part['bound']} "
            return f"{bound}{' to '.join(ends)}" + (f" {part['unit']}" if part["unit"] else "")
        case "date":
            ends = list(dict.fromkeys(str(part[end]) for end in ("first", "last")))
            bound = "" if part["bound"] in ("=", "..") else f"{part['bound']} "
            return bound + " to ".join(ends)
        case "text":
            return f"“{part['text']}”"
    return ", ".join(f"{name} {said(value)}" for name, value in part.items() if value not in (None, [], ""))
