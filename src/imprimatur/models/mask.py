"""Stars in a key's place, in what comes bit by bit.

Invariants: however a text is cut, no bit of it has the key, nor do all bits together; a text without the key comes
out as it went in; what is held back, because a key may begin with it, is shorter than the key. What is shorter than a
real key (“EMPTY”, “ollama”) is a word like any other and is let pass.
"""

from __future__ import annotations

from typing import AnyStr, Generic

__all__ = ["SHORTEST", "Mask", "masked"]

#: Keys from this length on are secrets; shorter ones stand for "none".
SHORTEST = 16


class Mask(Generic[AnyStr]):
    """Masks one secret in one text; ``feed`` its parts in order, then take the ``rest``."""

    def __init__(self, secret: AnyStr) -> None:
        self._secret: AnyStr = secret if len(secret) >= SHORTEST else secret[:0]
        self._held: AnyStr = secret[:0]

    def feed(self, part: AnyStr) -> AnyStr:
        """As much of the text so far as cannot be the beginning of the secret."""
        if not self._secret:
            return part
        whole = _replaced(self._held + part, self._secret)
        cut = len(whole) - self._overlap(whole)
        self._held = whole[cut:]
        return whole[:cut]

    def rest(self) -> AnyStr:
        """What was held back."""
        held, self._held = self._held, self._held[:0]
        return held

    def _overlap(self, whole: AnyStr) -> int:
        """The length of the longest end of a text that the secret begins with."""
        longest = min(len(self._secret) - 1, len(whole))
        return next((size for size in range(longest, 0, -1) if whole.endswith(self._secret[:size])), 0)


def masked(text: AnyStr, secret: AnyStr) -> AnyStr:
    """A whole text, with stars in the secret's place."""
    return text if len(secret) < SHORTEST else _replaced(text, secret)


def _replaced(text: AnyStr, secret: AnyStr) -> AnyStr:
    if isinstance(text, bytes):
        return text.replace(secret, b"*" * len(secret))
    return text.replace(secret, "*" * len(secret))
