"""Regular expressions of ``sh:pattern`` and ``REGEX`` in bounded time.

Python's ``re`` backtracks, and a hostile pattern may take for ever. So ``re`` is used only where its worst case, by the
number of unbounded repetitions and the length of the text, is small; otherwise the pattern is run as an automaton that
reads each character once. A pattern that is neither (back-references, look-around, boundaries on a long text) raises
``LimitExceeded``: nothing was judged.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import field
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import LimitExceeded

__all__ = ["SafePattern"]

#: Steps that a backtracking search may take at worst.
_STEPS = 5_000_000
#: Repetitions of at most so many are unfolded; more count as unbounded.
_FEW = 8
_MOST_STATES = 5_000
_PARSER: Any = importlib.import_module("re._parser")
#: A test of one character (None: a step that reads nothing) and the states that follow; ``start`` and ``end`` are tests
#: of the place.
_State = tuple[Callable[[str], bool] | str | None, tuple[int, ...]]


class _NotRegular(Exception):
    """The pattern is no regular expression in the strict sense, or is too large; a signal inside this module."""


def _choices(parsed: Any) -> tuple[int, int]:
    """How many unbounded repetitions may share out a text, and in how many other ways a backtracking search may go.

    99 repetitions stand for nested ones, which may take exponential time.
    """
    degree, ways = 0, 1
    for operation, argument in parsed:
        name = str(operation)
        more, times = 0, 1
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = argument
            more, times = _choices(inner)
            if high > 1 and (more or times > 1):
                more = 99
            elif high > _FEW:
                more += 1
            else:
                times *= high - low + 1
        elif name == "BRANCH":
            each = [_choices(branch) for branch in argument[1]]
            more, times = max(part[0] for part in each), sum(part[1] for part in each)
        elif name in ("SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            more, times = _choices(argument if name == "ATOMIC_GROUP" else argument[-1])
        elif name.startswith("GROUPREF"):
            more = 1
        degree, ways = min(degree + more, 99), min(ways * times, _STEPS)
    return degree, ways


@dataclass(slots=True)
class SafePattern:
    """A pattern with flags (W3C SHACL 4.4.3: those of SPARQL's REGEX) that answers in bounded time.

    Raises:
        re.error: the pattern is malformed.
    """

    pattern: str
    flags: int = 0
    _compiled: re.Pattern[str] = field(init=False)
    _choices: tuple[int, int] = field(init=False)
    _machine: _Machine | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        try:
            self._compiled = re.compile(self.pattern, self.flags)
            self._choices = _choices(_PARSER.parse(self.pattern, self.flags))
        except (RecursionError, OverflowError) as error:
            raise re.error("nested too deeply", self.pattern) from error

    @classmethod
    def of(cls, pattern: str, flags: str) -> SafePattern:
        """The pattern with flags as letters: i, s, m and x count, others are disregarded."""
        letters = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE, "x": re.VERBOSE}
        total = 0
        for letter in flags.lower():
            total |= letters.get(letter, 0)
        return cls(pattern, total)

    def found_in(self, text: str, tick: Callable[[], None]) -> bool:
        """Whether the pattern is found somewhere in the text; ``tick`` is called as the work goes on.

        Raises:
            LimitExceeded: that cannot be found out in bounded time.
        """
        if self.is_cheap(text):
            return self._compiled.search(text) is not None
        if self._machine is None:
            try:
                self._machine = _Machine(_PARSER.parse(self.pattern, self.flags), self.flags)
            except _NotRegular as reason:
                raise LimitExceeded(
                    f"the pattern {self.pattern[:80]!r} may take for ever on {len(text)} characters: {reason}",
                    hint="write the pattern without nested repetitions or look-around",
                ) from reason
        return self._machine.found_in(text, tick)

    @property
    def may_explode(self) -> bool:
        """Whether a backtracking search may take exponential time."""
        degree, ways = self._choices
        return degree >= 99 or ways >= _STEPS

    def is_cheap(self, text: str) -> bool:
        """Whether a backtracking search in the text takes few steps at worst."""
        degree, ways = self._choices
        return degree < 99 and ways * (len(text) + 2) ** (degree + 1) <= _STEPS

    def replaced_in(self, text: str, by: str) -> str:
        """The text with every match replaced, as SPARQL's REPLACE does.

        Raises:
            LimitExceeded: that may take for ever.
        """
        if not self.is_cheap(text):
            raise LimitExceeded(f"REPLACE of {self.pattern[:80]!r} may take for ever on {len(text)} characters")
        return self._compiled.sub(re.sub(r"\$(\d+)", r"\\g<\1>", by), text)


class _Machine:
    """A pattern as a nondeterministic automaton, run on all its states at once."""

    __slots__ = ("_first", "_flags", "_states")

    def __init__(self, parsed: Any, flags: int) -> None:
        self._flags = flags
        self._states: list[_State] = [("accept", ())]
        try:
            self._first = self._chain(parsed, 0)
        except RecursionError as error:
            raise _NotRegular("it is nested too deeply") from error

    def _new(self, test: Callable[[str], bool] | str | None, *following: int) -> int:
        if len(self._states) >= _MOST_STATES:
            raise _NotRegular("it is too large")
        self._states.append((test, following))
        return len(self._states) - 1

    def _chain(self, parsed: Any, following: int) -> int:
        for operation, argument in reversed(list(parsed)):
            following = self._part(str(operation), argument, following)
        return following

    def _part(self, name: str, argument: Any, following: int) -> int:
        match name:
            case "SUBPATTERN":
                if argument[1] or argument[2]:
                    raise _NotRegular("it changes flags inside")
                return self._chain(argument[3], following)
            case "BRANCH":
                return self._new(None, *(self._chain(branch, following) for branch in argument[1]))
            case "MAX_REPEAT" | "MIN_REPEAT":
                low, high, inner = argument
                return self._repeat((low, high), inner, following)
            case "AT":
                return self._new(self._place(str(argument)), following)
        return self._new(self._one(name, argument), following)

    def _repeat(self, times: tuple[int, int], inner: Any, following: int) -> int:
        low, high = times
        if high >= int(_PARSER.MAXREPEAT):
            loop = self._new(None)
            self._states[loop] = (None, (self._chain(inner, loop), following))
            following = loop
        else:
            end = following
            for _ in range(high - low):
                following = self._new(None, self._chain(inner, following), end)
        for _ in range(low):
            following = self._chain(inner, following)
        return following

    def _place(self, name: str) -> str:
        lines = bool(self._flags & re.MULTILINE)
        match name:
            case "AT_BEGINNING":
                return "line-start" if lines else "start"
            case "AT_BEGINNING_STRING":
                return "start"
            case "AT_END":
                return "line-end" if lines else "end"
            case "AT_END_STRING":
                return "very-end"
        raise _NotRegular("it has word boundaries")

    def _one(self, name: str, argument: Any) -> Callable[[str], bool]:
        """The test that a construct of one character makes, by a pattern of that construct alone."""
        if name not in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            raise _NotRegular(f"it has {name.lower().replace('_', '-')}")
        if name == "ANY":
            dot_all = bool(self._flags & re.DOTALL)
            return lambda character: dot_all or character != "\n"
        items = [(name, argument)] if name != "IN" else [(str(operation), each) for operation, each in argument]
        negated = name == "IN" and items[0][0] == "NEGATE"
        matcher = re.compile(f"[{'^' if negated else ''}{''.join(map(_written, items))}]", self._flags & ~re.VERBOSE)
        if name == "NOT_LITERAL":
            matcher = re.compile(f"[^{re.escape(chr(argument))}]", self._flags & ~re.VERBOSE)
        return lambda character: matcher.match(character) is not None

    def found_in(self, text: str, tick: Callable[[], None]) -> bool:
        """Whether the automaton accepts some stretch of the text."""
        states: set[int] = set()
        last = len(text)
        for place in range(last + 1):
            tick()
            states.add(self._first)
            states = self._closed(states, text, place)
            if 0 in states:
                return True
            if place < last:
                character = text[place]
                states = {
                    next_
                    for state in states
                    for test, following in [self._states[state]]
                    if callable(test) and test(character)
                    for next_ in following
                }
        return False

    def _closed(self, states: set[int], text: str, place: int) -> set[int]:
        queue = list(states)
        for state in queue:
            test, following = self._states[state]
            if test is None or (isinstance(test, str) and _holds(test, text, place)):
                new = [each for each in following if each not in states]
                states.update(new)
                queue += new
        return states


def _written(item: tuple[str, Any]) -> str:
    name, argument = item
    match name:
        case "LITERAL" | "NOT_LITERAL":
            return re.escape(chr(argument))
        case "RANGE":
            return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        case "CATEGORY":
            letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[str(argument).rpartition("_")[2]]
            return "\\" + (letter.upper() if "_NOT_" in str(argument) else letter)
    return ""


def _holds(name: str, text: str, place: int) -> bool:
    match name:
        case "start":
            return place == 0
        case "line-start":
            return place == 0 or text[place - 1] == "\n"
        case "line-end":
            return place == len(text) or text[place] == "\n"
        case "end":
            return place == len(text) or (place == len(text) - 1 and text[place] == "\n")
        case "very-end":
            return place == len(text)
    return False
