"""Frames: the clauses of a text, each with its verb, its phrases and their places, and what it takes from others.

A frame is as much of a sentence as one verb governs: a main clause, a relative or subordinate one, a further verb of
one subject, or an elliptic rest ("… and 85 in Ghent", "but not in water"). A passive is turned round, so that its
subject is ``obj`` and its agent ``subj``. Where the cuts are wrong a comparison finds less in common, never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from imprimatur.extract.words import BE, forms
from imprimatur.sources.text.cutting import pieces_of
from imprimatur.sources.text.drafts import Draft, drafts, inverted
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["Frame", "Reading", "read"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause.

    Attributes:
        number: its place among the frames of its text.
        sentence: the number of its sentence.
        members: the indices of its pieces, in order.
        places: for each member, ``subj``, ``verb``, ``obj`` or a preposition.
        opener: the conjunction or relative word that it begins with, "" for none.
        verb: the index of its main verb or copula; -1 for none.
        lender: the frame that its subject (for an elliptic one its verb too) is taken from; -1 for none.
        elliptic: it has no verb of its own.
    """

    number: int
    sentence: int
    members: tuple[int, ...]
    places: tuple[str, ...]
    opener: str
    verb: int
    passive: bool
    lender: int
    elliptic: bool

    @property
    def reach(self) -> tuple[int, int]:
        """From the piece before its first one, which may open it, to behind its last one."""
        return max(0, self.members[0] - 2), self.members[-1] + 1

    def place(self, index: int) -> str:
        """The place of one of its pieces."""
        return self.places[self.members.index(index)]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's pieces and frames."""

    text: str
    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]


@lru_cache(2048)
def read(text: str, locale: str = "en") -> Reading:
    """The pieces and frames of a text."""
    pieces = pieces_of(text, locale)
    return Reading(text, pieces, tuple(_frames(pieces)))


def _frames(pieces: Sequence[Piece]) -> Iterator[Frame]:
    done: list[Frame] = []
    for number, draft in enumerate(drafts(pieces)):
        done.append(_frame(number, draft, pieces, done[-1] if done else None))
    yield from _fronted(done, pieces)


def _fronted(frames: Sequence[Frame], pieces: Sequence[Piece]) -> Iterator[Frame]:
    """The frames; participles before the main clause take its subject ("built in 1911, the mill …")."""
    for n, frame in enumerate(frames):
        opens = n == 0 or frames[n - 1].sentence != frame.sentence
        goes_on = n > 0 and frame.opener == "and" and frames[n - 1].sentence == frame.sentence
        if frame.verb >= 0 and _bare(frame.members, frame.verb, pieces) and (opens or goes_on):
            main = next((f for f in frames[n + 1 :] if f.sentence == frame.sentence and _has_subject(f, pieces)), None)
            led = opens and pieces[frame.verb].part is Part.PARTICIPLE
            led = led or (goes_on and frames[n - 1].lender > frames[n - 1].number)
            if main is not None and led:
                frame = replace(frame, lender=main.number, passive=frames[n - 1].passive if goes_on else frame.passive)
        frames = [*frames[:n], frame, *frames[n + 1 :]]
    yield from frames


def _has_subject(frame: Frame, pieces: Sequence[Piece]) -> bool:
    return frame.verb >= 0 and not _bare(frame.members, frame.verb, pieces) and pieces[frame.members[0]].text != ","


def _frame(number: int, draft: Draft, pieces: Sequence[Piece], before: Frame | None) -> Frame:
    members = draft.members
    pivot = _pivot(members, pieces)
    verb = _main(members, pivot, pieces)
    passive = _passive(members, verb, draft.opener, pieces)
    if passive and before is not None and draft.opener in ("and", "but", "or", "") and _bare(members, verb, pieces):
        passive = before.passive or (
            draft.opener == "" and pieces[verb].part is Part.PARTICIPLE and not draft.coordinate
        )
    places = _places(members, pivot, verb, pieces)
    if passive:
        swap = {"subj": "obj", "obj": "pred", "by": "subj"}
        places = [swap.get(place, place) for place in places]
    return Frame(
        number=number,
        sentence=draft.sentence,
        members=tuple(members),
        places=tuple(places),
        opener=draft.opener,
        verb=verb,
        passive=passive,
        lender=_lender(number, draft, pieces, places),
        elliptic=verb < 0,
    )


