"""How much, how often, who, and how strongly: "almost", "slightly", "he" for "she", "cannot" for "should not"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark, TextLimits
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.figures import Fit, fits
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound, DateValue
from imprimatur.verdict import Reason

__all__ = ["binding", "codes", "degrees", "directions", "misdated", "nearly", "persons", "pointers"]

_DEGREES = (
    frozenset("only solely exclusively merely just alone".split()),
    frozenset("almost nearly practically virtually".split()),
    frozenset("slightly somewhat mildly".split()),
    frozenset("partly partially".split()),
    frozenset("mostly mainly largely chiefly primarily predominantly".split()),
    frozenset("completely fully entirely totally wholly".split()),
    frozenset("severely seriously badly".split()),
    frozenset(("always",)),
    frozenset("often frequently".split()),
    frozenset("sometimes occasionally".split()),
    frozenset("rarely seldom".split()),
    frozenset("immediately instantly".split()),
    frozenset("shortly soon".split()),
    frozenset(("long",)),
    frozenset("already still".split()),
    frozenset("temporarily permanently".split()),
)
_NOTHING_BUT = frozenset("nothing nobody none".split())
_HE, _SHE = frozenset("he him his himself".split()), frozenset("she her hers herself".split())
_ONE, _SEVERAL = frozenset(("it",)), frozenset(("them", "they"))
_PLURAL = _SEVERAL | frozenset("these those their both all".split())
_BOUNDS = frozenset("above below over under than least most beyond".split())
_DUTY = frozenset("must shall should ought".split())
_NOMINAL = (Part.NOUN, Part.NAME)


def degrees(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each word of degree, frequency or focus in the clause that the text does not have."""
    said = {piece.lower for piece in texts.pieces}
    lemmas = {lemma for piece in texts.pieces for lemma, _ in piece.lemmas}
    for k in match.clause.members:
        piece = claim.pieces[k]
        if piece.lower in _NOTHING_BUT and any(p.lower in ("but", "except") for p in claim.pieces[k + 1 : k + 3]):
            if not said & (_DEGREES[0] | _NOTHING_BUT):
                yield mark(piece, Reason.SCOPE_WIDENED, "the text leaves room for others")
            continue
        group = next((each for each in _DEGREES if piece.lower in each), None)
        if group is None or piece.part in (Part.NOUN, Part.NAME, Part.VERB) or said & group:
            continue
        if piece.lower == "long" and (k + 1 >= len(claim.pieces) or claim.pieces[k + 1].part is not Part.PREPOSITION):
            continue
        if any(lemma in lemmas for lemma, _ in piece.lemmas):
            continue
        if group is _DEGREES[0] and any(each.figure for each in claim.pieces[k + 1 : k + 4]):
            continue  # "just 20 mL" is no less and no more
        yield mark(piece, Reason.SCOPE_WIDENED, f"the text does not say “{piece.text}”")


