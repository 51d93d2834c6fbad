"""What words mean to each other, from WordNet 3.0: senses, synonyms, derivation, hypernyms, antonyms, attributes.

A *word* is a lemma (lower case, spaces between its parts: "drainage basin") and a part of speech: ``n`` noun, ``v``
verb, ``a`` adjective, ``r`` adverb. Bring surface forms to lemmas with ``morphology.lemmas`` first. An unknown word
has no senses and no relations; nothing here raises for it. Synset ids are stable for one build of the extract only.

How far each ``Relation`` may be trusted when it is asked whether two words say the same:

- ``SAME``: one word, perhaps in two spellings ("metre", "meter"). As good as equal.
- ``SYNONYM``: the words share senses that make up a fair part of the use of both ("rise", "originate"; not "father",
  "founder", which share a sense that is rare for "father"). Good for proposing which predicate or class a word names,
  and enough where the context fits the types of that predicate. It is about senses, not about this sentence: "state"
  and "country" are synonyms here. Never let it unite two words that a knowledge base keeps apart.
- ``DERIVED``: one stem, other part of speech or role ("long", "length"; "found", "founder"). It names the same
  relation seen from elsewhere; roles must still be fitted ("founder of" has subject and object exchanged).
- ``HYPERNYM``: the second word is more general ("river", "stream"). True of what the first is true of, never the
  other way round, and not under negation.
- ``SIMILAR``: near in meaning and no more ("huge", "big"; "have", "own"). Proposes, never decides.

Antonyms ("rise", "fall") stand in no relation, whatever senses they share; co-hyponyms ("north", "south") neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from imprimatur.language._wordnet_file import id_of, opened, senses_of
from imprimatur.language.languages import by_tag
from imprimatur.language.morphology import lemmas, normalise

__all__ = [
    "Relation",
    "Word",
    "antonyms",
    "attribute",
    "derived",
    "hypernyms",
    "is_known",
    "may_relate",
    "noun_kind",
    "noun_kinds",
    "overlap",
    "places",
    "related",
    "senses",
    "synonyms",
    "verb_kind",
]

Word = tuple[str, str]
"""A lemma and its part of speech."""

# In the order of lexnames(5).
_LEXNAMES = (
    "adj.all", "adj.pert", "adv.all", "noun.Tops", "noun.act", "noun.animal", "noun.artifact", "noun.attribute",
    "noun.body", "noun.cognition", "noun.communication", "noun.event", "noun.feeling", "noun.food", "noun.group",
    "noun.location", "noun.motive", "noun.object", "noun.person", "noun.phenomenon", "noun.plant", "noun.possession",
    "noun.process", "noun.quantity", "noun.relation", "noun.shape", "noun.state", "noun.substance", "noun.time",
    "verb.body", "verb.change", "verb.cognition", "verb.communication", "verb.competition", "verb.consumption",
    "verb.contact", "verb.creation", "verb.emotion", "verb.motion", "verb.perception", "verb.possession",
    "verb.social", "verb.stative", "verb.weather", "adj.ppl",
)  # fmt: skip
# Shared senses must cover this part of the use of the word that is used so less, and of the other one. The first keeps
# out senses that are rare for one word ("father" as founder), the second pairs that meet in a side sense of both.
_LEAST_SHARE = 0.02
_MAIN_SHARE = 0.2
# Verbs that say little by themselves: what they share with another verb is never enough ("have", "own").
_LIGHT = frozenset({"be", "come", "do", "get", "give", "go", "have", "make", "put", "set", "take"})
_HYPERNYM_DEPTH = 3
_VOWELS = str.maketrans("", "", "aeiou")


class Relation(StrEnum):
    """How one word relates to another; the module says how far each may be trusted."""

    SAME = "same"
    SYNONYM = "synonym"
    DERIVED = "derived"
    HYPERNYM = "hypernym"
    SIMILAR = "similar"


def is_known(word: str) -> bool:
    """Whether a surface form is a word of WordNet or a regular or irregular form of one."""
    return bool(lemmas(word))


@lru_cache(maxsize=16384)
def senses(lemma: str, pos: str) -> tuple[int, ...]:
    """Synset ids in sense order, the most frequent sense first."""
    return tuple(synset for synset, _ in senses_of(lemma, pos))


def synonyms(lemma: str, pos: str, *, max_senses: int | None = None) -> frozenset[str]:
    """All lemmas that share one of the first ``max_senses`` senses (all, by default), without the lemma itself.

    For proposing only: a rare sense counts as much as a frequent one. ``related`` weighs them.
    """
    found = {word for synset in senses(lemma, pos)[:max_senses] for word in _members(synset)}
    return frozenset(found - {lemma})


def antonyms(lemma: str, pos: str, *, near: bool = False) -> frozenset[str]:
    """Lemmas that some sense is directly opposed to ("big": "little"); with ``near`` their synonyms too ("small")."""
    return _antonyms(lemma, pos, near)


@lru_cache(maxsize=8192)
def _antonyms(lemma: str, pos: str, near: bool) -> frozenset[str]:
    if not near:
        return frozenset(word for word, _ in _pointed(lemma, pos, "!"))
    file = opened()
    opposed = {target for synset in senses(lemma, pos) for _, target, _ in file.pointers(synset, "!")}
    return frozenset(word for target in opposed for word in _members(target))


def attribute(adjective: str) -> frozenset[str]:
    """The nouns that an adjective gives a value of ("deep": "depth"); empty for most adjectives."""
    file = opened()
    targets = (t for synset in senses(adjective, "a") for _, t, _ in file.pointers(synset, "="))
    return frozenset(word for target in targets for word in _members(target))


def derived(lemma: str, pos: str) -> frozenset[Word]:
    """Words of the same stem: derivationally related forms, pertainyms, participles, and attributes ("long", "length").

    One step only: "founder" and "foundation" both lead to "found" and not to each other.
    """
    return _derived(lemma, pos)


@lru_cache(maxsize=8192)
def _derived(lemma: str, pos: str) -> frozenset[Word]:
    if not senses_of(lemma, pos):
        return frozenset()
    found = set(_pointed(lemma, pos, "+\\<"))
    file = opened()
    for synset in senses(lemma, pos):
        for _, target, _ in file.pointers(synset, "="):
            found.update((word, file.pos(target)) for word in _members(target) if _one_stem(lemma, word))
    return frozenset(found - {(lemma, pos)})


def hypernyms(lemma: str, pos: str, *, depth: int | None = 1, max_senses: int | None = None) -> frozenset[str]:
    """Lemmas of the more general senses, ``depth`` steps up (None: all the way), classes of named things included."""
    level, seen = set(senses(lemma, pos)[:max_senses]), set[int]()
    file = opened()
    while level and depth != 0:
        level = {target for synset in level for _, target, _ in file.pointers(synset, "@")} - seen
        seen |= level
        depth = None if depth is None else depth - 1
    return frozenset(word for synset in seen for word in _members(synset)) - {lemma}


def noun_kind(lemma: str) -> str | None:
    """The lexicographer file of a noun's first sense: "noun.person", "noun.location", "noun.time" and so on."""
    tagged = by_tag(lemma)
    if tagged is not None:
        return tagged[0].kind(tagged[1]) or None
    known = senses(lemma, "n")
    return _LEXNAMES[opened().lexname(known[0])] if known else None


