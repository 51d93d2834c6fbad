"""How a claim is made up from the lines: how far apart lie the lines that it takes, and where in it new words stand.

Contract: ``makeup_of`` is a pure function of the claim's terms and the ground; every sign is finite and named in
``MAKEUPS``. A summary that joins facts of distant lines, opens with new words, or adds a participle of its own
("…, making it the largest") strays more often than one that follows a line. Nothing here proves anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from imprimatur.language import wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.sources.passages.alignment import Found
from imprimatur.sources.passages.ground import Ground

__all__ = ["MAKEUPS", "makeup_of"]

MAKEUPS = ("opening_new", "new_participles", "verbs_apart", "spread")
#: Lines are taken until the known words are covered, at most so many.
_LINES = 6


def makeup_of(found: Found, known: Sequence[bool], ground: Ground) -> dict[str, float]:
    """The signs of how a claim is made up.

    Args:
        found: its content words with the lines in which each stands.
        known: whether each of them counts as standing somewhere.
    """
    opening = len(found.terms) - len(found.terms) * 2 // 3
    total = sum(found.weights[:opening])
    new = sum(weight for weight, stands in zip(found.weights[:opening], known) if not stands)
    participles = sum(term.lower.endswith("ing") and not stands for term, stands in zip(found.terms, known))
    return {
        "opening_new": new / total if total else 0.0,
        "new_participles": float(participles),
        "verbs_apart": float(_verbs_apart(found, known, ground)),
        "spread": _spread(found, len(ground.lines)),
    }


def _verbs_apart(found: Found, known: Sequence[bool], ground: Ground) -> int:
    """How many neighbours, one of them a verb, both stand somewhere and never near each other."""
    pairs = zip(zip(found.terms, known), zip(found.terms[1:], known[1:]))
    return sum(
        stands and other_stands and not ground.together(term, other)
        for (term, stands), (other, other_stands) in pairs
        if _is_verb(term.lower) or _is_verb(other.lower)
    )


@lru_cache(maxsize=65536)
def _is_verb(word: str) -> bool:
    """Whether a word has at least as many senses as a verb as it has as anything else."""
    senses: dict[str, int] = {}
    for lemma, pos in lemmas(word):
        senses[pos] = max(senses.get(pos, 0), len(wordnet.senses(lemma, pos)))
    return "v" in senses and senses["v"] >= max(senses.values())


def _spread(found: Found, lines: int) -> float:
    """How far apart lie the lines that together have the known words, as a share of all lines."""
    left = {place for place, standing in enumerate(found.standing) if standing}
    taken: list[int] = []
    while left and len(taken) < _LINES:
        held: dict[int, float] = {}
        for place in sorted(left):
            for line in found.standing[place]:
                held[line] = held.get(line, 0.0) + found.weights[place]
        best = min(held, key=lambda line: (-held[line], line))
        taken.append(best)
        left = {place for place in left if best not in found.standing[place]}
    return (max(taken) - min(taken)) / lines if taken else 0.0
