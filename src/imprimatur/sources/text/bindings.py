"""What a number belongs to: the words beside it that say of what it is the number, and whether a claim keeps them.

A number is bound to the noun that it counts or measures, to the adjectives between, to the noun before it ("a limit of
10 mg"), to its preposition, and to the verb before it. When a claim binds a number to a word to which the text binds
another number of the same kind, the numbers are swapped or at the wrong noun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.matching import Evidence, Match, Spot
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness
from imprimatur.verdict import Reason

__all__ = ["bound_to", "misbound"]

_AFTER = (Part.NOUN, Part.ADJECTIVE, Part.NAME)
#: Prepositions that place a number among others of its kind.
_PLACING = frozenset("from to at by over within after before above below under until since for in between".split())


def misbound(match: Match, claim: Reading, texts: Evidence, limits: TextLimits) -> Iterator[Mark]:
    """A mark for each number of the clause that the texts bind to other words, with the words' own number."""
    for found in match.found:
        piece = claim.pieces[found.piece]
        if not piece.figure or piece.date is not None or found.spot is Spot.NOWHERE:
            continue
        for host in bound_to(found.piece, match.clause, claim.pieces):
            wrong = _other_number(piece, host, claim, match.frame, texts, limits)
            if wrong is not None:
                word = claim.pieces[host].text
                detail = f"for “{word}” the text has {wrong.text}"
                yield Mark(
                    reason=Reason.NUMBER_NOT_IN_SOURCE, start=piece.start, end=piece.end, detail=detail, against=True
                )
                break


def _other_number(
    piece: Piece, host: int, claim: Reading, frame: Frame, texts: Evidence, limits: TextLimits
) -> Piece | None:
    """The number that the texts bind to a word of the claim, where none that they bind to it fits the claim's."""
    word = claim.pieces[host]
    other: Piece | None = None
    for each in texts.frames if word.part in _AFTER else (frame,):
        for k in each.members:
            text = texts.pieces[k]
            if not text.figure or not comparable(piece, text):
                continue
            hosts = bound_to(k, each, texts.pieces)
            if not any(_same_host(word, texts.pieces[h]) for h in hosts):
                continue
            if fits(piece, text, limits) is not Fit.APART and fits(piece, text, limits) is not Fit.NO:
                return None
            other = other or text
    return other


def _same_host(word: Piece, text: Piece) -> bool:
    if Part.PREPOSITION in (word.part, text.part):
        return word.lower == text.lower
    return word.lower == text.lower or likeness(word, text) == 1


def bound_to(k: int, frame: Frame, pieces: Sequence[Piece]) -> list[int]:
    """The words that a number of a frame is bound to."""
    members = frame.members
    n = members.index(k)
    return [*_behind(members[n + 1 :], pieces), *_ahead(members[:n], pieces, frame)]


def _behind(after: Sequence[int], pieces: Sequence[Piece]) -> Iterator[int]:
    """Adjectives and nouns right behind, and the noun phrase of an "of" behind them."""
    passed = False
    for position, k in enumerate(after):
        piece = pieces[k]
        if piece.part in _AFTER:
            yield k
            passed = passed or piece.part is not Part.ADJECTIVE
        elif piece.lower == "of" and position == 0:
            yield from _phrase(after[1:], pieces)
            return
        elif piece.part is Part.CONJUNCTION and not passed and position + 1 < len(after):
            noun = next((m for m in after[position + 1 :] if pieces[m].part is Part.NOUN), None)
            if pieces[after[position + 1]].figure and noun is not None:
                yield noun  # "3 critical and 11 minor defects"
            return
        else:
            return


def _phrase(after: Sequence[int], pieces: Sequence[Piece]) -> Iterator[int]:
    for k in after:
        piece = pieces[k]
        if piece.part in _AFTER:
            yield k
        elif piece.part not in (Part.DETERMINER, Part.PRONOUN, Part.NUMBER):
            return


def _ahead(before: Sequence[int], pieces: Sequence[Piece], frame: Frame) -> Iterator[int]:
    """The preposition, verb or noun right before; of a copula the head of the subject."""
    if not before:
        return
    k = before[-1]
    piece = pieces[k]
    if piece.lower == "of":
        noun = next((m for m in reversed(before[:-1]) if pieces[m].part is Part.NOUN), None)
        if noun is not None:
            yield noun
    elif piece.part is Part.PREPOSITION and piece.lower in _PLACING:
        yield k
    elif k == frame.verb or piece.part is Part.VERB:
        yield k
        if piece.part is Part.AUXILIARY:
            yield from _head(frame, pieces)
    elif piece.part is Part.AUXILIARY:
        yield from _head(frame, pieces)


def _head(frame: Frame, pieces: Sequence[Piece]) -> Iterator[int]:
    """The head of the subject: its last noun before "of" or another preposition."""
    head: int | None = None
    for k, place in zip(frame.members, frame.places, strict=True):
        if place != "subj" or pieces[k].lower == "of":
            break
        if pieces[k].part in (Part.NOUN, Part.NAME):
            head = k
    if head is not None:
        yield head
