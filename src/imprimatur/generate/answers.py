"""Answers from the graph, without a model: what completes the question's sentence, licensed by the five stages.

Contract: ``answer`` never says anything that was not licensed as it is said. What the graph knows is only a proposal;
each proposal is written out as a sentence and checked like any other answer. Where several things fit and the question
asks for one, or where part of the question could not be taken into account, nothing is answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from imprimatur.extract.discourse import Discourse
from imprimatur.extract.items import items_of
from imprimatur.extract.questions import Asked, Wanted, premise, statements, yes_or_no
from imprimatur.extract.syntax import Item
from imprimatur.generate.kinds import Kind, kind_of
from imprimatur.generate.narrowed import plainly
from imprimatur.generate.sentence import written
from imprimatur.generate.values import value_of
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.graph.completing import things
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.verdict import Label

__all__ = ["Answered", "Outcome", "answer"]

_MOST = 20  # as many things are listed


class Outcome(StrEnum):
    """What became of a question."""

    ANSWERED = "answered"
    UNREAD = "unread"
    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer to a question: a licensed text and the values in it, or why there is none.

    Attributes:
        text: the answer as sentences; empty when there is none.
        values: what stands in the gap of the question, as written in the text.
        clarify: a question back, where the question can be meant in several ways.
        report: the report on the text.
    """

    outcome: Outcome
    text: str = ""
    values: tuple[str, ...] = ()
    clarify: str = ""
    report: Report | None = None


def answer(question: str, oracle: Oracle) -> Answered:
    """What the graph answers to a question."""
    part = oracle.knowledge.part
    if part is None:
        return Answered(outcome=Outcome.UNKNOWN)
    asking = _Asking(oracle, part.judging)
    items = items_of(question, asking.discourse)
    supposed, rest = premise(items)
    if supposed:
        if not _licensed(oracle.check(written(supposed, ""))):
            return Answered(outcome=Outcome.UNKNOWN)
        items = rest
    said = yes_or_no(items)
    if said:
        return asking.confirmed(said)
    best = Answered(outcome=Outcome.UNREAD)
    for asked in statements(items):
        for plain, lossy in plainly(asked):
            found = asking.completed(plain, lossy=lossy)
            if found.outcome is Outcome.ANSWERED:
                return found
            best = best if found.outcome is Outcome.UNREAD else found
            if found.outcome is Outcome.AMBIGUOUS:
                break
    return best


class _Asking:
    """One question to one knowledge base."""

    def __init__(self, oracle: Oracle, source: GraphSource) -> None:
        self.oracle = oracle
        self.source = source
        self.discourse = Discourse(oracle.knowledge.lexicon)
        self.limits = Limits(trust=oracle.policy.trust)

    def confirmed(self, said: Sequence[Item]) -> Answered:
        """Yes or no."""
        text = written(said, "")
        report = self.oracle.check(text)
        if _licensed(report):
            return Answered(outcome=Outcome.ANSWERED, text=f"Yes. {text}", values=("yes",), report=report)
        return Answered(outcome=Outcome.UNKNOWN, report=report)

    def completed(self, asked: Asked, *, lossy: bool) -> Answered:
        """The sentence with what the graph puts into its gap."""
        if asked.wanted is not Wanted.NUMBER:
            found = self._things(asked, lossy=lossy)
            if found.outcome is not Outcome.UNREAD:
                return found
        if asked.noun and asked.wanted is Wanted.THING:
            return Answered(outcome=Outcome.UNREAD)
        value = value_of(asked, self.oracle)
        if not value:
            return Answered(outcome=Outcome.UNREAD)
        return self._said(asked, (value,))

    def _things(self, asked: Asked, *, lossy: bool) -> Answered:
        found = things(asked.items, self.discourse, self.source, self.limits)
        if not found.read:
            return Answered(outcome=Outcome.UNREAD)
        named = {iri for i in asked.items if i.entity is not None for iri in i.entity.candidates}
        kinds = {iri: kind_of(asked.noun, iri, self.source) for iri in found.iris if iri not in named}
        fitting = [iri for iri, kind in kinds.items() if kind is Kind.IS]
        if not fitting and len(kinds) == 1 and Kind.UNKNOWN in kinds.values():
            fitting = list(kinds)
        elif lossy and len([k for k in kinds.values() if k is not Kind.IS_NOT]) > 1:
            return Answered(outcome=Outcome.AMBIGUOUS)
        if not fitting or found.many:
            return Answered(outcome=Outcome.UNKNOWN)
        names = tuple(dict.fromkeys(map(self._name, fitting)))
        if len(names) > 1 and not asked.plural:
            plain = {_unqualified(name) for name in names}
            if len(plain) > 1:
                return Answered(outcome=Outcome.AMBIGUOUS)
            names = tuple(plain)
        return self._said(asked, names[:_MOST])

    def _name(self, iri: str) -> str:
        number = self.source.graph.id(iri)
        return self.source.graph.label(number) if number is not None else iri

    def _said(self, asked: Asked, values: tuple[str, ...]) -> Answered:
        text = " ".join(written(asked.items, value) for value in values)
        report = self.oracle.check(text)
        if not _licensed(report):
            return Answered(outcome=Outcome.UNKNOWN, report=report)
        return Answered(outcome=Outcome.ANSWERED, text=text, values=values, report=report)


def _unqualified(name: str) -> str:
    """A name without what tells it from others of the same name: "Cross Creek (Ohio River tributary)"."""
    return name.partition(" (")[0]


def _licensed(report: Report) -> bool:
    """Whether all of a text is supported."""
    return bool(report.segments) and all(s.label is Label.SUPPORTED for s in report.segments)
