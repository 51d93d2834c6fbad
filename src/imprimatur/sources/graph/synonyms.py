"""Keys with a close synonym of a verb or noun in its place; WordNet proposes, the types of the property decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imprimatur.extract.wording import WordingKey
from imprimatur.extract.words import BE, DO, HAVE
from imprimatur.language import wordnet
from imprimatur.sources.graph.own_words import chain_of

__all__ = ["synonyms"]


def synonyms(key: WordingKey) -> Iterator[WordingKey]:
    """The key with its verb, or with one noun of its chain, replaced by a close synonym."""
    chain = chain_of(key.key)
    if chain is not None:
        for n, word in enumerate(chain):
            for other in _close(word, "n"):
                text = "=" + "<".join((*chain[:n], other, *chain[n + 1 :], "*"))
                yield WordingKey(text, key.subject, able=key.able)
    elif "|" in key.key and key.key[0] not in "=@#":
        verb, _, rest = key.key.partition("|")
        if "+" not in verb:
            for other in _close(verb, "v"):
                yield WordingKey(f"{other}|{rest}", key.subject, able=key.able)


def _close(word: str, pos: str) -> Iterable[str]:
    if word in BE | HAVE | DO or word in (
        "be",
        "have",
        "do",
        "take",
        "give",
        "make",
        "get",
        "go",
        "come",
        "state",
        "country",
    ):
        return ()
    found = wordnet.synonyms(word, pos, max_senses=2)
    return sorted(
        "<".join(reversed(w.split()))
        for w in found
        # "Part" turns a relation round: what the region of S is, is no part of S.
        if w not in (word, "part") and wordnet.related((word, pos), (w, pos)) == wordnet.Relation.SYNONYM
    )
