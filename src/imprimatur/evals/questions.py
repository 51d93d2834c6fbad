"""``imprimatur eval questions``: questions of a CSV file with five answers each, asked openly and as a choice.

The file is the one of the river questions of Ackermann and Emanuilov (river_name, question_id, question, answer_1 to
answer_5, correct_answer_index). Of its rows those are asked whose fact is in the graph, by a rule that knows nothing of
how questions are read: the river's name is the label of one thing, which is named in the question by a name of nothing
else; the right answer is a value of a fact of that thing (a number by the number rules, a name by what it names, a text
letter for letter); and of no property of which it is a value is another of the five answers a value too. Invariants:
one seed gives one choice of rows; an answer that is not the right one is wrong.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
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
from imprimatur.evals.outcome import Case
from imprimatur.evals.told_figures import tables_of
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item
from imprimatur.generate.answered import Outcome
from imprimatur.generate.answers import answer
from imprimatur.language.rounding import Match, matches
from imprimatur.language.units import by_iri
from imprimatur.oracle import Oracle
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.names import folded

__all__ = ["Row", "Settings", "askable", "read", "run", "same"]

_OPTIONS = tuple(f"answer_{n}" for n in range(1, 6))
_COLUMNS = ("river_name", "question_id", "question", *_OPTIONS, "correct_answer_index")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: the thing that it is about, its text, the answers, and which of them is right."""

    thing: str
    text: str
    options: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How many questions are asked, by which seed; whether refused ones are shown, and where the outcome goes."""

    most: int = 500
    seed: int = 1
    refused: bool = False
    out: Path | None = None
    as_json: bool = False


def run(file: Path, kb: str, settings: Settings) -> int:
    """Asks the questions whose facts are in the graph, prints how many are answered rightly; 1 when one is wrong.

    Raises:
        ImprimaturError: the file or the knowledge base is wrong.
    """
    rows = read(file)
    oracle = Oracle.from_folder(kb)
    part = oracle.knowledge.part
    if part is None:
        raise InputError("the knowledge base has no graph to ask", where=kb, hint="name one that has `graph:`")
    fitting = [row for row in rows if askable(row, part.judging)]
    chosen = Random(settings.seed).sample(fitting, min(settings.most, len(fitting)))
    cases: list[Case] = []
    counts: Counter[tuple[str, str]] = Counter()
    with Progress("asking", total=len(chosen)) as progress:
        for row in chosen:
            for how, outcome, said in _asked(row, oracle):
                counts[how, outcome] += 1
                if outcome != "right":
                    cases.append(_case(row, f"{how} {outcome}", said))
                if outcome == "wrong" or (settings.refused and outcome == "refused"):
                    click.echo(f"{how} {outcome}  {plain(row.text)}  {plain(row.options[row.right])}  {plain(said)}")
            progress.step(row.text)
    shares = {
        how: {outcome: Share(counts[how, outcome], len(chosen)) for outcome in ("right", "wrong", "refused")}
        for how in ("open", "choice")
    }
    if settings.out is not None:
        figures = {how: {o: s.to_dict() for o, s in found.items()} for how, found in shares.items()}
        sources, versions = provenance(oracle, files=(file,))
        told = evaluation.Outcome(
            name="questions",
            title="Questions with five answers",
            tables=tables_of(figures),
            cases=tuple(cases),
            settings={"kb": Path(kb).name, "most": settings.most, "seed": settings.seed},
            sources=sources,
            versions=versions,
            notes=(f"{len(rows)} questions, {len(fitting)} with their fact in the graph, {len(chosen)} asked.",),
        )
        keep(told, settings.out)
    if settings.as_json:
        session.emit_json({how: {o: s.to_dict() for o, s in found.items()} for how, found in shares.items()})
    else:
        click.echo(f"{len(rows)} questions, {len(fitting)} with their fact in the graph, {len(chosen)} asked")
        for how, found in shares.items():
            click.echo("\n".join(f"{how}: {outcome}: {share}" for outcome, share in found.items()))
    return 1 if any(found["wrong"].count for found in shares.values()) else 0


def _case(row: Row, kind: str, said: str) -> Case:
    right = row.options[row.right]
    return Case(id=row.thing, kind=kind, text=row.text, gold=right, said=said, grave=kind.endswith("wrong"))


def read(file: Path) -> tuple[Row, ...]:
    """The distinct questions of a file. Raises InputError when it is no such file."""
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            rows = list(csv.DictReader(opened))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError("not a readable CSV file", where=str(file), hint=str(fault)) from fault
    missing = [c for c in _COLUMNS if not rows or c not in rows[0]]
    if missing:
        raise InputError(f"columns are missing: {', '.join(missing)}", where=str(file), hint="see `--help`")
    found: dict[str, Row] = {}
    for number, row in enumerate(rows, 2):
        index = row["correct_answer_index"]
        if index not in ("0", "1", "2", "3", "4"):
            raise InputError("correct_answer_index is not 0 to 4", where=f"{file}:{number}", hint="mend the row")
        options = tuple(row[name] for name in _OPTIONS)
        made = Row(thing=row["river_name"], text=row["question"], options=options, right=int(index))
        found.setdefault(row["question_id"], made)
    return tuple(found.values())


def askable(row: Row, source: GraphSource) -> bool:
    """Whether the fact that a question asks for is in the graph, by the rule of this module."""
    graph, lexicon = source.graph, source.lexicon
    iris = [iri for iri in lexicon.candidates(row.thing) if row.thing in graph.labels(graph.id(iri) or 0)]
    named = [i.entity.candidates for i in items_of(row.text, lexicon) if i.entity is not None]
    if len(iris) != 1 or (iris[0],) not in named:
        return False
    thing = graph.id(iris[0])
    assert thing is not None
    hits = [_properties(option, thing, source) for option in row.options]
    others = set[str]().union(*(h for n, h in enumerate(hits) if n != row.right))
    return bool(hits[row.right]) and not hits[row.right] & others


def _properties(text: str, thing: int, source: GraphSource) -> set[str]:
    """The properties of which a text is a value of the thing."""
    items = _value(text, source)
    graph = source.graph
    found: set[str] = set()
    for predicate, value in graph.out(thing) if len(items) == 1 else ():
        iri = graph.iri(predicate)
        if not iri.startswith("http://www.w3.org/") and _is(items[0], text, iri, value, source):
            found.add(iri)
    return found


def _is(item: Item, text: str, iri: str, value: int, source: GraphSource) -> bool:
    graph = source.graph
    if not graph.is_literal(value):
        return item.entity is not None and graph.iri(value) in item.entity.candidates
    number = graph.number(value)
    if item.quantity is not None and number is not None:
        info = source.schema.property(iri)
        unit = by_iri(info.unit_iri) if info is not None and info.unit_iri else None
        return matches(item.quantity, number, unit) is Match.YES
    return folded(graph.literal(value).lexical) == folded(text)


def _value(text: str, source: GraphSource) -> tuple[Item, ...]:
    found = items_of(text.strip(" ."), source.lexicon)
    return tuple(i for i in found if i.lower not in ("the", "approximately", "about"))


def _asked(row: Row, oracle: Oracle) -> Iterator[tuple[str, str, str]]:
    """How a question was asked, what came of it, and what was answered."""
    for how, options in (("open", ()), ("choice", row.options)):
        found = answer(row.text, oracle, options=options)
        if found.outcome is not Outcome.ANSWERED:
            yield how, "refused", found.clarify or found.outcome.value
        else:
            fine = any(same(value, row.options[row.right], oracle) for value in found.values)
            yield how, "right" if fine else "wrong", found.text


def same(given: str, right: str, oracle: Oracle) -> bool:
    """Whether two answers are one: one number by the number rules, or one name without article and qualifier."""
    part = oracle.knowledge.part
    assert part is not None
    numbers = [[i.quantity for i in _value(text, part.judging) if i.quantity is not None] for text in (given, right)]
    if all(len(n) == 1 for n in numbers):
        (a,), (b,) = numbers
        stated = (matches(x, y.low.value, y.unit) for x, y in ((a, b), (b, a)))
        return any(match is Match.YES for match in stated)
    return bool(_names(given) & _names(right))


def _names(text: str) -> set[str]:
    """A name as it may be written: whole, without its qualifier, without what stands after a comma."""
    name = "".join(c for c in folded(text).lower().strip(" .") if c != ".").removeprefix("the ")
    return {name, name.partition(" (")[0], name.partition(",")[0]}
