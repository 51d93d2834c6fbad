"""What a question asks: the names in it that the knowledge base knows, and its other words with their weights.

A word counts by how much it tells properties apart: one that is part of the vocabulary of every property counts little,
one that the knowledge base has never heard of counts most, unless it only qualifies ("approximate", "major"). Words of
closed classes count nothing. Each word stands for all its base forms, so that "flows" meets "flow" and "born" meets
"bear". A unit ("square miles") is one term, met by every property whose values may be given in it; the number before it
counts nothing, and other numbers little: whether they are right is not what is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.language.units import first_words, named
from imprimatur.language.wordnet import attribute, is_known
from imprimatur.protocols import Lexicon
from imprimatur.values import Unit

__all__ = ["Asked", "Term", "alternatives", "read_question"]

_MOST_TOKENS = 400
#: Words before an adjective or adverb that asks for a measure ("how long").
_HOW = "how"
#: What a word counts that only qualifies, and what a unit counts.
_SOFT, _UNIT = 0.2, 0.5
_UNIT_WORDS = 5
_WHICH = ("which", "what")
_KINDS = {"when": "date", "who": "person", "whom": "person", "where": "place", "how": "quantity"}


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of the question: its base forms, how much it counts, and of a unit what it measures."""

    forms: frozenset[str]
    weight: float
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, read.

    Attributes:
        names: per known name its words and the entities that bear it, in the order of the text.
        terms: the other content words; ``unknown`` are those of them that look like names.
        kind: what is asked for, as far as the question word tells: ``date``, ``person``, ``place`` or ``quantity``.
        named: all forms of the words of the known names.
        wanted: the forms of the noun that says what is asked for ("which county": "county").
        words: all forms of all content words that are part of no known name.
    """

    text: str
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    terms: tuple[Term, ...] = ()
    unknown: tuple[Term, ...] = ()
    kind: str = ""
    named: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def read_question(text: str, lexicon: Lexicon, weights: Mapping[str, float]) -> Asked:
    """The question, read by a lexicon; ``weights`` are those of known words, all others count 1."""
    tokens = tokenise(text)[:_MOST_TOKENS]
    found = lexicon.find(tokens)
    # A name in small letters ("screenwriter") may be what is asked for: its words count as words too.
    proper_names = [each for each in found if any(token.text[:1].isupper() for token in tokens[each.first : each.stop])]
    taken = {k for each in proper_names for k in range(each.first, each.stop)}
    names = tuple(
        (text[tokens[each.first].start : tokens[each.stop - 1].end], each.candidates) for each in proper_names or found
    )
    terms: list[Term] = []
    unknown: list[Term] = []
    for k, token in enumerate(tokens):
        if k in taken or token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL):
            continue
        is_number = token.kind is TokenKind.NUMBER
        if is_number and _units_at(tokens, k + 1, taken, short=True):
            continue  # what is said of the amount is for the stages; the unit tells what is asked for
        if measured := _units_at(tokens, k, taken, short=k > 0 and tokens[k - 1].kind is TokenKind.NUMBER):
            stop, meant = measured
            taken |= set(range(k, stop))
            terms.append(Term(frozenset((text[token.start : tokens[stop - 1].end].lower(),)), _UNIT, meant))
        elif known := alternatives(token.lower):
            heard = max((weights[form] for form in known if form in weights), default=0.0)
            proper = not (heard or is_number) and _is_proper(token, first=k == 0)
            soft = is_number or (not proper and _qualifies(tokens, k, taken))
            (unknown if proper else terms).append(Term(known, heard or (_SOFT if soft else 1.0)))
    words = frozenset().union(*(term.forms for term in (*terms, *unknown)))
    return Asked(
        text=text,
        names=names,
        terms=tuple(terms),
        unknown=tuple(unknown),
        kind=_kind(tokens),
        named=known_words(name for name, _ in names),
        wanted=_wanted(tokens, taken),
        words=words,
    )


def _is_proper(token: Token, *, first: bool) -> bool:
    """Whether a word looks like a name: a capital where none must be, or in no dictionary."""
    return (not first and token.text[:1].isupper()) or not is_known(token.lower)


def _units_at(
    tokens: Sequence[Token], k: int, taken: set[int], *, short: bool = False
) -> tuple[int, tuple[Unit, ...]] | None:
    """Where a unit that begins at a token ends, and what it may be; the longest wins. Short ones follow a number."""
    if k >= len(tokens) or tokens[k].lower not in first_words() or (len(tokens[k].text) < 3 and not short):
        return None
    for stop in range(min(len(tokens), k + _UNIT_WORDS), k, -1):
        if taken.isdisjoint(range(k, stop)):
            meant = named(" ".join(token.lower for token in tokens[k:stop]))
            if meant:
                return stop, meant
    return None


def _qualifies(tokens: Sequence[Token], k: int, taken: set[int]) -> bool:
    """Whether a word only qualifies: an adverb, or an adjective (before a noun, where it may be a noun itself)."""
    known = forms(tokens[k].lower)
    if not (known.noun or known.verb):
        return bool(known.adj or known.adv)
    after = forms(tokens[k + 1].lower) if k + 1 < len(tokens) and k + 1 not in taken else None
    return bool(known.adj and after is not None and after.noun)


def _wanted(tokens: Sequence[Token], taken: set[int]) -> frozenset[str]:
    """The last noun of the run of words after "which" or "what"."""
    asking = next((k for k, token in enumerate(tokens) if token.lower in _WHICH), None)
    found: frozenset[str] = frozenset()
    for k in range(len(tokens) if asking is None else asking + 1, len(tokens)):
        known = forms(tokens[k].lower)
        if k not in taken and not (known.noun or known.adj):
            break
        if known.noun and k not in taken and not (found and known.verb):
            found = frozenset((known.noun,))
    return found


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
