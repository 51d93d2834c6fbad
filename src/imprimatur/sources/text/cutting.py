"""The pieces of a text, in order, with white space between them; time is linear in the text.

Numbers and dates are found first, then what several pieces say together, then labels ("tank 3"), then parts of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from imprimatur.extract.words import BE, HAVE, forms
from imprimatur.language import wordnet
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.text.bounds import lasting
from imprimatur.sources.text.measures import measured
from imprimatur.sources.text.phrases import meant, phrased
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of
from imprimatur.sources.text.tagging import STOPS, plural, tagged
from imprimatur.sources.text.written import written

__all__ = ["pieces_of"]

_QUOTES = frozenset("\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e()[]")


@lru_cache(2048)
def pieces_of(text: str, locale: str = "en") -> tuple[Piece, ...]:
    """The pieces of a text, in order; white space lies between them."""
    spans = written(text, locale)
    tokens = tokenise(text)
    out: list[Piece] = []
    at = 0
    for token in tokens:
        if token.start < at:
            continue
        piece = spans.get(token.start)
        if piece is None:
            piece = _word(token)
        out.append(piece)
        at = piece.end
    return tuple(meant(lasting(tagged(_labelled(_begun(measured(phrased(out))))))))


def _word(token: Token) -> Piece:
    mark = token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL)
    return Piece(
        start=token.start,
        end=token.end,
        text=token.text,
        lower=token.lower,
        part=Part.MARK if mark else Part.NOUN,
        lemmas=frozenset() if mark else lemmas_of(token.lower),
    )


def _begun(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those that begin a sentence or a quotation marked so."""
    out: list[Piece] = []
    fresh = True
    for n, piece in enumerate(pieces):
        out.append(replace(piece, first=True) if fresh and piece.part is not Part.MARK else piece)
        fresh = piece.text in STOPS or _opens_quote(pieces, n) or (fresh and piece.part is Part.MARK)
    return out


def _opens_quote(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a quotation mark or bracket stands close to what follows and apart from what is before."""
    if pieces[n].text not in _QUOTES:
        return False
    close = n + 1 < len(pieces) and pieces[n + 1].start == pieces[n].end
    return close and (n == 0 or pieces[n - 1].end < pieces[n].start or pieces[n - 1].part is Part.MARK)


def _labelled(pieces: list[Piece]) -> list[Piece]:
    """ "Tank 3", "tanks 3 and 4": a bare number right behind a noun that opens a phrase names that thing."""
    for n in range(1, len(pieces)):
        piece = pieces[n]
        quantity = piece.quantity
        if quantity is None or quantity.unit is not None or not piece.text.isdigit():
            continue
        if _numbered(pieces, n) or _listed(pieces, n):
            pieces[n] = replace(piece, label=True, part=Part.NAME)
    return pieces


def _listed(pieces: Sequence[Piece], n: int) -> bool:
    if n < 2 or not pieces[n - 2].label or pieces[n - 1].lower not in ("and", ",", "or", "to", "-", "\u2013"):
        return False
    if pieces[n - 1].text != ",":
        return True
    first = n - 2
    while first > 1 and pieces[first - 2].label:
        first -= 2
    return first > 0 and plural(pieces[first - 1].lower)  # not "in year 10, 96 take French"


def _numbered(pieces: Sequence[Piece], n: int) -> bool:
    noun, known = pieces[n - 1], forms(pieces[n - 1].lower)
    if noun.quantity or noun.date or noun.part is Part.MARK or known.closed or not known.noun:
        return False
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if noun.lower == "others" or (after is not None and after.lower == "of" and _figure_at(pieces, n + 2)):
        return False  # "all others 25"; "in the survey 412 of 640 staff"
    if "past" in known.verb_forms and "base" not in known.verb_forms:
        return False  # "won 20, drew 8 and lost 6"
    counted = after is not None and after.part is Part.NOUN and plural(after.lower) and not _verb_next(pieces, n + 1)
    if known.plural or known.noun != noun.lower:  # "children" too
        listed = after is not None and after.lower in ("and", "to", "or", "-", "\u2013", ",")
        return listed and not counted and _opens(pieces, n - 1) and _digits_at(pieces, n + 2)
    if noun.text[:1].isupper() and not noun.first:
        places = any(wordnet.noun_kind(lemma) == "noun.location" for lemma, pos in noun.lemmas if pos == "n")
        ends = after is None or after.part is Part.MARK
        return not counted and not (places and ends)  # "in Paris 120" of "in Lyon 340 staff"
    return not counted and (_opens(pieces, n - 1) or _compounded(pieces, n))


def _digits_at(pieces: Sequence[Piece], n: int) -> bool:
    """Whether another number of a list stands at a place, or behind "and" there."""
    n += n < len(pieces) and pieces[n].lower in ("and", "or")
    return n < len(pieces) and pieces[n].text.isdigit()


def _figure_at(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a number stands at a place, or behind an article there."""
    return any(piece.figure for piece in pieces[n : n + 1])


def _compounded(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a number names a thing of two nouns and a verb follows: "oven line 2 bakes"."""
    if n < 2 or n + 1 >= len(pieces) or pieces[n - 2].part is not Part.NOUN or pieces[n - 2].figure:
        return False
    first, after = forms(pieces[n - 2].lower), forms(pieces[n + 1].lower)
    if forms(pieces[n - 1].lower).verb_forms & {"past", "pp", "s"}:
        return False  # "the audit found 14 defects"
    noun = bool(first.noun) and not first.closed and not first.plural and not first.verb_forms & {"past", "pp", "s"}
    verb = bool(after.verb_forms & {"s"}) or pieces[n + 1].lower in (*BE, *HAVE)
    return noun and verb and _opens(pieces, n - 2)


def _opens(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a phrase begins with piece ``n``, so that it is a noun and no verb."""
    if n == 0 or pieces[n].first:
        return True
    before = pieces[n - 1]
    known = forms(before.lower)
    opening = (
        known.closed & {"prep", "det", "poss", "conj", "particle", "adverb"}
        or (known.verb and not known.noun)
        or known.adv
    )
    of_which = before.lower == "which" and n > 1 and pieces[n - 2].lower == "of"
    figure = before.figure or (before.part is Part.NAME and before.text[:1].isdigit())
    return before.part is Part.MARK or bool(opening) or figure or of_which


def _verb_next(pieces: Sequence[Piece], n: int) -> bool:
    """Whether an -s form is a verb: a determiner or a number follows it."""
    if not forms(pieces[n].lower).verb_forms & {"s"} or n + 1 >= len(pieces):
        return False
    after = pieces[n + 1]
    known = forms(after.lower)
    if after.part is Part.MARK:
        return False
    if n >= 2 and not forms(pieces[n - 2].lower).plural and known.noun and not known.closed and not known.verb:
        return True  # "tank 3 holds toluene"
    return bool(after.quantity) or bool(known.closed & {"det", "prep"})
