"""Outcomes as Markdown: the same tables, figures and cases as the page has, without its plots.

Invariant: nothing from an outcome is markup; what Markdown or HTML would read as such is escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from imprimatur._expressions import expression
from imprimatur.cli.terminal import plain
from imprimatur.evals.outcome import Case, Cell, Matrix, Outcome, Table, number
from imprimatur.evals.pages.markup import clipped
from imprimatur.evals.pages.panels import published_of

__all__ = ["markdown"]

_MARKS = expression(r"[\\`*_{}\[\]<>()#+!|~&$-]")
_MOST_CASES = 20
_MOST_TEXT = 600


def markdown(outcomes: Sequence[Outcome], title: str) -> str:
    """The whole report."""
    parts = [f"# {_said(title)}"]
    for outcome in outcomes:
        parts += _outcome(outcome)
    return "\n\n".join(parts) + "\n"


def _outcome(outcome: Outcome) -> Iterator[str]:
    yield f"## {_said(outcome.title)}"
    yield _code(outcome.command or f"imprimatur eval {outcome.name}")
    yield from map(_said, outcome.notes)
    for table in outcome.tables:
        yield from _table(table)
    for curve in outcome.curves:
        rows = [(name, _at(curve.names, x), number(y)) for name, points in curve.series.items() for x, y in points]
        yield f"### {_said(curve.title)}"
        yield _rows(("series", curve.across, curve.up), rows)
    for matrix in outcome.matrices:
        yield f"### {_said(matrix.title)}"
        yield _matrix(matrix)
    yield from _published(outcome)
    yield from _cases(outcome.cases)
    yield from _origin(outcome)


def _table(table: Table) -> Iterator[str]:
    yield f"### {_said(table.title)}"
    yield _rows(table.head, [[_cell(cell) for cell in row] for row in table.rows])
    if table.note:
        yield _said(table.note)


def _matrix(matrix: Matrix) -> str:
    body = [(name, *map(str, counts)) for name, counts in zip(matrix.rows, matrix.counts)]
    return _rows(("", *matrix.columns), body)


def _published(outcome: Outcome) -> Iterator[str]:
    found = published_of(outcome)
    if not found:
        return
    yield "### Beside what was published"
    rows = []
    for name, figure in found:
        theirs = figure.published
        if theirs is not None:
            rows.append((name, _cell(figure), number(theirs.value), theirs.source, theirs.why))
    yield _rows(("figure", "here", "published", "where", "why they differ"), rows)


def _cases(cases: Sequence[Case]) -> Iterator[str]:
    if not cases:
        return
    ordered = sorted(cases, key=lambda case: not case.grave)
    yield "### Worst cases"
    rows = [
        (case.kind, case.id, case.text, case.gold, case.said, ", ".join(case.reasons), "; ".join(case.evidence))
        for case in ordered[:_MOST_CASES]
    ]
    yield _rows(("kind", "id", "text", "right", "said", "reasons", "evidence"), rows)
    if len(ordered) > len(rows):
        yield f"{len(ordered) - len(rows)} more stand in the outcome's file."


def _origin(outcome: Outcome) -> Iterator[str]:
    settings = {name: json.dumps(value, ensure_ascii=False) for name, value in outcome.settings.items()}
    used = {name: number(value) for name, value in outcome.used.items()}
    lists = {"setting": settings, "source": outcome.sources, "version": outcome.versions, "used": used}
    rows = [(kind, name, value) for kind, values in lists.items() for name, value in values.items()]
    if rows:
        yield "### Settings, sources, versions, cost"
        yield _rows(("", "name", "value"), rows)


def _cell(cell: Cell) -> str:
    return "–" if cell is None else str(cell)


def _at(names: Sequence[str], x: float) -> str:
    return names[int(x)] if names and 0 <= int(x) < len(names) else number(x)


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head)]
    told = [
        "| " + " | ".join(_said(cell) if at != 1 else cell for cell in line) + " |" for at, line in enumerate(lines)
    ]
    return "\n".join([*told, *("| " + " | ".join(map(_said, row)) + " |" for row in rows)])


def _said(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    line = clipped(" ".join(plain(text).split()), _MOST_TEXT)
    return _MARKS.sub(_escape, line)


def _escape(found: re.Match[str]) -> str:
    mark = found.group()
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(mark, f"\\{mark}")


def _code(text: str) -> str:
    """One line of code; a mark that would end it is left out."""
    return f"`{clipped(' '.join(plain(text).replace('`', '').split()), _MOST_TEXT)}`"
