"""What all routes of a gateway share: knowledge bases, keys, the ledger, the model server, limits, figures.

Invariants: whoever calls is known by its key, unless the gateway has none and listens on this machine; a report is
recorded before the end of its reply goes out, and a reply whose report cannot be recorded ends in an error; at most so
many calls are under way at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from imprimatur.oracle import Oracle
from imprimatur.policy import Policy, load
from imprimatur.report import Report
from imprimatur.serve.askers import Askers
from imprimatur.serve.call import Call
from imprimatur.serve.faults import Refused
from imprimatur.serve.figures import Figures
from imprimatur.serve.keys import ANYONE, Holder, Keys
from imprimatur.serve.recorder import Recorder
from imprimatur.serve.settings import Settings
from imprimatur.serve.telling import open_tracing
from imprimatur.serve.timing import Timing
from imprimatur.serve.upstream import UpstreamClient, kind_of
from imprimatur.stopwatch import Stopwatch
from imprimatur.stream import Gate, Mode

__all__ = ["Service", "Session"]

_log = logging.getLogger("imprimatur.serve")
#: The grammar leaves it unread, so that a parser is loaded, too, where there is one; no source knows its words.
_WARMING = "It is 1 km long and not in a place that is small."


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One call: who makes it, and what it is judged by."""

    service: Service
    holder: Holder
    name: str
    oracle: Oracle
    policy: Policy
    mode: Mode
    call: Call

    async def gate(self, question: str | None, messages: Any) -> Gate:
        """What one answer goes through."""
        call = self.call
        return await self.oracle.agate(
            question,
            call.context,
            messages=messages,
            memory=call.memory,
            as_of=call.as_of,
            policy=self.policy,
            seconds=self.service.settings.limits.seconds,
            mode=self.mode.value,
        )

    async def record(self, report: Report) -> Mapping[str, Any] | None:
        """Records a report and counts it; returns what the caller may see of it. Raises LedgerError."""
        values = self._counted(report)
        await self.service.recorder.record(values, self.name)
        return self.holder.shown(values)

    def given_up(self, abandon: Callable[[], Report]) -> None:
        """Records the report on an answer whose caller is gone, or will get an error; nobody waits for it."""
        try:
            self.service.recorder.note(self._counted(abandon()), self.name)
        except Exception as fault:  # what ends a call must not fail
            _log.error("an answer that was given up is not recorded: %s", type(fault).__name__)

    def measured(self, watch: Stopwatch) -> None:
        """Takes how long the stages worked on an answer."""
        self.service.figures.worked(watch, kb=self.name)

    def _counted(self, report: Report) -> Mapping[str, Any]:
        values = report.to_dict()
        self.service.figures.judged(values, kb=self.name, mode=self.mode.value)
        return values


class Service:
    """A gateway's state; one application has it, from its start to its end."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.oracles = {
            name: Oracle.from_folder(folder, policy=settings.policy, tenant=settings.tenants.get(name))
            for name, folder in settings.knowledge_bases
        }
        self.keys = Keys.from_file(settings.keys) if settings.keys is not None else None
        upstream = settings.upstream
        self.upstream = UpstreamClient(upstream, calls=settings.limits.calls) if upstream is not None else None
        self.recorder = Recorder(settings.ledger)
        self.figures = Figures(settings.bounds)
        self.askers = Askers(settings.limits.questions)
        self.tracing = open_tracing(settings.telemetry)
        self._slots = settings.limits.calls
        self._idle = asyncio.Event()
        self._idle.set()
        self.stopping = False

    def warm(self) -> None:
        """Loads what is loaded with the first check, so that no caller waits for it; models are left alone."""
        for oracle in self.oracles.values():
            if oracle.knowledge.extraction is None:
                oracle.check(_WARMING)

    async def close(self) -> None:
        """Waits for the calls under way, then closes everything; no report is lost."""
        self.stopping = True
        await self._idle.wait()
        if self.upstream is not None:
            await self.upstream.close()
        await asyncio.to_thread(self.askers.close)
        await asyncio.to_thread(self.recorder.close)
        if self.tracing is not None:
            await asyncio.to_thread(self.tracing.close)

    def holder(self, key: str | None) -> Holder:
        """Who calls. Raises Refused (401) where a key is needed and none, or an unknown one, is given."""
        if self.keys is None:
            return ANYONE
        found = self.keys.holder(key)
        if found is None:
            raise Refused(401, "a valid key is needed: `Authorization: Bearer …`", code="invalid_api_key")
        return found

    def count_fault(self, fault: Exception) -> None:
        """Counts an error of a call, where it is a fault of the model server."""
        if (kind := kind_of(fault)) is not None:
            self.figures.upstream_faults.labels(kind).inc()
            if self.tracing is not None:
                self.tracing.fault(kind)

    def session(self, holder: Holder, call: Call, *, named: str | None) -> Session:
        """What a call is judged by; ``named``: the knowledge base that its path or header names.

        Raises:
            Refused: it names what is not there, or what its key may not use.
        """
        own = next((each for each in self.oracles if holder.may_use(each)), "")
        asked = [each for each in (named, call.knowledge_base) if each] or [own]
        if not all(each in self.oracles and holder.may_use(each) for each in asked):
            # The same words for both: whoever may not use it need not learn that it exists.
            raise Refused(404, "there is no such knowledge base", code="knowledge_base_not_found")
        if asked[0] != asked[-1]:
            raise Refused(400, "two knowledge bases are named", code="invalid_request", param="imprimatur")
        name = asked[0]
        oracle = self.oracles[name]
        session = Session(
            service=self,
            holder=holder,
            name=name,
            oracle=oracle,
            policy=_policy(oracle, holder, call),
            mode=self._mode(call),
            call=call,
        )
        if self.tracing is not None:
            return self.tracing.observed(session)
        return replace(session, oracle=oracle.observed_by(lambda: Timing(session.measured)))

    def _mode(self, call: Call) -> Mode:
        """The mode of a call: one may ask for less to be shown, never for more."""
        own = self.settings.mode
        if call.mode is None or call.mode is own:
            return own
        if (own, call.mode) != (Mode.HOLD, Mode.BUFFER) and own in (Mode.HOLD, Mode.BUFFER):
            raise Refused(403, f"this gateway shows in mode {own.value}", code="mode_not_allowed")
        return call.mode

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """One call under way. Raises Refused (429, 503) where there are too many, or the gateway stops."""
        if self.stopping:
            raise Refused(503, "the gateway is stopping", code="stopping", headers={"Retry-After": "5"})
        if not self._slots:
            raise Refused(429, "too many calls at once", code="too_many_calls", headers={"Retry-After": "1"})
        self._slots -= 1
        self._idle.clear()
        try:
            yield
        finally:
            self._slots += 1
            if self._slots == self.settings.limits.calls:
                self._idle.set()


def _policy(oracle: Oracle, holder: Holder, call: Call) -> Policy:
    if call.policy is None or call.policy == oracle.policy.name:
        return oracle.policy
    if call.policy not in holder.policies:
        raise Refused(403, "this policy may not be asked for with this key", code="policy_not_allowed")
    asked = load(call.policy, environ={})
    # What the knowledge base itself asks for is no matter of the policy that is chosen.
    return replace(asked, require_shapes=asked.require_shapes or oracle.policy.require_shapes)
