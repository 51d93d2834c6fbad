"""Hedges and bounds around a number: "about", "more than", "at least", "or so", "between".

Contract: ``before`` and ``after`` look at a few words next to a number and say how far the hedge reaches and what it
means. The table is closed; a word that is not in it changes nothing and stays outside the span.
"""

from __future__ import annotations

import re
from enum import StrEnum

from imprimatur._expressions import expression
from imprimatur.values import Bound

__all__ = ["Hedge", "after", "before"]


class Hedge(StrEnum):
    """What a hedge does to the number next to it."""

    ABOUT = "about"
    BELOW = "nearly"
    ABOVE = "just over"
    EXACT = "exactly"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    MORE_THAN = "more than"
    LESS_THAN = "less than"
    BETWEEN = "between"
    FROM = "from"

    @property
    def bound(self) -> Bound:
        """The bound of a quantity with this hedge; ranges are made by the caller."""
        return _BOUNDS.get(self, Bound.EXACT)


_BOUNDS = {
    Hedge.ABOUT: Bound.ABOUT,
    Hedge.BELOW: Bound.ABOUT,
    Hedge.ABOVE: Bound.RANGE,
    Hedge.AT_LEAST: Bound.AT_LEAST,
    Hedge.AT_MOST: Bound.AT_MOST,
    Hedge.MORE_THAN: Bound.MORE_THAN,
    Hedge.LESS_THAN: Bound.LESS_THAN,
}
_PHRASES: dict[Hedge, str] = {
    Hedge.ABOUT: "about|approximately|approx|approx.|around|roughly|some|circa|ca|ca.|c.|close to|in the region of"
    "|in the neighborhood of|in the neighbourhood of|in the vicinity of|somewhere around|something like|on the order of"
    "|an estimated|estimated at|more or less|near|or about",
    Hedge.BELOW: "nearly|almost|just under|slightly under|just below|slightly below|just less than|slightly less than"
    "|a little under|a bit under|not quite|just shy of|a little less than",
    Hedge.ABOVE: "just over|slightly over|just above|slightly above|just more than|slightly more than|a little over"
    "|a bit over|a little more than",
    Hedge.EXACT: "exactly|precisely",
    Hedge.AT_LEAST: "at least|no less than|not less than|no fewer than|not fewer than|a minimum of|minimum of"
    "|upwards of|not under|not below",
    Hedge.AT_MOST: "at most|up to|no more than|not more than|a maximum of|maximum of|not over|not above|not exceeding"
    "|as much as|as many as",
    Hedge.MORE_THAN: "more than|over|above|exceeding|exceeds|exceed|exceeded|surpasses|surpassed|in excess of"
    "|greater than|beyond|well over|far more than|well above",
    Hedge.LESS_THAN: "less than|fewer than|under|below|well under|well below|far less than",
    Hedge.BETWEEN: "between|ranging between|anywhere between|somewhere between",
    Hedge.FROM: "from|ranging from|anywhere from",
}  # fmt: skip
_TABLE = {phrase: hedge for hedge, phrases in _PHRASES.items() for phrase in phrases.split("|")}
# These words also name the property ("longer": a length), so only "than" joins the span.
_COMPARATIVES = dict.fromkeys(
    (
        "larger",
        "longer",
        "higher",
        "taller",
        "bigger",
        "older",
        "heavier",
        "deeper",
        "wider",
        "faster",
        "hotter",
        "thicker",
    ),
    Hedge.MORE_THAN,
) | dict.fromkeys(
    (
        "smaller",
        "shorter",
        "lower",
        "younger",
        "lighter",
        "shallower",
        "narrower",
        "slower",
        "colder",
        "cheaper",
        "thinner",
    ),
    Hedge.LESS_THAN,
)
_SYMBOLS = {"~": Hedge.ABOUT, "≈": Hedge.ABOUT, "∼": Hedge.ABOUT, ">": Hedge.MORE_THAN, "<": Hedge.LESS_THAN}
_SYMBOLS |= {"≥": Hedge.AT_LEAST, "≤": Hedge.AT_MOST, "⩾": Hedge.AT_LEAST, "⩽": Hedge.AT_MOST}
_LAST_WORDS = frozenset(phrase.rpartition(" ")[2] for phrase in _TABLE)
_OPENERS = "([{'\"*_|:,;/–—-"
_WINDOW = 36
_MOST_WORDS = 4
_WORDS = expression(r"[A-Za-z]+\.?")
_AFTER = expression(
    r"[ \u00a0]*(?:,[ \u00a0]?)?(?:"
    r"(?P<about>or so|or thereabouts?|give or take|more or less|approximately(?=\Z|[.,;:!?)]))"
    r"|(?P<least>(?:or|and) (?:more|over|above|longer|higher|greater|larger|older|up)"
    r"|at (?:least|a minimum|minimum)(?=[.,;:!?)]|\Z))"
    r"|(?P<most>(?:or|and) (?:less|fewer|under|below|lower|shorter|smaller|younger)"
    r"|at (?:most|the most|maximum)(?=[.,;:!?)]|\Z))"
    r")\b(?![ \u00a0]than\b)",
    re.IGNORECASE,
)


def before(plain: str, pos: int) -> tuple[int, Hedge] | None:
    """Where the longest hedge that ends right before ``pos`` starts, and what it means."""
    at = pos - 1 if plain[max(0, pos - 1) : pos] in (" ", "\u00a0") else pos
    symbol = _SYMBOLS.get(plain[max(0, at - 1) : at])
    if symbol is not None:
        return at - 1, symbol
    if at == pos or at == 0:
        return None
    start = max(0, at - _WINDOW)
    last = plain[max(plain.rfind(" ", start, at), plain.rfind("\u00a0", start, at)) + 1 : at]
    if last.lstrip(_OPENERS).lower() not in _LAST_WORDS:
        return None
    words = [match for match in _WORDS.finditer(plain, start, at) if match.start() > start or start == 0]
    if not words or words[-1].end() != at:
        return None
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        first = words[-count].start()
        hedge = _TABLE.get(plain[first:at].replace("\u00a0", " ").lower())
        if hedge is not None:
            return first, hedge
    return _comparative(words[-3:])


def _comparative(words: list[re.Match[str]]) -> tuple[int, Hedge] | None:
    """ "(longer) than"; and the whole of "no longer than", which is a bound from the other side."""
    spelt = [match[0].lower() for match in words]
    if len(spelt) < 2 or spelt[-1] != "than":
        return None
    hedge = _COMPARATIVES.get(spelt[-2])
    if hedge is not None and len(spelt) == 3 and spelt[0] in ("no", "not"):
        return words[0].start(), Hedge.AT_MOST if hedge is Hedge.MORE_THAN else Hedge.AT_LEAST
    return None if hedge is None else (words[-1].start(), hedge)


def after(plain: str, pos: int) -> tuple[int, Hedge] | None:
    """Where the hedge that follows the number ending at ``pos`` ends, and what it means."""
    match = _AFTER.match(plain, pos) if plain[pos : pos + 1] in (" ", ",", "\u00a0") else None
    if match is None:
        return None
    if match["about"]:
        return match.end(), Hedge.ABOUT
    return match.end(), Hedge.AT_LEAST if match["least"] else Hedge.AT_MOST
