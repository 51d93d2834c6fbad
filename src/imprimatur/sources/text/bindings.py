"""What a number belongs to: the words beside it that say of what it is the number, and whether a claim keeps them.

A number is bound to the noun that it counts or measures, to the adjectives between, to the noun before it ("a limit of
10 mg"), to its preposition, and to the verb before it. When a claim binds a number to a word to which the text binds
another number of the same kind, the numbers are swapped or at the wrong noun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.beside import beside, ranks
from imprimatur.sources.text.comparison import Mark, TextLimits
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness
from imprimatur.verdict import Reason

__all__ = ["bound_to", "misbound"]

_AFTER = (Part.NOUN, Part.ADJECTIVE, Part.NAME)
#: Prepositions that place a number among others of its kind.
_PLACING = frozenset("from to at by over within after before above below under until since for in between than".split())


def misbound(match: Match, claim: Reading, texts: Evidence, limits: TextLimits) -> Iterator[Mark]:
    """A mark for each number of the clause that the texts bind to other words, with the words' own number."""
    figures = [f for f in match.found if claim.pieces[f.piece].figure and f.spot is not Spot.NOWHERE]
    for found in figures:
        piece = claim.pieces[found.piece]
        detail = _apart(found, match, claim, texts) or _rival(found, match, claim, texts, limits)
        detail = detail or _crossed(found, figures, claim, texts) or beside(found, match, claim, texts)
        if detail:
            yield Mark(
                reason=Reason.NUMBER_NOT_IN_SOURCE, start=piece.start, end=piece.end, detail=detail, against=True
            )


def _rival(found: Found, match: Match, claim: Reading, texts: Evidence, limits: TextLimits) -> str:
    """What number the texts bind to a word to which the claim binds another; "" for none."""
    piece, text = claim.pieces[found.piece], texts.pieces[found.other]
    told = text.date is not None and not any(c.isdigit() for c in text.text) and found.spot is Spot.HERE
    for host in bound_to(found.piece, match.clause, claim.pieces):
        if told and claim.pieces[host].part is Part.PREPOSITION:
            continue  # "in 2024" for "the year before"
        wrong = _other_number(piece, host, claim, match.frame, texts, limits)
        if wrong is not None:
            return f"for “{claim.pieces[host].text}” the text has {wrong.text}"
    return ""


def _crossed(found: Found, others: Sequence[Found], claim: Reading, texts: Evidence) -> str:
    """What is beside another number of the claim in the text, when each of the two has the words beside the other."""
    text = texts.pieces[found.other]
    for other in others:
        if other is found or other.other == found.other or not comparable(text, texts.pieces[other.other]):
            continue
        mine, theirs = (_beside(f.piece, claim.pieces) for f in (found, other))
        here, there = (_beside(f.other, texts.pieces) for f in (found, other))
        straight = _alike(mine, here) + _alike(theirs, there)
        crossed = _alike(mine, there) + _alike(theirs, here)
        if (
            crossed > straight
            and _alike(mine, there) > _alike(mine, here)
            and _alike(theirs, here) > _alike(theirs, there)
        ):
            return f"the text has {text.text} {' '.join(piece.text for piece in here)}"
    return ""


def _beside(k: int, pieces: Sequence[Piece]) -> list[Piece]:
    """The words between a number and the next one, comma or conjunction."""
    out: list[Piece] = []
    for piece in pieces[k + 1 :]:
        if piece.part in (Part.CONJUNCTION, Part.MARK) or (piece.figure and not piece.one and not ranks(piece)):
            break
        if piece.part in (*_AFTER, Part.VERB, Part.PARTICIPLE) or ranks(piece):
            out.append(piece)
    return out


def _alike(mine: Sequence[Piece], theirs: Sequence[Piece]) -> int:
    return sum(any(a.lower == b.lower or likeness(a, b) == 1 for b in theirs) for a in mine)


def _apart(found: Found, match: Match, claim: Reading, texts: Evidence) -> str:
    """Whether the claim counts other things with a number than the text does, or places it elsewhere."""
    home = texts.frame_of(found.other)
    if home is None:
        return ""
    mine = bound_to(found.piece, match.clause, claim.pieces)
    theirs = bound_to(found.other, home, texts.pieces, widely=True)
    piece, text = claim.pieces[found.piece], texts.pieces[found.other]
    counted = [claim.pieces[h] for h in mine if claim.pieces[h].part is Part.NOUN and h > found.piece]
    others = [texts.pieces[h] for h in theirs if texts.pieces[h].part is Part.NOUN and h > found.other]
    bare = piece.quantity is not None and piece.quantity.unit is None and not piece.quantity.ordinal
    if bare and counted and others and not any(likeness(a, b) for a in counted for b in others):
        return f"the text has {text.text} {others[0].text}"
    for a in _placed(found.piece, match.clause, claim.pieces):
        rivals = [b for b in _placed(found.other, home, texts.pieces) if b[0] == a[0]]
        if rivals and not any(_same_place(a[1], b[1], claim, texts) for b in rivals):
            return f"the text has {text.text} {a[0]} {texts.pieces[rivals[0][1]].text}"
    return ""


