"""What stands right before a number: "by 3%" is not "to 3%", "at least ten" is not "ten", "most" is not "46%"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound
from imprimatur.verdict import Reason

__all__ = ["before_numbers"]

_SKIPPED = frozenset(
    "the a an about around approximately roughly nearly almost exactly just only another some than more less fewer at"
    " least most up no later earlier".split()
)
_KINDS = {
    **dict.fromkeys("by".split(), "by"),
    **dict.fromkeys("to into".split(), "to"),
    **dict.fromkeys("from since".split(), "from"),
    **dict.fromkeys("after following".split(), "after"),
    **dict.fromkeys("before".split(), "before"),
    **dict.fromkeys("until till through".split(), "until"),
    **dict.fromkeys("in on during within".split(), "in"),
    **dict.fromkeys("at".split(), "at"),
    **dict.fromkeys("of".split(), "of"),
    **dict.fromkeys("with".split(), "with"),
    **dict.fromkeys("without".split(), "without"),
    **dict.fromkeys("every each per".split(), "every"),
    **dict.fromkeys("for".split(), "for"),
    **dict.fromkeys("between".split(), "between"),
}
#: What a number of a text may have before it, for what the claim has; "" is nothing.
_FITS = {
    "by": ("by", "", "within", "before", "until", "of", "at"),
    "to": ("to", "between", "until", "at", "reaching", "in"),
    "from": ("from", "between", "after", "in", "on", "of", "at"),
    "after": ("after", "from", "in", "for", "until", "at", "", "once", "of"),
    "before": ("before", "until", "by", ""),
    "until": ("until", "to", "by", "for", "before", ""),
    "with": ("with", "of", "at", "", "for", "to", "in"),
    "without": ("without", ""),
    "every": ("every", "", "in", "of"),
}
_DATED = {"by": ("by", "before", "until", "in", "at", "on"), "from": ("from", "after", "since", "in", "on", "between")}
_FAR = 4


def before_numbers(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each number or date before which the claim has another preposition or bound than the text."""
    places = [f.other for f in match.found if f.other >= 0 and claim.pieces[f.piece].figure]
    for found in match.found:
        piece = claim.pieces[found.piece]
        if piece.figure and not piece.one and places.count(found.other) > 1:
            yield mark(piece, Reason.NUMBER_NOT_IN_SOURCE, "the text has one number for two")
            continue
        text = texts.pieces[found.other]
        if found.other < 0 or found.spot is Spot.NOWHERE or piece.one or text.one:
            continue
        if not (piece.figure and text.figure) and not (piece.lower[:1].isdigit() and piece.lower == text.lower):
            continue
        if text.quantity is not None and text.quantity.bound is Bound.RANGE:
            continue
        rank = _rank(found.piece, claim.pieces)
        if piece.figure and rank and rank != _rank(found.other, texts.pieces):
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text does not have it as the {rank}")
            continue
        if _counts_others(found.piece, found.other, claim.pieces, texts.pieces):
            after = texts.pieces[found.other + 1].text
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text counts only “{after}” ones")
            continue
        if _other_end(piece, text):
            yield mark(piece, Reason.COMPARISON_MISMATCH, f"the text has “{text.text}”")
            continue
        own, their = _before(found.piece, claim.pieces), _before(found.other, texts.pieces)
        fits = _FITS.get(own) if piece.date is None else _DATED.get(own, _FITS.get(own))
        again = [_before(n, texts.pieces) for n, each in enumerate(texts.pieces) if each.lower == text.lower]
        if own == "to" and not _said_before(found.piece, claim.pieces, texts.pieces):
            continue  # "came to 38 tonnes"
        if own != their and fits is not None and not any(each in fits for each in (their, *again)):
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{their or 'no preposition'}” before it")
        elif _bounded(piece, text) and not _limited(match, found.other, texts):
            yield mark(piece, Reason.COMPARISON_MISMATCH, f"the text has “{text.text}”")


def _before(k: int, pieces: Sequence[Piece]) -> str:
    """The kind of the preposition before a number; "" for none."""
    for n in range(k - 1, max(-1, k - _FAR), -1):
        lower = pieces[n].lower
        if lower in _KINDS and not (lower == "at" and pieces[n + 1].lower in ("least", "most")):
            return _KINDS[lower]
        if lower == "and" and any(each.lower == "between" for each in pieces[max(0, n - 4) : n]):
            return "to"
        if lower not in _SKIPPED and pieces[n].part is not Part.DETERMINER:
            return ""
    return ""


_RANKS = {"past": "last", "final": "last", "previous": "last", "preceding": "last", "following": "next"}


def _rank(k: int, pieces: Sequence[Piece]) -> str:
    """Which of several a number counts ("the first two months"); "" for no such word."""
    before = pieces[k - 1].lower if k else ""
    word = _RANKS.get(before, before)
    return word if word in ("first", "last", "next") else ""


def _counts_others(k: int, other: int, mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether a rank counts all of a kind in the claim, and some of them in the text ("the third working day")."""
    quantity = mine[k].quantity
    if quantity is None or not quantity.ordinal or k + 1 >= len(mine) or other + 2 >= len(theirs):
        return False
    noun, after = mine[k + 1], theirs[other + 1]
    modified = after.part in (Part.ADJECTIVE, Part.PARTICIPLE, Part.VERB, Part.NOUN)
    return (
        modified
        and noun.part is Part.NOUN
        and not noun.lemmas & after.lemmas
        and bool(noun.lemmas & theirs[other + 2].lemmas)
    )


def _other_end(piece: Piece, text: Piece) -> bool:
    """Whether both say by when, and not the same day."""
    stated, stored = piece.date, text.date
    if stated is None or stored is None or stated.bound in (Bound.EXACT, Bound.ABOUT, Bound.RANGE):
        return False
    return stated.bound is stored.bound and (stated.first, stated.last) != (stored.first, stored.last)


def _said_before(k: int, pieces: Sequence[Piece], texts: Sequence[Piece]) -> bool:
    """Whether the texts have the word before the preposition of a number."""
    n = next((n for n in range(k - 1, max(-1, k - _FAR), -1) if pieces[n].part is Part.PREPOSITION), 0)
    before = pieces[n - 1] if n else None
    return before is not None and any(before.lower == text.lower or bool(before.lemmas & text.lemmas) for text in texts)


def _limited(match: Match, at: int, texts: Evidence) -> bool:
    """Whether the frame says by a noun, a verb or a word beside it that a number is a limit."""
    around = (*texts.pieces[max(0, at - 2) : at], *texts.pieces[at + 1 : at + 3])
    if any(piece.lower in _BOUNDING for piece in around):
        return True
    words = {lemma for k in match.frame.members for lemma, _ in texts.pieces[k].lemmas}
    return bool(words & _LIMITS)


_BOUNDING = frozenset("from upwards upward above over below under up least most onwards longer older more less".split())
_LIMITS = frozenset("limit cap maximum most ceiling max restrict minimum least floor min".split())


def _bounded(piece: Piece, text: Piece) -> bool:
    """Whether the claim bounds or hedges a number that the text states as it is."""
    stated, stored = piece.quantity, text.quantity
    if stated is None or stored is None or stored.bound is not Bound.EXACT or stated.unit != stored.unit:
        return False
    return stated.bound not in (Bound.EXACT, Bound.RANGE, Bound.ABOUT) and stated.low.value == stored.low.value
