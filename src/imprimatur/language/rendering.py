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
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.language import units
from imprimatur.language._language_files import WordEntry
from imprimatur.language._rendering_rules import OPENERS, Piece, Span, applied, may_apply, of_term, words_of
from imprimatur.language.languages import TAGS, Language
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["Rendered", "render", "render_words"]

_ROMAN = expression(r"[IVX]{1,6}\Z")
_SENTENCE_END = frozenset(".!?:;")


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
    said = words_of(pieces)
    for rule in language.rules:
        if may_apply(rule, said) and (known is not None or not rule.opening):
            pieces = applied(rule, pieces, language)
            said = words_of(pieces)
    return _written(pieces)


def render_words(words: str, language: Language) -> str:
    """Words of a label or of a line of a frame in terms; single capitals are holes and stay as they are."""
    return _rendered(words, language, _holes, None).text


def _holes(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    return [(n, n + 1) for n, t in enumerate(tokens) if t.text in ("S", "O", "Q")]


def _written(pieces: Sequence[Piece]) -> Rendered:
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

    def pieces(self, names: dict[int, int]) -> list[Piece]:
        """The pieces of the text; ``names`` are known names by their first token."""
        out: list[Piece] = []
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
        while n and self.tokens[n - 1].text in OPENERS:
            n -= 1
        return n == 0 or self.tokens[n - 1].text in _SENTENCE_END

    def _after_number(self, n: int) -> bool:
        before = self.tokens[n - 1] if n else None
        return before is not None and (before.kind is TokenKind.NUMBER or before.text in "/²³·")

    def _kept(self, first: int, stop: int, *, name: bool) -> Piece:
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
        return Piece(text.lower(), text, frozenset(kinds), ((start, end),), self._gap(first))

    def _said(self, words: Sequence[tuple[str, int]]) -> list[Piece]:
        """The pieces of words in a row."""
        out: list[Piece] = []
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

    def _terms(self, entry: WordEntry, words: Sequence[tuple[str, int]]) -> list[Piece]:
        """The term of some words, as one piece for each of its words."""
        spans = tuple(dict.fromkeys(self._span(n) for _, n in words))
        terms = entry.term.split()
        said = " ".join(entry.words)
        kinds = entry.kinds | of_term(entry.term)
        gaps = [self._gap(words[0][1]), *(" " for _ in terms[1:])]
        if len(terms) == 1:
            return [Piece(said, terms[0], kinds, spans, gaps[0])]
        told = (entry.kinds, *(frozenset[str]() for _ in terms[1:]))
        parts = zip(terms, gaps, told, strict=True)
        return [Piece(term, term, of_term(term) | more, spans, gap) for term, gap, more in parts]

    def _open(self, word: tuple[str, int]) -> list[Piece]:
        """A word that is no term: tagged; of a form such as a future, the term for it and the infinitive."""
        lower, n = word
        spans, gap = (self._span(n),), self._gap(n)
        language = self.language
        made = next((f for f in language.verbs.get(lower, ()) if f.tag not in TAGS), None)
        if made is not None and not any(f.tag in TAGS for f in language.verbs[lower]):
            modal = Piece(made.tag, made.tag, frozenset(("word", "finite")), spans, gap)
            return [
                modal,
                Piece(lower, language.tagged(made.lemma), frozenset(("word", "inf")), spans, " ", made.lemma),
            ]
        return [Piece(lower, language.tagged(lower), _kinds(language, lower), spans, gap, lower)]


def _of_digits(text: str) -> set[str]:
    """The kinds of a number in digits: a day of a month, a year."""
    digits = text.rstrip(".ºª")
    if not digits.isdigit():
        return set()
    return {"day"} if len(digits) <= 2 and 1 <= int(digits) <= 31 else {"year"} if 3 <= len(digits) <= 4 else set()


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
