"""The oracle: an answer goes in, a report comes out, by the stages segment, extract, judge, settle, decide.

The flow is written once, as a generator without I/O that yields look-ups (``examine``); ``check`` and ``acheck`` drive
it. Invariants: one way for every edge; a source that crashes, ends late or answers nonsense gives ``unchecked``, and
``unchecked`` is never licensed; a call may narrow tolerance and trust, never widen them; the same answer on the same
day gives the same report. Errors are raised only for a mistake in the call or in the knowledge base, and where a graph
behind an address cannot be reached; where such a graph has changed, the next answer is judged by the new one.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur import __version__
from imprimatur._collection import uncollected
from imprimatur._knowledge_edits import edits_of
from imprimatur._knowledge_models import correcting_by, slow_path_of
from imprimatur.answer import Answer, MemoryEntry, Message, Segment
from imprimatur.clock import Clock
from imprimatur.config import ExtractorConfig, load_folder, resolve
from imprimatur.decision import Edit
from imprimatur.drive import adrive, apart, drive
from imprimatur.examine import parts_of
from imprimatur.explain import Explanation, explain
from imprimatur.extract.reader import Reading
from imprimatur.frame import Examining, Frame, Objecting, Tag
from imprimatur.given import given_answer
from imprimatur.knowledge import NO_SHAPES, Knowledge, open_knowledge
from imprimatur.observer import Observing, Stage, unobserved
from imprimatur.policy import Policy, PolicySource, policy_of
from imprimatur.release import Release
from imprimatur.report import JudgedSegment, Report
from imprimatur.reporting import report_of
from imprimatur.sources.graph.judge import Limits
from imprimatur.tagged import TaggedClaim, joined, segments_of

if TYPE_CHECKING:
    from imprimatur.graphrag import Around
    from imprimatur.protocols import Source
    from imprimatur.stream import AsyncStream, Gate, Stream
    from imprimatur.trace import Traced

__all__ = ["DEFAULT_SECONDS", "MOST_CHARACTERS", "Oracle"]

#: How long one check may take, in seconds, and how many characters of an answer are examined.
DEFAULT_SECONDS = 10.0
MOST_CHARACTERS = 200_000


class Oracle:
    """Judges answers against one knowledge base under one policy. Make it with ``Oracle.from_folder``.

    ``knowledge`` is the part of the knowledge base that the policy trusts; the rest has no say in anything.
    """

    def __init__(self, knowledge: Knowledge, policy: Policy, *, observing: Observing = unobserved) -> None:
        self.knowledge = knowledge.trusting(policy.trust)
        self.policy = policy
        self._observing = observing

    @classmethod
    def from_folder(
        cls,
        path_or_name: str | Path,
        *,
        policy: PolicySource | Policy | None = None,
        cache_dir: Path | None = None,
        extractor: ExtractorConfig | None = None,
        tenant: str | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Oracle:
        """The oracle of a knowledge base.

        Args:
            path_or_name: its folder, or the name of a bundled one.
            policy: a policy, or what ``policy.load`` takes; the knowledge base's own by default.
            cache_dir: where compiled graphs are kept; None for the user's cache folder.
            extractor: what says, beside the reader, which claims an answer makes; the knowledge base's own by default.
            tenant: whose graph it is, where each tenant of the knowledge base has one of its own.
            progress: is told how far a graph behind an address is read.

        Raises:
            KnowledgeBaseError, ConfigError: the folder or a file in it is wrong.
            PolicyError: the policy is wrong.
            RuntimeFault: a graph behind an address cannot be reached, or not be read whole.
        """
        with uncollected():
            config = load_folder(resolve(path_or_name)).of_tenant(tenant)
            config = config if extractor is None else replace(config, extractor=extractor)
            chosen = policy_of(policy, config)
            known = open_knowledge(config, cache_dir=cache_dir, progress=progress, trust=chosen.trust)
            return cls(known, chosen)

    def observed_by(self, observing: Observing) -> Oracle:
        """The same oracle, for each of whose answers an observer is made: see ``telemetry`` for one."""
        if self.knowledge.renewal is not None:  # what another oracle on it has found to be new
            self.knowledge = self.knowledge.renewal.latest or self.knowledge
        return Oracle(self.knowledge, self.policy, observing=observing)

    def current(self) -> Oracle:
        """This oracle as one answer is judged by it from beginning to end: by the knowledge base as it is now.

        It is this one itself, unless its graph is behind an address; then it may take as long as reading that anew, and
        what comes out keeps its knowledge base.

        Raises:
            RuntimeFault: the graph cannot be reached, or not be read whole.
        """
        if self.knowledge.renewal is None:
            return self
        self.knowledge = self.knowledge.renewal.current().trusting(self.policy.trust)
        return Oracle(replace(self.knowledge, renewal=None), self.policy, observing=self._observing)

    def check(
        self,
        answer: str | Answer,
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
        policy: Policy | None = None,
        seconds: float | None = None,
    ) -> Report:
        """The report on an answer.

        Args:
            answer: the text, or all that belongs to it; what is given beside it counts first.
            question: what was asked.
            context: passages that count as evidence for this answer.
            messages: the dialogue before it.
            memory: memory entries that count as evidence for this answer.
            as_of: the day that "is" means; today by default.
            policy: the policy for this call, for instance ``oracle.policy.narrow(…)``.
            seconds: the time for the whole check; what is left then is ``unchecked``. By default it is
                ``DEFAULT_SECONDS``, and what the knowledge base allows its models beside.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
            RuntimeFault: a graph behind an address cannot be reached.
        """
        given = given_answer(answer, question, context, messages=messages, memory=memory, as_of=as_of)
        return drive(self._under(policy).current()._checked(given, seconds))

    async def acheck(
        self,
        answer: str | Answer,
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
        policy: Policy | None = None,
        seconds: float | None = None,
    ) -> Report:
        """The same report as ``check`` gives; look-ups run in worker threads."""
        given = given_answer(answer, question, context, messages=messages, memory=memory, as_of=as_of)
        now = self._under(policy) if self._at_once(policy) else await apart(lambda: self._under(policy).current())
        return await adrive(now._checked(given, seconds))

    def check_claims(
        self,
        claims: Sequence[TaggedClaim],
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
        policy: Policy | None = None,
        seconds: float | None = None,
    ) -> Report:
        """The report on claims that come ready made: one segment each, in their texts joined by newlines."""
        given = given_answer(joined(claims), question, context, messages=messages, memory=memory, as_of=as_of)
        now = self._under(policy).current()
        frame = replace(now._frame(given, now._clock(seconds)), tagged=True)
        tags = [(claim.kind, claim.citations) for claim in claims]
        return drive(now._flow(given, frame, segments_of(claims), tags))

    def gate(
        self,
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
        policy: Policy | None = None,
        seconds: float | None = None,
        mode: str = "hold",
    ) -> Gate:
        """What an answer goes through while it arrives: fed with chunks, it gives back what may be shown.

        The arguments are those of ``check``; ``seconds`` is time of checking, waiting for chunks does not count.
        ``mode`` (``stream.Mode``) is what is shown meanwhile. What comes out is the text that ``check`` decides on,
        however it was cut.
        """
        given = given_answer("", question, context, messages=messages, memory=memory, as_of=as_of)
        return self._under(policy).current()._gated(given, seconds, mode)

    async def agate(self, question: str | None = None, context: Sequence[str] = (), **given: Any) -> Gate:
        """The same as ``gate``; nobody else has to wait where the knowledge base must be read anew."""
        if self._at_once(given.get("policy")):
            return self.gate(question, context, **given)
        return await apart(lambda: self.gate(question, context, **given))

    def stream(self, chunks: Iterable[str], question: str | None = None, **given: Any) -> Stream:
        """What may be shown of an answer while its chunks are drawn; ``.report`` has the report afterwards.

        Further arguments are those of ``gate``.
        """
        from imprimatur.stream import Stream

        return Stream(self.gate(question, **given), chunks)

    def astream(self, chunks: AsyncIterable[str], question: str | None = None, **given: Any) -> AsyncStream:
        """The same over chunks that come asynchronously; look-ups run in worker threads."""
        from imprimatur.stream import AsyncStream

        return AsyncStream(self.gate(question, **given), chunks)

    def around(self, rag: Any, *, min_items: int = 1, min_score: float | None = None) -> Around:
        """A rag of GraphRAG-SDK within this oracle: its answers are gated before they are written, and judged after.

        Args:
            rag: a ``graphrag_sdk.GraphRAG``, or an object with its ``retrieve`` and ``completion``.
            min_items: how many items of evidence there must be.
            min_score: what each must score; only where the rag scores its items, since None passes no floor.

        Raises:
            InputError: it has no such methods.
        """
        from imprimatur.graphrag import Around

        return Around(self, rag, min_items=min_items, min_score=min_score)

    def check_draft(
        self,
        draft: str,
        question: str | None = None,
        *,
        objects: Objecting,
        as_of: date | None = None,
        policy: Policy | None = None,
        seconds: float | None = None,
    ) -> Report:
        """The report on a draft of which more is known than its claims: ``objects`` says what speaks against a segment.

        It is asked of every text that may be released, a corrected or redacted one too, and can only lower a segment.
        """
        given = given_answer(draft, question, (), messages=(), memory=(), as_of=as_of)
        now = self._under(policy).current()
        return drive(now._flow(given, replace(now._frame(given, now._clock(seconds)), objects=objects)))

    def check_read(
        self, answer: Answer, *, reading: Reading, parts: Sequence[Segment] | None = None, seconds: float | None = None
    ) -> Report:
        """The report where something else reads the answer and ends its segments, to measure what a stage loses."""
        frame = replace(self._frame(answer, self._clock(seconds)), reading=reading)
        return drive(self._flow(answer, frame, parts))

    def edits(self, text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
        """The edits that put right what can be of a judged segment of a text, by stored values; nothing is checked."""
        return self._amend(text, segment)

    def explain(self, report: Report) -> tuple[Explanation, ...]:
        """Why parts of an answer were withheld, and what would have to be added for them to pass."""
        return explain(report, self._name)

    def trace(self, report: Report) -> tuple[Traced, ...]:
        """How an answer was read: the mentions of each segment, the readings of its claims, the words left over."""
        from imprimatur.trace import trace

        return trace(
            report,
            self.knowledge.lexicon,
            locale=self.knowledge.config.locale,
            language=self.knowledge.language,
        )

    def info(self) -> dict[str, Any]:
        """What the knowledge base holds, the policy, and the versions of both, JSON-ready."""
        found: Mapping[str, Any] = self.knowledge.info()
        policy = {"name": self.policy.name, "hash": self.policy.content_hash}
        return {**found, "policy": policy, "imprimatur": __version__}

    def _checked(self, given: Answer, seconds: float | None) -> Examining[Report]:
        """The way of a whole text, with the time that it has."""
        return self._flow(given, self._frame(given, self._clock(seconds)))

    def _gated(self, given: Answer, seconds: float | None, mode: str) -> Gate:
        """What an answer goes through that arrives."""
        from imprimatur.stream import Gate, Mode

        clock = self._clock(seconds, running=False)
        release = Release(given, self._frame(given, clock), self._amend)
        return Gate(release, self._reported, clock, mode=Mode(mode))

    def _name(self, iri: str) -> str:
        part = self.knowledge.part
        number = part.graph.id(iri) if part else None
        return part.graph.label(number) if part and number is not None else iri

    def _clock(self, seconds: float | None, *, running: bool = True) -> Clock:
        """The time for a check; by default with what the knowledge base allows its models beside."""
        if seconds is not None:
            return Clock(seconds, running=running)
        asked = (self.knowledge.extraction, self.knowledge.panel, self.knowledge.correction)
        extra = sum(each.seconds for each in asked if each is not None)
        return Clock(DEFAULT_SECONDS, extra=extra, running=running)

    def _under(self, policy: Policy | None) -> Oracle:
        """The same oracle under the policy of one call, which may trust less than its own."""
        return self if policy is None else Oracle(self.knowledge, policy, observing=self._observing)

    def _at_once(self, policy: Policy | None) -> bool:
        """Whether the knowledge base for one call is there, and need not be opened first."""
        return self.knowledge.renewal is None and (policy is None or policy.trust == self.policy.trust)

    def _frame(self, given: Answer, clock: Clock) -> Frame:
        config, chosen = self.knowledge.config, self.policy
        on = given.as_of or date.today()
        limits = Limits(about=min(chosen.about, config.about), trust=chosen.trust, as_of=on)
        answered = self.knowledge.answered()
        return Frame(
            lexicon=self.knowledge.lexicon,
            locale=config.locale,
            language=self.knowledge.language,
            sources=lambda: self.knowledge.sources(limits, answered),
            policy=chosen,
            on=on,
            over=lambda: clock.left <= 0,
            most=MOST_CHARACTERS,
            blind=chosen.require_shapes and self._blind(),
            texts=self._texts(given, chosen, on),
            styles=config.citations,
            slow=slow_path_of(config, late=lambda: clock.spent >= clock.seconds / 2),
            extraction=self.knowledge.extraction,
            panel=self.knowledge.panel,
            correcting=correcting_by(self.knowledge.correction, chosen, clock),
            behind=lambda evidence: self.knowledge.text.behind(evidence, given),
            left=lambda: clock.left,
            observer=self._observing(),
        )

    def _texts(self, given: Answer, policy: Policy, on: date) -> tuple[Source, ...]:
        """The sources that judge claims read as words, for one answer; most knowledge bases have none."""
        if self.knowledge.text.empty and not (given.memory or given.context or self.knowledge.tells_rows):
            return ()
        from imprimatur.sources.text.comparison import TextLimits

        config = self.knowledge.config
        limits = TextLimits(
            about=min(policy.about, config.about),
            trust=policy.trust,
            as_of=on,
            coverage=max(policy.coverage, config.coverage),
            cite=policy.cite,
            locale=config.locale,
            literal=policy.literal,
        )
        return self.knowledge.texts(given, limits)

    def _flow(
        self, given: Answer, frame: Frame, parts: Sequence[Segment] | None = None, tags: Sequence[Tag] = ()
    ) -> Examining[Report]:
        """The way of a text that is there as a whole; ``parts`` and ``tags`` are given for tagged claims."""
        try:
            release = Release(given, frame, self._amend)
            if parts is None:
                with frame.observer.stage(Stage.SEGMENT):
                    parts, seen = parts_of(given.text, frame.most)
            else:
                seen = sum(part.end <= frame.most for part in parts)
            yield from release.take(given.text, parts, seen=seen, tags=tags)
            return (yield from self._reported(release))
        except BaseException as fault:  # also where it is given up: the generator is closed
            frame.observer.failed(fault)
            raise

    def _reported(self, release: Release) -> Examining[Report]:
        """The report on an answer that is all there."""
        decision = yield from release.finish()
        report = report_of(decision, release, self.knowledge)
        release.frame.observer.ended(report)
        return report

    def _amend(self, text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
        """The edits that put right what can be of a segment, from the graph and from texts."""
        return edits_of(self.knowledge, text, segment)

    def _blind(self) -> bool:
        """Whether there are no shapes, or some that examine nothing."""
        return self.knowledge.shapes_hash == NO_SHAPES or bool(self.knowledge.unfocused())
