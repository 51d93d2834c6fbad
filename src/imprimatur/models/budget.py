"""How much a model may be asked: tokens and calls, over several questions and threads.

Invariants: no call is begun when the budget is used up, or could be exceeded by its prompt alone; the longest answer
is cut to what is left; a server that does not say how many tokens it used is charged by length (a token for four
characters at least). Calls that are under way at once may together go over by their prompts.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import replace

from imprimatur.errors import LimitExceeded
from imprimatur.models.asking import Completion, Model, Prompt, Stream, Streaming

__all__ = ["Budget", "Budgeted"]

_CHARACTERS = 4


class Budget:
    """What is left of some tokens and calls; None is without limit. Shared by all that ask for one purpose."""

    def __init__(self, *, tokens: int | None = None, calls: int | None = None) -> None:
        self.tokens = tokens
        self.calls = calls
        self.used_tokens = 0
        self.used_calls = 0
        self._lock = threading.Lock()

    def begin(self, prompt: Prompt) -> Prompt:
        """Counts a call; the prompt, with the longest answer that there are tokens for.

        Raises:
            LimitExceeded: no call or token is left.
        """
        with self._lock:
            if self.calls is not None and self.used_calls >= self.calls:
                raise _spent(f"{self.calls} calls", "calls")
            if self.tokens is None:
                self.used_calls += 1
                return prompt
            left = self.tokens - self.used_tokens - _length(prompt)
            if left <= 0:
                raise _spent(f"{self.tokens} tokens", "tokens")
            self.used_calls += 1
            return replace(prompt, tokens=left if prompt.tokens is None else min(left, prompt.tokens))

    def charge(self, prompt: Prompt, text: str, said: Completion | None) -> None:
        """Counts the tokens of an answer, or of what came of it."""
        used = said.usage.total if said is not None and said.usage is not None else None
        with self._lock:
            self.used_tokens += _length(prompt) + _tokens(text) if used is None else used


class Budgeted:
    """A model that is asked within a budget."""

    def __init__(self, model: Model, budget: Budget, *, answer_tokens: int | None = None) -> None:
        self._model = model
        self._budget = budget
        self._longest = answer_tokens

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``; LimitExceeded where the budget is used up."""
        asked = self._begun(prompt)
        said: Completion | None = None
        try:
            said = self._model.complete(asked, seconds=seconds)
        finally:
            self._budget.charge(asked, said.text if said else "", said)
        return said

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """See ``Streaming``; what is given up is charged as far as it came."""
        return Stream(self._streamed(prompt, seconds))

    def _begun(self, prompt: Prompt) -> Prompt:
        given = prompt.tokens if prompt.tokens is not None else self._longest
        return self._budget.begin(replace(prompt, tokens=given))

    def _streamed(self, prompt: Prompt, seconds: float | None) -> Generator[str, None, Completion]:
        model: Streaming = self._model  # type: ignore[assignment]
        asked = self._begun(prompt)
        stream, texts = model.stream(asked, seconds=seconds), list[str]()
        try:
            for text in stream:
                texts.append(text)
                yield text
        finally:
            stream.close()
            self._budget.charge(asked, "".join(texts), stream.completion)
        assert stream.completion is not None
        return stream.completion


def _length(prompt: Prompt) -> int:
    return sum(_tokens(message.content) for message in prompt.messages)


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS)


def _spent(what: str, key: str) -> LimitExceeded:
    return LimitExceeded(f"the budget of {what} is used up", where="model", hint=f"raise `limits.{key}`")
