"""What a sentence says is on offer, or counts, of which a row and the rows that refer to it know nothing.

Contract: ``told`` finds members of lists behind words of offering and having ("serves …", "including …", "a selection
of …") of which no word is in the row, or near one that is, and numbers that stand nowhere in it: such things may be so,
but the row does not say so. Years behind "since" must be in the row itself, for the dates of others say nothing of it.
``agrees`` is None for all of it. Qualities are not looked at, and neither is what customers say of a thing: that is for
the texts. Nothing raises; what a record holds is indexed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from imprimatur._expressions import expression
from imprimatur.extract.words import HAVE, forms
from imprimatur.language import closed_class, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.language.tokens import Token, tokenise
from imprimatur.sources.passages.ground import Ground, Line, Term, contents, terms_of
from imprimatur.sources.tables.attributes.clauses import Stance, clause_end, stances
from imprimatur.sources.tables.attributes.flags import Told
from imprimatur.sources.tables.attributes.record import Record
from imprimatur.sources.tables.attributes.words import uses

__all__ = ["Known", "numbers", "told"]

_OFFERING = frozenset(
    "offer provide serve feature have sell carry boast specialize specialise supply stock rent host present".split()
)
_LISTING = (
    ("there", "is"),
    ("there", "are"),
    ("such", "as"),
    ("selection", "of"),
    ("variety", "of"),
    ("range", "of"),
    ("choice", "of"),
)
_FITTING = (("options", "for"), ("choices", "for"), ("menu", "for"))
#: Nouns that carry what stands before them ("catering services").
_CARRIERS = frozenset(
    "service option choice item variety range selection menu dish food cuisine meal offering access availability area "
    "facility amenity product type kind style specialty speciality experience fare dining".split()
)
_GOODS = frozenset(("noun.food", "noun.plant", "noun.animal", "noun.artifact", "noun.substance"))
_ACTS, _PEOPLE = frozenset(("noun.act",)), frozenset(("noun.person",))
#: The time of day in a time stamp: its digits are no numbers that anyone speaks of.
_STAMP = expression(r"\b\d{1,2}:\d{2}:\d{2}\b")
_MARKS = frozenset((",", "and", "or", "&", "plus"))
_NOWHERE = "in no cell"
#: More words are no member of a list.
_LONGEST = 7


class Known:
    """What a record knows: all that it holds, as lines, and what their nouns are kinds of."""

    def __init__(self, record: Record) -> None:
        phrases = [words for each in record.attributes for words in each.sight.phrases]
        texts = (_STAMP.sub("", text) for text in record.texts)
        figures = (each.said for each in record.numbers)
        said = (*texts, *map(" ".join, phrases), *map("".join, phrases), *figures, " ".join(record.kinds))
        self.ground = Ground([Line(text, "row", 0, 0) for text in said])
        self.own = tuple(cell for cell in record.row.cells if cell is not None)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What its nouns are kinds of, in their main sense ("drink", where it has "coffee")."""
        lines = range(len(self.ground.lines))
        return frozenset[str]().union(*(_kinds(each.lower) for line in lines for each in self.ground.terms(line)))

    def has(self, term: Term) -> bool:
        """Whether a word stands in it."""
        return self.ground.knows(term)

    def has_near(self, term: Term) -> bool:
        """Whether it has a word, another form of it, one that means the same, or one that is a kind of it."""
        if self.has(term) or not self.kinds.isdisjoint(term.forms):
            return True
        return any(self.has(replace(term, forms=frozenset((word,)))) for word in _alike(term.lower))


def numbers(text: str, known: Known) -> Iterator[Told]:
    """The numbers in a text that a record does not know."""
    before = ""
    for term in terms_of(text):
        own = before == "since" and term.value and not any(term.value in each for each in known.own)
        if term.value and term.lower != "one" and (own or not known.has(term)):
            yield Told(term.start, term.end, (), False, None, _NOWHERE)
        before = term.lower


def told(text: str, known: Known) -> tuple[Told, ...]:
    """What a text of one sentence says is there and a record does not know."""
    tokens = tokenise(text)
    lowers = [token.lower for token in tokens]
    stance = stances(lowers)
    found: dict[tuple[int, int], Told] = {}
    for at, kinds in _cues(lowers):
        for first, stop in _members(lowers, at, clause_end(lowers, at)):
            if Stance.UNSAID not in stance[first:stop] and _strange(text, tokens[first:stop], kinds, known):
                span = tokens[first].start, tokens[stop - 1].end
                found[span] = Told(*span, (), False, None, _NOWHERE)
    return tuple(found.values())