def persons(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "he" where the text has only "she", and the other way."""
    said = {texts.pieces[k].lower for k in match.frame.members}
    for k in match.clause.members:
        lower = claim.pieces[k].lower
        for own, other in ((_HE, _SHE), (_SHE, _HE)):
            if lower in own and said & other and not said & own:
                yield mark(claim.pieces[k], Reason.ROLES_SWAPPED, f"the text has “{min(said & other)}”")


def pointers(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "them" where the frame has only "it", and the other way."""
    said = {texts.pieces[k].lower for k in match.frame.members}
    for k in match.clause.members:
        lower = claim.pieces[k].lower
        if lower in _SEVERAL and said & _ONE and not said & _PLURAL:
            yield mark(claim.pieces[k], Reason.ROLES_SWAPPED, "the text has “it”")
        if lower in _ONE and k != match.clause.members[0] and said & _SEVERAL and not said & _ONE:
            yield mark(claim.pieces[k], Reason.ROLES_SWAPPED, f"the text has “{min(said & _SEVERAL)}”")


def nearly(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "almost" or "just over" before a number that the text states as it is."""
    for found in match.found:
        piece = claim.pieces[found.piece]
        if found.other < 0 or not piece.figure or not texts.pieces[found.other].figure:
            continue
        words, theirs = piece.lower.split(), texts.pieces[found.other].lower.split()
        before = claim.pieces[found.piece - 1].lower if found.piece else ""
        near = texts.pieces[found.other - 1].lower if found.other else ""
        own = next((word for word in (before, *words[:2]) if word in _DEGREES[1] | {"almost", "nearly"}), "")
        if own and own not in theirs and near not in _DEGREES[1]:
            yield mark(piece, Reason.COMPARISON_MISMATCH, f"the text has “{texts.pieces[found.other].text}”")


def directions(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "up" where the texts have only "down", and the other way."""
    said = {texts.pieces[k].lower for k in match.frame.members if _particle(k, texts.pieces)}
    for piece in (claim.pieces[k] for k in match.clause.members if _particle(k, claim.pieces)):
        for own, other in (("up", "down"), ("down", "up"), ("on", "off"), ("off", "on"), ("out", "in")):
            if piece.lower == own and own not in said and other in said:
                yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{other}”")


def _particle(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a word stands by itself, and before no phrase ("switch it on", not "on Monday")."""
    after = pieces[k + 1].part if k + 1 < len(pieces) else Part.MARK
    return pieces[k].part is not Part.PREPOSITION or after in (Part.PREPOSITION, Part.CONJUNCTION, Part.MARK)


def codes(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for two numbers with a stroke between ("140/90") that the text does not have so, or bounds."""
    pieces = claim.pieces
    for k in match.clause.members:
        if pieces[k].text != "/" or not 0 < k < len(pieces) - 1:
            continue
        ends = pieces[k - 1].lower, pieces[k + 1].lower
        if not all(end[:1].isdigit() for end in ends):
            continue
        places = [
            n
            for n in range(1, len(texts.pieces) - 1)
            if texts.pieces[n].text == "/" and (texts.pieces[n - 1].lower, texts.pieces[n + 1].lower) == ends
        ]
        before = pieces[k - 2].lower if k > 1 else ""
        bounds = before if before in _BOUNDS else ""
        if not any((texts.pieces[n - 2].lower if n > 1 else "") == bounds or not bounds for n in places):
            yield mark(pieces[k - 1], Reason.NUMBER_NOT_IN_SOURCE, "the text does not have these two numbers so")


def binding(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a bound on what is to be done that the text does not have, and for "cannot" for "should not"."""
    mine = {claim.pieces[k].lower for k in match.clause.members}
    theirs = {texts.pieces[k].lower for k in match.frame.members}
    if mine & _DUTY:
        for found in match.found:
            stated = claim.pieces[found.piece].quantity
            stored = texts.pieces[found.other].quantity if found.other >= 0 else None
            if stated is not None and stored is not None and stated.bound is not stored.bound:
                detail = f"the text has “{texts.pieces[found.other].text}”"
                yield mark(claim.pieces[found.piece], Reason.COMPARISON_MISMATCH, detail)
    denied = [
        k for k in match.clause.members if claim.pieces[k].part is Part.NEGATOR or claim.pieces[k].lower == "cannot"
    ]
    able = mine & {"can", "could", "may", "cannot"}
    if denied and able and theirs & {"should", "ought"} and not theirs & able:
        yield mark(claim.pieces[denied[0]], Reason.SCOPE_WIDENED, "the text only advises it")


def misdated(claim: Reading, texts: Evidence, limits: TextLimits) -> bool:
    """Whether a bound of a date ("since 2015") is other than that of the same date in the texts ("until 2015")."""
    stored = [piece for piece in texts.pieces if piece.date is not None]
    for piece in claim.pieces:
        stated = piece.date
        if stated is None or stated.bound in (Bound.EXACT, Bound.ABOUT):
            continue
        same = [each for each in stored if each.date is not None and _ends(each.date) & _ends(stated)]
        if same and not any(fits(piece, each, limits) is Fit.YES for each in same):
            return True
    return False


def _ends(date: DateValue) -> set[tuple[int, int, int]]:
    return {end for end in (date.first, date.last) if end is not None}
