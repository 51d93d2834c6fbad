"""Rows to train on, made of a knowledge base's questions by a recipe.

*Factual*: a question is followed by its right value. *Abstention* (after R-Tuning; the paper: "replacing incorrect
answers in the training data"): the model itself is asked every question for training beforehand, in the condition
``plain``; what it answers wrongly, or not at all, is to be followed by "I don't know.", and so are questions that
nothing supports, where some are wanted. What it answers rightly is followed by the right value. Every row holds the
messages of the condition ``plain``, so that a tuned model is asked just as it was trained. Held-out rows are never
put to the model here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from imprimatur.answer import Message
from imprimatur.cli.progress import Progress
from imprimatur.errors import InputError
from imprimatur.evals.posed import Posed, is_right
from imprimatur.generate.asker import Asker, AskSettings
from imprimatur.generate.conditions import CONDITIONS, How
from imprimatur.generate.drafts import prompt_for
from imprimatur.generate.generated import Ended
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle
from imprimatur.tune.posing import Asked, Parts
from imprimatur.tune.recipes import DONT_KNOW, Kind
from imprimatur.tune.rows import Own, Row

__all__ = ["Built", "build"]


@dataclass(frozen=True, slots=True)
class Built:
    """The rows for training and those held out; ``known`` of the training questions the model answered rightly."""

    train: tuple[Row, ...]
    heldout: tuple[Row, ...]
    known: int | None = None


def build(kind: Kind, parts: Parts, oracle: Oracle, *, model: Model | None, settings: AskSettings | None) -> Built:
    """The rows of a recipe.

    Args:
        model: the one that is to be tuned, as it is before; asked for ``Kind.ABSTENTION`` alone.
        settings: how it is asked.

    Raises:
        InputError: a model is needed and none is given, or there is no question.
        ImprimaturError: the model cannot be asked.
    """
    if not any(each.right for each in parts.train):
        raise InputError("no question can be made of this knowledge base", hint="does it have labelled things?")
    heldout = tuple(_row(each, kind, "heldout", _value(each)) for each in parts.heldout)
    if kind is Kind.FACTUAL:
        train = tuple(_row(each, kind, "train", _value(each)) for each in parts.train if each.right)
        return Built(train, heldout)
    if model is None:
        hint = "name the one that is to be tuned, by --weights or --base-url, or a recording with --replay"
        raise InputError("a model is needed, to see which questions it answers wrongly", hint=hint)
    rows = tuple(_abstaining(parts.train, oracle, Asker(oracle, model, how=How.PLAIN, settings=settings)))
    return Built(rows, heldout, sum(row.own is not None and row.own.right for row in rows))


def _abstaining(questions: Sequence[Asked], oracle: Oracle, asker: Asker) -> Iterator[Row]:
    with Progress("Asking the model as it is", sum(bool(each.right) for each in questions)) as progress:
        for each in questions:
            if not each.right:
                yield _row(each, Kind.ABSTENTION, "train", DONT_KNOW)
                continue
            found = asker(each.text)
            text = found.text if found.outcome is Ended.ANSWERED else ""
            right = bool(text) and is_right(text, Posed(id=each.id, text=each.text, right=each.right), oracle)
            progress.step(each.text)
            made = _row(each, Kind.ABSTENTION, "train", _value(each) if right else DONT_KNOW)
            yield replace(made, own=Own(text, right))


def _value(each: Asked) -> str:
    """What answers a question: its right values as a sentence of their own, or that it is not known."""
    if not each.right:
        return DONT_KNOW
    told = ", ".join(each.right)
    return told if told.endswith(".") else f"{told}."


def _row(each: Asked, kind: Kind, part: str, answer: str) -> Row:
    prompt = prompt_for(each.text, CONDITIONS[How.PLAIN], None)
    return Row(
        id=each.id,
        messages=(*prompt.messages, Message("assistant", answer)),
        question=each.text,
        right=each.right,
        gold=each.gold,
        about=each.about,
        part=part,
        recipe=kind.value,
    )
