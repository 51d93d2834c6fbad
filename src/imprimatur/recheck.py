"""The second look at a text that goes out with changes: it is examined as it will be read, from the change on.

``Recheck`` is fed the text piece by piece and gives its segments one by one, judged, each as soon as nothing that
follows can change it. It starts at a ``Base``: the last segment before the change, which may go on behind it now. What
stands before is the same text as was judged already, so nothing of it need be read again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.examine import Examination, Mark
from imprimatur.frame import Examining, Frame, Tag
from imprimatur.observer import Stage
from imprimatur.report import JudgedSegment
from imprimatur.segment import Segmenter

__all__ = ["Base", "Looked", "Recheck"]


@dataclass(frozen=True, slots=True)
class Base:
    """A segment of the text that goes out: how the examination stood before it, where it starts, those before it.

    ``tag``: where the segments are tagged claims, what it is tagged with.
    """

    mark: Mark
    start: int
    before: tuple[Segment, ...]
    tag: Tag | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """A segment of the text that goes out, as it was judged; ``base`` is how to start again with it."""

    segment: JudgedSegment
    base: Base


class Recheck:
    """Examines a text that goes out.

    Args:
        answer: what belongs to it; its ``text`` is what goes out already.
        base: where to start in that text.
    """

    def __init__(self, answer: Answer, frame: Frame, base: Base) -> None:
        self.text = answer.text
        self._examination = Examination.from_mark(base.mark, answer, frame, base.before)
        self._segmenter = Segmenter()
        self._observer = frame.observer
        self._tagged = frame.tagged
        self._waiting: deque[tuple[Segment, Tag | None]] = deque()
        if self._tagged:
            self._claim(base.start, base.tag)
        else:
            with self._observer.stage(Stage.SEGMENT):
                parts = self._segmenter.feed(self.text)
            self._wait(segment for segment in parts if segment.start >= base.start)

    def feed(self, piece: str, tag: Tag | None = None) -> tuple[int, int]:
        """Adds a piece to the text and returns where it stands in it; a tagged claim is a segment of its own."""
        start = len(self.text)
        self.text += piece
        if not self._tagged:
            with self._observer.stage(Stage.SEGMENT):
                self._wait(self._segmenter.feed(piece))
        else:
            self._claim(start, tag)
        return start, len(self.text)

    def end(self) -> None:
        """Nothing more will come."""
        if not self._tagged:
            with self._observer.stage(Stage.SEGMENT):
                self._wait(self._segmenter.finish())

    def look(self) -> Examining[Looked | None]:
        """The next segment, judged; None when no further one is final."""
        if not self._waiting:
            return None
        segment, tag = self._waiting.popleft()
        examination = self._examination
        number = len(examination.parts)
        yield from examination.take(self.text, (segment,), tags=(tag,) if tag is not None else ())
        examination.forget(number)
        base = Base(examination.mark(number), segment.start, tuple(examination.parts[:number]), tag)
        return Looked(examination.judged[-1], base)

    def _claim(self, start: int, tag: Tag | None) -> None:
        """A tagged claim stands from a place to the end of the text; blank text is none."""
        if body := self.text[start:].rstrip():
            whole = Segment(start, len(self.text), Kind.SENTENCE, (start, start + len(body)))
            self._waiting.append((whole, tag))

    def _wait(self, segments: Iterable[Segment]) -> None:
        self._waiting.extend((segment, None) for segment in segments)
