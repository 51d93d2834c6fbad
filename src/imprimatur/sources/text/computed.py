"""Numbers of a claim that follow from those of the texts, each with the step that gives it.

A step counts only where what it is made of stands at words that the claim has too, where the texts have hardly another
number, or where the result is no chance one. Nothing here decides whether the words fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from imprimatur.sources.text.bindings import bound_to
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.deriving import derive, rates, results
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot, content_of
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.steps import Step
from imprimatur.sources.text.terms import Term, terms_of
from imprimatur.sources.text.words import likeness
from imprimatur.values import Bound, Quantity

__all__ = ["Computing"]

#: A number of so many digits is no chance result.
_FINE = 3


@dataclass(frozen=True, slots=True)
class Computing:
    """The numbers of a claim against all that follow from those of the texts."""

    claim: Reading
    texts: Evidence
    limits: TextLimits

    def loose(self, found: Found) -> bool:
        piece = self.claim.pieces[found.piece]
        return piece.quantity is not None and not piece.label and not piece.one

    def derived(self, match: Match, *, anew: bool) -> dict[int, Step]:
        """How the numbers of the clause that no text has follow from those that the texts have."""
        gone = [f for f in match.found if f.spot is Spot.NOWHERE or (anew and self.loose(f))]
        lost = [f.piece for f in gone if _figure(self.claim.pieces[f.piece])]
        if not lost:
            return {}
        terms = terms_of(self.texts.pieces)
        found = {k: step for k in lost if (step := self._step(k, terms, match)) is not None}
        made = frozenset(k for step in found.values() for k in step.pieces)
        for k in lost:  # "22.7 g, or roughly 27%": another number made of the same ones
            same = [s for s in derive(self.claim.pieces[k], terms, self.limits.about) if s.pieces <= made]
            if k not in found and same:
                found[k] = same[0]
        left = [k for k in lost if k not in found]
        ones = [k for k in left if self.claim.pieces[k].one]
        if ones and any(step.rate for step in found.values()):
            return found | {k: Step("what it is divided by", frozenset()) for k in ones}
        if len(left) == 1 and found and self._number_of(left[0], found):
            return found | {left[0]: Step("the numbers that are added", frozenset())}
        if len(left) == 2:
            return found | self._scaled(left, terms)
        return found

    def listed(self, match: Match) -> dict[int, Step]:
        """ "All three lie above 80%": a bound that each number listed in the frame satisfies, and their count."""
        own = match.clause.members
        if not any(self.claim.pieces[k].lower in ("all", "both") for k in own):
            return {}
        for k in own:
            piece = self.claim.pieces[k]
            if piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT):
                continue
            texts = [m for m in match.frame.members if comparable(piece, self.texts.pieces[m])]
            if len(texts) < 2 or any(fits(piece, self.texts.pieces[m], self.limits) is not Fit.YES for m in texts):
                continue
            said = "each of " + ", ".join(self.texts.pieces[m].text for m in texts)
            step = Step(said, frozenset(texts))
            counts = (m for m in own if _is_count(self.claim.pieces[m], len(texts)))
            return {k: step} | dict.fromkeys(counts, step)
        return {}

    def _step(self, k: int, terms: Sequence[Term], match: Match) -> Step | None:
        piece = self.claim.pieces[k]
        per = next((p for p in self.claim.pieces[k + 1 : k + 5] if p.one), None)
        steps = derive(piece, terms, self.limits.about)
        if per is not None and per.quantity is not None:
            steps += rates(piece, per.quantity, terms, self.limits.about)
        stated = {f.other for f in match.found if f.other >= 0}
        ranked = sorted(steps, key=lambda step: (-self._relevance(step), len(step.pieces & stated)))
        fine = piece.quantity is not None and piece.quantity.low.significant >= _FINE
        if not ranked or not (self._relevance(ranked[0]) > 0 or len(terms) <= 2 or fine):
            return None
        exact = piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT)
        return ranked[0] if exact or self._surely(ranked[0], terms, piece.quantity) else None

    def _surely(self, step: Step, terms: Sequence[Term], stated: Quantity | None) -> bool:
        """Whether no other result of the same kind, made of what the claim speaks of more, breaks a stated bound."""
        timed = step.said.startswith("from ")
        if stated is None or not (step.ratio or timed):
            return False
        level = self._relevance(step)
        good = _fitting(stated, terms, self.limits)
        rivals_ = [s for s in results(terms, stated) if s.ratio is step.ratio and s.said.startswith("from ") is timed]
        return all(self._relevance(other) < level or other in good for other in rivals_)

    def _relevance(self, step: Step) -> int:
        """How many of the numbers that a step was made of stand at words that the claim has too."""
        said = 0
        for k in step.pieces:
            frame = self.texts.frame_of(k)
            if frame is None:
                continue
            hosts = [self.texts.pieces[h] for h in bound_to(k, frame, self.texts.pieces)]
            around = [self.texts.pieces[m] for m in content_of(frame, self.texts.pieces)]
            said += 2 * any(likeness(p, host) for host in hosts for p in self._own)
            said += any(likeness(p, text) for text in around for p in self._own)
        return said

    @property
    def _own(self) -> list[Piece]:
        """The words of the claim that say something."""
        return [
            p
            for frame in self.claim.frames
            for k in content_of(frame, self.claim.pieces)
            if not (p := self.claim.pieces[k]).figure
        ]

    def _number_of(self, k: int, found: dict[int, Step]) -> bool:
        """Whether a number says how many numbers were added ("the two plants make 3,400")."""
        quantity = self.claim.pieces[k].quantity
        if quantity is None or quantity.unit is not None:
            return False
        return any(quantity.low.value == len(step.pieces) for step in found.values())

    def _scaled(self, lost: Sequence[int], terms: Sequence[Term]) -> dict[int, Step]:
        """ "Four nights cost $100": a number of the claim's own by which one of the texts is multiplied."""
        for free, result in (tuple(lost), tuple(reversed(lost))):
            own = terms_of([self.claim.pieces[free]])
            quantity = self.claim.pieces[free].quantity
            if not own or quantity is None or quantity.low.value < 1:
                continue
            for term in terms:
                share = term.unit is not None and term.unit.symbol == "%"
                if quantity.unit is not None and not share:
                    continue
                scaled = Term(-1, own[0].said, own[0].value, own[0].unit)
                steps = derive(self.claim.pieces[result], [scaled, term], Fraction(0))
                step = next((s for s in steps if " x " in s.said or " of " in s.said), None)
                if step is not None:
                    made = frozenset({term.piece})
                    return {result: Step(step.said, made), free: Step("a number of times", made)}
        return {}


def _is_count(piece: Piece, many: int) -> bool:
    quantity = piece.quantity
    return quantity is not None and quantity.unit is None and quantity.low.value == many


def _figure(piece: Piece) -> bool:
    """Whether a piece is a number or a day, with or without its year."""
    return piece.figure or (piece.part is Part.NAME and piece.lower[:1].isdigit() and " " in piece.lower)


def _fitting(stated: Quantity, terms: Sequence[Term], limits: TextLimits) -> list[Step]:
    """The steps that satisfy a quantity."""
    piece = Piece(start=0, end=0, text="", lower="", part=Part.NUMBER, quantity=stated)
    return derive(piece, terms, limits.about)
