"""``dataclass`` for classes that are quick to define: for a type checker it is ``dataclasses.dataclass`` itself.

The one of the standard library compiles six methods for each class, one by one; for the classes that one check needs
this takes longer than the check. Here the methods that are called often are compiled at once, when the first of them is
called, and the others need no source. Invariants: what ``dataclasses`` offers (``fields``, ``replace``) works, and
equality, hash, text and pickles are as there. A class that is ordered, or inherits from a dataclass, goes to the
standard library; ``InitVar`` is not known here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """The class as a dataclass, or a decorator that makes one."""
        return _made(cls, options) if cls is not None else lambda each: _made(each, options)


_QUICK = {"frozen", "slots", "kw_only"}


def _made(cls: type, options: dict[str, bool]) -> type:
    inherits = any(hasattr(base, "__dataclass_fields__") for base in cls.__mro__[1:])
    if options.keys() - _QUICK or inherits:
        return dataclasses.dataclass(**options)(cls)
    cls.__doc__ = cls.__doc__ or cls.__name__  # the standard library would write a signature
    own = set(cls.__dict__)
    slots, kw_only = options.get("slots", False), options.get("kw_only", False)
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
    params = made.__dataclass_params__
    params.init = params.repr = params.eq = True
    params.frozen = options.get("frozen", False)
    late = _late(made)
    methods = {**late, **_freezing(made)} if params.frozen else {**late, "__hash__": None}
    for name, method in {**methods, "__repr__": _shown(made)}.items():
        if name in own:
            continue
        if method is not None:
            method.__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, method)
    found: type = made
    return found


def _late(cls: Any) -> dict[str, Any]:
    """``__init__``, ``__eq__`` and ``__hash__`` that stand for the compiled ones until one of them is called."""

    def ready(name: str) -> Any:
        for each, method in _compiled(cls).items():
            if cls.__dict__.get(each) is late[each]:
                method.__qualname__ = f"{cls.__qualname__}.{each}"
                setattr(cls, each, method)
        return cls.__dict__[name]

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        ready("__init__")(self, *given, **named)

    def __eq__(self: Any, other: object) -> Any:
        return ready("__eq__")(self, other)

    def __hash__(self: Any) -> Any:
        return ready("__hash__")(self)

    late = {"__init__": __init__, "__eq__": __eq__, "__hash__": __hash__}
    return late


def _compiled(cls: Any) -> dict[str, Any]:
    """``__init__``, ``__eq__`` and ``__hash__``."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_absent": object()}
    compared = [each.name for each in dataclasses.fields(cls) if each.compare]
    hashed = [each.name for each in dataclasses.fields(cls) if (each.compare if each.hash is None else each.hash)]
    lines = [
        *_initialiser(cls, scope),
        "def __eq__(self, other):",
        " if other.__class__ is self.__class__:",
        f"  return {_values('self', compared)} == {_values('other', compared)}",
        " return NotImplemented",
        "def __hash__(self):",
        f" return hash({_values('self', hashed)})",
    ]
    exec("\n".join(lines), scope)
    return {name: scope[name] for name in ("__init__", "__eq__", "__hash__")}


def _values(of: str, names: list[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


def _initialiser(cls: Any, scope: dict[str, Any]) -> list[str]:
    """The source of ``__init__``, which sets the fields past the lock of a frozen class; it needs what is in scope."""
    given, keyed, lines = ["self"], list[str](), list[str]()
    put = " _set(self, {0!r}, {1})" if cls.__dataclass_params__.frozen else " self.{0} = {1}"
    for each in dataclasses.fields(cls):
        name = value = each.name
        parameter = name
        if each.default is not dataclasses.MISSING:
            scope[f"_default_{name}"] = each.default
            parameter = f"{name}=_default_{name}"
        elif each.default_factory is not dataclasses.MISSING:
            scope[f"_make_{name}"] = each.default_factory
            parameter, value = f"{name}=_absent", f"_make_{name}() if {name} is _absent else {name}"
        if each.init:
            (keyed if each.kw_only else given).append(parameter)
        elif f"_make_{name}" in scope:
            value = f"_make_{name}()"
        elif f"_default_{name}" in scope:
            value = f"_default_{name}"
        else:
            continue  # ``__post_init__`` sets it
        lines.append(put.format(name, value))
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    parameters = [*given, *(["*", *keyed] if keyed else [])]
    return [f"def __init__({', '.join(parameters)}):", *lines, " return None"]


def _freezing(cls: Any) -> dict[str, Any]:
    """What keeps the fields from being set anew, and what pickles them all the same."""
    names = tuple(each.name for each in dataclasses.fields(cls))

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    frozen = {"__setattr__": __setattr__, "__delattr__": __delattr__}
    return {**frozen, "__getstate__": __getstate__, "__setstate__": __setstate__}


def _shown(cls: Any) -> Callable[[Any], str]:
    names = tuple(each.name for each in dataclasses.fields(cls) if each.repr)

    def __repr__(self: Any) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({fields})"

    return __repr__
