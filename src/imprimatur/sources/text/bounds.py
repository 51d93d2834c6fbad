"""Numbers whose "more than" compares and bounds nothing: "a third more than a year earlier"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.language import quantities
from imprimatur.language.tokens import tokenise
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of

__all__ = ["during", "uncompared"]

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