def _same_place(a: int, b: int, claim: Reading, texts: Evidence) -> bool:
    one, other = claim.pieces[a], texts.pieces[b]
    if one.date is not None and other.date is not None:
        return (one.date.first, one.date.last) == (other.date.first, other.date.last) or _overlap(one, other)
    return one.lower == other.lower or likeness(one, other) == 1 or one.part is not other.part


def _overlap(one: Piece, other: Piece) -> bool:
    a, b = one.date, other.date
    if a is None or b is None or None in (a.first, a.last, b.first, b.last):
        return True
    return bool(a.first <= b.last and b.first <= a.last)  # type: ignore[operator]


def _placed(k: int, frame: Frame, pieces: Sequence[Piece]) -> list[tuple[str, int]]:
    """The names and dates behind a number, each with its preposition: "340 people in Lyon", "€5 million in 2023"."""
    members = frame.members
    n = members.index(k) + 1
    while n < len(members) and pieces[members[n]].part in (Part.NOUN, Part.ADJECTIVE):
        n += 1
    if n + 1 >= len(members) or pieces[members[n]].part is not Part.PREPOSITION:
        return []
    if pieces[members[n]].lower == "of":
        return []
    target = members[n + 1]
    named = pieces[target].date is not None or (pieces[target].part is Part.NAME and not pieces[target].label)
    return [(pieces[members[n]].lower, target)] if named else []


def _other_number(
    piece: Piece, host: int, claim: Reading, frame: Frame, texts: Evidence, limits: TextLimits
) -> Piece | None:
    """The number that the texts bind to a word of the claim, where none that they bind to it fits the claim's."""
    word = claim.pieces[host]
    other: Piece | None = None
    for each in texts.frames if word.part in _AFTER else (frame,):
        for k in each.members:
            text = texts.pieces[k]
            if not text.figure or not comparable(piece, text) or text.one:
                continue
            hosts = bound_to(k, each, texts.pieces, widely=True)
            if not any(_same_host(word, texts.pieces[h]) for h in hosts):
                continue
            if fits(piece, text, limits) is not Fit.APART and fits(piece, text, limits) is not Fit.NO:
                return None
            other = other or text
    return other


def _same_host(word: Piece, text: Piece) -> bool:
    if not {Part.PREPOSITION, Part.DETERMINER, Part.ADVERB}.isdisjoint((word.part, text.part)):
        return word.lower == text.lower
    return word.lower == text.lower or likeness(word, text) == 1


def bound_to(k: int, frame: Frame, pieces: Sequence[Piece], *, widely: bool = False) -> list[int]:
    """The words that a number of a frame is bound to.

    ``widely``: also what another number counts ("7 of 30 games").
    """
    members = frame.members
    n = members.index(k)
    behind = list(_behind(members[n + 1 :], pieces, widely=widely))
    ahead = list(_ahead(members[:n], pieces, frame))
    if any(pieces[h].part is Part.NOUN for h in behind):
        ahead = [h for h in ahead if pieces[h].part is not Part.VERB]  # "found 3 critical and 11 minor defects"
    return [*behind, *ahead]


def _behind(after: Sequence[int], pieces: Sequence[Piece], *, widely: bool) -> Iterator[int]:
    """Adjectives and nouns right behind, and the noun phrase of an "of" behind them."""
    passed = False
    for position, k in enumerate(after):
        piece = pieces[k]
        if piece.part in _AFTER:
            yield k
            passed = passed or piece.part is not Part.ADJECTIVE
        elif piece.lower == "of":
            yield from _phrase(after[position + 1 :], pieces, widely=widely)
            return
        elif piece.part is Part.CONJUNCTION and not passed and position + 1 < len(after):
            noun = next((m for m in after[position + 1 :] if pieces[m].part is Part.NOUN), None)
            if pieces[after[position + 1]].figure and noun is not None:
                yield noun  # "3 critical and 11 minor defects"
            return
        else:
            return


def _phrase(after: Sequence[int], pieces: Sequence[Piece], *, widely: bool) -> Iterator[int]:
    for n, k in enumerate(after):
        piece = pieces[k]
        owner = n + 1 < len(after) and pieces[after[n + 1]].lower in ("'s", "'", "\u2019s", "\u2019")
        if piece.part in _AFTER:
            if not owner:
                yield k
        elif piece.part is Part.NUMBER and widely:
            continue
        elif piece.part not in (Part.DETERMINER, Part.PRONOUN, Part.MARK):
            return  # a number of its own counts what follows


def _ahead(before: Sequence[int], pieces: Sequence[Piece], frame: Frame) -> Iterator[int]:
    """The preposition, verb or noun right before; of a copula the head of the subject."""
    if not before:
        return
    k = before[-1]
    piece = pieces[k]
    if piece.lower == "of":
        if len(before) > 1 and pieces[before[-2]].lower == "instead":
            yield before[-2]
            return
        noun = next((m for m in reversed(before[:-1]) if pieces[m].part is Part.NOUN), None)
        if noun is not None:
            yield noun
    elif (piece.part is Part.PREPOSITION and piece.lower in _PLACING) or piece.lower in ("every", "each"):
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
