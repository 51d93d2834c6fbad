"""What turns a clause: negation, modality, reserve, conditions, quantifiers; whether a claim keeps those of a text.

``faults`` compares one clause of a claim with the frame that it was matched with and gives a mark for each turn that
was lost, added or reversed. A claim may say less (of some, possibly, under a condition more) and never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from imprimatur.extract.words import forms
from imprimatur.language import closed_class, negation
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.matching import Evidence, Match, Spot, content_of
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import mirrored
from imprimatur.sources.text.words import likeness, opposed_places
from imprimatur.values import Bound
from imprimatur.verdict import Reason

__all__ = ["binding", "faults", "negators"]


class Force(IntEnum):
    """How strongly a modal binds; a plain statement is ``NONE``."""

    MAY = 1
    NONE = 2
    SHOULD = 3
    MUST = 4


class Reach(IntEnum):
    """How much of something a quantifier takes in."""

    NONE = 0
    SOME = 1
    MANY = 2
    MOST = 3
    ALL = 4


_FORCES = {
    **dict.fromkeys(["may", "might", "can", "could"], Force.MAY),
    **dict.fromkeys(["should", "ought"], Force.SHOULD),
    **dict.fromkeys(["must", "shall"], Force.MUST),
}
_RESERVED = frozenset(["may", "might"])
_REACHES = {
    **dict.fromkeys(["some", "few", "several", "certain"], Reach.SOME),
    **dict.fromkeys(["many", "much"], Reach.MANY),
    **dict.fromkeys(["most", "majority", "mostly"], Reach.MOST),
    **dict.fromkeys(
        "all every each any whole entire everyone everybody everything always everywhere".split(),
        Reach.ALL,
    ),
}
#: Phrases in which these words quantify nothing.
_PLAIN_PAIRS = frozenset(
    [("in", "all"), ("at", "all"), ("at", "most"), ("as", "many"), ("as", "much"), ("how", "many"), ("how", "much")]
)
_FREQUENCY = frozenset(
    (
        "usually often generally typically normally sometimes occasionally frequently mostly commonly rarely seldom"
    ).split()
)
_HEDGES = closed_class.words("hedge") | frozenset(["nearly", "almost"]) | _FREQUENCY
_HEDGING_VERBS = frozenset(
    (
        "expect estimate forecast predict anticipate believe think suppose assume plan seem appear tend "
        "suggest project allege intend hope propose"
    ).split()
)
_CONDITIONS = frozenset("if unless provided providing lest".split())
_WHENS = frozenset("when whenever once until till where while before after".split())
#: Prepositions whose phrase limits a general statement.
_LIMITING = frozenset(
    "than above below over under within without except after before until during for unlike beyond".split()
)


def faults(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """What the clause turns otherwise than the frame that it was matched with."""
    mine = _Side(match.clause, claim.pieces, claim.frames)
    theirs = _Side(match.frame, texts.pieces, texts.frames)
    yield from _polarity(match, claim, texts, mine, theirs)
    yield from _force(match, mine, theirs)
    yield from _hedged(match, mine, theirs)
    yield from _conditions(match, claim, texts)
    yield from _reach(match, claim, texts, mine, theirs)


@dataclass(frozen=True, slots=True)
class _Side:
    frame: Frame
    pieces: Sequence[Piece]
    frames: Sequence[Frame]

    @property
    def own(self) -> list[Piece]:
        """The pieces of the frame."""
        return [self.pieces[k] for k in self.frame.members]

    def whole(self) -> tuple[int, int]:
        """The span of the frame."""
        return (self.own[0].start, self.own[-1].end) if self.frame.members else (0, 0)

    def lending(self) -> list[Piece]:
        """The auxiliaries of the frame that a verbless or coordinate one continues."""
        frame = self.frame
        if frame.lender < 0 or not (frame.elliptic or frame.opener in ("and", "or", "")):
            return []
        if any(piece.part is Part.AUXILIARY for piece in self.own) or _subject(self):
            return []
        position = next(n for n, each in enumerate(self.frames) if each.number == frame.lender)
        lender = self.frames[position]
        return [self.pieces[k] for k in lender.members if self.pieces[k].part is Part.AUXILIARY]


def _subject(side: _Side) -> bool:
    return any(
        place == "subj" and side.pieces[k].part in (Part.NOUN, Part.NAME, Part.PRONOUN)
        for k, place in zip(side.frame.members, side.frame.places, strict=True)
    )


# -- negation -------------------------------------------------------------------------------------------------------
def negators(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that negate, one for each negation; "neither … nor" is one, and "for lack of" none."""
    found: list[Piece] = []
    for each in negation.find([piece.lower for piece in pieces]):
        piece = pieces[each.start]
        if each.kind is negation.NegationKind.NEAR or (piece.part is Part.NOUN and piece.lower.startswith("lack")):
            continue
        if piece.lower == "nor" and any(p.lower in ("neither", "not") for p in found):
            continue
        if piece.lower == "not" and each.end < len(pieces) and _until(pieces[each.end :]):
            continue  # "not resumed until the next day": resumed then
        found.append(piece)
    for n, piece in enumerate(pieces[:-2]):
        if piece.lower == "not" and pieces[n + 1].lower in ("only", "just", "merely") and pieces[n + 2].figure:
            found.append(piece)  # "not just two" are more
    return found


