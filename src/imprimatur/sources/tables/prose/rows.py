"""Statements about rows: that cells stand in one row, in each of several rows, or in so many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from imprimatur.sources.tables.prose.cells import Link
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.placing import Placed, placed
from imprimatur.sources.tables.prose.statement import Statement

__all__ = ["common", "of_clauses", "of_list", "of_row"]


def common(links: Sequence[Link]) -> frozenset[int]:
    """The rows that all of some links stand in; none for no link."""
    rows = [link.rows for link in links]
    return frozenset.intersection(*rows) if rows else frozenset()


def of_row(statement: Statement) -> Outcome | None:
    """Cells that are said to belong together stand in one row, or in none."""
    found = placed(statement)
    if len(found) < 2:
        return None
    over = statement.words(statement.over)
    columns = tuple(sorted({column for each in found for column in each.link.columns}))
    rows = common([each.link for each in found])
    astray = [each for each in found if each.astray is not None]
    if rows and not astray:
        return Outcome(holds=True, form="row", rows=tuple(sorted(rows)), columns=columns, over=over)
    if astray:
        return _astray(statement, found, astray[0], over) if len(astray) == 1 else None
    return of_list(statement, found) or of_clauses(statement, found) or _apart(statement, found, over)


def _astray(statement: Statement, found: Sequence[Placed], one: Placed, over: str) -> Outcome | None:
    """A value that is said to be in a column which does not have it, in the row of everything else."""
    others = common([each.link for each in found if each is not one])
    assert one.astray is not None
    return Outcome(
        holds=False,
        form="row",
        rows=tuple(sorted(others)),
        columns=(one.astray,),
        over=over,
        right=_right(statement, others, one.astray),
    )


def _apart(statement: Statement, found: Sequence[Placed], over: str) -> Outcome | None:
    """No row has all of the links: where all but one stand together, that one is wrong."""
    links = [each.link for each in found]
    if _several_of_one_column(links) or frozenset.intersection(*(link.wide for link in links)):
        return None
    columns = tuple(sorted({column for link in links for column in link.columns}))
    for odd in reversed(links):
        others = common([link for link in links if link is not odd])
        if others and len(odd.columns) == 1:
            right = _right(statement, others, next(iter(odd.columns)))
            return Outcome(holds=False, form="row", rows=tuple(sorted(others)), columns=columns, over=over, right=right)
    return Outcome(holds=False, form="row", rows=(), columns=columns, over=over)


def _right(statement: Statement, rows: frozenset[int], column: int) -> str | None:
    """What the column says in some rows, if it says one thing."""
    relation = statement.index.relation
    cells = {relation.rows[row].cells[column] for row in rows}
    return next(iter(cells)) if len(cells) == 1 else None


def _several_of_one_column(links: Sequence[Link]) -> bool:
    one = [next(iter(link.columns)) for link in links if len(link.columns) == 1]
    return len(one) != len(set(one))


def of_list(statement: Statement, found: Sequence[Placed]) -> Outcome | None:
    """Several things of one column, each of which is said to have what the rest of the statement says."""
    groups: dict[int, list[Link]] = defaultdict(list)
    for each in found:
        if len(each.link.columns) == 1:
            groups[next(iter(each.link.columns))].append(each.link)
    several = [column for column, links in groups.items() if len(links) > 1]
    if len(several) != 1:
        return None
    listed = groups[several[0]]
    others = [each.link for each in found if each.link not in listed]
    if not others or not _listed(statement, listed):
        return None
    rows = [common([link, *others]) for link in listed]
    if not all(rows) and all(frozenset.intersection(*(each.wide for each in (link, *others))) for link in listed):
        return None
    columns = tuple(sorted({column for each in found for column in each.link.columns}))
    shown = tuple(sorted(frozenset().union(*rows)))
    return Outcome(holds=all(rows), form="list", rows=shown, columns=columns, over=statement.words(statement.over))


def of_clauses(statement: Statement, found: Sequence[Placed]) -> Outcome | None:
    """ "A is from X, B from Y and C from Z": the same columns over and over, a row for each round."""
    links = [each.link for each in found]
    if any(len(link.columns) != 1 for link in links) or any(each.astray is not None for each in found):
        return None
    columns = [next(iter(link.columns)) for link in links]
    length = next((n for n in range(2, len(links)) if columns[n] == columns[0]), 0)
    if not length or len(links) % length or len(set(columns[:length])) != length:
        return None
    rounds = [links[n : n + length] for n in range(0, len(links), length)]
    if any(columns[n] != columns[n % length] for n in range(len(links))):
        return None
    rows = [common(each) for each in rounds]
    if not all(rows) and all(frozenset.intersection(*(link.wide for link in each)) for each in rounds):
        return None
    shown = tuple(sorted(frozenset().union(*rows)))
    over = statement.words(statement.over)
    return Outcome(holds=all(rows), form="clauses", rows=shown, columns=tuple(sorted(set(columns))), over=over)


def _listed(statement: Statement, links: Sequence[Link]) -> bool:
    """Whether links follow one another with nothing but "and" and commas between them."""
    for before, after in zip(links, links[1:]):
        between = statement.tokens[before.end : after.start]
        if not between or any(token.lower not in (",", "and", "&", "both") for token in between):
            return False
    return True
