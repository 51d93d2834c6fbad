"""Which column each link of a statement means, where its words stand in several or next to a column's name."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.cells import Link, Named
from imprimatur.sources.tables.prose.statement import Statement

__all__ = ["Placed", "placed"]

_NEAR = 5
_PARTING = frozenset(("and", ",", "with", "while", "when", "but", "or", ";"))


@dataclass(frozen=True, slots=True)
class Placed:
    """A link within the columns that it can mean. ``astray``: the column that it is said to be in, and is not."""

    link: Link
    astray: int | None = None


def placed(statement: Statement) -> tuple[Placed, ...]:
    """The links of a statement, each in the column that is named next to it, where one is."""
    links = statement.links
    whole = [named for named in statement.named if named.whole]
    nearest = [_nearest(statement, link, statement.named) for link in links]
    out = []
    for link, near in zip(links, nearest, strict=True):
        fitting = [named.column for named in near if named.column in link.columns]
        if fitting:
            out.append(Placed(link.within(frozenset(fitting[:1]))))
            continue
        astray = [
            named.column
            for named in near
            if named in whole and not any(named.column in other.columns for other in links if other is not link)
        ]
        out.append(Placed(link, astray[0] if len(set(astray)) == 1 else None))
    return tuple(out)


def _nearest(statement: Statement, link: Link, named: tuple[Named, ...]) -> list[Named]:
    """The names of columns with only small words between them and a link, the nearest first."""
    found = []
    for each in named:
        gap = range(each.end, link.start) if each.end <= link.start else range(link.end, each.start)
        tokens = [statement.tokens[n] for n in gap]
        if len(tokens) < _NEAR and not any(statement.says_more(t) or t.lower in _PARTING for t in tokens):
            found.append((len(tokens), not each.whole, each.start, each))
    return [each for *_, each in sorted(found, key=lambda item: item[:3])]
