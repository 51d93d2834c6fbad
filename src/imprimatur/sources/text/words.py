"""Whether two words say the same, or opposite things: what a claim's word and a text's word have to do with each other.

``likeness`` is 1 where one may stand for the other, -1 where it says the opposite, 0 where neither is known. It rests
on lemmas, WordNet (synonyms, derivation, the more general word for the more special one, antonyms), negative prefixes,
and ``resources/alike.tsv``. Never on a part of a word's letters: "clear" is not in "unclear". The text's word comes
second: a claim may say less than the text ("metal" for "palladium") and not more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from imprimatur.language import wordnet
from imprimatur.language.degree import comparative, superlative
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of
from imprimatur.values import Unit

__all__ = [
    "compounds",
    "dimension_nouns",
    "light",
    "likeness",
    "opposed_places",
    "static",
    "turned",
    "working",
]

_Words = frozenset[tuple[str, str]]
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "non-")
_ENDINGS = (
    *("isation", "ization", "ations", "ation", "ising", "izing", "ised", "ized", "ises", "izes", "ise", "ize"),
    *("ments", "ment", "ions", "ion", "ings", "ing", "ers", "er", "ors", "or", "ed", "es", "s", "al", "ic", "ically"),
    *("ity", "ness", "ly", "able", "ible", "ance", "ence", "y", "e"),
)
_LEAST_STEM = 5
#: Words that begin with so many same letters and derive from one word are kin ("hydrogen", "hydrogenation").
_KIN = 7
#: Senses of a verb or adjective that are looked through for a shared one.
_SENSES = 5
#: Which part of the use of each of two verbs or adjectives must fall into senses that both have.
_MOSTLY = 0.35


def likeness(claim: Piece, text: Piece) -> int:
    """1: the claim's word may stand for the text's; -1: it says the opposite; 0: neither is known."""
    if claim.lower == text.lower:
        return 1
    return _likeness(claim.lower, _of_part(claim), text.lower, _of_part(text))


def _of_part(piece: Piece) -> _Words:
    """The base forms that fit the part of speech: no verb for a noun, nothing else for a verb; all where none fits."""
    part = piece.part
    return _fitting(piece.lemmas, part is Part.VERB) if part is Part.NOUN or part is Part.VERB else piece.lemmas


@lru_cache(16384)
def _fitting(lemmas: _Words, verb: bool) -> _Words:
    """The base forms that are a verb's, or those that are none's; all where there are none."""
    return frozenset(lemma for lemma in lemmas if (lemma[1] == "v") is verb) or lemmas


@lru_cache(65536)
def _likeness(lower: str, lemmas: _Words, other: str, others: _Words) -> int:
    mine, theirs = _known(lower, lemmas), _known(other, others)
    if not mine.names.isdisjoint(theirs.names):
        return 1
    if _listed(mine.alone, theirs.whole) == 1 or _listed(mine.named, theirs.alone) == 1:
        return 1
    if not mine.turned.isdisjoint(theirs.names):
        return 1  # a converse: the places tell whether it is the same
    listed = _listed(mine.named, theirs.named)
    if listed:
        return listed
    if _prefixed(mine, theirs) or _prefixed(theirs, mine):
        return -1
    if not mine.antonyms.isdisjoint(theirs.names):
        return -1
    kin = mine.stem == theirs.stem != "" or _adjectival(lower, other)
    return int(kin or _related(mine.bases, theirs.bases))


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a word, whatever it is compared with.

    Attributes:
        bases: its lemmas, and those of a comparative or superlative; names: the same without parts of speech.
        alone, named, whole: what ``alike.tsv`` says of the word itself, of its names, of all of these.
        turned: the converses of its names; antonyms: theirs; bare: its names without a negative prefix.
        stem: what is left of a word that WordNet does not know without its ending.
    """

    bases: _Words
    names: frozenset[str]
    alone: _Lists
    named: _Lists
    whole: _Lists
    turned: frozenset[str]
    antonyms: frozenset[str]
    bare: tuple[tuple[_Words, _Lists], ...]
    stem: str


@lru_cache(16384)
def _known(lower: str, lemmas: _Words) -> _Known:
    bases = _bases(lower, lemmas)
    names = frozenset(lemma for lemma, _ in bases)
    converses = _table().turned
    bare = tuple(_bare(names))
    return _Known(
        bases=bases,
        names=names,
        alone=_lists((lower,)),
        named=_lists(names),
        whole=_lists((*names, lower)),
        turned=frozenset(b for a, b in converses if a in names),
        antonyms=frozenset[str]().union(*(wordnet.antonyms(lemma, pos) for lemma, pos in bases)),
        bare=tuple((words, _lists(lemma for lemma, _ in words)) for words in bare),
        stem=_stem(lower),
    )


