"""What a question asks: the names in it that the knowledge base knows, and its other words with their weights.

A word counts by how much it tells properties apart: one that is part of the vocabulary of every property counts little,
one that the knowledge base has never heard of counts most. Words of closed classes count nothing. Each word stands for
all its base forms, so that "flows" meets "flow" and "born" meets "bear".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.language.wordnet import attribute, is_known
from imprimatur.protocols import Lexicon

__all__ = ["Asked", "Term", "alternatives", "read_question"]

_MOST_TOKENS = 400
#: Words before an adjective or adverb that asks for a measure ("how long").
_HOW = "how"
_KINDS = {"when": "date", "who": "person", "whom": "person", "where": "place", "how": "quantity"}


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of the question: its base forms, and how much it counts."""

    forms: frozenset[str]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, read.

    Attributes:
        names: per known name its words and the entities that bear it, in the order of the text.
        terms: the other content words; ``unknown`` are those of them that look like names.
        kind: what is asked for, as far as the question word tells: ``date``, ``person``, ``place`` or ``quantity``.
        words: all forms of all content words that are part of no known name.
    """

    text: str
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    terms: tuple[Term, ...] = ()
    unknown: tuple[Term, ...] = ()
    kind: str = ""
    words: frozenset[str] = frozenset()


def read_question(text: str, lexicon: Lexicon, weights: Mapping[str, float]) -> Asked:
    """The question, read by a lexicon; ``weights`` are those of known words, all others count 1."""
    tokens = tokenise(text)[:_MOST_TOKENS]
    found = lexicon.find(tokens)
    taken = {k for each in found for k in range(each.first, each.stop)}
    names = tuple(
        (text[tokens[each.first].start : tokens[each.stop - 1].end], each.candidates) for each in found
    )
    terms, unknown = [], []
    for k, token in enumerate(tokens):
        if k in taken or token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL):
            continue
        known = alternatives(token.lower)
        if not known:
            continue
        term = Term(known, max((weights[form] for form in known if form in weights), default=1.0))
        heard = any(form in weights for form in known)
        proper = not heard and ((k > 0 and token.text[:1].isupper()) or not is_known(token.lower))
        (unknown if proper else terms).append(term)
    words = frozenset().union(*(term.forms for term in (*terms, *unknown)))
    return Asked(
        text=text, names=names, terms=tuple(terms), unknown=tuple(unknown), kind=_kind(tokens), words=words
    )


def _kind(tokens: Sequence[Token]) -> str:
    return next((kind for token in tokens[:3] if (kind := _KINDS.get(token.lower))), "")


@lru_cache(1 << 16)
def alternatives(word: str) -> frozenset[str]:
    """The base forms of a word; none for a word of a closed class. An adjective also stands for what it measures."""
    if word == _HOW:
        return frozenset()
    known = forms(word)
    if known.closed and not (known.noun or known.adj):
        return frozenset()
    found = {form for form in (known.noun, known.verb, known.adj) if form}
    if known.adj:
        found |= attribute(known.adj)
    return frozenset(found or {word})


def known_words(texts: Iterable[str]) -> frozenset[str]:
    """All base forms of the content words of some texts."""
    return frozenset(
        form
        for text in texts
        for token in tokenise(text)
        if token.kind not in (TokenKind.PUNCT, TokenKind.SYMBOL)
        for form in alternatives(token.lower)
    )
