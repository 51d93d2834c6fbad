"""How a property that is yes or no is spoken of: "has parking", "tidal", "accepts cards" in their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imprimatur.extract.told import clocked
from imprimatur.extract.wording import told_wordings
from imprimatur.extract.words import BE, HAVE, forms
from imprimatur.sources.graph.own_words import turns

__all__ = ["clock_wordings", "flag_wordings"]

#: Stands for any time of day while a wording is parsed.
TIME = "noon"
#: To have something on offer. "Serve" and "accept" say more than that, and are words of the property's own.
_OFFERS = ("offers", "provides", "features")


def flag_wordings(labels: Iterable[str]) -> dict[str, int]:
    """All keys of a property with their tier: 0 own words, 1 what follows from having something."""
    found: dict[str, int] = {}
    for label in labels:
        words = label.split()
        if 0 < len(words) <= 8 and not turns(label):
            for tier, sentence in _sentences(words):
                for key in told_wordings(sentence):
                    found.setdefault(key, tier)
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def clock_wordings(labels: Iterable[str]) -> dict[str, int]:
    """All keys of a property whose values are times; where a label has "…", a time stands."""
    found: dict[str, int] = {}
    for label in labels:
        if turns(label):
            continue
        told = label.lower().replace("…", TIME)
        for sentence in (f"S {told}", *_fronted(told)):
            for key in told_wordings(sentence):
                if TIME in key:
                    found.setdefault(clocked(key), 0)
    return dict(sorted(found.items()))


def _fronted(told: str) -> Iterator[str]:
    """ "On Monday, S opens at noon": a day may come first."""
    words = told.split()
    if len(words) > 3 and words[-2] == "on":
        yield f"on {words[-1]}, S {' '.join(words[:-2])}"


def _sentences(words: list[str]) -> Iterator[tuple[int, str]]:
    lower = [word if word.isupper() and len(word) > 1 else word.lower() for word in words]
    if lower[0] in BE:
        told = f"is {' '.join(lower[1:])}"
        yield from ((0, sentence) for sentence in (f"S {told}", *_fronted(told)))
        return
    text = " ".join(lower)
    first, last = forms(lower[0].lower()), forms(lower[-1].lower())
    if lower[0] in HAVE:
        yield 0, f"S {text}"
        yield from _had(" ".join(lower[1:]))
        return
    if "s" in first.verb_forms and told_wordings(f"S {text}"):
        yield 0, f"S {text}"
        return
    if first.adj or last.adj or first.verb_forms & {"pp"} or "prep" in first.closed:
        yield 0, f"S is {text}"
    if len(lower) > 1 and first.noun and "pp" in last.verb_forms:  # "dogs allowed"
        yield 0, f"{' '.join(lower[:-1])} {'are' if first.plural else 'is'} {lower[-1]} at S"
        return
    if last.noun:
        yield 0, f"S has {text}"
        yield from _had(text)


def _had(text: str) -> Iterator[tuple[int, str]]:
    """What follows from having it."""
    if not text:
        return
    for verb in _OFFERS:
        yield 1, f"S {verb} {text}"
    yield 1, f"{text} is available at S"
