"""JSON by a schema: the forms in turn, repair twice at most, and what is taken out of a text."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from imprimatur.answer import Message
from imprimatur.errors import ModelFailed, ShapeRefused
from imprimatur.models.asking import Completion, Prompt, Shape
from imprimatur.models.structured import Structured, values_in
from imprimatur.testing.models import ScriptedModel as Told

PROMPT = Prompt(messages=(Message("user", "How long is Elm Brook?"),))
SCHEMA = {
    "type": "object",
    "properties": {"km": {"type": "integer"}},
    "required": ["km"],
    "additionalProperties": False,
}
SHAPE = Shape(name="length", schema=SCHEMA)


def ask(*answers: Any, shape: Shape = SHAPE) -> tuple[Any, Told]:
    """The value, and the model that was asked."""
    told = Told(*answers)
    return Structured(told).ask(PROMPT, shape), told


def test_the_schema_is_asked_for_and_checked() -> None:
    """The strictest form first, with the prompt as it is."""
    found, told = ask('{"km": 12}')
    assert (found, len(told.prompts)) == ({"km": 12}, 1)
    assert (told.prompts[0].shape, told.prompts[0].messages) == (SHAPE, PROMPT.messages)


def test_a_form_that_is_refused_gives_way_to_the_next_and_is_remembered() -> None:
    """JSON object, then plain text, both with the schema in the words."""
    told = Told(ShapeRefused("400"), '{"km": 1}', ShapeRefused("400"), 'So: {"km": 2}.', '{"km": 3}')
    asked = Structured(told)
    assert [asked.ask(PROMPT, SHAPE) for _ in range(3)] == [{"km": 1}, {"km": 2}, {"km": 3}]
    shapes = [prompt.shape for prompt in told.prompts]
    assert shapes == [SHAPE, Shape(name="length"), Shape(name="length"), None, None]
    assert all('"km"' in prompt.messages[0].content for prompt in told.prompts[1:])
    with pytest.raises(ShapeRefused):
        Structured(Told(*[ShapeRefused("400")] * 3)).ask(PROMPT, SHAPE)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("twelve", "not JSON"),
        ("", "not JSON"),
        ('{"km": "12"}', r"\$.km"),
        ('{"km": 12, "more": 1}', "more"),
        ('{"km": 1, "km": 2}', "not JSON"),
        ('{"km": NaN}', "not JSON"),
        ('{"km": 1', "not JSON"),
        ("[" * 50_000, "not JSON"),
        ('either {"km": 1} or {"km": 2}', "more than one"),
    ],
)
def test_a_bad_answer_is_sent_back_with_what_is_wrong(bad: str, why: str) -> None:
    """Once and twice; the third is an error that says what was wrong last."""
    found, told = ask(bad, '{"km": 12}')
    assert (found, len(told.prompts)) == ({"km": 12}, 2)
    said = told.prompts[1].messages
    assert [message.role for message in said] == ["user", "assistant", "user"]
    assert "cannot be used" in said[-1].content
    assert ask(bad, bad, '{"km": 12}')[0] == {"km": 12}
    with pytest.raises(ModelFailed, match="answered 3 times") as caught:
        ask(bad, bad, bad)
    assert why.replace("\\", "") in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"km": 12}\n```',
        'The answer is {"km": 12}. I hope that helps [1].',
        '<think>{"km": "?"}</think> {"km": 12}',
        'First {"km": 12}, so {"km": 12}.',
        '{{{ {"km": 12}',
    ],
)
def test_the_one_value_is_taken_out_of_a_text(text: str) -> None:
    """Around it may stand anything that is no other value of the schema."""
    assert ask(text)[0] == {"km": 12}


def test_an_answer_that_was_cut_off_is_not_repaired() -> None:
    """It would be cut off again."""
    with pytest.raises(ModelFailed, match="before the end"):
        ask(Completion(text='{"km": 12}', finish="length"))


def test_any_object_where_there_is_no_schema() -> None:
    """But no list and no text."""
    assert ask("[1]", '{"a": [1]}', shape=Shape(name="any"))[0] == {"a": [1]}


def test_values_are_found_in_linear_time() -> None:
    """Neither many beginnings nor deep ones take long."""
    for text in ("[" * 1_000_000, "{" * 1_000_000, '{"a":' * 200_000, "[1," * 300_000, "{} " * 300_000):
        before = time.monotonic()
        found = list(values_in(text))
        assert time.monotonic() - before < 5
        assert all(value == {} for value in found)
    assert list(values_in('a [1, {"b": 2}] c {"d": 3}')) == [[1, {"b": 2}], {"d": 3}]
    assert json.dumps(list(values_in("nothing"))) == "[]"
