"""An extractor within its time: what it answers is checked and kept, and whatever fails has failed in plain words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from imprimatur.errors import ModelFailed
from imprimatur.extractors.extraction import Extraction, Opened
from imprimatur.extractors.terms import Term, Terms
from imprimatur.protocols import Excerpt, Proposal, Proposed

TERMS = Terms(classes=(Term(iri="x:Brook", label="brook"),))
ONE = Excerpt(text="Elm Brook is long.")
TWO = Excerpt(text="Oak Brook is short.")
SOUND = Proposed((Proposal(start=0, end=9, subject=(0, 9), names=("x:Brook",)),))


class Made:
    """An extractor that answers by a function; ``asked`` has every batch."""

    name = "made"
    fingerprint = "0"

    def __init__(self, answer: Callable[[Sequence[Excerpt]], Any]) -> None:
        self.answer = answer
        self.asked: list[tuple[Excerpt, ...]] = []

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> Sequence[Proposed]:
        """What the function gives."""
        self.asked.append(tuple(excerpts))
        found: Sequence[Proposed] = self.answer(excerpts)
        return found


def extraction(answer: Callable[[Sequence[Excerpt]], Any], *, seconds: float = 5, **more: Any) -> Extraction:
    """An extractor that answers by a function, open."""
    return Extraction(Opened(Made(answer), **more), TERMS, seconds=seconds)


def test_what_is_proposed_is_kept_and_asked_for_once() -> None:
    """In batches; equal excerpts are one."""
    made = Made(lambda excerpts: [SOUND] * len(excerpts))
    opened = Extraction(Opened(made, batch=2), TERMS)
    assert opened.ask([ONE, TWO, ONE], seconds=5) == (SOUND,) * 3
    assert opened.ask([TWO], seconds=5) == (SOUND,)
    assert made.asked == [(ONE, TWO)]
    assert opened.models == ("made (0)",)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda _: [], "gave no proposals"),
        (lambda _: [SOUND, SOUND], "gave no proposals"),
        (lambda _: ["text"], "gave no proposals"),
        (lambda _: 7, "it raised TypeError"),
        (lambda _: [Proposed(claims=[])], "gave no proposals, or too many"),  # type: ignore[arg-type]
        (lambda _: [Proposed(("text",))], "no proposal"),  # type: ignore[arg-type]
        (lambda _: [Proposed((Proposal(start=0, end=99),))], "not there"),
        (lambda _: [Proposed((Proposal(start=3, end=3),))], "not there"),
        (lambda _: [Proposed((Proposal(start=-1, end=3),))], "not there"),
        (lambda _: [Proposed((Proposal(start=0, end=3, object=(5, 40)),))], "not there"),
        (lambda _: [Proposed((Proposal(start=False, end=3),))], "not there"),
        (lambda _: [Proposed((Proposal(start=0, end=3, names=("x:Town",)),))], "does not have"),
        (lambda _: [Proposed((Proposal(start=0, end=3, says="x" * 3000),))], "too long"),
        (lambda _: [Proposed((Proposal(start=0, end=3),) * 6000)], "too many"),
        (lambda _: [Proposed(fault="broke")], "broke"),
    ],
)
def test_nonsense_has_failed(answer: Callable[[Any], Any], told: str) -> None:
    """And nothing of it counts, or is kept."""
    opened = extraction(answer)
    (found,) = opened.ask([ONE], seconds=5)
    assert told in found.fault
    assert found.claims == ()
    made = opened.opened.extractor
    assert isinstance(made, Made)
    opened.ask([ONE], seconds=5)
    assert len(made.asked) == 2


def test_what_is_raised_is_told_by_its_kind_only() -> None:
    """A library's message may hold anything; one of Imprimatur's own is told."""

    def crash(_: Any) -> Any:
        raise ValueError("sk-secret")

    def fail(_: Any) -> Any:
        raise ModelFailed("answered with status 500")

    assert extraction(crash).ask([ONE], seconds=5)[0].fault == "it raised ValueError"
    assert extraction(fail).ask([ONE], seconds=5)[0].fault == "answered with status 500"


def test_the_late_have_failed_and_what_came_in_time_counts() -> None:
    """The shorter of its own time and the call's ends it; what it says later is dropped."""
    gone = threading.Event()

    def slow(excerpts: Sequence[Excerpt]) -> Any:
        if excerpts[0] == TWO:
            gone.wait(5)
        return [SOUND] * len(excerpts)

    opened = extraction(slow, seconds=60)
    begun = time.monotonic()
    found = opened.ask([ONE, TWO], seconds=0.3)
    gone.set()
    assert time.monotonic() - begun < 4
    assert (found[0], found[1].fault) == (SOUND, "was late")
    assert extraction(slow, seconds=0).ask([ONE], seconds=5)[0].fault == "was late"


def test_one_on_this_machine_works_for_one_check_after_the_other() -> None:
    """Whoever waits for its turn too long is late."""
    entered, release = threading.Event(), threading.Event()

    def hold(excerpts: Sequence[Excerpt]) -> Any:
        entered.set()
        release.wait(5)
        return [SOUND] * len(excerpts)

    opened = extraction(hold, here=True)
    first = threading.Thread(target=lambda: opened.ask([ONE], seconds=5))
    first.start()
    entered.wait(5)
    assert opened.ask([TWO], seconds=0.2)[0].fault == "was late"
    release.set()
    first.join()
