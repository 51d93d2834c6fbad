"""Frozen dataclasses that are quick to define are what the standard library makes of the same class."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any, ClassVar

import pytest

from imprimatur import _dataclasses

_MAKERS: tuple[Callable[..., Any], ...] = (dataclasses.dataclass, _dataclasses.dataclass)


def _classes(make: Callable[..., Any]) -> dict[str, Any]:
    """Classes with all that the product's dataclasses use, made by one of the two."""

    @make(frozen=True, slots=True, kw_only=True)
    class Keyed:
        """Fields by name only."""

        name: str
        parts: tuple[int, ...] = ()
        found: dict[str, int] = field(default_factory=dict, compare=False)
        hidden: int = field(default=3, repr=False)
        count: ClassVar[int] = 7

    @make(frozen=True, slots=True)
    class Placed:
        """Fields by place, with a check of its own."""

        first: int
        second: int = 2
        third: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            if self.first < 0:
                raise ValueError("below zero")

    @make(frozen=True)
    class Own:
        """Methods of its own, which are kept."""

        value: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return "own"

    @make(frozen=True, slots=True)
    class Empty:
        """No field at all."""

    return {"Keyed": Keyed, "Placed": Placed, "Own": Own, "Empty": Empty}


@pytest.fixture(params=_MAKERS, ids=["standard", "quick"])
def made(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The classes by each maker: what holds of the one must hold of the other."""
    return _classes(request.param)


def test_both_make_equal_text_hash_and_fields() -> None:
    """Text, hash, parameters, fields and match arguments do not tell the two apart."""
    standard, quick = (_classes(make) for make in _MAKERS)
    for name, given in (("Keyed", {"name": "a", "parts": (1, 2)}), ("Placed", {"first": 1}), ("Empty", {})):
        one, other = standard[name](**given), quick[name](**given)
        assert repr(one).replace(".<locals>", "") == repr(other).replace(".<locals>", "")
        assert hash(one) == hash(other)
        assert [each.name for each in fields(one)] == [each.name for each in fields(other)]
        assert standard[name].__match_args__ == quick[name].__match_args__
        assert [*inspect.signature(standard[name]).parameters] == [*inspect.signature(quick[name]).parameters]
        assert asdict(one) == asdict(other)


def test_equality_is_by_the_compared_fields_of_one_class(made: dict[str, Any]) -> None:
    """Fields that are not compared do not count, and another class is never equal."""
    keyed, placed = made["Keyed"], made["Placed"]
    assert keyed(name="a", found={"x": 1}) == keyed(name="a")
    assert keyed(name="a") != keyed(name="b")
    assert keyed(name="a", hidden=4) != keyed(name="a")
    assert placed(1) != keyed(name="a")
    assert made["Own"](1) == made["Own"](2)
    assert (hash(made["Own"](1)), repr(made["Own"](1))) == (1, "own")


def test_fields_cannot_be_set_or_deleted(made: dict[str, Any]) -> None:
    """A frozen class stays as it was made."""
    one = made["Placed"](1)
    with pytest.raises(FrozenInstanceError):
        one.first = 2
    with pytest.raises(FrozenInstanceError):
        del one.first
    assert one.first == 1


def test_defaults_factories_and_checks_run_for_each(made: dict[str, Any]) -> None:
    """Each instance has a default of its own, ``__post_init__`` runs, and what is missing is an error."""
    keyed = made["Keyed"]
    assert keyed(name="a").found is not keyed(name="a").found
    assert (made["Placed"](5).second, made["Placed"](5).third) == (2, 0)
    with pytest.raises(ValueError, match="below zero"):
        made["Placed"](-1)
    with pytest.raises(TypeError):
        keyed("a")
    with pytest.raises(TypeError):
        keyed()


def test_replace_and_copies_keep_the_values(made: dict[str, Any]) -> None:
    """``replace``, ``copy`` and ``deepcopy`` give an equal one, or one that differs where it is said."""
    one = made["Keyed"](name="a", parts=(1,))
    assert replace(one, name="b").parts == (1,)
    assert copy.copy(one) == one == copy.deepcopy(one)


def test_pickles_of_the_product_s_own_classes_come_back_equal() -> None:
    """What the product defines by it can be sent to another process."""
    from imprimatur.claim import Claim, Mention

    claim = Claim(start=0, end=3, text="abc", covers=((0, 3),))
    assert pickle.loads(pickle.dumps(claim)) == claim
    assert pickle.loads(pickle.dumps(Mention(0, 1, "a"))) == Mention(0, 1, "a")


def test_the_first_call_of_any_method_is_as_every_later_one() -> None:
    """Whichever of the methods is called first on a class of its own, it does what it does later."""
    for first in ("init", "eq", "hash"):
        keyed = _classes(_dataclasses.dataclass)["Keyed"]
        one = keyed(name="a") if first == "init" else _unmade(keyed, name="a", parts=(), found={}, hidden=3)
        if first == "eq":
            assert one == keyed(name="a")
        assert hash(one) == hash(keyed(name="a"))
        assert one == keyed(name="a") != keyed(name="b")
        assert keyed.__init__.__qualname__.endswith("Keyed.__init__")


def _unmade(cls: Any, **values: object) -> Any:
    """An instance that no method of its class has made."""
    made = object.__new__(cls)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


@pytest.mark.parametrize("make", _MAKERS, ids=["standard", "quick"])
def test_changeable_classes(make: Callable[..., Any]) -> None:
    """A class that is not frozen can be changed, is equal by its fields, and has no hash."""

    @make(slots=True)
    class Loose:
        """May be changed; one field is set by its own method."""

        value: int
        parts: list[int] = field(default_factory=list)
        total: int = field(init=False)

        def __post_init__(self) -> None:
            self.total = self.value + len(self.parts)

    cls: Any = Loose
    loose = cls(1, [5])
    assert (loose.total, cls(1).parts) == (2, [])
    loose.value = 2
    assert loose != cls(1, [5])
    assert repr(loose).endswith("Loose(value=2, parts=[5], total=2)")
    assert copy.deepcopy(loose) == loose
    with pytest.raises(TypeError, match="unhashable"):
        hash(loose)


def test_other_classes_go_to_the_standard_library() -> None:
    """A class that inherits from a dataclass is made as ever."""

    @_dataclasses.dataclass(frozen=True)
    class Base:
        """Frozen."""

        value: int

    @_dataclasses.dataclass(frozen=True)
    class Derived(Base):
        """Frozen, with a field more."""

        more: int = 0

    assert Derived(1) == Derived(1, 0)
    assert repr(Derived(1)).endswith("Derived(value=1, more=0)")
