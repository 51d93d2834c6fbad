"""Whether two names or values of a benchmark are the same, as people write them: strict about words, not about marks.

``Abilene,_Texas`` is ``Abilene``, ``Ardmore_Airport_(New_Zealand)`` is ``Ardmore Airport``, ``São José`` is ``Sao
Jose``, ``Ab A. Klink`` is ``Ab Klink``, ``U.S.`` is ``United States``, ``1121.0`` is ``1121``. Nothing else is.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from imprimatur._expressions import expression
from imprimatur.language import wordnet
from imprimatur.sources.graph.names import folded

__all__ = ["same_key"]

_BRACKETS = expression(r"\([^()]*\)")
_NUMBER = expression(r"[-+]?\d+(?:\.\d+)?")
_OTHER = expression(r"[^a-z0-9]+")


@lru_cache(maxsize=65536)
def same_key(name: str) -> str:
    """What two names or values have in common when they are the same."""
    text = folded(name.replace("_", " ").strip().strip('"')).strip()
    if _NUMBER.fullmatch(text):
        return str(Fraction(text))
    text = _BRACKETS.sub(" ", text).strip()
    if _NUMBER.fullmatch(text):
        return str(Fraction(text))
    text = text.partition(",")[0].strip().removeprefix("the ")
    place = _place(text)
    words = [word for word in _OTHER.sub(" ", place).split() if len(word) > 1]
    return " ".join(words) or _OTHER.sub(" ", place).strip() or re.sub(r"\s+", " ", text)


def _place(text: str) -> str:
    """A place by one of its names in the dictionary ("usa", "u.s." and "united states" are one)."""
    forms = (text, text.replace(".", ""), text.rstrip(".") + ".")
    known = next((form for form in forms if wordnet.noun_kind(form) == "noun.location"), None)
    if known is None:
        return text
    return min(name for name in {known, *wordnet.synonyms(known, "n", max_senses=1)} if " " in name or name == known)
