"""The two drivers of a flow: they answer its look-ups until it returns.

The asynchronous one answers those that may take a while in a worker thread.

Contract: a source that crashes, is out of time or answers nonsense gives ``unchecked``; raised are only a wrong
knowledge base, which is the operator's mistake and no verdict, and a store that cannot be reached: then nothing was
judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from imprimatur.claim import Claim
from imprimatur.errors import KnowledgeBaseError, StoreUnavailable
from imprimatur.frame import Batch, Examining, LookUp
from imprimatur.protocols import Together
from imprimatur.verdict import Judgement, Label, Reason

if TYPE_CHECKING:
    from imprimatur.confirming import Confirming
    from imprimatur.corrector import Asked
    from imprimatur.hearing import Hearing

__all__ = ["adrive", "apart", "drive"]

T = TypeVar("T")


def drive(flow: Examining[T]) -> T:
    """Runs a flow, answering its look-ups here."""
    try:
        batch = next(flow)
        while True:
            batch = flow.send(_answered(batch))
    except StopIteration as done:
        result: T = done.value
        return result


async def adrive(flow: Examining[T]) -> T:
    """Runs a flow, answering its look-ups in a worker thread, but for those that are immediate."""
    # Only an asynchronous caller pays for the import.
    import asyncio

    try:
        batch = next(flow)
        while True:
            found = _answered(batch) if _immediate(batch) else await asyncio.to_thread(_answered, batch)
            batch = flow.send(found)
    except StopIteration as done:
        result: T = done.value
        return result


async def apart(work: Callable[[], T]) -> T:
    """What some work gives that takes too long for the others of an event loop: it runs in a worker thread."""
    import asyncio  # as above

    return await asyncio.to_thread(work)


def _immediate(batch: Batch | Confirming | Hearing | Asked) -> bool:
    """Whether answering takes no longer than handing the question to a thread would."""
    return isinstance(batch, tuple) and all(getattr(each.source, "immediate", False) for each in batch)


def _answered(batch: Batch | Confirming | Hearing | Asked) -> tuple[Judgement, ...]:
    if not isinstance(batch, tuple):
        return batch.answer()
    found: dict[int, Judgement] = {}
    for source in _together(batch):
        asked = [number for number, look_up in enumerate(batch) if look_up.source is source and not look_up.over()]
        found |= zip(asked, _answer_all(source, [batch[number].claim for number in asked]), strict=True)
    return tuple(found[number] if number in found else _answer(each) for number, each in enumerate(batch))


def _together(batch: Batch) -> tuple[Together, ...]:
    """The sources that are asked about several claims at once."""
    found = {id(each.source): each.source for each in batch if hasattr(each.source, "judge_all")}
    return tuple(cast("Together", source) for source in found.values())


def _answer_all(source: Together, claims: Sequence[Claim]) -> tuple[Judgement, ...]:
    """What a source says of several claims; all are ``unchecked`` when it crashes or says what cannot be used."""
    failed = Judgement(source=source.name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    try:
        found = tuple(source.judge_all(claims)) if claims else ()
    except (KnowledgeBaseError, StoreUnavailable):
        raise
    except Exception:  # as below
        return (failed,) * len(claims)
    if len(found) != len(claims) or not all(isinstance(each, Judgement) for each in found):
        return (failed,) * len(claims)
    return found


def _answer(look_up: LookUp) -> Judgement:
    """What the source says; ``unchecked`` when it crashes or says nothing that can be used."""
    name = look_up.source.name
    if look_up.over():
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.TIME_LIMIT,))
    try:
        found = look_up.source.judge(look_up.claim)
    except (KnowledgeBaseError, StoreUnavailable):
        raise
    except Exception:  # a crashed check is a value: it leads to abstention, never to a licence
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    if not isinstance(found, Judgement):
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    return found
