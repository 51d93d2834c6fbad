"""The pieces into which a parse cuts a sentence, each read by the grammar and put together again.

Loaded when the first sentence is parsed: most checks need none of it. What counts is said in ``extract.parsed``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass

from imprimatur.claim import Claim
from imprimatur.extract.cuts import RELATIVE, Part, Uncut, cut
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import Parse
from imprimatur.extract.parsed import whole
from imprimatur.extract.patterns import Read, accounted
from imprimatur.extract.patterns import read as read_parsed
from imprimatur.extract.pieces import Piece
from imprimatur.extract.syntax import Clause, Fragment, Item
from imprimatur.extract.telling import content, turning
from imprimatur.extract.trees import ItemTree
from imprimatur.extract.versions import word as added

__all__ = ["agreed"]

_COMMA = Item(-1, -1, ",", ",", punct=True)


def agreed(items: Sequence[Item], tree: ItemTree, discourse: Discourse) -> Read | None:
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
