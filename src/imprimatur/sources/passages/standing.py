"""What a passage cannot bear out though it has the words: what the writer says of himself, and a rank of one for several.

Contract: ``stands`` looks at a support that the comparison found and refuses it, never the other way. "I" and "we" are
the writer of the answer, of whom a passage says nothing unless it speaks so itself; a question to the reader states
nothing that a passage could say. Who is "one of the most famous" need not be the most famous.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._expressions import expression
from imprimatur.language.modality import classify
from imprimatur.language.tokens import tokenise

__all__ = ["stands"]

_WRITER = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours"))
_READER = frozenset(("you", "your", "yours"))
_SUPERLATIVE = r"(?:(?:most|least)\s+\w+|(?:best|worst|first|last|\w{3,}est)\b)"
_THE_ONE = expression(rf"\bthe\s+(?:\w+\s+)?{_SUPERLATIVE}")
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
    if own.rstrip().endswith("?") and persons & _READER:
        return False
    alone = _THE_ONE.search(own) is not None and _ONE_OF.search(own) is None
    return not (alone and _ONE_OF.search(said) is not None)


def _without_markers(words: str) -> str:
    """The words without what changes nothing ("I think", "did you know that")."""
    for start, end in reversed(classify(words).marker_spans):
        words = words[:start] + " " * (end - start) + words[end:]
    return words


def _words(text: str) -> frozenset[str]:
    return frozenset(token.lower for token in tokenise(text))
