"""Which pieces of a claim stand for which pieces of the texts, clause by clause.

A clause of the claim is matched with the frames of the texts that have most of it, each piece with the nearest one that
it may stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from imprimatur.language import wordnet
from imprimatur.language.rounding import convert
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.evidence import WORTH, Evidence, Found, Match, Spot, content_of, head_of, with_unit
from imprimatur.sources.text.figures import Fit, bare, fits
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.leaves import clock_of
from imprimatur.sources.text.naming import plain_word, same_name
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light, likeness
from imprimatur.values import Bound

__all__ = ["matches"]

#: The most frames of the texts that a clause is matched with, best first.
_MOST_FRAMES = 6


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
    if not here or (5 * len(there) < 3 * len(known) and not _headed(match, claim)):
        return False
    if _foreign(match, claim, texts) or _of_another_line(match, claim, texts) or _figures_far(match, claim):
        return False
    verb = next((each for each in match.found if each.piece == match.clause.verb), None)
    if verb is not None and verb.spot is not Spot.NOWHERE and not light(claim.pieces[verb.piece]):
        return verb.spot is Spot.HERE or (verb.spot is Spot.NEAR and match.frame.elliptic)
    said = [each for each in known if match.clause.place(each.piece) in ("obj", "pred")]
    lent = match.frame.elliptic or match.frame.verb in match.taken or _weak(match, texts)
    return not said or any(each.spot is Spot.HERE or (each.spot is Spot.NEAR and lent) for each in said)


def _weak(match: Match, texts: Evidence) -> bool:
    """Whether the frame's own verb says little, so that what it takes from its neighbours may be what it says."""
    verb = texts.pieces[match.frame.verb]
    return verb.part is Part.AUXILIARY or light(verb)


def _figures_far(match: Match, claim: Reading) -> bool:
    """Whether the clause has numbers, and a frame without a verb has none of them."""
    spots = [each.spot for each in match.found if claim.pieces[each.piece].quantity is not None]
    return match.frame.elliptic and bool(spots) and all(spot is Spot.FAR for spot in spots)


def _headed(match: Match, claim: Reading) -> bool:
    """Whether the head of the subject and a verb that says something are both in the frame."""
    spots = {each.piece: each.spot for each in match.found}
    verb, head = match.clause.verb, head_of(match.clause, claim.pieces)
    if Spot.HERE is not spots.get(verb) or Spot.HERE is not spots.get(head):
        return False
    return not light(claim.pieces[verb])


