"""JSON that follows a schema, out of any model: asked for in the strictest form that its server knows.

The forms, from the strictest: by the schema itself, any JSON object with the schema in the words, plain text with the
schema in the words. A server that refuses one is asked in the next from then on. An answer that does not follow the
schema is sent back with what is wrong with it, twice at most. Invariants: what is returned follows the schema, has no
key twice, and no number that JSON does not know; out of plain text the one value is taken that follows the schema,
and where several differ, none is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from imprimatur.answer import Message
from imprimatur.errors import ConfigError, ModelFailed, ShapeRefused
from imprimatur.models.asking import Completion, Model, Prompt, Shape

__all__ = ["REPAIRS", "Structured", "values_in"]

#: How often an answer that does not follow the schema is sent back.
REPAIRS = 2
#: So many places in a text are tried as the beginning of a value.
_STARTS = 50
_LONGEST = 400
_FORMS = ("schema", "object", "text")


class Structured:
    """Asks one model for JSON, and remembers the form that its server takes."""

    def __init__(self, model: Model, *, repairs: int = REPAIRS) -> None:
        self._model = model
        self._repairs = repairs
        self._form = 0

    @property
    def identity(self) -> str:
        """The model's."""
        return self._model.identity

    @property
    def form(self) -> str:
        """The strictest form that the server is known to take: ``schema``, ``object`` or ``text``."""
        return _FORMS[self._form]

    def ask(self, prompt: Prompt, shape: Shape, *, seconds: float | None = None) -> Any:
        """A value that follows the schema of ``shape``.

        Raises:
            ModelFailed: no answer does; or see ``Model.complete``.
        """
        fault = ""
        asked = prompt
        for _ in range(self._repairs + 1):
            said = self._asked(asked, shape, seconds)
            try:
                return _value(said.whole(), shape)
            except _Wrong as wrong:
                fault = str(wrong)
            asked = _sent_back(asked, said.text, fault)
        message = f"answered {self._repairs + 1} times with something that does not follow the schema {shape.name!r}"
        raise ModelFailed(message, hint=f"a larger model may: {fault}"[:_LONGEST])

    def _asked(self, prompt: Prompt, shape: Shape, seconds: float | None) -> Completion:
        while True:
            form = _FORMS[self._form]
            try:
                return self._model.complete(_shaped(prompt, shape, form), seconds=seconds)
            except ShapeRefused:
                if form == "text":
                    raise
            self._form += 1


class _Wrong(Exception):
    """What is wrong with an answer, in words for the model."""


def values_in(text: str) -> Iterator[Any]:
    """The JSON objects and lists in a text that do not lie in one another, in order; found in linear time."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_none)
    at, tried = 0, 0
    while tried < _STARTS:
        starts = [found for found in (text.find("{", at), text.find("[", at)) if found >= 0]
        if not starts:
            return
        at, tried = min(starts), tried + 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield value


def _value(text: str, shape: Shape) -> Any:
    """The value in an answer. Raises _Wrong where there is none, or more than one."""
    try:
        whole = json.loads(text, object_pairs_hook=_once, parse_constant=_none)
    except (ValueError, RecursionError) as fault:
        found = [value for value in values_in(text) if not _faults(value, shape)]
        if not found:
            raise _Wrong(_why(text, shape, fault)) from None
        if any(value != found[0] for value in found):
            raise _Wrong("there is more than one value in it") from None
        return found[0]
    faults = _faults(whole, shape)
    if faults:
        raise _Wrong(faults)
    return whole


def _why(text: str, shape: Shape, fault: Exception) -> str:
    near = next(iter(values_in(text)), None)
    return f"it is not JSON ({str(fault)[:100]})" if near is None else _faults(near, shape)


def _faults(value: Any, shape: Shape) -> str:
    """What is wrong with a value; "" where it follows the schema."""
    if shape.schema is None:
        return "" if isinstance(value, dict) else "it is not a JSON object"
    found = _validator(json.dumps(shape.schema, sort_keys=True)).iter_errors(value)
    first = next(iter(found), None)
    return "" if first is None else f"at {first.json_path}: {first.message}"[:_LONGEST]


@cache
def _validator(schema: str) -> Any:
    try:
        import jsonschema
    except ImportError:
        raise ConfigError("JSON Schema is not installed", hint="pip install 'imprimatur[models]'") from None
    return jsonschema.Draft202012Validator(json.loads(schema))


def _shaped(prompt: Prompt, shape: Shape, form: str) -> Prompt:
    if form == "schema" and shape.schema is not None:
        return replace(prompt, shape=shape)
    said = "" if shape.schema is None else f" that follows this JSON Schema:\n{_written(shape.schema)}"
    order = Message("system", f"Answer with one JSON value and nothing else{said or '.'}")
    messages = (order, *prompt.messages)
    return replace(prompt, messages=messages, shape=None if form == "text" else Shape(name=shape.name))


def _sent_back(prompt: Prompt, text: str, fault: str) -> Prompt:
    """The same question, after the answer and what is wrong with it."""
    wish = f"That answer cannot be used: {fault}. Answer again, with the JSON alone."
    said = (Message("assistant", text[:20_000]), Message("user", wish))
    return replace(prompt, messages=(*prompt.messages, *said))


def _written(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _none(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
