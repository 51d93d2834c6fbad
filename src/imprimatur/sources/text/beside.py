"""What stands beside a number in the claim and in the text: rank, time, side, "more" or "less".

``beside`` gives what the text has otherwise, "" for nothing.
"""

from __future__ import annotations

from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.evidence import Evidence, Found, Match
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound

__all__ = ["beside", "ranks"]


def _otherwise_dated(found: Found, match: Match, texts: Evidence) -> str:
    """When something happened in the text, where the claim gives it the date of another clause."""
    frame, home = match.frame, texts.frame_of(found.other)
    if texts.pieces[found.other].date is None or home is None or home.number == frame.number:
        return ""
    for k in frame.members[:-1]:
        quantity, after = texts.pieces[k].quantity, texts.pieces[k + 1].lower
        if quantity is not None and after in ("later", "earlier", "afterwards", "before", "after"):
            return f"the text has {texts.pieces[k].text} {after}"
    return ""


def _otherwise_timed(found: Found, claim: Reading, texts: Evidence) -> str:
    """What the text says of a time that the claim has before or after something, and the text has not."""
    words = [
        pieces[k + 1].lower if k + 1 < len(pieces) else ""
        for k, pieces in ((found.piece, claim.pieces), (found.other, texts.pieces))
    ]
    if texts.pieces[found.other].quantity is None or words[0] not in _AROUND or words[1] in _AROUND:
        return ""
    before = texts.pieces[found.other - 1].lower if found.other else ""
    if words[0] == "after" and words[1] == "of" and before == "within":
        return ""  # "within four weeks of service"
    return f"the text has {texts.pieces[found.other].text} {words[1]}"


def _otherwise_ranked(found: Found, match: Match, claim: Reading, texts: Evidence) -> str:
    """What the text ranks so ("first to 3 June"), where the claim has the rank at another number; "" for nothing."""
    piece = claim.pieces[found.piece]
    for rank in match.found:
        if rank.other < 0 or not ranks(claim.pieces[rank.piece]) or rank.other >= found.other:
            continue
        after = texts.pieces[rank.other + 1 : rank.other + 3]
        ranked = next((text for text in after if text.figure), None)
        if ranked is None or ranked is texts.pieces[found.other] or after[0].lower == "of":
            continue
        if comparable(piece, ranked) and not ranks(ranked):
            return f"the text has {ranked.text} as {claim.pieces[rank.piece].text}"
    return ""


#: Words before a number that say opposite things of it.
_CONTRARY = (
    {"before", "after"}, {"until", "from"}, {"until", "after"}, {"above", "below"},
    {"over", "under"}, {"above", "under"}, {"over", "below"},
)  # fmt: skip


def _contrary(found: Found, claim: Reading, texts: Evidence) -> str:
    """What the text says of a number that the claim has on its other side ("after 14 days", "within 14 days")."""
    words = [
        pieces[k - 1].lower if k else "" for k, pieces in ((found.piece, claim.pieces), (found.other, texts.pieces))
    ]
    denied = any(
        piece.part is Part.NEGATOR or piece.lower in ("no", "only", "unless")
        for k, pieces in ((found.piece, claim.pieces), (found.other, texts.pieces))
        for piece in pieces[max(0, k - 6) : k]
    )
    upward = {piece.lower for piece in texts.pieces[found.other + 1 : found.other + 3]} & {
        "upwards",
        "upward",
        "onwards",
    }
    quantity = claim.pieces[found.piece].quantity
    up_to = quantity is not None and quantity.bound in (Bound.AT_MOST, Bound.LESS_THAN)
    if denied or not ({*words} in _CONTRARY or words == ["after", "within"] or (upward and up_to)):
        return ""
    return f"the text has {words[1]} {texts.pieces[found.other].text}"


_AROUND = frozenset("before after later earlier ago afterwards".split())


def _reversed(found: Found, claim: Reading, texts: Evidence) -> str:
    """What the text has for "a third less" where it says "a third more"."""
    signs = [
        sign_of(pieces[k + 1]) if k + 1 < len(pieces) else 0
        for k, pieces in ((found.piece, claim.pieces), (found.other, texts.pieces))
    ]
    after = claim.pieces[found.piece + 1].lower if found.piece + 1 < len(claim.pieces) else ""
    if signs[0] * signs[1] >= 0 and not (signs[1] and after == "of"):
        return ""
    return f"the text has {texts.pieces[found.other].text} {texts.pieces[found.other + 1].text}"


def _only_differing(found: Found, match: Match, claim: Reading, texts: Evidence) -> str:
    """What the text has so much more or less, where the claim has just so much ("2,000 fewer", "2,000")."""
    after = texts.pieces[found.other + 1 : found.other + 2]
    if not after or not sign_of(after[0]) or texts.pieces[found.other].quantity is None:
        return ""
    own = [claim.pieces[k] for k in match.clause.members]
    differs = any(sign_of(piece) or any(named_by(piece, each) for each in _DIFFERING) for piece in own)
    return "" if differs else f"the text has {texts.pieces[found.other].text} {after[0].text}"


_DIFFERING = ("gap", "rise", "fall", "outdo", "trail")


def ranks(piece: Piece) -> bool:
    return piece.quantity is not None and piece.quantity.ordinal


def beside(found: Found, match: Match, claim: Reading, texts: Evidence) -> str:
    """What the text has beside a number, where the claim has another thing there; "" for nothing."""
    return (
        _reversed(found, claim, texts)
        or _otherwise_dated(found, match, texts)
        or _otherwise_timed(found, claim, texts)
        or _only_differing(found, match, claim, texts)
        or _otherwise_ranked(found, match, claim, texts)
        or _contrary(found, claim, texts)
    )
