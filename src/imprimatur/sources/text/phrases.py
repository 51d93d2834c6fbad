"""Phrases that are as good as one word ("at no point": "never"; "take over": "acquire").

Those of ``resources/phrases.tsv`` are read as the word that they stand for: the longest that begins at a word is
taken, a number or date is never part of one, and the piece keeps the text and span of the phrase, so that a mark is
set there. Phrases with a meaning of their own (phrasal verbs of WordNet, those of ``resources/alike.tsv``) are
one base form more of each of their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from imprimatur.language import wordnet
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of
from imprimatur.sources.text.words import compounds

__all__ = ["meant", "phrased"]

_Table = dict[str, tuple[tuple[tuple[str, ...], str], ...]]


def phrased(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, each phrase that says what one word says as that word."""
    out: list[Piece] = []
    n = 0
    while n < len(pieces):
        words, word = _at(pieces, n)
        if not words:
            out.append(pieces[n])
            n += 1
            continue
        last = pieces[n + len(words) - 1]
        text = " ".join(piece.text for piece in pieces[n : n + len(words)])
        first, *rest = word.split()
        made = replace(
            pieces[n], end=last.end, text=text, lower=first, part=Part.NOUN, lemmas=lemmas_of(first), quantity=None
        )
        out.append(made)
        out += (replace(last, text=each, lower=each, part=Part.NOUN, lemmas=lemmas_of(each)) for each in rest)
        n += len(words)
    return out


def _at(pieces: Sequence[Piece], n: int) -> tuple[tuple[str, ...], str]:
    """The longest phrase that begins at a piece, and its word; nothing when there is none."""
    phrases = _table().get(pieces[n].lower)
    if phrases is None or (pieces[n].figure and not (pieces[n].lower in _COUNTS and _counted(pieces, n))):
        return (), ""
    after = [piece.lower for piece in pieces[n + 1 : n + 1 + _longest()]]
    for words, word in phrases:
        if tuple(after[: len(words) - 1]) != words[1:]:
            continue
        if not (words[-1] == "than" and n and pieces[n - 1].lower in ("no", "not")):
            return words, word
    return (), ""


_COUNTS = frozenset(["two", "three"])


def _counted(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "two times" says how often, and not how many times as much."""
    after = pieces[n + 2].lower if n + 2 < len(pieces) else ""
    return n + 1 < len(pieces) and pieces[n + 1].lower == "times" and after not in ("as", "the", "a", "per")


@cache
def _table() -> _Table:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    path = Path(__file__).parents[2] / "resources" / "phrases.tsv"
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            word, phrases = line.split("\t")
            for phrase in phrases.split(", "):
                words = tuple(phrase.split())
                found.setdefault(words[0], []).append((words, word))
    return {first: tuple(sorted(each, key=lambda p: -len(p[0]))) for first, each in found.items()}


@cache
def _longest() -> int:
    """How many words follow the first of a phrase, at most."""
    return max(len(words) for phrases in _table().values() for words, _ in phrases) - 1


_BEARING = (Part.NOUN, Part.VERB, Part.PARTICIPLE, Part.ADJECTIVE, Part.ADVERB)
_VERBAL = (Part.VERB, Part.PARTICIPLE)
_PARTICLES = frozenset("on off out over in away back through with for to by at into forward aside after".split())


def meant(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those of a phrase with its base form too."""
    out = list(pieces)
    for n, piece in enumerate(pieces):
        if piece.part not in _BEARING:
            continue
        for words in compounds(lemma for lemma, _ in piece.lemmas):
            run = pieces[n : n + len(words)]
            if len(run) == len(words) and all(_is(each, word) for each, word in zip(run[1:], words[1:], strict=True)):
                for k, each in enumerate(run, n):
                    if each.part in _BEARING:
                        out[k] = _with(out[k], " ".join(words))
        parted = n + 2 < len(pieces) and pieces[n + 1].part in (Part.PRONOUN, Part.DETERMINER)
        after = pieces[n + 1 + parted] if n + 1 + parted < len(pieces) else None
        if piece.part in _VERBAL and after is not None and after.lower in _PARTICLES:
            for lemma, pos in piece.lemmas:
                phrase = f"{lemma} {after.lower}"
                if pos == "v" and wordnet.senses(phrase, "v"):
                    out[n] = _with(out[n], phrase)
    return out


def _is(piece: Piece, word: str) -> bool:
    return piece.lower == word or any(lemma == word for lemma, _ in piece.lemmas)


def _with(piece: Piece, phrase: str) -> Piece:
    pos = "v" if piece.part in _VERBAL else "n" if piece.part is Part.NOUN else "a"
    return replace(piece, lemmas=piece.lemmas | {(phrase, pos)})
