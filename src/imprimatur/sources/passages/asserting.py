"""Whether a sentence states what its words say, or only speaks of it: asked, supposed, denied, reported, hedged.

Contract: ``asserts`` looks at a sentence that has a claim's words, and refuses it as evidence where they stand in a
question, under "if", "whether" or "that" (but for a factive verb: "the survey shows that"), behind a verb of saying or
thinking, or with a modal, a denial or such a verb between them that the claim lacks. It refuses too much rather than
too little: what is refused is not refuted. Nothing raises.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.language import closed_class, negation, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.sources.passages.ground import Term, contents, terms_of

__all__ = ["asserts"]

_EMBEDDING = frozenset(("that", "whether", "if", "unless", "suppose", "supposing", "assuming", "imagine"))
#: What is said under these verbs and nouns is so, as long as they are not denied.
_FACTIVE = frozenset(
    (
        *("know", "note", "remember", "show", "prove", "demonstrate", "confirm", "discover", "reveal", "find"),
        *("realise", "realize", "learn", "fact"),
    )
)
_SPOKEN = ("verb.communication", "verb.cognition")


def asserts(sentence: str, words: str) -> bool:
    """Whether a sentence that has the words of a claim states them."""
    if sentence.rstrip(" \"'”’)").endswith("?"):
        return False
    said, own = terms_of(sentence), terms_of(words)
    claimed = frozenset[str]().union(*(term.forms for term in own))
    content = frozenset[str]().union(*(term.forms for term in contents(own)))
    places = [place for place, term in enumerate(said) if term.forms & content]
    if not places:
        return True
    before, among = _up_to(sentence, said, places[0]), said[places[0] : places[-1] + 1]
    return not _embedded(before, claimed) and not any(_qualifies(term, claimed) for term in among)


def _up_to(sentence: str, said: Sequence[Term], place: int) -> Sequence[Term]:
    """The words before one, from the last comma on: "contrary to what Bob says, the Orla …" embeds nothing."""
    start = place
    while start and "," not in sentence[said[start - 1].end : said[start].start]:
        start -= 1
    return said[start:place]


def _embedded(before: Sequence[Term], claimed: frozenset[str]) -> bool:
    """Whether what follows some words is no statement of its own: under a conjunction, or said or thought."""
    for place in range(len(before) - 1, -1, -1):
        term = before[place]
        if term.lower in _EMBEDDING and term.lower not in claimed:
            return not _factive(before[:place])
        if _spoken(term) and not term.forms & claimed:
            return not _factive(before[: place + 1])
        if not _light(term):
            return False
    return False


def _factive(matrix: Sequence[Term]) -> bool:
    """Whether what a matrix clause embeds is so."""
    if not matrix or negation.find([term.lower for term in matrix]):
        return False
    return bool(matrix[-1].forms & _FACTIVE)


def _light(term: Term) -> bool:
    """Whether a word may stand between a conjunction and what it embeds."""
    return any(term.lower in closed_class.words(name) for name in ("determiner", "pronoun", "quantifier"))


def _spoken(term: Term) -> bool:
    """Whether a word is a verb of saying or thinking, and a verb at least as often as a noun or an adjective."""
    readings = lemmas(term.lower)
    most = {pos: len(wordnet.senses(lemma, pos)) for lemma, pos in readings}
    if most.get("v", 0) < max(most.get("n", 0), most.get("a", 0)):
        return False
    return any(pos == "v" and wordnet.verb_kind(lemma) in _SPOKEN for lemma, pos in readings)


def _qualifies(term: Term, claimed: frozenset[str]) -> bool:
    """Whether a word between those of the claim makes it less than a statement, and the claim lacks it."""
    if term.forms & claimed:
        return False
    names = ("modal", "near_negator", "denial", "hedge")
    return any(term.forms & closed_class.words(name) for name in names) or _spoken(term)
