"""Exact match and token F1 of short answers, as SQuAD measures them (Rajpurkar et al. 2016, section 6.1).

Contract: both compare texts in small letters, without ASCII punctuation, without the articles a, an and the, and with
one space between words, in this order, as the published script does. Of several right answers the one that fits best
counts. An empty answer has a share in nothing, unless what is right is empty too. What is not text (a number that is
written otherwise, a synonym) is not right here: these are measures of strings.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable

from imprimatur._expressions import expression

__all__ = ["exact", "f1", "normal"]

_ARTICLES = expression(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normal(text: str) -> str:
    """A text as it is compared."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def exact(said: str, right: Iterable[str]) -> bool:
    """Whether an answer is one of the right ones."""
    return normal(said) in {normal(each) for each in right}


def f1(said: str, right: Iterable[str]) -> float:
    """The highest F1 of an answer's words with those of a right one, from 0 to 1; 0 where nothing is right."""
    words = normal(said).split()
    return max((_shared(words, normal(each).split()) for each in right), default=0.0)


def _shared(said: list[str], right: list[str]) -> float:
    if not said or not right:
        return float(said == right)
    same = sum((Counter(said) & Counter(right)).values())
    return 2 * same / (len(said) + len(right))
