"""What a statement is, before the engine sees it: the first of two fences, by a parser that is not the engine's.

Invariants: one statement, of a kind that its step may run; only functions of a list; the time of day, chance and the
file system are no evidence. For ``verify`` in addition: every value that is returned is made of columns; literals may
be compared with, but a branch, default or operand that brings in a value of its own is refused, since a query that
returns what a claim says whatever the table says proves nothing. What such rules cannot see, a second run on changed
values shows (``moved``).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from imprimatur.sources.tables.sql_steps import FUNCTIONS, MOVED, SqlRefused, Step

__all__ = ["checked", "moved"]

_LONGEST = 20_000
_MOST_WILDCARDS = 4
_INFO = re.compile(r"""\s*PRAGMA\s+table_x?info\s*\(\s*(?:"[^"]+"|'[^']+'|\w+)\s*\)\s*;?\s*""", re.IGNORECASE)
# What it says of statements that it does not know repeats them; the errors here say all that is needed.
logging.getLogger("sqlglot").setLevel(logging.ERROR)
_KINDS: dict[Step, tuple[type[exp.Expr], ...]] = {
    Step.INSPECT: (exp.Pragma,),
    Step.QUERY: (exp.Select, exp.SetOperation),
    Step.STORE: (exp.Create, exp.Insert, exp.Alter),
    Step.VERIFY: (exp.Select, exp.SetOperation),
}
_NOW = (exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Rand)
#: What the parser itself puts around the arguments of functions of dates.
_INNER = (exp.TsOrDsToTimestamp, exp.TsOrDsToDate)
_COUNTING = (exp.Count, exp.Sum, exp.Avg)
_AGGREGATES = (*_COUNTING, exp.Max, exp.Min)
_TRUTHS = (exp.Predicate, exp.Connector, exp.Not)


def checked(sql: str, step: Step) -> exp.Expr:
    """The parsed statement. Raises SqlRefused, with what is wrong in words that its writer can mend it by."""
    found = _parsed(sql)
    if not isinstance(found, _KINDS[step]):
        raise SqlRefused(f"a statement of this kind may not be run here ({found.key.upper()})")
    if isinstance(found, exp.Pragma):
        return _inspecting(found, sql)
    _nothing_hidden(found)
    if step is Step.STORE:
        _storing(found)
    if step is Step.VERIFY:
        for select in found.find_all(exp.Select):
            _verifying(select)
    return found


def _parsed(sql: str) -> exp.Expr:
    if len(sql) > _LONGEST:
        raise SqlRefused(f"the statement has more than {_LONGEST} characters")
    if "\0" in sql:
        raise SqlRefused("the statement has a NUL in it")
    if any("\ud800" <= char <= "\udfff" for char in sql):
        raise SqlRefused("the statement has half a character in it")
    try:
        found = [each for each in sqlglot.parse(sql, read="sqlite") if each is not None]
    except (SqlglotError, RecursionError) as fault:
        said = " ".join(str(fault).split())[:200] if isinstance(fault, SqlglotError) else "it is nested too deeply"
        raise SqlRefused(f"this is no SQL that can be read: {said}") from None
    if len(found) != 1:
        raise SqlRefused(f"one statement is needed; these are {len(found)}")
    return found[0]


def _inspecting(found: exp.Expr, sql: str) -> exp.Expr:
    """Only ``PRAGMA table_info(name)``."""
    if not _INFO.fullmatch(sql):
        raise SqlRefused("only PRAGMA table_info(a table) may be asked")
    return found


def _nothing_hidden(found: exp.Expr) -> None:
    """No other kind of statement inside, no call that is not listed, no recursion, no time, no chance."""
    for node in found.walk():
        if isinstance(node, exp.With) and node.args.get("recursive"):
            raise SqlRefused("recursive queries may not be run")
        if isinstance(node, _NOW) or (isinstance(node, exp.Literal) and node.is_string and node.this.lower() == "now"):
            raise SqlRefused("the present time and chance are no evidence")
        if isinstance(node, exp.Pragma | exp.Attach | exp.Detach | exp.Command | exp.Transaction | exp.Commit):
            raise SqlRefused("a statement of another kind stands inside")
        if isinstance(node, exp.Values) and node.find_ancestor(exp.Insert) is None:
            raise SqlRefused("rows that stand in the query itself are no evidence")
        if isinstance(node, exp.Like | exp.ILike | exp.Glob):
            _pattern(node.expression)
        if isinstance(node, exp.Func) and not isinstance(node, exp.Connector | exp.Case | exp.Cast | exp.Exists):
            _listed(node)


def _pattern(pattern: exp.Expr | None) -> None:
    """A pattern with many wildcards keeps the engine busy where it cannot be interrupted."""
    text = pattern.this if isinstance(pattern, exp.Literal) and pattern.is_string else None
    if text is None or sum(text.count(each) for each in "%_*?[") > _MOST_WILDCARDS:
        raise SqlRefused(f"the pattern of LIKE or GLOB has to be a text with at most {_MOST_WILDCARDS} wildcards")


def _listed(node: exp.Func) -> None:
    named = [node.name] if isinstance(node, exp.Anonymous) else list(type(node).sql_names())
    written = node.sql(dialect="sqlite").partition("(")[0].strip()
    if not isinstance(node, _INNER) and FUNCTIONS.isdisjoint(name.lower() for name in (*named, written)):
        raise SqlRefused(f"the function {named[0].lower()[:40]} may not be called")


