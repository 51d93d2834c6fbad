"""The sentences of some passages, indexed by their words: what a claim's words are looked up in.

Contract: ``Ground.of`` takes lines of text with their places. A word *stands* in a line when they share a lemma (or the
value of a number, in digits or words); it is *near* the lines when WordNet makes it a synonym, a derivation or a more
general or special word of one in them. Nearness proposes and never proves anything. Building is linear in the text and
reads nothing but WordNet; the same lines give the same answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from imprimatur._expressions import expression
from imprimatur.language import closed_class, wordnet
from imprimatur.language._wordnet_file import senses_of
from imprimatur.language.morphology import lemmas, normalise
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["Ground", "Line", "Term", "contents", "near_words", "terms_of", "value_of"]

#: Words that stand in nearly every text: by classes that are closed by grammar.
_CLASSES = (
    *("determiner", "preposition", "auxiliary", "modal", "conjunction", "pronoun", "relative", "question_word"),
    *("discourse_marker", "hedge", "subordinator", "degree", "focus"),
)
_DIGITS = expression(r"\d[\d,]*(?:\.\d+)?")
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()
_NUMBERS = {word: str(number) for number, word in enumerate(_SMALL)}
_NUMBERS |= {word: str(10 * number) for number, word in enumerate(_TENS, 2)}
_RANKS = {word: str(number) for number, word in enumerate(_ORDINALS)}
#: Nouns and determiners that a text may count by: "a century" holds 100, "both" and "a pair" hold 2.
_HELD = {
    "century": "100",
    "decade": "10",
    "dozen": "12",
    "trio": "3",
    "twin": "2",
    "pair": "2",
    "couple": "2",
    "both": "2",
}
#: Words count as neighbours within so many places.
_NEIGHBOURS = 5
#: A word that WordNet's tagged texts never use weighs this; more frequent ones weigh less, down to a fraction.
_RAREST = 2.0
#: So many letters has a word that is made of initials.
_ACRONYM = (2, 6)
#: Characters; the terms of a longer text are not kept.
_MOST_KEPT = 600


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or fact that counts as evidence.

    Attributes:
        key: where it stands, as a person finds it again; start, end: its offsets in that text, 0 and 0 where it has
            none (a fact of structured data).
        label: the number that the text gives the passage ("passage 2:"), else "".
    """

    text: str
    key: str
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a text, with all that it is compared by; ``value`` is that of a number, else ""."""

    start: int
    end: int
    text: str
    lower: str
    forms: frozenset[str]
    value: str
    clitic: bool


@lru_cache(maxsize=65536)
def _forms(word: str) -> frozenset[str]:
    return frozenset({word, *(normalise(lemma) for lemma, _ in lemmas(word))})


@lru_cache(maxsize=65536)
def near_words(word: str) -> frozenset[str]:
    """The words near a word: synonyms in its main senses, derivations, and what is one step more general."""
    found: set[str] = set()
    for lemma, pos in lemmas(word):
        found |= wordnet.synonyms(lemma, pos, max_senses=3)
        found |= {other for other, _ in wordnet.derived(lemma, pos)}
        found |= wordnet.hypernyms(lemma, pos, max_senses=2)
    return frozenset(found)


@lru_cache(maxsize=65536)
def weight(word: str) -> float:
    """How much a word tells: less, the more often it is used in the texts that WordNet counted."""
    uses = sum(count for lemma, pos in lemmas(word) for _, count in senses_of(lemma, pos))
    return _RAREST / (1 + math.log1p(uses / 3))


@lru_cache(maxsize=1)
def _function_words() -> frozenset[str]:
    return frozenset[str]().union(*(closed_class.words(name) for name in _CLASSES))


@lru_cache(maxsize=65536)
def value_of(word: str) -> str:
    """The plain digits of a number in digits or words ("1,200", "21st", "ten"); empty for any other word."""
    found = _DIGITS.match(word)
    if found is None:
        return _NUMBERS.get(word, "")
    digits = found[0].replace(",", "").rstrip(".")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return digits.lstrip("0") or "0"


def terms_of(text: str) -> tuple[Term, ...]:
    """The words and numbers of a text, in order. Those of a sentence are kept for a while."""
    return _kept_terms(text) if len(text) <= _MOST_KEPT else _terms(text)


@lru_cache(maxsize=2048)
def _kept_terms(text: str) -> tuple[Term, ...]:
    return _terms(text)


def _terms(text: str) -> tuple[Term, ...]:
    return tuple(
        Term(t.start, t.end, t.text, t.lower, _forms(t.lower), value_of(t.lower), t.clitic) for t in _words(text)
    )


def _words(text: str) -> Iterator[Token]:
    return (token for token in tokenise(text) if token.kind in (TokenKind.WORD, TokenKind.NUMBER))


def contents(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms that carry what is said: no function words, no clitics."""
    passed = _function_words()
    return tuple(term for term in terms if term.lower not in passed and not term.clitic)


