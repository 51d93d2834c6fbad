"""What each step of working with a database may do, and the errors of statements that do something else.

A model writes the statements, so that every one of them is taken to be hostile.
"""

from __future__ import annotations

from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.errors import ImprimaturError

__all__ = ["FUNCTIONS", "MOVED", "SqlFailed", "SqlLimits", "SqlRefused", "Step"]


#: The name of the function that changes a value; the engine gives it in ``verify``.
MOVED = "imprimatur_moved"
#: What may be called. Nothing here makes large values, reads files, tells the time or throws dice.
FUNCTIONS = frozenset(
    "abs avg ceil ceiling coalesce count date datetime floor group_concat ifnull iif instr julianday length"
    " lower ltrim max min nullif replace round rtrim sign strftime string_agg substr substring sum time total trim"
    " typeof upper row_number rank dense_rank ntile lag lead first_value last_value percent_rank cume_dist".split()
)


class Step(StrEnum):
    """A step, and thereby what its statements may do.

    ``inspect`` asks for the columns of a table (``PRAGMA table_info``); ``query`` reads; ``store`` makes tables and
    columns, and adds rows; ``verify`` reads what a claim is held against, so that every value that it returns has to
    come out of a column.
    """

    INSPECT = "inspect"
    QUERY = "query"
    STORE = "store"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlLimits:
    """What one statement may cost: seconds, steps of SQLite's virtual machine, rows and characters that come back.

    ``pages`` (of 4096 bytes) is the most that the whole database may hold.
    """

    seconds: float = 2.0
    steps: int = 5_000_000
    rows: int = 200
    characters: int = 50_000
    pages: int = 25_000


class SqlRefused(ImprimaturError):
    """A statement does what its step must not, or is no SQL; it was not run."""


class SqlFailed(ImprimaturError):
    """The engine could not run a statement, or a limit ended it; nothing was changed."""
