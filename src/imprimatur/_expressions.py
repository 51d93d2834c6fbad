"""Regular expressions that are compiled when they are first used.

Compiling all expressions of the reader takes longer than judging an answer, and one answer needs few of them.
"""

from __future__ import annotations

import re
from typing import cast

__all__ = ["expression"]


class _Expression:
    """Stands for ``re.compile(pattern, flags)``; has the methods of the compiled one after one was asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what copying and inspecting ask for, not a method of an expression
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({each: getattr(compiled, each) for each in dir(compiled) if not each.startswith("_")})
        return getattr(compiled, name)


def expression(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern, compiled on first use. Raises re.error then, not now."""
    return cast("re.Pattern[str]", _Expression(pattern, flags))
