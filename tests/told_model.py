"""A model for tests that says what it is told to, without any server."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from imprimatur.errors import ImprimaturError
from imprimatur.models.asking import Completion, Prompt, Stream

__all__ = ["Told"]


class Told:
    """Says one thing after the other; what is an error is raised."""

    identity = "told (0)"

    def __init__(self, *answers: str | Completion | ImprimaturError) -> None:
        self.answers: Sequence[str | Completion | ImprimaturError] = answers
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The next answer."""
        self.prompts.append(prompt)
        answer = self.answers[len(self.prompts) - 1]
        if isinstance(answer, ImprimaturError):
            raise answer
        return Completion(text=answer) if isinstance(answer, str) else answer

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """The next answer, letter by letter."""

        def parts() -> Generator[str, None, Completion]:
            said = self.complete(prompt, seconds=seconds)
            yield from said.text
            return said

        return Stream(parts())
