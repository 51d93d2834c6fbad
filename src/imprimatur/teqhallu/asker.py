"""Asks a model for one stage after the other: instructions from a file, material as JSON in a message of its own.

Invariants: whatever stands in the material (references, responses, what a database holds, messages of an engine) goes
as JSON strings in which nothing steers (``models.prompts``); equal material makes equal prompts, so that kept answers
are found again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Message
from imprimatur.errors import LimitExceeded
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured
from imprimatur.teqhallu.accounts import Accounts
from imprimatur.teqhallu.found import Used
from imprimatur.teqhallu.kinds import Stage

__all__ = ["Asker", "Limits", "written"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one sample may cost.

    Attributes:
        tokens: the longest answer.
        seconds: for one call.
        characters: of reference text that is shown at once; a longer one is read in portions.
        repairs: how often statements that cannot be run are written anew.
    """

    tokens: int = 4000
    seconds: float = 120.0
    characters: int = 24_000
    repairs: int = 2


class Asker:
    """One model, asked by stages; after ``ends`` (of the monotonic clock) no more."""

    def __init__(self, model: Model, limits: Limits) -> None:
        self.limits = limits
        self.ends = math.inf
        self._accounts = Accounts(model)
        self._asking = Structured(self._accounts)

    @property
    def identity(self) -> str:
        """The model's."""
        return self._asking.identity

    def ask(self, stage: Stage, name: str, shape: Shape, **material: Any) -> Any:
        """The answer of a stage, by the instructions of ``teqhallu-NAME``. Raises what ``Structured.ask`` raises."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise LimitExceeded("the time for this sample is over", where="teqhallu")
        self._accounts.stage = stage
        said = {key: value for key, value in material.items() if value not in (None, "", (), [], {})}
        messages = (Message("system", template(f"teqhallu-{name}").text), Message("user", written(said)))
        prompt = Prompt(messages=messages, tokens=self.limits.tokens)
        return self._asking.ask(prompt, shape, seconds=min(left, self.limits.seconds))

    def taken(self) -> dict[Stage, Used]:
        """What each stage used since the last time."""
        return self._accounts.taken()


def written(value: Any) -> str:
    """A value as JSON of which no text steers."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{quoted(str(key))}: {written(each)}' for key, each in value.items())}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(written, value))}]"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool | int | float) else quoted(str(value))
