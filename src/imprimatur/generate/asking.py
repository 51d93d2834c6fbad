"""One question to one knowledge base: its sentence is completed by the graph, written out, and licensed.

Contract: see ``generate.answers``. A thing that the question only describes ("the river that X flows into") is found
first, by the same way, and then named; each step of such an answer is a licensed sentence of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from imprimatur.claim import Mention
from imprimatur.clock import given_up
from imprimatur.extract.asked import Asked, Wanted
from imprimatur.extract.described import Relative, relatives
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.questions import Choice, choice, statements, yes_or_no
from imprimatur.extract.reworded import unranked
from imprimatur.extract.syntax import Item
from imprimatur.generate.answered import Answered, Outcome, licensed, refuted
from imprimatur.generate.fitting import fitting, of_outcome, unqualified
from imprimatur.generate.meeting import met
from imprimatur.generate.narrowed import plainly
from imprimatur.generate.own_words import in_own_words
from imprimatur.generate.sentence import listed, written
from imprimatur.generate.values import texts_of, value_of
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.graph.completing import things
from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["Asking"]

_DEEPEST = 3  # descriptions within descriptions
_MOST = 20  # as many things are listed


class Asking:
    """One question to one knowledge base."""

    def __init__(self, oracle: Oracle, source: GraphSource, discourse: Discourse, *, seconds: float) -> None:
        self.oracle = oracle
        self.source = source
        self.discourse = discourse
        self.limits = Limits(trust=oracle.policy.trust)
        #: Whether the answer is one of some that are given, and the things that these name.
        self.choosing = False
        self.options: frozenset[str] = frozenset()
        self._ends = time.monotonic() + seconds
        self._reports: dict[str, Report] = {}

    @property
    def late(self) -> bool:
        """Whether the time for the question is up, or nobody waits for it; what is proposed then is not looked at."""
        return time.monotonic() >= self._ends or given_up()

    def check(self, text: str) -> Report:
        """The report on a sentence; each is checked once."""
        if text not in self._reports:
            self._reports[text] = self.oracle.check(text)
        return self._reports[text]

    # -- ways to answer -----------------------------------------------------------------------------------------------
    def answered(self, items: Sequence[Item], depth: int = 0) -> Answered:
        """The answer to a question, described things in it found first where it is not read as it stands."""
        found = self._directly(items)
        if found.outcome is Outcome.ANSWERED or depth == _DEEPEST:
            return found
        for relative in relatives(items):
            if self.late:
                return Answered(outcome=Outcome.LATE)
            inner = self.completed(relative.asked, lossy=False)
            if inner.outcome is Outcome.ANSWERED and len(inner.iris) == 1:
                whole = self._over(items, relative, inner, depth)
                if whole.outcome is Outcome.ANSWERED:
                    return whole
        return found

    def among(self, items: Sequence[Item], options: Sequence[str]) -> Answered:
        """The one option of which the question's sentence is licensed; none where what comes last is asked."""
        for asked in statements(items):
            for plain, _ in plainly(asked):
                if self.late:
                    return Answered(outcome=Outcome.LATE)
                if of_outcome(plain.items) or not self._supposed(plain):
                    continue
                texts = [written(plain.items, option.strip().rstrip(".")) for option in options]
                if not any(map(self._is_read, texts[:2])):
                    continue  # no option makes it a sentence that is understood
                right = [n for n, text in enumerate(texts) if licensed(self.check(text))]
                if len(right) == 1:
                    return self._said(plain, (options[right[0]].strip().rstrip("."),))
                if right:
                    return Answered(outcome=Outcome.AMBIGUOUS)
        return Answered(outcome=Outcome.UNKNOWN)

    def _is_read(self, text: str) -> bool:
        """Whether some claim of a sentence has a reading."""
        return any(c.claim.readings for s in self.check(text).segments for c in s.claims)

    def _supposed(self, asked: Asked) -> bool:
        """Whether what a question supposes is licensed."""
        return not asked.supposed or licensed(self.check(written(asked.supposed, "")))

    def _over(self, items: Sequence[Item], relative: Relative, inner: Answered, depth: int) -> Answered:
        """The answer to a question in which a described thing is named."""
        name = self.own_name(inner.iris[0])
        if not name:
            return Answered(outcome=Outcome.AMBIGUOUS)
        thing = Item(-1, -1, name, name.lower(), entity=Mention(-1, -1, name, inner.iris))
        outer = self.answered((*items[: relative.start], thing, *items[relative.stop :]), depth + 1)
        if outer.outcome is not Outcome.ANSWERED:
            return outer
        text = f"{inner.text} {outer.text}"
        return replace(outer, text=text, report=self.check(text))

    def _directly(self, items: Sequence[Item]) -> Answered:
        said = yes_or_no(items)
        if said:
            return self._confirmed(said)
        between = choice(items)
        if between is not None:
            return self._chosen(between)
        best = Answered(outcome=Outcome.UNREAD)
        for asked in statements(items):
            for plain, less in plainly(asked):
                found = self.completed(plain, lossy=less or asked.lossy)
                if found.outcome is Outcome.ANSWERED:
                    return found
                best = best if found.outcome is Outcome.UNREAD else found
                if found.outcome is Outcome.AMBIGUOUS:
                    break
        return next((f for f in self._otherwise(items) if f.outcome is Outcome.ANSWERED), best)

    def _otherwise(self, items: Sequence[Item]) -> Iterator[Answered]:
        """The answers that no sentence of the question gives: where things meet, or in a property's own words."""
        for asked in statements(items):
            yield met(asked, self)
            for other in in_own_words(asked, self.source):
                yield self.completed(other, lossy=True)
            less = unranked(asked.items) if self.choosing else ()
            if less:
                yield self.completed(replace(asked, items=less), lossy=True)

    def _confirmed(self, said: Sequence[Item]) -> Answered:
        """Yes or no; not known is neither."""
        text = written(said, "")
        report = self.check(text)
        if licensed(report):
            return Answered(outcome=Outcome.ANSWERED, text=f"Yes. {text}", values=("yes",), report=report)
        if refuted(report):
            return Answered(outcome=Outcome.ANSWERED, text="No.", values=("no",), report=report)
        return Answered(outcome=Outcome.UNKNOWN, report=report)

    def _chosen(self, between: Choice) -> Answered:
        """The one thing of which the sentence is licensed."""
        texts = [written(said, "") for said in between.said]
        reports = [self.check(text) for text in texts]
        right = [n for n, report in enumerate(reports) if licensed(report)]
        if len(right) != 1:
            return Answered(outcome=Outcome.AMBIGUOUS if right else Outcome.UNKNOWN)
        thing = between.things[right[0]]
        iris = thing.entity.candidates if thing.entity is not None else ()
        text, report = texts[right[0]], reports[right[0]]
        return Answered(outcome=Outcome.ANSWERED, text=text, values=(thing.text,), iris=iris, report=report)

    # -- completing ---------------------------------------------------------------------------------------------------
    def completed(self, asked: Asked, *, lossy: bool) -> Answered:
        """The sentence with what the graph puts into its gap."""
        if self.late:
            return Answered(outcome=Outcome.LATE)
        if not self._supposed(asked):
            return Answered(outcome=Outcome.UNKNOWN)
        if asked.wanted is Wanted.DIRECTION:
            return self._text(asked)
        found = Answered(outcome=Outcome.UNREAD)
        if asked.wanted is not Wanted.NUMBER:
            found = self._things(asked, lossy=lossy)
            things_only = asked.noun or asked.wanted in (Wanted.PLACE, Wanted.PERSON) or of_outcome(asked.items)
            if found.outcome in (Outcome.ANSWERED, Outcome.AMBIGUOUS) or things_only:
                return found
        value = value_of(asked, self.oracle)
        said = self._said(asked, (value,)) if value else self._text(asked)
        return found if said.outcome is Outcome.UNREAD else said

    def _text(self, asked: Asked) -> Answered:
        """The sentence with the one text of the graph that makes it licensed."""
        wanted = asked.wanted in (Wanted.THING, Wanted.DIRECTION) and not asked.unit
        proposed = texts_of(asked, self.source) if wanted else ()
        found = [text for text in proposed if licensed(self.check(written(asked.items, text)))]
        if len(found) > 1:
            return Answered(outcome=Outcome.AMBIGUOUS)
        return self._said(asked, tuple(found)) if found else Answered(outcome=Outcome.UNREAD)

    def _things(self, asked: Asked, *, lossy: bool) -> Answered:
        found = things(asked.items, self.discourse, self.source, self.limits)
        if self.options and of_outcome(asked.items):
            found = replace(found, iris=tuple(iri for iri in found.iris if iri in self.options))
        if not found.read:
            return Answered(outcome=Outcome.UNREAD)
        answers = fitting(asked, found, self.source, name=self._name, lossy=lossy)
        if isinstance(answers, Outcome):
            return Answered(outcome=answers)
        names = tuple(dict.fromkeys(map(self._name, answers)))
        if len(names) > 1 and not asked.plural:
            names = (unqualified(names[0]),)
        said = self._said(asked, names[:_MOST])
        return replace(said, iris=answers, more=max(0, len(names) - _MOST))

    def _said(self, asked: Asked, values: tuple[str, ...]) -> Answered:
        """The sentence with its values, in one where that is licensed, else one for each."""
        report = None
        for text in dict.fromkeys((written(asked.items, listed(values)), " ".join(map(_writing(asked), values)))):
            report = self.check(text)
            if licensed(report):
                return Answered(outcome=Outcome.ANSWERED, text=text, values=values, report=report)
        return Answered(outcome=Outcome.UNKNOWN, report=report)

    # -- names --------------------------------------------------------------------------------------------------------
    def own_name(self, iri: str) -> str:
        """A name that nothing else bears; empty when there is none."""
        number = self.source.graph.id(iri)
        labels = self.source.graph.labels(number) if number is not None else ()
        return next((label for label in labels if self.source.lexicon.candidates(label) == (iri,)), "")

    def kinds(self, iri: str) -> frozenset[str]:
        """The classes of a thing."""
        number = self.source.graph.id(iri)
        return frozenset(self.source.schema.types(number)) if number is not None else frozenset()

    def _name(self, iri: str) -> str:
        number = self.source.graph.id(iri)
        return self.source.graph.label(number) if number is not None else iri


def _writing(asked: Asked) -> Callable[[str], str]:
    return lambda value: written(asked.items, value)
