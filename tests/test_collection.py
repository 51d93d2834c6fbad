"""Garbage collection rests while a knowledge base is opened, and only then."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from imprimatur._collection import uncollected
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.knowledge import Knowledge, open_knowledge
from imprimatur.oracle import Oracle


def test_rests_and_goes_on() -> None:
    """It rests within, also within each other, and goes on afterwards, also after an error."""
    assert gc.isenabled()
    with uncollected():
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), uncollected():
        _ = 1 // 0
    assert gc.isenabled()


def test_stays_off() -> None:
    """Where it was off before, it is off afterwards."""
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_kept() -> None:
    """What is kept is not looked through any more."""
    before = gc.get_freeze_count()
    try:
        with uncollected(keep=True):
            made = [[] for _ in range(100)]  # type: list[list[int]]
        assert gc.get_freeze_count() >= before + len(made)
    finally:
        gc.unfreeze()


def test_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle is opened so."""
    seen: list[bool] = []

    def opening(config: KnowledgeBaseConfig, **named: Any) -> Knowledge:
        seen.append(gc.isenabled())
        return open_knowledge(config, **named)

    monkeypatch.setattr("imprimatur.oracle.open_knowledge", opening)
    Oracle.from_folder("rivers")
    assert seen == [False]
    assert gc.isenabled()
