"""A tokenizer of letters with a chat template, for tests of training data without torch."""

from __future__ import annotations

from typing import Any

__all__ = ["Letters"]


class Letters:
    """Every character is a token; a dialogue is ``<role>text</>`` for each turn."""

    def __init__(self, *, systems: bool = True, changing: bool = False) -> None:
        """Without ``systems`` a system message is refused; ``changing`` templates write a dialogue anew."""
        self._systems, self._changing = systems, changing

    def apply_chat_template(self, conversation: Any, *, tokenize: bool, add_generation_prompt: bool) -> str:
        """The dialogue as a text."""
        assert tokenize is False
        if not self._systems and any(each["role"] == "system" for each in conversation):
            raise ValueError("system role not supported")
        turns = "".join(f"<{each['role']}>{each['content']}</>\n" for each in conversation)
        if self._changing and not add_generation_prompt:
            turns = f"<whole>{turns}"
        return turns + ("<assistant>" if add_generation_prompt else "")

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        """The code points of a text."""
        assert add_special_tokens is False
        return {"input_ids": [ord(each) for each in text]}
