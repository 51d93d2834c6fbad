"""Messages as the chat template of a tokenizer writes them, and where the answer begins and ends in them.

``Templates`` is the part of a tokenizer of ``transformers`` that is used. Invariants: what goes before the answer is
written the same with and without it, so that a model is trained on just the text that it is asked with; a template of
which that does not hold is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from imprimatur.answer import Message
from imprimatur.errors import ConfigError

__all__ = ["Split", "Templates", "ending", "opened", "split", "token_ids"]


class Templates(Protocol):
    """A tokenizer with a chat template."""

    def apply_chat_template(self, conversation: Any, *, tokenize: bool, add_generation_prompt: bool) -> Any:
        """The messages as one text."""
        ...

    def __call__(self, text: str, *, add_special_tokens: bool) -> Any:
        """``input_ids`` and more of a text."""
        ...


@dataclass(frozen=True, slots=True)
class Split:
    """A dialogue as text: what a model is given, and what it is to write, its end mark included."""

    given: str
    written: str


def opened(tokenizer: Templates, messages: Sequence[Message]) -> str:
    """The messages, and the opening of an answer. Raises ConfigError where the tokenizer has no template for them."""
    return _rendered(tokenizer, messages, answering=True)


def split(tokenizer: Templates, messages: Sequence[Message], answer: str) -> Split:
    """The messages and an answer to them.

    Raises:
        ConfigError: there is no template, or it writes what goes before the answer otherwise when there is one.
    """
    given = opened(tokenizer, messages)
    whole = _rendered(tokenizer, [*messages, Message("assistant", answer)], answering=False)
    if not whole.startswith(given) or answer not in whole[len(given) :]:
        message = "the chat template writes a dialogue otherwise when it has an answer"
        raise ConfigError(message, where="tokenizer", hint="take a template that only adds the answer")
    return Split(given, whole[len(given) :].rstrip())


def ending(tokenizer: Templates) -> list[int]:
    """The tokens that the template closes an answer with; empty where it closes with none."""
    made = split(tokenizer, [Message("user", "?")], "x")
    return token_ids(tokenizer, made.written.partition("x")[2].strip())


def token_ids(tokenizer: Templates, text: str) -> list[int]:
    """The tokens of a text, and no others: the template has written the special ones."""
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _rendered(tokenizer: Templates, messages: Sequence[Message], *, answering: bool) -> str:
    turns = [{"role": each.role, "content": each.content} for each in messages]
    try:
        return str(tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=answering))
    except Exception as fault:  # whatever the template raises
        if turns and turns[0]["role"] == "system":
            return _rendered(tokenizer, _folded(messages), answering=answering)
        message = f"the tokenizer has no chat template for these messages: {type(fault).__name__}"
        raise ConfigError(message, where="tokenizer", hint="take an instruction-tuned model") from fault


def _folded(messages: Sequence[Message]) -> list[Message]:
    """The messages for templates that know no system message: it goes at the head of the first one after it."""
    first, *rest = messages
    if not rest:
        return [Message("user", first.content)]
    return [Message(rest[0].role, f"{first.content}\n\n{rest[0].content}"), *rest[1:]]
