"""An extractor as a knowledge base has it: asked within its time, its answers checked and kept.

Invariants: for each excerpt there is one answer, sound or a failure; a proposal lies in its excerpt and names only what
the graph has; an extractor that crashes, is late, or answers nonsense has failed, and says so in plain words. What it
says of an excerpt is kept as long as the knowledge base is open, up to a number; failures are not. A late extractor
goes on in its thread until its batch is done, and what it then says is dropped.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from imprimatur.errors import ImprimaturError
from imprimatur.extractors.terms import Terms
from imprimatur.protocols import Excerpt, Extractor, Proposal, Proposed

__all__ = ["Extraction", "Opened"]

_KEPT = 5_000
_SHARE = 0.95
#: No excerpt has so many claims; whoever proposes more has failed.
_MOST = 5_000
#: Nor is a single statement so long.
_LONGEST_SENTENCE = 600


@dataclass(frozen=True, slots=True)
class Opened:
    """An extractor, and how it is best asked.

    Attributes:
        batch: how many excerpts are best put to it at once.
        here: whether it works on this machine's processor.
        writes: whether its proposals are sentences (``Proposal.says``): then what it says and the reader does not find
            counts too, and it is also asked about what the reader takes for no claim.
    """

    extractor: Extractor
    batch: int = 1
    here: bool = False
    writes: bool = False


@dataclass(slots=True)
class _Work:
    """One extractor at work on some excerpts; ``found`` grows until the time is over."""

    opened: Opened
    excerpts: tuple[Excerpt, ...]
    sound: Callable[[Excerpt, object], Proposed]
    turn: threading.Lock | None
    ends: float
    found: dict[Excerpt, Proposed] = field(default_factory=dict)
    fault: str = ""
    over: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Asks, one batch after the other, and never raises."""
        try:
            for at in range(0, len(self.excerpts), self.opened.batch):
                batch = self.excerpts[at : at + self.opened.batch]
                answered = self._asked(batch)
                if answered is None or not self._take(batch, answered):
                    break
        except ImprimaturError as fault:
            self.fault = fault.message
        except Exception as fault:  # what a library raises may hold anything, a key among it: only its kind is told
            self.fault = f"it raised {type(fault).__name__}"
        finally:
            self.done.set()

    def _asked(self, batch: Sequence[Excerpt]) -> list[object] | None:
        """What the extractor says of a batch; None when its turn did not come in time."""
        left = self.ends - time.monotonic()
        if left <= 0:
            return None
        if self.turn is None:
            return list(self.opened.extractor.propose(batch, seconds=left * _SHARE))
        if not self.turn.acquire(timeout=left):
            return None
        try:
            left = self.ends - time.monotonic()
            return None if left <= 0 else list(self.opened.extractor.propose(batch, seconds=left * _SHARE))
        finally:
            self.turn.release()

    def _take(self, batch: Sequence[Excerpt], answered: Sequence[object]) -> bool:
        """Keeps what was said in time; whether there is time for more."""
        if len(answered) != len(batch):
            answered = [None] * len(batch)  # nobody knows which of them belongs to which excerpt
        sound = [self.sound(excerpt, each) for excerpt, each in zip(batch, answered)]
        with self.lock:
            in_time = not self.over and time.monotonic() <= self.ends
            if in_time:
                self.found.update(zip(batch, sound))
            return in_time

    def end(self) -> None:
        """Waits until all is asked or the time is over; nothing is taken any more then."""
        self.done.wait(max(0.0, self.ends - time.monotonic()))
        with self.lock:
            self.over = True


class Extraction:
    """The extractor of a knowledge base, open; ``seconds`` is how long it may take for one answer."""

    def __init__(self, opened: Opened, terms: Terms, *, seconds: float = 10.0) -> None:
        self.opened = opened
        self.seconds = seconds
        self._names = frozenset(term.iri for term in (*terms.classes, *terms.properties))
        self._turn = threading.Lock() if opened.here else None
        self._kept: OrderedDict[Excerpt, Proposed] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What reports call the extractor."""
        return self.opened.extractor.name

    @property
    def models(self) -> tuple[str, ...]:
        """The name and the fingerprint of the extractor."""
        return (f"{self.name} ({self.opened.extractor.fingerprint})",)

    @property
    def content_hash(self) -> str:
        """A hash of all that its proposals and what they do depend on."""
        return sha256(f"{self.models[0]} {self.opened.writes}".encode()).hexdigest()

    def ask(self, excerpts: Sequence[Excerpt], *, seconds: float) -> tuple[Proposed, ...]:
        """What is claimed in each excerpt, in order, after at most so many seconds; ``fault`` where that failed."""
        known = {each: kept for each in dict.fromkeys(excerpts) if (kept := self._recall(each)) is not None}
        asked = tuple(each for each in dict.fromkeys(excerpts) if each not in known)
        ends = time.monotonic() + min(self.seconds, seconds)
        work = _Work(self.opened, asked, self._sound, self._turn, ends)
        if asked:
            threading.Thread(target=work.run, daemon=True).start()
            work.end()
            self._keep(work.found)
        nothing = Proposed(fault=work.fault or "was late")
        found = {**known, **work.found}
        return tuple(found.get(each, nothing) for each in excerpts)

    def _sound(self, excerpt: Excerpt, proposed: object) -> Proposed:
        """The answer, or a failure where it cannot be one."""
        if not isinstance(proposed, Proposed) or not isinstance(proposed.fault, str):
            return Proposed(fault="gave no proposals")
        if proposed.fault:
            return Proposed(fault=proposed.fault)
        if not isinstance(proposed.claims, tuple) or len(proposed.claims) > _MOST:
            return Proposed(fault="gave no proposals, or too many")
        for each in proposed.claims:
            fault = self._fault(excerpt, each)
            if fault:
                return Proposed(fault=fault)
        return proposed

    def _fault(self, excerpt: Excerpt, each: object) -> str:
        if not isinstance(each, Proposal):
            return "gave something that is no proposal"
        spans = ((each.start, each.end), each.subject, each.object)
        if not all(span is None or _lies_in(span, len(excerpt.text)) for span in spans):
            return "proposed words that are not there"
        if not isinstance(each.says, str) or len(each.says) > _LONGEST_SENTENCE:
            return "proposed a sentence that is none, or too long"
        if not all(name in self._names for name in each.names):
            return "named something that the graph does not have"
        return ""

    def _recall(self, excerpt: Excerpt) -> Proposed | None:
        with self._lock:
            found = self._kept.get(excerpt)
            if found is not None:
                self._kept.move_to_end(excerpt)
        return found

    def _keep(self, found: dict[Excerpt, Proposed]) -> None:
        with self._lock:
            self._kept.update((excerpt, each) for excerpt, each in found.items() if not each.fault)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


def _lies_in(span: object, length: int) -> bool:
    if not isinstance(span, tuple) or len(span) != 2 or not all(type(at) is int for at in span):
        return False
    start, end = span
    return bool(0 <= start < end <= length)
