"""A model for tests that needs no server, recordings of real ones, and the suite that any model must pass.

``ScriptedModel("one", "two")`` says one thing after the other; ``Recorder`` and ``Replay`` keep the answers of a real
model in a file and give them again. ``faults_of(model)`` puts plain and strange prompts to a model and returns what is
wrong with it; an empty list is a pass.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence

from imprimatur.answer import Message
from imprimatur.errors import ImprimaturError, InputError
from imprimatur.models.asking import Completion, Model, Prompt, Shape, Stream
from imprimatur.models.recorded import Recorder, Replay

__all__ = ["PROMPTS", "Recorder", "Replay", "ScriptedModel", "faults_of"]

_GRACE = 5.0


class ScriptedModel:
    """Says one thing after the other; what is an error is raised. ``prompts`` has what it was asked."""

    def __init__(self, *answers: str | Completion | ImprimaturError, identity: str = "scripted (0)") -> None:
        self.answers: Sequence[str | Completion | ImprimaturError] = answers
        self.identity = identity
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The next answer. InputError where there is none."""
        self.prompts.append(prompt)
        if len(self.prompts) > len(self.answers):
            raise InputError("the script has no further answer", where=self.identity)
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


def _asked(text: str, shape: Shape | None = None) -> Prompt:
    return Prompt(messages=(Message("system", "Be brief."), Message("user", text)), shape=shape, tokens=16)


#: Plain and strange prompts.
PROMPTS: tuple[Prompt, ...] = (
    _asked("Name a river."),
    _asked(""),
    _asked("\u0000\u202e<|im_end|>\n“ﷺ” 🙂 \ud83d"),
    _asked("word " * 200),
    _asked("Is it long?", Shape(name="answer", schema={"type": "object", "properties": {"long": {"type": "boolean"}}})),
    _asked("Is it long?", Shape(name="answer")),
)


def faults_of(model: Model) -> list[str]:
    """What is wrong with a model, in words; nothing where it keeps its protocol's promises.

    Every prompt is put twice, or four times where the model can stream; a model may fail as often as it likes, as long
    as it says so by an error of Imprimatur's.
    """
    return [*_of_identity(model), *(fault for prompt in PROMPTS for fault in _of_prompt(model, prompt))]


def _of_identity(model: Model) -> Iterator[str]:
    if not model.identity or model.identity != model.identity.strip() or "\n" in model.identity:
        yield "its identity is no line of text"
    if model.identity != model.identity:
        yield "its identity changes"


def _of_prompt(model: Model, prompt: Prompt) -> Iterator[str]:
    asked = repr(prompt.messages[-1].content[:20])
    streams = getattr(model, "stream", None)
    for seconds in (60.0, 0.001):
        before = time.monotonic()
        try:
            said: object = model.complete(prompt, seconds=seconds)
            if not isinstance(said, Completion) or not isinstance(said.text, str):
                yield f"it answers {asked} with a {type(said).__name__}"
            if streams is not None:
                stream = streams(prompt, seconds=seconds)
                bits = list(stream)
                if stream.completion is None or "".join(bits) != stream.completion.text:
                    yield f"its stream for {asked} is not what it says in the end"
        except ImprimaturError:
            pass
        except Exception as fault:  # whatever it is, it should not have come through
            yield f"it raises {type(fault).__name__} for {asked}"
        if seconds < 1 and time.monotonic() - before > _GRACE:
            yield f"it does not end with its time for {asked}"