_ADJECTIVAL = ("etical", "ical", "etic", "al", "ic", "ine", "y")


def _adjectival(word: str, other: str) -> bool:
    """Whether a noun and an adjective in -ic or -al have one stem ("theory", "theoretical")."""
    for noun, adjective in ((word, other), (other, word)):
        if adjective.endswith(("ical", "ic", "al")) and not noun.endswith(("ical", "ic", "al")):
            stems = {adjective.removesuffix(end) for end in _ADJECTIVAL if adjective.endswith(end)}
            if any(len(s) >= _LEAST_STEM and noun.removesuffix("y").removesuffix("ine") == s for s in stems):
                return True
    return False


def _bases(lower: str, lemmas: _Words) -> _Words:
    """The lemmas with those of comparatives and superlatives ("longer": "long")."""
    graded = {base for base in (comparative(lower), superlative(lower)) if base}
    return lemmas | {(base, "a") for base in graded}


def _related(mine: _Words, theirs: _Words) -> bool:
    for a in mine:
        for b in theirs:
            if not wordnet.may_relate(b, a) and not (a[0][:_KIN] == b[0][:_KIN] and len(a[0]) >= _KIN):
                continue  # most pairs
            found = wordnet.related(b, a)
            if found in (wordnet.Relation.SAME, wordnet.Relation.DERIVED):
                return True
            if a[1] == "n" and found in (wordnet.Relation.SYNONYM, wordnet.Relation.HYPERNYM):
                return True
            if a[1] == b[1] and a[1] != "n" and _shared(a, b):
                return True
            if a[0][:_KIN] == b[0][:_KIN] and len(a[0]) >= _KIN and wordnet.derived(*a) & wordnet.derived(*b):
                return True
    return False


