"""Dataclasses whose methods are made late are as those of ``dataclasses``."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from imprimatur import _records

_OPTIONS = [
    {"frozen": frozen, "slots": True, "kw_only": kw_only, "eq": eq}
    for frozen in (True, False)
    for kw_only in (True, False)
    for eq in (True, False)
]


def _plain() -> type[Any]:
    class Noun:
        """A noun."""

        a: int
        b: str = "b"
        c: list[int] = field(default_factory=list, compare=False)
        d: int = field(init=False, default=4, repr=False)
        e: int | None = field(default=None, kw_only=True)

        def twice(self) -> int:
            return self.a * 2

    return Noun


def _with_own_methods() -> type[Any]:
    class Noun:
        """A noun."""

        a: int
        b: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "b", self.a + 1)

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    return Noun


def _empty() -> type[Any]:
    class Noun:
        """A noun."""

    return Noun


def _outcome(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except Exception as fault:
        return type(fault)


def _refused(ask: Callable[[], object]) -> bool:
    """Whether it fails; some versions say TypeError for a frozen class with slots where another error is meant."""
    return isinstance(_outcome(ask), type)


def _behaviour(kind: Any, named: dict[str, object]) -> dict[str, object]:
    made, other = kind(**named), kind(**named)
    replaced = {"a": 7} if named else {}
    return {
        "repr": repr(made),
        "equal": made == other,
        "unequal": made == 1 or (bool(named) and made == dataclasses.replace(made, **replaced)),
        "hash": _outcome(lambda: hash(made) == hash(other)),
        "set": _refused(lambda: setattr(made, "a", 3)),
        "set other": _refused(lambda: setattr(made, "z", 3)),
        "delete": _refused(lambda: delattr(other, "a")),
        "fields": [(each.name, each.init, each.kw_only) for each in dataclasses.fields(kind)],
        "dict": dataclasses.asdict(made),
        "replaced": repr(dataclasses.replace(made, **replaced)),
        "copied": repr(copy.deepcopy(made)),
        "match": kind.__match_args__,
        "slots": kind.__slots__,
        "doc": kind.__doc__,
        "too many": _outcome(lambda: kind(1, 2, 3, 4, 5, 6)),
        "unknown": _outcome(lambda: kind(**named, zzz=1)),
        "too few": _outcome(kind) if named else None,
        "by position": _outcome(lambda: repr(kind(1))),
    }


@pytest.mark.parametrize("options", _OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("plain", "named"),
    [(_plain, {"a": 1}), (_plain, {"a": 1, "b": "x", "c": [1], "e": 2}), (_with_own_methods, {"a": 1}), (_empty, {})],
)
def test_as_dataclasses(plain: Callable[[], type[Any]], named: dict[str, object], options: dict[str, bool]) -> None:
    """All that a dataclass does is the same, also for a second object, when the methods have been made."""
    ours, theirs = _records.dataclass(**options)(plain()), dataclasses.dataclass(**options)(plain())
    wanted = _behaviour(theirs, named)
    assert _behaviour(ours, named) == wanted
    assert _behaviour(ours, named) == wanted


def test_default_factory_is_called_each_time() -> None:
    """Two objects do not share a made default."""
    kind: Any = _records.dataclass(frozen=True, slots=True)(_plain())
    first, second = kind(1), kind(1)
    first.c.append(1)
    assert second.c == []


@_records.dataclass(frozen=True, slots=True)
class Base:
    """One with a class below it."""

    a: int


@_records.dataclass(frozen=True, slots=True)
class Derived(Base):
    """One with a base."""

    b: int = 2


def test_derived() -> None:
    """A class with a base has the fields of both and is equal only to its own kind."""
    assert repr(Derived(1)) == "Derived(a=1, b=2)"
    assert Derived(1) != Base(1)
    assert Derived(1) == Derived(1, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Derived(1).a = 2  # type: ignore[misc]


def test_pickled() -> None:
    """Frozen objects go from process to process."""
    assert pickle.loads(pickle.dumps(Base(3))) == Base(3)


def test_methods_are_made_when_called() -> None:
    """A method takes its own place on the first call."""
    kind: Any = _records.dataclass(frozen=True, slots=True)(_plain())
    before = {name: kind.__dict__[name] for name in ("__init__", "__eq__", "__hash__", "__repr__")}
    made = kind(1)
    assert {name for name, method in before.items() if kind.__dict__[name] is not method} == {"__init__"}
    assert made == kind(1)
    assert {name for name, method in before.items() if kind.__dict__[name] is not method} == {"__init__", "__eq__"}


def test_nouns_are_made_late() -> None:
    """Importing the nouns writes no method for any of them."""
    code = (
        "import dataclasses; made = []; create = dataclasses._create_fn\n"
        "dataclasses._create_fn = lambda name, *given, **named: made.append(name) or create(name, *given, **named)\n"
        "import imprimatur.claim, imprimatur.report, imprimatur.verdict; assert made == [], made"
    )
    if sys.version_info >= (3, 13):
        code = "import imprimatur.claim"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
