"""What goes into the method and what comes out: samples, evidence, claims with their reason chains, and the audit.

Invariants: offsets are those of the text that they name, half-open, in code points; a verdict that was lowered says by
what (``lowered``), and what the model had said stays beside it (``said``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.teqhallu.kinds import Basis, Category, Stage, Support

__all__ = ["Audit", "ClaimFound", "Found", "Sample", "Shown", "Span", "Used"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One response with its reference.

    Attributes:
        reference: the texts that count; for a turn of a dialogue all turns before it, oldest first.
        dialogue: which dialogue it is a turn of; empty for a response to documents.
        turn: its number there.
    """

    id: str
    response: str
    reference: tuple[str, ...]
    question: str = ""
    dialogue: str = ""
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """Words of the reference: ``text``, which is characters ``start`` to ``end`` of text number ``number``."""

    number: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What was looked up for a claim.

    Attributes:
        query: the SELECT as it ran, or the keys; empty where nothing was asked.
        rows: what came back, cells in the order of ``columns``.
        measured: the cells that count as figures: no key went into them, and where they come from is known.
        compared: the numbers that the query compares columns with, as they are written.
        spans: the words of the reference that these rows were made of.
        whole: whether ``spans`` are those of the rows alone; else they are those of all rows of the tables read.
        fault: why nothing could be looked up; then nothing else is here.
        repairs: how often the statement was written anew.
    """

    query: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    measured: tuple[Any, ...] = ()
    compared: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    whole: bool = True
    fault: str = ""
    repairs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFound:
    """A claim and its reason chain: claim, SELECT, rows, spans, verdict.

    Attributes:
        start, end: the words of the response that make it; both -1 where the model quoted words that are not there.
        entities: the ids that it is about, and ``aligned``: those of them that the rows name, by their aliases too.
        said: the model's verdict; None where it gave none.
        lowered: what lowered it, empty where nothing did.
    """

    says: str
    start: int
    end: int
    verdict: Support
    said: Support | None = None
    entities: tuple[str, ...] = ()
    aligned: tuple[str, ...] = ()
    shown: Shown = Shown()
    quote: Span | None = None
    basis: Basis = Basis.NONE
    reason: str = ""
    lowered: str = ""

    def told(self) -> Iterator[str]:
        """The reason chain, one step a line."""
        yield f"claim: {self.says}"
        if self.shown.query:
            yield f"  query: {self.shown.query}"
        if self.shown.fault:
            yield f"  not run: {self.shown.fault}"
        for row in self.shown.rows[:5]:
            cells = (f"{name} = {'null' if cell is None else cell}" for name, cell in zip(self.shown.columns, row))
            yield f"  row: {', '.join(cells)}"
        for span in self.shown.spans[:5] if self.basis is not Basis.TEXT else ():
            yield f"  reference {span.number} [{span.start}:{span.end}]: {span.text}"
        if self.quote is not None:
            yield f"  quoted {self.quote.number} [{self.quote.start}:{self.quote.end}]: {self.quote.text}"
        by = f", lowered from {self.said}: {self.lowered}" if self.lowered else ""
        yield f"  verdict: {self.verdict} (by {self.basis}){by}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """How complete the parse is.

    Attributes:
        sentences: how many sentences the reference has; ``unread``: those that left no row.
        rows: how many rows or entries there are; ``unmarked``: how many more were given without words of the reference
            that hold them, and are never used.
        failed: statements that could not be run, as the engine said.
        unclaimed: the sentences of the response of which the model made no claim.
    """

    sentences: int = 0
    unread: tuple[Span, ...] = ()
    rows: int = 0
    unmarked: int = 0
    failed: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every sentence of the reference left a row, and every statement ran."""
        return not self.unread and not self.failed


@dataclass(slots=True)
class Used:
    """What was used of a model: calls (``kept`` of them answered from a file), tokens in and out."""

    calls: int = 0
    kept: int = 0
    prompt: int = 0
    completion: int = 0

    def add(self, other: Used) -> None:
        """Counts more."""
        self.calls += other.calls
        self.kept += other.kept
        self.prompt += other.prompt
        self.completion += other.completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is found of one response.

    Attributes:
        verdict: the worst of what its claims come to and what the model said last; ``said`` is the latter alone.
        flagged: whether it departs: a response that is not fully supported; a turn of a dialogue with which something
            is wrong, for new information conflicts with nothing. What is unchecked is flagged.
        initial: the initial direct prediction; None where it is not asked for.
        categories: what is wrong with a turn of a dialogue, with the words of it that are.
        fault: why it is unchecked, where that is a failure of the model.
    """

    id: str
    verdict: Support
    flagged: bool
    said: Support | None = None
    initial: Support | None = None
    reason: str = ""
    claims: tuple[ClaimFound, ...] = ()
    categories: tuple[tuple[Category, str], ...] = ()
    audit: Audit = Audit()
    used: Mapping[Stage, Used]
    fault: str = ""

    def told(self) -> Iterator[str]:
        """The reason chain of the response, one step a line."""
        if self.initial is not None:
            yield f"initial: {self.initial}"
        for claim in self.claims:
            yield from claim.told()
        for category, words in self.categories:
            yield f"{category}: {words}"
        said = f", the model said {self.said}" if self.said not in (None, self.verdict) else ""
        kept = "" if self.flagged or self.verdict is Support.FULLY else ", not flagged: it conflicts with nothing"
        yield f"verdict: {self.verdict}{said}{kept}{f' ({self.fault})' if self.fault else ''}"
