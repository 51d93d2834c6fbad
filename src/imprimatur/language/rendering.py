"""A text in the grammar's terms: the words of another language as terms and tagged words, with where they stand.

Contract: ``render`` gives a text that the grammar and all readers of numbers, dates, hedges and modality can read, and
for every stretch of it the spans of the words that it stands for. Names, numbers and marks stay as they are; every
other word is a term by the language's data or gets the language's tag (see ``language.languages``), so that no word
of the language is ever read as an English one. Every word of the text has a part in what is made of it: none is left
out. Rules are applied in their order, each once from left to right, so time is linear in the length of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from imprimatur._expressions import expression
from imprimatur.language import calendar, number_words, units
from imprimatur.language._language_files import TAGS, Part, Put, Rule, WordEntry
from imprimatur.language.languages import Language
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["Rendered", "render", "render_words"]

Span = tuple[int, int]
_ROMAN = expression(r"[IVX]{1,6}\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_SENTENCE_END = frozenset(".!?:;")
_OPENERS = frozenset("¿¡\"“«(*_'‘-–—")
_NUMBERS = number_words.FIRST_WORDS - {"a", "an"} | number_words.SCALES.keys() | {"hundred"}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word of the rendered text: how it was written (``said``), what it is now, and the words it stands for."""

    said: str
    text: str
    kinds: frozenset[str]
    spans: tuple[Span, ...]
    gap: str
    stem: str = ""  # the word of the language, where it is one


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text in terms; ``starts`` and ``spans`` say for each of its stretches where the words it stands for are."""

    text: str
    starts: tuple[int, ...]
    spans: tuple[tuple[Span, ...], ...]
    ends: tuple[int, ...]

    def origin(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans of the words that ``text[start:end]`` stands for, in order; neighbours are joined."""
        first = max(0, bisect_right(self.starts, start) - 1)
        found: list[Span] = []
        for n in range(first, len(self.starts)):
            if self.starts[n] >= end:
                break
            if self.ends[n] > start:
                found += self.spans[n]
        return _joined(found)


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order; those that overlap, or have one space between them, made one."""
    out: list[Span] = []
    for start, end in sorted(set(spans)):
        if out and start <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return tuple(out)


#: Where the names in a text are: pairs of its first token and the one after its last.
Names = Callable[[Sequence[Token]], Iterable[tuple[int, int]]]


def render(text: str, language: Language, *, names: Names, known: Callable[[str], bool]) -> Rendered:
    """The text in the grammar's terms.

    Args:
        text: one segment; its first word may have a capital for that reason only.
        names: finds the names that are known.
        known: whether a tagged noun is known to the knowledge base, so that it is no name for having a capital.
    """
    return _rendered(text, language, names, known)


def _rendered(text: str, language: Language, names: Names, known: Callable[[str], bool] | None) -> Rendered:
    """``known`` is None for words that are no sentence; rules about where one begins do not hold for them."""
    tokens = tokenise(text)
    reader = _Reader(text, tokens, language, known or (lambda _: False))
    pieces = reader.pieces(dict(names(tokens)))
    for rule in language.rules:
        if known is not None or not rule.opening:
            pieces = _applied(rule, pieces, language)
    return _written(pieces)


def render_words(words: str, language: Language) -> str:
    """Words of a label or of a line of a frame in terms; single capitals are holes and stay as they are."""
    return _rendered(words, language, _holes, None).text


def _holes(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    return [(n, n + 1) for n, t in enumerate(tokens) if t.text in ("S", "O", "Q")]


def _written(pieces: Sequence[_Piece]) -> Rendered:
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for n, piece in enumerate(pieces):
        gap = piece.gap if n else ""
        if n and not gap and pieces[n - 1].text[-1:].isalnum() and piece.text[:1].isalnum():
            gap = " "
        out += (gap, piece.text)
        at += len(gap)
        starts.append(at)
        at += len(piece.text)
        ends.append(at)
    return Rendered("".join(out), tuple(starts), tuple(p.spans for p in pieces), tuple(ends))


class _Reader:
    """The words of one text, one piece for each."""

    def __init__(self, text: str, tokens: Sequence[Token], language: Language, known: Callable[[str], bool]) -> None:
        self.text = text
        self.tokens = tokens
        self.language = language
        self.known = known

    def pieces(self, names: dict[int, int]) -> list[_Piece]:
        """The pieces of the text; ``names`` are known names by their first token."""
        out: list[_Piece] = []
        words: list[tuple[str, int]] = []  # contractions undone: the words and their tokens, up to the next name
        for n, token in enumerate(self.tokens):
            inside = any(first <= n < stop for first, stop in names.items())
            if inside or token.kind is not TokenKind.WORD or not self._is_word(n):
                out += self._said(words)
                words = []
                if n in names or not inside:
                    out.append(self._kept(n, names.get(n, n + 1), name=inside))
                continue
            words += [(word, n) for word in self.language.contracted.get(token.lower, (token.lower,))]
        return out + self._said(words)

    def _gap(self, n: int) -> str:
        return self.text[self.tokens[n - 1].end : self.tokens[n].start] if n else ""

    def _is_word(self, n: int) -> bool:
        """Whether a token is a word of the language, not a name, an abbreviation or the sign of a unit."""
        token = self.tokens[n]
        if not token.text.isalpha():
            return False
        if token.text[:1].isupper():
            return self._opens(n) and not token.text[1:].isupper() and self._listed(token.lower)
        return not (self._after_number(n) and units.named(token.text) and not self._listed(token.lower))

    def _listed(self, lower: str) -> bool:
        first = self.language.contracted.get(lower, (lower,))[0]
        language = self.language
        return first in language.terms or language.knows(lower) or self.known(language.word(lower).noun)

    def _opens(self, n: int) -> bool:
        """Whether nothing but marks stands before the token in its sentence."""
        while n and self.tokens[n - 1].text in _OPENERS:
            n -= 1
        return n == 0 or self.tokens[n - 1].text in _SENTENCE_END

    def _after_number(self, n: int) -> bool:
        before = self.tokens[n - 1] if n else None
        return before is not None and (before.kind is TokenKind.NUMBER or before.text in "/²³·")

    def _kept(self, first: int, stop: int, *, name: bool) -> _Piece:
        """Something that stays as it is: a name, a number, a mark."""
        start, end = self.tokens[first].start, self.tokens[stop - 1].end
        text = self.text[start:end]
        kinds = {"name"} if name or self.tokens[first].kind is TokenKind.WORD else set[str]()
        if not name and self.tokens[first].kind is TokenKind.NUMBER:
            kinds |= {"number"} | _of_digits(text)
        if _ROMAN.match(text):
            kinds.add("roman")
        if not name and self._after_number(first) and units.named(text):
            kinds = {"unit"}
        return _Piece(text.lower(), text, frozenset(kinds), ((start, end),), self._gap(first))

    def _said(self, words: Sequence[tuple[str, int]]) -> list[_Piece]:
        """The pieces of words in a row."""
        out: list[_Piece] = []
        at = 0
        while at < len(words):
            entry = self._entry(words, at)
            if entry is None:
                out += self._open(words[at])
                at += 1
            else:
                out += self._terms(entry, words[at : at + len(entry.words)])
                at += len(entry.words)
        return out

    def _entry(self, words: Sequence[tuple[str, int]], at: int) -> WordEntry | None:
        for entry in self.language.terms.get(words[at][0], ()):
            if tuple(word for word, _ in words[at : at + len(entry.words)]) == entry.words:
                return entry
        return None

    def _span(self, n: int) -> Span:
        return self.tokens[n].start, self.tokens[n].end

    def _terms(self, entry: WordEntry, words: Sequence[tuple[str, int]]) -> list[_Piece]:
        """The term of some words, as one piece for each of its words."""
        spans = tuple(dict.fromkeys(self._span(n) for _, n in words))
        terms = entry.term.split()
        said = " ".join(entry.words)
        kinds = entry.kinds | _of_term(entry.term)
        gaps = [self._gap(words[0][1]), *(" " for _ in terms[1:])]
        if len(terms) == 1:
            return [_Piece(said, terms[0], kinds, spans, gaps[0])]
        told = (entry.kinds, *(frozenset[str]() for _ in terms[1:]))
        parts = zip(terms, gaps, told, strict=True)
        return [_Piece(term, term, _of_term(term) | more, spans, gap) for term, gap, more in parts]

    def _open(self, word: tuple[str, int]) -> list[_Piece]:
        """A word that is no term: tagged; of a form such as a future, the term for it and the infinitive."""
        lower, n = word
        spans, gap = (self._span(n),), self._gap(n)
        language = self.language
        made = next((f for f in language.verbs.get(lower, ()) if f.tag not in TAGS), None)
        if made is not None and not any(f.tag in TAGS for f in language.verbs[lower]):
            modal = _Piece(made.tag, made.tag, frozenset(("word", "finite")), spans, gap)
            return [modal, _Piece(lower, language.tagged(made.lemma), frozenset(("word", "inf")), spans, " ", made.lemma)]
        return [_Piece(lower, language.tagged(lower), _kinds(language, lower), spans, gap, lower)]


def _of_digits(text: str) -> set[str]:
    """The kinds of a number in digits: a day of a month, a year."""
    digits = text.rstrip(".ºª")
    if not digits.isdigit():
        return set()
    return {"day"} if len(digits) <= 2 and 1 <= int(digits) <= 31 else {"year"} if 3 <= len(digits) <= 4 else set()


def _of_term(term: str) -> frozenset[str]:
    """The kinds that a term has by itself: months, numbers in words."""
    if term in calendar.MONTHS:
        return frozenset(("month",))
    return frozenset(("number",)) if term in _NUMBERS else frozenset()


def _kinds(language: Language, lower: str) -> frozenset[str]:
    """What kinds of word a word of the language may be; an unknown one is a noun or an adjective."""
    known = language.word(lower)
    kinds = {"word"}
    kinds |= {"noun"} if known.noun else set()
    kinds |= {"adj"} if known.adj else set()
    kinds |= {"finite"} if known.finite else set()
    if "base" in known.tags:
        kinds |= {"plural"} if known.finite else {"inf"}
    return frozenset(kinds | (known.tags & {"pp", "ing"}))


# -- rules ------------------------------------------------------------------------------------------------------------
#: What ends a clause, so that the gap of a rule does not reach over it.
_APART = frozenset(", ; : . ! ? ( ) — – and or but that which who where when if because although while".split())
_GAP = 8


def _applied(rule: Rule, pieces: list[_Piece], language: Language) -> list[_Piece]:
    """The pieces with the rule applied wherever its pattern stands."""
    out: list[_Piece] = []
    at = 0
    while at < len(pieces):
        opens = not rule.opening or all(p.said in _OPENERS for p in pieces[:at])
        found = _matched(rule.pattern, pieces, at) if opens else None
        if found is None:
            out.append(pieces[at])
            at += 1
        else:
            out += _put(rule, found, language)
            at += sum(map(len, found))
    return out


def _matched(pattern: Sequence[Part], pieces: Sequence[_Piece], at: int) -> list[Sequence[_Piece]] | None:
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


def _fits(part: Part, piece: _Piece) -> bool:
    if part.terms:
        return piece.text in part.terms
    if part.kind:
        return part.kind == "any" or part.kind in piece.kinds
    return piece.said == part.word


def _put(rule: Rule, found: Sequence[Sequence[_Piece]], language: Language) -> list[_Piece]:
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
    out: list[_Piece] = []
    for n, put in enumerate(rule.put):
        gap = first.gap if not out else " "
        more = rest if n in owners else ()
        if put.gap:
            out += next(gaps)
        elif put.number:
            out.append(_again(put, found[put.number - 1][0], language, gap=gap, more=more))
        else:
            gap = gap if put.term.isalpha() or not out else ""
            kinds = language.kinds.get(put.term, frozenset()) | _of_term(put.term)
            out.append(_Piece(put.term, put.term, kinds, more or first.spans, gap))
    return out


def _again(put: Put, piece: _Piece, language: Language, *, gap: str, more: tuple[Span, ...]) -> _Piece:
    spans = (*piece.spans, *more)
    if put.joined:
        word = piece.stem + put.joined
        return replace(piece, said=word, stem=word, text=language.tagged(word), spans=spans, gap=gap)
    if put.ending == "th" and "roman" in piece.kinds:
        return replace(piece, text=_ordinal(piece.said), spans=spans, gap=gap, kinds=frozenset(("ordinal",)))
    if put.ending == "s":
        return replace(piece, text=piece.text + "s", spans=spans, gap=gap, kinds=frozenset())
    return replace(piece, spans=spans, gap=gap if piece.text[:1].isalnum() else piece.gap)


def _ordinal(roman: str) -> str:
    """ "xix" as "19th"."""
    digits = [_ROMAN_DIGITS[c] for c in roman]
    value = sum(-d if d < max(digits[n + 1 :], default=0) else d for n, d in enumerate(digits))
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th") if value not in (11, 12, 13) else "th"
    return f"{value}{ending}"
