"""Numbers that a text gives by what is left: "all but 600", "20 fewer", "the rest being iron".

``remainders`` gives each as a leaf of its own, derived from those that it is computed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["gaps_of", "phrase", "rests_of"]


def _all_but(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """ "14,200 images, all but 600 of them in colour": so many in colour."""
    for b in leaves:
        before = [piece.lower for piece in texts.pieces[max(0, b.piece - 2) : b.piece]]
        whole = next((a for a in reversed(leaves) if a.piece < b.piece and not a.derived and a.day is None), None)
        part = same_kind(whole, b) if whole is not None else None
        if before != ["all", "but"] or whole is None or part is None or not 0 < part < whole.value:
            continue
        home = texts.frame_of(b.piece)
        behind = [k for k in home.members if k > b.piece] if home is not None else []
        told = frozenset(phrase([k for k in behind if texts.pieces[k].part in _TELLING], texts.pieces))
        said = f"({whole.said} - {b.said})"
        yield replace(b, said=said, value=whole.value - part, unit=whole.unit, reference=told, derived=True)


_TELLING = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.VERB, Part.PARTICIPLE)


def _fewer(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """ "East runs 48 nodes; West has 20 fewer": West's, by what the clause before has."""
    for b in leaves:
        after = texts.pieces[b.piece + 1 : b.piece + 3]
        sign = sign_of(after[0]) if after else 0
        home = texts.frame_of(b.piece)
        ends = len(after) < 2 or after[1].part in (Part.MARK, Part.CONJUNCTION) or after[1].lower in ("in", "on", "at")
        if not sign or not ends or home is None or b.day is not None or after[0].lower in _TIMELY_WORDS:
            continue
        levels = [a for a in leaves if a.piece < b.piece and a.day is None and not a.derived]
        kin = [a for a in levels if a.noun < 0 and a.unit is not None and b.unit is None and not a.share]
        near = [a for a in levels if a.noun == b.noun and a.noun >= 0 and not a.share] or kin
        frame = texts.frame_of(near[-1].piece) if near else None
        if frame is None or frame.number == home.number or len(near) != 1 or near[0].value + sign * b.value <= 0:
            continue
        joint = "+" if sign > 0 else "-"
        said = f"({near[0].said} {joint} {b.said})"
        yield replace(b, said=said, value=near[0].value + sign * b.value, unit=near[0].unit, derived=True)


_TIMELY_WORDS = frozenset("later earlier".split())


def rests_of(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """ "65% nickel and 30% copper, the rest being iron", "of 1,250, 875 were granted; the others are pending"."""
    for frame in texts.frames:
        for n, k in enumerate(frame.members[:-1]):
            the = texts.pieces[k].lower == "the" and texts.pieces[frame.members[n + 1]].lower in _REST
            reference = frozenset(phrase(frame.members[n + 2 :], texts.pieces)) if the else frozenset()
            if not reference or any(texts.pieces[m].figure for m in reference):
                continue
            before = [leaf for leaf in leaves if leaf.piece < k and not leaf.derived and leaf.day is None]
            rest = _rest(before, texts)
            if rest is not None:
                yield replace(rest, piece=k, reference=reference, noun=-1, derived=True)


_REST = frozenset("rest remainder others balance".split())


def _rest(before: Sequence[Leaf], texts: Evidence) -> Leaf | None:
    """What is left of a whole: of all where shares are given, else of the number that "of" stands before."""
    shares = [leaf for leaf in before if leaf.share]
    if shares and len({leaf.percent for leaf in shares}) == 1:
        whole = Fraction(100 if shares[0].percent else 1)
        left, parts = whole - sum((leaf.value for leaf in shares), Fraction(0)), shares
        said = "100%" if shares[0].percent else "1"
        model = shares[0]
    else:
        opened = [n for n, leaf in enumerate(before) if _of_all(leaf, texts)]
        if not opened:
            return None
        model, parts = before[opened[-1]], list(before[opened[-1] + 1 :])
        values = [same_kind(model, leaf) for leaf in parts]
        if not parts or None in values:
            return None
        left = model.value - sum((value for value in values if value is not None), Fraction(0))
        said = model.said
    said = " - ".join((said, *(leaf.said for leaf in parts)))
    return replace(model, said=f"({said})", value=left) if left > 0 else None


def _of_all(leaf: Leaf, texts: Evidence) -> bool:
    """Whether a number opens a sentence as a whole ("Of the 1,250 applications")."""
    words = [texts.pieces[k].lower for k in range(max(0, leaf.piece - 3), leaf.piece)]
    return "of" in words and texts.pieces[leaf.piece - 1 - words[::-1].index("of")].first


def phrase(members: Sequence[int], pieces: Sequence[Piece]) -> Iterator[int]:
    """What a comparison names: up to "and" with another number, or a comma with no date ("its filing, 3 May 2009")."""
    for n, k in enumerate(members):
        after = pieces[members[n + 1]] if n + 1 < len(members) else None
        joint = pieces[k].part is Part.CONJUNCTION and after is not None and after.figure
        if joint or (pieces[k].text == "," and (after is None or after.date is None)):
            return
        yield k


def gaps_of(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """The numbers that "all but so many" and "so many fewer" come to."""
    yield from _all_but(leaves, texts)
    yield from _fewer(leaves, texts)
