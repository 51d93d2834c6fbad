"""A statement with what of it stands in a table, and what of it is left over.

Invariants: a word is left over that stands in no cell, names no column, and is neither of a closed class nor one of the
words by which anything in a table is spoken of. Words of a closed class that turn a statement round (negators,
quantifiers, "only", "except") are never passed over: they are told apart, for whoever judges to take up.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from imprimatur.language import closed_class, degree, morphology, wordnet
from imprimatur.sources.tables.prose.cells import CellIndex, Link, Named, content
from imprimatur.sources.tables.prose.tokens import Token, tokens_of

__all__ = ["Statement", "kin"]

#: Words by which anything in a table is spoken of; they say nothing of it that its columns do not say.
_LIGHT = frozenset(
    "have be do take place hold happen occur list include show receive get record make give value number amount figure"
    " column row table entry item name title th st nd rd there from by at against when where who during season".split()
)
_TURNING = ("negator", "near_negator", "contrast", "quantifier", "focus", "degree", "hypothetical", "hedge", "denial")
_DENYING = ("negator", "near_negator", "contrast", "hypothetical", "denial")
_DERIVED = 5


class Statement:
    """What a text says in the words of one relation.

    Args:
        index: the relation.
        text: the statement; offsets are of it.
    """

    def __init__(self, index: CellIndex, text: str) -> None:
        self.index = index
        self.text = text
        self.tokens = tokens_of(text)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What stands in cells; a part of a cell that is a column's name as well is that."""
        found = self.index.links(self.tokens)
        names = {token.key for words in self.index.columns for token in words}
        return tuple(
            link for link in found if link.whole or not all(t.key in names for t in self.tokens[link.start : link.end])
        )

    @cached_property
    def linked(self) -> frozenset[int]:
        """The numbers of the tokens that stand in cells."""
        return frozenset(n for link in self.links for n in range(link.start, link.end))

    @cached_property
    def named(self) -> tuple[Named, ...]:
        """The columns that are named."""
        return self.index.named(self.tokens, self.linked, kin)

    @cached_property
    def turning(self) -> tuple[int, ...]:
        """The numbers of the tokens that turn or bound what is said: "not", "all", "only", "more"."""
        words = frozenset[str]().union(*map(closed_class.words, _TURNING))
        return tuple(
            n
            for n, token in enumerate(self.tokens)
            if n not in self.linked and (token.lower in words or _graded(token.lower))
        )

    @cached_property
    def negated(self) -> bool:
        """Whether a word denies, excepts or supposes."""
        words = frozenset[str]().union(*map(closed_class.words, _DENYING)) | {"t", "didn", "don", "doesn"}
        return any(token.lower in words for n, token in enumerate(self.tokens) if n not in self.linked)

    @cached_property
    def over(self) -> tuple[int, ...]:
        """The numbers of the tokens that are left over."""
        named = {n for each in self.named if not self._unsaid(each) for n in range(each.start, each.end)}
        known = self.linked | named | set(self.turning)
        return tuple(n for n, token in enumerate(self.tokens) if n not in known and self.says_more(token))

    def _unsaid(self, named: Named) -> bool:
        """Whether a column of amounts is named, and no amount of it is said."""
        column = self.index.relation.columns[named.column]
        if not self.index.numeric[named.column] or column.key:
            return False
        return not any(named.column in link.columns for link in self.links) and not self.turning

    @staticmethod
    def says_more(token: Token) -> bool:
        """Whether a token is more than a mark, a small word, or a word by which any table is spoken of."""
        return content(token) and token.key not in _LIGHT

    def words(self, numbers: tuple[int, ...]) -> str:
        """Tokens as they are written, for messages."""
        return " ".join(self.tokens[n].lower for n in numbers)


def _graded(lower: str) -> bool:
    """Whether a word is a comparative or superlative, and not by chance spelled like one ("number", "owner")."""
    if degree.superlative(lower) is None and degree.comparative(lower) is None:
        return False
    return (lower, "n") not in morphology.lemmas(lower) or lower in closed_class.words("degree")


@lru_cache(maxsize=50_000)
def kin(word: str, other: str) -> bool:
    """Whether two words are one, or one is derived from the other ("elect", "election"; "attend", "attendance")."""
    if word == other:
        return True
    if min(len(word), len(other)) < _DERIVED or word[: _DERIVED - 1] != other[: _DERIVED - 1]:
        return False
    return any(
        other == name or (len(name) > _DERIVED and other.startswith(name[:-1]))
        for pos in "vna"
        for name in _from(word, pos)
    ) or any(word == name for pos in "vna" for name in _from(other, pos))


def _from(word: str, pos: str) -> frozenset[str]:
    return frozenset(name for name, _ in wordnet.derived(word, pos))
