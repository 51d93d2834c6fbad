"""The oracle: an answer goes in, a report comes out, by the stages segment, extract, judge, settle, decide.

The flow is written once, as a generator without I/O that yields look-ups (``examine``); ``check`` and ``acheck`` drive
it. Invariants: one way for every edge; a source that crashes, ends late or answers nonsense gives ``unchecked``, and
``unchecked`` is never licensed; a call may narrow tolerance and trust, never widen them; the same answer on the same
day gives the same report. Errors are raised only for a mistake in the call or in the knowledge base.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur import __version__
from imprimatur._collection import uncollected
from imprimatur.answer import Answer, Kind, MemoryEntry, Message, Segment
from imprimatur.config import KnowledgeBaseConfig, load_folder, resolve
from imprimatur.decide import plan
from imprimatur.decision import Edit
from imprimatur.drive import adrive, drive
from imprimatur.errors import InputError
from imprimatur.examine import Examined, Examining, Frame, Objecting, examine
from imprimatur.explain import Explanation, explain
from imprimatur.extract.parsed import SlowPath
from imprimatur.hearing import failures
from imprimatur.knowledge import NO_SHAPES, Knowledge, open_knowledge
from imprimatur.language.parser import parser_of
from imprimatur.policy import Policy, PolicySource
from imprimatur.policy import load as load_policy
from imprimatur.release import release
from imprimatur.report import JudgedSegment, Report, Versions
from imprimatur.sources.graph.judge import Limits
from imprimatur.tagged import TaggedClaim, joined, spans
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.protocols import Source
    from imprimatur.trace import Traced

__all__ = ["DEFAULT_SECONDS", "MOST_CHARACTERS", "Oracle"]

#: How long one check may take, in seconds, and how many characters of an answer are examined.
DEFAULT_SECONDS = 10.0
MOST_CHARACTERS = 200_000
_FINE = (Label.SUPPORTED, Label.NOT_A_CLAIM)


class Oracle:
    """Judges answers against one knowledge base under one policy. Make it with ``Oracle.from_folder``."""

    def __init__(self, knowledge: Knowledge, policy: Policy) -> None:
        self.knowledge = knowledge
        self.policy = policy

    @classmethod
    def from_folder(
        cls, path_or_name: str | Path, *, policy: PolicySource | Policy | None = None, cache_dir: Path | None = None
    ) -> Oracle:
        """The oracle of a knowledge base.

        Args:
            path_or_name: its folder, or the name of a bundled one.
            policy: a policy, or what ``policy.load`` takes; the knowledge base's own by default.
            cache_dir: where compiled graphs are kept; None for the user's cache folder.

        Raises:
            KnowledgeBaseError, ConfigError: the folder or a file in it is wrong.
            PolicyError: the policy is wrong.
        """
        with uncollected():
            config = load_folder(resolve(path_or_name))
            return cls(open_knowledge(config, cache_dir=cache_dir), _policy(policy, config))

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
                ``DEFAULT_SECONDS``, and what the knowledge base allows its trained judges beside.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        given = _given(answer, question, context, messages=messages, memory=memory, as_of=as_of)
        return drive(self._flow(given, self._frame(given, policy, seconds)))

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
        given = _given(answer, question, context, messages=messages, memory=memory, as_of=as_of)
        return await adrive(self._flow(given, self._frame(given, policy, seconds)))

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
        given = _given(joined(claims), question, context, messages=messages, memory=memory, as_of=as_of)
        frame = replace(
            self._frame(given, policy, seconds),
            parts=_parts(claims),
            tags=tuple((claim.kind, claim.citations) for claim in claims),
        )
        return drive(self._flow(given, frame))

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
        given = _given(draft, question, (), messages=(), memory=(), as_of=as_of)
        return drive(self._flow(given, replace(self._frame(given, policy, seconds), objects=objects)))

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

    def _name(self, iri: str) -> str:
        part = self.knowledge.part
        number = part.graph.id(iri) if part else None
        return part.graph.label(number) if part and number is not None else iri

    def _frame(self, given: Answer, policy: Policy | None, seconds: float | None) -> Frame:
        config = self.knowledge.config
        chosen = policy if policy is not None else self.policy
        on = given.as_of or date.today()
        limits = Limits(about=min(chosen.about, config.about), trust=chosen.trust, as_of=on)
        starts = time.monotonic()
        own = DEFAULT_SECONDS if seconds is None else seconds
        panel = self.knowledge.panel
        ends = starts + own + (panel.seconds if panel is not None and seconds is None else 0)
        return Frame(
            lexicon=self.knowledge.lexicon,
            locale=config.locale,
            language=self.knowledge.language,
            sources=lambda: self.knowledge.sources(limits),
            policy=chosen,
            on=on,
            over=lambda: time.monotonic() >= ends,
            most=MOST_CHARACTERS,
            blind=chosen.require_shapes and self._blind(),
            texts=self._texts(given, chosen, on),
            styles=config.citations,
            slow=_slow(config, late=lambda: time.monotonic() >= starts + own / 2),
            panel=panel,
            behind=lambda evidence: self.knowledge.text.behind(evidence, given),
            left=lambda: ends - time.monotonic(),
        )

    def _texts(self, given: Answer, policy: Policy, on: date) -> tuple[Source, ...]:
        """The sources that compare claims with text, for one answer; most knowledge bases have none."""
        if self.knowledge.text.empty and not (given.memory or given.context):
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
        )
        return self.knowledge.texts(given, limits)

    def _flow(self, given: Answer, frame: Frame) -> Examining[Report]:
        examined = yield from examine(given, frame)
        decision = yield from release(given, plan(examined, frame.policy, self._amend), frame)
        return Report(
            answer=given.text,
            decision=decision,
            summary=_summary(examined.judged),
            segments=examined.judged,
            accounting=dict(Counter(segment.label.value for segment in examined.judged)),
            versions=Versions(
                imprimatur=__version__,
                knowledge_base=self.knowledge.content_hash,
                shapes=self.knowledge.shapes_hash,
                policy=frame.policy.content_hash,
                models=_models(frame),
            ),
            warnings=tuple(self._warnings(examined, frame)),
        )

    def _amend(self, text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
        """The edits that put every failed claim of a segment right; none unless all can be."""
        part = self.knowledge.part
        failed = [judged for judged in segment.claims if judged.verdict.label not in _FINE]
        if part is None or not failed:
            return ()
        from imprimatur.sources.graph.corrected import corrections

        each = [corrections(judged, text, part.schema, locale=self.knowledge.config.locale) for judged in failed]
        edits = sorted(dict.fromkeys(edit for made in each for edit in made), key=lambda edit: edit.start)
        apart = all(first.end <= second.start for first, second in pairwise(edits))
        return tuple(edits) if all(each) and apart else ()

    def _warnings(self, examined: Examined, frame: Frame) -> list[str]:
        found = list(self.knowledge.warnings()) if not frame.texts or self.knowledge.part else []
        if any(segment.claims for segment in examined.judged):
            found += [
                f"not examined, because no node is its target: shape {name}" for name in self.knowledge.unfocused()
            ]
        found += frame.policy.warnings(frame.on)
        found += [f"licensed by a {waiver.describe()}" for waiver in examined.waivers]
        found += frame.slow.warnings if frame.slow is not None else ()
        found += failures(examined.judged) if frame.panel is not None else ()
        return found + list(_gaps(examined.judged))

    def _blind(self) -> bool:
        """Whether there are no shapes, or some that examine nothing."""
        return self.knowledge.shapes_hash == NO_SHAPES or bool(self.knowledge.unfocused())


def _slow(config: KnowledgeBaseConfig, *, late: Callable[[], bool]) -> SlowPath | None:
    """The parser of the language of a knowledge base, unless it is switched off there."""
    return SlowPath(lambda: parser_of(config.locale), late) if config.parse == "auto" else None


def _models(frame: Frame) -> tuple[str, ...]:
    """The models that the verdicts may depend on."""
    parser = frame.slow.models if frame.slow is not None else ()
    return (*parser, *(frame.panel.models if frame.panel is not None else ()))


def _policy(policy: PolicySource | Policy | None, config: KnowledgeBaseConfig) -> Policy:
    if isinstance(policy, Policy):
        return policy
    found = load_policy(config.policy if policy is None else policy, base=config.folder)
    return replace(found, require_shapes=found.require_shapes or config.require_shapes)


def _given(
    answer: str | Answer,
    question: str | None,
    context: Sequence[str],
    *,
    messages: Sequence[Message],
    memory: Sequence[MemoryEntry],
    as_of: date | None,
) -> Answer:
    base = answer if isinstance(answer, Answer) else Answer(text=answer)
    if not isinstance(base.text, str):
        raise InputError("the answer is not a text", hint="pass a str or an Answer")
    return Answer(
        text=base.text,
        question=base.question if question is None else question,
        context=(*base.context, *context),
        messages=(*base.messages, *messages),
        memory=(*base.memory, *memory),
        as_of=base.as_of if as_of is None else as_of,
    )


def _parts(claims: Sequence[TaggedClaim]) -> tuple[Segment, ...]:
    """One segment a claim; the newline behind it belongs to it."""
    found = spans(claims)
    ends = [start for start, _ in found[1:]] + [found[-1][1]] if found else []
    return tuple(Segment(start, stop, Kind.SENTENCE, (start, end)) for (start, end), stop in zip(found, ends))


def _summary(segments: Sequence[JudgedSegment]) -> str:
    """The answer-level label of DESIGN section 1."""
    labels = {segment.label for segment in segments} - {Label.NOT_A_CLAIM}
    if not labels:
        return "no_claims"
    if Label.CONTRADICTED in labels:
        return "contradicted"
    if labels == {Label.SUPPORTED}:
        return "fully_supported"
    some = any(judged.verdict.label is Label.SUPPORTED for segment in segments for judged in segment.claims)
    return "partially_supported" if some or Label.SUPPORTED in labels else "unsupported"


def _gaps(segments: Sequence[JudgedSegment]) -> list[str]:
    """What was not examined, as spans: neighbours of one reason are one."""
    gaps: list[tuple[int, int, Reason]] = []
    for segment in segments:
        if segment.label is not Label.UNCHECKED or segment.claims:
            continue
        reason = segment.reasons[0]
        if gaps and gaps[-1][1] == segment.start and gaps[-1][2] is reason:
            gaps[-1] = (gaps[-1][0], segment.end, reason)
        else:
            gaps.append((segment.start, segment.end, reason))
    return [f"characters {start} to {end} of the answer were not examined: {reason}" for start, end, reason in gaps]