def _foreign(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the clause's subject is elsewhere in the texts, and the frame has a subject of its own."""
    head = head_of(match.clause, claim.pieces)
    found = next((each for each in match.found if each.piece == head), None)
    own = head_of(match.frame, texts.pieces)
    if found is not None and found.spot is Spot.HERE and own >= 0 and own != found.other and own not in match.taken:
        after = texts.pieces[found.other + 1 : found.other + 2]
        if after and after[0].lower in ("'s", "'", "\u2019s", "\u2019"):
            return True  # "the defendant" is not "the defendant's lawyer"
        if own < found.other and match.frame.place(found.other) == match.frame.place(own) and _other(own, texts):
            return True  # "the mayor" is not "the wife of the mayor"
    if found is not None and found.spot in (Spot.NEAR, Spot.FAR) and own in match.taken and _owner(match, own, claim):
        return True  # "the patient" is not "the patient's mother"
    lent = found is not None and found.spot is Spot.NEAR and own >= 0 and own not in match.taken
    if found is None or not (found.spot is Spot.FAR or lent):
        return False
    return own >= 0 and not _taken_in(head, own, match, claim, texts)


def _owner(match: Match, own: int, claim: Reading) -> bool:
    """Whether what the claim has for the frame's subject is whose its own subject is."""
    ends = ("'s", "'", "\u2019s", "\u2019")
    return any(
        f.other == own and claim.pieces[f.piece + 1 :][:1] and claim.pieces[f.piece + 1].lower in ends
        for f in match.found
    )


def _of_another_line(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether a name or number of the clause stands elsewhere, and the frame is of a line that says by a colon of what.

    "Ben: dismissed for fraud" has nothing to take from another line: whoever is not in it is not who was dismissed.
    """
    members = match.frame.members
    ends = (members[0] - 1, members[-1] + 1)
    if not any(0 <= k < len(texts.pieces) and texts.pieces[k].lower == ":" for k in ends):
        return False
    head = head_of(match.clause, claim.pieces)
    far = [each.piece for each in match.found if each.spot is Spot.FAR]
    return any(k == head or _naming(k, claim) for k in far)


def _naming(k: int, claim: Reading) -> bool:
    """Whether a piece is a figure, or may be one of a name: a first word before a name looks like any noun."""
    piece, after = claim.pieces[k], claim.pieces[k + 1 : k + 2]
    begins = piece.first and bool(after) and after[0].part is Part.NAME
    return piece.part is Part.NAME or piece.figure or begins


def _other(head: int, texts: Evidence) -> bool:
    """Whether the head of a phrase is somebody or something beside what "of" adds, and no measure or group of it."""
    kinds = {wordnet.noun_kind(lemma) for lemma, pos in texts.pieces[head].lemmas if pos == "n"}
    return texts.pieces[head + 1].lower == "of" and bool(kinds & {"noun.person", "noun.artifact"})


def _taken_in(head: int, own: int, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the frame speaks of all or none of a kind, and the claim of one of them ("neither node", "node B")."""
    kind = head - 1 if head > 0 else head
    same = any(f.piece in (head, kind) and f.other == own and f.sign == 1 for f in match.found)
    words = {texts.pieces[k].lower for k in match.frame.members if k < own}
    return same and bool(words & {"neither", "both", "each", "every", "all", "no"})


def _rough(frame: Frame, options: dict[int, list[Found]], texts: Evidence) -> float:
    inside, lent = texts.reached(frame)
    score = 0.0
    for found in options.values():
        others = [each.other for each in found]
        if not inside.isdisjoint(others):
            score += 1
        elif not lent.isdisjoint(others):
            score += 0.8
    return score


def _options(k: int, claim: Reading, texts: Evidence, limits: TextLimits) -> Iterator[Found]:
    """All pieces of the texts that a piece of the claim may stand for."""
    piece = claim.pieces[k]
    ones = _ones(k, claim, texts)
    yield from (Found(k, Spot.FAR, other) for other in ones)
    if piece.figure:
        for other, text in enumerate(texts.pieces):
            fit = fits(piece, text, limits) if text.figure and other not in ones else Fit.APART
            if text.lower in _TIMES and piece.lower not in _TIMES and not _counts_times(k, claim):
                continue  # "two tablets" is not "twice"
            if fit is Fit.APART and bare(text) and other not in ones and (lent := with_unit(other, texts)) is not None:
                fit = fits(piece, lent, limits)
            if fit not in (Fit.YES, Fit.HEDGE) and (span := _span(k, text, claim)) is not None:
                fit = fits(span, text, limits)
            if fit in (Fit.YES, Fit.HEDGE, Fit.BOUND) or _clocked(piece, text):
                yield Found(k, Spot.FAR, other, 1, Fit.YES if fit is Fit.APART else fit)
    elif piece.part is Part.NAME and not plain_word(piece):
        for other in range(len(texts.pieces)):
            if other not in ones and same_name(k, other, claim.pieces, texts.pieces):
                yield Found(k, Spot.FAR, other)
    else:
        for other, (text, worded) in enumerate(zip(texts.pieces, texts.worded, strict=True)):
            same = text.lower == piece.lower
            sign = likeness(piece, text) if worded or (same and not (text.label or text.figure)) else 0
            if sign == 1 and not same and _of_which(k, claim) and likeness(text, piece) != 1:
                continue  # whoever is head of sales is not head of trade
            if sign and other not in ones and not (sign < 0 and _other_thing(piece, text)):
                yield Found(k, Spot.FAR, other, sign, same=same)
            elif not sign and other not in ones and _directed(k, other, claim, texts, limits):
                yield Found(k, Spot.FAR, other)


def _of_which(k: int, claim: Reading) -> bool:
    """Whether a bare noun says of which field somebody or a group is ("head of sales", "the sales manager").

    A more general word there is another one's field, where elsewhere it is true as well.
    """
    pieces, piece = claim.pieces, claim.pieces[k]
    if piece.part not in (Part.NOUN, Part.PARTICIPLE):
        return False
    if piece.part is Part.NOUN and _noun(pieces[k + 1 : k + 2]):
        return True
    return k > 1 and pieces[k - 1].lower == "of" and _noun(pieces[k - 2 : k - 1], "noun.person", "noun.group")


def _noun(pieces: Sequence[Piece], *kinds: str) -> bool:
    """Whether a piece is there that is a noun, and may be of one of some kinds."""
    nouns = [lemma for piece in pieces if piece.part is Part.NOUN for lemma, pos in piece.lemmas if pos == "n"]
    return bool(nouns) and (not kinds or any(not wordnet.noun_kinds(noun).isdisjoint(kinds) for noun in nouns))


_TIMES = frozenset("once twice thrice".split())


def _counts_times(k: int, claim: Reading) -> bool:
    """Whether a number says how often something is or was ("two times a day", "every 12 hours")."""
    piece, after = claim.pieces[k], claim.pieces[k + 1 : k + 2]
    return piece.one or "time" in piece.lower or (bool(after) and after[0].lower in ("time", "times"))


def _span(k: int, text: Piece, claim: Reading) -> Piece | None:
    """Both ends of "from 48 to 92 m²" as one range, where the text has a range; None for another number."""
    if text.quantity is None or text.quantity.high is None:
        return None
    words = [piece.lower for piece in claim.pieces]
    first = k if k and words[k - 1] == "from" else k - 2 if k > 2 and words[k - 1] == "to" else -1
    if first < 1 or words[first - 1] != "from" or words[first + 1 : first + 2] != ["to"]:
        return None
    ends = [piece.quantity for piece in claim.pieces[first : first + 3 : 2]]
    low, high = (ends[0], ends[1]) if len(ends) == 2 else (None, None)
    if low is None or high is None:
        return None
    both = replace(high, low=low.low, high=high.low, bound=Bound.RANGE)
    return replace(claim.pieces[k], quantity=both)


def _directed(k: int, other: int, claim: Reading, texts: Evidence, limits: TextLimits) -> bool:
    """Whether two words say of one number that it is so much more, or so much less ("35% fewer", "fallen by 35%")."""
    way = _way(claim.pieces[k])
    if not way or way != _way(texts.pieces[other]):
        return False
    mine, theirs = _differing(k, claim.pieces), _differing(other, texts.pieces)
    return mine is not None and theirs is not None and fits(mine, theirs, limits) is Fit.YES


def _way(piece: Piece) -> int:
    """1 for a word of more or a rise, -1 for one of less or a fall, 0 for any other."""
    return sign_of(piece) or int(named_by(piece, "rise")) - int(named_by(piece, "fall"))


def _differing(k: int, pieces: Sequence[Piece]) -> Piece | None:
    """The number by which a word says that something differs: right before it, or behind "by"."""
    if k and pieces[k - 1].quantity is not None and pieces[k].part not in (Part.VERB, Part.PARTICIPLE):
        return pieces[k - 1]
    after = pieces[k + 1 : k + 3]
    return after[1] if len(after) == 2 and after[0].lower == "by" and after[1].quantity is not None else None


def _clocked(piece: Piece, text: Piece) -> bool:
    """Whether a time as a clock has it is as long as an exact one of the claim ("6:52.4", "412.4 seconds")."""
    quantity = piece.quantity
    if quantity is None or quantity.unit is None or quantity.bound is not Bound.EXACT or text.part is not Part.NAME:
        return False
    value, unit = clock_of(text) or (None, None)
    return (
        value is not None
        and unit is not None
        and unit.symbol == "s"
        and convert(value, unit, quantity.unit) == (quantity.low.value)
    )


def _ones(k: int, claim: Reading, texts: Evidence) -> frozenset[int]:
    """Where the texts say the number one by "a" or "single", with the claim's word behind it."""
    quantity = claim.pieces[k].quantity
    if quantity is None or quantity.unit is not None or quantity.low.value != 1:
        return frozenset()
    said = (other for other, text in enumerate(texts.pieces) if text.lower in ("a", "an", "single", "each"))
    return frozenset(other for other in said if _next_alike(k, other, claim, texts))


def _other_thing(piece: Piece, text: Piece) -> bool:
    """Whether two opposed nouns are two kinds of things ("sons", "daughters"), and not an event and its contrary."""
    nouns = [lemma for p in (piece, text) for lemma, pos in p.lemmas if pos == "n"]
    return piece.part is text.part is Part.NOUN and all(wordnet.noun_kind(noun) in _THINGS for noun in nouns)


_THINGS = frozenset(f"noun.{kind}" for kind in "person animal artifact location group body object time".split())


def _next_alike(k: int, other: int, claim: Reading, texts: Evidence) -> bool:
    """Whether "one dose" meets "a dose" or "a single dose"."""
    mine = claim.pieces[k + 1 : k + 2]
    theirs = texts.pieces[other + 1 : other + 3]
    return bool(mine) and any(likeness(mine[0], text) == 1 for text in theirs if text.part is not Part.MARK)


def _match(clause: Frame, frame: Frame, options: dict[int, list[Found]], texts: Evidence) -> Match:
    inside, lent = texts.reached(frame)
    found = [_best(k, each, inside, lent) for k, each in options.items()]
    named = {each.other for each in found if each.same}
    found = [_spread(each, options, named, inside, lent) for each in found]
    taken = frozenset(each.other for each in found if each.other >= 0)
    return Match(clause=clause, frame=frame, found=tuple(found), taken=taken)


def _spread(
    found: Found, options: dict[int, list[Found]], named: set[int], inside: frozenset[int], lent: frozenset[int]
) -> Found:
    """What a piece is found at, another place where its own word stands, if another piece is the very word of this."""
    if found.same or found.other not in named:
        return found
    others = [each for each in options[found.piece] if each.same]
    return _best(found.piece, others, inside, lent) if others else found


def _best(k: int, options: Iterable[Found], inside: frozenset[int], lent: frozenset[int]) -> Found:
    """The nearest option; of equally near ones an exact one, then one of the same sign."""
    best, spot, least = None, Spot.NOWHERE, (0.0, True, True, 0, 0)
    for each in options:
        near = Spot.HERE if each.other in inside else Spot.NEAR if each.other in lent else Spot.FAR
        rank = (-WORTH[near], each.fit is not Fit.YES, not each.same, -each.sign, each.other)
        if best is None or rank < least:
            best, spot, least = each, near, rank
    if best is None:
        return Found(k, Spot.NOWHERE)
    return Found(k, spot, best.other, best.sign, best.fit, best.same)
