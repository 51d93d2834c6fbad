"""Rows of an evaluation that was made elsewhere: what was right, what was said, how sure it was.

JSON lines of one of two shapes, both with ``id``, and ``condition``, ``run`` and ``group`` where there are several:
``{gold, flagged?, score?}`` of something that flags texts, and ``{entailed, violates?, answered, correct?, licensed?,
sure?}`` of something that answers questions or abstains. Invariants: no row is left out in silence; an id stands once
in each run of a condition.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.epistemic import Asked
from imprimatur.evals.passage_sets import wrong

__all__ = ["Answer", "AnyRow", "Flag", "Named", "read_figure_rows"]

_SHAPES = (
    'a row looks like {"id": "1", "gold": true, "score": 0.8} or {"id": "1", "entailed": true, "answered": true, '
    '"correct": true}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Which row it is: of which condition, run and group (its own id where none is given)."""

    id: str
    condition: str
    run: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Whether a text should be flagged, and whether it was; ``score`` is higher the more it should."""

    named: Named
    gold: bool
    flagged: bool
    score: float | None

    @property
    def right(self) -> bool:
        """Whether it was flagged exactly when it should be."""
        return self.flagged is self.gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a question, and how sure the answer is (0 to 1)."""

    named: Named
    asked: Asked
    sure: float | None

    @property
    def right(self) -> bool:
        """Whether it was answered, and rightly."""
        return self.asked.correct


AnyRow = Flag | Answer


def read_figure_rows(paths: Sequence[Path], *, threshold: float) -> tuple[tuple[Flag, ...], tuple[Answer, ...]]:
    """The rows of some files: those that flag, and those that answer; one of the two is empty.

    Args:
        threshold: the score from which a row without ``flagged`` counts as flagged.

    Raises:
        InputError: a file cannot be read or has no rows, a line is no row, shapes are mixed, or an id is there twice;
            the threshold is not a number.
    """
    if math.isnan(threshold):
        raise InputError("nan is not a number", where="--threshold", hint="for instance --threshold 0.5")
    flags, answers = list[Flag](), list[Answer]()
    seen: dict[Named, str] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            row = _row(line, where, threshold)
            key = Named(id=row.named.id, condition=row.named.condition, run=row.named.run, group="")
            if key in seen:
                hint = "name the `condition`, and the `run` where a question was asked several times"
                raise InputError(f"the id {row.named.id!r} stands in {seen[key]} too", where=where, hint=hint)
            seen[key] = where
            if isinstance(row, Flag):
                flags.append(row)
            else:
                answers.append(row)
            if flags and answers:
                raise InputError("has rows of both shapes", where=where, hint=_SHAPES)
    if not seen:
        raise InputError("has no rows", where=", ".join(map(str, paths)), hint=_SHAPES)
    return tuple(flags), tuple(answers)


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault


def _row(line: bytes, where: str, threshold: float) -> Flag | Answer:
    try:
        values = json.loads(line)
        if not isinstance(values, dict):
            raise ValueError("not a JSON object")
        named = _named(values)
        return _answer(values, named) if "entailed" in values else _flag(values, named, threshold)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InputError(f"is no row: {wrong(fault)}", where=where, hint=_SHAPES) from fault


def _named(values: Mapping[str, Any]) -> Named:
    told = {key: values.get(key) for key in ("id", "condition", "run", "group")}
    for key, value in told.items():
        if isinstance(value, bool) or not isinstance(value, str | int | None) or (key == "id" and value is None):
            raise ValueError(f"`{key}` must be a text or a whole number")
    name, condition, run, group = (None if value is None else str(value) for value in told.values())
    assert name is not None
    return Named(
        id=name,
        condition="all" if condition is None else condition,
        run="" if run is None else run,
        group=name if group is None else group,
    )


def _flag(values: Mapping[str, Any], named: Named, threshold: float) -> Flag:
    score = _number(values, "score")
    if score is None and "flagged" not in values:
        raise KeyError("flagged")
    flagged = _truth(values, "flagged") if "flagged" in values else score is not None and score >= threshold
    return Flag(named=named, gold=_truth(values, "gold"), flagged=flagged, score=score)


def _answer(values: Mapping[str, Any], named: Named) -> Answer:
    said = {key: _truth(values, key) for key in ("violates", "correct", "licensed") if key in values}
    asked = Asked(entailed=_truth(values, "entailed"), answered=_truth(values, "answered"), **said)
    sure = _number(values, "sure")
    if sure is not None and not 0 <= sure <= 1:
        raise ValueError("`sure` lies between 0 and 1")
    return Answer(named=named, asked=asked, sure=sure)


def _truth(values: Mapping[str, Any], key: str) -> bool:
    value = values[key]
    if not isinstance(value, bool):
        raise ValueError(f"`{key}` must be true or false")
    return value


def _number(values: Mapping[str, Any], key: str) -> float | None:
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"`{key}` must be a number")
    return float(value)
