"""A model that counts what it is asked: calls, tokens and seconds, for measurements."""

from __future__ import annotations

import time
from dataclasses import dataclass

from imprimatur.models.asking import Completion, Model, Prompt

__all__ = ["Metered", "Used"]

#: Characters to a token, where a model does not say how many it used.
_CHARACTERS = 4


@dataclass(slots=True)
class Used:
    """What was used of a model."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Read and written together."""
        return self.prompt + self.completion


class Metered:
    """A model with a meter, which may be read and set back."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.used = Used()

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``; a call that fails is counted too."""
        before = time.monotonic()
        self.used.calls += 1
        try:
            said = self._model.complete(prompt, seconds=seconds)
        finally:
            self.used.seconds += time.monotonic() - before
        asked = sum(len(message.content) for message in prompt.messages)
        self.used.prompt += said.usage.prompt if said.usage is not None else asked // _CHARACTERS
        self.used.completion += said.usage.completion if said.usage is not None else len(said.text) // _CHARACTERS
        return said

    def reset(self) -> Used:
        """What was used since the last time; counting begins anew."""
        used, self.used = self.used, Used()
        return used
