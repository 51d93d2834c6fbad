"""Whether "one", "half" and the ordinals are numbers where they stand: "no one", "the second half", "Second, ...".

Contract: each question looks at a few characters before and after the word and answers with a plain truth value.
"""

from __future__ import annotations

import re

from imprimatur._expressions import expression

__all__ = ["is_one", "is_one_of_two", "is_ordinal"]

_PAIR_BEFORE = expression(
    r"(?:first|second|other|better|latter|upper|lower|northern|southern|eastern|western|each|former|1st|2nd|left|right)"
    r"[ \u00a0-]\Z",
    re.IGNORECASE,
)
_PRONOUN_BEFORE = expression(
    r"\b(?:the|this|that|which|no|any|every|each|some|another|an?|[a-z]+er|[a-z]+est|new|old|good|great|main|other)"
    r"[ \u00a0-]\Z",
    re.IGNORECASE,
)
_COUNT_BEFORE = expression(
    r"\b(?:only|just|exactly|least|most|than|is|are|was|has|have|:)[ \u00a0]?\Z|\A\s*\Z", re.IGNORECASE
)
_PRONOUN_AFTER = expression(
    r"[ \u00a0](?:of|another|can|could|should|would|may|might|must|will|has|had|is|was|who|that|which|day|such|as|in"
    r"|for|to|from|with|on|at|and the|by)\b|'|-(?:on|time|off|sided|way)\b",
    re.IGNORECASE,
)
_NOUN_AFTER = expression(r"[ \u00a0-][A-Za-z]")
_BARE_SECOND = expression(r"(?:per|each|every|split|one|/|a)[ \u00a0-]?\Z", re.IGNORECASE)
_DISCOURSE = expression(r"(?:\A|[.!?:;\n]\s*)\Z")
_FIRST_IDIOM = expression(r"[ \u00a0](?:of all|names?|lady|aid)\b", re.IGNORECASE)


def is_one_of_two(plain: str, pos: int) -> bool:
    """Whether the "half" at ``pos`` is one of a named pair ("the second half") and so no fraction."""
    return _PAIR_BEFORE.search(plain[max(0, pos - 12) : pos]) is not None


def is_one(plain: str, pos: int, end: int) -> bool:
    """Whether "one" counts something here, and is not a pronoun."""
    before = plain[max(0, pos - 16) : pos]
    if _PRONOUN_AFTER.match(plain, end):
        return False
    if _COUNT_BEFORE.search(before):
        return True
    return _PRONOUN_BEFORE.search(before) is None and _NOUN_AFTER.match(plain, end) is not None


def is_ordinal(plain: str, pos: int, end: int) -> bool:
    """Whether "first", "second", "third" rank something here ("Second, ..." and "third-party" do not)."""
    word = plain[pos:end].lower()
    before = plain[max(0, pos - 8) : pos]
    if plain[end : end + 1] == "," and _DISCOURSE.search(before):
        return False
    if word == "first":
        return not before.lower().endswith("at ") and _FIRST_IDIOM.match(plain, end) is None
    if word == "second" and _BARE_SECOND.search(before):
        return before.lower().endswith("a ") and _NOUN_AFTER.match(plain, end) is not None
    return not (word == "third" and plain[end + 1 : end + 6].lower() == "party")
