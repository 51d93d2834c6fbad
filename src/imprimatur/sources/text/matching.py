"""Which pieces of a claim stand for which pieces of the texts, clause by clause.

A clause of the claim is matched with one frame of the texts (``Match``): each of its content pieces is found in that
frame, in what the frame takes from its neighbours (``near``), elsewhere in the texts (``far``), or nowhere. What is
found elsewhere counts only where the frame has nothing else in its place: "tank 3 holds heptane" is not said by "tank 3
holds toluene, tank 4 holds heptane".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from imprimatur.language import closed_class
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light, likeness

__all__ = ["Evidence", "Found", "Match", "Spot", "content_of", "head_of", "matches", "rivals", "same_name", "sibling_of"]

#: The most frames of the texts that a clause is matched with, best first.
_MOST_FRAMES = 6
_THINGS = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.NUMBER)
_CONTENT = (
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
        return cls(tuple(pieces), tuple(frames), tuple(sources))

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
        if frame.opener in ("which", "who", "whom", "that", "whose"):
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

    def _stands_alone(self, k: int) -> bool:
        """Whether a pronoun stands for a thing itself ("it", "them"; not "its", and not "what" of a question)."""
        return self.pieces[k].lower not in ("what", "its", "his", "her", "their", "whose", "my", "our", "your")

    def frame_of(self, piece: int) -> Frame | None:
        """The frame that a piece is in; a stop is in none."""
        return next((frame for frame in self.frames if piece in frame.members), None)


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
        return sum(_WORTH[each.spot] for each in self.found)


_WORTH = {Spot.HERE: 1.0, Spot.NEAR: 0.8, Spot.FAR: 0.3, Spot.NOWHERE: 0.0}


def content_of(frame: Frame, pieces: Sequence[Piece]) -> list[int]:
    """The pieces of a frame that say something by themselves."""
    return [k for k in frame.members if _says(pieces[k]) and not _phrasal(k, pieces)]


def _phrasal(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a word only fills up another one ("take place", "no longer")."""
    if k > 0 and (pieces[k - 1].lower, pieces[k].lower) == ("no", "longer"):
        return True
    return k > 0 and pieces[k].lower == "place" and ("take", "v") in pieces[k - 1].lemmas


def _says(piece: Piece) -> bool:
    if piece.part not in _CONTENT:
        return False
    if piece.figure or piece.part is Part.NAME:
        return True
    if piece.lower in ("up", "down"):
        return True
    if piece.part is Part.ADVERB or piece.lower in _EMPTY:
        return not (_empty(piece.lower) or piece.lower in _EMPTY)
    return True


_EMPTY = frozenset("there here then now only just even first own well".split())


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


def matches(claim: Reading, clause: Frame, texts: Evidence, limits: TextLimits) -> list[Match]:
    """The clause beside the frames of the texts, those that have most of it first."""
    content = content_of(clause, claim.pieces)
    options = {k: list(_options(k, claim, texts, limits)) for k in content}
    ranked = sorted(texts.frames, key=lambda frame: -_rough(frame, options, texts))[:_MOST_FRAMES]
    found = [_match(clause, frame, options, texts) for frame in ranked]
    for match in found:
        match.anchored = _anchored(match, claim, texts)
    return sorted(found, key=lambda match: (not match.anchored, -match.score))


