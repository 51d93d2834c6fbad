"""Which words that nothing accounts for leave what a sentence states as it is.

Contract: two closed answers, both on the side of silence. ``idle`` words change nothing wherever they stand.
``apart`` words may stand in a clause of its own beside what is stated: what is done or had, by whom, where and when. A
word of thinking, telling, showing or inventing is neither, for such a clause may say that the rest is only thought,
told or shown; nor is a word that no dictionary has.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.language import closed_class, wordnet
from imprimatur.language.tokens import Token, TokenKind

__all__ = ["apart", "doing", "finite", "idle", "origin", "told_of", "unreal"]

#: Articles and marks; words that only join what is said to what was said before.
_IDLE = frozenset("the a an and , . ; : ( )".split()) | {",", "·"}
_JOINING = frozenset(
    "also however moreover furthermore additionally consequently accordingly nevertheless nonetheless therefore thus "
    "hence".split()
)
#: Small words that a clause of its own may have: none denies, limits, compares or supposes.
_SMALL = frozenset(
    "the a an and of in at on by to for from with as between into near since until during its his her their it he she "
    "they him them who which whose whom where was were is are be been being had has have having ’s 's".split()
)
#: Adverbs that say when, where or in addition; what a number measures.
_ADVERBS = frozenset("later also there long high tall wide deep old".split())
#: Verbs that are used of doing, though their first sense is of thought or speech.
_DONE = frozenset("study name call".split())
#: Kinds of nouns that say who, what, where or when.
_THINGS = frozenset(
    f"noun.{each}"
    for each in (
        "person group location act artifact possession object time event Tops plant animal body substance"
    ).split()
)
#: Kinds of verbs by which something is thought, told, seen or made up.
_MINDS = frozenset(("verb.cognition", "verb.communication", "verb.perception", "verb.creation", "verb.emotion"))
#: What stands for something, or is nowhere.
_UNREAL = frozenset(("imaginary being", "representation", "falsehood", "imaginary place", "fiction", "deception"))


def idle(token: Token) -> bool:
    """Whether a word or mark changes nothing that is said, wherever it stands."""
    return token.lower in _IDLE or token.lower in _JOINING


def finite(token: Token) -> bool:
    """Whether a word is a verb of the present or past, and no modal."""
    word = forms(token.lower)
    return token.text.islower() and not word.closed & {"modal"} and bool(word.verb_forms & {"s", "past"})


def apart(token: Token, *, named: bool, words: frozenset[str] = frozenset()) -> bool:
    """Whether a word may stand in a clause of its own beside what is stated.

    Args:
        named: whether it is written as a name where it stands.
        words: those that the ontology itself speaks in.
    """
    if token.lower in _SMALL or token.lower in _ADVERBS or idle(token):
        return True
    if token.kind is TokenKind.NUMBER:
        return True
    if token.kind is not TokenKind.WORD:
        return token.text in ("-", "/")
    if named and not told_of(token.lower):
        return True
    spoken = token.lower in words or (forms(token.lower).noun or "") in words
    return (spoken and not unreal(token.lower)) or origin(token.text) or _plain(token.lower)


def doing(lower: str) -> bool:
    """Whether a verb in -ing is one of doing ("before joining …")."""
    verb = forms(lower).verb if "ing" in forms(lower).verb_forms else ""
    return bool(verb) and (verb in _DONE or wordnet.verb_kind(verb or "") not in (_MINDS | {None}))


@lru_cache(maxsize=8192)
def _plain(lower: str) -> bool:
    """Whether a word is a noun of things or a verb of doing, by its first sense."""
    word = forms(lower)
    if word.closed or any(lower in closed_class.words(name) for name in ("negator", "near_negator", "denial", "hedge")):
        return False
    if word.noun and wordnet.noun_kind(word.noun) in _THINGS and not told_of(lower):
        return True
    if word.verb in _DONE and word.verb_forms & {"s", "past", "pp"}:
        return True
    verb = bool(word.verb and word.verb_forms & {"s", "past", "pp", "ing"})
    return verb and wordnet.verb_kind(word.verb or "") not in (_MINDS | {None}) and not told_of(lower)


@lru_cache(maxsize=8192)
def told_of(lower: str) -> bool:
    """Whether a word is one of what is told, thought or shown: a story, a plan, a film, a character, a model."""
    word = forms(lower)
    if word.verb and not word.noun:
        return wordnet.verb_kind(word.verb) in _MINDS
    if not word.noun:
        return False
    if wordnet.noun_kind(word.noun) in ("noun.communication", "noun.cognition", "noun.feeling"):
        return True
    return unreal(lower)


@lru_cache(maxsize=8192)
def unreal(lower: str) -> bool:
    """Whether a noun is of what stands for something, or is nowhere."""
    noun = forms(lower).noun
    return bool(noun) and not wordnet.hypernyms(noun or "", "n", depth=None).isdisjoint(_UNREAL)


def origin(word: str) -> bool:
    """Whether a word is an adjective of a country or people, which takes nothing back ("an American logician")."""
    return (
        word[:1].isupper()
        and wordnet.noun_kind(word.lower()) == "noun.person"
        and bool(wordnet.senses(word.lower(), "a"))
    )
