"""All judges of a knowledge base: asked side by side, each within its own time, and only the worst word counts.

    what the judges say of a claim                 judgement
    ---------------------------------------------  ---------------------------------------------
    one says that the texts say otherwise          contradicted, judge-disagrees
    one that must be heard has failed or is late   unchecked, judge-failed
    one does not find it borne out                 not_found, judge-disagrees
    all that could be heard agree                  supported; with a finding for each that failed

So a judge never raises anything, and what cannot be heard never licenses, unless the operator has said ``note``. A
judge is not asked about a claim that rests on none of its sources. Opinions are kept by judge and case, for as long as
the panel lives and up to a number; failures are not. A late judge goes on in its thread until its batch is done, and
what it then says is dropped. Every opinion is checked before it counts: whoever answers nonsense has failed.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from imprimatur.errors import ImprimaturError
from imprimatur.protocols import Case, Judge, Mark, Opinion
from imprimatur.verdict import Finding, Judgement, Label, Reason, worst

__all__ = ["Matter", "Panel", "Seat", "opinions"]

_KEPT = 20_000
_SHARE = 0.95
_LONG = 86_400.0
_SAYS = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCHECKED)
_SOURCE = "judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """A supported claim: ``answer[start:end]``, its words, and the texts that it rests on, each with its source."""

    start: int
    end: int
    claim: str
    texts: tuple[tuple[str, str], ...]
    question: str = ""
    before: str = ""

    def case_for(self, sources: Sequence[str]) -> Case | None:
        """The case for a judge that is shown the evidence of some sources; None when there is none of it."""
        texts = tuple(dict.fromkeys(text for source, text in self.texts if source in sources))
        if not texts:
            return None
        return Case(claim=self.claim, texts=texts, question=self.question, before=self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A judge with the rules under which it is asked; ``batch`` is how many cases are put to it at once.

    ``turn`` is held while it works, so that checks at the same time do not fight for the processor; None for a judge
    that works elsewhere.
    """

    judge: Judge
    seconds: float = 10.0
    on_failure: str = "withhold"
    sources: tuple[str, ...] = ("memory", "passages")
    batch: int = 1
    turn: threading.Lock | None = field(default=None, compare=False, repr=False)

    @property
    def identity(self) -> str:
        """What reports name it by."""
        return f"{self.judge.name} ({self.judge.fingerprint})"


@dataclass(slots=True)
class _Hearing:
    """One judge at work on some cases; ``found`` grows until the time is over."""

    seat: Seat
    cases: tuple[Case, ...]
    found: dict[Case, Opinion] = field(default_factory=dict)
    fault: str = ""
    ends: float = math.inf
    over: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Asks, one batch after the other, and never raises."""
        try:
            for at in range(0, len(self.cases), self.seat.batch):
                left = self.ends - time.monotonic()
                if left <= 0:
                    break
                batch = self.cases[at : at + self.seat.batch]
                answered = self._asked(batch, left)
                if answered is None or not self._take(batch, answered):
                    break
        except ImprimaturError as fault:
            self.fault = fault.message
        except Exception as fault:  # what a library raises may hold anything, a key among it: only its kind is told
            self.fault = f"it raised {type(fault).__name__}"
        finally:
            self.done.set()

    def _asked(self, batch: Sequence[Case], left: float) -> list[object] | None:
        """What the judge says of a batch; None when its turn did not come in time."""
        turn = self.seat.turn
        if turn is None:
            return list(self.seat.judge.weigh(batch, seconds=left * _SHARE))
        if not turn.acquire(timeout=left):
            return None
        try:
            # Meanwhile the time may be over; and a judge is given a little less, so that it can say what it has.
            return None if self.over else list(self.seat.judge.weigh(batch, seconds=left * _SHARE))
        finally:
            turn.release()

    def _take(self, batch: Sequence[Case], answered: Sequence[object]) -> bool:
        """Keeps what was said in time; whether there is time for more. Those that got no opinion have none."""
        if len(answered) > len(batch):
            answered = ()  # nobody knows which of them belongs to which case
        missing = [None] * (len(batch) - len(answered))
        sound = list(map(_sound, batch, [*answered, *missing]))
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


def opinions(seat: Seat, cases: Sequence[Case]) -> list[Opinion]:
    """What one judge says of some cases, however long it takes; ``unchecked`` where it fails."""
    hearing = _Hearing(seat, tuple(dict.fromkeys(cases)), ends=time.monotonic() + _LONG)
    hearing.run()
    nothing = Opinion(label=Label.UNCHECKED, detail=hearing.fault or "gave no opinion")
    return [hearing.found.get(case, nothing) for case in cases]


class Panel:
    """The judges of a knowledge base, open."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = tuple(seats)
        self._kept: OrderedDict[bytes, Opinion] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def models(self) -> tuple[str, ...]:
        """The names and fingerprints of the judges, in order."""
        return tuple(seat.identity for seat in self.seats)

    @property
    def seconds(self) -> float:
        """How long the slowest judge may take for one answer."""
        return max((seat.seconds for seat in self.seats), default=0.0)

    @property
    def content_hash(self) -> str:
        """A hash of all that opinions and what they do depend on."""
        parts = (f"{seat.identity} {seat.on_failure} {','.join(seat.sources)}" for seat in self.seats)
        return sha256("\n".join(parts).encode()).hexdigest()

    def hear(self, matters: Sequence[Matter], *, seconds: float) -> tuple[Judgement, ...]:
        """What all judges together say of each claim, in order, after at most so many seconds."""
        heard = [self._opinions(seat, matters) for seat in self.seats]
        self._ask(heard, seconds)
        return tuple(_judgement(matter, list(_of(matter, heard))) for matter in matters)

    def _opinions(self, seat: Seat, matters: Sequence[Matter]) -> _Hearing:
        """A hearing with what is known already; its cases are those that are still to be asked."""
        cases = dict.fromkeys(case for matter in matters if (case := matter.case_for(seat.sources)))
        known = {case: kept for case in cases if (kept := self._recall(seat, case))}
        return _Hearing(seat, tuple(case for case in cases if case not in known), found=known)

    def _ask(self, hearings: Sequence[_Hearing], seconds: float) -> None:
        """Lets all judges that have cases work side by side, each until its time is over."""
        working = [each for each in hearings if each.cases]
        starts = time.monotonic()
        for each in working:
            each.ends = starts + min(each.seat.seconds, seconds)
            threading.Thread(target=each.run, daemon=True).start()
        for each in working:
            each.end()
            self._keep(each)

    def _recall(self, seat: Seat, case: Case) -> Opinion | None:
        key = _key(seat, case)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        return found

    def _keep(self, hearing: _Hearing) -> None:
        with self._lock:
            for case in hearing.cases:
                found = hearing.found.get(case)
                if found is not None and found.label is not Label.UNCHECKED:
                    self._kept[_key(hearing.seat, case)] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


