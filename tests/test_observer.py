"""Observers: which stages they are told of, for whole answers and streams, and how they are told of the end."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from imprimatur import Oracle
from imprimatur.errors import KnowledgeBaseError
from imprimatur.observer import UNOBSERVED, Stage, Working
from imprimatur.policy import load
from imprimatur.release import Release
from imprimatur.report import Report

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_WHOLE = ["segment", "extract", "judge", "settle", "decide"]


class _Notes:
    """An observer that notes what it is told."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.open: list[str] = []
        self.ends: list[Any] = []

    def stage(self, stage: Stage, /) -> Working:
        notes = self

        class Block:
            def __enter__(self) -> None:
                notes.stages.append(stage.value)
                notes.open.append(stage.value)

            def __exit__(self, kind: object, fault: object, trace: object, /) -> None:
                assert notes.open.pop() == stage.value

        return Block()

    def ended(self, report: Report, /) -> None:
        self.ends.append(report)

    def failed(self, fault: BaseException, /) -> None:
        self.ends.append(type(fault))


def _observed(folder: Path) -> tuple[Oracle, list[_Notes]]:
    made: list[_Notes] = []

    def observing() -> _Notes:
        made.append(_Notes())
        return made[-1]

    return Oracle.from_folder(folder).observed_by(observing), made


def test_stages_of_a_check(brooks: Path) -> None:
    """Each stage is told of in its order, for each segment; the end comes with the report."""
    oracle, made = _observed(brooks)
    report = oracle.check(f"{_TRUE} {_FALSE}")
    (notes,) = made
    first = list(dict.fromkeys(notes.stages))
    assert first == _WHOLE
    assert [notes.stages.count(stage) for stage in ("segment", "extract", "judge", "settle")] == [1, 2, 2, 2]
    assert (notes.ends, notes.open) == ([report], [])


@pytest.mark.parametrize("policy", ["strict", "redact", "correct"])
def test_a_stream_is_told_of_as_a_whole_text(brooks: Path, policy: str) -> None:
    """However a text is cut, its segments go through the same stages, the second look too, and end once."""
    oracle, made = _observed(brooks)
    text = f"{_TRUE} {_FALSE} It flows through Bree. {_TRUE}"
    chosen = load(policy)
    whole = oracle.check(text, policy=chosen)
    gate = oracle.gate(policy=chosen, mode="audit")
    for at in range(0, len(text), 7):
        gate.feed(text[at : at + 7])
    gate.finish()
    checked, streamed = made
    assert gate.report == whole
    for stage in ("extract", "judge", "settle"):
        assert streamed.stages.count(stage) == checked.stages.count(stage) >= 4
    assert (streamed.ends, streamed.open) == ([whole], [])


def test_streams_at_the_same_time(brooks: Path) -> None:
    """Each of several streams that take turns has an observer of its own."""
    oracle, made = _observed(brooks)
    gates = [oracle.gate() for _ in range(3)]
    for chunk, gate in itertools.product(("Elm Brook is ", "12 km long. "), gates):
        gate.feed(chunk)
    for gate in gates:
        gate.finish()
    assert [notes.ends for notes in made] == [[gate.report] for gate in gates]
    assert len({tuple(notes.stages) for notes in made}) == 1


def test_the_asynchronous_check(brooks: Path) -> None:
    """``acheck`` is told of as ``check`` is."""
    oracle, made = _observed(brooks)
    report = asyncio.run(oracle.acheck(_TRUE))
    oracle.check(_TRUE)
    assert made[0].stages == made[1].stages
    assert made[0].ends == [report]


def test_an_error_is_told(brooks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that ends in an error, whole or streamed, is told to have failed, and its stages are left."""
    oracle, made = _observed(brooks)

    def broken(*given: object) -> Any:
        raise KnowledgeBaseError("the shapes are malformed")
        yield ()

    monkeypatch.setattr(Release, "_judged", broken)
    with pytest.raises(KnowledgeBaseError):
        oracle.check(_TRUE)
    gate = oracle.gate()
    with pytest.raises(KnowledgeBaseError):
        gate.feed(f"{_TRUE} {_TRUE}")
    assert [(notes.ends, notes.open) for notes in made] == [([KnowledgeBaseError], [])] * 2


def test_nobody_is_told_by_default(brooks: Path) -> None:
    """Without an observer the frame has the one that does nothing, and observing changes no report."""
    oracle, _ = _observed(brooks)
    plain = Oracle.from_folder(brooks)
    assert plain._observing() is UNOBSERVED
    assert plain.check(_FALSE).to_dict() == oracle.check(_FALSE).to_dict()