def _cues(lowers: Sequence[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """The tokens behind words of offering, with the kinds of things that these offer."""
    for at, word in enumerate(lowers):
        if _includes(word):
            yield at + 1, _GOODS
        elif _offers(word) and not _perfect(lowers, at) and not _attributive(lowers, at):
            yield at + 1, _GOODS | _ACTS
        elif tuple(lowers[at : at + 2]) in _LISTING:
            yield at + 2, _GOODS
        elif tuple(lowers[at : at + 2]) in _FITTING:
            yield at + 2, _PEOPLE


@lru_cache(maxsize=4096)
def _includes(word: str) -> bool:
    return any(pos == "v" and lemma == "include" for lemma, pos in lemmas(word))


def _attributive(lowers: Sequence[str], at: int) -> bool:
    """Whether a participle stands before a noun ("the provided data")."""
    return at > 0 and lowers[at - 1] in closed_class.words("determiner") and "pp" in forms(lowers[at]).verb_forms


def _perfect(lowers: Sequence[str], at: int) -> bool:
    """Whether a form of "have" only marks the tense of the verb behind it ("has received")."""
    behind = next((word for word in lowers[at + 1 : at + 3] if not word.endswith("ly")), "")
    return lowers[at] in HAVE and (behind in ("been", "become") or "pp" in forms(behind).verb_forms)


@lru_cache(maxsize=4096)
def _offers(word: str) -> bool:
    return any(pos == "v" and lemma in _OFFERING for lemma, pos in lemmas(word))


def _members(lowers: Sequence[str], at: int, end: int) -> Iterator[tuple[int, int]]:
    """The members of the list that begins at a token."""
    first = at
    for stop in range(at, end + 1):
        if stop == end or lowers[stop] in _MARKS:
            if first < stop <= first + _LONGEST:
                yield first, stop
            first = stop + 1


def _strange(text: str, tokens: Sequence[Token], kinds: frozenset[str], known: Known) -> bool:
    """Whether a member of a list names a thing, and nothing of it is known."""
    if any(_offers(token.lower) or _includes(token.lower) for token in tokens):
        return False
    begin, end = tokens[0].start, tokens[-1].end
    named = [term for term in contents(terms_of(text[begin:end])) if not _carries(term.lower)]
    nouns = [term for term in named if term.text[:1].isupper() or _kind(term.lower, term.text)]
    if not any(term.text[:1].isupper() or _kind(term.lower, term.text) in kinds for term in nouns):
        return False
    return not any(term.value or known.has_near(term) for term in nouns)


@lru_cache(maxsize=16384)
def _kinds(word: str) -> frozenset[str]:
    """What a noun is a kind of, in its main sense."""
    nouns = (lemma for lemma, pos in lemmas(word) if pos == "n")
    return frozenset[str]().union(*(wordnet.hypernyms(lemma, "n", depth=2, max_senses=1) for lemma in nouns))


@lru_cache(maxsize=4096)
def _alike(word: str) -> frozenset[str]:
    found: set[str] = set()
    known = lemmas(word)
    nouns = {(lemma, pos) for lemma, pos in known if pos == "n"}
    for lemma, pos in nouns or known:
        found |= wordnet.synonyms(lemma, pos, max_senses=2) | {other for other, _ in wordnet.derived(lemma, pos)}
    return frozenset(found)


@lru_cache(maxsize=4096)
def _carries(word: str) -> bool:
    return any(lemma in _CARRIERS for lemma, pos in lemmas(word) if pos == "n")


@lru_cache(maxsize=4096)
def _kind(lower: str, text: str) -> str:
    """What a noun is; empty for what is rather no noun."""
    found = lemmas(lower)
    nouns = [lemma for lemma, pos in found if pos == "n"]
    if not nouns:
        return ""
    if lower.endswith("ing") and lower in nouns:
        return wordnet.noun_kind(lower) or ""
    if text[:1].isupper() and not found - {(lemma, "n") for lemma in nouns}:
        return wordnet.noun_kind(nouns[0]) or ""
    best = max(found, key=lambda each: (uses(*each), each[1] == "n"))
    return (wordnet.noun_kind(best[0]) or "") if best[1] == "n" else ""
