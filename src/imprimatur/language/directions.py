"""Compass words: "southward", "southerly", "to the south" and "S" are one direction.

``point`` gives the direction as letters, N to NNW; None for any other text.
"""

from __future__ import annotations

import re

from imprimatur._expressions import expression

__all__ = ["point"]

_MARGIN = expression(r"\b(?:to|towards?|the|in|a|an|generally|mainly|mostly|direction|due)\b")
_ENDING = expression(r"(?:wards?|erly|ern)$")
_LETTERS = {"north": "N", "south": "S", "east": "E", "west": "W"}
_WORD = expression(r"(?:north|south|east|west){1,3}")


def point(text: str) -> str | None:
    """The compass direction that the whole text names, as letters ("SW"), or None."""
    if any(c.isdigit() for c in text):
        return None
    words = re.sub(r"[^a-z]+", " ", _MARGIN.sub(" ", text.lower())).split()
    stems = "".join(_ENDING.sub("", w) for w in words)
    if (
        text.strip().isalpha()
        and text.strip().isupper()
        and set(text.strip()) <= set("NESW")
        and len(text.strip()) <= 3
    ):
        return text.strip()
    if not stems or not _WORD.fullmatch(stems):
        return None
    return "".join(_LETTERS[w] for w in re.findall("north|south|east|west", stems))
