"""Alternative labels that a corpus of answers suggests, for a person to accept.

An answer that says what the graph knows in words that the graph does not have is withheld. Where the things that such
words link are linked by a property in the graph, the words may be another name of it; where a name is unknown and looks
like that of the thing that the graph has in its place, it may be another name of that thing. Both are counted over the
corpus, tried on its sentences, and listed with examples.

Invariants: nothing that is suggested takes effect by itself; every line of the file is a comment until a person
uncomments it; what a person has written into the file stays.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur import __version__
from imprimatur.claim import Mention, Relation
from imprimatur.extract.reader import items_in
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content
from imprimatur.language import dates, rounding, units
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.knowledge import GraphPart
    from imprimatur.report import JudgedSegment, Report

__all__ = ["Suggestion", "Suggestions", "turtle", "write_file"]

#: So many words at most are taken for the name of a property.
_LONGEST = 6
_EXAMPLES = 3
_TRIED = 5
_ALIKE = 0.8
_ALT_LABEL = "<http://www.w3.org/2004/02/skos/core#altLabel>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """An alternative label.

    Attributes:
        iri: the property or thing. name: what it is called now. label: what it may be called as well.
        kind: ``property`` or ``name``.
        seen: in how many sentences the words stand between (or the name beside) known things.
        agreeing: in how many of them the graph says it.
        licensed: how many of those tried are licensed with the label that are not without it; None when not tried.
        examples: some of these sentences.
    """

    iri: str
    name: str
    label: str
    kind: str
    seen: int
    agreeing: int
    licensed: int | None
    examples: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """What was seen of one wording or name."""

    seen: int = 0
    agreeing: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


class Suggestions:
    """Collects suggestions from reports, one answer after another."""

    def __init__(self, oracle: Oracle) -> None:
        part = oracle.knowledge.part
        if part is None:
            raise ValueError("the knowledge base has no graph")
        self._oracle, self._part = oracle, part
        self._wordings: dict[str, _Found] = defaultdict(_Found)
        self._names: dict[str, _Found] = defaultdict(_Found)

    def add(self, report: Report) -> None:
        """Takes in the withheld sentences of an answer."""
        for segment in report.segments:
            if segment.label in (Label.NOT_FOUND, Label.AMBIGUOUS):
                text = report.answer[segment.start : segment.end]
                self._add_wordings(text)
                self._add_names(segment, text)

    def found(self, *, least: int = 2) -> tuple[Suggestion, ...]:
        """The suggestions that at least so many sentences agree on, the most frequent first."""
        made = [*self._of_wordings(least), *self._of_names(least)]
        return tuple(sorted(made, key=lambda each: (-each.agreeing, each.kind, each.label, each.iri)))

    # Wordings of properties

    def _add_wordings(self, text: str) -> None:
        known = self._oracle.knowledge
        items = items_in(text, known.lexicon, locale=known.config.locale, language=known.language)
        for first, words, second in _links(items):
            found = self._wordings[words]
            found.seen += 1
            for iri in dict.fromkeys(_properties(self._part, first, second)):
                found.agreeing[iri].append(text)

    def _of_wordings(self, least: int) -> Iterator[Suggestion]:
        for words, found in self._wordings.items():
            for iri, sentences in found.agreeing.items():
                info = self._part.schema.property(iri)
                if len(sentences) < least or info is None:
                    continue
                licensed = self._licensed(iri, words, sentences[:_TRIED])
                if licensed:
                    yield Suggestion(
                        iri=iri,
                        name=self._part.schema.shown(info),
                        label=words,
                        kind="property",
                        seen=found.seen,
                        agreeing=len(sentences),
                        licensed=licensed,
                        examples=tuple(dict.fromkeys(sentences))[:_EXAMPLES],
                    )

    def _licensed(self, iri: str, label: str, sentences: Sequence[str]) -> int:
        """How many sentences are licensed when the property has the label, and not otherwise."""
        other = _with_label(self._oracle, self._part, iri, label)
        return sum(not _passes(self._oracle, each) and _passes(other, each) for each in sentences)

    # Names of things

    def _add_names(self, segment: JudgedSegment, text: str) -> None:
        for judged in segment.claims:
            if Reason.UNKNOWN_ENTITY not in judged.verdict.reasons:
                continue
            for reading in judged.claim.readings:
                if isinstance(reading, Relation):
                    for name, iri in _meant(self._part, reading):
                        found = self._names[name]
                        found.seen += 1
                        found.agreeing[iri].append(text)

    def _of_names(self, least: int) -> Iterator[Suggestion]:
        graph = self._part.graph
        for name, found in self._names.items():
            for iri, sentences in found.agreeing.items():
                number = graph.id(iri)
                if len(sentences) >= least and number is not None:
                    yield Suggestion(
                        iri=iri,
                        name=graph.label(number),
                        label=name,
                        kind="name",
                        seen=found.seen,
                        agreeing=len(sentences),
                        licensed=None,
                        examples=tuple(dict.fromkeys(sentences))[:_EXAMPLES],
                    )


def _links(items: Sequence[Item]) -> Iterator[tuple[Item, str, Item]]:
    """Two neighbouring things or values, and the words between them."""
    at = [n for n, item in enumerate(items) if item.entity or item.quantity or item.date or item.name]
    for left, right in pairwise(at):
        between = items[left + 1 : right]
        plain = 0 < len(between) <= _LONGEST and not any(each.punct for each in between)
        if items[left].entity and plain and any(map(content, between)):
            yield items[left], " ".join(each.text.lower() for each in between), items[right]


def _properties(part: GraphPart, first: Item, second: Item) -> Iterator[str]:
    """The properties by which the graph links a thing to another one or to a value."""
    graph, schema = part.graph, part.schema
    others = _ids(part, second.entity)
    for subject in _ids(part, first.entity):
        for predicate, value in graph.out(subject):
            info = schema.property(graph.iri(predicate))
            if info is not None and (value in others or _is_value(part, info.unit_iri, value, second)):
                yield info.iri
        for other in others:
            for predicate, value in graph.out(other):
                info = schema.property(graph.iri(predicate))
                if info is not None and value == subject:
                    yield from info.inverses


def _is_value(part: GraphPart, unit_iri: str | None, value: int, item: Item) -> bool:
    number, stored = part.graph.number(value), part.graph.date(value)
    if item.quantity is not None and number is not None:
        unit = units.by_iri(unit_iri) if unit_iri else None
        if rounding.matches(item.quantity, number, unit) is rounding.Match.YES:
            return True
    return item.date is not None and stored is not None and dates.compare(item.date, stored) is dates.Match.YES


def _ids(part: GraphPart, mention: Mention | None) -> list[int]:
    return [number for iri in (mention.candidates if mention else ()) if (number := part.graph.id(iri)) is not None]


def _with_label(oracle: Oracle, part: GraphPart, iri: str, label: str) -> Oracle:
    """The same oracle with one more label of a property."""
    from imprimatur.knowledge import with_words

    return Oracle(with_words(oracle.knowledge, part, iri, label), oracle.policy)


def _passes(oracle: Oracle, sentence: str) -> bool:
    return oracle.check(sentence).summary == "fully_supported"


def _meant(part: GraphPart, reading: Relation) -> Iterator[tuple[str, str]]:
    """An unknown name of a reading, with the thing that the graph has in its place and that is called much like it."""
    known, unknown = (reading.subject, reading.object), (reading.object, reading.subject)
    graph = part.graph
    for here, there, at_object in zip(known, unknown, (True, False), strict=True):
        if there.candidates or not here.candidates:
            continue
        for predicate in reading.predicates:
            number = graph.id(predicate.iri)
            for thing in _ids(part, here) if number is not None else ():
                forward = at_object != predicate.inverse
                values = graph.objects(thing, number or 0) if forward else graph.subjects(number or 0, thing)
                for value in values:
                    if graph.is_iri(value) and any(_alike(there.text, each) for each in graph.labels(value)):
                        yield there.text, graph.iri(value)


def _alike(name: str, label: str) -> bool:
    """Whether one may be a slip for the other, a part of it, or its initials."""
    a, b = name.casefold(), label.casefold()
    words, others = re.findall(r"\w+", a), re.findall(r"\w+", b)
    if not words or not others:
        return False
    initials = "".join(each[0] for each in others)
    return set(words) < set(others) or a.replace(".", "") == initials or SequenceMatcher(None, a, b).ratio() >= _ALIKE


# The file


def turtle(suggestion: Suggestion) -> str:
    """The suggestion as a line of Turtle."""
    from imprimatur.sources.graph.terms import RDF, RdfLiteral, iri_text, literal_text

    label = literal_text(RdfLiteral(suggestion.label, RDF + "langString", "en"))
    return f"{iri_text(suggestion.iri)} {_ALT_LABEL} {label} ."


def write_file(path: Path, suggestions: Iterable[Suggestion], *, corpus: str, on: date) -> int:
    """Adds suggestions to a file as comments, and says how many are new; what stands in it stays.

    Raises:
        OSError: the file cannot be written.
    """
    before = path.read_text(encoding="utf-8") if path.exists() else _HEAD
    new = [each for each in suggestions if turtle(each) not in before]
    if not new and path.exists():
        return 0
    lines = [before.rstrip("\n"), "", f"# From {_told(corpus)} on {on.isoformat()}, by imprimatur {__version__}:"]
    for each in new:
        counts = f"{each.agreeing} of {each.seen} sentences agree with the graph"
        if each.licensed is not None:
            counts += f"; {each.licensed} of {min(each.agreeing, _TRIED)} tried are licensed with it"
        lines += ["", f"# {_told(each.name)} – also “{_told(each.label)}”? {counts}."]
        lines += [f"#   e.g. {_told(example)}" for example in each.examples]
        lines.append(f"#{turtle(each)}")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return len(new)


_HEAD = """\
# Alternative labels that answers suggest. Nothing here takes effect until a person removes the # before a line and
# names this file under `graph: {ontology: [...]}` in imprimatur.yaml.
"""


def _told(text: str) -> str:
    """Text from outside on one line of a comment."""
    return " ".join(_plain(text).split())[:300]


def _plain(text: str) -> str:
    """The text with a space for every control character."""
    return "".join(each if each.isprintable() else " " for each in text)
