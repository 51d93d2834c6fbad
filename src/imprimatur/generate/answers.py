"""Answers from the graph, without a model: what completes the question's sentence, licensed by the five stages.

Contract: ``answer`` never says anything that was not licensed as it is said. What the graph knows is only a proposal;
each proposal is written out as a sentence and checked like any other answer. Where several things fit and the question
asks for one, or where part of the question could not be taken into account, nothing is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from imprimatur.extract.discourse import Discourse
from imprimatur.extract.items import items_of
from imprimatur.claim import Mention
from imprimatur.extract.questions import (
    Asked,
    Choice,
    Relative,
    Wanted,
    choice,
    premise,
    relatives,
    statements,
    yes_or_no,
)
from imprimatur.extract.syntax import Item
from imprimatur.generate.kinds import Kind, kind_of
from imprimatur.generate.narrowed import plainly
from imprimatur.generate.sentence import written
from imprimatur.generate.values import value_of
from imprimatur.language import closed_class
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.graph.completing import things
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.verdict import Label

__all__ = ["Answered", "Outcome", "answer", "choose"]

_DEEPEST = 3  # descriptions within descriptions
_MOST_SENSES = 8  # things of one name
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
        iris: the things that these are, where they are things.
        clarify: a question back, where the question can be meant in several ways.
        report: the report on the text.
    """

    outcome: Outcome
    text: str = ""
    values: tuple[str, ...] = ()
    iris: tuple[str, ...] = ()
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
    if supposed and not _licensed(oracle.check(written(supposed, ""))):
        return Answered(outcome=Outcome.UNKNOWN)
    return asking.meant(rest or items)


def choose(question: str, options: Sequence[str], oracle: Oracle) -> Answered:
    """Which one of some options the graph licenses as the answer to a question; none when it is not exactly one."""
    part = oracle.knowledge.part
    if part is None:
        return Answered(outcome=Outcome.UNKNOWN)
    asking = _Asking(oracle, part.judging)
    items = items_of(question, asking.discourse)
    supposed, rest = premise(items)
    if supposed and not _licensed(oracle.check(written(supposed, ""))):
        return Answered(outcome=Outcome.UNKNOWN)
    return asking.among(rest or items, options)


