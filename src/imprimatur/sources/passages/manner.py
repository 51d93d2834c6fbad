"""How a claim is put: as a closing remark, an announcement, a remark on the sources, a denial.

Contract: ``manner_of`` is a pure function of the claim's words; every sign is finite and named in ``MANNERS``. A claim
is *about the sources* when it says that they say nothing of something: words that stand in no passage are then no sign
of invention but what it is about. An *announcement* ends in a colon: it says what follows, and that is judged itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from imprimatur.language import negation
from imprimatur.sources.passages.ground import Term

__all__ = ["MANNERS", "manner_of", "tells_nothing"]

MANNERS = ("colon", "quotation", "summing_up", "of_the_source", "silence_of_the_source", "negated")
#: Words that begin a closing remark.
_SUMMING_UP = frozenset(
    ("overall", "ultimately", "therefore", "thus", "hence", "finally", "altogether", "consequently", "accordingly")
)
_SUMMING_PHRASES = (("in", "conclusion"), ("in", "summary"), ("to", "sum"), ("in", "short"), ("in", "general"))
#: What a text calls its sources, and what sources do.
_SOURCES = frozenset(
    ("passage", "article", "text", "document", "context", "datum", "data", "information", "source", "summary")
)
_TELLING = frozenset(
    (
        *("provide", "mention", "state", "specify", "discuss", "suggest", "contain", "answer", "base", "give", "list"),
        *("describe", "accord", "report", "say", "include"),
    )
)
#: A negator and a word of telling, or one of the sources, lie so near in "the passages do not mention".
_NEAR = 6


def manner_of(words: str, terms: Sequence[Term]) -> dict[str, float]:
    """The signs of how a claim is put.

    Args:
        words: the claim's words, the passages that it cites left out.
        terms: the same as terms, function words among them.
    """
    lowers = [term.lower for term in terms]
    forms = frozenset[str]().union(*(term.forms for term in terms))
    opening = bool(lowers) and (lowers[0] in _SUMMING_UP or tuple(lowers[:2]) in _SUMMING_PHRASES)
    of_source = bool(forms & _SOURCES) and bool(forms & _TELLING)
    return {
        "colon": float(words.rstrip().endswith(":")),
        "quotation": float('"' in words or "“" in words),
        "summing_up": float(opening),
        "of_the_source": float(of_source),
        "silence_of_the_source": float(of_source and _silent(terms, lowers)),
        "negated": float(bool(negation.find(lowers))),
    }


def tells_nothing(signs: Mapping[str, float]) -> bool:
    """Whether a claim says nothing of its subject: it announces what follows, or says that the sources are silent."""
    return signs["colon"] > 0 or signs["silence_of_the_source"] > 0


def _silent(terms: Sequence[Term], lowers: Sequence[str]) -> bool:
    """Whether what is denied is that the sources tell something."""
    for negator in negation.find(lowers):
        beside = terms[max(0, negator.start - _NEAR) : negator.end + _NEAR]
        if any(term.forms & (_SOURCES | _TELLING) for term in beside):
            return True
    return False