def _pivot(members: Sequence[int], pieces: Sequence[Piece]) -> int:
    """The first finite verb or auxiliary; else the first participle; -1 for none."""
    for parts in ((Part.AUXILIARY,), (Part.VERB,), (Part.PARTICIPLE,)):
        found = next((k for k in members if pieces[k].part in parts), None)
        if found is not None:
            return found
    return -1


def _main(members: Sequence[int], pivot: int, pieces: Sequence[Piece]) -> int:
    """The verb that an auxiliary leads to, or the auxiliary itself."""
    if pivot < 0 or pieces[pivot].part is not Part.AUXILIARY:
        return pivot
    turned = inverted(members, pieces)
    for k in members:
        if k <= pivot:
            continue
        if pieces[k].part in (Part.VERB, Part.PARTICIPLE):
            return k
        if turned or pieces[k].lower == "yet":
            continue
        if pieces[k].lower == "to" and k + 1 in members and pieces[k + 1].part in (Part.VERB, Part.AUXILIARY):
            continue  # "is to receive"
        rank = pieces[k].quantity
        if rank is not None and rank.ordinal:
            continue  # "was first postponed"
        if pieces[k].part not in (Part.AUXILIARY, Part.ADVERB, Part.NEGATOR, Part.PRONOUN):
            break
    return pivot


def _passive(members: Sequence[int], verb: int, opener: str, pieces: Sequence[Piece]) -> bool:
    if verb < 0 or pieces[verb].part not in (Part.VERB, Part.PARTICIPLE):
        return False
    if "pp" not in forms(pieces[verb].lower).verb_forms:
        return False
    before = [pieces[k] for k in members if k < verb]
    auxiliary = [piece for piece in before if piece.part is Part.AUXILIARY]
    if auxiliary:
        return auxiliary[-1].lower in BE
    if opener in ("who", "which", "that") and "past" in forms(pieces[verb].lower).verb_forms:
        return False  # "who called the doctor"
    subjects = (Part.NOUN, Part.NAME, Part.NUMBER, Part.PRONOUN)
    return pieces[verb].part is Part.PARTICIPLE or not any(p.part in subjects for p in before)


def _places(members: Sequence[int], pivot: int, verb: int, pieces: Sequence[Piece]) -> list[str]:
    places: list[str] = []
    place = "subj"
    before = True
    for k in members:
        piece = pieces[k]
        if k in (pivot, verb):
            before = False
            place = "obj"
            places.append("verb")
            continue
        if piece.part is Part.PREPOSITION and piece.lower != "of":
            place = piece.lower
        elif before and place != "subj" and (piece.text == "," or _opens_subject(k, pieces)):
            place = "subj"
        elif piece.part is Part.VERB and not before:
            place = "obj"
        places.append(place)
    return places


def _opens_subject(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a subject begins behind a phrase that stands in front ("On 5 May Ann came")."""
    piece, before = pieces[k], pieces[k - 1] if k else None
    if before is None or before.part is Part.PREPOSITION:
        return False
    if piece.lower in ("the", "a", "an", "no") or (piece.part is Part.PRONOUN and not piece.lower.endswith("s")):
        return before.part is not Part.DETERMINER
    named = piece.part is Part.NAME and not piece.label
    return named and (before.figure or before.part is Part.NOUN)


def _object_follows(members: Sequence[int], verb: int, pieces: Sequence[Piece]) -> bool:
    """Whether a phrase stands right behind the verb."""
    after = next((pieces[k] for k in members if k > verb), None)
    return after is not None and (after.figure or after.part in (Part.DETERMINER, Part.NOUN, Part.NAME, Part.ADJECTIVE))


def _bare(members: Sequence[int], verb: int, pieces: Sequence[Piece]) -> bool:
    """Whether neither a subject nor an auxiliary stands before the verb."""
    return not any(
        pieces[k].part in (Part.NOUN, Part.NAME, Part.AUXILIARY, Part.PRONOUN, Part.NUMBER) for k in members if k < verb
    )


def _lender(number: int, draft: Draft, pieces: Sequence[Piece], places: Sequence[str]) -> int:
    """The frame that a subject is taken from: a pronoun's or an absent one's is that of the frame before."""
    if draft.lender >= 0:
        return draft.lender
    subjects = [pieces[k] for k, place in zip(draft.members, places, strict=True) if place in ("subj", "obj")]
    if number and any(piece.part is Part.PRONOUN for piece in subjects):
        return number - 1
    return -1
