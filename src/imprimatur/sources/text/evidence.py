"""What a claim is held against: the texts joined (``Evidence``), and which pieces stand for which (``Match``).

A clause of the claim beside a frame of the texts is a ``Match``: each of its content pieces is found in that frame, in
what the frame takes from its neighbours (``near``), elsewhere in the texts (``far``), or nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from imprimatur.language import closed_class
from imprimatur.sources.text.figures import Fit
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece

__all__ = [
    "CONTENT",
    "WORTH",
    "Evidence",
    "Found",
    "Match",
    "Spot",
    "content_of",
    "graded",
    "head_of",
    "says",
    "with_unit",
]

_RELATIVE = ("which", "who", "whom", "that", "whose")
#: In front of these stands nothing that a relative clause behind them may speak of.
_ENDING = frozenset("to by for with than against into and or but".split())

_THINGS = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.NUMBER)

CONTENT = (
    *(Part.NUMBER, Part.DATE, Part.NAME, Part.NOUN),
    *(Part.VERB, Part.PARTICIPLE, Part.ADJECTIVE, Part.ADVERB),
)


class Spot(StrEnum):
    """Where a piece of the claim was found."""

    HERE = "here"
    NEAR = "near"
    FAR = "far"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Found:
    """A piece of the claim and the piece of a text that it stands for; ``sign`` is -1 for an opposite.

    ``fit`` tells for a figure that was found with its hedge or bound dropped; ``same``: it is the very word.
    """

    piece: int
    spot: Spot
    other: int = -1
    sign: int = 1
    fit: Fit = Fit.YES
    same: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """The texts as one: their readings, joined; ``frames`` are numbered through, ``key`` and ``offset`` by frame."""

    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]
    sources: tuple[tuple[str, int, int], ...]  # (key, first piece, first frame) of each text
    #: What is asked often, found once: whether a piece is a word with content of its own, the frame of a piece, and by
    #: frame its pieces and those that it takes.
    worded: tuple[bool, ...] = field(default=(), repr=False, compare=False)
    homes: Mapping[int, Frame] = field(default_factory=dict, repr=False, compare=False)
    reach: dict[int, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, readings: Sequence[tuple[str, Reading]]) -> Evidence:
        """The readings of some texts, joined."""
        pieces: list[Piece] = []
        frames: list[Frame] = []
        sources = []
        sentence = 0
        for key, reading in readings:
            first, base = len(pieces), len(frames)
            sources.append((key, first, base))
            pieces += reading.pieces
            for frame in reading.frames:
                frames.append(
                    replace(
                        frame,
                        number=base + frame.number,
                        sentence=sentence + frame.sentence,
                        members=tuple(first + k for k in frame.members),
                        verb=first + frame.verb if frame.verb >= 0 else -1,
                        lender=base + frame.lender if frame.lender >= 0 else -1,
                    )
                )
            sentence += 1 + max((frame.sentence for frame in reading.frames), default=0)
        homes = {k: frame for frame in reversed(frames) for k in frame.members}
        worded = tuple(
            (each.part in CONTENT or graded(k, pieces)) and not (each.figure or each.label)
            for k, each in enumerate(pieces)
        )
        return cls(tuple(pieces), tuple(frames), tuple(sources), worded, homes)

    def reached(self, frame: Frame) -> tuple[frozenset[int], frozenset[int]]:
        """The pieces of a frame, and those that it takes from others."""
        found = self.reach.get(frame.number)
        if found is None:
            found = self.reach[frame.number] = frozenset(frame.members), frozenset(self.lent(frame))
        return found

    def key_of(self, frame: int) -> str:
        """The key of the text that a frame is in."""
        return next(key for key, _, first in reversed(self.sources) if first <= frame)

    def key_at(self, piece: int) -> str:
        """The key of the text that a piece is in."""
        return next(key for key, first, _ in reversed(self.sources) if first <= piece)

    def lent(self, frame: Frame) -> list[int]:
        """The pieces that a frame takes from others: its subject, what a pronoun means; an elliptic one takes all."""
        out: list[int] = []
        seen = {frame.number}
        at = frame
        while at.lender >= 0 and at.lender not in seen:
            seen.add(at.lender)
            lender = self.frames[at.lender]
            if spoken_of := self.antecedent(at):
                return out + spoken_of
            if at.elliptic:
                out += lender.members
            else:
                out += self._borrowed(at, lender)
            at = lender
        return out

    def _borrowed(self, frame: Frame, lender: Frame) -> list[int]:
        """What a frame with a verb takes: a subject where it has none, and all things for a pronoun."""
        things = [k for k in lender.members if self.pieces[k].part in _THINGS]
        own = [k for k in frame.members if k < frame.verb and self.pieces[k].part in _THINGS]
        if frame.opener in _RELATIVE:
            return things
        pronouns = [k for k in frame.members if self.pieces[k].part is Part.PRONOUN and self._stands_alone(k)]
        many = any(self.pieces[k].lower in ("they", "them", "these", "those") for k in pronouns)
        if many or any(k > frame.verb for k in pronouns):
            return things
        if own and not any(k < frame.verb for k in pronouns):
            return []
        before = [k for k in things if k < lender.verb] if lender.verb >= 0 else things
        if any(self.pieces[k].lower in ("he", "she", "him") for k in pronouns):
            before += [k for k in things if k not in before and self.pieces[k].part is Part.NAME]
        return before or ([] if own else things)

    def antecedent(self, frame: Frame) -> list[int]:
        """The things that a relative clause behind the verb of another one may speak of; none for any other clause.

        "Ann sold the house to Ben, whom the bank trusts" is not of Ann, nor of the house.
        """
        if frame.opener not in _RELATIVE or frame.lender < 0:
            return []
        lender, k = self.frames[frame.lender], frame.members[0] - 1
        while k >= 0 and self.pieces[k].lower != frame.opener:
            k -= 1
        found: list[int] = []
        if not 0 <= lender.verb < k:
            return found
        for at in range(k - 1, lender.members[0] - 1, -1):
            piece = self.pieces[at]
            if at == lender.verb or piece.lower in _ENDING:
                break
            inside = at > 0 and self.pieces[at - 1].part is Part.PREPOSITION
            if piece.part is Part.DETERMINER and found and not inside:
                break  # "she gave the boy the tablets that …"
            if piece.part in _THINGS and at in lender.members:
                found.append(at)
        return found[::-1]

    def _stands_alone(self, k: int) -> bool:
        """Whether a pronoun stands for a thing itself ("it", "them"; not "its", and not "what" of a question)."""
        return self.pieces[k].lower not in ("what", "its", "his", "her", "their", "whose", "my", "our", "your")

    def frame_of(self, piece: int) -> Frame | None:
        """The frame that a piece is in; a stop is in none."""
        return self.homes.get(piece)


@dataclass(slots=True)
class Match:
    """A clause of the claim beside a frame of the texts; ``anchored``: the frame surely is about the same."""

    clause: Frame
    frame: Frame
    found: tuple[Found, ...]
    taken: frozenset[int] = field(default_factory=frozenset)
    anchored: bool = False

    @property
    def score(self) -> float:
        """How much of the clause is in the frame."""
        return sum(WORTH[each.spot] for each in self.found)


WORTH = {Spot.HERE: 1.0, Spot.NEAR: 0.8, Spot.FAR: 0.3, Spot.NOWHERE: 0.0}


def content_of(frame: Frame, pieces: Sequence[Piece]) -> list[int]:
    """The pieces of a frame that say something by themselves."""
    return [k for k in frame.members if (says(pieces[k]) and not _phrasal(k, pieces)) or graded(k, pieces)]


def graded(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether "more", "less" or "fewer" says in which direction something differs ("6% fewer", "more than before")."""
    if pieces[k].lower not in ("more", "less", "fewer"):
        return False
    measured = k > 0 and pieces[k - 1].quantity is not None
    return measured or any(piece.lower == "than" for piece in pieces[k + 1 : k + 4])


