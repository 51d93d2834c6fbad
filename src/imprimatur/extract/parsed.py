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

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass

from imprimatur.claim import Claim
from imprimatur.errors import CheckFailed
from imprimatur.extract.cuts import RELATIVE, Part, Uncut, cut
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import Fragment, Parse
from imprimatur.extract.patterns import Read, accounted
from imprimatur.extract.patterns import read as read_parsed
from imprimatur.extract.pieces import Piece
from imprimatur.extract.syntax import Clause, Item
from imprimatur.extract.telling import content, turning
from imprimatur.extract.trees import ItemTree, tree_of
from imprimatur.extract.versions import spans_of
from imprimatur.extract.versions import word as added
from imprimatur.language.parser import Parser

__all__ = ["SlowPath"]

_LONGEST = 60  # items; longer sentences are not parsed
#: Words that bind clauses so that none is asserted for itself, or that make order or choice part of what is said.
_BINDING = frozenset(
    "or nor either neither if unless whether lest than before after until till because although though except instead "
    "rather respectively".split()
)
_COMMA = Item(-1, -1, ",", ",", punct=True)


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
        try:
            tree = tree_of(items, parser.tree)
        except CheckFailed as fault:
            self._find = _none
            self.warnings[f"sentences were read without the parser: {fault.message}"] = None
            return None
        self.models = (parser.name,)
        return None if tree is None else _agreed(items, tree, discourse)


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


def _agreed(items: Sequence[Item], tree: ItemTree, discourse: Discourse) -> Read | None:
    """The one reading that all bracketings come to; None when there is none, or more than one."""
    found: dict[frozenset[object], Parse] = {}
    for parts in _ways(items, tree):
        parsed = _together(items, parts, discourse) if _asserted(items, tree, parts) else None
        if parsed is None:
            continue
        claims = read_parsed(items, copy(discourse), parsed).claims  # what is tried leaves nothing behind
        if whole(claims, items):
            found.setdefault(_content(claims), parsed)
    return read_parsed(items, discourse, next(iter(found.values()))) if len(found) == 1 else None


def _ways(items: Sequence[Item], tree: ItemTree) -> Iterator[tuple[Part, ...]]:
    """The ways to cut a sentence, each once."""
    found: dict[tuple[Part, ...], None] = {}
    for inserted in (False, True):
        with suppress(Uncut, RecursionError):
            found[cut(items, tree, inserted=inserted).parts] = None
    yield from found


def _asserted(items: Sequence[Item], tree: ItemTree, parts: Sequence[Part]) -> bool:
    """Whether each word that turns what is said stands in a clause that is alone."""
    for n, item in enumerate(items):
        if not turning(item) or item.entity or item.name:
            continue
        homes = [p for p in parts if n in p.words or n in p.fronts or any(n in s for s in p.subjects)]
        clauses = {p.clause for p in homes}
        alone = len(homes) == 1 and sum(p.clause in clauses for p in parts) == 1 and not homes[0].said
        if not alone or (tree.labels[n] == "neg" and tree.heads[n] != homes[0].verb):
            return False
    return True


# -- pieces ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Said:
    """How the grammar reads one piece."""

    clause: Clause | None = None
    fragment: Fragment | None = None

    @property
    def parse(self) -> Parse:
        """The piece as if it were all."""
        clauses = () if self.clause is None else (self.clause,)
        return Parse(clauses, () if self.fragment is None else (self.fragment,), True)


def _together(items: Sequence[Item], parts: Sequence[Part], discourse: Discourse) -> Parse | None:
    """The parse that the readings of all pieces give; None when one has none."""
    clauses: list[Clause] = []
    fragments: list[Fragment] = []
    for part in parts:
        said = _reading(items, part, discourse)
        if said is None:
            return None
        clauses += said.parse.clauses
        fragments += said.parse.fragments
    return Parse(tuple(clauses), tuple(fragments), True)


def _content(claims: Sequence[Claim]) -> frozenset[object]:
    """What some claims say, however it is worded."""
    return frozenset((c.readings, c.negated) for c in claims)


def _reading(items: Sequence[Item], part: Part, discourse: Discourse) -> _Said | None:
    """The one reading of a piece that leaves no word unread; None when it has none, or several that differ.

    A piece that could be about several phrases has none. One reading may say more than another.
    """
    about = [said for said in (_about(items, part, subject) for subject in part.subjects) if said]
    if len(about) != 1:
        return None
    words = {*part.words, *part.fronts, *(x for subject in part.subjects for x in subject)}
    needed = {x for x in words if content(items[x]) or turning(items[x])}
    found: dict[frozenset[object], _Said] = {}
    for said in about[0]:
        claims, used = accounted(items, copy(discourse), said.parse)
        if claims and all(c.readings for c in claims) and needed <= used:
            found.setdefault(_content(claims), said)
    most = max(found, key=len, default=None)
    return found[most] if most is not None and all(each <= most for each in found) else None


def _about(items: Sequence[Item], part: Part, subject: tuple[int, ...]) -> list[_Said]:
    if not part.said:
        passive = _predicated(items, part, subject, copula="was") if part.passive else []
        return [*_predicated(items, part, subject), *passive]
    first = items[part.words[0]]
    if first.lower in RELATIVE and not first.entity:
        return _hung(items, part, subject) if part.mark < part.words[0] else []
    if part.finite:
        return _predicated(items, part, subject)
    if first.forms.verb_forms & {"pp", "ing"} and not first.entity:
        return _hung(items, part, subject)
    return _predicated(items, part, subject, copula="is")


def _predicated(items: Sequence[Item], part: Part, subject: tuple[int, ...], *, copula: str = "") -> list[_Said]:
    """A clause: fronts, subject, predicate; with a copula put in where it has none."""
    piece = Piece(items, (*part.fronts, *subject))
    if copula:
        piece.add(added(copula), part.mark)
    piece.extend(part.words)
    found = []
    for clauses in piece.sentences():
        if len(clauses) == 1 and clauses[0].subj is not None and clauses[0].subj.items == frozenset(subject):
            found.append(_Said(clause=clauses[0]))
    return found


def _hung(items: Sequence[Item], part: Part, subject: tuple[int, ...]) -> list[_Said]:
    """A phrase with a relative clause or participle after it."""
    piece = Piece(items, subject)
    piece.add(_COMMA, part.mark)
    piece.extend(part.words)
    found = []
    for np in piece.phrases():
        own = np.items - frozenset(part.words) - {part.mark}
        hung = np.clauses[-1].items if np.clauses else frozenset()
        if frozenset(part.words) <= hung and own == frozenset(subject):
            found.append(_Said(fragment=Fragment(np, items=np.items)))
    return found
