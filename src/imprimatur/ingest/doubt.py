"""Words by which a sentence does not simply state what it says: hedges, reports, conditions, modals; and the past.

Contract: ``doubt_in`` looks at the words alone, whatever was read of them: where it finds something, nothing of the
sentence is made a fact. It errs on the side of silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from imprimatur.claim import Claim
from imprimatur.extract.words import forms
from imprimatur.language import closed_class
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["doubt_in", "past_state"]

#: Classes of words that put the whole in doubt, wherever they stand.
_DOUBTFUL = ("hedge", "attribution_marker", "hypothetical", "near_negator", "modal")
#: Classes of words that turn what is said where no claim accounts for them.
_TURNING = ("negator", "quantifier", "focus", "contrast", "denial")
#: Verbs of saying, thinking and wanting: before "that" or "to" they make of a statement somebody's.
_REPORTING = frozenset(
    "say claim believe think argue report suggest assert maintain allege deny rumor rumour suppose "
    "consider assume expect plan propose hope want intend predict estimate speculate imagine dream "
    "pretend fail refuse threaten promise deem presume fear wish try attempt agree".split()
)
_AFTER = ("that", "to", "as")
_NEAR = 4
#: Verbs of states that end: of the past they say nothing of now.
_STATES = frozenset(
    "be have own hold belong live reside lead rule reign govern head chair serve work play use employ manage include "
    "contain lie stand remain stay possess operate run command control occupy represent coach".split()
)
_PAST = frozenset(("was", "were", "had"))


def doubt_in(text: str, covered: Sequence[tuple[int, int]], start: int) -> str:
    """Words of a sentence that put it in doubt, or turn it and are not accounted for; "" where there are none.

    Args:
        covered: the spans for which claims account, as offsets in the document. start: where the sentence begins.
    """
    tokens = tokenise(text)
    lowers = [token.lower for token in tokens]
    for k, token in enumerate(tokens):
        if _named(tokens, k):
            continue
        for name in _DOUBTFUL:
            length = closed_class.longest(name, lowers, k)
            if length:
                return text[token.start : tokens[k + length - 1].end]
        if _reports(lowers, k):
            return token.text
        turns = any(closed_class.longest(name, lowers, k) for name in _TURNING)
        if turns and not any(a <= token.start + start and token.end + start <= b for a, b in covered):
            return token.text
    return ""


def _named(tokens: Sequence[Token], k: int) -> bool:
    """Whether a word is written as a name within its sentence ("Will Smith", "May")."""
    return k > 0 and tokens[k].text[:1].isupper() and tokens[k - 1].text not in '.!?"“('


def _reports(lowers: Sequence[str], k: int) -> bool:
    return _verb(lowers[k]) in _REPORTING and any(word in _AFTER for word in lowers[k + 1 : k + 1 + _NEAR])


@lru_cache(maxsize=8192)
def _verb(lower: str) -> str:
    return forms(lower).verb or ""


def past_state(claim: Claim, text: str) -> bool:
    """Whether a claim tells a state of the past that need not last ("was the mayor of"), and no event.

    Args:
        text: the document.
    """
    if not claim.past:
        return False
    covered = [t for a, b in claim.covers for t in tokenise(text[a:b]) if t.kind is TokenKind.WORD]
    lowers = [t.lower for t in covered if not t.text[:1].isupper()]
    if any(lower in _PAST for lower in lowers):
        return not any("pp" in forms(lower).verb_forms and forms(lower).verb not in _STATES for lower in lowers)
    verbs = [forms(lower).verb for lower in lowers if "past" in forms(lower).verb_forms]
    return not verbs or any(verb in _STATES for verb in verbs)
