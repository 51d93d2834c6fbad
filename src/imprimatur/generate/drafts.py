"""A draft: what a model answers under a condition, as far as it is an answer.

Contract: thoughts are no part of a draft; under a condition that thinks aloud only what follows the last ``Answer:``
is. A draft that was cut off ends with its last whole sentence. What a model refuses, what has no words, and what only
says that the model does not know, is no draft: ``why`` says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.errors import ModelFailed
from imprimatur.generate.conditions import Condition
from imprimatur.language.modality import SegmentKind, classify
from imprimatur.models.asking import Completion, Model, Prompt
from imprimatur.models.prompts import Exhibit, compose, marked_answer, template, without_thoughts
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.segment import segment

__all__ = ["Draft", "draft_of", "prompt_for", "says_nothing", "write"]

_MOST = 100_000
_ENDS = '.!?…。！？:"”)]|`'
_NOTHING = (SegmentKind.META, SegmentKind.GREETING)
_QUESTION = r"(?: to (?:this|that|the|your) question)?"
#: Words that only announce an answer, or name what is not known. Taken away, what is left says whether there is one.
_ABOUT_THE_ANSWER = expression(
    rf"\A(?:the|my) answer{_QUESTION} is\b:? *|(?<=know) the answer{_QUESTION}(?=\W*\Z)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Draft:
    """The text to judge, or why there is none."""

    text: str
    why: str = ""


def write(model: Model, prompt: Prompt, condition: Condition, *, seconds: float) -> Draft:
    """What a model answers.

    Raises:
        LimitExceeded: the time or the budget is used up. StoreUnavailable, ModelFailed: see ``Model.complete``.
    """
    return draft_of(model.complete(prompt, seconds=seconds), condition)


def prompt_for(
    question: str,
    condition: Condition,
    trail: EvidenceTrail | None,
    *,
    options: Sequence[str] = (),
    tokens: int | None = None,
) -> Prompt:
    """The prompt that asks a question under a condition; the items of the trail are numbered in their order."""
    listed = "; ".join(f"({number}) {option}" for number, option in enumerate(options, 1))
    asked = f"{question}\nThe answer is one of these: {listed}." if options else question
    if not condition.sections:
        return compose(template(condition.template), asked, tokens=tokens)
    items = trail.items if trail is not None else ()
    exhibits = [
        Exhibit(item.text, ", ".join(dict.fromkeys(evidence.origin for evidence in item.evidence))) for item in items
    ]
    return compose(template(condition.template), asked, exhibits, tokens=tokens)


def draft_of(said: Completion, condition: Condition) -> Draft:
    """The draft in a completion.

    Raises:
        ModelFailed: it ended in a way that leaves no answer, such as a call of a tool.
    """
    if said.refusal or said.finish == "content_filter":
        return Draft("", "the model refused to answer")
    if said.finish not in ("stop", "length"):
        said.whole()
        raise ModelFailed("stopped before the end")
    text = marked_answer(said.text) if condition.thinks else without_thoughts(said.text)
    if text is None:
        return Draft("", "the model gave no line that begins with “Answer:”")
    text = _whole_sentences(text) if said.finish == "length" else text
    if len(text) > _MOST:
        return Draft("", f"the model wrote more than {_MOST} characters")
    if not any(char.isalnum() for char in text):
        return Draft("", "the model wrote nothing")
    return Draft(text, "the model does not know" if says_nothing(text) else "")


def says_nothing(text: str) -> bool:
    """Whether all that a text says is that its writer does not know, or a greeting."""
    bodies = [text[part.body[0] : part.body[1]] for part in segment(text)]
    plain = [_ABOUT_THE_ANSWER.sub("", body.strip()) for body in bodies]
    return all(classify(body).kind in _NOTHING for body in plain if any(map(str.isalnum, body)))


def _whole_sentences(text: str) -> str:
    """A text that was cut off, without the sentence in which it was."""
    parts = segment(text)
    if not parts or text.rstrip().endswith(tuple(_ENDS)):
        return text
    return text[: parts[-1].start].rstrip()