def _until(pieces: Sequence[Piece]) -> bool:
    return any(piece.lower in ("until", "till") for piece in pieces)


def _polarity(match: Match, claim: Reading, texts: Evidence, mine: _Side, theirs: _Side) -> Iterator[Mark]:
    own, other = _negations(mine), _negations(theirs)
    turned = list({e.other: e for e in match.found if e.sign < 0 and e.spot is not Spot.FAR}.values())
    crossed = 0 if mirrored(match, claim, texts) else _crossed(mine, theirs)
    flips = len(own) + len(other) + len(turned) + crossed + _denied_elsewhere(match, texts)
    if flips % 2 == 0:
        return
    at = own[0] if own else mine.pieces[turned[0].piece] if turned else None
    start, end = (at.start, at.end) if at is not None else mine.whole()
    said = " ".join(piece.text for piece in theirs.own if piece.text.strip())[:120]
    yield Mark(reason=Reason.NEGATION_MISMATCH, start=start, end=end, detail=f"the text says: {said}", against=True)


def _denied_elsewhere(match: Match, texts: Evidence) -> int:
    """1 when something that the clause has here stands in a denied rest of the text ("…, but not in water")."""
    homes = [texts.frame_of(each.other) for each in match.found if each.spot is Spot.FAR and each.other >= 0]
    rests = [home for home in homes if home is not None and home.lender == match.frame.number]
    return int(any(home.opener == "without" or (home.elliptic and _denies(home, texts)) for home in rests))


def _denies(frame: Frame, texts: Evidence) -> bool:
    return bool(negators([texts.pieces[k] for k in frame.members]))


def _negations(side: _Side) -> list[Piece]:
    found = negators(side.own)
    if side.frame.opener in ("unless", "without"):
        found.append(side.own[0])
    if side.frame.opener == "nor" and not found:
        found.append(side.own[0])
    return found


def _crossed(mine: _Side, theirs: _Side) -> int:
    """1 when the phrases of the clause stand behind a preposition opposed to the text's ("for" and "against")."""
    own = set(mine.frame.places)
    other = set(theirs.frame.places)
    bounds = [{w for w in ("least", "most") if ("at", w) in _pairs(side.own)} for side in (mine, theirs)]
    if all(bounds) and bounds[0] != bounds[1]:
        return 1
    lone = [(a, b) for a in own - other for b in other - own if opposed_places(a, b) and "with" not in (a, b)]
    return int(len(lone) % 2 == 1)


def _pairs(pieces: Sequence[Piece]) -> set[tuple[str, str]]:
    return {(a.lower, b.lower) for a, b in pairwise(pieces)}


# -- modality and reserve -------------------------------------------------------------------------------------------
def _force_of(side: _Side) -> Force:
    found = [_FORCES[piece.lower] for piece in (*side.own, *side.lending()) if piece.lower in _FORCES and _modal(piece)]
    words = {lemma for piece in side.own for lemma, _ in piece.lemmas}
    if not found and words & {"allow", "permit", "possible", "able"}:
        return Force.MAY
    if not found and words & {"oblige", "mandatory", "obligatory", "compulsory"}:
        return Force.MUST
    if not found and _has_to(side.own):
        return Force.MUST
    if not found and words & {"advise", "recommend", "advisable"}:
        return Force.SHOULD
    return max(found, default=Force.NONE)


def _modal(piece: Piece) -> bool:
    return piece.part is Part.AUXILIARY


