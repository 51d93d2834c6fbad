"""Where a sentence speaks of an attribute: by its words near each other, in any form, or written as one.

Contract: ``mentions`` gives ranges of tokens that do not overlap. Of "good for groups" the words behind the preposition
count. A word of many senses in a group ("lot" of "parking") counts only in a sentence that names the group, and not in
"a lot of" or within a name; qualities of a group ("casual") count as they are written. ``named`` says where a group
itself is spoken of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from imprimatur.language import closed_class, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.language.tokens import Token
from imprimatur.sources.tables.attributes.record import Group, Sight, Words
from imprimatur.sources.tables.attributes.words import forms_of, is_quality, senses_of, uses

__all__ = ["mentions", "named"]

#: Over so many more tokens than it has words may a phrase be spread.
_SPREAD = 3
_MOST_JOINED = 5
#: A word of so many senses ("lot", "street") may mean anything where its group is not named.
_MANY = 3


def mentions(tokens: Sequence[Token], sight: Sight) -> Iterator[tuple[int, int]]:
    """Where an attribute is spoken of."""
    reach = 0
    for first in range(len(tokens)):
        if first < reach:
            continue
        stop = max((_phrase_at(tokens, first, words, sight.group) for words in sight.phrases), default=0)
        if stop:
            reach = stop
            yield first, stop


def named(tokens: Sequence[Token], group: Group) -> Iterator[int]:
    """The tokens that name a group."""
    return (at for at, token in enumerate(tokens) if _says(token, group.words[-1]))


def _phrase_at(tokens: Sequence[Token], first: int, phrase: Words, group: Group | None) -> int:
    words = _telling(phrase)
    joined = _joined(tokens, first, "".join(phrase)) if len(phrase) > 1 or group is None else 0
    if joined:
        return joined
    if group is not None and group.qualities:
        return first + len(words) if _exactly(tokens, first, words) else 0
    if any(word in closed_class.words("preposition") for word in words):
        return first + len(words) if _in_order(tokens, first, words) else 0
    stop = _spread(tokens, first, words)
    ambiguous = stop and len(words) == 1 and group is not None and senses_of(words[0]) >= _MANY
    return 0 if ambiguous and not (_plain_noun(tokens, first) and _names(tokens, group)) else stop


def _in_order(tokens: Sequence[Token], first: int, words: Words) -> bool:
    """Whether the words stand there side by side, in any form ("taking out")."""
    there = tokens[first : first + len(words)]
    return len(there) == len(words) and all(word in forms_of(token.lower) for token, word in zip(there, words))


def _names(tokens: Sequence[Token], group: Group | None) -> bool:
    return group is not None and any(True for _ in named(tokens, group))


def _exactly(tokens: Sequence[Token], first: int, words: Words) -> bool:
    """Whether the words stand there as they are: "tourists" are no quality of a place, nor is "a romantic's"."""
    stop = first + len(words)
    followed = stop < len(tokens) and tokens[stop].possessive
    return tuple(token.lower for token in tokens[first:stop]) == words and not followed


@lru_cache(maxsize=1024)
def _telling(words: Words) -> Words:
    """The words that must be there: of "good for groups" what it is good for."""
    split = next((at for at, word in enumerate(words[:-1]) if at and word in closed_class.words("preposition")), None)
    return words[split + 1 :] if split is not None and len(words) > 2 else words


def _plain_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is no part of a name, and not the "lot" of "a lot of"."""
    if at and tokens[at].text[:1].isupper() and tokens[at - 1].text[:1].isupper():
        return False
    return not (at + 1 < len(tokens) and tokens[at + 1].lower == "of" and at and tokens[at - 1].lower == "a")


@lru_cache(maxsize=4096)
def _wider(word: str) -> frozenset[str]:
    """The word, its lemmas, close synonyms of a noun's main sense, and what is of one stem with them."""
    found = set(forms_of(word))
    for lemma, pos in lemmas(word):
        found |= {other for other, _ in wordnet.derived(lemma, pos)}
        if pos == "n" and uses(lemma, "n") >= uses(lemma, "v"):
            found |= wordnet.synonyms(lemma, pos, max_senses=1)
    return frozenset(found)


def _says(token: Token, word: str) -> bool:
    """Whether a token is a word in another form, or near it; a quality only as it is written."""
    if is_quality(word):
        return token.lower == word
    return not forms_of(token.lower).isdisjoint(_wider(word))


def _joined(tokens: Sequence[Token], first: int, joined: str) -> int:
    """One past the tokens that, written together without hyphens, are the phrase ("Wi-Fi", "take out"); 0 if none."""
    written = ""
    for stop in range(first, min(len(tokens), first + _MOST_JOINED)):
        written += tokens[stop].lower.strip("-‐‑")
        if written in (joined, joined + "s"):
            return stop + 1
        if not joined.startswith(written):
            return 0
    return 0


def _spread(tokens: Sequence[Token], first: int, words: Words) -> int:
    """One past the tokens from ``first`` on that hold all words of a phrase, in any order; 0 if they do not."""
    if not any(_says(tokens[first], word) for word in words):
        return 0
    left, reach = list(words), first
    for stop in range(first, min(len(tokens), first + len(words) + _SPREAD)):
        word = next((word for word in left if _says(tokens[stop], word)), None)
        if word is not None:
            left.remove(word)
            reach = stop + 1
        if not left:
            return reach
    return 0
