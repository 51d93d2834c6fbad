"""Asking a model, in one of the conditions: question, evidence, gate, model, five stages, decision.

Contract: where a condition retrieves by the question, the gate decides before the model is called, and what it refuses
is answered with its fixed text. Thoughts are never shown. Under ``oracle``, ``kgr`` and ``fence`` nothing is shown that
the policy does not release of the report; a draft of which nothing supported is left is answered with the policy's
abstention text. In every other condition the draft, revised or not, is shown as it is, as not checked. Time and budget
that are used up lead to a refusal; a model that cannot be asked is an error.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from imprimatur.config import ModelConfig
from imprimatur.errors import InputError, LimitExceeded, ModelFailed
from imprimatur.generate.chosen import among
from imprimatur.generate.conditions import CONDITIONS, How, relevant, shown
from imprimatur.generate.drafts import prompt_for, write
from imprimatur.generate.fencing import Fence
from imprimatur.generate.generated import Ended, Generated
from imprimatur.generate.licensing import check, stands, unchecked
from imprimatur.generate.revising import RetrofitSettings, Revised, Revising, criticised, prompts_of, retrofitted
from imprimatur.models.asking import Model
from imprimatur.models.prompts import template
from imprimatur.oracle import Oracle
from imprimatur.retrieve.gate import Gate, GateDecision
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.queries import QueryWriter
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.sources.passages.embedding import Embeds

__all__ = ["AskSettings", "Asker", "ask"]

_LONGEST = 4000
_MOST_OPTIONS = 50
#: Evidence may take one part of so many of the model's window.
_SHARE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """How questions are asked.

    Attributes:
        seconds: the time for one question, without the stages, which have their own.
        items: how many items of evidence are shown at most; None for what the condition shows.
        tokens: the longest answer, where it is not the configured one.
        limits: of retrieval.
        gate: the gate; None for that of the knowledge base.
        retrofit: how drafts are revised, in the conditions that do so.
        as_of: the day that "is" means; today by default.
    """

    seconds: float = 120.0
    items: int | None = None
    tokens: int | None = None
    limits: RetrievalLimits = field(default_factory=RetrievalLimits)
    gate: Gate | None = None
    embedder: Embeds | None = None
    writer: QueryWriter | None = None
    retrofit: RetrofitSettings = field(default_factory=RetrofitSettings)
    as_of: date | None = None

    @classmethod
    def fitting(cls, config: ModelConfig, oracle: Oracle) -> AskSettings:
        """Settings that fit a model: evidence and answer within the window of weights on this machine.

        Raises:
            ConfigError: what makes the knowledge base's vectors cannot be opened.
        """
        made = cls(seconds=float(config.limits.seconds * config.limits.tries))
        if oracle.knowledge.config.embed is not None:
            from imprimatur.sources.passages.embedding import open_embedder

            made = replace(made, embedder=open_embedder(oracle.knowledge.config.embed))
        if config.path is None:
            return made
        evidence = config.window // _SHARE
        longest = min(config.limits.answer_tokens or evidence, config.window // 4)
        return replace(made, limits=RetrievalLimits(tokens=min(evidence, RetrievalLimits().tokens)), tokens=longest)


def ask(
    question: str,
    oracle: Oracle,
    *,
    model: Model,
    how: How | str = How.ORACLE,
    options: Sequence[str] = (),
    settings: AskSettings | None = None,
) -> Generated:
    """What becomes of one question; see ``Asker``, which asks several.

    Raises:
        InputError: there is no such condition, or there are too many options.
        ImprimaturError: the model or the knowledge base cannot be asked.
    """
    return Asker(oracle, model, how=how, settings=settings)(question, options=options)


class Asker:
    """Asks one model about one knowledge base in one condition."""

    def __init__(
        self, oracle: Oracle, model: Model, *, how: How | str = How.ORACLE, settings: AskSettings | None = None
    ) -> None:
        """Raises InputError where there is no such condition, ConfigError where the knowledge base names no gate."""
        self.how = _how(how)
        self.oracle, self.model = oracle, model
        self.settings = settings if settings is not None else AskSettings()
        self._condition = CONDITIONS[self.how]
        self._gate = self.settings.gate or Gate.of(oracle.knowledge.config)
        self._retrieval = self._opened() if self._condition.sections else None
        self._fence = Fence(oracle.policy) if self._condition.tagged else None

    def __call__(self, question: str, *, options: Sequence[str] = ()) -> Generated:
        """What becomes of a question.

        Args:
            question: what is asked.
            options: the answers to choose from, if there are any.
        """
        if len(options) > _MOST_OPTIONS:
            raise InputError(f"{len(options)} options are too many", hint=f"give at most {_MOST_OPTIONS}")
        ends = time.monotonic() + self.settings.seconds
        found = Generated(
            question=question, how=self.how, outcome=Ended.SILENT, text=self.oracle.policy.abstention_text
        )
        if not question.strip() or len(question) > _LONGEST:
            return replace(found, why=f"a question has 1 to {_LONGEST} characters")
        if self._retrieval is not None and self._condition.revision is None:
            trail = relevant(self._retrieval(question), self._condition)
            gate = self._gate.decide(trail)
            found = replace(found, trail=shown(trail, self._condition, most=self.settings.items), gate=gate)
            if not gate.enough:
                return _refused(found, gate)
        try:
            return self._asked(found, options, ends)
        except LimitExceeded as fault:
            return replace(found, outcome=Ended.LATE, why=str(fault))

    def _opened(self) -> Retrieval:
        return Retrieval(
            self.oracle.knowledge,
            limits=self.settings.limits,
            embedder=self.settings.embedder,
            writer=self.settings.writer,
            as_of=self.settings.as_of,
        )

    def _asked(self, found: Generated, options: Sequence[str], ends: float) -> Generated:
        """The outcome, once there is nothing against asking the model. Raises LimitExceeded."""
        if self._fence is not None and found.trail is not None:
            fenced = self._fenced(found, self._fence, found.trail, _left(ends))
            return replace(fenced, option=_named(fenced.text, options))
        if options and self._condition.checked and self._condition.revision is None:
            return self._among(found, options, ends)
        trail, condition = found.trail, self._condition
        prompt = prompt_for(found.question, condition, trail, options=options, tokens=self.settings.tokens)
        draft = write(self.model, prompt, condition, seconds=_left(ends))
        found = replace(found, draft=draft.text)
        if draft.why:
            return replace(found, why=draft.why)
        sources = [self.model.identity, template(condition.template).identity]
        if condition.revision is not None:
            revised = self._revised(found, _left(ends))
            found = replace(found, revised=revised)
            sources += prompts_of(condition, self.settings.retrofit)
            if condition.checked:
                return self._released(found, revised.text, sources)
            draft = replace(draft, text=revised.text)
        if not condition.checked or trail is None:
            report = unchecked(draft.text, self.oracle, f"the condition {self.how.value!r} licenses nothing")
            option = _named(draft.text, options)
            answered = replace(found, outcome=Ended.ANSWERED, text=draft.text, report=report.written_by(*sources))
            return replace(answered, option=option)
        return self._licensed(found, sources)

    def _fenced(self, found: Generated, fence: Fence, trail: EvidenceTrail, seconds: float) -> Generated:
        """What is left of claims that cite the trail's items. Raises LimitExceeded."""
        try:
            said = fence.ask(found.question, trail, self.model, seconds=seconds, tokens=self.settings.tokens)
        except ModelFailed as fault:
            return replace(found, why=fault.message)
        if said.report is None:
            return replace(found, why="the model does not know")
        sources = (self.model.identity, template(self._condition.template).identity)
        found = replace(found, draft=said.draft, report=said.report.written_by(*sources))
        if not said.stands:
            return replace(found, outcome=Ended.WITHHELD, why="nothing of what the model wrote is licensed")
        return replace(found, outcome=Ended.ANSWERED, text=said.report.decision.text)

    def _revised(self, found: Generated, seconds: float) -> Revised:
        """The draft as it is revised."""
        how = Revising(condition=self._condition, settings=self.settings.retrofit, seconds=seconds)
        if self._retrieval is not None:
            return criticised(found.question, found.draft, self._retrieval, self.model, how)
        return retrofitted(found.question, found.draft, self.oracle, self.model, how)

    def _released(self, found: Generated, text: str, sources: Sequence[str]) -> Generated:
        """What the policy releases of a text that was not written from a trail."""
        report = self.oracle.check(text, found.question, as_of=self.settings.as_of)
        found = replace(found, report=report.written_by(*sources))
        if not stands(report, found.question, self.oracle):
            return replace(found, outcome=Ended.WITHHELD, why="nothing of what the model wrote is licensed")
        return replace(found, outcome=Ended.ANSWERED, text=report.decision.text)

    def _licensed(self, found: Generated, sources: Sequence[str]) -> Generated:
        assert found.trail is not None
        judged = check(found.draft, found.question, self.oracle, found.trail, as_of=self.settings.as_of)
        found = replace(
            found, draft=judged.draft, citations=judged.citations, report=judged.report.written_by(*sources)
        )
        if not stands(judged.report, found.question, self.oracle):
            return replace(found, outcome=Ended.WITHHELD, why="nothing of what the model wrote is licensed")
        return replace(found, outcome=Ended.ANSWERED, text=judged.report.decision.text)

    def _among(self, found: Generated, options: Sequence[str], ends: float) -> Generated:
        """The one option that stands."""
        choice = among(found.question, options, self.oracle, self.model, seconds=_left(ends))
        found = replace(found, draft=choice.sentence)
        if choice.several:
            return replace(found, outcome=Ended.AMBIGUOUS, why="more than one option is licensed")
        if choice.report is None:
            return replace(found, outcome=Ended.WITHHELD, why="no option is licensed")
        sources = (self.model.identity, template("statement").identity) if choice.sentence else ()
        report = choice.report.written_by(*sources)
        return replace(found, outcome=Ended.ANSWERED, text=choice.text, option=choice.option, report=report)


def _how(how: How | str) -> How:
    try:
        return How(how)
    except ValueError:
        known = ", ".join(each.value for each in How)
        raise InputError(f"there is no condition {str(how)[:40]!r}", hint=f"choose among {known}") from None


def _refused(found: Generated, gate: GateDecision) -> Generated:
    return replace(found, outcome=Ended.REFUSED, text=gate.text, why=gate.why)


def _left(ends: float) -> float:
    """The seconds left. Raises LimitExceeded when there are none."""
    left = ends - time.monotonic()
    if left <= 0:
        raise LimitExceeded("the time for the question is over", hint="allow more seconds")
    return left


def _named(text: str, options: Sequence[str]) -> str:
    """The one option that a text names; empty where it names none, or several that are not parts of one another."""
    said = " ".join(text.casefold().split())
    named = [option for option in options if " ".join(option.casefold().strip(" .").split()) in said]
    longest = [option for option in named if not any(option != other and option in other for other in named)]
    return longest[0] if len(longest) == 1 else ""
