"""What a call gives the oracle, as one answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from imprimatur.answer import Answer, MemoryEntry, Message
from imprimatur.errors import InputError

__all__ = ["given_answer"]


def given_answer(
    answer: str | Answer,
    question: str | None,
    context: Sequence[str],
    *,
    messages: Sequence[Message],
    memory: Sequence[MemoryEntry],
    as_of: date | None,
) -> Answer:
    """All that belongs to an answer; what an ``Answer`` has comes first. Raises InputError for what is no text."""
    base = answer if isinstance(answer, Answer) else Answer(text=answer)
    if not isinstance(base.text, str):
        raise InputError("the answer is not a text", hint="pass a str or an Answer")
    return Answer(
        text=base.text,
        question=base.question if question is None else question,
        context=(*base.context, *context),
        messages=(*base.messages, *messages),
        memory=(*base.memory, *memory),
        as_of=base.as_of if as_of is None else as_of,
    )
