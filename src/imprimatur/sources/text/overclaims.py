"""Overclaiming language: words of more certainty or reach than an inference may have (``resources/overclaims.tsv``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from imprimatur.sources.text.pieces import Part, Piece, lemmas_of

__all__ = ["overclaims"]


def overclaims(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """The spans of overclaiming words, "100%" among them where it colours a word and measures nothing."""
    words, phrases = _lexicon()
    lowers = [piece.lower for piece in pieces]
    for n, piece in enumerate(pieces):
        for phrase in phrases.get(piece.lower, ()):
            if tuple(lowers[n : n + len(phrase)]) == phrase:
                yield piece.start, pieces[n + len(phrase) - 1].end
        if _emphatic(pieces, n) or (piece.part is not Part.NAME and (_listed(piece, words) and not _denied(pieces, n))):
            yield piece.start, piece.end


def _listed(piece: Piece, words: dict[str, frozenset[str]]) -> bool:
    for lemma, pos in (*lemmas_of(piece.lower), (piece.lower, "*")):
        kinds = words.get(lemma, frozenset())
        if "*" in kinds or pos in kinds:
            return True
    return False


def _denied(pieces: Sequence[Piece], n: int) -> bool:
    """Whether the word itself is denied ("not always", "no proof"): that claims less."""
    return n > 0 and pieces[n - 1].lower in ("not", "n't", "no") and pieces[n].lower not in ("never",)


def _emphatic(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "100%" stands before an adjective, adverb or verb, as emphasis."""
    quantity = pieces[n].quantity
    if quantity is None or quantity.unit is None or quantity.unit.symbol != "%" or quantity.low.value != 100:
        return False
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None:
        return False
    adjectival = any(pos == "a" for _, pos in after.lemmas) and after.part is not Part.PREPOSITION
    return adjectival or after.part in (Part.ADJECTIVE, Part.ADVERB)


@cache
def _lexicon() -> tuple[dict[str, frozenset[str]], dict[str, tuple[tuple[str, ...], ...]]]:
    """The single words with their parts of speech, and the phrases by their first word."""
    words: dict[str, frozenset[str]] = {}
    phrases: dict[str, tuple[tuple[str, ...], ...]] = {}
    path = Path(__file__).parents[2] / "resources" / "overclaims.tsv"
    for line in path.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        entry, _, kind = line.partition("\t")
        parts = tuple(entry.split())
        if len(parts) > 1:
            phrases[parts[0]] = (*phrases.get(parts[0], ()), parts)
        else:
            words[entry] = words.get(entry, frozenset()) | {kind}
    return words, phrases
