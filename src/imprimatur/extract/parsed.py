"""The slow path: where the grammar leaves words unread, a dependency parse proposes where to cut the sentence.

The parse only cuts (``extract.cuts``). Each piece is read by the same grammar as any sentence, and the clauses go the
same way to keys and claims, over the same items. So a wrong parse can only misplace a boundary, and what it proposes
counts only when

- every word that matters is read, by claims that all have a reading,
- no piece could be about another phrase than the one that it is read with,
- all ways in which the grammar reads the pieces come to the same claims,
- a negator, quantifier or modal stands in a clause of its own, and the grammar finds it where the tree has it.

Whatever is not certain leaves the sentence as it was read before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imprimatur.claim import Claim
from imprimatur.errors import CheckFailed
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.patterns import Read
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content, turning
from imprimatur.extract.versions import spans_of
from imprimatur.language.parser import Parser

__all__ = ["SlowPath", "whole"]

_LONGEST = 60  # items; longer sentences are not parsed
#: Words that bind clauses so that none is asserted for itself, or that make order or choice part of what is said.
_BINDING = frozenset(
    "or nor either neither if unless whether lest than before after until till because although though except instead "
    "rather respectively".split()
)


class SlowPath:
    """The parser for one call; ``late`` says when there is no time for it any more.

    Attributes:
        models: the parser's name once it was asked, for then what is read may depend on it.
        warnings: why it was not asked where it should have been.
    """

    def __init__(self, find: Callable[[], Parser | None], late: Callable[[], bool]) -> None:
        self._find = find  # asked when the first sentence needs it, for even looking for a parser costs time
        self._late = late
        self.models: tuple[str, ...] = ()
        self.warnings: dict[str, None] = {}

    def read(self, items: Sequence[Item], discourse: Discourse) -> Read | None:
        """The claims of a sentence that the grammar did not read whole; None when the parse is of no help."""
        if not _promising(items):
            return None
        parser = self._find()
        if parser is None:
            return None
        if self._late() or not parser.ready(self._late):
            self.warnings["sentences were read without the parser: the time was up"] = None
            return None
        from imprimatur.extract.bracketed import agreed
        from imprimatur.extract.trees import tree_of

        try:
            tree = tree_of(items, parser.tree)
        except CheckFailed as fault:
            self._find = _none
            self.warnings[f"sentences were read without the parser: {fault.message}"] = None
            return None
        self.models = (parser.name,)
        return None if tree is None else agreed(items, tree, discourse)


def _none() -> Parser | None:
    """No parser, once it has failed."""
    return None


def _promising(items: Sequence[Item]) -> bool:
    """Whether there is something to cut in a sentence, and nothing in it that binds its clauses together."""
    if len(items) > _LONGEST or any(i.lower in _BINDING and not i.entity and not i.name for i in items):
        return False
    named = any(i.entity for i in items)
    verbs = any(i.forms.verb_forms and not i.entity for i in items)
    joints = any(i.lower in (",", "(", "—", "–", ":", "and", "but") for i in items)
    return named and verbs and joints and not any(i.start < 0 or i.stands for i in items)


def whole(claims: Sequence[Claim], items: Sequence[Item]) -> bool:
    """Whether all claims could be read and account for every word that matters."""
    covered = {span for c in claims for span in c.covers}
    needed = (i for i in items if content(i) or turning(i))
    read_ = bool(claims) and all(c.readings for c in claims)
    return read_ and all(s in covered for i in needed for s in spans_of((i,)))
