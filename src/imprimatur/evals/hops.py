"""``imprimatur eval hops``: questions over two and three facts of a graph, made from its own labels, and answered.

A chain of facts, each the only one of its subject and property, becomes a question that names the first thing and asks
for the last value ("What is the length of the river into which the river that X flows into flows?"). Invariants: one
seed gives one set of questions; the gold value is read from the graph's columns, not by what answers; an answer that is
not the gold value is wrong, whatever else it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain
from imprimatur.errors import InputError
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.extract.words import forms
from imprimatur.generate.answered import Answered, Outcome
from imprimatur.generate.answers import answer
from imprimatur.language import dates, quantities
from imprimatur.language.rounding import Match, matches
from imprimatur.language.units import by_iri
from imprimatur.oracle import Oracle
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.schema import PropertyInfo

__all__ = ["Question", "questions", "run"]

_TRIES = 400  # chains that are tried for one question


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the things of its chain, the properties between them, and the number of the last value."""

    text: str
    chain: tuple[str, ...]
    value: int


def run(kb: str, *, most: int, seed: int, refused: bool, as_json: bool, out: Path | None = None) -> int:
    """Asks questions of a knowledge base, prints how many are answered rightly, and returns 1 when one is wrong.

    Raises:
        ImprimaturError: the knowledge base is wrong, or has no graph.
    """
    oracle = Oracle.from_folder(kb)
    part = oracle.knowledge.part
    if part is None:
        raise InputError("the knowledge base has no graph to ask", where=kb, hint="name one that has `graph:`")
    asked = list(questions(part.judging, most, seed))
    found: list[tuple[Question, Answered]] = []
    with Progress("asking", total=len(asked)) as progress:
        for question in asked:
            found.append((question, answer(question.text, oracle)))
            progress.step(question.text)
    answered = [(q, a) for q, a in found if a.outcome is Outcome.ANSWERED]
    right = [(q, a) for q, a in answered if _right(q, a, part.judging)]
    shares = {
        "right": Share(len(right), len(found)),
        "wrong": Share(len(answered) - len(right), len(found)),
        "refused": Share(len(found) - len(answered), len(found)),
    }
    if out is not None:
        settings = {"kb": Path(kb).name, "most": most, "seed": seed}
        sources, versions = provenance(oracle)
        told = evaluation.Outcome(
            name="hops",
            title="Questions over two and three facts",
            tables=(_table(shares),),
            cases=tuple(_cases(found, {id(q) for q, _ in right})),
            rows=tuple(_rows(found, {id(q) for q, _ in right})),
            settings=settings,
            sources=sources,
            versions=versions,
        )
        keep(told, out)
    if as_json:
        session.emit_json({name: share.to_dict() for name, share in shares.items()})
    else:
        _print(found, right, show_refused=refused)
        for name, share in shares.items():
            click.echo(f"{name}: {share}")
    return 1 if len(answered) > len(right) else 0


def _table(shares: Mapping[str, Share]) -> evaluation.Table:
    rows = tuple((name, evaluation.Figure.of(share)) for name, share in shares.items())
    return evaluation.Table(title="Answers", head=("answer", "share"), rows=rows)


def _cases(found: Sequence[tuple[Question, Answered]], right: set[int]) -> Iterator[evaluation.Case]:
    """What was not answered rightly; a wrong answer is grave."""
    for question, given in found:
        if id(question) not in right:
            wrong = given.outcome is Outcome.ANSWERED
            kind, said = ("wrong answer", given.text) if wrong else ("refused", given.outcome.value)
            chain = tuple(question.chain)
            yield evaluation.Case(
                id=question.text, kind=kind, text=question.text, said=said, evidence=chain, grave=wrong
            )


def _rows(found: Sequence[tuple[Question, Answered]], right: set[int]) -> Iterator[evaluation.Row]:
    for question, given in found:
        yield evaluation.Row(id=question.text, said=given.outcome.value, right=id(question) in right)


def _print(
    found: Sequence[tuple[Question, Answered]], right: Sequence[tuple[Question, Answered]], *, show_refused: bool
) -> None:
    fine = {id(q) for q, _ in right}
    for question, given in found:
        if given.outcome is Outcome.ANSWERED and id(question) not in fine:
            click.echo(f"WRONG  {plain(question.text)}  {plain(given.text)}")
        elif given.outcome is not Outcome.ANSWERED and show_refused:
            click.echo(f"{given.outcome.value}  {plain(question.text)}")


def _right(question: Question, given: Answered, source: GraphSource) -> bool:
    """Whether the answer is the value at the end of the chain."""
    graph = source.graph
    if not graph.is_literal(question.value):
        return graph.iri(question.value) in given.iris and len(given.values) == 1
    info = source.schema.property(question.chain[-1])
    number, stored_date = graph.number(question.value), graph.date(question.value)
    text = given.values[0] if len(given.values) == 1 else ""
    if stored_date is not None and not (info is not None and info.unit_iri):
        told, _ = dates.read(text)
        return len(told) == 1 and (told[0].value.first, told[0].value.last) == (stored_date.first, stored_date.last)
    said = quantities.find(text)
    unit = by_iri(info.unit_iri) if info is not None and info.unit_iri else None
    return number is not None and len(said) == 1 and matches(said[0].quantity, number, unit) is Match.YES


