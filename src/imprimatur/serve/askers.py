"""Answers the questions of ``/v1/ask`` in threads of their own, each knowledge base with the model that it names.

Who answers is the operator's: the model that the knowledge base names, else the graph. Invariants: only ways whose
answers go through the five stages; at most so many questions at once, and a question keeps its place until its thread
has ended, which it does early when its caller goes away; the model of a knowledge base is opened once, with one budget.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from imprimatur.clock import attended
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.serve.faults import Refused

if TYPE_CHECKING:
    from imprimatur.generate.asker import AskSettings
    from imprimatur.models.budget import Budgeted
    from imprimatur.serve.service import Session

__all__ = ["GRAPH", "HOWS", "Askers", "Found", "Question"]

GRAPH, _ORACLE = "graph", "oracle"
#: Only ways whose answers go through the five stages.
HOWS = (GRAPH, _ORACLE)
_LATE = "it took too long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a request asks; ``how`` is None where it leaves the choice to the knowledge base."""

    text: str
    options: tuple[str, ...] = ()
    how: str | None = None
    queries: bool = False
    show_context: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What became of a question: the values of the reply, and the report that they rest on."""

    values: dict[str, Any]
    report: Report | None


class Askers:
    """What questions are answered with: threads of their own, and the model of each knowledge base, opened once."""

    def __init__(self, at_once: int) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="ask")
        self._free = at_once
        self._lock = threading.Lock()
        self._models: dict[str, tuple[AskSettings, Budgeted]] = {}

    async def found(self, session: Session, question: Question) -> Found:
        """What becomes of a question; when this is cancelled, the answering ends first.

        Raises:
            Refused: too many questions are being answered (429), or the knowledge base names no model (404).
            ImprimaturError: the model cannot be asked.
        """
        if not self._free:
            raise Refused(429, "too many questions at once", code="too_many_questions", headers={"Retry-After": "1"})
        gone = threading.Event()
        self._free -= 1
        try:
            working = asyncio.get_running_loop().run_in_executor(
                self._pool, contextvars.copy_context().run, self._answered, session, question, gone
            )
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                gone.set()
                _noted(session, (await asyncio.gather(working, return_exceptions=True))[0])
                raise
        finally:
            self._free += 1

    def close(self) -> None:
        """Ends the threads; no question is being answered any more."""
        self._pool.shutdown(wait=True)

    def _answered(self, session: Session, question: Question, gone: threading.Event) -> Found:
        # No observer: most of what is checked on the way to an answer is no answer, but a proposal.
        oracle = Oracle(session.oracle.current().knowledge, session.policy)
        named = oracle.knowledge.config.model
        how = question.how or (GRAPH if named is None else _ORACLE)
        with attended(gone.is_set):
            if how == GRAPH:
                return _of_graph(session, question, oracle)
            if named is None:
                raise Refused(404, "`how`: this knowledge base names no model", code="no_model", param="how")
            return self._of_model(session, question, oracle)

    def _of_model(self, session: Session, question: Question, oracle: Oracle) -> Found:
        from imprimatur.generate.asker import ask
        from imprimatur.generate.generated import Ended
        from imprimatur.generate.query_writer import ModelQueries

        settings, model = self._opened(session.name, oracle)
        if question.queries:
            settings = replace(settings, writer=ModelQueries(model))
        found = ask(question.text, oracle, model=model, how=_ORACLE, options=question.options, settings=settings)
        if found.outcome is Ended.LATE:
            found = replace(found, why=_LATE)  # what the library says of it names the model's server
        return Found(values=found.to_dict(), report=found.report)

    def _opened(self, name: str, oracle: Oracle) -> tuple[AskSettings, Budgeted]:
        """How the model of a knowledge base is asked, and the model: one for all questions, with one budget."""
        from imprimatur.generate.asker import AskSettings
        from imprimatur.models.opening import open_model

        config = oracle.knowledge.config.model
        assert config is not None
        with self._lock:
            if name not in self._models:
                self._models[name] = AskSettings.fitting(config, oracle), open_model(config)
            return self._models[name]


def _of_graph(session: Session, question: Question, oracle: Oracle) -> Found:
    """What the graph answers; no model is asked."""
    from imprimatur.generate.answers import answer

    seconds = session.service.settings.limits.seconds
    found = answer(question.text, oracle, options=question.options, seconds=seconds)
    values = found.to_dict(oracle.policy.abstention_text)
    if question.show_context:
        from imprimatur.retrieve import retrieve

        values["context"] = retrieve(question.text, oracle.knowledge).to_dict()
    return Found(values=values, report=found.report)


def _noted(session: Session, found: Found | BaseException) -> None:
    """Records what was found out for a caller who has gone."""
    report = found.report if isinstance(found, Found) else None
    if report is not None:
        session.given_up(lambda: report)
