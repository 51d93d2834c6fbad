"""What single words are, by WordNet: their forms, how they are mostly used, whether they are qualities or things."""

from __future__ import annotations

from functools import lru_cache

from imprimatur.language import wordnet
from imprimatur.language._wordnet_file import senses_of as counted
from imprimatur.language.morphology import lemmas

__all__ = ["forms_of", "is_quality", "senses_of", "uses"]

#: How adjectives end that no dictionary has.
_ENDINGS = ("y", "ish", "ic", "al", "ive", "ous")


@lru_cache(maxsize=4096)
def forms_of(word: str) -> frozenset[str]:
    """The word and its lemmas."""
    return frozenset({word, *(lemma for lemma, _ in lemmas(word))})


@lru_cache(maxsize=4096)
def senses_of(word: str) -> int:
    """How many senses a word and its lemmas have."""
    return sum(len(wordnet.senses(lemma, pos)) for lemma, pos in lemmas(word))


@lru_cache(maxsize=4096)
def uses(lemma: str, pos: str) -> int:
    """How often WordNet's texts use a lemma as a part of speech; that it knows it so counts as one use."""
    found = counted(lemma, pos)
    return sum(count for _, count in found) + bool(found)


@lru_cache(maxsize=4096)
def is_quality(word: str) -> bool:
    """Whether a word is rather a quality than a thing; so is one that no dictionary has and that ends as such do."""
    found = {pos for _, pos in lemmas(word)}
    if not found:
        return word.endswith(_ENDINGS)
    own = len(wordnet.senses(word, "a"))
    if "a" not in found:
        return False
    return own > len(wordnet.senses(word, "v")) or ("v" not in found and own >= len(wordnet.senses(word, "n")))