# -- making -----------------------------------------------------------------------------------------------------------
def questions(source: GraphSource, most: int, seed: int) -> Iterator[Question]:
    """Questions over two and three facts, in turn; fewer when the graph has no more chains."""
    random = Random(seed)
    starts = sorted(n for n in source.graph.subjects_all() if source.graph.is_iri(n))
    tried = (_made(source, random.choice(starts), 2 + n % 2, random) for n in range(most * _TRIES))
    distinct: dict[str, Question] = {}
    for question in tried:
        if question is not None and question.text not in distinct:
            distinct[question.text] = question
            yield question
        if len(distinct) >= most:
            return


def _made(source: GraphSource, start: int, facts: int, random: Random) -> Question | None:
    """A question about a thing over so many facts; None when its chain ends too early or is not told in words."""
    name = _own_name(source, start)
    if not name or not source.schema.types(start):
        return None
    told, at, chain = name, start, [source.graph.iri(start)]
    for step in range(facts):
        last = step == facts - 1
        ways = list(islice(_ways(source, at, last=last), 12))
        if not ways:
            return None
        info, value = random.choice(ways)
        if last:
            text = _question(source, info, told, value)
            return Question(text=text, chain=(*chain, info.iri), value=value) if text else None
        described = _described(source, info, told, value, turned=step > 0)
        if not described:
            return None
        told, at = described, value
        chain += [info.iri, source.graph.iri(value)]
    return None


def _ways(source: GraphSource, at: int, *, last: bool) -> Iterator[tuple[PropertyInfo, int]]:
    """The properties of a thing that have one value, with it; on the way only to things with a name of their own."""
    found: dict[str, set[int]] = {}
    for predicate, value in source.graph.out(at):
        found.setdefault(source.graph.iri(predicate), set()).add(value)
    for iri, values in sorted(found.items()):
        info = source.schema.property(iri)
        if info is None or len(values) != 1 or source.schema.gives_labels(iri) or not info.labels:
            continue
        facts = source.entailment.values(at, iri)
        if {f.object for f in facts} != values:
            continue  # more follows than is stored
        (value,) = values
        if source.graph.is_literal(value):
            if last and (source.graph.number(value) is not None or source.graph.date(value) is not None):
                yield info, value
        elif _own_name(source, value) and source.schema.types(value):
            yield info, value


def _own_name(source: GraphSource, thing: int) -> str:
    """The label of a thing when it is of no other."""
    label = source.graph.label(thing)
    return label if source.lexicon.candidates(label) == (source.graph.iri(thing),) else ""


def _noun(source: GraphSource, thing: int) -> str:
    """What a thing is, by the label of its most special class, when there is one."""
    types = source.schema.types(thing)
    known = [c for iri in types if (c := source.schema.class_(iri)) is not None and not types & set(c.subs)]
    return known[0].labels[0] if len(known) == 1 and known[0].labels else ""


def _described(source: GraphSource, info: PropertyInfo, told: str, value: int, *, turned: bool) -> str:
    """The value as described by the fact: "the river that X flows into", "the source county of X"."""
    label, noun = info.labels[0], _noun(source, value)
    verb, _, preposition = label.partition(" ")
    first, last = forms(verb), forms(label.rpartition(" ")[2])
    if "s" in first.verb_forms and "prep" in last.closed and noun:
        if turned:
            return f"the {noun} {preposition} which {told} {verb}" if " " not in preposition else ""
        return f"the {noun} that {told} {label}"
    if label.endswith(" of") and noun and not turned:
        return f"the {noun} that {told} is a {label}"
    return f"the {label} of {told}" if _nominal(label) else ""


def _question(source: GraphSource, info: PropertyInfo, told: str, value: int) -> str:
    """What asks for the value of a property of what is told of."""
    label = info.labels[0]
    if _nominal(label):
        return f"What is the {label} of {told}?"
    noun = _noun(source, value) if not source.graph.is_literal(value) else ""
    verb, _, rest = label.partition(" ")
    first = forms(verb)
    if "s" in first.verb_forms and first.verb and noun:
        return f"Which {noun} does {told} {first.verb} {rest}?"
    return f"Which {noun} is {told} a {label}?" if label.endswith(" of") and noun else ""


def _nominal(label: str) -> bool:
    """Whether a label is a noun phrase: "length", "source county"."""
    words = [forms(w) for w in label.lower().split()]
    plain = all((w.noun or w.adj) and not w.closed for w in words)
    return plain and bool(words[-1].noun) and "s" not in words[0].verb_forms
