"""What a claim compares with what: the words on the two sides of "than", "as … as", "ahead of", "of" or "per".

Each side is the words that tell its number from the other one: behind "on a Sunday than" it is "on a weekday" that
stands against "on a Sunday", and the rest is said of both.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.addresses import Sides
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.targets import Target

__all__ = ["compared", "graded", "is_percent", "shared_out"]


def compared(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> tuple[int, Sides | None]:
    """The sign of a comparison, and its sides; a share has sides and no sign."""
    at = members.index(target.at)
    for n, k in enumerate(members):
        lower = pieces[k].lower
        if lower == "than" and k not in target.pieces:
            graded = next((m for m in range(n - 1, -1, -1) if sign_of(pieces[members[m]])), None)
            if graded is not None:
                return sign_of(pieces[members[graded]]), _sides(pieces, members[:n], members[n + 1 :], target)
        if lower == "as" and n > at and any(pieces[m].lower == "as" for m in members[at + 1 : n]):
            return 0, _sides(pieces, members[:n], members[n + 1 :], target)
        if lower in ("ahead", "behind") and n + 1 < len(members):
            timed = _timed(target)
            sign = (-1 if timed else 1) * (1 if lower == "ahead" else -1)
            return sign, _sides(pieces, members[:n], members[n + 1 :], target)
        if n and pieces[k].part in (Part.VERB, Part.PARTICIPLE) and (sign := _outdone(pieces[k])):
            by = next((m for m in range(n + 1, len(members)) if pieces[members[m]].lower == "by"), len(members))
            return sign, _sides(pieces, members[:n], members[n + 1 : by], target)
    return (0, _fronted(pieces, members, target) or _whole(pieces, members, target)) if target.ratio else (0, None)


def _fronted(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "Of the shareholders, 65% …", "One claim in five …": the whole stands before or within."""
    comma = next((n for n, k in enumerate(members) if pieces[k].text == ","), 0)
    if pieces[members[0]].lower == "of" and 0 < comma < members.index(target.at):
        whole = members[1:comma]
    elif len(target.pieces) > 1 and target.quantity is not None and target.quantity.unit is None:
        low, high = min(target.pieces), max(target.pieces)
        whole = [k for k in members if low < k < high and pieces[k].part in (Part.NOUN, Part.ADJECTIVE, Part.NAME)]
    else:
        return None
    rest = tuple(k for k in members if k not in whole and k not in target.pieces)
    return Sides(left=rest, right=tuple(whole), part=True) if whole and rest else None


def _outdone(piece: Piece) -> int:
    return 1 if named_by(piece, "outdo") else -1 if named_by(piece, "trail") else 0


def graded(pieces: Sequence[Piece], target: Target) -> int:
    """The sign of a comparative right behind the target ("50% less memory")."""
    after = max(target.pieces) + 1
    return sign_of(pieces[after]) if after < len(pieces) else 0


def shared_out(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "0.82 goals per match": so many of the left to each of the right."""
    at = members.index(max(k for k in target.pieces if k in members))
    n = next((n for n in range(at + 1, min(at + 4, len(members))) if pieces[members[n]].lower == "per"), None)
    if n is None or n + 1 >= len(members) or pieces[members[n + 1]].part is not Part.NOUN:
        return None
    left = tuple(k for k in members if k not in target.pieces and k not in members[n : n + 2])
    return Sides(left=left, right=(members[n + 1],)) if left else None


def _timed(target: Target) -> bool:
    unit = target.quantity.unit if target.quantity is not None else None
    return unit is not None and unit.dimension in ((("s", 1),), (("yr", 1),))


def _sides(pieces: Sequence[Piece], left: Sequence[int], right: Sequence[int], target: Target) -> Sides | None:
    """The two sides: what follows, and what stands in its place on the left ("on a Sunday than on a weekday")."""
    mine = [k for k in left if k not in target.pieces]
    theirs = tuple(k for k in right if k not in target.pieces)
    if not mine or not theirs:
        return None
    if pieces[theirs[0]].part is Part.PRONOUN:  # "than it drew": what it did is set against what it did
        verbs = tuple(k for k in mine if k < target.at and pieces[k].part in (Part.VERB, Part.PARTICIPLE))
        return Sides(left=verbs, right=theirs) if verbs else None
    left_ = _counterpart(pieces, mine, pieces[theirs[0]])
    if any(pieces[k].lower in ("one", "that", "those") for k in theirs):  # "than a first one": one of the same
        nouns = [k for k in left_ if pieces[k].part is Part.NOUN]
        left_ = [k for k in left_ if k not in nouns[-1:]] if len(left_) > 1 else left_
    return Sides(left=tuple(left_), right=theirs)


def _counterpart(pieces: Sequence[Piece], left: Sequence[int], first: Piece) -> Sequence[int]:
    """The phrase of the left side that the right side is set against; the subject where that begins like one."""
    if first.part in (Part.PREPOSITION, Part.VERB, Part.PARTICIPLE, Part.AUXILIARY):
        at = next((n for n in range(len(left) - 1, -1, -1) if pieces[left[n]].lower == first.lower), None)
        if at is None:
            return left
        end = next((n for n in range(at + 1, len(left)) if _breaks(pieces[left[n]])), len(left))
        return left[at:end]
    verb = next((n for n, k in enumerate(left) if pieces[k].part in (Part.VERB, Part.AUXILIARY)), len(left))
    subject = [k for k in left[:verb] if pieces[k].part in (Part.NOUN, Part.NAME, Part.DATE, Part.ADJECTIVE)]
    return left[:verb] if subject else left


def _breaks(piece: Piece) -> bool:
    return piece.part in (Part.PREPOSITION, Part.VERB, Part.AUXILIARY) or piece.text == ","


def _whole(pieces: Sequence[Piece], members: Sequence[int], target: Target) -> Sides | None:
    """ "70% of the patients", "twice the price": the whole or the other side is what follows."""
    last = max(members.index(k) for k in target.pieces if k in members)
    after = members[last + 1 :]
    if not after:
        return None
    opens = pieces[after[0]].lower
    if opens != "of" and not (opens in ("the", "that", "those", "what") and target.quantity and not is_percent(target)):
        return None
    start = next((n + 1 for n, k in enumerate(after[:4]) if pieces[k].lower in ("who", "that", "which")), 1)
    first = next((n + 1 for n in range(start, len(after)) if start > 1 and _ends(pieces[after[n]])), start)
    end = next((n for n in range(first, len(after)) if _ends(pieces[after[n]])), len(after))
    left = (*members[: members.index(target.at)], *after[end:])
    if opens != "of":
        return _sides(pieces, left, after[1:end], target)
    mine = tuple(k for k in left if k not in target.pieces)
    theirs = tuple(after[1:end])
    return Sides(left=mine, right=theirs, part=True) if mine and theirs else None


def _ends(piece: Piece) -> bool:
    return piece.part in (Part.VERB, Part.AUXILIARY) or piece.text == ","


def is_percent(target: Target) -> bool:
    unit = target.quantity.unit if target.quantity is not None else None
    return unit is not None and unit.symbol == "%"
