"""Limbs: what of a sentence stands between its commas and conjunctions, and where in them a claim's words stand.

"Books may be borrowed for four weeks and films for one week" has two limbs. A claim that takes words of both puts
together what the text keeps apart, unless the one limb lends the other what it lacks. ``placed`` finds for the words of
a clause the places in the texts that ask for the fewest steps from limb to limb; bounded work, no parse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.sources.text.evidence import Evidence, Match, Spot, says
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light

__all__ = ["PERSONAL", "Limbs", "Step", "limbs_of", "near_copy", "nominal", "placed", "preposition"]

PERSONAL = frozenset("i you he she we they".split())
_VERBS = (Part.VERB, Part.AUXILIARY)
_NOMINAL = (Part.NOUN, Part.NAME)
_CONTENT = (*_NOMINAL, Part.VERB, Part.PARTICIPLE, Part.ADJECTIVE, Part.NUMBER, Part.DATE)
_INSIDE = (Part.ADJECTIVE, Part.NOUN, Part.NAME, Part.PARTICIPLE, Part.NUMBER, Part.DETERMINER)
#: Places in the texts that are tried for one word.
_MOST = 6


@dataclass(frozen=True, slots=True)
class Limbs:
    """For each piece the number of its limb (-1 for what parts limbs), and the pieces of each limb."""

    number: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]

    def before(self, k: int) -> tuple[int, ...]:
        """The pieces of a limb before one of them."""
        return tuple(n for n in self.members[self.number[k]] if n < k)


@dataclass(frozen=True, slots=True)
class Step:
    """A word of the claim and its place in the texts."""

    piece: int
    other: int


def limbs_of(texts: Evidence) -> Limbs:
    """The limbs of some texts."""
    pieces = texts.pieces
    number: list[int] = []
    members: list[list[int]] = [[]]
    homes = [texts.frame_of(k) for k in range(len(pieces))]
    sentence, inserted = -1, False
    for k, piece in enumerate(pieces):
        home = homes[k]
        fresh = home is not None and home.sentence != sentence
        if home is not None:
            sentence = home.sentence
        parting = piece.part is Part.CONJUNCTION or (piece.part is Part.MARK and not _inside(k, pieces))
        if parting and inserted and piece.text == ",":
            inserted, parting = False, False  # "in white and, from June, in black"
        elif parting:
            before = pieces[k - 1] if k else None
            inserted = piece.text == "," and before is not None and before.lower in ("and", "but", "or")
        if (fresh or parting) and members[-1]:
            members.append([])
        if parting:
            number.append(-1)
        else:
            number.append(len(members) - 1)
            members[-1].append(k)
    return Limbs(tuple(number), tuple(tuple(each) for each in members))


def _inside(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a mark belongs to the words beside it ("'s", "/", "%")."""
    return pieces[k].text not in (",", ";", ":", "(", ")", "\u2013", "\u2014", ".", "!", "?")


def nominal(piece: Piece) -> bool:
    """Whether a piece is a thing, a person or a number."""
    return (piece.part in _NOMINAL and not piece.label) or piece.figure or piece.lower in PERSONAL


def placed(match: Match, claim: Reading, texts: Evidence) -> tuple[Step, ...]:
    """The content words of a clause, each with its place in the texts, by the fewest steps from limb to limb."""
    limbs = limbs_of(texts)
    found = {each.piece: each for each in match.found}
    words = [k for k in match.clause.members if _counts(k, match.clause, claim)]
    options: list[tuple[int, list[int]]] = []
    for k in words:
        each = found.get(k)
        first = [each.other] if each is not None and each.other >= 0 and each.spot is not Spot.NOWHERE else []
        rest = [n for n in range(len(texts.pieces)) if n not in first and _alike(claim.pieces[k], texts.pieces[n])]
        if claim.pieces[k].one and not (k and claim.pieces[k - 1].quantity is not None):
            freely = [n for n in (*first, *_rates(claim.pieces[k], texts)) if _freely(n, texts)]
            first = list(dict.fromkeys(freely)) or first
        if claim.pieces[k].figure and any(texts.pieces[n].lower == claim.pieces[k].lower for n in rest):
            first = [n for n in first if texts.pieces[n].lower == claim.pieces[k].lower]
        places = [n for n in (*first, *rest) if limbs.number[n] >= 0][:_MOST]
        if places:
            options.append((k, places))
    return _path(options, limbs, texts)


