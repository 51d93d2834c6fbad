"""One row beside sentences: all that is said of its attributes, hours and rating, and what it knows nothing of.

Contract: findings are in order and do not overlap: the more certain one is kept where two do, what is typed before what
is only not known. Spans are those of the phrase that says it, with its verb where that stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from imprimatur.extract.words import forms
from imprimatur.language import clock_times, closed_class
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.tables.attributes import beyond, flags, hours, hours_said, ratings
from imprimatur.sources.tables.attributes.flags import Told
from imprimatur.sources.tables.attributes.record import Record

__all__ = ["RowReader"]

#: Tokens; so long is no sentence.
_LONGEST = 600
_BEHIND = frozenset(("available", "unavailable", "options", "option", "service", "services"))


class RowReader:
    """Reads sentences beside one row."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._known = beyond.Known(record)

    def told(self, text: str) -> tuple[Told, ...]:
        """What a text of one sentence says of the row, in order; nothing where it is too long to be one."""
        tokens = tokenise(text)
        if len(tokens) > _LONGEST:
            return ()
        known = [(said.start, said.end) for said in hours_said.read(text)]
        known += [(time.start, time.end) for time in clock_times.find(text)]
        return _apart(
            [
                *hours.told(text, self.record),
                *ratings.told(text, self.record),
                *(_widened(tokens, each) for each in flags.told(text, self.record)),
                *beyond.told(text, self._known),
                *(each for each in beyond.numbers(text, self._known) if not _inside(each, known)),
            ]
        )


def _inside(told: Told, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < told.end and told.start < end for start, end in spans)


def _apart(found: Sequence[Told]) -> tuple[Told, ...]:
    """The findings that no earlier one overlaps, in the order of the text."""
    kept: list[Told] = []
    for each in found:
        if not _inside(each, [(other.start, other.end) for other in kept]):
            kept.append(each)
    return tuple(sorted(kept, key=lambda each: each.start))


def _widened(tokens: Sequence[Token], told: Told) -> Told:
    """The finding with the whole phrase: its noun, its adjectives, and the verb right before it."""
    first = next(at for at, token in enumerate(tokens) if token.start >= told.start)
    stop = next((at for at, token in enumerate(tokens) if token.start >= told.end), len(tokens))
    while stop < len(tokens) and _goes_on(tokens, stop):
        stop += 1
    while first and _premodifies(tokens[first - 1]):
        first -= 1
    if (
        first
        and _is_word(tokens[first - 1])
        and forms(tokens[first - 1].lower).verb
        and not forms(tokens[first - 1].lower).noun
    ):
        first -= 1
    return replace(told, start=tokens[first].start, end=tokens[stop - 1].end)


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token belongs to the phrase before it."""
    if not _is_word(tokens[at]) or not _is_word(tokens[at - 1]):
        return False
    lower, before = tokens[at].lower, forms(tokens[at - 1].lower)
    if lower in _BEHIND:
        return True
    known = forms(lower)
    return (
        bool(known.noun) and not known.closed and not known.verb_forms & {"s"} and bool(before.adj) and not before.noun
    )


def _is_word(token: Token) -> bool:
    return token.kind is TokenKind.WORD


def _premodifies(token: Token) -> bool:
    lower, known = token.lower, forms(token.lower)
    return _is_word(token) and bool(known.adj) and not known.closed and lower not in closed_class.words("conjunction")
