"""The two drivers of a flow: they answer its look-ups until it returns.

The asynchronous one answers those that may take a while in a worker thread.

Contract: a source that crashes, is out of time or answers nonsense gives ``unchecked``; only a wrong knowledge base is
raised, for it is the operator's mistake and no verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from imprimatur.errors import KnowledgeBaseError
from imprimatur.frame import Batch, Examining, LookUp
from imprimatur.verdict import Judgement, Label, Reason

if TYPE_CHECKING:
    from imprimatur.confirming import Confirming
    from imprimatur.corrector import Asked
    from imprimatur.hearing import Hearing

__all__ = ["adrive", "drive"]

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


def _immediate(batch: Batch | Confirming | Hearing | Asked) -> bool:
    """Whether answering takes no longer than handing the question to a thread would."""
    return isinstance(batch, tuple) and all(getattr(each.source, "immediate", False) for each in batch)


def _answered(batch: Batch | Confirming | Hearing | Asked) -> tuple[Judgement, ...]:
    if not isinstance(batch, tuple):
        return batch.answer()
    return tuple(_answer(look_up) for look_up in batch)


def _answer(look_up: LookUp) -> Judgement:
    """What the source says; ``unchecked`` when it crashes or says nothing that can be used."""
    name = look_up.source.name
    if look_up.over():
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.TIME_LIMIT,))
    try:
        found = look_up.source.judge(look_up.claim)
    except KnowledgeBaseError:
        raise
    except Exception:  # a crashed check is a value: it leads to abstention, never to a licence
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    if not isinstance(found, Judgement):
        return Judgement(source=name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    return found
