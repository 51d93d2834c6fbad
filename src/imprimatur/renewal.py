"""Opens a knowledge base again when the graph that it mirrors has changed.

Whoever is about to judge an answer asks for the knowledge base as it is now (``current``). Invariants: an answer is
judged by one knowledge base from its beginning to its end; those that go on meanwhile keep theirs; where the server
cannot be reached nothing old is given out instead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.knowledge import Knowledge
    from imprimatur.sources.remote.live import Live
    from imprimatur.sources.remote.mirror import Progress

__all__ = ["Renewal"]

#: A difference that reading everything anew does not remove is no reason to do so again for this long, in seconds.
_QUIET = 60.0


class Renewal:
    """What opens one knowledge base, again and again; it may be used by several threads.

    Args:
        opened: opens it; its first argument says whether a mirror that was compiled before may be used again.
        fresh: for how many seconds a stamp holds.
    """

    def __init__(self, opened: Callable[[bool, Progress | None], Knowledge], fresh: float) -> None:
        self._opened, self._fresh = opened, fresh
        #: The one that was opened last.
        self.latest: Knowledge | None = None
        self._lock = threading.Lock()

    def first(self, progress: Progress | None) -> Knowledge:
        """The knowledge base, opened for the first time. Raises as ``open_knowledge``."""
        with self._lock:
            return self._keep(self._opened(True, progress))

    def current(self) -> Knowledge:
        """The knowledge base as its server has it, as far as is known.

        Raises:
            RuntimeFault: the server cannot be reached, or not be read whole.
        """
        with self._lock:
            before = self.latest
            if before is None:
                raise KnowledgeBaseError("the knowledge base is not open")
            live = _live(before)
            met = live.stale  # else it is the stamp that tells
            if live.holds():
                return before
            after = self._opened(not met, None)
            if met and after.content_hash == before.content_hash:
                _live(after).quiet(max(_QUIET, self._fresh))
            return self._keep(after)

    def _keep(self, made: Knowledge) -> Knowledge:
        from dataclasses import replace

        self.latest = replace(made, renewal=self)
        return self.latest


def _live(knowledge: Knowledge) -> Live:
    assert knowledge.part is not None
    assert knowledge.part.live is not None
    return knowledge.part.live