def noun_kinds(lemma: str) -> frozenset[str]:
    """The lexicographer files of all senses of a noun; empty for an unknown one."""
    return frozenset(_LEXNAMES[opened().lexname(each)] for each in senses(lemma, "n"))


def places(lemma: str) -> tuple[tuple[str, ...], ...]:
    """For each sense of a noun that is a place: all its names ("usa": one place, "united states" its main name)."""
    found = (each for each in senses(lemma, "n") if _LEXNAMES[opened().lexname(each)] == "noun.location")
    return tuple(_members(each) for each in found)


def verb_kind(lemma: str) -> str | None:
    """The lexicographer file of a verb's first sense: "verb.communication", "verb.motion" and so on."""
    known = senses(lemma, "v")
    return _LEXNAMES[opened().lexname(known[0])] if known else None


def overlap(a: Word, b: Word) -> tuple[float, float]:
    """Which part of the use of ``a`` and of ``b`` falls into senses that both have, each between 0 and 1.

    Estimated from the tag counts with a prior of 1/rank for each sense.
    """
    shares_a, shares_b = _shares(*a), _shares(*b)
    if shares_a.keys().isdisjoint(shares_b):
        return 0.0, 0.0
    shared = shares_a.keys() & shares_b.keys()
    return sum(shares_a[s] for s in shared), sum(shares_b[s] for s in shared)


def related(a: Word, b: Word) -> Relation | None:
    """The strongest relation from ``a`` to ``b``, or None. Only ``HYPERNYM`` has a direction: ``b`` is more general."""
    if a[1] == b[1] and (a[0] == b[0] or normalise(a[0]) == normalise(b[0])):
        return Relation.SAME
    if a[1] != b[1]:  # no sense is of two parts of speech
        return Relation.DERIVED if b in derived(*a) or a in derived(*b) else None
    return _related(a, b) if senses_of(*a) and senses_of(*b) else None


