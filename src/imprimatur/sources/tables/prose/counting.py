"""Counts: how many rows have something, or how many different things a column holds among them.

"there are 4 games in May", "3 of the players are from Spain", "only 2 teams scored more than 10", "A won 3 times", "no
game drew more than 20,000", "A and B are 2 of the 3 teams from Spain". A number that is of a column of numbers counts
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.atoms import Atom, compared
from imprimatur.sources.tables.prose.binding import BE
from imprimatur.sources.tables.prose.cues import Sign
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.linking import SpanKind
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.rows import groups, having

__all__ = ["count"]

_EXACT = frozenset("only exactly just precisely".split())
_DIFFERENT = frozenset("different distinct unique separate various".split())
_TURNS = frozenset("before after than later earlier".split())
_ARTICLES = frozenset("the a an these those this".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    """What counts: its place (of "no": the word's), the value, how the count stands to it, and its words' places.

    ``noun`` is the place of the name of a column that says what is counted; ``total`` the place of "3" in "2 of the 3".
    """

    at: int
    value: int
    sign: Sign
    places: tuple[int, ...]
    noun: int | None = None
    total: int | None = None
    different: bool = False


def count(read: Read) -> Outcome | None:
    """What a relation says of a statement with a count; None where it has none, or cannot be read so."""
    number = _number(read)
    if number is None:
        return None
    places = [*number.places, *([number.total] if number.total is not None else [])]
    atoms = [atom for atom in read.atoms if atom.at not in places and atom.at != number.noun]
    members = _members(atoms) if number.total is None else [atom for atom in atoms if atom.at < number.at]
    scope = [atom for atom in atoms if atom not in members]
    strong = [atom for atom in scope if not atom.weak]
    rows = read.rows(scope) if having(scope, read.every) else read.rows(strong)
    used = atoms if having(scope, read.every) else [*strong, *members]
    if len(groups(strong)) > 1:
        return None
    found = {len(rows), _different(read, number, rows)} - {None}
    wanted = number.value if number.total is None else int(read.line.spans[number.total].token.number or 0)
    fits = [compared(each, wanted, number.sign) for each in found]
    holds = fits[0] if len(set(fits)) == 1 else compared(_different(read, number, rows) or 0, wanted, number.sign)
    inside = all(set(rows) & set(atom.rows) for atom in members)
    if number.total is not None and len(members) != number.value and number.value != 1:
        inside = False
    left = left_over(read, used, places)
    if left and not (holds and inside):
        return None  # a word that is not read may say what is counted
    return Outcome(
        holds=holds and inside,
        form="count",
        rows=tuple(rows),
        columns=tuple(sorted({column for atom in scope for column in atom.columns})),
        used=tuple(used),
        left=left,
        sure=len(set(fits)) == 1,
    )


def _number(read: Read) -> _Number | None:
    """The one number of a statement that counts."""
    found = [number for at in range(len(read.line.spans)) if (number := _at(read, at)) is not None]
    return found[0] if len(found) == 1 else None


def _at(read: Read, at: int) -> _Number | None:
    span = read.line.spans[at]
    if read.word(at) == "no" and (_there(read, at) or at == 0):
        noun = _noun(read, at + 1)
        return _Number(at=at, value=0, sign=Sign.EQUAL, places=(at,), noun=noun)
    value = span.token.cardinal
    if span.kind not in (SpanKind.VALUE, SpanKind.NUMBER) or value is None or len(span.read) > 1 or span.day:
        return None
    if value.denominator != 1 or value < 0 or span.token.text[:1] in "+-":
        return None
    limit = read.line.limits.get(at)
    first = min(limit.places) if limit is not None else at
    opened = _there(read, first) or first == 0 or read.word(first - 1) in _EXACT
    places = (at, *(limit.places if limit is not None else ()))
    if read.word(first - 1) in _EXACT:
        places = (*places, first - 1)
    sign = limit.sign if limit is not None else Sign.EQUAL
    if read.word(at + 1) == "of":
        return _of(read, at, int(value), sign, places)
    noun, different = _noun(read, at + 1), read.word(at + 1) in _DIFFERENT
    if different:
        noun, places = _noun(read, at + 2), (*places, at + 1)
    named = read.line.named(at)
    if named is not None and (any(read.index.kind(column) for column in named) or span.found):
        return None
    if value > len(read.every) or read.word(at + 2) in _TURNS:
        return None
    if noun is None and not (opened or different) and not _times(read, at):
        return None
    if not opened and not different and read.atoms and span.found.whole and not _times(read, at):
        return None
    return _Number(at=at, value=int(value), sign=sign, places=places, noun=noun, different=different)


def _of(read: Read, at: int, value: int, sign: Sign, places: tuple[int, ...]) -> _Number | None:
    """A count before "of": "3 of the games"; "2 of the 3 games", which says that there are three."""
    behind = at + 2
    while read.word(behind) in _ARTICLES or read.word(behind) == "all":
        behind += 1
    total = None
    if behind < len(read.line.spans) and read.line.spans[behind].token.cardinal is not None:
        total, behind = behind, behind + 1
    elif read.word(at - 1) in BE and value > 1:
        total = None
    return _Number(at=at, value=value, sign=sign, places=places, noun=_noun(read, behind), total=total)


def _there(read: Read, at: int) -> bool:
    return read.word(at - 1) in BE and read.word(at - 2) == "there"


def _times(read: Read, at: int) -> bool:
    return read.word(at + 1) in ("time", "times", "occasion", "occasions")


def _noun(read: Read, at: int) -> int | None:
    """The name of a column that stands at a place, or behind one word."""
    return at if read.is_name(at) else None


def _different(read: Read, number: _Number, rows: Sequence[int]) -> int | None:
    """How many different things the column that is named holds in some rows."""
    if number.noun is None:
        return None
    columns = [column for column in read.columns(number.noun) if read.index.kind(column) == ""]
    if len(columns) != 1:
        return None
    return len({read.index.words[row, columns[0]] for row in rows if (row, columns[0]) in read.index.words})


def _members(atoms: Sequence[Atom]) -> list[Atom]:
    """The names that a statement lists beside its count: several of one column."""
    for atom in atoms:
        same = [other for other in atoms if other.columns == atom.columns and len(atom.columns) == 1]
        if len(same) > 1 and atom.whole:
            return same
    return []
