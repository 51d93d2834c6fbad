"""Statements of how many rows there are: "3 of the games were in May", "X directed 2 episodes", "only 1 is from Y"."""

from __future__ import annotations

from imprimatur.language import morphology, units
from imprimatur.sources.tables.prose.cells import content
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.rows import common
from imprimatur.sources.tables.prose.statement import Statement
from imprimatur.sources.tables.prose.tokens import Token, number_of

__all__ = ["of_count"]

_WORDS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_MOST = 10_000
_TIMES = frozenset(("time", "occasion"))
_PASSED = frozenset("of the different separate other".split())


def of_count(statement: Statement) -> Outcome | None:
    """So many rows have what the rest of the statement says."""
    found = [n for n in range(len(statement.tokens)) if _counts(statement, n)]
    if len(found) != 1:
        return None
    at = found[0]
    said = _number(statement.tokens[at])
    links = [link for link in statement.links if not link.start <= at < link.end]
    turning = [n for n in statement.turning if n != at and statement.tokens[n].lower not in ("only", "just")]
    if not links or turning:
        return None
    rows = common(links)
    columns = tuple(sorted({column for link in links for column in link.columns}))
    counted = _noun_after(statement, at)
    over = statement.words(tuple(n for n in statement.over if n not in (at, counted)))
    if over and len(rows) != said:
        return None  # what is left over may leave rows out
    return Outcome(
        holds=len(rows) == said,
        form="count",
        rows=tuple(sorted(rows)),
        columns=columns,
        over=over,
        right=str(len(rows)),
    )


def _number(token: Token) -> int | None:
    number = number_of(token)
    if number is not None:
        return int(number) if token.lower.isdigit() and number <= _MOST else None
    return _WORDS.get(token.lower)


def _counts(statement: Statement, n: int) -> bool:
    """Whether a number counts rows: no column's name stands before it, and behind it stands what rows are."""
    if _number(statement.tokens[n]) is None:
        return False
    if any(link.start <= n < link.end and link.end - link.start > 1 for link in statement.links):
        return False
    before = statement.tokens[n - 1] if n else None
    if before is not None and (before.mark or any(each.end == n for each in statement.named)):
        return False
    return _noun_after(statement, n) is not None


def _noun_after(statement: Statement, n: int) -> int | None:
    """The token behind a number that says what is counted: a noun that no column of numbers is named by."""
    at = n + 1
    while at < len(statement.tokens) and at <= n + 3 and statement.tokens[at].lower in _PASSED:
        at += 1
    if at >= len(statement.tokens) or at in statement.linked:
        return None
    token = statement.tokens[at]
    if statement.tokens[n + 1].start == statement.tokens[n].end or not content(token) or units.named(token.lower):
        return None  # "27th", "9 was", "12 MHz"
    measured = {each.column for each in statement.named if each.start <= at < each.end}
    if any(statement.index.numeric[c] and not statement.index.relation.columns[c].key for c in measured):
        return None
    noun = token.key in _TIMES or any(pos == "n" for _, pos in morphology.lemmas(token.lower))
    return at if noun and token.lower.isalpha() else None