def near_copy(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether a clause says what it says in the very words of the text, so that their order and parts tell.

    Of another wording they do not: what a paraphrase puts together is compared by its clauses.
    """
    for each in match.found:
        piece = claim.pieces[each.piece]
        if piece.figure or (each.piece == match.clause.verb and light(piece)):
            continue
        if each.spot is Spot.NOWHERE or each.other < 0:
            return False
        text = texts.pieces[each.other]
        if piece.lower != text.lower and not piece.lemmas & text.lemmas and each.sign > 0:
            return False
    return True


def _counts(k: int, clause: Frame, claim: Reading) -> bool:
    piece = claim.pieces[k]
    if piece.part is Part.ADVERB:
        return says(piece)
    if piece.part not in _CONTENT and piece.lower not in PERSONAL:
        return False
    return not (piece.part in (Part.VERB, Part.PARTICIPLE) and light(piece))


def _rates(piece: Piece, texts: Evidence) -> list[int]:
    """The places of what says the same as "a day" does."""
    return [n for n, each in enumerate(texts.pieces) if each.one and each.quantity == piece.quantity]


def _freely(k: int, texts: Evidence) -> bool:
    """Whether "a day" says by itself how often ("twice a day" does not say that it is once)."""
    before = texts.pieces[k - 1] if k else None
    return before is None or before.quantity is None or not texts.pieces[k].one


def _alike(mine: Piece, text: Piece) -> bool:
    if mine.figure or text.figure or mine.label:
        return mine.lower == text.lower
    if mine.part in (Part.NAME,) or mine.lower in PERSONAL:
        return mine.lower == text.lower
    return text.part in (*_CONTENT, Part.ADVERB) and (mine.lower == text.lower or bool(mine.lemmas & text.lemmas))


def _path(options: Sequence[tuple[int, list[int]]], limbs: Limbs, texts: Evidence) -> tuple[Step, ...]:
    """The cheapest places, one for each word (Viterbi's algorithm)."""
    if not options:
        return ()
    costs = {n: 0.1 * rank for rank, n in enumerate(options[0][1])}
    back: list[dict[int, int]] = []
    for _, places in options[1:]:
        fresh: dict[int, float] = {}
        links: dict[int, int] = {}
        for rank, n in enumerate(places):
            best = min(costs, key=lambda m: (costs[m] + _cost(m, n, limbs, texts), m))
            fresh[n] = costs[best] + _cost(best, n, limbs, texts) + 0.1 * rank
            links[n] = best
        costs = fresh
        back.append(links)
    at = min(costs, key=lambda m: (costs[m], m))
    out = [at]
    for links in reversed(back):
        at = links[at]
        out.append(at)
    out.reverse()
    return tuple(Step(k, n) for (k, _), n in zip(options, out, strict=True))


def _cost(a: int, b: int, limbs: Limbs, texts: Evidence) -> float:
    if limbs.number[a] == limbs.number[b]:
        return 0.0 if a < b else 1.0 if a > b else 2.0
    one, other = texts.frame_of(a), texts.frame_of(b)
    same = one is not None and other is not None and one.sentence == other.sentence
    return 3.0 if same else 5.0


def preposition(k: int, pieces: Sequence[Piece], within: tuple[int, int] | None = None) -> str:
    """The preposition before the phrase of a piece, perhaps only behind another piece; "" for none."""
    n = k - 1
    while (
        n >= 0
        and not (pieces[n].figure and n + 1 < k and pieces[n + 1].figure)
        and (pieces[n].part in _INSIDE or pieces[n].lower in ("'s", "\u2019s"))
    ):
        n -= 1
    if n < 0 or pieces[n].part is not Part.PREPOSITION or (within is not None and n <= within[0]):
        return ""
    return pieces[n].lower
