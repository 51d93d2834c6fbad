"""The registry: lazy loading, collisions, near names, entry points."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable

import pytest

from imprimatur.errors import CheckFailed, UsageError
from imprimatur.registry import Registry


def test_an_entry_is_imported_when_it_is_asked_for() -> None:
    """Registering names a module without importing it; getting does."""
    sys.modules.pop("this", None)
    registry: Registry[Callable[..., object]] = Registry("writer", {"json": "json:dumps", "never": "no_such_module:x"})
    assert registry.names() == ("json", "never")
    assert registry.get("json") is json.dumps
    assert registry.get("json") is json.dumps


def test_a_name_stands_for_one_thing() -> None:
    """The same target again is fine, another one is an error that names both."""
    registry: Registry[int] = Registry("number", {"one": "a:b"})
    registry.register("one", "a:b")
    with pytest.raises(UsageError, match="registered twice: 'a:b' and 'c:d'"):
        registry.register("one", "c:d")


@pytest.mark.parametrize("target", ["json", "json:", ":dumps", ""])
def test_a_target_has_a_module_and_an_attribute(target: str) -> None:
    """A text that is not module:attribute is refused at once."""
    with pytest.raises(UsageError, match="module:attribute"):
        Registry("writer", {"x": target})


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """The error proposes a near name, or lists all."""
    registry: Registry[int] = Registry("source", {"graph": 1, "memory": 2})
    with pytest.raises(UsageError, match="no source is called 'grahp'") as caught:
        registry.get("grahp")
    assert caught.value.hint == "did you mean 'graph'?"
    with pytest.raises(UsageError) as caught:
        registry.get("zzz")
    assert caught.value.hint == "known: graph, memory"


@pytest.mark.parametrize("target", ["no_such_module:x", "json:no_such_attribute"])
def test_an_entry_that_cannot_be_loaded_fails_clearly(target: str) -> None:
    """A missing package is a fault with a hint, not an ImportError."""
    with pytest.raises(CheckFailed, match="cannot be loaded") as caught:
        Registry("source", {"x": target}).get("x")
    assert "installed" in caught.value.hint


def test_third_parties_come_in_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points are scanned once, and go through the same door as built-ins."""
    scans: list[str] = []

    def entry_points(*, group: str) -> tuple[importlib.metadata.EntryPoint, ...]:
        scans.append(group)
        return (importlib.metadata.EntryPoint("other", "json:loads", group),)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    registry: Registry[Callable[..., object]] = Registry("reader", {"own": "json:load"}, group="imprimatur.readers")
    assert registry.get("own") is json.load
    assert scans == []
    assert registry.get("other") is json.loads
    assert ("other" in registry, list(registry), len(registry)) == (True, ["other", "own"], 2)
    assert scans == ["imprimatur.readers"]
