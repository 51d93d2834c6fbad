"""``imprimatur eval compare``: two outcomes of the same evaluation, figure by figure and row by row.

What comes out is an outcome again: printed, written and drawn like any other. Invariants: figures are matched by the
title of their table, their row and their column, never by their place; the interval of a difference is Newcombe's
(1998, method 10), for two shares that were counted; whether rows that were judged twice got better is asked of these
rows alone, by the exact test of McNemar; a false licence that was not there before is grave. Where sources differ this
is said, for then a difference may be one of the rows and not of what judged them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from imprimatur.evals.intervals import difference as newcombe
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Figure, Outcome, Row, Table, number
from imprimatur.evals.paired import Compared
from imprimatur.evals.paired import compared as paired

__all__ = ["compared", "difference"]

_Key = tuple[str, str, str, int]
#: Rows whose verdict changed are told up to so many.
_MOST_ROWS = 500


def compared(before: Outcome, after: Outcome, names: tuple[str, str] = ("before", "after")) -> Outcome:
    """What differs between two outcomes.

    Args:
        names: what the two are called, for instance by their files.
    """
    tables = [_figures(before, after, names)]
    told: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any]], ...] = (
        ("Settings that differ", before.settings, after.settings),
        ("Sources that differ", before.sources, after.sources),
        ("Versions that differ", before.versions, after.versions),
        ("Used", before.used, after.used),
    )
    for title, one, two in told:
        rows = _changed(one, two)
        if rows:
            tables.append(Table(title=title, head=("", *names), rows=rows))
    return Outcome(
        name="compare",
        title=f"{after.title}: {names[0]} and {names[1]}",
        tables=tuple(tables),
        cases=tuple(_cases(before, after)),
        sources={},
        notes=tuple(_notes(before, after)),
    )


# -- figures ----------------------------------------------------------------------------------------------------------
def _figures(before: Outcome, after: Outcome, names: tuple[str, str]) -> Table:
    one, two = _found(before), _found(after)
    several = len({key[0] for key in (*one, *two)}) > 1
    rows: list[tuple[Cell, ...]] = []
    for key in dict.fromkeys((*one, *two)):
        table, row, column, _ = key
        name = " · ".join(part for part in (table if several else "", row, column) if part)
        first, second = one.get(key), two.get(key)
        apart = None if first is None or second is None else difference(first, second)
        said = "not in both" if first is None or second is None else _certainty(apart)
        rows.append((name, _bare(first), _bare(second), apart, said))
    note = "An interval that does not hold 0 is marked; it takes the two for independent, which is careful for one set."
    return Table(title="Figures", head=("figure", *names, "difference", ""), rows=tuple(rows), note=note)


def _found(outcome: Outcome) -> dict[_Key, Figure]:
    """Every figure by its table, row and column; what has the same names is told apart by its number."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found: dict[_Key, Figure] = {}
    for table in outcome.tables:
        named = Counter(str(row[0]) for row in table.rows if row)
        for row in table.rows:
            # A row is named by its first cell; where that names several, by all its words.
            several = bool(row) and named[str(row[0])] > 1
            name = " ".join(cell for cell in row if isinstance(cell, str)) if several else str(*row[:1])
            for head, cell in zip(table.head, row):
                if isinstance(cell, Figure):
                    key = (table.title, name, head)
                    found[*key, seen[key]] = cell
                    seen[key] += 1
    return found


def _bare(figure: Figure | None) -> Figure | None:
    return None if figure is None else replace(figure, published=None)


def difference(before: Figure, after: Figure) -> Figure | None:
    """After less before, with its interval where both are counted shares; None where either has no value."""
    if before.value is None or after.value is None or before.unit != after.unit:
        return None
    apart = after.value - before.value
    first, second = _counted(before), _counted(after)
    interval = newcombe(second, first) if first is not None and second is not None else None
    if interval is None:
        return Figure(value=apart, unit=after.unit)
    return Figure(value=apart, low=min(interval[0], apart), high=max(interval[1], apart))


