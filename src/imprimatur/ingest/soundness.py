"""Which wordings of a property say as much as the property, so that a fact may be read from them.

A frame's lines follow from its property ("S is part of O" from "S is located in O"): enough to judge an answer by a
stored fact, too little to make a fact. Sound for reading are a property's own words, the lines by which properties join
a frame, which all say the same, and the frames of quantities, places and times of their own. What is left says less:
its readings count only where the classes of their ends say the rest (``choosing``).
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.extract.frames import aspects, dims, relations
from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.sources.graph.own_words import own_keys
from imprimatur.sources.graph.schema import PropertyInfo

__all__ = ["LOOSE", "sound_keys", "tier_of"]

#: The tier of readings by words that say less than their property, after own words (0), heads (1) and synonyms (2).
LOOSE = 3


@lru_cache(maxsize=4096)
def sound_keys(info: PropertyInfo) -> frozenset[WordingKey]:
    """The keys that say a property, no less."""
    own = frozenset(k for label in (*info.labels, *info.alt_labels) for k in own_keys(label))
    turned = frozenset(k.from_other_end() for k in own)
    found = set(own)
    for frame in relations():
        heads = frozenset(k for k in frame.head_keys() if k not in _narrow(frame.narrower))
        if not heads.isdisjoint(own):
            found |= heads
            if frame.symmetric:
                found |= {k.from_other_end() for k in heads}
        elif not heads.isdisjoint(turned):
            found |= {k.from_other_end() for k in heads}
    return frozenset(found)


def _narrow(lines: tuple[str, ...]) -> frozenset[WordingKey]:
    return frozenset(k for line in lines for k in wording_keys(line))


@lru_cache(maxsize=1)
def _measured() -> frozenset[str]:
    """The keys of the frames of quantities, places and times: which of them a property joins, its nouns say."""
    return frozenset(k.key for frame in (*aspects(), *dims()) for k in frame.keys()) - {"@*"}


def tier_of(tier: int, key: WordingKey, sound: frozenset[WordingKey]) -> int:
    """The tier of an entry for reading facts."""
    return LOOSE if tier == 1 and key not in sound and key.key not in _measured() else tier
