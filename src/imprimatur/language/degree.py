"""Comparatives and superlatives: "longer" and "longest" to "long", and what "more" and "fewest" say of an amount.

Closed classes and the regular endings only; an adjective is what WordNet knows as one. Nothing here knows a domain.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.language import morphology

__all__ = ["AMOUNTS", "DATES", "comparative", "superlative"]

#: Adjectives that say of an amount or a date, whatever it measures, that it is more (True) or less.
AMOUNTS = {
    **dict.fromkeys("great large high big long wide tall deep heavy broad fast strong".split(), True),
    **dict.fromkeys("small low short narrow shallow light slow weak little few".split(), False),
}
DATES = {"late": True, "recent": True, "early": False}
_IRREGULAR = {"more": "much", "most": "much", "less": "little", "least": "little", "further": "far", "farther": "far"}


@lru_cache(maxsize=4096)
def comparative(word: str) -> str | None:
    """The adjective of which the word is the comparative, None when it is none."""
    return _IRREGULAR.get(word) if word in ("more", "less") else _base(word, "er")


@lru_cache(maxsize=4096)
def superlative(word: str) -> str | None:
    """The adjective of which the word is the superlative, None when it is none."""
    return _IRREGULAR.get(word) if word in ("most", "least") else _base(word, "est")


def _base(word: str, ending: str) -> str | None:
    if word in _IRREGULAR and word.endswith(ending):
        return _IRREGULAR[word]
    if not word.endswith(ending) or len(word) < len(ending) + 3:
        return None
    stem = word.removesuffix(ending)
    bases = [stem, stem + "e", *([stem[:-1]] if stem[-1:] == stem[-2:-1] else [])]
    bases += [stem[:-1] + "y"] if stem.endswith("i") else []
    bases += [w for w, pos in morphology.lemmas(word) if pos in ("a", "s") and w != word]
    adjectives = [b for b in bases if any(w == b and pos in ("a", "s") for w, pos in morphology.lemmas(b))]
    return min(adjectives, key=len, default=None)
