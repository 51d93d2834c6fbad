"""An answer's text cut into segments: sentences, list items, table cells, headings, quotes and code.

Invariants: segments cover the text, in order, without gap or overlap; white space, rules and lines without a letter or
digit belong to the segment before them (at the start of the text: to the first); no segment starts with a combining
mark, joiner or variation selector. Any cutting of a text into pieces gives the same segments, in linear time:
``segment`` reads with a ``Segmenter``, too. Offsets are 0-based, half-open, in code points.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur._segment_blocks import Blocks
from imprimatur._segment_window import Window
from imprimatur.answer import Segment
from imprimatur.errors import UsageError

__all__ = ["Segmenter", "segment"]

#: Characters; the segments of a longer text are not kept.
_MOST_KEPT = 4000


class Segmenter:
    """Segments a text that arrives in pieces, each segment as soon as nothing that follows can change it."""

    __slots__ = ("_blocks", "_reading", "_window")

    def __init__(self) -> None:
        self._window = Window()
        self._blocks = Blocks(self._window)
        self._reading = self._blocks.read()

    def feed(self, chunk: str) -> tuple[Segment, ...]:
        """Return the segments that became final with ``chunk``.

        Raises:
            UsageError: the text was finished before.
        """
        if self._window.done:
            raise UsageError("This text is finished: nothing can be added.", hint="Use a new Segmenter for each text.")
        self._window.push(chunk)
        next(self._reading, None)
        return self._taken()

    def finish(self) -> tuple[Segment, ...]:
        """Return the remaining segments; the text ends here. Further calls return nothing."""
        self._window.done = True
        next(self._reading, None)
        return self._taken()

    def whole(self, text: str) -> tuple[Segment, ...]:
        """Return all segments of a text that is known as a whole: it is read without waiting for more."""
        self._window.push(text)
        return self.finish()

    def _taken(self) -> tuple[Segment, ...]:
        final = self._blocks.drafts.final
        taken = tuple(final)
        final.clear()
        return taken


def segment(text: str) -> tuple[Segment, ...]:
    """Return the segments of ``text``; none for an empty text, one with an empty body for a text without words.

    Those of a short text are kept for a while: several stages of one check ask for them.
    """
    return _kept(text) if len(text) <= _MOST_KEPT else Segmenter().whole(text)


@lru_cache(maxsize=256)
def _kept(text: str) -> tuple[Segment, ...]:
    return Segmenter().whole(text)
