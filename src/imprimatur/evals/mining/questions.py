"""Questions from a knowledge base: what a thing's property is, where the graph has it and where it has not.

The first sort is of facts that are the only one of their thing and property; the second of things of the same kind of
which no value is known. An answer is right when the second opinion has it as a value. One that states another fact of
the asked thing, of a property that is said in the same words ("What does X join?"), is counted by itself and listed,
for no second opinion knows words; any other is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from imprimatur.evals.epistemic import Asked
from imprimatur.evals.label_questions import question_of
from imprimatur.evals.mining.book import RDF_TYPE, Literal
from imprimatur.evals.mining.making import Maker
from imprimatur.evals.questions import same
from imprimatur.extract.words import forms
from imprimatur.generate.answered import Answered, Outcome
from imprimatur.generate.answers import answer

__all__ = ["AskedQuestion", "MinedQuestion", "ask", "questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedQuestion:
    """A question about a thing, what it asks for, and its right values as they are written; none where it has none."""

    id: str
    text: str
    thing: str
    property: str
    right: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question with what was answered.

    Attributes:
        said: the answer; empty for a refusal, of which ``why`` says more.
        right: what is answered is a right value.
        beside: it is none, but another fact of the thing.
    """

    question: MinedQuestion
    said: str = ""
    right: bool = False
    beside: bool = False
    why: str = ""

    @property
    def wrong(self) -> bool:
        """Whether something is answered that the graph does not have."""
        return bool(self.said) and not self.right and not self.beside

    def asked(self) -> Asked:
        """As a row of the paper's measures."""
        return Asked(
            entailed=bool(self.question.right),
            answered=bool(self.said),
            correct=self.right or self.beside,
            licensed=bool(self.said),
        )


def questions(maker: Maker, most: int) -> list[MinedQuestion]:
    """At most so many questions that the graph answers, and as many that it does not; each property in turn."""
    found: list[MinedQuestion] = []
    for known in (True, False):
        drafts = {name: _drafts(maker, name, known) for name in maker.properties if name != RDF_TYPE}
        seen: dict[str, MinedQuestion] = {}
        while drafts and len(seen) < most:
            for name in list(drafts):
                made = next(drafts[name], None)
                if made is None:
                    del drafts[name]
                elif len(seen) < most:
                    seen.setdefault(made.text, made)
        found += seen.values()
    return found


def _drafts(maker: Maker, name: str, known: bool) -> Iterator[MinedQuestion]:
    source, book = maker.source, maker.source.book
    label = next((label for label in source.labels(name) if _asks(label)), "")
    kind = "known" if known else "unknown"
    kin = frozenset[str]() if known else book.kin(name)
    for number, (subject, value) in enumerate(maker.facts(name) if label else ()):
        thing = subject if known else maker.alike(subject, name)
        if not thing or (known and len(book.values(subject, name)) != 1):
            continue
        if any(book.values(thing, each) for each in kin):
            continue  # A more special or more general fact may answer it.
        right = (source.value(name, value),) if known else ()
        yield MinedQuestion(
            id=f"{kind} {name} {number}",
            text=question_of(label, source.name(thing)),
            thing=thing,
            property=maker.label(name),
            right=right,
        )


def _asks(label: str) -> bool:
    """Whether a label gives a plain question: a noun, or a verb in its third person."""
    first, last = forms(label.split()[0].lower()), forms(label.split()[-1].lower())
    noun = bool(last.noun) and not first.closed and "pp" not in first.verb_forms
    return noun or bool(first.verb and "s" in first.verb_forms and not first.closed)


def ask(
    asked: Sequence[MinedQuestion], maker: Maker, *, step: Callable[[str], None] = lambda what: None
) -> list[AskedQuestion]:
    """The questions with their answers, in order."""
    found = []
    for question in asked:
        given = answer(question.text, maker.source.oracle)
        step(question.text)
        if given.outcome is not Outcome.ANSWERED:
            found.append(AskedQuestion(question=question, why=given.clarify or given.outcome.value))
        else:
            right = _right(given, question, maker)
            beside = not right and _beside(given, question, maker)
            found.append(AskedQuestion(question=question, said=given.text, right=right, beside=beside))
    return found


def _right(given: Answered, question: MinedQuestion, maker: Maker) -> bool:
    """Whether all that is answered is right."""
    oracle = maker.source.oracle
    return bool(question.right) and all(
        any(same(value, right, oracle) for right in question.right) for value in given.values
    )


def _beside(given: Answered, question: MinedQuestion, maker: Maker) -> bool:
    """Whether all that is answered is linked with the asked thing, or a text or number of it."""
    book, values = maker.source.book, maker.source
    if given.iris:
        return all(book.related(question.thing, iri) for iri in given.iris)
    stored = [(name, each) for name, some in book.out[question.thing].items() for each in some]
    shown = {values.value(name, each).lower() for name, each in stored if isinstance(each, Literal)} - {""}
    return bool(given.values) and all(value.lower() in shown for value in given.values)
