"""The short answer in a longer one, as scores of short answers need it: quoted by the model that is measured.

Every way of asking is shortened alike. Invariant: what is quoted stands in the text, so that nothing is answered here
that was not answered before; where the model quotes nothing, or fails, the text stays as it is.
"""

from __future__ import annotations

from imprimatur.answer import Message
from imprimatur.errors import RuntimeFault
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured

__all__ = ["Shortening"]

_LONGEST = 20_000
_SCHEMA = {
    "type": "object",
    "properties": {"quote": {"type": "string", "maxLength": 500}},
    "required": ["quote"],
    "additionalProperties": False,
}


class Shortening:
    """Asks a model which words of a text answer a question."""

    def __init__(self, model: Model, *, seconds: float | None = None) -> None:
        self._asking = Structured(model)
        self._seconds = seconds

    def __call__(self, question: str, text: str) -> str:
        """These words, or the whole text. Raises ConfigError, InputError: see ``Structured.ask``."""
        if not text.strip() or len(text) > _LONGEST:
            return text
        material = f'{{"question": {quoted(question)}, "text": {quoted(text)}}}'
        messages = (Message("system", template("short-answer").text), Message("user", material))
        try:
            shape = Shape(name="short", schema=_SCHEMA)
            said = self._asking.ask(Prompt(messages=messages), shape, seconds=self._seconds)
        except RuntimeFault:
            return text
        found: str = said["quote"].strip()
        return found if found and found in text else text
