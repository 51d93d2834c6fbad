"""Brackets and quotations that keep a sentence together.

Only the outermost one counts, and only for ``NEST_LIMIT`` characters, so that a stray opening mark costs little.
"""

from __future__ import annotations

from imprimatur._expressions import expression

__all__ = ["BRACKETS", "NO_NEST", "Nest", "may_open"]

NEST_LIMIT = 300
BRACKETS = r"(\[{)\]}\"“”„«»「」『』（）"  # the inside of a regular expression class

_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "（": "）", '"': '"'}
_QUOTES = frozenset('"“„«「『')
_MAY_OPEN = expression(r"[\s(\[{—–-]")


def may_open(char: str, before: str, *, inside: bool) -> bool:
    """Return whether ``char`` after ``before`` opens a nest; a bracket does so only ``inside`` a sentence."""
    if char not in _PAIRS:
        return False
    if char == '"' and before and not _MAY_OPEN.match(before):
        return False  # the sign for inches, or a closing mark whose opening one was not seen
    return char in _QUOTES or (inside and before not in ":;")


class Nest:
    """The outermost bracket or quotation opened within the sentence; ``close`` is empty when there is none."""

    __slots__ = ("at", "close", "depth", "open")

    def __init__(self, opening: str = "", at: int = 0) -> None:
        self.open = opening
        self.close = _PAIRS.get(opening, "")
        self.depth = 1 if opening else 0
        self.at = at

    def count(self, text: str) -> None:
        """Take the brackets of ``text`` (closing ones when open and close are alike) into account."""
        if not self.close:
            return
        if self.open != self.close:
            self.depth += text.count(self.open)
        self.depth -= text.count(self.close)
        if self.depth <= 0:
            self.close = ""

    def holds(self, pos: int) -> bool:
        """Return whether a sentence may not end at ``pos``."""
        return bool(self.close) and pos - self.at <= NEST_LIMIT


NO_NEST = Nest()
