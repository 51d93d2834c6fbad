"""``Oracle.around(rag)``: an object of GraphRAG-SDK, or of its shape, gated before it writes and judged after.

Contract: the evidence is retrieved first; where it is too little, one fixed text refuses, and the model is not asked. A
section that is a hint is no evidence; a score of None is no score, and passes no floor. What the model then writes goes
through the oracle's stages, with the passages that it was shown as evidence for this answer beside the knowledge base.
Facts, entities and query results of such a graph are a model's work: they count only where the policy trusts ``model``.
Retrieval and generation never share a ``Context``: the second gets a child of it. Whatever the rag raises, or gives in
a form that is not its own, is an error, and so is a graph with nothing in it: never "nothing found".
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Message
from imprimatur.decision import INSUFFICIENT_EVIDENCE
from imprimatur.errors import CheckFailed, ImprimaturError, InputError, LimitExceeded, StoreUnavailable
from imprimatur.graphrag_evidence import Sources, texts_of

if TYPE_CHECKING:
    from imprimatur.oracle import Oracle
    from imprimatur.policy import Policy
    from imprimatur.report import Report

__all__ = ["Around", "Grounded"]

_RETRIEVING = frozenset(("strategy", "reranker"))
#: The SDK's errors, by name: it is not imported here.
_BUDGET = "LatencyBudgetExceededError"
_UNREACHABLE = frozenset(("DatabaseUnavailableError", "DatabaseError"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """What became of a question.

    Attributes:
        answer: what may be shown: the refusal, or what the policy releases of the draft.
        refused: the evidence was not enough, and the model was not asked.
        why: why it was refused.
        items: what was retrieved, as the rag gave it, to be logged beside the answer.
        draft: what the model wrote.
        report: the oracle's, on the draft with its ``[Source: …]`` tags as numbers; None where it was refused.
        dropped: the tags that were taken out: no passage of that document bears out what they stand at.
    """

    question: str
    answer: str
    refused: bool = False
    why: str = ""
    items: tuple[Any, ...] = ()
    draft: str = ""
    report: Report | None = None
    dropped: tuple[str, ...] = field(default=())

    @property
    def licensed(self) -> bool:
        """Whether the answer is the draft, and all of it is licensed."""
        return self.report is not None and self.report.decision.kind == "licensed"

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON-ready values."""
        items = [{"section": _section(item), "content": item.content, "score": _score(item)} for item in self.items]
        return {
            "question": self.question,
            "answer": self.answer,
            "refused": self.refused,
            "why": self.why,
            "items": items,
            "draft": self.draft,
            "dropped": list(self.dropped),
            "report": None if self.report is None else self.report.to_dict(),
        }


