"""A model whose answers are kept in a file by content, and given again: the same prompt is asked once.

The file is that of ``recorded``. Invariants: only answers that came to their end are kept, so that a failure or a cut
answer is asked again; a prompt that a file does not know goes to the model; answers of other models in the file are
never given.
"""

from __future__ import annotations

import threading
from pathlib import Path

from imprimatur.errors import InputError
from imprimatur.models.asking import Completion, Model, Prompt, fingerprint
from imprimatur.models.recorded import Recorder, Replay

__all__ = ["Kept"]


class Kept:
    """Answers from a file where it can, else asks and appends. ``answered`` counts what the file answered."""

    def __init__(self, model: Model, path: Path) -> None:
        """Raises InputError where the file exists and has no answers of this model alone."""
        self._model = model
        self._path = path
        self._answers: dict[str, Completion] = {}
        self._lock = threading.Lock()
        self.answered = 0
        self._before = Replay(path) if path.exists() and path.stat().st_size else None
        if self._before is not None and self._before.identity != model.identity:
            message = f"has answers of {self._before.identity}, not of {model.identity}"
            raise InputError(message, where=str(path), hint="keep each model's answers in a file of its own")

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``. InputError where the file cannot be written."""
        key = fingerprint(self.identity, prompt)
        with self._lock:
            found = self._answers.get(key) or self._known(prompt)
            if found is not None:
                self.answered += 1
                return found
        said = self._model.complete(prompt, seconds=seconds)
        if said.finish == "stop" and not said.refusal:
            with self._lock:
                Recorder(_Said(self.identity, said), self._path).complete(prompt)
                self._answers[key] = said
        return said

    def _known(self, prompt: Prompt) -> Completion | None:
        if self._before is None:
            return None
        return self._before.complete(prompt) if self._before.has(prompt) else None


class _Said:
    """A model that has said something already."""

    def __init__(self, identity: str, said: Completion) -> None:
        self.identity = identity
        self._said = said

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """What it said."""
        return self._said
