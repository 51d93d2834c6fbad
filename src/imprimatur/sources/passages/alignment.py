"""How a claim lies along the lines that have most of it: signs of what the best line, or any one line, leaves out.

Contract: ``alignment_of`` is a pure function of the claim's terms and the ground; every sign is finite and named in
``ALIGNMENTS``. *Outside* is the share of a stretch's words, by weight, that do not stand in a line, at least: 0 where
one line has all of them. Words near those of the line (``Ground.near_in``) count in part. Nothing here proves anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.language import closed_class, negation
from imprimatur.sources.passages.ground import Ground, Term

__all__ = ["ALIGNMENTS", "Found", "alignment_of"]

ALIGNMENTS = (
    *("loosely_outside", "rare_outside", "clause_outside", "clause_new", "unpaired", "unpaired_share", "disorder"),
    *("other_polarity", "quantifiers", "new_quantifiers", "times", "new_times"),
)
#: What a near word counts, beside 1 for the word itself.
_NEAR = 0.6
#: So many of the best lines are compared with near words.
_LINES = 4
#: Neighbours in the claim are a pair in a line within so many places.
_PAIR = 3
_CUT = expression(r"[,;:()]|\b(?:and|but|or|while|which|who|that|because|as|with|where|when|although|however)\b")
_TIMES = frozenset(
    ("when", "while", "once", "following", "later", "then", "earlier", "eventually", "soon", "meanwhile")
)
_MANY = frozenset(("various", "numerous", "majority"))


@dataclass(frozen=True, slots=True)
class Found:
    """The content words of a claim with what they find: their weights, and the lines in which each stands."""

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    standing: tuple[set[int], ...]

    @property
    def total(self) -> float:
        """All weight."""
        return sum(self.weights)


def alignment_of(
    words: str, every: Sequence[Term], found: Found, ground: Ground, best: Sequence[int]
) -> dict[str, float]:
    """The signs of how a claim lies along its best lines.

    Args:
        words: the claim's words.
        every: all of them as terms; ``found`` has the content words.
        best: the lines that have most of the claim, best first.
    """
    clauses = [_clause(found, places) for places in _clauses(words, found.terms)]
    pairs = [(a, b) for a, b in zip(found.terms, found.terms[1:])]
    unpaired = sum(not ground.together(a, b, within=_PAIR) for a, b in pairs)
    return {
        "loosely_outside": min((_loosely(found, ground, line) for line in best[:_LINES]), default=1.0),
        "rare_outside": _rarely(found, ground, best),
        "clause_outside": max((outside for outside, _ in clauses), default=0.0),
        "clause_new": max((new for _, new in clauses), default=0.0),
        "unpaired": float(unpaired),
        "unpaired_share": unpaired / len(pairs) if pairs else 0.0,
        **_beside(every, found, ground, best),
    }


def _loosely(found: Found, ground: Ground, line: int) -> float:
    total = found.total
    if not total:
        return 0.0
    held = 0.0
    for term, weight, lines in zip(found.terms, found.weights, found.standing):
        if line in lines:
            held += weight
        elif ground.near_in(line, term):
            held += _NEAR * weight
    return 1 - held / total


def _rarely(found: Found, ground: Ground, best: Sequence[int]) -> float:
    """Outside, where a word weighs by how few lines it stands in."""
    rarities = [ground.rarity(term) for term in found.terms]
    total = sum(rarities)
    if total <= 0:
        return 0.0
    held = (sum(r for r, lines in zip(rarities, found.standing) if line in lines) for line in best)
    return 1 - max(held, default=0.0) / total


def _clauses(words: str, terms: Sequence[Term]) -> Iterator[list[int]]:
    """The places of the content words of each stretch between commas and conjunctions that has at least two."""
    cuts = [match.start() for match in _CUT.finditer(words)]
    for start, end in zip([0, *cuts], [*cuts, len(words)]):
        places = [place for place, term in enumerate(terms) if start <= term.start < end]
        if len(places) > 1:
            yield places


def _clause(found: Found, places: Sequence[int]) -> tuple[float, float]:
    """What no one line has of a clause, and what none at all has, as shares of its weight."""
    total = sum(found.weights[place] for place in places)
    held: dict[int, float] = {}
    for place in places:
        for line in found.standing[place]:
            held[line] = held.get(line, 0.0) + found.weights[place]
    new = sum(found.weights[place] for place in places if not found.standing[place])
    return 1 - max(held.values(), default=0.0) / total, new / total


def _beside(every: Sequence[Term], found: Found, ground: Ground, best: Sequence[int]) -> dict[str, float]:
    """What the claim says with its small words that the best line does not."""
    line = ground.terms(best[0]) if best else ()
    own, other = [term.lower for term in every], {term.lower for term in line}
    quantifiers = closed_class.words("quantifier") | _MANY
    times = closed_class.words("temporal_preposition") | _TIMES
    denies = bool(negation.find(own)) != bool(negation.find([term.lower for term in line])) if line else False
    return {
        "disorder": _disorder(found.terms, line),
        "other_polarity": float(denies),
        "quantifiers": float(sum(word in quantifiers for word in own)),
        "new_quantifiers": float(sum(word in quantifiers and word not in other for word in own)),
        "times": float(sum(word in times for word in own)),
        "new_times": float(sum(word in times and word not in other for word in own)),
    }


def _disorder(terms: Sequence[Term], line: Sequence[Term]) -> float:
    """Of the pairs of words that the claim shares with a line, the share that stand in the other order there."""
    first: dict[str, int] = {}
    for place, term in enumerate(line):
        for form in term.forms:
            first.setdefault(form, place)
    shared = [min(first[form] for form in term.forms if form in first) for term in terms if term.forms & first.keys()]
    pairs = [(a, b) for place, a in enumerate(shared) for b in shared[place + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