class Around:
    """A rag within an oracle; made by ``Oracle.around``."""

    def __init__(self, oracle: Oracle, rag: Any, *, min_items: int = 1, min_score: float | None = None) -> None:
        """Raises InputError for a rag that has no ``retrieve`` and ``completion``, or for a gate that lets all pass."""
        lacking = [name for name in ("retrieve", "completion") if not callable(getattr(rag, name, None))]
        if lacking:
            hint = "pass a graphrag_sdk.GraphRAG, or an object with its two methods"
            raise InputError(f"the rag has no method `{lacking[0]}`", hint=hint)
        if min_items < 1:
            raise InputError("a gate asks for at least one item", hint="for instance min_items=1")
        self._oracle, self._rag = oracle, rag
        self._min_items, self._min_score = min_items, min_score

    async def completion(
        self, question: str, *, ctx: Any = None, policy: Policy | None = None, **asked: Any
    ) -> Grounded:
        """What becomes of a question.

        Args:
            ctx: the rag's context; retrieval gets it, generation a child of it.
            policy: for this call, as ``Oracle.check`` takes it.
            asked: further arguments of ``rag.completion``, such as ``history``, ``strategy`` or ``reranker``.

        Raises:
            InputError: there is no question. LimitExceeded: the context's time is over.
            StoreUnavailable, CheckFailed: the rag cannot be asked, or gives something that is not of its form.
        """
        if not isinstance(question, str) or not question.strip():
            raise InputError("there is no question", hint="pass the question as a text")
        own = {name: value for name, value in asked.items() if name in _RETRIEVING}
        retrieved = await self._called(self._rag.retrieve, question, **own, **_context(ctx))
        items = _items(retrieved)
        refusal = await self._refusal(question, items)
        if refusal is not None:
            return refusal
        more = {**asked, "return_context": True, **_context(ctx.child() if ctx is not None else None)}
        result = await self._called(self._rag.completion, question, **more)
        shown = getattr(result, "retriever_result", None)
        items = items if shown is None else _items(shown)
        refusal = await self._refusal(question, items)
        return refusal or await self._judged(question, result, items, policy, asked.get("history"))

    def completion_sync(self, question: str, **asked: Any) -> Grounded:
        """The same, where no event loop runs. Raises InputError where one does."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.completion(question, **asked))
        raise InputError("an event loop runs here already", hint="await `completion` instead")

    # The gate

    async def _refusal(self, question: str, items: tuple[Any, ...]) -> Grounded | None:
        """The refusal where there is too little evidence; None where there is enough."""
        holding = [item for item in items if texts_of([(_section(item), item.content)], model=True)]
        enough = [item for item in holding if self._passes(_score(item))]
        if len(enough) >= self._min_items:
            return None
        if not holding:
            await self._reachable()
        why = f"{len(enough)} of {len(holding)} items are enough of evidence, {self._min_items} must"
        return Grounded(
            question=question,
            answer=INSUFFICIENT_EVIDENCE,
            refused=True,
            why=why if holding else "nothing was found",
            items=items,
        )

    def _passes(self, score: float | None) -> bool:
        return self._min_score is None or (score is not None and score >= self._min_score)

    async def _reachable(self) -> None:
        """Raises StoreUnavailable where nothing was found because the graph cannot be read, or has nothing in it.

        The SDK's paths of retrieval each pass over a fault of the store, and a graph of a wrong name is made when it is
        first asked: both look like a graph that knows nothing of the question.
        """
        counted = getattr(self._rag, "get_statistics", None)
        if not callable(counted):
            return
        try:
            counts = await self._called(counted)
        except ImprimaturError as fault:
            raise StoreUnavailable(f"the rag's graph cannot be read: {fault.message}") from fault
        if isinstance(counts, Mapping) and counts.get("node_count") == 0:
            hint = "is the name of the graph right, and was everything ingested?"
            raise StoreUnavailable("the rag's graph has nothing in it", hint=hint)

    # The answer

    async def _judged(
        self, question: str, result: Any, items: tuple[Any, ...], policy: Policy | None, history: Any
    ) -> Grounded:
        draft = getattr(result, "answer", None)
        if not isinstance(draft, str):
            raise CheckFailed("the rag's answer is no text")
        chosen = policy if policy is not None else self._oracle.policy
        shown = texts_of([(_section(item), item.content) for item in items], model="model" in chosen.trust)
        sources = Sources(draft, shown)
        report = await self._oracle.acheck(
            sources.text, question, [each.text for each in shown], messages=_messages(history), policy=policy
        )
        answer, dropped = sources.restored(report)
        return Grounded(question=question, answer=answer, items=items, draft=draft, report=report, dropped=dropped)

    async def _called(self, method: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """What a method of the rag gives, awaited where it must be; its faults as errors of this package."""
        try:
            found: Any | Awaitable[Any] = method(*given, **named)
            return await found if inspect.isawaitable(found) else found
        except ImprimaturError:
            raise
        except (ConnectionError, TimeoutError) as fault:
            raise StoreUnavailable(f"the rag cannot reach its store: {type(fault).__name__}") from fault
        except Exception as fault:  # anybody's code; what it raises must not read as "nothing found"
            kinds = {each.__name__ for each in type(fault).__mro__}
            if _BUDGET in kinds:
                raise LimitExceeded("the time of the rag's context is over") from fault
            if not kinds.isdisjoint(_UNREACHABLE):
                raise StoreUnavailable(f"the rag cannot reach its store: {str(fault)[:200]}") from fault
            raise CheckFailed(f"the rag failed: {type(fault).__name__}: {str(fault)[:200]}") from fault


def _context(ctx: Any) -> dict[str, Any]:
    return {} if ctx is None else {"ctx": ctx}


def _items(retrieved: Any) -> tuple[Any, ...]:
    """The items of a retrieval. Raises CheckFailed for another form."""
    items = getattr(retrieved, "items", None)
    if not isinstance(items, list | tuple):
        raise CheckFailed("what the rag retrieved has no list of items")
    if any(not isinstance(getattr(item, "content", None), str) for item in items):
        raise CheckFailed("an item that the rag retrieved has no content")
    return tuple(items)


def _section(item: Any) -> str:
    """What an item is: the section that it names, or ``chunk`` for a piece of a document; "" where that is not told."""
    metadata = getattr(item, "metadata", None)
    if not isinstance(metadata, Mapping):
        return ""
    return str(metadata.get("section") or ("chunk" if metadata.get("chunk_id") else ""))


def _score(item: Any) -> float | None:
    score = getattr(item, "score", None)
    return float(score) if isinstance(score, int | float) and not isinstance(score, bool) and score == score else None


def _messages(history: Any) -> tuple[Message, ...]:
    """The turns before, without the instructions."""
    turns = history if isinstance(history, Sequence) and not isinstance(history, str) else ()
    read = [_turn(turn) for turn in turns]
    return tuple(Message(role, text) for role, text in read if role in ("user", "assistant"))


def _turn(turn: Any) -> tuple[str, str]:
    named = (
        turn
        if isinstance(turn, Mapping)
        else {"role": getattr(turn, "role", ""), "content": getattr(turn, "content", "")}
    )
    return str(named.get("role", "")), str(named.get("content", ""))