def _counted(figure: Figure) -> Share | None:
    if figure.unit or figure.count is None or not figure.total or not 0 <= figure.count <= figure.total:
        return None
    return Share(figure.count, figure.total)


def _certainty(apart: Figure | None) -> str:
    if apart is None or apart.value is None:
        return "nothing to compare"
    if apart.value == 0:
        return "the same"
    if apart.low is None or apart.high is None:
        return ""
    return "differs" if apart.low > 0 or apart.high < 0 else "may be chance"


def _changed(one: Mapping[str, Any], two: Mapping[str, Any]) -> tuple[tuple[Cell, ...], ...]:
    names = [name for name in dict.fromkeys((*one, *two)) if one.get(name) != two.get(name)]
    return tuple((name, _told(one, name), _told(two, name)) for name in names)


def _told(values: Mapping[str, Any], name: str) -> Cell:
    if name not in values:
        return None
    value = values[name]
    if isinstance(value, float):
        return number(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# -- rows -------------------------------------------------------------------------------------------------------------
def _cases(before: Outcome, after: Outcome) -> Iterator[Case]:
    """Grave cases that are new, those that are gone, and rows with another verdict."""
    one, two = _graves(before), _graves(after)
    for key, case in two.items():
        if key not in one:
            yield replace(case, kind=f"new: {case.kind}")
    for key, case in one.items():
        if key not in two:
            yield replace(case, kind=f"gone: {case.kind}", grave=False)
    texts = {case.id: case.text for outcome in (before, after) for case in outcome.cases}
    graves = {id_ for id_, _ in (*one, *two)}
    found = [pair for pair in _pairs(before, after) if pair[0].said != pair[1].said and pair[0].id not in graves]
    found.sort(key=lambda pair: (pair[1].right, not pair[0].right))
    for was, is_ in found[:_MOST_ROWS]:
        kind = {(True, False): "became wrong", (False, True): "became right"}.get((was.right, is_.right), "changed")
        yield Case(id=was.id, kind=kind, text=texts.get(was.id, ""), said=f"{was.said}, then {is_.said}")


def _graves(outcome: Outcome) -> dict[tuple[str, str], Case]:
    return {(case.id, case.text): case for case in outcome.cases if case.grave}


def _pairs(before: Outcome, after: Outcome) -> list[tuple[Row, Row]]:
    """Each row of both, by its name; a name that stands for several rows in one of them is left out."""
    one, two = _named(before.rows), _named(after.rows)
    return [(row, two[id_]) for id_, row in one.items() if id_ in two]


def _named(rows: tuple[Row, ...]) -> dict[str, Row]:
    counts = Counter(row.id for row in rows)
    return {row.id: row for row in rows if counts[row.id] == 1}


# -- notes ------------------------------------------------------------------------------------------------------------
def _notes(before: Outcome, after: Outcome) -> Iterator[str]:
    if before.name != after.name:
        yield f"WARNING: two evaluations: {before.name} and {after.name}."
    named = dict.fromkeys((*before.sources, *after.sources))
    differ = [name for name in named if before.sources.get(name) != after.sources.get(name)]
    if differ:
        yield f"WARNING: the sources differ ({', '.join(differ)}): a difference may be one of what was judged."
    new = len(_graves(after).keys() - _graves(before).keys())
    if new:
        yield f"WARNING: {new} grave {'case is' if new == 1 else 'cases are'} new."
    pairs = _pairs(before, after)
    if pairs:
        found = paired((is_.right, was.right) for was, is_ in pairs)
        changed = f"{found.first} became right, {found.second} became wrong"
        yield f"{found.total} rows were judged in both: {changed}{_test(found)}."
    elif before.rows or after.rows:
        yield "No row was judged in both, or only one of them tells its rows: nothing is compared row by row."


def _test(found: Compared) -> str:
    """What the paired interval and McNemar's exact test say; nothing where no row changed."""
    if not found.first + found.second or found.difference is None or found.low is None or found.high is None:
        return ""
    ends = f"[{number(found.low)}, {number(found.high)}]"
    return f"; a difference of {number(found.difference)} {ends}; exact McNemar test, p = {found.p:.3g}"
