"""What bounds a number and what does not: "never exceeds $200", "no warmer than 17 °C", "carry over five days".

"More than" may compare ("a third more than a year earlier"), and "over" may say how long or belong to a verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.extract.words import BE, forms
from imprimatur.language import quantities, wordnet
from imprimatur.language.degree import comparative
from imprimatur.language.tokens import tokenise
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of
from imprimatur.sources.text.words import dimension_nouns
from imprimatur.values import Bound, Unit

__all__ = ["during", "lasting", "limit_of", "uncompared", "unexceeded"]

_EXCEEDING = expression(r"((?:exceed|surpass)(?:s|ed|es)?)\s+", re.IGNORECASE)

_COMPARED = expression(r"(more|less|fewer) than ", re.IGNORECASE)


_LASTING = expression(r"over (?=\S)", re.IGNORECASE)


def during(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, "over ten years" that begins a clause or follows a number as a time within which, and no bound."""
    out: list[Piece] = []
    for n, piece in enumerate(pieces):
        words = _LASTING.match(piece.text) if piece.quantity is not None else None
        unit = piece.quantity.unit if piece.quantity is not None else None
        timed = unit is not None and unit.dimension in ((("s", 1),), (("yr", 1),))
        opens = (
            n == 0 or pieces[n - 1].part is Part.MARK or pieces[n - 1].figure or pieces[n - 1].lower in ("and", "but")
        )
        rest = quantities.find(piece.text[words.end() :]) if words is not None and timed and opens else ()
        if words is None or len(rest) != 1:
            out.append(piece)
            continue
        at = piece.start + words.end()
        text = piece.text[words.end() :]
        out.append(_word(piece, piece.text[: words.end() - 1], piece.start))
        out.append(replace(piece, start=at, text=text, lower=text.lower(), quantity=rest[0].quantity, first=False))
    return out


def uncompared(pieces: Sequence[Piece]) -> list[Piece]:
    """ "A third more than a year earlier": "more than" compares, and bounds no year."""
    out: list[Piece] = []
    for piece in pieces:
        words = _COMPARED.match(piece.text) if piece.quantity is not None and out and out[-1].figure else None
        rest = quantities.find(piece.text[words.end() :]) if words is not None else ()
        if words is None:
            out.append(piece)
            continue
        at = piece.start + words.end()
        if not rest or rest[0].start:
            out += [_word(piece, words[1], piece.start), _word(piece, "than", at - len("than "))]
            text = piece.text[words.end() :]
            out += [_word(piece, t.text, at + t.start) for t in tokenise(text)]
            continue
        out += [_word(piece, words[1], piece.start), _word(piece, "than", at - len("than "))]
        text = piece.text[words.end() :]
        out.append(replace(piece, start=at, text=text, lower=text.lower(), quantity=rest[0].quantity))
    return out


def _word(like: Piece, text: str, start: int) -> Piece:
    lower = text.lower()
    end = start + len(text)
    return Piece(
        start=start, end=end, text=text, lower=lower, part=Part.NOUN, lemmas=lemmas_of(lower), first=like.first
    )


_LIMITS = {"later": Bound.AT_MOST, "longer": Bound.AT_MOST, "earlier": Bound.AT_LEAST, "sooner": Bound.AT_LEAST}


def limit_of(word: Piece, unit: Unit | None) -> Bound | None:
    """The bound of "no later than", "no warmer than", where the unit itself says what is compared; None for none."""
    bound = _LIMITS.get(word.lower)
    base = comparative(word.lower)
    if bound is not None or unit is None or base is None or not sign_of(word):
        return bound
    if not wordnet.attribute(base) & (dimension_nouns(unit) - dimension_nouns(None)):
        return None
    return Bound.AT_MOST if sign_of(word) > 0 else Bound.AT_LEAST


def lasting(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with parts of speech, "over five hours" behind a thing or a passive as a stretch and no bound."""
    out: list[Piece] = []
    for piece in pieces:
        over = piece.quantity is not None and piece.quantity.bound is Bound.MORE_THAN and piece.lower[:5] == "over "
        lasts = piece.quantity is not None and _stretch(piece.quantity.unit) and _lasts(out)
        if piece.quantity is None or not over or not (lasts or _carried(out)):
            out.append(piece)
            continue
        at = piece.start + len("over ")
        word = replace(
            piece, end=piece.start + 4, text=piece.text[:4], lower="over", part=Part.PREPOSITION, quantity=None
        )
        rest = piece.text[5:]
        exact = replace(piece.quantity, bound=Bound.EXACT)
        out += [word, replace(piece, start=at, text=rest, lower=rest.lower(), quantity=exact, first=False)]
    return out


def _stretch(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension in ((("s", 1),), (("mo", 1),), (("yr", 1),), (("m", 1),))


def _carried(before: Sequence[Piece]) -> bool:
    """Whether "over" belongs to the verb before it ("carry over five days")."""
    last = before[-1] if before else None
    if last is None or last.part is not Part.VERB:
        return False
    verbs = [lemma for lemma, pos in last.lemmas if pos == "v"]
    return any(verb not in _TAKING and wordnet.senses(f"{verb} over", "v") for verb in verbs)


_TAKING = frozenset("take be have get run go".split())


def _lasts(before: Sequence[Piece]) -> bool:
    """Whether what stands before has an object, or is passive, so that a phrase follows."""
    last = next((piece for piece in reversed(before) if piece.part is not Part.ADVERB), None)
    if last is None or last.part in (Part.NOUN, Part.NAME, Part.NUMBER):
        return True
    passive = "pp" in forms(last.lower).verb_forms and any(p.lower in BE for p in before[-4:])
    return last.part in (Part.VERB, Part.PARTICIPLE) and passive


def unexceeded(pieces: Sequence[Piece]) -> list[Piece]:
    """ "Never exceeds $200" is at most $200; otherwise the verb is a piece of its own."""
    out: list[Piece] = []
    for piece in pieces:
        verb = _EXCEEDING.match(piece.text) if piece.quantity else None
        if verb is None or piece.quantity is None:
            out.append(piece)
            continue
        at = piece.start + verb.end()
        denied = bool(out) and out[-1].lower in ("never", "not", "n't", "cannot")
        if denied:
            out.pop()
        bound = Bound.AT_MOST if denied else piece.quantity.bound
        word = verb.group(1)
        out.append(
            Piece(
                start=piece.start,
                end=piece.start + len(word),
                text=word,
                lower="is",
                part=Part.AUXILIARY,
                lemmas=frozenset({("be", "v")}),
            )
        )
        rest = piece.text[verb.end() :]
        out.append(
            replace(piece, start=at, text=rest, lower=rest.lower(), quantity=replace(piece.quantity, bound=bound))
        )
    return out
