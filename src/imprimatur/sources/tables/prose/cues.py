"""Words that limit values ("more than 2", "before 1990", "3 or more") or deny, as they stand in a statement.

Invariants: a span that the linker gave to a cell, or to the whole name of a column, is no cue; only words that stand by
themselves are. Nothing here knows a domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.days import is_year
from imprimatur.sources.tables.prose.degrees import degree_of, denies
from imprimatur.sources.tables.prose.linking import Span, SpanKind

__all__ = ["Limit", "Sign", "denials", "limits", "plain_word", "word_of"]


class Sign(StrEnum):
    """How a cell's value stands to a stated one."""

    EQUAL = "="
    MORE = ">"
    LESS = "<"
    AT_LEAST = ">="
    AT_MOST = "<="


_OVER = {"over": Sign.MORE, "above": Sign.MORE, "exceed": Sign.MORE, "exceeding": Sign.MORE}
_UNDER = {"under": Sign.LESS, "below": Sign.LESS}
_TIME_SIGNS = {
    "before": Sign.LESS,
    "after": Sign.MORE,
    "since": Sign.AT_LEAST,
    "until": Sign.AT_MOST,
    "till": Sign.AT_MOST,
    "prior to": Sign.LESS,
    "later than": Sign.MORE,
    "earlier than": Sign.LESS,
}
_TURNED = {Sign.MORE: Sign.AT_MOST, Sign.LESS: Sign.AT_LEAST}
_BOUND = {"more": Sign.AT_LEAST, "less": Sign.AT_MOST, "fewer": Sign.AT_MOST, "higher": Sign.AT_LEAST}


@dataclass(frozen=True, slots=True)
class Limit:
    """What a value is a limit of, and the places of the words that say so."""

    sign: Sign
    places: tuple[int, ...]


def plain_word(span: Span) -> bool:
    """Whether a span is a word that neither a whole cell nor a column is called."""
    if span.kind is SpanKind.WORD:
        return True
    return span.kind is SpanKind.VALUE and len(span.read) == 1 and not span.found.whole and span.token.number is None


def word_of(spans: Sequence[Span], at: int) -> str:
    """The word at a place, in small letters; "" where none stands by itself."""
    return spans[at].text if 0 <= at < len(spans) and plain_word(spans[at]) else ""


def limits(spans: Sequence[Span]) -> dict[int, Limit]:
    """For each value that limits something ("more than 2", "before 1990", "at least 3"), how."""
    found = {}
    for at, span in enumerate(spans):
        if span.kind in (SpanKind.VALUE, SpanKind.NUMBER) and (span.token.number is not None or span.day):
            limit = _before(spans, at) or _behind(spans, at)
            if limit is not None:
                found[at] = limit
    return found


def _before(spans: Sequence[Span], at: int) -> Limit | None:
    """The limit that the words before a number or date make of it."""
    last, further = word_of(spans, at - 1), word_of(spans, at - 2)
    pair = f"{further} {last}"
    if spans[at].day is not None or is_year(spans[at].token):
        for said, length in ((pair, 2), (last, 1)):
            if said in _TIME_SIGNS:
                return Limit(_TIME_SIGNS[said], tuple(range(at - length, at)))
    if spans[at].token.ordinal:
        return None
    if last == "than":
        degree = degree_of(further, most=False)
        if degree is None:
            return None
        sign = Sign.MORE if degree.up else Sign.LESS
        if word_of(spans, at - 3) in ("no", "not"):
            return Limit(_TURNED[sign], (at - 3, at - 2, at - 1))
        return Limit(sign, (at - 2, at - 1))
    if pair in ("at least", "at most"):
        return Limit(Sign.AT_LEAST if last == "least" else Sign.AT_MOST, (at - 2, at - 1))
    sign_of = {**_OVER, **_UNDER}
    return Limit(sign_of[last], (at - 1,)) if last in sign_of else None


def _behind(spans: Sequence[Span], at: int) -> Limit | None:
    """The limit of "3 or more"."""
    last = word_of(spans, at + 2)
    if word_of(spans, at + 1) == "or" and last in _BOUND and word_of(spans, at + 3) != "than":
        return Limit(_BOUND[last], (at + 1, at + 2))
    return None


def denials(spans: Sequence[Span]) -> tuple[int, ...]:
    """The places of the words that deny ("not", "never")."""
    return tuple(at for at in range(len(spans)) if denies(word_of(spans, at)))
