"""What a passage cannot bear out though it has the words: the writer of himself, one rank of several, "C#" from "C".

Contract: ``stands`` looks at a support that the comparison found and refuses it, never the other way. "I" and "we" are
the writer of the answer, of whom a passage says nothing unless it speaks so itself; a question to the reader states
nothing that a passage could say. Who is "one of the most famous" need not be the most famous. What is written with a
sign ("C#", "C++") is another name without it, and what happened "once" is not said by what does not say how often.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._expressions import expression
from imprimatur.language.modality import classify
from imprimatur.language.tokens import tokenise
from imprimatur.sources.passages.ground import contents, near_words, terms_of

__all__ = ["stands"]

_WRITER = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours"))
_READER = frozenset(("you", "your", "yours"))
_HOW_OFTEN = frozenset(("once", "twice", "thrice"))
_SIGNED = expression(r"\w[#+]+")
_SUPERLATIVE = r"(?:(?:most|least)\s+\w+|(?:best|worst|first|last|\w{3,}est)\b)"
_THE_ONE = expression(rf"\bthe\s+(?:\w+\s+)?{_SUPERLATIVE}")
_THERE = expression(r"\bthere\s+(?:is|are|was|were|has|have|had|exists?)\b")
_PLACED = expression(r"\b(?:in|on|at|within|among)\s")
_ONE_OF = expression(
    rf"\b(?:one|some|two|three|many|several|among)(?:\s+of)?\s+(?:the|its|their|his|her)\s+(?:\w+\s+)?{_SUPERLATIVE}"
)


def stands(words: str, sentences: Sequence[str]) -> bool:
    """Whether sentences that have a claim's words may bear it out."""
    own = _without_markers(words).casefold()
    said = " ".join(sentences).casefold()
    persons = _words(own)
    if persons & _WRITER and not _words(said) & _WRITER:
        return False
    if persons & _HOW_OFTEN - _words(said) or any(name not in said for name in _SIGNED.findall(own)):
        return False
    if own.rstrip().endswith("?") and persons & _READER:
        return False
    if _THERE.search(own) is not None and _elsewhere(own, sentences):
        return False
    if any(_twice(own, sentence) for sentence in sentences):
        return False
    alone = _THE_ONE.search(own) is not None and _ONE_OF.search(own) is None
    return not (alone and _ONE_OF.search(said) is not None)


def _elsewhere(own: str, sentences: Sequence[str]) -> bool:
    """Whether each sentence that says that there is something says of a place or work that the claim does not name."""
    known = {form for term in terms_of(own) for form in term.forms}
    saying = [sentence.casefold() for sentence in sentences if _THERE.search(sentence.casefold())]
    places = [[found.end() for found in _PLACED.finditer(sentence)] for sentence in saying]
    return bool(saying) and all(
        any(not _next(sentence[end:]) & known for end in ends) for sentence, ends in zip(saying, places)
    )


def _next(text: str) -> frozenset[str]:
    """The forms of the first content word of a text."""
    return next((term.forms for term in contents(terms_of(text[:80]))), frozenset())


def _twice(own: str, sentence: str) -> bool:
    """Whether a word of the claim is near none but such words of the sentence as are the claim's own too."""
    claimed = contents(terms_of(own))
    said = {form for term in contents(terms_of(sentence)) for form in term.forms}
    same = {form for term in claimed for form in term.forms if form in said}
    for term in claimed:
        near = near_words(term.lower) & said
        if not term.forms & said and near and near <= same:
            return True
    return False


def _without_markers(words: str) -> str:
    """The words without what changes nothing ("I think", "did you know that")."""
    for start, end in reversed(classify(words).marker_spans):
        words = words[:start] + " " * (end - start) + words[end:]
    return words


def _words(text: str) -> frozenset[str]:
    return frozenset(token.lower for token in tokenise(text))