class _Asking:
    """One question to one knowledge base."""

    def __init__(self, oracle: Oracle, source: GraphSource) -> None:
        self.oracle = oracle
        self.source = source
        self.discourse = Discourse(oracle.knowledge.lexicon)
        self.limits = Limits(trust=oracle.policy.trust)

    def meant(self, items: Sequence[Item]) -> Answered:
        """The answer in the one sense that a question has; where a name is of several things, all must agree."""
        senses = self._senses(items)
        if len(senses) == 1:
            return self.answered(items)
        found = [(iri, self.answered(sense)) for iri, sense in senses.items()]
        right = [(iri, f) for iri, f in found if f.outcome is Outcome.ANSWERED]
        if not right:
            return Answered(outcome=Outcome.AMBIGUOUS if not senses else Outcome.UNKNOWN)
        kinds = self._kinds(right[0][0])
        others = [f for iri, f in found if kinds & self._kinds(iri)]
        if any(f.outcome is not Outcome.ANSWERED or f.values != right[0][1].values for f in others):
            return Answered(outcome=Outcome.AMBIGUOUS, clarify=self._which(items, tuple(senses)))
        return right[0][1]

    def _senses(self, items: Sequence[Item]) -> dict[str, tuple[Item, ...]]:
        """The question for each thing that its first ambiguous name may mean, by what it means; none: too many."""
        at = next((n for n, i in enumerate(items) if i.entity is not None and len(i.entity.candidates) > 1), None)
        if at is None:
            return {"": tuple(items)}
        mention = items[at].entity
        assert mention is not None
        senses: dict[str, tuple[Item, ...]] = {}
        for iri in mention.candidates[: _MOST_SENSES + 1]:
            name = self._own_name(iri) or items[at].text
            thing = items[at]._replace(text=name, lower=name.lower(), entity=replace(mention, candidates=(iri,)))
            senses[iri] = (*items[:at], thing, *items[at + 1 :])
        return senses if len(senses) <= _MOST_SENSES else {}

    def _kinds(self, iri: str) -> frozenset[str]:
        number = self.source.graph.id(iri)
        return frozenset(self.source.schema.types(number)) if number is not None else frozenset()

    def _which(self, items: Sequence[Item], iris: Sequence[str]) -> str:
        name = next(i.text for i in items if i.entity is not None and len(i.entity.candidates) > 1)
        told = [self._own_name(iri) or iri for iri in iris]
        return f"Which {name} do you mean: {', '.join(told[:-1])} or {told[-1]}?"

    def among(self, items: Sequence[Item], options: Sequence[str]) -> Answered:
        """The one option of which the question's sentence is licensed."""
        for asked in statements(items):
            for plain, _ in plainly(asked):
                if any(i.lower in closed_class.words("outcome") for i in plain.items):
                    continue
                texts = [written(plain.items, option.strip().rstrip(".")) for option in options]
                reports = [self.oracle.check(text) for text in texts]
                right = [n for n, report in enumerate(reports) if _licensed(report)]
                if len(right) == 1:
                    only = right[0]
                    values = (options[only],)
                    return Answered(outcome=Outcome.ANSWERED, text=texts[only], values=values, report=reports[only])
                if right:
                    return Answered(outcome=Outcome.AMBIGUOUS)
        return Answered(outcome=Outcome.UNKNOWN)

    def answered(self, items: Sequence[Item], depth: int = 0) -> Answered:
        """The answer to a question, described things in it found first where it is not read as it stands."""
        found = self._directly(items)
        if found.outcome is Outcome.ANSWERED or depth == _DEEPEST:
            return found
        for relative in relatives(items):
            inner = self.completed(relative.asked, lossy=False)
            if inner.outcome is not Outcome.ANSWERED or len(inner.iris) != 1:
                continue
            whole = self._over(items, relative, inner, depth)
            if whole.outcome is Outcome.ANSWERED:
                return whole
        return found

    def _over(self, items: Sequence[Item], relative: Relative, inner: Answered, depth: int) -> Answered:
        """The answer to a question in which a described thing is named."""
        name = self._own_name(inner.iris[0])
        if not name:
            return Answered(outcome=Outcome.AMBIGUOUS)
        thing = Item(-1, -1, name, name.lower(), entity=Mention(-1, -1, name, inner.iris))
        outer = self.answered((*items[: relative.start], thing, *items[relative.stop :]), depth + 1)
        if outer.outcome is not Outcome.ANSWERED:
            return outer
        text = f"{inner.text} {outer.text}"
        return replace(outer, text=text, report=self.oracle.check(text))

    def _directly(self, items: Sequence[Item]) -> Answered:
        said = yes_or_no(items)
        if said:
            return self.confirmed(said)
        between = choice(items)
        if between is not None:
            return self._chosen(between)
        best = Answered(outcome=Outcome.UNREAD)
        for asked in statements(items):
            for plain, less in plainly(asked):
                lossy = less or asked.lossy
                found = self.completed(plain, lossy=lossy)
                if found.outcome is Outcome.ANSWERED:
                    return found
                best = best if found.outcome is Outcome.UNREAD else found
                if found.outcome is Outcome.AMBIGUOUS:
                    break
        return best

    def _chosen(self, between: Choice) -> Answered:
        """The one thing of which the sentence is licensed."""
        texts = [written(said, "") for said in between.said]
        reports = [self.oracle.check(text) for text in texts]
        right = [n for n, report in enumerate(reports) if _licensed(report)]
        if len(right) != 1:
            return Answered(outcome=Outcome.UNKNOWN if not right else Outcome.AMBIGUOUS)
        value = between.things[right[0]].text
        return Answered(outcome=Outcome.ANSWERED, text=texts[right[0]], values=(value,), report=reports[right[0]])

    def confirmed(self, said: Sequence[Item]) -> Answered:
        """Yes or no."""
        text = written(said, "")
        report = self.oracle.check(text)
        if _licensed(report):
            return Answered(outcome=Outcome.ANSWERED, text=f"Yes. {text}", values=("yes",), report=report)
        if _refuted(report):
            right = [e.correction for s in report.segments for c in s.claims for e in c.verdict.evidence if e.correction]
            told = f" It would have to be: {right[0]}." if right else ""
            return Answered(outcome=Outcome.ANSWERED, text="No.", values=("no",), clarify=told, report=report)
        return Answered(outcome=Outcome.UNKNOWN, report=report)

    def completed(self, asked: Asked, *, lossy: bool) -> Answered:
        """The sentence with what the graph puts into its gap."""
        if any(i.lower in closed_class.words("outcome") for i in asked.items):
            return Answered(outcome=Outcome.UNKNOWN)  # "ultimately": what comes last is not known by what is stored
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
        if not fitting and not _several(kinds, self._name):
            fitting = [iri for iri, kind in kinds.items() if kind is Kind.UNKNOWN]
        elif (lossy or not asked.plural) and _several(kinds, self._name):
            return Answered(outcome=Outcome.AMBIGUOUS)
        if not fitting or found.many:
            return Answered(outcome=Outcome.UNKNOWN)
        names = tuple(dict.fromkeys(map(self._name, fitting)))
        if len(names) > 1 and not asked.plural:
            plain = {_unqualified(name) for name in names}
            if len(plain) > 1:
                return Answered(outcome=Outcome.AMBIGUOUS)
            names = tuple(plain)
        return replace(self._said(asked, names[:_MOST]), iris=tuple(fitting))

    def _name(self, iri: str) -> str:
        number = self.source.graph.id(iri)
        return self.source.graph.label(number) if number is not None else iri

    def _own_name(self, iri: str) -> str:
        """A name that nothing else bears; empty when there is none."""
        number = self.source.graph.id(iri)
        labels = self.source.graph.labels(number) if number is not None else ()
        return next((label for label in labels if self.source.lexicon.candidates(label) == (iri,)), "")

    def _said(self, asked: Asked, values: tuple[str, ...]) -> Answered:
        text = " ".join(written(asked.items, value) for value in values)
        report = self.oracle.check(text)
        if not _licensed(report):
            return Answered(outcome=Outcome.UNKNOWN, report=report)
        return Answered(outcome=Outcome.ANSWERED, text=text, values=values, report=report)


def _several(kinds: Mapping[str, Kind], name: Callable[[str], str]) -> bool:
    """Whether more than one thing may be of the kind that is asked for."""
    return len({_unqualified(name(iri)) for iri, kind in kinds.items() if kind is not Kind.IS_NOT}) > 1


def _refuted(report: Report) -> bool:
    """Whether the one claim of a text is contradicted, and nothing else is said."""
    claims = [c for s in report.segments for c in s.claims]
    return len(claims) == 1 and claims[0].verdict.label is Label.CONTRADICTED and not any(
        s.residue for s in report.segments
    )


def _unqualified(name: str) -> str:
    """A name without what tells it from others of the same name: "Cross Creek (Ohio River tributary)"."""
    return name.partition(" (")[0]


def _licensed(report: Report) -> bool:
    """Whether all of a text is supported."""
    return bool(report.segments) and all(s.label is Label.SUPPORTED for s in report.segments)