def _shared(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether two words share one of their more frequent senses, in which both are mostly used.

    Verbs and adjectives of one rarer sense differ in all others: "sign" and "ratify", "reliable" and "honest".
    """
    near = set(wordnet.senses(*a)[:_SENSES]) & set(wordnet.senses(*b)[:_SENSES])
    return bool(near) and min(wordnet.overlap(a, b)) >= _MOSTLY


def _bare(names: Iterable[str]) -> Iterator[_Words]:
    """The lemmas of what is left of words without a negative prefix."""
    for name in names:
        for prefix in _PREFIXES:
            rest = name[len(prefix) :]
            if name.startswith(prefix) and len(rest) > 3 and wordnet.is_known(rest):
                yield lemmas_of(rest)


def _prefixed(word: _Known, other: _Known) -> bool:
    """Whether a word is the other one, or one that says the same, with a negative prefix."""
    for words, lists in word.bare:
        if not words.isdisjoint(other.bases) or _listed(lists, other.named) == 1:
            return True
        if any(wordnet.related(b, o) in _CLOSE for b in words for o in other.bases):
            return True
    return False


_CLOSE = (wordnet.Relation.SAME, wordnet.Relation.SYNONYM, wordnet.Relation.DERIVED)


def _stem(word: str) -> str:
    """What is left of a word that WordNet does not know without its ending; "" for known or short ones."""
    if wordnet.is_known(word) and not word.endswith(("ise", "ize", "ising", "izing", "ised", "ized", "ation")):
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: -len(ending)]
    return word if len(word) >= _LEAST_STEM else ""


# -- the list -------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Table:
    """What ``alike.tsv`` says: the groups of a word, the sides of oppositions (2n and 2n + 1), and the rest."""

    same: dict[str, set[int]] = field(default_factory=dict)
    against: dict[str, set[int]] = field(default_factory=dict)
    turned: set[tuple[str, str]] = field(default_factory=set)
    opposed: set[tuple[str, str]] = field(default_factory=set)
    words: dict[str, frozenset[str]] = field(default_factory=dict)


@cache
def _table() -> _Table:
    table = _Table()
    path = Path(__file__).parents[2] / "resources" / "alike.tsv"
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines):
        kind, *groups = line.split("\t")
        sides = [group.split(", ") for group in groups]
        if kind == "same":
            for word in sides[0]:
                table.same.setdefault(word, set()).add(number)
        elif kind == "against":
            for side in (0, 1):
                for word in sides[side]:
                    table.against.setdefault(word, set()).add(2 * number + side)
        elif kind in ("turned", "opposed"):
            pairs = table.turned if kind == "turned" else table.opposed
            pairs |= {pair for a in sides[0] for b in sides[1] for pair in ((a, b), (b, a))}
        elif kind == "dimension":
            table.words[f"dimension {groups[0]}"] = frozenset(sides[1])
        else:
            table.words[kind] = frozenset(sides[0])
    return table


def compounds(lemmas: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The entries of several words that begin with one of some lemmas, as their words."""
    for lemma in lemmas:
        yield from _compounds().get(lemma, ())


@cache
def _compounds() -> dict[str, tuple[tuple[str, ...], ...]]:
    table = _table()
    found: dict[str, set[tuple[str, ...]]] = {}
    for entry in {*table.same, *table.against}:
        words = tuple(entry.split())
        if len(words) > 1:
            found.setdefault(words[0], set()).add(words)
    return {first: tuple(sorted(each)) for first, each in found.items()}


_Lists = tuple[frozenset[int], frozenset[int]]
"""The groups of words that say the same, and the sides of oppositions."""


def _lists(names: Iterable[str]) -> _Lists:
    """The lists that some words are in."""
    same, against = _table().same, _table().against
    words = tuple(names)
    groups = frozenset(n for name in words for n in same.get(name, ()))
    return groups, frozenset(n for name in words for n in against.get(name, ()))


def _listed(mine: _Lists, theirs: _Lists) -> int:
    """-1 where two words are on opposite sides, 1 where they are in one group, else 0."""
    if mine[1] and theirs[1] and any(n ^ 1 in theirs[1] for n in mine[1]):
        return -1
    return int(not mine[0].isdisjoint(theirs[0]))


def turned(claim: Piece, text: Piece) -> bool:
    """Whether the two are a verb and its converse ("buy", "sell")."""
    return any((a, b) in _table().turned for a, _ in claim.lemmas for b, _ in text.lemmas)


def opposed_places(place: str, other: str) -> bool:
    """Whether two prepositions say opposite things ("for", "against")."""
    return (place, other) in _table().opposed


def light(piece: Piece) -> bool:
    """Whether a verb says so little that a claim may use it where the text has another ("take", "go", "make")."""
    verbal = piece.part in (Part.VERB, Part.PARTICIPLE, Part.AUXILIARY)
    return verbal and any(lemma in _table().words["light"] for lemma, pos in piece.lemmas if pos == "v")


def static(piece: Piece) -> bool:
    """Whether a verb only says how a thing is ("lie", "remain")."""
    if piece.part not in (Part.VERB, Part.PARTICIPLE):
        return False
    verbs = [lemma for lemma, pos in piece.lemmas if pos == "v" and " " not in lemma]
    return bool(verbs) and all(wordnet.verb_kind(verb) == "verb.stative" for verb in verbs)


def working(piece: Piece) -> bool:
    """Whether a word says what was done with numbers ("together", "difference", "per cent")."""
    words = _table().words["working"]
    graded = {base for base in (comparative(piece.lower), superlative(piece.lower)) if base}
    return piece.lower in words or any(lemma in words for lemma, _ in piece.lemmas) or not graded.isdisjoint(words)


def dimension_nouns(unit: Unit | None) -> frozenset[str]:
    """The nouns that a unit itself implies ("pressure" for bar), and those that any number does."""
    words = _table().words
    found = words["dimension *"]
    if unit is None:
        return found
    symbols = {symbol.partition(":")[0] for symbol, _ in unit.dimension}
    if unit.symbol == "%":
        symbols = {"%"}
    for name, dimension in _COMPOUND.items():
        if unit.dimension == dimension:
            symbols = {name}
    return found.union(*(words.get(f"dimension {symbol}", frozenset()) for symbol in symbols))


_COMPOUND: dict[str, tuple[tuple[str, int], ...]] = {
    "pressure": (("kg", 1), ("m", -1), ("s", -2)),
    "area": (("m", 2),),
    "volume": (("m", 3),),
    "speed": (("m", 1), ("s", -1)),
    "power": (("kg", 1), ("m", 2), ("s", -3)),
    "energy": (("kg", 1), ("m", 2), ("s", -2)),
}
