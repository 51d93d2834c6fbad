"""The pieces of a text that is being put into terms, and the rules of a language applied to them.

Contract: ``applied`` gives the pieces with one rule applied wherever its pattern stands, from left to right, never
twice at one place. The spans of the words that a rule does not put again go to the terms that it puts, so that no word
of the text is lost; marks may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imprimatur.language import calendar, number_words
from imprimatur.language._language_files import Part, Put, Rule
from imprimatur.language.languages import Language

__all__ = ["OPENERS", "Piece", "Span", "applied", "may_apply", "of_term", "words_of"]

Span = tuple[int, int]
OPENERS = frozenset("¿¡\"“«(*_'‘-–—")
_NUMBERS = number_words.FIRST_WORDS - {"a", "an"} | number_words.SCALES.keys() | {"hundred"}
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
#: What ends a clause, so that the gap of a rule does not reach over it.
_APART = frozenset(", ; : . ! ? ( ) — – and or but that which who where when if because although while".split())
_GAP = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of the rendered text: how it was written (``said``), what it is now, and the words it stands for."""

    said: str
    text: str
    kinds: frozenset[str]
    spans: tuple[Span, ...]
    gap: str
    stem: str = ""  # the word of the language, where it is one


def of_term(term: str) -> frozenset[str]:
    """The kinds that a term has by itself: months, numbers in words."""
    if term in calendar.MONTHS:
        return frozenset(("month",))
    return frozenset(("number",)) if term in _NUMBERS else frozenset()


Words = tuple[frozenset[str], frozenset[str], frozenset[str]]


def words_of(pieces: Sequence[Piece]) -> Words:
    """What the pieces are as written and as terms, and their kinds: what ``may_apply`` asks for."""
    kinds = frozenset[str]().union(*(p.kinds for p in pieces))
    return frozenset(p.said for p in pieces), frozenset(p.text for p in pieces), kinds | {"any"}


def may_apply(rule: Rule, words: Words) -> bool:
    """Whether there is something for each part of the rule's pattern."""
    said, terms, kinds = words
    for part in rule.pattern:
        if part.terms:
            if terms.isdisjoint(part.terms):
                return False
        elif not part.gap and (part.kind or part.word) not in (kinds if part.kind else said):
            return False
    return True


def applied(rule: Rule, pieces: list[Piece], language: Language) -> list[Piece]:
    """The pieces with the rule applied wherever its pattern stands."""
    out: list[Piece] = []
    at = 0
    while at < len(pieces):
        opens = not rule.opening or all(p.said in OPENERS for p in pieces[:at])
        found = _matched(rule.pattern, pieces, at) if opens else None
        if found is None:
            out.append(pieces[at])
            at += 1
        else:
            out += _put(rule, found, language)
            at += sum(map(len, found))
    return out


def _matched(pattern: Sequence[Part], pieces: Sequence[Piece], at: int) -> list[Sequence[Piece]] | None:
    """The pieces for each part of a pattern from ``at`` on, the shortest gaps first; None where it does not stand."""
    if not pattern:
        return []
    part, rest = pattern[0], pattern[1:]
    if not part.gap:
        if at >= len(pieces) or not _fits(part, pieces[at]):
            return None
        tail = _matched(rest, pieces, at + 1)
        return None if tail is None else [pieces[at : at + 1], *tail]
    for stop in range(at, min(at + _GAP, len(pieces)) + 1):
        tail = _matched(rest, pieces, stop)
        if tail is not None:
            return [pieces[at:stop], *tail]
        if stop < len(pieces) and pieces[stop].text in _APART:
            return None
    return None


def _fits(part: Part, piece: Piece) -> bool:
    if part.terms:
        return piece.text in part.terms
    if part.kind:
        return part.kind == "any" or part.kind in piece.kinds
    return piece.said == part.word


def _put(rule: Rule, found: Sequence[Sequence[Piece]], language: Language) -> list[Piece]:
    """What a rule puts for some pieces. Words that it does not put again belong to its terms, or to what is nearest."""
    gaps = iter([each for part, each in zip(rule.pattern, found, strict=True) if part.gap])
    kept = {put.number - 1 for put in rule.put if put.number}
    rest = tuple(
        span
        for n, each in enumerate(found)
        if n not in kept and not rule.pattern[n].gap
        for piece in each
        if any(map(str.isalnum, piece.said))  # a mark that is not put again says nothing
        for span in piece.spans
    )
    owners = {n for n, put in enumerate(rule.put) if not put.number and not put.gap} or {0}
    first = next(piece for each in found for piece in each)
    out: list[Piece] = []
    for n, put in enumerate(rule.put):
        gap = first.gap if not out else " "
        more = rest if n in owners else ()
        if put.gap:
            out += next(gaps)
        elif put.number:
            out.append(_again(put, found[put.number - 1][0], language, gap=gap, more=more))
        else:
            gap = gap if put.term.isalpha() or not out else ""
            kinds = language.kinds.get(put.term, frozenset()) | of_term(put.term)
            out.append(Piece(put.term, put.term, kinds, more or first.spans, gap))
    return out


def _again(put: Put, piece: Piece, language: Language, *, gap: str, more: tuple[Span, ...]) -> Piece:
    spans = (*piece.spans, *more)
    if put.joined:
        word = piece.stem + put.joined
        return replace(piece, said=word, stem=word, text=language.tagged(word), spans=spans, gap=gap)
    if put.ending == "th" and "roman" in piece.kinds:
        return replace(piece, text=_ordinal(piece.said), spans=spans, gap=gap, kinds=frozenset(("ordinal",)))
    if put.ending == "ing":
        return replace(piece, text=language.form(piece.stem, "ing"), spans=spans, gap=gap, kinds=frozenset(("ing",)))
    if put.ending == "s":
        return replace(piece, text=piece.text + "s", spans=spans, gap=gap, kinds=frozenset())
    return replace(piece, spans=spans, gap=gap if piece.text[:1].isalnum() else piece.gap)


def _ordinal(roman: str) -> str:
    """ "xix" as "19th"."""
    digits = [_ROMAN_DIGITS[c] for c in roman]
    value = sum(-d if d < max(digits[n + 1 :], default=0) else d for n, d in enumerate(digits))
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th") if value not in (11, 12, 13) else "th"
    return f"{value}{ending}"