def _has_to(pieces: Sequence[Piece]) -> bool:
    return any(a.lower in _HAVING and b.lower == "to" for a, b in pairwise(pieces))


_HAVING = frozenset("have has had need needs needed required".split())


#: Words that say as verbs, nouns and adjectives what modals say, with the modals.
_BINDING = (
    ("possible possibility potential likely probable", "may might can could likely possible possibly probably"),
    ("allow permit able admit possible", "may can could allow permit"),
    ("require need oblige necessary mandatory obligatory compulsory due", "must shall have has need needs require"),
    ("advise recommend advisable", "should ought recommend"),
)


def binding(piece: Piece, text: Sequence[Piece]) -> bool:
    """Whether a word says what a modal of the text says ("a deposit is required", "must deposit")."""
    lemmas = {lemma for lemma, _ in piece.lemmas} | {piece.lower}
    lowers = {each.lower for each in text}
    return any(lemmas & set(words.split()) and lowers & set(modals.split()) for words, modals in _BINDING)


def _force(match: Match, mine: _Side, theirs: _Side) -> Iterator[Mark]:
    own, other = _force_of(mine), _force_of(theirs)
    wider = own > other and own is not Force.NONE and (own, other) != (Force.MAY, Force.NONE)
    if wider:
        at = next((p for p in mine.own if p.lower in _FORCES), mine.own[0])
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not say so strongly")


def _hedged(match: Match, mine: _Side, theirs: _Side) -> Iterator[Mark]:
    other = _hedge(theirs)
    if other is None or _hedge(mine) is not None or _softened(mine):
        return
    if _modal(other) and any(piece.lower in _FORCES for piece in mine.own):
        return  # another modal: how strongly it binds is compared, not the doubt
    start, end = mine.whole()
    yield Mark(reason=Reason.HEDGE_DROPPED, start=start, end=end, detail=f"the text has “{other.text}”")


def _hedge(side: _Side) -> Piece | None:
    for piece in (*side.own, *side.lending()):
        if piece.lower in _HEDGES and piece.part is not Part.NOUN:
            return piece
        if piece.lower in _RESERVED and _modal(piece):
            return piece
        if any(lemma in _HEDGING_VERBS and pos == "v" for lemma, pos in piece.lemmas) and piece.part is Part.VERB:
            return piece
    return None


def _softened(side: _Side) -> bool:
    words = {lemma for piece in side.own for lemma, _ in piece.lemmas} | {piece.lower for piece in side.own}
    return bool(
        words & {"can", "could", "possible", "possibility", "likely", "probable", "forecast", "expectation"}
    ) or (_force_of(side) is Force.MAY)


