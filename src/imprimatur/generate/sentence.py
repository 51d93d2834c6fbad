"""Items as a sentence: what a question asks, written out with its answer."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.asked import is_gap
from imprimatur.extract.syntax import Item

__all__ = ["listed", "written"]

_CLOSE = frozenset((*",.;:)]!?", "'s", "’s", "'", "’"))


def written(items: Sequence[Item], value: str) -> str:
    """The sentence with the value in its gap, from its capital to its full stop."""
    words: list[str] = []
    for n, item in enumerate(items):
        word = value if is_gap(item) else item.text
        if not is_gap(item) and n and not (item.entity or item.name) and word[:1].isupper() and word[1:].islower():
            word = item.lower  # it opened the question
        if words and (word in _CLOSE or words[-1] in ("(", "[")):
            words[-1] += word
        else:
            words.append(word)
    text = " ".join(words)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def listed(values: Sequence[str]) -> str:
    """The values as a list in a sentence: "A, B and C"."""
    return " and ".join(filter(None, (", ".join(values[:-1]), values[-1]))) if values else ""
