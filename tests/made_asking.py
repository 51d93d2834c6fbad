"""Parts for the tests of asking a model: one that gives fixed answers and counts its calls, without a server."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.errors import ImprimaturError
from imprimatur.models.asking import Completion, Prompt

__all__ = ["Fixed"]


class Fixed:
    """Says given things one after another, the last again and again; errors among them are raised (a ``Model``)."""

    identity = "fixed (0)"

    def __init__(self, *said: str | Completion | ImprimaturError) -> None:
        self._said: Sequence[str | Completion | ImprimaturError] = said or ("",)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The next answer."""
        self.prompts.append(prompt)
        said = self._said[min(len(self.prompts), len(self._said)) - 1]
        if isinstance(said, ImprimaturError):
            raise said
        return said if isinstance(said, Completion) else Completion(text=said)
