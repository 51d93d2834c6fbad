"""What stands around a sentence and may take back what it states: headings, the line over a list, its neighbours.

Contract: ``taken_back`` names the sentences that state nothing where they stand: under a heading of what is told,
planned or past ("Plot", "Former bridges"), behind a line with a colon that says more than of what is told ("In the
film:"), and beside a sentence that speaks of what is said rather than of things ("This is false."). It looks at words
alone and errs on the side of silence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from imprimatur._expressions import expression
from imprimatur.extract.words import forms
from imprimatur.ingest.idle_words import idle, told_of
from imprimatur.language import closed_class, wordnet
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.passages.passage import Sentence, SentenceKind

__all__ = ["doubtful", "limiting", "taken_back"]

#: What is not stated for itself, with all that is a kind of it.
_INVENTED = frozenset(
    "story fiction plan proposal prediction belief hope desire rumor rumour gossip joke jest dream imagination myth "
    "legend hypothesis theory movie film novel opinion claim assertion allegation speculation conjecture plot "
    "deception lie falsehood wish fantasy example exercise question hoax satire parody "
    "scenario draft synopsis screenplay sketch".split()
)
#: A year, or a word that says from when or till when.
_TIMED = expression(r"(?<!\d)[12]\d{3}(?!\d)|\b(?:until|till|since|before|after|as of|by)\b", re.IGNORECASE)
_STEPS = 2
_SENSES = 3
#: Adjectives and adverbs by which something is not now, or not really.
_NOT_REAL = frozenset(
    "former formerly previous previously past once fictional fictitious fictive imaginary hypothetical hypothetically "
    "theoretical theoretically future possible possibly potential potentially alternative alternate virtual mock ex "
    "wrongly falsely proposed planned alleged supposed expected projected estimated approximate tentative provisional "
    "historic historical popular".split()
)
_DOUBTED = ("denial", "negator", "near_negator", "hedge", "hypothetical", "modal", "question_word")
#: Words by which a sentence speaks of others.
_POINTING = frozenset("this that these those following here above below it all none nothing everything".split())
_THIS = frozenset("this these those".split())
_BE = frozenset("is are was were".split())
_TRUE = frozenset("true so case correct right real fact happen happened really kidding joking serious".split())
#: Kinds of nouns of times, states and sayings.
_LIMITS = frozenset(("noun.time", "noun.state", "noun.communication", "noun.cognition", "noun.relation"))
_SHORT = 4
_LEADS = frozenset("following here these those are is the of and in for below its their it they has have".split())


def taken_back(sentences: Sequence[Sentence], words: Collection[str]) -> frozenset[int]:
    """The numbers of the sentences that state nothing where they stand. ``words``: those of the ontology."""
    headings = {each for s in sentences for each in s.headings}
    under = {each for each in headings if doubtful(each)}
    spoken = {s.passage for s in sentences if s.kind in _TEXT and _speaks_of_others(s.text)}
    out: set[int] = set()
    led = False
    for n, sentence in enumerate(sentences):
        if sentence.kind is not SentenceKind.ITEM and n and not _leads(sentences[n - 1]):
            led = False
        if n and _leads(sentences[n - 1]) and (sentence.kind is SentenceKind.ITEM or sentences[n - 1].text[-1:] != "?"):
            led = led or not _plain_lead(sentences[n - 1].text, words)
        if led or sentence.passage in spoken or not under.isdisjoint(sentence.headings):
            out.add(n)
    return frozenset(out)


_TEXT = (SentenceKind.SENTENCE, SentenceKind.ITEM)


def doubtful(text: str) -> bool:
    """Whether a heading, header or cell has a word of what is told, planned, denied or past."""
    if "?" in text or "~~" in text or _TIMED.search(text):
        return True
    tokens = tokenise(text)
    lowers = [t.lower for t in tokens]
    if any(closed_class.longest(name, lowers, k) for k in range(len(lowers)) for name in _DOUBTED):
        return not text.isupper()  # "IF", "MAY" are codes
    return any(_doubtful(t.lower) for t in tokens if t.kind is TokenKind.WORD)


def limiting(header: str) -> bool:
    """Whether a header or key is of what may say when, for whom or how far the other cells hold."""
    words = [t.lower for t in tokenise(header.replace("_", " ")) if t.kind is TokenKind.WORD]
    kinds = {wordnet.noun_kind(forms(w).noun or w) for w in words}
    return doubtful(header) or not kinds.isdisjoint(_LIMITS) or kinds == {None}


@lru_cache(maxsize=8192)
def _doubtful(lower: str) -> bool:
    return lower in _NOT_REAL or lower in closed_class.words("denial") or invented(lower)


@lru_cache(maxsize=8192)
def invented(lower: str) -> bool:
    """Whether a noun is one of what is told, thought or planned."""
    noun = forms(lower).noun
    if not noun:
        return False
    return noun in _INVENTED or not wordnet.hypernyms(noun, "n", depth=_STEPS, max_senses=_SENSES).isdisjoint(_INVENTED)


def _leads(sentence: Sentence) -> bool:
    return sentence.kind in (*_TEXT, SentenceKind.HEADING) and sentence.text.rstrip("*_ ").endswith((":", "?"))


def _plain_lead(text: str, words: Collection[str]) -> bool:
    """Whether a line with a colon only says of what is told."""
    tokens = tokenise(text)
    return not doubtful(text) and all(
        idle(t)
        or t.lower in _LEADS
        or t.lower in words
        or (forms(t.lower).noun or "") in words
        or (n > 0 and t.text[:1].isupper())
        for n, t in enumerate(tokens)
    )


def _speaks_of_others(text: str) -> bool:
    """Whether a sentence speaks of what others say: that it is false, a story, not so."""
    tokens = [t for t in tokenise(text) if t.kind is TokenKind.WORD]
    if not tokens:
        return False
    lowers = [t.lower for t in tokens]
    denied = any(closed_class.longest("denial", lowers, k) for k in range(len(lowers)))
    negated = any(closed_class.longest(name, lowers, k) for k in range(len(lowers)) for name in ("negator", "hedge"))
    told = any(invented(lower) for lower in lowers)
    pointing = any(lower in _POINTING for lower in lowers)
    named = any(t.text[:1].isupper() for t in tokens[1:])
    bids = "base" in forms(lowers[0]).verb_forms and not forms(lowers[0]).closed
    does, is_ = _tells(tokens), not _BE.isdisjoint(lowers)
    # "Nobody is a lighthouse." says something of its own.
    of_its_own = is_ and (not negated or any(forms(lower).noun and not forms(lower).closed for lower in lowers))
    if len(tokens) <= _SHORT and not named and (denied or not (bids or does or of_its_own)):
        return True  # "Not.", "Just kidding."
    if _of_sentences(tokens):
        return True
    if denied and pointing:
        return True
    if told and _says_what_this_is(lowers):
        return True
    return (negated or "if" in lowers) and pointing and not _TRUE.isdisjoint(lowers)


def _says_what_this_is(lowers: Sequence[str]) -> bool:
    """Whether it begins "this is", "the following is", "here is"."""
    head = lowers[:4]
    return any(a in _POINTING and b in _BE for a, b in pairwise(head))


def _tells(tokens: Sequence[Token]) -> bool:
    """Whether a short sentence has a verb of its own ("It never freezes")."""
    return any(forms(t.lower).verb_forms & {"s", "past"} and t.lower not in _BE for t in tokens)


def _of_sentences(tokens: Sequence[Token]) -> bool:
    """Whether "this" stands for what is said ("made this up", "this claim"), or a story is begun ("had a dream")."""
    for k, token in enumerate(tokens):
        after = tokens[k + 1].lower if k + 1 < len(tokens) else ""
        if token.lower in _THIS and (not forms(after).noun or told_of(after)):
            return True
        begun = token.lower in ("a", "an") and k > 0 and invented(after)
        if begun and forms(tokens[k - 1].lower).verb_forms and forms(tokens[k - 1].lower).verb not in (None, "be"):
            return True
    return False