def _anchored(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the clause surely belongs to the frame: its verb or its predicate, and most of it, is there.

    A verb that says little by itself does not count, and neither does what is in no text at all.
    """
    there = [each for each in match.found if each.spot in (Spot.HERE, Spot.NEAR)]
    known = [each for each in match.found if each.spot is not Spot.NOWHERE]
    here = [each for each in match.found if each.spot is Spot.HERE]
    if not here or 5 * len(there) < 3 * len(known):
        return False
    if _foreign(match, claim, texts):
        return False
    verb = next((each for each in match.found if each.piece == match.clause.verb), None)
    if verb is not None and verb.spot is not Spot.NOWHERE and not light(claim.pieces[verb.piece]):
        return verb.spot in (Spot.HERE, Spot.NEAR)
    said = [each for each in known if match.clause.place(each.piece) in ("obj", "pred")]
    return not said or any(each.spot in (Spot.HERE, Spot.NEAR) for each in said)


def _foreign(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the clause's subject is elsewhere in the texts, and the frame has a subject of its own."""
    head = head_of(match.clause, claim.pieces)
    found = next((each for each in match.found if each.piece == head), None)
    own = head_of(match.frame, texts.pieces)
    if found is not None and found.spot is Spot.HERE and own >= 0 and own != found.other and own not in match.taken:
        after = texts.pieces[found.other + 1 : found.other + 2]
        if after and after[0].lower in ("'s", "'", "\u2019s", "\u2019"):
            return True  # "the defendant" is not "the defendant's lawyer"
    if found is None or found.spot is not Spot.FAR:
        return False
    return own >= 0 and not _taken_in(head, own, match, claim, texts)


def _taken_in(head: int, own: int, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the frame speaks of all or none of a kind, and the claim of one of them ("neither node", "node B")."""
    kind = head - 1 if head > 0 else head
    same = any(f.piece in (head, kind) and f.other == own and f.sign == 1 for f in match.found)
    words = {texts.pieces[k].lower for k in match.frame.members if k < own}
    return same and bool(words & {"neither", "both", "each", "every", "all", "no"})


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


def _rough(frame: Frame, options: dict[int, list[Found]], texts: Evidence) -> float:
    inside = set(frame.members)
    lent = set(texts.lent(frame))
    score = 0.0
    for found in options.values():
        if any(each.other in inside for each in found):
            score += 1
        elif any(each.other in lent for each in found):
            score += 0.8
    return score


def _options(k: int, claim: Reading, texts: Evidence, limits: TextLimits) -> Iterator[Found]:
    """All pieces of the texts that a piece of the claim may stand for."""
    piece = claim.pieces[k]
    single = piece.quantity is not None and piece.quantity.unit is None and piece.quantity.low.value == 1
    for other, text in enumerate(texts.pieces):
        if single and text.lower in ("a", "an", "single", "each") and _next_alike(k, other, claim, texts):
            yield Found(k, Spot.FAR, other)
        elif piece.figure:
            fit = fits(piece, text, limits) if text.figure else Fit.APART
            if fit in (Fit.YES, Fit.HEDGE, Fit.BOUND):
                yield Found(k, Spot.FAR, other, 1, fit)
        elif piece.part is Part.NAME and not _plain(piece):
            if same_name(k, other, claim.pieces, texts.pieces):
                yield Found(k, Spot.FAR, other)
        elif text.part in _CONTENT or text.lower == piece.lower:
            sign = 0 if text.figure or text.label else likeness(piece, text)
            if sign:
                yield Found(k, Spot.FAR, other, sign, same=piece.lower == text.lower)


def _next_alike(k: int, other: int, claim: Reading, texts: Evidence) -> bool:
    """Whether "one dose" meets "a dose" or "a single dose"."""
    mine = claim.pieces[k + 1 : k + 2]
    theirs = texts.pieces[other + 1 : other + 3]
    return bool(mine) and any(likeness(mine[0], text) == 1 for text in theirs if text.part is not Part.MARK)


def _plain(piece: Piece) -> bool:
    """Whether what looks like a name may be a word that begins the sentence."""
    return piece.first and not piece.label and not any(c.isdigit() for c in piece.text)


def same_name(k: int, other: int, mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether two pieces of names are one: the same word, and the words beside it in the claim's name there too."""
    piece, text = mine[k], theirs[other]
    if piece.label or text.label:
        return piece.label and text.label and piece.text == text.text and _same_noun(k, other, mine, theirs)
    if not _same_word(piece, text):
        return False
    run, there = _run(k, mine), {theirs[m].lower for m in _run(other, theirs)}
    return all(mine[m].lower in there or m == k or mine[m].first for m in run)


def _same_word(piece: Piece, text: Piece) -> bool:
    if piece.lower == text.lower or _bare(piece.lower) == _bare(text.lower):
        return True
    return bool(piece.lemmas & text.lemmas) and not any(c.isdigit() for c in piece.text)


def _bare(lower: str) -> str:
    return lower.replace("-", "").replace(".", "").replace(" ", "")


def _same_noun(k: int, other: int, mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether two numbers label the same kind of thing ("tank 3", "tanks 3 and 4")."""
    a, b = _labelled(k, mine), _labelled(other, theirs)
    return a is not None and b is not None and likeness(a, b) == 1


def _labelled(k: int, pieces: Sequence[Piece]) -> Piece | None:
    while k > 0:
        k -= 1
        if not pieces[k].label and pieces[k].lower not in ("and", "or", ",", "to", "-"):
            return pieces[k]
    return None


def _run(k: int, pieces: Sequence[Piece]) -> list[int]:
    """The pieces of the name that a piece is in: names side by side, without a mark between."""
    first = last = k
    if not _joins(pieces[k]):
        return [k]
    while first > 0 and _joins(pieces[first - 1]):
        first -= 1
    while last + 1 < len(pieces) and _joins(pieces[last + 1]):
        last += 1
    return list(range(first, last + 1))


def _joins(piece: Piece) -> bool:
    titled = piece.first and piece.text[:1].isupper() and piece.part is Part.NOUN
    return (piece.part is Part.NAME or titled) and not piece.label and not any(c.isdigit() for c in piece.text)


def _match(clause: Frame, frame: Frame, options: dict[int, list[Found]], texts: Evidence) -> Match:
    inside, lent = set(frame.members), set(texts.lent(frame))
    found = [_best(k, each, inside, lent) for k, each in options.items()]
    taken = frozenset(each.other for each in found if each.other >= 0)
    return Match(clause=clause, frame=frame, found=tuple(found), taken=taken)


def _best(k: int, options: Iterable[Found], inside: set[int], lent: set[int]) -> Found:
    """The nearest option; of equally near ones an exact one, then one of the same sign."""
    ranked = []
    for each in options:
        spot = Spot.HERE if each.other in inside else Spot.NEAR if each.other in lent else Spot.FAR
        ranked.append(replace(each, spot=spot))
    if not ranked:
        return Found(k, Spot.NOWHERE)
    return min(
        ranked, key=lambda each: (-_WORTH[each.spot], each.fit is not Fit.YES, not each.same, -each.sign, each.other)
    )


def rivals(found: Found, match: Match, claim: Reading, texts: Evidence) -> Iterator[int]:
    """What stands in the frame where a piece of the claim that is not in it would have to stand."""
    piece = claim.pieces[found.piece]
    place = match.clause.place(found.piece)
    places = {place}
    if found.other >= 0:
        home = texts.frame_of(found.other)
        places |= {home.place(found.other)} if home else set()
    if piece.label and (noun := _label_noun(found.piece, match, claim)) is not None:
        yield noun  # "claims 3 to 5" are not "the other nine claims"
    sibling = _sibling(found.piece, match, claim, texts)
    if sibling is not None and _same_sort(piece, texts.pieces[sibling]):
        yield sibling
    for k, there in zip(match.frame.members, match.frame.places, strict=True):
        text = texts.pieces[k]
        if k in match.taken or not _says(text) or k == sibling:
            continue
        if piece.figure:
            if text.figure and comparable(piece, text):
                yield k
        elif there in places and _same_sort(piece, text):
            yield k


def sibling_of(found: Found, match: Match, claim: Reading, texts: Evidence) -> Piece | None:
    """What stands in the frame beside the noun that a piece of the claim stands beside, if it is of the same sort."""
    other = _sibling(found.piece, match, claim, texts)
    if other is None or not _same_sort(claim.pieces[found.piece], texts.pieces[other]):
        return None
    return texts.pieces[other]


def _sibling(k: int, match: Match, claim: Reading, texts: Evidence) -> int | None:
    """What stands to the frame's noun as a piece does to the claim's: "titanium" to "springs" for "spring of steel"."""
    for noun, side in ((_before_of(k, claim.pieces), "of"), (_modified(k, claim.pieces), "mod")):
        there = next((f.other for f in match.found if f.piece == noun and f.spot is Spot.HERE), None)
        if noun is None or there is None:
            continue
        other = _after_of(there, texts.pieces) if side == "of" else _modifier(there, texts.pieces)
        if other is not None and other not in match.taken and other in match.frame.members:
            return other
    return None


_NOMINAL = (Part.NOUN, Part.ADJECTIVE, Part.NAME)


def _before_of(k: int, pieces: Sequence[Piece]) -> int | None:
    """The noun whose "of" phrase a piece is in."""
    while k > 0 and pieces[k - 1].part in (*_NOMINAL, Part.DETERMINER):
        k -= 1
    found = k >= 2 and pieces[k - 1].lower == "of" and pieces[k - 2].part in (Part.NOUN, Part.NUMBER)
    return k - 2 if found else None


def _after_of(k: int, pieces: Sequence[Piece]) -> int | None:
    """The head of the "of" phrase behind a noun."""
    if k + 2 >= len(pieces) or pieces[k + 1].lower != "of":
        return None
    n = k + 2
    while n < len(pieces) and pieces[n].part is Part.DETERMINER:
        n += 1
    last = None
    while n < len(pieces) and pieces[n].part in _NOMINAL:
        last, n = n, n + 1
    return last


def _modified(k: int, pieces: Sequence[Piece]) -> int | None:
    """The noun right behind a piece that colours it."""
    after = k + 1 < len(pieces) and pieces[k].part in _NOMINAL and pieces[k + 1].part is Part.NOUN
    return k + 1 if after else None


def _modifier(k: int, pieces: Sequence[Piece]) -> int | None:
    """The adjective or noun right before a noun."""
    return k - 1 if k > 0 and pieces[k - 1].part in _NOMINAL else None


def _label_noun(k: int, match: Match, claim: Reading) -> int | None:
    """The piece of the frame that the noun before a label was found at."""
    while k > 0 and (claim.pieces[k].label or claim.pieces[k].lower in ("and", "or", ",", "to", "-")):
        k -= 1
    return next((each.other for each in match.found if each.piece == k and each.spot is Spot.HERE), None)


def _same_sort(piece: Piece, text: Piece) -> bool:
    """Whether two pieces may stand in one place and exclude each other."""
    if piece.part is Part.NAME:
        return text.part is Part.NAME and piece.label is text.label
    verbs = (Part.VERB, Part.PARTICIPLE)
    if piece.part in verbs:
        return text.part in verbs
    if piece.part in (Part.NOUN, Part.ADJECTIVE):
        return text.part in (Part.NOUN, Part.ADJECTIVE) or (text.part is Part.NAME and not text.label)
    return piece.part is text.part
