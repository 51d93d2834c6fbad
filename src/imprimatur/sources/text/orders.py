"""Comparisons that an inference draws ("more than", "later than", "twice as many as"): computed from the premises.

Two sides are looked for around "than"; each takes the number of the texts whose words are nearest to what tells it from
the other side. What cannot be computed is not granted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from imprimatur.language.rounding import convert
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness

__all__ = ["Order", "order_of"]


@dataclass(frozen=True, slots=True)
class Order:
    """A comparison of the claim: whether the texts bear it out (None: they do not tell), and how."""

    start: int
    end: int
    holds: bool | None
    said: str = ""


def order_of(clause: Frame, claim: Reading, texts: Evidence) -> Order | None:
    """The comparison that a clause draws; None when it draws none."""
    pieces = claim.pieces
    than = next((n for n, k in enumerate(clause.members) if pieces[k].lower == "than"), None)
    if than is None:
        return None
    graded = next((n for n in range(than - 1, -1, -1) if sign_of(pieces[clause.members[n]])), None)
    if graded is None:
        return None
    word = pieces[clause.members[graded]]
    left = _distinct(clause.members[:graded], clause.members[than + 1 :], pieces)
    right = _distinct(clause.members[than + 1 :], clause.members[:graded], pieces)
    said = next((pieces[k] for k in clause.members[:graded] if pieces[k].quantity and not pieces[k].label), None)
    if said is not None and said.quantity is not None and (not said.quantity.unit or said.quantity.unit.symbol == "pp"):
        said = None  # a count or a number of times says nothing of the kind of what is compared
    a, b = _value(left, right, texts, said), _value(right, left, texts, said)
    if a is None or b is None or a is b:
        return Order(word.start, word.end, None)
    gap = _gap(a, b)
    if gap is None:
        return Order(word.start, word.end, None)
    return Order(word.start, word.end, gap * sign_of(word) > 0, f"{a.text} against {b.text}")


def _distinct(own: Sequence[int], others: Sequence[int], pieces: Sequence[Piece]) -> list[Piece]:
    """What one side says and the other does not."""
    theirs = {pieces[k].lower for k in others}
    parts = (Part.NAME, Part.NOUN, Part.VERB, Part.PARTICIPLE, Part.DATE, Part.ADJECTIVE, Part.NUMBER)
    mine = [pieces[k] for k in own if pieces[k].part in parts and pieces[k].lower not in theirs]
    if any(pieces[k].part in (Part.NAME, Part.DATE, Part.NUMBER) for k in others):
        named = [piece for piece in mine if piece.part in (Part.NAME, Part.DATE)]
        return named or [piece for piece in mine if piece.part is Part.NUMBER] or mine
    return mine


def _value(side: Sequence[Piece], other: Sequence[Piece], texts: Evidence, said: Piece | None) -> Piece | None:
    """The number whose frame has most of one side and least of the other; of the kind of the difference ``said``."""
    best: tuple[float, Piece] | None = None
    for frame in texts.frames:
        for k in frame.members:
            figure = texts.pieces[k]
            if said is not None and not comparable(said, figure):
                continue
            if figure.quantity is None or figure.label or figure.one or any(_is(p, figure) for p in (*side, *other)):
                continue
            near = sum(_distance(piece, k, frame, texts) for piece in side)
            far = sum(_distance(piece, k, frame, texts) for piece in other)
            if near > far and near > 0 and (best is None or near - far > best[0]):
                best = (near - far, figure)
    return best[1] if best else None


def _distance(piece: Piece, at: int, frame: Frame, texts: Evidence) -> float:
    """How near a word stands to a figure in its frame, from 1 on down; 0 where it is not there."""
    places = [abs(k - at) for k in (*frame.members, *texts.lent(frame)) if _is(piece, texts.pieces[k])]
    return 1 / (1 + min(places)) if places else 0.0


def _is(piece: Piece, text: Piece) -> bool:
    if piece.figure or text.figure:
        return piece.lower == text.lower
    return piece.lower == text.lower or likeness(piece, text) == 1


def _gap(a: Piece, b: Piece) -> Fraction | None:
    if a.quantity is None or b.quantity is None:
        return None
    if a.quantity.unit is None and b.quantity.unit is None:
        return a.quantity.low.value - b.quantity.low.value
    if a.quantity.unit is None or b.quantity.unit is None:
        return None
    other = convert(b.quantity.low.value, b.quantity.unit, a.quantity.unit)
    return None if other is None else a.quantity.low.value - other
