"""What each stage used of the model: calls and tokens, as the server tells them, else by length."""

from __future__ import annotations

from imprimatur.models.asking import Completion, Model, Prompt
from imprimatur.teqhallu.found import Used
from imprimatur.teqhallu.kinds import Stage

__all__ = ["Accounts"]

#: Characters to a token, where a model does not say how many it used.
_CHARACTERS = 4


class Accounts:
    """A model that counts what it is asked, by the stage that is set."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.stage = Stage.INITIAL
        self.used: dict[Stage, Used] = {}

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``; a call that fails is counted too."""
        used = self.used.setdefault(self.stage, Used())
        used.calls += 1
        kept = getattr(self._model, "answered", 0)
        try:
            said = self._model.complete(prompt, seconds=seconds)
        except BaseException:
            used.prompt += _length(prompt)
            raise
        used.kept += getattr(self._model, "answered", 0) - kept
        used.prompt += said.usage.prompt if said.usage is not None else _length(prompt)
        used.completion += said.usage.completion if said.usage is not None else -(-len(said.text) // _CHARACTERS)
        return said

    def taken(self) -> dict[Stage, Used]:
        """What was used since the last time; counting begins anew."""
        used, self.used = self.used, {}
        return used


def _length(prompt: Prompt) -> int:
    return sum(-(-len(message.content) // _CHARACTERS) for message in prompt.messages)
