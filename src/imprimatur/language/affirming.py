"""A sentence turned into its opposite by the smallest change: a negator taken out, a comparative exchanged.

Contract: both functions take the words of one clause and give the changes ``(start, end, new)`` in them, in order,
with half-open code-point offsets; nothing where the clause is not one of the plain kinds below, or has several places
to change. They know English only, and nothing of what is true: the caller checks what comes out.
"""

from __future__ import annotations

import re

from imprimatur._expressions import expression
from imprimatur.language import morphology
from imprimatur.language.degree import comparative
from imprimatur.language.morphology import Form
from imprimatur.language.rewriting import Change

__all__ = ["affirmed", "turned"]

_NEGATOR = expression(r"\b(?:not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
_BE = "is|are|was|were|has|have|had|could|would|should|must|may|might|can|will"
_PLAIN = expression(rf"\b({_BE})[ \u00a0](?:not|never)[ \u00a0]", re.IGNORECASE)
_SHORT = expression(rf"\b({_BE})n['’]t\b", re.IGNORECASE)
_SHORT_ODD = expression(r"\b(ca|wo)n['’]t\b|\b(can)not\b", re.IGNORECASE)
_DO = expression(r"\b(does|do|did)(?:[ \u00a0]not|n['’]t)[ \u00a0](?:ever[ \u00a0])?([a-z]+)\b", re.IGNORECASE)
_NEVER = expression(r"[ \u00a0]never(?=[ \u00a0][a-z])", re.IGNORECASE)
_NOUN = expression(r"\b(is|are|was|were)[ \u00a0]no[ \u00a0](?=[a-z])")
_COUNTED = expression(r"[ \u00a0](?:[a-z]+[ \u00a0])?[a-z]{2,}[^\W\ds]s\b|[ \u00a0](?:people|men|women|children)\b")
_WORD = expression(r"[A-Za-z]+")
_ODD = {"ca": "can", "wo": "will", "can": "can"}

#: Adjectives that compare by one scale, from either end.
_OPPOSITES = (
    ("long", "short"),
    ("tall", "short"),
    ("high", "low"),
    ("large", "small"),
    ("big", "small"),
    ("great", "small"),
    ("old", "young"),
    ("new", "old"),
    ("early", "late"),
    ("wide", "narrow"),
    ("broad", "narrow"),
    ("deep", "shallow"),
    ("heavy", "light"),
    ("fast", "slow"),
    ("hot", "cool"),
    ("warm", "cold"),
    ("rich", "poor"),
    ("strong", "weak"),
    ("thick", "thin"),
    ("steep", "gentle"),
    ("near", "far"),
    ("close", "far"),
    ("wet", "dry"),
)
_COMPARATIVES = {
    "long": "longer", "short": "shorter", "tall": "taller", "high": "higher", "low": "lower", "large": "larger",
    "small": "smaller", "big": "bigger", "great": "greater", "old": "older", "young": "younger", "new": "newer",
    "early": "earlier", "late": "later", "wide": "wider", "narrow": "narrower", "broad": "broader", "deep": "deeper",
    "shallow": "shallower", "heavy": "heavier", "light": "lighter", "fast": "faster", "slow": "slower", "hot": "hotter",
    "cool": "cooler", "warm": "warmer", "cold": "colder", "rich": "richer", "poor": "poorer", "strong": "stronger",
    "weak": "weaker", "thick": "thicker", "thin": "thinner", "steep": "steeper", "gentle": "gentler", "near": "nearer",
    "close": "closer", "far": "farther", "wet": "wetter", "dry": "drier",
}  # fmt: skip
_TURNED = {
    **{b: _COMPARATIVES[a] for a, b in reversed(_OPPOSITES)},
    **{a: _COMPARATIVES[b] for a, b in reversed(_OPPOSITES)},
}
_ORDER = {"before": "after", "after": "before", "more": "less", "less": "more", "fewer": "more"}


def affirmed(words: str) -> tuple[Change, ...]:
    """The changes that take the one negator out: "is not" to "is", "did not get" to "got", "is no feeder" to "is a"."""
    if len(_NEGATOR.findall(words)) != 1:
        return ()
    if (found := _DO.search(words)) is not None:
        verb = found[2].lower()
        if (verb, "v") not in morphology.lemmas(verb):
            return ()
        form = {"does": Form.THIRD_PERSON, "did": Form.PAST}.get(found[1].lower())
        return ((found.start(), found.end(), morphology.inflect(verb, "v", form) if form else verb),)
    if (found := _PLAIN.search(words)) is not None:
        return ((found.end(1), found.end() - 1, ""),)
    if (found := _SHORT.search(words)) is not None:
        return ((found.end(1), found.end(), ""),)
    if (found := _SHORT_ODD.search(words)) is not None:
        return ((found.start(), found.end(), _ODD[(found[1] or found[2]).lower()]),)
    if (found := _NOUN.search(words)) is not None:
        article = "a " if found[1] in ("is", "was") else ""
        return ((found.end(1) + 1, found.end(), article),)
    if (found := _NEVER.search(words)) is not None:
        return ((found.start(), found.end(), ""),)
    return ()


def turned(words: str) -> tuple[Change, ...]:
    """The change of the one comparative to its opposite: "longer" to "shorter", "before" to "after"."""
    made: list[Change] = []
    for found in _WORD.finditer(words):
        word = found[0].lower()
        new = _ORDER.get(word)
        if new is None and (base := comparative(word)) is not None:
            new = _TURNED.get(base)
        if word == "more" and _COUNTED.match(words, found.end()):
            new = "fewer"
        if new is not None:
            made.append((found.start(), found.end(), new.capitalize() if found[0][0].isupper() else new))
    return tuple(made) if len(made) == 1 else ()
