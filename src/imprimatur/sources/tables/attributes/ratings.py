"""What a sentence says of ratings ("4.5 stars", "rated 4 out of 5"), beside the rating that a row has.

Contract: a rating is a number of a column whose words say so. ``agrees`` is False where the row has another number, and
no row that refers to it has this one; those count only where somebody's own rating is spoken of ("one guest gave …"),
and not the "overall" one. What ratings are out of is not compared. Nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from imprimatur.extract.words import forms
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.tables.attributes.clauses import is_teller
from imprimatur.sources.tables.attributes.flags import Told
from imprimatur.sources.tables.attributes.record import Rated, Record

__all__ = ["told"]

_STARS = frozenset(("star", "stars"))
_RATING = frozenset(("rating", "ratings", "rated", "rates", "score", "scored", "scores"))
_WHOLE = frozenset(("overall", "average", "averages", "aggregate"))
_LIGHT = frozenset(
    ("of", "a", "an", "at", "is", "-", "with", "the", "has", "currently", "perfect", "impressive", "solid")
)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_HALF = ("and", "a", "half")
_SCALES = frozenset(("5", "10", "five", "ten"))
_MOST_LIGHT = 3


def told(text: str, record: Record) -> tuple[Told, ...]:
    """What a text of one sentence says of a record's rating, in order."""
    rated = [each for each in record.numbers if each.words & (_STARS | _RATING)]
    own = [each for each in rated if each.own]
    if len(own) != 1:
        return ()
    tokens = tokenise(text)
    words = {token.lower for token in tokens}
    whole = not _WHOLE.isdisjoint(words) or not any(map(is_teller, words))
    found = (_told(tokens, at, stop, value, own[0], rated, whole) for at, stop, value in _said(tokens))
    return tuple(found)


def _told(
    tokens: Sequence[Token], at: int, stop: int, value: Decimal, own: Rated, rated: Sequence[Rated], whole: bool
) -> Told:
    known = [own] if whole else rated
    agrees = any(Decimal(each.said) == value for each in known)
    return Told(tokens[at].start, tokens[stop - 1].end, (own.column,), False, agrees, f"{own.column} = {own.said}")


def _said(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Decimal]]:
    """The ratings in a sentence, as token ranges and numbers."""
    for at in range(len(tokens)):
        number = _number(tokens, at)
        if number is None or _is_scale(tokens, at):
            continue
        value, stop = number
        if _beside(tokens, at, stop):
            yield at, stop, value


def _number(tokens: Sequence[Token], at: int) -> tuple[Decimal, int] | None:
    """A number of stars at a token, and one past it."""
    token = tokens[at]
    if token.kind is TokenKind.NUMBER:
        written = token.text.rstrip(".")
        if not written.replace(".", "", 1).isdigit() or not written.isascii():
            return None
        return Decimal(written), at + 1
    whole = _WORDS.get(token.lower)
    if whole is None:
        return None
    if tuple(each.lower for each in tokens[at + 1 : at + 4]) == _HALF:
        return Decimal(whole) + Decimal("0.5"), at + 4
    return Decimal(whole), at + 1


def _is_scale(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number is what ratings are out of."""
    before = [token.lower for token in tokens[max(0, at - 2) : at]]
    return before == ["out", "of"] or before[-1:] == ["/"]


def _counts_others(tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun other than stars stands at a token ("three out of five meals")."""
    if at >= len(tokens) or tokens[at].lower in _STARS:
        return False
    known = forms(tokens[at].lower)
    return tokens[at].kind is TokenKind.WORD and bool(known.noun) and not known.closed


def _beside(tokens: Sequence[Token], at: int, stop: int) -> bool:
    """Whether a number is one of stars, or stands behind a word of rating."""
    behind = [token.lower for token in tokens[stop : stop + 3]]
    scale = behind[2:3] if behind[:2] == ["out", "of"] else behind[1:2] if behind[:1] == ["/"] else []
    if scale and scale[0] in _SCALES and not _counts_others(tokens, stop + (3 if behind[0] == "out" else 2)):
        return True
    if behind[:1] and (
        behind[0] in (*_STARS, "rating", "score") or (behind[0] in "-‐‑" and behind[1:2] and behind[1] in _STARS)
    ):
        return True
    place = at - 1
    while place >= 0 and at - place <= _MOST_LIGHT and tokens[place].lower in _LIGHT:
        place -= 1
    return place >= 0 and tokens[place].lower in _RATING
