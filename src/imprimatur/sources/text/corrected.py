"""A wrong number or date in a claim that a text refutes, put right by that text (DESIGN section 4).

Only where one value is the right one: the claim states one value that the text does not have, and the text has one
value of the same kind that the claim does not state. Nothing here is released unchecked: the caller checks the changed
text from the start.
"""

from __future__ import annotations

from imprimatur.decision import Edit
from imprimatur.language import dates, quantities, rewriting
from imprimatur.language.rewriting import Change
from imprimatur.report import JudgedClaim
from imprimatur.values import Bound, DateValue, Quantity
from imprimatur.verdict import Label

__all__ = ["corrections"]

_PLAIN = (Bound.EXACT, Bound.ABOUT)


def corrections(judged: JudgedClaim, text: str, *, locale: str = "en") -> tuple[Edit, ...]:
    """The edits that put a contradicted claim right, in order; none when there is no one right value.

    Args:
        judged: a claim that was judged as words, with its verdict.
        text: the answer that it stands in.
        locale: the language of the answer, for its numbers and dates.
    """
    claim, verdict = judged.claim, judged.verdict
    if claim.prose is None or verdict.label is not Label.CONTRADICTED or len(verdict.evidence) != 1:
        return ()
    evidence = verdict.evidence[0]
    words = text[claim.start : claim.end]
    changes = _number(words, evidence.content, locale) or _date(words, evidence.content, locale)
    return tuple(
        Edit(
            start=claim.start + start,
            end=claim.start + end,
            before=words[start:end],
            after=new,
            evidence=(evidence.query,),
        )
        for start, end, new in changes
        if words[start:end] != new
    )


def _number(words: str, content: str, locale: str) -> tuple[Change, ...]:
    ours = [each.quantity for each in quantities.find(words, locale=locale)]
    theirs = [each.quantity for each in quantities.find(content, locale=locale)]
    wrong = [each for each in ours if not any(_same(each, other) for other in theirs)]
    right = [each for each in theirs if not any(_same(each, other) for other in ours)]
    if len(wrong) != 1:
        return ()
    fitting = {(each.low.value, each.unit): each for each in right if _kind(each) == _kind(wrong[0])}
    if len(fitting) != 1:
        return ()
    found = next(iter(fitting.values()))
    if found.high is not None or found.bound not in _PLAIN:
        return ()
    return rewriting.requantified(words, wrong[0], found.low.value, found.unit, locale=locale)


def _same(one: Quantity, other: Quantity) -> bool:
    return one.low.value == other.low.value and one.unit == other.unit


def _kind(quantity: Quantity) -> object:
    """What a quantity measures: only values of one kind can take each other's place."""
    unit = quantity.unit
    return (quantity.ordinal, unit and unit.dimension, unit is not None and not unit.dimension and unit.symbol)


def _date(words: str, content: str, locale: str) -> tuple[Change, ...]:
    ours = [each.value for each in dates.find(words, locale=locale)]
    theirs = [each.value for each in dates.find(content, locale=locale)]
    wrong = [each for each in ours if each not in theirs]
    right = {each for each in theirs if each not in ours}
    if len(wrong) != 1 or len(right) != 1:
        return ()
    found = next(iter(right))
    if not _like(found, wrong[0]):
        return ()
    return rewriting.redated(words, wrong[0], found, locale=locale)


def _like(one: DateValue, other: DateValue) -> bool:
    return one.precision == other.precision and one.bound in _PLAIN
