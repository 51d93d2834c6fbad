"""Runs the statements of a stage, and has those that cannot be run written anew, with what the engine says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from imprimatur.sources.tables.sql_steps import SqlFailed, SqlRefused
from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker
from imprimatur.teqhallu.kinds import Stage

__all__ = ["Ran", "run_all"]

_Got = TypeVar("_Got")


@dataclass(slots=True)
class Ran(Generic[_Got]):
    """What became of one statement: what it gave, or why it could not be run; and how often it was written anew."""

    sql: str
    got: _Got | None = None
    fault: str = ""
    repairs: int = 0


def run_all(
    statements: Sequence[str], run: Callable[[int, str], _Got], asker: Asker, **material: Any
) -> list[Ran[_Got]]:
    """Each statement run by ``run`` (its number, and its text), those at fault again after each repair.

    A statement that is written anew as nothing is given up. Raises what asking the model raises.
    """
    done = [Ran[_Got](sql) for sql in statements]
    left = list(range(len(done)))
    for repair in range(asker.limits.repairs + 1):
        left = [number for number in left if not _tried(done[number], number, run)]
        if not left or repair == asker.limits.repairs:
            break
        faults = [{"number": each, "sql": done[each].sql, "fault": done[each].fault} for each in left]
        said = asker.ask(Stage.REPAIR, "repair", shapes.mended(), statements=faults, **material)
        anew = {each["number"]: each["sql"].strip() for each in said["statements"]}
        left = [number for number in left if anew.get(number)]
        for number in left:
            done[number].sql = anew[number]
            done[number].repairs += 1
    return done


def _tried(each: Ran[_Got], number: int, run: Callable[[int, str], _Got]) -> bool:
    try:
        each.got, each.fault = run(number, each.sql), ""
    except (SqlRefused, SqlFailed) as fault:
        each.fault = fault.message
        return False
    return True
