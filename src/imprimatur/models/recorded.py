"""Answers kept in a file, and given again without the model.

The file has one JSON object a line: ``{key, model, messages, shape, tokens, answer}``, where ``key`` is the hash of
the model's identity and the prompt (``asking.fingerprint``), and ``answer`` has ``text``, ``finish``, ``refusal`` and
``usage``, or ``error`` with what the call failed with. Invariants: no key and no header is ever in a prompt, so none
is in the file; equal prompts are answered in the order in which they were recorded, the last answer again and again;
a prompt that was not recorded is an error.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

from imprimatur import errors
from imprimatur.errors import ImprimaturError, InputError, ModelFailed
from imprimatur.models.asking import Completion, Model, Prompt, Stream, Usage, fingerprint

__all__ = ["Recorder", "Replay", "answer_of", "kept_answer", "kept_fault"]

_KINDS = {kind.__name__: kind for kind in (errors.ModelFailed, errors.ShapeRefused, errors.LimitExceeded)}
_SHAPE = '{"key": "…", "model": "…", "answer": {"text": "…", "finish": "stop", "refusal": "", "usage": null}}'


class Recorder:
    """A model whose answers are appended to a file."""

    def __init__(self, model: Model, path: Path) -> None:
        self._model = model
        self._path = path
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``. InputError where the file cannot be written."""
        try:
            said = self._model.complete(prompt, seconds=seconds)
        except ImprimaturError as fault:
            self._keep(prompt, kept_fault(fault))
            raise
        self._keep(prompt, kept_answer(said))
        return said

    def _keep(self, prompt: Prompt, answer: dict[str, Any]) -> None:
        row = {
            "key": fingerprint(self.identity, prompt),
            "model": self.identity,
            "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
            "shape": prompt.shape.name if prompt.shape is not None else None,
            "tokens": prompt.tokens,
            "answer": answer,
        }
        try:
            # Half of a surrogate pair becomes an escape of JSON, which reads back as the same.
            with self._lock, self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as fault:
            raise InputError(f"cannot be written: {fault.strerror}", where=str(self._path)) from fault


class Replay:
    """A model that answers from a file."""

    def __init__(self, path: Path) -> None:
        """Raises InputError where the file has no answers of one model; the line at fault is named."""
        self._path = path
        self._answers: dict[str, list[dict[str, Any]]] = {}
        self._used: dict[str, int] = {}
        self._lock = threading.Lock()
        names = {self._read(line, f"{path}:{number}") for number, line in _lines(path)}
        if len(names) != 1:
            hint = "record each model in a file of its own"
            raise InputError(f"has answers of {len(names)} models, not of one", where=str(path), hint=hint)
        self.identity: str = names.pop()

    def has(self, prompt: Prompt) -> bool:
        """Whether an answer to the prompt was recorded."""
        return fingerprint(self.identity, prompt) in self._answers

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``. InputError where the prompt was not recorded."""
        key = fingerprint(self.identity, prompt)
        with self._lock:
            answers = self._answers.get(key)
            if answers is None:
                asked = prompt.messages[-1].content[:80] if prompt.messages else ""
                raise InputError(f"no answer to {asked!r} was recorded", where=str(self._path), hint="record it again")
            at = self._used.get(key, 0)
            self._used[key] = at + 1
            found = answers[min(at, len(answers) - 1)]
        return answer_of(found)

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """See ``Streaming``: the recorded answer, word by word."""

        def parts() -> Generator[str, None, Completion]:
            said = self.complete(prompt, seconds=seconds)
            yield from re.findall(r"\S+\s*|\s+", said.text)
            return said

        return Stream(parts())

    def _read(self, line: str, where: str) -> str:
        try:
            row = json.loads(line)
            key, name, answer = str(row["key"]), str(row["model"]), dict(row["answer"])
            if "error" not in answer:
                answer_of(answer)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            message = f"no recorded answer: {type(fault).__name__}"
            raise InputError(message, where=where, hint=f"a line looks like {_SHAPE}") from fault
        self._answers.setdefault(key, []).append(answer)
        return name


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def kept_answer(said: Completion) -> dict[str, Any]:
    """A completion as it is written."""
    usage = None if said.usage is None else [said.usage.prompt, said.usage.completion]
    return {"text": said.text, "finish": said.finish, "refusal": said.refusal, "usage": usage}


def kept_fault(fault: ImprimaturError) -> dict[str, Any]:
    """What a call failed with, as it is written."""
    return {"error": type(fault).__name__, "message": fault.message}


def answer_of(kept: dict[str, Any]) -> Completion:
    """What was written, as the completion; raises what the call failed with."""
    if "error" in kept:
        raise _KINDS.get(str(kept["error"]), ModelFailed)(str(kept.get("message", "")))
    used = kept.get("usage")
    usage = None if used is None else Usage(int(used[0]), int(used[1]))
    return Completion(
        text=str(kept["text"]), finish=str(kept["finish"]), refusal=str(kept.get("refusal", "")), usage=usage
    )