def _values_of(text: str) -> tuple[str, ...]:
    """Every number that a text may be said to hold, once. Those of a sentence are kept for a while."""
    return _kept_values(text) if len(text) <= _MOST_KEPT else tuple(dict.fromkeys(_values(text, terms_of(text))))


@lru_cache(maxsize=2048)
def _kept_values(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_values(text, terms_of(text))))


def _values(text: str, terms: Sequence[Term]) -> Iterator[str]:
    """Every number that a text may be said to hold: "21st" and "10-12" too, and ranks in words."""
    for found in _DIGITS.finditer(text):
        yield value_of(found[0])
        yield from (part.lstrip("0") or "0" for part in found[0].replace(",", ".").split(".") if part)
    for term in terms:
        yield from (known for known in (_NUMBERS.get(term.lower), _RANKS.get(term.lower)) if known)
        yield from (_HELD[form] for form in term.forms if form in _HELD)


def _initials(word: str) -> str:
    letters = word.replace(".", "")
    return letters if "." in word and letters.isupper() else word[:1]


class Ground:
    """Lines of evidence, indexed by their words."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(lines)
        self._places: dict[str, dict[int, list[int]]] = {}
        self._values: dict[str, set[int]] = {}
        self._near: frozenset[str] | None = None
        self._near_line: dict[int, frozenset[str]] = {}
        self._terms = [terms_of(line.text) for line in self.lines]
        for number, (line, terms) in enumerate(zip(self.lines, self._terms)):
            places = self._places
            for place, term in enumerate(terms):
                for form in term.forms:
                    stands = places.get(form)
                    if stands is None:
                        places[form] = {number: [place]}
                    elif number in stands:
                        stands[number].append(place)
                    else:
                        stands[number] = [place]
            for value in _values_of(line.text):
                self._values.setdefault(value, set()).add(number)

    def standing(self, term: Term) -> set[int]:
        """The lines in which a word stands."""
        found = set(self._values.get(term.value, ())) if term.value else set[int]()
        for form in term.forms:
            found.update(self._places.get(form, ()))
        return found

    def knows(self, term: Term) -> bool:
        """Whether a word stands anywhere."""
        if term.value and term.value in self._values:
            return True
        return any(form in self._places for form in term.forms)

    def spelt(self, term: Term) -> bool:
        """Whether a word in capitals is made of the initials of neighbouring words of a line ("CEO", "UN")."""
        word = term.text.replace(".", "")
        if not (word.isupper() and word.isalpha() and _ACRONYM[0] <= len(word) <= _ACRONYM[1]):
            return False
        if len(word) == _ACRONYM[0]:  # two initials meet by chance, two capitals seldom
            return any(word in initials for initials in self._initials)
        return any(word in initials.upper() for initials in self._initials)

    @cached_property
    def _initials(self) -> list[str]:
        """The initials of each line's words; "U.S." has two."""
        return ["".join(_initials(each.text) for each in terms) for terms in self._terms]

    @cached_property
    def numbered(self) -> bool:
        """Whether the text numbers its own passages."""
        return any(line.label for line in self.lines)

    def near(self, term: Term) -> bool:
        """Whether a word is near one that stands anywhere."""
        if any(word in self._places for word in near_words(term.lower)):
            return True
        if self._near is None:
            self._near = frozenset[str]().union(*(near_words(form) for form in self._places))
        return not self._near.isdisjoint(term.forms)

    def terms(self, number: int) -> tuple[Term, ...]:
        """The words and numbers of a line, in order."""
        return self._terms[number]

    def near_in(self, number: int, term: Term) -> bool:
        """Whether a word is near one that stands in a line."""
        found = self._near_line.get(number)
        if found is None:
            near = (near_words(form) for each in contents(self._terms[number]) for form in each.forms)
            found = self._near_line[number] = frozenset[str]().union(*near)
        return not found.isdisjoint(term.forms)

    def rarity(self, term: Term) -> float:
        """How much a word tells the lines apart: more, the fewer of them it stands in."""
        most = max((len(self._places.get(form, ())) for form in term.forms), default=0)
        return math.log((len(self.lines) + 1) / (most + 0.5))

    def together(self, first: Term, second: Term, *, within: int = _NEIGHBOURS) -> bool:
        """Whether two words stand near each other in some line: at most so many places apart."""
        for one in first.forms:
            for number, places in self._places.get(one, {}).items():
                for other in second.forms:
                    for place in self._places.get(other, {}).get(number, ()):
                        if any(0 < abs(place - at) <= within for at in places):
                            return True
        return False