def _key(seat: Seat, case: Case) -> bytes:
    """All that an opinion depends on."""
    parts = (seat.identity, case.claim, case.question, case.before, *case.texts)
    return sha256("".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")).digest()


def _sound(case: Case, opinion: object) -> Opinion:
    """The opinion, or a failure where it cannot be one."""
    if not isinstance(opinion, Opinion) or opinion.label not in _SAYS:
        return Opinion(label=Label.UNCHECKED, detail="gave no opinion")
    if not (math.isfinite(opinion.score) and 0 <= opinion.score <= 1):
        return Opinion(label=Label.UNCHECKED, detail="gave a score that is none")
    if any(not 0 <= mark.start < mark.end <= len(case.claim) for mark in opinion.marks):
        return Opinion(label=Label.UNCHECKED, detail="marked words that are not there")
    return replace(opinion, label=Label(opinion.label))


def _of(matter: Matter, hearings: Sequence[_Hearing]) -> Iterator[tuple[Seat, Opinion]]:
    for hearing in hearings:
        case = matter.case_for(hearing.seat.sources)
        if case is not None:
            nothing = Opinion(label=Label.UNCHECKED, detail=hearing.fault or "was late")
            yield hearing.seat, hearing.found.get(case, nothing)


def _judgement(matter: Matter, opinions: Sequence[tuple[Seat, Opinion]]) -> Judgement:
    """What some opinions come to, by the table above."""
    counted = [opinion.label for seat, opinion in opinions if _counts(seat, opinion)]
    label = worst(counted) if counted else Label.SUPPORTED
    findings = tuple(found for seat, opinion in opinions for found in _findings(matter, seat, opinion))
    return Judgement(source=_SOURCE, label=label, reasons=_REASONS[label], findings=findings)


_REASONS: Mapping[Label, tuple[Reason, ...]] = {
    Label.SUPPORTED: (Reason.ENTAILED,),
    Label.CONTRADICTED: (Reason.JUDGE_DISAGREES,),
    Label.NOT_FOUND: (Reason.JUDGE_DISAGREES,),
    Label.UNCHECKED: (Reason.JUDGE_FAILED,),
}


def _counts(seat: Seat, opinion: Opinion) -> bool:
    return opinion.label is not Label.UNCHECKED or seat.on_failure != "note"


def _findings(matter: Matter, seat: Seat, opinion: Opinion) -> Iterator[Finding]:
    """What a report says of an opinion that is no agreement."""
    name = seat.judge.name
    if opinion.label is Label.UNCHECKED:
        yield Finding(Reason.JUDGE_FAILED, matter.start, matter.end, f"the judge {name} {opinion.detail}")
    elif opinion.label is not Label.SUPPORTED:
        said = opinion.detail or f"score {opinion.score:.4f}"
        for mark in opinion.marks or (Mark(0, len(matter.claim), said),):
            detail = f"the judge {name}: {mark.detail}"
            yield Finding(Reason.JUDGE_DISAGREES, matter.start + mark.start, matter.start + mark.end, detail)
