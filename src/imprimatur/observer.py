"""Who is told how an answer goes through the five stages: a small protocol, and the observer that does nothing.

The frame of a call carries one observer. Its ``stage`` is entered when a stage begins to work and left when it stops;
the stages of one answer take turns, once for each segment and again in a second look, and never work at the same time.
A stage inside another (the second look, inside ``decide``) interrupts it. Invariants: an observer changes nothing and
raises nothing; either ``ended`` or ``failed`` is called, once, unless the answer was given up without a report.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from imprimatur.report import Report

__all__ = ["UNOBSERVED", "Observer", "Observing", "Stage", "Working", "unobserved"]


class Stage(StrEnum):
    """The five stages (docs/architecture.md): judging includes trained judges, deciding includes accounting."""

    SEGMENT = "segment"
    EXTRACT = "extract"
    JUDGE = "judge"
    SETTLE = "settle"
    DECIDE = "decide"


class Working(Protocol):
    """A block in which a stage works."""

    def __enter__(self) -> object: ...

    def __exit__(self, kind: object, fault: object, trace: object, /) -> None: ...


class Observer(Protocol):
    """Who is told about one answer."""

    def stage(self, stage: Stage, /) -> Working:
        """A block in which the stage works."""
        ...

    def ended(self, report: Report, /) -> None:
        """The answer came to its end."""
        ...

    def failed(self, fault: BaseException, /) -> None:
        """The check ended in an error: there will be no report."""
        ...


#: Makes the observer of one answer, where its check begins: in the thread, or task, of the caller.
Observing = Callable[[], Observer]


class _Idle:
    """A block of which nobody is told."""

    __slots__ = ()

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, fault: object, trace: object, /) -> None: ...


class _Unobserved:
    """Nobody."""

    __slots__ = ()

    def stage(self, stage: Stage, /) -> Working:
        """Nothing."""
        return _IDLE

    def ended(self, report: Report, /) -> None:
        """Nothing."""

    def failed(self, fault: BaseException, /) -> None:
        """Nothing."""


_IDLE = _Idle()
#: Nobody is told.
UNOBSERVED: Observer = _Unobserved()


def unobserved() -> Observer:
    """Nobody."""
    return UNOBSERVED
