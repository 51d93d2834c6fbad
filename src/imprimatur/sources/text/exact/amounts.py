"""One or several, and how many of them: "the houses" is not "the house", "few patients" are not "most"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.words import forms
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["amounts", "numbers"]

_INSIDE = (Part.ADJECTIVE, Part.NOUN, Part.NAME, Part.PARTICIPLE, Part.NUMBER)
_OWNERS = frozenset("its their his her my our your whose 's \u2019s this that these those".split())
_GENERAL = frozenset(("", "a", "an", "any", "every", "each", "all", "no", "per", "one"))
_NOBODY = frozenset("nobody none no nothing neither".split())
_AMOUNTS = {
    **dict.fromkeys("all every each".split(), "all"),
    "both": "both",
    **dict.fromkeys("most majority".split(), "most"),
    **dict.fromkeys("many numerous plenty".split(), "many"),
    **dict.fromkeys("some several certain various".split(), "some"),
    **dict.fromkeys("few hardly".split(), "few"),
    **dict.fromkeys("no none neither".split(), "no"),
    **dict.fromkeys("half third quarter part portion".split(), "share"),
}
#: What a claim may say for what a text says of a thing.
_WEAKER = {
    "all": frozenset(("all", "most", "many", "some", "", "both")),
    "both": frozenset(("both", "all", "some", "")),
    "most": frozenset(("most", "many", "some")),
    "many": frozenset(("many", "some")),
    "some": frozenset(("some",)),
    "few": frozenset(("few", "some")),
    "no": frozenset(("no",)),
    "share": frozenset(("share", "some", "many")),
    "": frozenset(("", "some")),
}
_OF_ONLY = ("third", "quarter", "part", "portion")
_FAR = 6
_NOMINAL = (Part.NOUN, Part.NAME)


def numbers(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each noun that is one thing in the text and several in the claim, or the other way."""
    for found in match.found:
        if found.other < 0 or found.spot is Spot.NOWHERE:
            continue
        mine, theirs = claim.pieces[found.piece], texts.pieces[found.other]
        if mine.part is not Part.NOUN or theirs.part is not Part.NOUN or mine.figure or theirs.figure:
            continue
        if not _same_noun(mine, theirs) or _plural(mine) is _plural(theirs):
            continue
        if _amount(found.piece, claim.pieces) == "share":
            continue  # "a third of the flat" for "one flat in three"
        if _attributive(found.piece, claim.pieces) or _attributive(found.other, texts.pieces):
            continue
        own, their = _determiner(found.piece, claim.pieces), _determiner(found.other, texts.pieces)
        denied = any(claim.pieces[k].lower in _NOBODY for k in match.clause.members)
        if (own in _GENERAL and their in _GENERAL) or "no" in (own, their) or own == "one" or denied:
            continue
        if (
            _named(found.other, texts.pieces)
            or _finite(found.piece, claim.pieces)
            or _finite(found.other, texts.pieces)
        ):
            continue
        if any(_plural(each) is _plural(mine) and _same_noun(mine, each) for each in texts.pieces):
            continue
        yield mark(mine, Reason.SCOPE_WIDENED, f"the text has “{theirs.text}”")


def _same_noun(mine: Piece, theirs: Piece) -> bool:
    ours = {lemma for lemma, pos in mine.lemmas if pos == "n"}
    return theirs.part is Part.NOUN and any(lemma in ours for lemma, pos in theirs.lemmas if pos == "n")


def _plural(piece: Piece) -> bool:
    return forms(piece.lower).plural


def _attributive(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a noun stands before another noun that it describes ("ticket price"), or owns it ("the bank's")."""
    after = pieces[k + 1] if k + 1 < len(pieces) else None
    return after is not None and (after.part is Part.NOUN or after.lower in ("'s", "\u2019s", "'", "\u2019"))


def _named(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a number behind a noun tells which one it is ("crane 2")."""
    return k + 1 < len(pieces) and pieces[k + 1].label


def _finite(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether what looks like a plural may be a verb with a subject before it ("the licensor consents")."""
    return k > 0 and pieces[k - 1].part in _NOMINAL and "s" in forms(pieces[k].lower).verb_forms


def _determiner(k: int, pieces: Sequence[Piece]) -> str:
    """The determiner, number or owner before a noun; "" for none."""
    n = k - 1
    while n >= 0 and pieces[n].part in _INSIDE and not pieces[n].figure:
        n -= 1
    if n < 0:
        return ""
    before = pieces[n]
    if before.figure:
        return before.lower
    if before.part is Part.DETERMINER or before.lower in _OWNERS or before.lower in ("per", "both"):
        return before.lower
    return ""


def amounts(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where a noun has another quantifier in the claim than in the text."""
    for found in match.found:
        if found.other < 0 or found.spot is Spot.NOWHERE or claim.pieces[found.piece].part is not Part.NOUN:
            continue
        if texts.pieces[found.other].part is not Part.NOUN or found.sign < 0:
            continue
        own, their = _amount(found.piece, claim.pieces), _amount(found.other, texts.pieces)
        if own in _WEAKER[their] or "no" in (own, their):
            continue  # denials are compared elsewhere
        if own == "both" and any(piece.lower == "both" for piece in texts.pieces):
            continue
        if _numbered(found.piece, claim.pieces) or _numbered(found.other, texts.pieces):
            continue
        piece = claim.pieces[found.piece]
        said = f"the text has “{their}”" if their else f"the text does not say “{own}”"
        yield mark(piece, Reason.SCOPE_WIDENED, said)


def _amount(k: int, pieces: Sequence[Piece]) -> str:
    """The quantifier of a noun: before it, or before "of the" in front of it."""
    n = k - 1
    while n >= 0 and k - n <= _FAR:
        piece = pieces[n]
        if piece.lower in _AMOUNTS and not (piece.lower in _OF_ONLY and pieces[n + 1].lower != "of"):
            if piece.lower == "few" and n and pieces[n - 1].lower == "a":
                return "some"
            return _AMOUNTS[piece.lower]
        inside = piece.part in _INSIDE or piece.part is Part.DETERMINER or piece.lower in _OWNERS or piece.lower == "of"
        if not inside or piece.figure or (piece.part in _NOMINAL and n + 1 < k and pieces[n + 1].lower == "of"):
            return ""
        n -= 1
    return ""


def _numbered(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a number stands before a noun: how many it says is compared elsewhere."""
    n = k - 1
    while n >= 0 and pieces[n].part in _INSIDE:
        if pieces[n].figure:
            return True
        n -= 1
    return n >= 1 and pieces[n].lower == "of" and pieces[n - 1].figure
