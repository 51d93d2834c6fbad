"""What a step of looking at a knowledge base's grounding finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from imprimatur._dataclasses import dataclass

__all__ = ["Finding", "State", "share_state"]


class State(StrEnum):
    """How it is, from the best: as it should be, to be looked at, wrong."""

    OK = "ok"
    WARN = "warn"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one step found.

    Attributes:
        step: its number among the six; 0 for what is beside them.
        detail: what was found. mend: what to do where it is not as it should be.
        examples: what was not as it should be. figures: the counts behind ``detail``.
    """

    step: int
    name: str
    state: State
    detail: str
    mend: str = ""
    examples: tuple[str, ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON-ready values."""
        told = {"step": self.step, "name": self.name, "state": self.state.value, "detail": self.detail}
        mend = self.mend if self.state is not State.OK else ""
        return {**told, "mend": mend, "examples": list(self.examples), "figures": dict(self.figures)}


def share_state(count: int, total: int, *, good: float, bad: float) -> State:
    """How a share is: fine from ``good`` on, wrong below ``bad``, else to be looked at."""
    share = count / total if total else 0.0
    return State.OK if share >= good else State.WRONG if share < bad else State.WARN
