"""A corrector as a knowledge base has it: asked within its time, about so many segments, and never the wiser for it.

Invariants: one that crashes, is late, or answers with something that is no text has proposed nothing; a late one goes
on in its thread until it is done, and what it then says is dropped. ``Asked`` is the look-up that a driver answers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import ImprimaturError
from imprimatur.protocols import Corrector, Flawed
from imprimatur.verdict import Judgement, Label

if TYPE_CHECKING:
    from imprimatur.knowledge import GraphPart

__all__ = ["LONGEST", "Asked", "Correcting", "Correction", "open_correction"]

#: A longer proposal is none.
LONGEST = 4_000
#: Gives facts about some things, by IRI, those that share words with a text first.
Knowing = Callable[[Sequence[str], str], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A corrector with its limits: ``seconds`` and ``segments`` are for one answer, ``rounds`` for one segment.

    ``labels`` are those of segments that it may be asked about; ``facts`` gives what is known of some things.
    """

    corrector: Corrector
    rounds: int = 2
    segments: int = 20
    seconds: float = 30.0
    labels: frozenset[Label] = frozenset((Label.CONTRADICTED, Label.CONFLICTING, Label.NOT_FOUND, Label.AMBIGUOUS))
    facts: Knowing = lambda things, text: ()

    def for_answer(self, left: Callable[[], float]) -> Correcting:
        """The same for one answer; ``left`` gives the seconds of its check."""
        return Correcting(self, left)


class Correcting:
    """A corrector for one answer: how much of it is left."""

    def __init__(self, correction: Correction, left: Callable[[], float]) -> None:
        self.correction = correction
        self.asked = 0  # about so many segments
        self._left = left
        self._spent = 0.0

    @property
    def identity(self) -> str:
        """The corrector's."""
        return self.correction.corrector.identity

    @property
    def left(self) -> float:
        """The seconds that are left of its own time and of the check's."""
        return min(self.correction.seconds - self._spent, self._left())

    def propose(self, flawed: Flawed) -> str:
        """What it proposes; "" where it fails, has no time left, or says nothing that is a text. Never raises."""
        left, said = self.left, list[str]()
        if left <= 0:
            return ""
        began = time.monotonic()

        def ask() -> None:
            try:
                found: object = self.correction.corrector.propose(flawed, seconds=left)
                said.append(found if isinstance(found, str) else "")
            except ImprimaturError:
                pass  # nobody proposes anything, and the segment is withheld as without a corrector
            except Exception:  # as above, whatever a library raises
                pass

        context = copy_context()
        asking = threading.Thread(target=lambda: context.run(ask), daemon=True)
        asking.start()
        asking.join(left)
        self._spent += time.monotonic() - began
        return said[0] if said and len(said[0]) <= LONGEST else ""


class Asked:
    """What is put to the corrector: a look-up whose answer is in ``proposed``."""

    def __init__(self, correcting: Correcting, flawed: Flawed) -> None:
        self.proposed = ""
        self._correcting = correcting
        self._flawed = flawed

    def answer(self) -> tuple[Judgement, ...]:
        """Asks; no judgement comes of it."""
        self.proposed = self._correcting.propose(self._flawed).strip()
        return ()


def open_correction(config: KnowledgeBaseConfig, part: GraphPart | None) -> Correction | None:
    """The corrector that a configuration names, which most do not; no verdict depends on it.

    Raises:
        ConfigError: it cannot be opened.
    """
    named = config.correct
    if named is None:
        return None
    from imprimatur.correctors.llm import open_corrector
    from imprimatur.sources.graph.around import Around

    return Correction(
        corrector=open_corrector(named, config.model),
        rounds=named.rounds,
        segments=named.segments,
        seconds=named.seconds,
        labels=frozenset(map(Label, named.labels)),
        facts=_nothing if part is None else Around(part.graph, part.schema, most=named.facts),
    )


def _nothing(things: Sequence[str], text: str) -> tuple[str, ...]:
    return ()
