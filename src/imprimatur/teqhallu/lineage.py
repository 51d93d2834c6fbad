"""Which rows of its tables the rows of a SELECT were made of: a second query beside it, made by another parser.

Where every table of the outer query is a plain one, its row ids are asked for, with the same joins and conditions:
beside each row, or, where rows were put together (aggregates, groups, DISTINCT), for all rows that went into them. What
a subquery, a derived table or a WITH reads is not followed: the answer is then None, and all rows of the tables that
were read stand for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

__all__ = ["compared", "entered", "inserts_into", "is_key", "measuring", "traced"]

_ROW_ID = "rowid"


_COMPARISONS = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)


def compared(sql: str) -> tuple[str, ...]:
    """The literals that a SELECT holds columns against, as they are written; those that it denies do not count."""
    statement = _parsed(sql)
    found: list[str] = []
    for each in statement.find_all(*_COMPARISONS) if statement is not None else ():
        beside = list(each.iter_expressions())
        if each.find_ancestor(exp.Not) is None and any(child.find(exp.Column) is not None for child in beside):
            found.extend(literal.this for literal in beside if isinstance(literal, exp.Literal))
    return tuple(found)


def entered(sql: str) -> tuple[str, ...]:
    """The column names that a CREATE or ALTER brings in, in lower case."""
    statement = _parsed(sql)
    if statement is None:
        return ()
    return tuple(column.name.lower() for column in statement.find_all(exp.ColumnDef))


def inserts_into(sql: str) -> str | None:
    """The table that an INSERT adds to; None for any other statement."""
    statement = _parsed(sql)
    if not isinstance(statement, exp.Insert):
        return None
    target = statement.this.this if isinstance(statement.this, exp.Schema) else statement.this
    return target.name if isinstance(target, exp.Table) else None


def is_key(column: str) -> bool:
    """Whether a column has ids, which a model gives as it likes."""
    return column.lower() == "id" or column.lower().endswith("_id")


def measuring(sql: str) -> tuple[bool, ...]:
    """For each output of a SELECT, whether no key goes into it; nothing where the outputs are not all written out."""
    statement = _parsed(sql)
    if not isinstance(statement, exp.Select) or any(output.is_star for output in statement.expressions):
        return ()
    return tuple(
        not any(is_key(column.name) for column in output.find_all(exp.Column)) for output in statement.expressions
    )


def traced(sql: str) -> tuple[str, tuple[str, ...]] | None:
    """A query for row ids, and the table of each of its columns; None where the rows cannot be traced."""
    statement = _parsed(sql)
    if not isinstance(statement, exp.Select) or statement.args.get("with_") or statement.args.get("with"):
        return None
    if any(select is not statement for select in statement.find_all(exp.Select)):
        return None
    tables = list(_tables(statement))
    if not tables or not all(isinstance(table, exp.Table) and table.name for table in tables):
        return None
    copy = statement.copy()
    copy.set("expressions", [exp.column(_ROW_ID, table=table.alias_or_name, quoted=True) for table in tables])
    together = _together(statement)
    for part in ("group", "having", "distinct", "windows", "qualify"):
        copy.set(part, None)
    # A limit of what was put together is one on what comes out; that of any other query needs its order.
    for part in ("order", "limit", "offset") if together else ():
        copy.set(part, None)
    return copy.sql(dialect="sqlite"), tuple(table.name for table in tables)


def _tables(statement: exp.Select) -> Iterator[exp.Expr]:
    beginning = statement.args.get("from_") or statement.args.get("from")
    if beginning is not None:
        yield beginning.this
    for join in statement.args.get("joins") or ():
        yield join.this


def _together(statement: exp.Select) -> bool:
    if statement.args.get("group") or statement.args.get("distinct") or statement.args.get("having"):
        return True
    return any(output.find(exp.AggFunc) is not None for output in statement.expressions)


def _parsed(sql: str) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(sql, read="sqlite")
    except (SqlglotError, RecursionError):
        return None