def _storing(found: exp.Expr) -> None:
    """Plain tables, further columns, rows; nothing is replaced, and nothing runs by itself later."""
    if isinstance(found, exp.Insert):
        if found.args.get("alternative") not in (None, "IGNORE") or found.args.get("conflict"):
            raise SqlRefused("rows may be added, not replaced: use INSERT or INSERT OR IGNORE")
    elif isinstance(found, exp.Alter):
        actions = found.args.get("actions") or []
        if found.args.get("kind") != "TABLE" or not actions or not all(isinstance(a, exp.ColumnDef) for a in actions):
            raise SqlRefused("a table may only be given further columns: ALTER TABLE … ADD COLUMN …")
    elif isinstance(found, exp.Create):
        temporary = any(isinstance(each, exp.TemporaryProperty) for each in found.find_all(exp.Property))
        if found.args.get("kind") != "TABLE" or temporary or found.args.get("replace"):
            raise SqlRefused("only plain tables may be made")
        if found.expression is not None:
            raise SqlRefused("a table is made by its columns, not from a query")


# -- what verifies -----------------------------------------------------------------------------------------------------
def _verifying(select: exp.Select) -> None:
    if isinstance(select.parent, exp.Exists):
        return
    for output in select.expressions:
        if not _from_table(output):
            raise SqlRefused(
                "every value that is returned has to come out of a column:"
                f" `{output.sql(dialect='sqlite')[:80]}` reads none"
            )
        _value(output, within_count=False)


def _from_table(output: exp.Expr) -> bool:
    """Whether some column, or the number of rows, is in it."""
    return any(isinstance(node, exp.Column | exp.Star | exp.RowNumber) for node in output.walk())


def _value(node: exp.Expr, *, within_count: bool) -> None:
    """Walks what a value is made of; a literal that could be the value itself is refused."""
    if isinstance(node, exp.Subquery | exp.Select | exp.Column | exp.Star | exp.Null):
        return  # a subquery's own outputs are looked at by themselves
    if isinstance(node, exp.Case):
        branches = [each.args.get("true") for each in node.args.get("ifs", ())] + [node.args.get("default")]
        _branches(branches, within_count=within_count)
    elif isinstance(node, exp.If):
        _branches([node.args.get("true"), node.args.get("false")], within_count=within_count)
    elif isinstance(node, exp.Coalesce | exp.Nullif):
        _branches([node.this, *node.expressions], within_count=within_count)
    elif isinstance(node, exp.Binary) and not isinstance(node, _TRUTHS):
        _operands(node)
    elif not isinstance(node, _TRUTHS):
        counting = isinstance(node, _COUNTING)
        for child in node.iter_expressions():
            if not isinstance(child, exp.Literal | exp.Identifier | exp.DataType):
                _value(child, within_count=counting)


def _branches(branches: list[exp.Expr | None], *, within_count: bool) -> None:
    for branch in branches:
        if branch is None or isinstance(branch, exp.Null):
            continue
        if not _from_table(branch):
            if within_count and isinstance(branch, exp.Literal) and branch.this in ("0", "1"):
                continue
            raise SqlRefused(f"`{branch.sql(dialect='sqlite')[:40]}` is returned whatever the table says")
        _value(branch, within_count=within_count)


def _operands(node: exp.Binary) -> None:
    """Sums with a literal, and truths that are multiplied, could be made to give any value."""
    for side in (node.left, node.right):
        bare = side.unnest()
        if isinstance(node, exp.DPipe) and isinstance(bare, exp.Literal):
            if any(char.isalnum() for char in bare.this):
                raise SqlRefused("words may not be added to what a column holds")
        elif isinstance(bare, _TRUTHS) or (
            isinstance(bare, _AGGREGATES)
            and isinstance(bare.this, exp.Expr)
            and isinstance(bare.this, _TRUTHS)
            and not isinstance(bare, _COUNTING)
        ):
            raise SqlRefused("whether something holds may be returned or counted, not reckoned with")
        elif not isinstance(bare, exp.Literal):
            _value(bare, within_count=False)


def moved(found: exp.Expr) -> tuple[str, tuple[bool, ...]]:
    """The query with every value that it returns changed, and which outputs must then differ.

    Counts and truths need not: what they say is how many rows there are, or that something holds.
    """
    changed = found.copy()
    must: list[bool] = []
    for number, select in enumerate(_roots(changed)):
        for output in select.expressions:
            free = output.is_star or any(
                isinstance(node, exp.Count | exp.Star | exp.Predicate | exp.RowNumber | exp.Window)
                for node in output.walk()
            )
            if number == 0:
                must.append(not free)
            if not free:
                for column in list(output.find_all(exp.Column)):
                    if column.find_ancestor(exp.Where, exp.Join, exp.Group, exp.Having, exp.Order) is None:
                        column.replace(exp.Anonymous(this=MOVED, expressions=[column.copy()]))
    return changed.sql(dialect="sqlite"), tuple(must)


def _roots(found: exp.Expr) -> Iterator[exp.Select]:
    """The selects whose rows are the rows that come back."""
    if isinstance(found, exp.Select):
        yield found
    elif isinstance(found, exp.SetOperation):
        yield from _roots(found.left.unnest())
        yield from _roots(found.right.unnest())