# -- conditions -----------------------------------------------------------------------------------------------------
def _conditions(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The conditions of the text's sentence that the claim leaves out."""
    start, end = _span(match.clause, claim.pieces)
    for frame in _conditional(match.frame, texts):
        if not _said_in(frame, match, claim, texts):
            said = " ".join(texts.pieces[k].text for k in frame.members)[:120]
            detail = f"only “{frame.opener} {said}”"
            yield Mark(reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=detail)
            return
    for frame in _restricting(match.frame, texts):
        if not _said_in(frame, match, claim, texts):
            said = " ".join(texts.pieces[k].text for k in frame.members)[:120]
            yield Mark(
                reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=f"only what “{frame.opener} {said}”"
            )
            return
    missing = _limiting(match, claim, texts) or _focused(match, claim, texts)
    if missing:
        yield Mark(reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=f"only “{missing}”")


def _restricting(frame: Frame, texts: Evidence) -> Iterator[Frame]:
    """The relative clauses without a comma that say of which subject a general statement holds."""
    if not _general(frame, texts.pieces) or frame.verb < 0:
        return
    head = texts.pieces[frame.members[0]]
    if (
        head.lower not in ("a", "an", "any", "every", "no", "all")
        and not forms(head.lower).plural
        and not (head.part is Part.NOUN and head.first)
    ):
        return
    for other in texts.frames:
        if other.opener not in ("who", "that", "which") or other.sentence != frame.sentence or not other.members:
            continue
        inside = frame.members[0] < other.members[0] < frame.verb
        before = texts.pieces[other.members[0] - 2] if other.members[0] >= 2 else None
        if inside and before is not None and before.text != ",":
            yield other


def _span(frame: Frame, pieces: Sequence[Piece]) -> tuple[int, int]:
    return pieces[frame.members[0]].start, pieces[frame.members[-1]].end


def _conditional(frame: Frame, texts: Evidence) -> Iterator[Frame]:
    """The frames that state a condition of a frame, in its sentence."""
    if frame.opener in _CONDITIONS | _WHENS:
        return
    general = _general(frame, texts.pieces)
    for other in texts.frames:
        if other.sentence != frame.sentence or other.number == frame.number:
            continue
        if _governed(other, texts) != frame.number or _mainly(other, texts):
            continue
        excepting = texts.pieces[other.members[0]].lower == "except"
        excepting = excepting or (other.opener == "without" and _denies(frame, texts))
        if excepting or other.opener in _CONDITIONS or (general and other.opener in _WHENS):
            yield other


def _mainly(condition: Frame, texts: Evidence) -> bool:
    """ "Especially when": said of other cases too."""
    before = texts.frames[condition.number - 1] if condition.number else None
    words = [texts.pieces[k] for k in before.members if texts.pieces[k].part is not Part.MARK] if before else []
    return bool(words) and words[-1].lower in ("especially", "particularly", "even", "mainly", "mostly", "notably")


def _governed(condition: Frame, texts: Evidence) -> int:
    """The frame that a condition belongs to: the one before it, or behind it where it opens the sentence."""
    before = texts.frames[condition.number - 1] if condition.number else None
    opens = before is None or before.sentence != condition.sentence
    return condition.number + 1 if opens else condition.number - 1


def _general(frame: Frame, pieces: Sequence[Piece]) -> bool:
    """Whether a frame states something in general: no past form, and no date."""
    own = [pieces[k] for k in frame.members]
    auxiliary = next((p for p in own if p.part is Part.AUXILIARY), None)
    if auxiliary is not None:
        return auxiliary.lower not in ("was", "were", "had", "did") and not any(p.date is not None for p in own)
    past = any("past" in forms(p.lower).verb_forms for p in own if p.part is Part.VERB and not _after_be(own, p))
    past = past or any(p.lower in ("was", "were", "had", "did") for p in own)
    return not past and not any(p.date is not None for p in own)


def _after_be(own: Sequence[Piece], verb: Piece) -> bool:
    before = [p for p in own if p.end <= verb.start and p.part is Part.AUXILIARY]
    return bool(before) and before[-1].lower in ("is", "are", "be", "been", "has", "have")


def _said_in(frame: Frame, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the claim says what a frame of the texts says, at least by half, with words not used for another one."""
    content = content_of(frame, texts.pieces)
    if not content:
        return True
    used = {each.piece for each in match.found if each.other in match.frame.members}
    free = [piece for k, piece in enumerate(claim.pieces) if k not in used]
    said = sum(any(_stands(piece, texts.pieces[k]) for piece in free) for k in content)
    return 2 * said >= len(content) and said > 0


def _stands(piece: Piece, text: Piece) -> bool:
    if text.figure:
        return piece.figure and comparable(piece, text)
    return piece.lower == text.lower or likeness(piece, text) != 0


def _limiting(match: Match, claim: Reading, texts: Evidence) -> str:
    """A phrase that limits what the frame says and of which the claim says nothing; "" for none."""
    general = _general(match.frame, texts.pieces)
    denied = any(p.lower in ("not", "n't", "no", "never") for p in (texts.pieces[k] for k in match.frame.members))
    if general and (bounded := _bounded(match, claim, texts)):
        return bounded
    for phrase in _phrases(match.frame, texts.pieces):
        first = texts.pieces[phrase[0]]
        content = [k for k in phrase[1:] if texts.pieces[k].part in _TOLD]
        if not content and general and _thereafter(phrase, texts.pieces) and not _placed_so(first, match):
            return " ".join(texts.pieces[k].text for k in phrase)
        if not content or any(k in match.taken or _told(texts.pieces[k], claim) for k in content):
            continue
        only = _only(match.frame, phrase, texts.pieces)
        lasting = first.lower in ("for", "over", "during", "within", "after") and _time(texts.pieces, content)
        limits = first.lower in _LIMITING and general and not (lasting and first.lower == "for")
        front = general and phrase[0] < match.frame.verb and _fronted(phrase, match.frame, texts.pieces)
        widened = denied and first.lower not in ("because", "despite", "by") and not _alternative(phrase, match, texts)
        if only or limits or front or widened:
            return " ".join(texts.pieces[k].text for k in phrase)
    return ""


def _focused(match: Match, claim: Reading, texts: Evidence) -> str:
    """What "only" singles out in the frame and the claim leaves out; "" for none."""
    members = match.frame.members
    at = next((n for n, k in enumerate(members) if texts.pieces[k].lower in ("only", "solely", "exclusively")), None)
    if at is None or any(p.lower in ("only", "solely", "exclusively") for p in claim.pieces):
        return ""
    for k in members[at + 1 :]:
        piece = texts.pieces[k]
        if piece.text == "," or (k == members[at] + 1 and piece.figure):
            return ""
        if piece.part in _TOLD and k not in match.taken and not _told(piece, claim):
            return piece.text
    return ""


_TOLD = (Part.NUMBER, Part.DATE, Part.NAME, Part.NOUN)


def _bounded(match: Match, claim: Reading, texts: Evidence) -> str:
    """A bound that narrows a noun which the claim has without it ("particles larger than 0.3 micrometres")."""
    members = match.frame.members
    for n, k in enumerate(members[1:], 1):
        piece = texts.pieces[k]
        if piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT) or k in match.taken:
            continue
        back = n - 1
        while back > 0 and texts.pieces[members[back]].part in (Part.ADJECTIVE, Part.DETERMINER, Part.ADVERB):
            back -= 1
        noun = texts.pieces[members[back]]
        if noun.part is Part.NOUN and members[back] in match.taken and not _told(piece, claim):
            return f"{noun.text} {piece.text}"
    return ""


def _fronted(phrase: Sequence[int], frame: Frame, pieces: Sequence[Piece]) -> bool:
    """Whether a phrase stands before the subject ("in damp weather it takes")."""
    start = next(k for k in frame.members if pieces[k].part is not Part.MARK)
    return phrase[0] <= start + 2 and not any(
        pieces[k].part in (Part.NOUN, Part.NAME) for k in frame.members if k < phrase[0]
    )


def _thereafter(phrase: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """ "After that": a condition that points back."""
    return (
        len(phrase) == 2
        and pieces[phrase[0]].lower in ("after", "before", "until")
        and (pieces[phrase[1]].lower in ("that", "this", "then"))
    )


def _placed_so(first: Piece, match: Match) -> bool:
    return first.lower in match.clause.places


def _alternative(phrase: Sequence[int], match: Match, texts: Evidence) -> bool:
    """Whether the phrase is one of several that "or" joins ("on Sundays or in January"), another of which is told."""
    members = match.frame.members
    around = {texts.pieces[k].lower for k in (phrase[0] - 1, phrase[-1], phrase[-1] + 1) if k in members}
    others = [p for p in _phrases(match.frame, texts.pieces) if p[0] != phrase[0]]
    told = any(k in match.taken for other in others for k in other[1:])
    return told and bool(around & {"or", "and", "nor"})


def _told(text: Piece, claim: Reading) -> bool:
    return any(_stands(piece, text) for piece in claim.pieces)


def _time(pieces: Sequence[Piece], content: Sequence[int]) -> bool:
    return any(_unit_of_time(pieces[k]) for k in content)


def _unit_of_time(piece: Piece) -> bool:
    unit = piece.quantity.unit if piece.quantity else None
    return unit is not None and unit.dimension in ((("s", 1),), (("mo", 1),), (("yr", 1),), (("month", 1),))


def _only(frame: Frame, phrase: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """Whether "only" stands right before the phrase."""
    at = phrase[0] - 1
    return at >= 0 and at in frame.members and pieces[at].lower == "only"


def _phrases(frame: Frame, pieces: Sequence[Piece]) -> Iterator[list[int]]:
    """The phrases of a frame that begin with a preposition."""
    current: list[int] = []
    here = ""
    for k, place in zip(frame.members, frame.places, strict=True):
        piece = pieces[k]
        starts = piece.part is Part.PREPOSITION and piece.lower != "of"
        if starts or piece.text == "," or (current and place != here):
            if len(current) > 1:
                yield current
            current, here = ([k], place) if starts else ([], "")
        elif current:
            current.append(k)
    if len(current) > 1:
        yield current


# -- quantifiers ----------------------------------------------------------------------------------------------------
def _reach_of(pieces: Sequence[Piece]) -> tuple[Reach, Piece | None]:
    found = [
        (_REACHES[p.lower], p)
        for n, p in enumerate(pieces)
        if p.lower in _REACHES and not (n and (pieces[n - 1].lower, p.lower) in _PLAIN_PAIRS)
    ]
    return max(found, key=lambda each: each[0], default=(Reach.NONE, None))


def _reach(match: Match, claim: Reading, texts: Evidence, mine: _Side, theirs: _Side) -> Iterator[Mark]:
    own, at = _reach_of(mine.own)
    other, word = _reach_of(theirs.own)
    denied = bool(negators(mine.own)) or bool(negators(theirs.own))
    if at is not None and at.lower == "any" and denied and not _any_such(theirs):
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not deny it of any")
        return
    if own is Reach.ALL and at is not None and at.lower != "any" and (narrow := _narrower(match, theirs, texts, claim)):
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail=f"the text has “{narrow}”")
        return
    if narrow := _unrestricted(match, theirs, texts, claim):
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text has “{narrow}”")
        return
    if at is not None and own > other and not denied and not _per(at, mine, theirs):
        yield Mark(
            reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not say so of so many"
        )
        return
    partial = other in (Reach.SOME, Reach.MANY, Reach.MOST) and own is Reach.NONE
    if partial and word is not None and _quantified(word, match, theirs) and not _counted(match, mine):
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text says “{word.text}”")
        return
    share = _share(match, theirs)
    if share is not None and not _counted(match, mine) and own is Reach.NONE:
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text says it of {share.text}")


def _any_such(theirs: _Side) -> bool:
    return any(p.lower in ("any", "no", "none", "neither", "nothing", "nobody", "without") for p in theirs.own)


def _narrower(match: Match, theirs: _Side, texts: Evidence, claim: Reading) -> str:
    """A word that narrows the text's subject and that the claim leaves out; "" for none."""
    for k, place in zip(theirs.frame.members, theirs.frame.places, strict=True):
        piece = theirs.pieces[k]
        if place not in ("subj", "obj") or piece.part is not Part.ADJECTIVE:
            continue
        if k < theirs.frame.verb and k not in match.taken and not _told(piece, claim):
            return piece.text
    return ""


def _unrestricted(match: Match, theirs: _Side, texts: Evidence, claim: Reading) -> str:
    """A phrase that narrows a general subject ("players under 16 need") and that the claim leaves out; "" for none."""
    frame = theirs.frame
    if frame.verb < 0 or not frame.members or not _general(frame, theirs.pieces):
        return ""
    first = theirs.pieces[frame.members[0]]
    if first.part is not Part.NOUN or not forms(first.lower).plural:
        return ""
    for k in frame.members[1:]:
        piece = theirs.pieces[k]
        if k >= frame.verb or piece.part is Part.AUXILIARY:
            return ""
        if piece.part in _TOLD and k not in match.taken and not _told(piece, claim):
            return piece.text
    return ""


def _per(at: Piece, mine: _Side, theirs: _Side) -> bool:
    """Whether "each" or "every" only shares out ("each gram", "every 12 hours") and the text does so too."""
    if at.lower not in ("each", "every"):
        return False
    words = {piece.lower for piece in theirs.own}
    follows = next((p for p in mine.own if p.start >= at.end), None)
    unit = follows is not None and follows.figure
    return unit or bool(words & {"per", "each", "every"})


def _quantified(word: Piece, match: Match, theirs: _Side) -> bool:
    """Whether what the word quantifies is what the claim speaks of."""
    after = [k for k in theirs.frame.members if theirs.pieces[k].start >= word.end]
    noun = next((k for k in after if theirs.pieces[k].part in (Part.NOUN, Part.NAME)), None)
    return noun is None or noun in match.taken or (len(after) > 1 and after[1] in match.taken)


def _counted(match: Match, mine: _Side) -> bool:
    return any(piece.quantity is not None for piece in mine.own)


def _share(match: Match, theirs: _Side) -> Piece | None:
    """A number of the text that says of how many of a noun it holds ("62% of the patients", "12 of the 30 games")."""
    members = theirs.frame.members
    for n, k in enumerate(members[:-2]):
        piece = theirs.pieces[k]
        if piece.quantity is None or k in match.taken or theirs.pieces[members[n + 1]].lower != "of":
            continue
        if piece.quantity.unit is not None and piece.quantity.unit.symbol != "%":
            continue
        nouns = [m for m in members[n + 2 : n + 6] if theirs.pieces[m].part is Part.NOUN]
        if nouns and nouns[0] in match.taken and theirs.frame.place(k) == "subj":
            return piece
    return None
