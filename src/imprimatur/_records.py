"""Dataclasses whose methods are made when they are first called.

``dataclasses.dataclass`` writes and compiles up to six methods for each class while the class is imported. For all
nouns together that takes longer than judging an answer, and most of the methods are never called. Here only the fields
are read at once. The first call of a method makes it and puts it into the class in its own place: from then on it is a
dataclass like any other. To a type checker it is ``dataclasses.dataclass`` itself.

Only classes with slots and without a base are made so; any other is left to ``dataclasses``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_Method = Callable[..., Any]


def _record(plain: type[Any], *, frozen: bool, eq: bool, kw_only: bool) -> type[Any]:
    annotations = plain.__annotations__
    body = {name: value for name, value in plain.__dict__.items() if name in annotations}
    body["__annotations__"] = annotations
    if hasattr(plain, "__post_init__"):
        body["__post_init__"] = plain.__post_init__
    plain.__doc__ = plain.__doc__ or plain.__name__  # else one is written, from a signature
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(plain)
    made.__dataclass_params__.frozen = frozen
    late: dict[str, dict[str, bool]] = {"__init__": {}, "__repr__": {"repr": True}}
    late |= {"__eq__": {"eq": True}} if eq else {}
    late |= {"__hash__": {"eq": True, "unsafe_hash": True}} if eq and frozen else {}
    # A class that defines ``__eq__`` is given ``__hash__ = None`` by Python.
    given = set(plain.__dict__) - (
        {"__hash__"} if "__eq__" in plain.__dict__ and plain.__dict__["__hash__"] is None else set()
    )
    for name, wanted in late.items():
        if name not in given:
            setattr(made, name, _first(made, name, _maker(made, body, name, wanted)))
    if frozen:
        made.__setattr__, made.__delattr__ = _refuse_assignment, _refuse_deletion
        made.__getstate__, made.__setstate__ = _state, _restore
    elif eq and "__hash__" not in given:
        made.__hash__ = None
    found: type[Any] = made
    return found


def _maker(made: Any, body: dict[str, Any], name: str, wanted: dict[str, bool]) -> Callable[[], _Method]:
    """What makes a method of ``made``; all but one are made by ``dataclasses``, for a class of the same fields."""

    def make() -> _Method:
        if name == "__init__":
            return _init(made)
        twin = type(made.__name__, (), {**body, "__module__": made.__module__, "__qualname__": made.__qualname__})
        options = {"init": False, "repr": False, "eq": False, **wanted}
        method: _Method = dataclasses.dataclass(**options)(twin).__dict__[name]
        return method

    return make


def _first(made: type[Any], name: str, make: Callable[[], _Method]) -> _Method:
    """A method that puts the real one in its place and calls it."""

    def first(self: Any, *args: Any, **named: Any) -> Any:
        method = make()
        setattr(made, name, method)
        return method(self, *args, **named)

    first.__name__, first.__qualname__ = name, f"{made.__qualname__}.{name}"
    return first


def _init(made: Any) -> _Method:
    """``__init__``. Where the class refuses assignment, each slot is set by its descriptor."""
    frozen = made.__dataclass_params__.frozen
    names: dict[str, Any] = {"_missing": MISSING}
    positional, by_name, lines = ["self"], list[str](), list[str]()
    for field in dataclasses.fields(made):
        name, value = field.name, field.name
        names[f"_set_{name}"] = made.__dict__[name].__set__
        names[f"_new_{name}"] = field.default_factory
        names[f"_default_{name}"] = field.default if field.default_factory is MISSING else MISSING
        may_lack = field.default is not MISSING or field.default_factory is not MISSING
        if field.init:
            (by_name if field.kw_only else positional).append(f"{name}=_default_{name}" if may_lack else name)
        if field.default_factory is not MISSING:
            value = f"_new_{name}() if {name} is _missing else {name}" if field.init else f"_new_{name}()"
        elif not field.init:
            value = f"_default_{name}"
        if field.init or may_lack:
            lines.append(f" _set_{name}(self, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    head = ", ".join([*positional, *(["*", *by_name] if by_name else [])])
    exec("\n".join([f"def __init__({head}):", *(lines or [" pass"])]), names)
    method: _Method = names["__init__"]
    method.__qualname__, method.__module__ = f"{made.__qualname__}.__init__", made.__module__
    return method


def _refuse_assignment(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen=False, slots=False, eq=True, kw_only=False):
        """The decorator, with these of the options of ``dataclasses.dataclass``."""

        def decorate(plain):
            if slots and plain.__bases__ == (object,):
                return _record(plain, frozen=frozen, eq=eq, kw_only=kw_only)
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, kw_only=kw_only)(plain)

        return decorate