def _phrasal(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a word only fills up another one ("take place", "no longer")."""
    if k > 0 and (pieces[k - 1].lower, pieces[k].lower) == ("no", "longer"):
        return True
    if k > 0 and pieces[k].lower == "away" and pieces[k - 1].quantity is not None:
        return True
    return k > 0 and pieces[k].lower == "place" and ("take", "v") in pieces[k - 1].lemmas


def says(piece: Piece) -> bool:
    if piece.part not in CONTENT:
        return False
    if piece.figure or piece.part is Part.NAME:
        return True
    if piece.lower in ("up", "down"):
        return True
    if piece.part is Part.ADVERB or piece.lower in _EMPTY:
        return not (_empty(piece.lower) or piece.lower in _EMPTY)
    return True


_EMPTY = frozenset("ever there here then now only just even first own well".split())


def _empty(lower: str) -> bool:
    return (
        closed_class.is_function_word(lower)
        or lower in closed_class.words("discourse_marker")
        or lower in closed_class.words("degree")
        or lower in closed_class.words("focus")
        or lower in closed_class.words("hedge")
        or lower
        in ("also", "too", "still", "already", "however", "thus", "instead", "again", "once", "later", "usually")
    )


def head_of(frame: Frame, pieces: Sequence[Piece]) -> int:
    """The head of a frame's subject: its last noun or name before "of" or another preposition; -1 for none."""
    head = -1
    for k, place in zip(frame.members, frame.places, strict=True):
        if k == frame.verb or (place != "subj" and not frame.passive) or (frame.passive and place != "obj"):
            if head >= 0 or k == frame.verb:
                break
            continue
        if pieces[k].lower == "of" and head >= 0:
            break
        if pieces[k].part in (Part.NOUN, Part.NAME):
            head = k
    return head


def with_unit(k: int, texts: Evidence) -> Piece | None:
    """A number of a rest without a verb, with the unit of the clause that it goes on ("get 28 days, all others 25")."""
    home, text = texts.frame_of(k), texts.pieces[k]
    after = texts.pieces[k + 1] if k + 1 < len(texts.pieces) else None
    if home is None or not home.elliptic or home.lender < 0 or text.quantity is None:
        return None
    if after is not None and (after.part is Part.NOUN or after.lower in ("more", "less", "fewer")):
        return None
    while home.elliptic and 0 <= home.lender < home.number:
        home = texts.frames[home.lender]
    given = [texts.pieces[m].quantity for m in home.members if not texts.pieces[m].one]
    units = [quantity.unit for quantity in given if quantity is not None and not quantity.ordinal]
    if not units or units[-1] is None:
        return None
    return replace(text, quantity=replace(text.quantity, unit=units[-1]))
