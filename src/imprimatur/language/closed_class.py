"""The closed classes of English: words that carry no fact of their own, or change a statement in a known way.

Contract: ``words(name)`` and ``phrases(name)`` give the members of a class, lower-case, with straight apostrophes and
clitics apart ("n't", "'s"), as ``tokens.tokenise`` gives them. ``is_function_word`` holds only for words that may be
passed over: no negator, quantifier, focus word, degree word, modal, and no preposition or conjunction that changes what
is said ("without", "until", "or else", "unless"). The lists are closed by grammar, not grown case by case; they live in
``resources/closed_class.tsv`` and ``resources/pronouns.tsv`` and are read once, on first use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from imprimatur._dataclasses import dataclass

__all__ = ["Pronoun", "classes", "is_function_word", "longest", "phrases", "pronouns", "words"]


@dataclass(frozen=True, slots=True)
class Pronoun:
    """One use of a pronoun.

    ``number``: singular, plural, any; ``gender``: masculine, feminine, neuter, any; ``animacy``: animate, inanimate,
    any; ``case``: subject, object, possessive, reflexive, demonstrative, relative, indefinite.
    """

    word: str
    number: str
    gender: str
    animacy: str
    case: str


def classes() -> tuple[str, ...]:
    """The names of all classes, sorted ("pronoun" among them)."""
    return tuple(sorted((*_entries(), "pronoun")))


@cache
def words(name: str) -> frozenset[str]:
    """The single words of class ``name``. Raises KeyError with the names that exist when there is no such class."""
    if name == "pronoun":
        return frozenset(_pronouns())
    return frozenset(entry[0] for entry in _members(name) if len(entry) == 1)


@cache
def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of class ``name``, longest first. Raises KeyError as ``words`` does."""
    several = (entry for entry in _members(name) if len(entry) > 1)
    return tuple(sorted(several, key=lambda entry: (-len(entry), entry)))


def pronouns(word: str) -> tuple[Pronoun, ...]:
    """The uses of a pronoun; empty when ``word`` (lower case) is none."""
    return _pronouns().get(word, ())


def longest(name: str, tokens: Sequence[str], start: int) -> int:
    """How many tokens from ``start`` on are one member of class ``name``: the longest one, 0 when none is.

    ``tokens`` are lower-case; ``start`` lies within them.
    """
    for phrase in _by_first(name).get(tokens[start], ()):
        if tuple(tokens[start : start + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def is_function_word(word: str) -> bool:
    """Whether ``word`` (lower case) may be passed over without losing anything that was said."""
    return word in _function_words()


_PASSED_OVER = ("determiner", "light_preposition", "pronoun", "auxiliary", "light_conjunction", "relative")
_MEANINGFUL = ("negator", "near_negator", "quantifier", "focus", "degree", "contrast", "hypothetical", "modal")
_NOT_PASSED_OVER = frozenset({"another", "other", "same", "such", "one", "or", "by", "when", "what"})


@cache
def _function_words() -> frozenset[str]:
    passed = frozenset[str]().union(*(words(name) for name in _PASSED_OVER))
    return passed.difference(_NOT_PASSED_OVER, *(words(name) for name in _MEANINGFUL))


def _members(name: str) -> tuple[tuple[str, ...], ...]:
    if name == "pronoun":
        return tuple((word,) for word in _pronouns())
    if name not in _entries():
        raise KeyError(f'no such class of words: "{name}"; there are {", ".join(classes())}')
    return _entries()[name]


@cache
def _by_first(name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    table: dict[str, list[tuple[str, ...]]] = {}
    for entry in sorted(_members(name), key=len, reverse=True):
        table.setdefault(entry[0], []).append(entry)
    return {first: tuple(entries) for first, entries in table.items()}


@cache
def _entries() -> dict[str, tuple[tuple[str, ...], ...]]:
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for name, listed in _rows("closed_class.tsv"):
        table[name] = tuple(_tokens(entry) for entry in listed.split(", "))
    return table


def _tokens(entry: str) -> tuple[str, ...]:
    return tuple(entry.replace("let's", "let 's").split())


@cache
def _pronouns() -> dict[str, tuple[Pronoun, ...]]:
    table: dict[str, tuple[Pronoun, ...]] = {}
    for word, *features in _rows("pronouns.tsv"):
        table[word] = (*table.get(word, ()), Pronoun(word, *features))
    return table


def _rows(file: str) -> Iterator[list[str]]:
    text = (Path(__file__).parent.parent / "resources" / file).read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
