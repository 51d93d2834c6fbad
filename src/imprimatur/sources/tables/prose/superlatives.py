"""Superlatives: which rows come first when some rows are put in the order of a column.

"the highest score", "the second most recent date", "the fewest goals", "the earliest season". In a column of places the
best is the lowest number. What stands between the superlative and the verb says among which rows; what the verb joins
to it must be one of those that come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.degrees import RANKING, Degree, degree_of
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.rows import groups, having
from imprimatur.sources.tables.prose.tokens import stem

__all__ = ["Best", "best_in", "by_adjective", "superlative", "winners"]

_REACH = 4
_SCOPES = frozenset("in of for among from on during at within between by with".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """A superlative: the places of its words, the column, the direction, and which place is meant (1: the best)."""

    places: tuple[int, ...]
    column: int
    up: bool
    rank: int
    name: int | None = None

    @property
    def first(self) -> int:
        """Its first word."""
        return self.places[0]

    @property
    def last(self) -> int:
        """Its last word, the column's name included."""
        return max(*self.places, self.name if self.name is not None else -1)


def best_in(read: Read, first: int, stop: int) -> Best | None:
    """The superlative of a stretch; None where there is none, or more than one, or its column is not known."""
    found = [at for at in range(first, stop) if _superlative(read, at)]
    if len(found) != 1:
        return None
    at = found[0]
    places = [at]
    degree = degree_of(read.word(at), most=True)
    assert degree is not None
    up, time = degree.up, degree.time
    if read.word(at) in ("most", "least") and (adjective := degree_of(_superlated(read.word(at + 1)), most=True)):
        up, time = (adjective.up if read.word(at) == "most" else not adjective.up), adjective.time
        places.append(at + 1)
    rank = 1
    before = read.line.spans[at - 1].token if at else None
    if before is not None and before.ordinal and before.number is not None and not read.is_name(at - 1):
        rank = int(before.number)
        places.insert(0, at - 1)
    target = _column(read, first, places[-1], stop, time=time) or by_adjective(read, degree)
    if target is None:
        return None
    column, name = target
    if read.word(at) in RANKING and not read.ranks(column):
        return None
    if read.ranks(column) and not time:
        up = not up
    return Best(places=tuple(places), column=column, up=up, rank=rank, name=name)


def _superlative(read: Read, at: int) -> bool:
    if degree_of(read.word(at), most=True) is None or read.word(at - 1) == "at":
        return False
    return not (read.word(at) == "most" and read.word(at + 1) == "of")


def _superlated(word: str) -> str:
    return f"{word}est" if word else ""


def _column(read: Read, first: int, at: int, stop: int, *, time: bool) -> tuple[int, int | None] | None:
    """The column that a superlative orders by, and the place of its name."""
    for place in read.headings(at + 1, min(at + 1 + _REACH, stop)):
        column = read.ordered(place)
        if column is not None and (not time or read.index.kind(column) == "day" or read.index.years(column)):
            return column, place
        if not time:
            break
    if time:
        days = [column for column in read.index.shown if read.index.kind(column) == "day"]
        years = [column for column in read.index.shown if read.index.years(column)]
        fit = days or years
        return (fit[0], None) if len(fit) == 1 else None
    for place in reversed(read.headings(first, at)):
        column = read.ordered(place)
        if column is not None and place not in read.line.names.values():
            return column, place
    return None


def by_adjective(read: Read, degree: Degree) -> tuple[int, None] | None:
    """The one column of numbers whose name an adjective speaks of: "tallest" of a height."""
    if degree.time or degree.word in ("most", "least", "more", "less"):
        return None
    found = read.index.heads((stem(degree.base),)) if degree.base else ()
    fit = [each.column for each in found if read.index.kind(each.column) == "number"]
    return (fit[0], None) if len(fit) == 1 else None


def winners(read: Read, best: Best, among: Iterable[int]) -> tuple[list[int], bool]:
    """The rows that hold the place that is meant, and whether the order is sure: every row has a value of one kind."""
    rows = list(among)
    worths = {row: worth for row in rows if (worth := read.index.worth((row, best.column))) is not None}
    if len({worth.day is None for worth in worths.values()}) != 1:
        return [], False
    order = sorted({worth.key for worth in worths.values()}, reverse=best.up)
    if len(order) < best.rank:
        return [], False
    value = order[best.rank - 1]
    return [row for row, worth in worths.items() if worth.key == value], len(worths) == len(rows)


def superlative(read: Read) -> Outcome | None:
    """What a relation says of a statement with one superlative; None where it has none, or cannot be read so."""
    end = len(read.line.spans)
    best = best_in(read, 0, end)
    if best is None:
        return None
    scope, claims = _roles(read, best, end)
    if not claims:
        return None
    domain = read.rows(scope)
    won, sure = winners(read, best, domain)
    if not won:
        return None
    held = claimed(claims, won)
    return Outcome(
        holds=bool(held),
        form="superlative",
        rows=tuple(held or won),
        columns=(best.column,),
        used=(*scope, *claims),
        left=left_over(read, (*scope, *claims), (*best.places, *((best.name,) if best.name is not None else ()))),
        sure=sure and (len(won) == 1 or not held),
    )


def claimed(claims: Sequence[Atom], won: Sequence[int]) -> list[int]:
    """The rows among some that have what is claimed of them, each part of it; none where some part fails."""
    strong = tuple(atom for atom in claims if not atom.weak)
    for chosen, loose in ((claims, False), (claims, True), (strong, True)):
        found = [having(part, won, loose=loose) for part in groups(chosen)] if chosen else [[]]
        if all(found):
            return sorted({row for rows in found for row in rows})
    return []


def _roles(read: Read, best: Best, end: int) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """The atoms that say among which rows, and those that are claimed of the one that comes first."""
    before = read.within(0, best.first, best.places)
    after = read.within(best.places[-1] + 1, end)
    own = tuple(atom for atom in after if atom.columns == {best.column} and atom.whole)
    after = tuple(atom for atom in after if atom not in own)
    if before and not _opening(read, before):
        return after, (*before, *own)
    verb = read.verb(best.last, end)
    if verb is None:
        return (), ()
    scope = tuple(atom for atom in after if atom.at < verb)
    return (*before, *scope), (*own, *(atom for atom in after if atom.at > verb))


def _opening(read: Read, atoms: Iterable[Atom]) -> bool:
    """Whether atoms stand in a phrase that opens the statement: "in 2010 , ..."."""
    places = [atom.at for atom in atoms]
    return read.word(0) in _SCOPES and max(places) <= 3 and len(places) == 1