def may_relate(a: Word, b: Word) -> bool:
    """Whether ``related(a, b)`` may be more than ``SIMILAR``, or the two share a sense: False soon tells most apart."""
    if b in _derived(*a) or a in _derived(*b):
        return True
    if a[1] != b[1]:
        return False
    mine, theirs = _ties(*a), _ties(*b)
    if not mine.senses.isdisjoint(theirs.senses) or not theirs.main.isdisjoint(mine.above):
        return True
    return mine.normal == theirs.normal


class _Ties(NamedTuple):
    """What ties a word to others: its spelling, all its senses, the main ones, and those above these."""

    normal: str
    senses: frozenset[int]
    main: frozenset[int]
    above: frozenset[int]


@lru_cache(maxsize=16384)
def _ties(lemma: str, pos: str) -> _Ties:
    return _Ties(normalise(lemma), frozenset(senses(lemma, pos)), _main_senses(lemma, pos), _above(lemma, pos))


@lru_cache(maxsize=16384)
def _related(a: Word, b: Word) -> Relation | None:
    """The relation between two words of one part of speech."""
    if _opposed(a, b):
        return None
    low, high = sorted(overlap(a, b))
    if low >= _LEAST_SHARE and high >= _MAIN_SHARE:
        return Relation.SIMILAR if a[1] == "v" and not _LIGHT.isdisjoint((a[0], b[0])) else Relation.SYNONYM
    if b in derived(*a) or a in derived(*b):
        return Relation.DERIVED
    return _taxonomic(a, b)


def _taxonomic(a: Word, b: Word) -> Relation | None:
    main = _main_senses(*b)
    if not main.isdisjoint(_above(*a)):
        return Relation.HYPERNYM
    return None if main.isdisjoint(_near(*a)) else Relation.SIMILAR


@lru_cache(maxsize=8192)
def _near(lemma: str, pos: str) -> frozenset[int]:
    """The senses that the main ones of a word are similar to."""
    file = opened()
    return frozenset(target for synset in _main_senses(lemma, pos) for _, target, _ in file.pointers(synset, "&$"))


@lru_cache(maxsize=8192)
def _above(lemma: str, pos: str) -> frozenset[int]:
    """The senses up to three steps above the main ones of a word."""
    file = opened()
    level, seen = set(_main_senses(lemma, pos)), set[int]()
    for _ in range(_HYPERNYM_DEPTH):
        level = {target for synset in level for _, target, _ in file.pointers(synset, "@")}
        seen |= level
    return frozenset(seen)


def _opposed(a: Word, b: Word) -> bool:
    return b[0] in antonyms(*a, near=True) or a[0] in antonyms(*b, near=True)


@lru_cache(maxsize=8192)
def _main_senses(lemma: str, pos: str) -> frozenset[int]:
    """The senses that make up a good part of the use of a word."""
    return frozenset(synset for synset, share in _shares(lemma, pos).items() if share >= _MAIN_SHARE)


@lru_cache(maxsize=8192)
def _shares(lemma: str, pos: str) -> dict[int, float]:
    weights = {synset: count + 1 / rank for rank, (synset, count) in enumerate(senses_of(lemma, pos), 1)}
    total = sum(weights.values())
    return {synset: weight / total for synset, weight in weights.items()}


@lru_cache(maxsize=8192)
def _members(synset: int) -> tuple[str, ...]:
    file = opened()
    return tuple(file.lemma(member) for member in file.members(synset))


def _pointed(lemma: str, pos: str, kinds: str) -> Iterator[Word]:
    """The words that a lemma's own pointers lead to, those of its fellow synonyms left out."""
    file = opened()
    own = id_of(lemma)
    for synset in senses(lemma, pos):
        pointers = [each for each in file.pointers(synset, kinds) if each[0]]
        members = file.members(synset) if pointers else []
        for source, target, word in pointers:
            if members[source - 1] == own:
                yield file.lemma(file.members(target)[word - 1]), file.pos(target)


def _one_stem(a: str, b: str) -> bool:
    """Whether the consonants of one word begin with those of the other ("long", "length"; not "small", "size")."""
    short, long = sorted((a.translate(_VOWELS), b.translate(_VOWELS)), key=len)
    return a[0] == b[0] and len(short) > 1 and long.startswith(short)
