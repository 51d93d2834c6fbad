"""Which adjective or noun goes with which noun: "the glass lid and the steel pot" is no steel lid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light
from imprimatur.verdict import Reason

__all__ = ["beside", "misattached", "owned", "renamed"]

_MODIFYING = (Part.ADJECTIVE, Part.NOUN, Part.NAME)
_NOMINAL = (Part.NOUN, Part.NAME)
_NAMING = (Part.NOUN, Part.VERB, Part.PARTICIPLE)
_SMALL = frozenset("first last next only own other same new more less many few".split())


def misattached(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each modifier that the text has before another noun only."""
    found = {each.piece: each for each in match.found if each.other >= 0 and each.spot is not Spot.NOWHERE}
    for k in match.clause.members[:-1]:
        piece, noun = claim.pieces[k], claim.pieces[k + 1]
        if piece.part not in _MODIFYING or noun.part is not Part.NOUN or k not in found or k + 1 not in found:
            continue
        if piece.figure or piece.lower in _SMALL or found[k].sign < 0:
            continue
        places = [n for n, each in enumerate(texts.pieces) if _same(piece, each)] or [found[k].other]
        if all(_elsewhere(n, noun, texts.pieces) for n in places):
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{_phrase(places[0], texts.pieces)}”")


def beside(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for what stands beside a thing ("the owner, a student") where the text has it beside another."""
    found = {each.piece: each.other for each in match.found if each.other >= 0 and each.spot is not Spot.NOWHERE}
    for k in range(2, len(claim.pieces)):
        host = claim.pieces[k - 2]
        if k not in found and k + 1 not in found and k + 2 not in found:
            continue
        if claim.pieces[k].lower not in ("a", "an") or claim.pieces[k - 1].text != "," or host.part not in _NOMINAL:
            continue
        at = next((found[n] for n in range(k + 1, min(k + 4, len(claim.pieces))) if n in found), -1)
        opens = next((n for n in range(at - 1, max(0, at - 4), -1) if texts.pieces[n].lower in ("a", "an")), -1)
        if opens < 2 or texts.pieces[opens - 1].text != ",":
            continue
        other = texts.pieces[opens - 2]
        if other.part in _NOMINAL and not _same(host, other):
            yield mark(host, Reason.ROLES_SWAPPED, f"the text has it beside “{other.text}”")


def owned(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "A's dog" where the texts have it only of somebody else ("B's dog", "B, whose dog")."""
    for each in match.found:
        k = each.piece
        owner = _owner(k, claim.pieces)
        if owner is None or each.other < 0 or each.spot is Spot.NOWHERE:
            continue
        places = [n for n, text in enumerate(texts.pieces) if text.lower == texts.pieces[each.other].lower]
        owners = [_owner(n, texts.pieces) for n in places]
        behind = any(texts.pieces[n + 1].lower == "of" for n in places if n + 1 < len(texts.pieces))
        if behind or not all(other is not None and not _same(owner, other) for other in owners):
            continue
        named = owners[0].text if owners[0] is not None else ""
        yield mark(owner, Reason.ROLES_SWAPPED, f"the text has it of “{named}”")


def _owner(k: int, pieces: Sequence[Piece]) -> Piece | None:
    """Whose a noun is: what stands before "'s", or before "whose"."""
    n = k - 1
    while n > 0 and pieces[n].part in (Part.NOUN, Part.ADJECTIVE):
        n -= 1
    if n > 0 and pieces[n].lower in ("'s", "\u2019s") and pieces[k].part is Part.NOUN:
        return pieces[n - 1]
    if n > 0 and pieces[n].lower == "whose":
        return next((pieces[m] for m in range(n - 1, max(-1, n - 4), -1) if pieces[m].part in _NOMINAL), None)
    return None


def renamed(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a word that is taken for another one of the text, while the text has the word itself of others."""
    for each in match.found:
        piece = claim.pieces[each.piece]
        if each.other < 0 or each.spot is Spot.NOWHERE or piece.part not in _NAMING or piece.figure or light(piece):
            continue
        text = texts.pieces[each.other]
        if text.part not in _NAMING or piece.lower == text.lower or piece.lemmas & text.lemmas:
            continue
        pos = "n" if piece.part is Part.NOUN else "v"
        lemmas = {lemma for lemma in piece.lemmas if lemma[1] == pos}
        parts = (Part.NOUN,) if pos == "n" else (Part.VERB, Part.PARTICIPLE)
        places = [n for n, other in enumerate(texts.pieces) if other.part in parts and other.lemmas & lemmas]
        if pos == "v":
            places = [n for n in places if _shares(n, match, texts)]
        own = texts.pieces[places[0]] if places else None
        if own is not None:
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{text.text}”, and “{own.text}” of another")


def _shares(verb: int, match: Match, texts: Evidence) -> bool:
    """Whether the clause takes something from the clause of another verb."""
    home = texts.frame_of(verb)
    return home is not None and home.number != match.frame.number and any(n in match.taken for n in home.members)


def _same(piece: Piece, text: Piece) -> bool:
    return piece.lower == text.lower or bool(piece.lemmas & text.lemmas and piece.part is text.part)


def _elsewhere(n: int, noun: Piece, pieces: Sequence[Piece]) -> bool:
    """Whether a modifier stands before other nouns, and none like the one that it stands before in the claim."""
    after = [pieces[k] for k in _run(n, pieces)]
    nouns = [each for each in after if each.part in _NOMINAL]
    if pieces[n].part not in _MODIFYING or not nouns or (n and pieces[n - 1].lemmas & noun.lemmas):
        return False
    around = [pieces[k] for k in range(max(0, n - 6), min(len(pieces), n + 8))]
    beside = any(each.lower in ("and", "or", "of", "is", "are", "was", "were") for each in pieces[n + 1 : n + 2])
    if beside or any(each.lemmas & noun.lemmas for each in nouns):
        return False
    return any(each.lemmas & noun.lemmas for each in around) or any(each.lemmas & noun.lemmas for each in pieces)


def _run(n: int, pieces: Sequence[Piece]) -> Iterator[int]:
    """What stands behind a modifier in its phrase."""
    for k in range(n + 1, len(pieces)):
        if pieces[k].part not in _MODIFYING and pieces[k].part is not Part.PARTICIPLE:
            return
        yield k


def _phrase(n: int, pieces: Sequence[Piece]) -> str:
    return " ".join(pieces[k].text for k in (n, *_run(n, pieces)))
