"""A knowledge base as claims are made of it: its oracle, the second opinion, and the names and words of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from imprimatur.errors import InputError
from imprimatur.evals.mining.book import RDF_TYPE, Book, Literal, Node
from imprimatur.evals.mining.broken import Broken
from imprimatur.evals.mining.reading import book_of
from imprimatur.evals.mining.wording import Said, member, said, written
from imprimatur.knowledge import GraphPart
from imprimatur.oracle import Oracle

__all__ = ["Source", "open_source"]

_LONGEST = 80


@dataclass(frozen=True, kw_only=True)
class Source:
    """An open knowledge base.

    Attributes:
        oracle: what judges.
        part: its graph, asked for names and words only.
        book: what its files say, read apart from the oracle.
    """

    oracle: Oracle
    part: GraphPart
    book: Book

    @cached_property
    def broken(self) -> Broken | None:
        """The second opinion on its shapes; None where it has none."""
        files = self.oracle.knowledge.config.graph.shapes
        return Broken(self.book.stored, files) if files else None

    @cached_property
    def _labelled(self) -> bool:
        """Whether things have labels here, so that one without is a node and nothing that is spoken of."""
        graph = self.part.graph
        things = [number for node in self.book.out if (number := graph.id(node)) is not None and graph.is_iri(number)]
        return sum(1 for number in things if graph.named(number)) * 2 > len(things)

    def name(self, node: str) -> str:
        """What a thing is called, where that names nothing else; empty else."""
        number = self.part.graph.id(node)
        if number is None or node.startswith("_:") or (self._labelled and not self.part.graph.named(number)):
            return ""
        label = " ".join(self.part.graph.label(number).split())
        fits = 0 < len(label) <= _LONGEST and any(char.isalpha() for char in label)
        return label if fits and self.part.judging.lexicon.candidates(label) == (node,) else ""

    def value(self, name: str, node: Node) -> str:
        """A value of a property as running text has it; empty where it cannot be said."""
        if isinstance(node, str):
            return self.name(node)
        info = self.part.schema.property(name)
        unit = info.unit_iri if info is not None and info.unit_iri else ""
        return written(node, unit, years=self.oracle.knowledge.config.graph.years)

    def sentences(self, subject: str, name: str, node: Node, value: str = "") -> list[Said]:
        """The ways to say a triple; ``value`` says its value instead, where that is not as it is stored."""
        thing = self.name(subject)
        if name == RDF_TYPE:
            kind = self.kind(str(node))
            return [member(thing, kind)] if thing and kind else []
        shown = value or self.value(name, node)
        if not thing or not shown or shown == thing:
            return []
        found: dict[str, Said] = {}
        day = isinstance(node, Literal) and node.datatype.endswith(("#date", "#dateTime"))
        for label in self.labels(name):
            if day and label.lower().endswith((" in", " at")):
                continue
            measured = isinstance(node, Literal) and self.part.schema.property(name) is not None and _is_number(node)
            for each in said(
                label, thing, shown, measured=measured, alone=self.alone(subject, name), linked=isinstance(node, str)
            ):
                if each.form != "is the noun" or self._is_one(node, label):
                    found.setdefault(each.text, each)
        return list(found.values())

    def _is_one(self, node: Node, label: str) -> bool:
        """Whether "Y is the county of X" says no more than the property: Y is a county, where that is a class."""
        kinds = frozenset(self.part.judging.lexicon.classes(label.partition(" of ")[0].split()[-1].lower()))
        return not kinds or bool(kinds & self.book.classes(node))

    def labels(self, name: str) -> tuple[str, ...]:
        """The labels of a property, the main ones first."""
        info = self.part.schema.property(name)
        return tuple(dict.fromkeys((*info.labels, *info.alt_labels))) if info is not None else ()

    def kind(self, iri: str) -> str:
        """What a member of a class is called; empty for a class without a name."""
        info = self.part.schema.class_(iri)
        return info.labels[0] if info is not None and info.labels else ""

    def alone(self, subject: str, name: str) -> bool:
        """Whether a thing has at most one value of a property, by axiom or as things stand."""
        return name in self.book.functional or len(self.book.values(subject, name)) <= 1

    def sayable(self) -> list[str]:
        """The properties that claims can be made of, with ``rdf:type`` where classes have names; sorted."""
        schema = self.part.schema
        used = {name for properties in self.book.out.values() for name in properties}
        found = {
            name
            for name in used
            if (info := schema.property(name)) is not None and not schema.gives_labels(name) and not info.event
        }
        if any(self.kind(str(each)) for each in self.book.objects(RDF_TYPE)):
            found.add(RDF_TYPE)
        return sorted(found)

    def complete(self, name: str) -> bool:
        """Whether the operator says that all facts of a property are there."""
        info = self.part.schema.property(name)
        return info is not None and info.complete

    def facts(self, name: str) -> Iterator[tuple[str, Node]]:
        """The things that have a property, each with a value, stored or entailed; terms of the ontology left out."""
        for subject in self.book.subjects(name):
            if not subject.startswith("_:") and not self.book.is_vocabulary(subject):
                for value in self.book.values(subject, name):
                    if name == RDF_TYPE or not (isinstance(value, str) and self.book.is_vocabulary(value)):
                        yield subject, value


def _is_number(node: Literal) -> bool:
    from imprimatur.evals.mining.book import number_of

    return number_of(node) is not None


def open_source(kb: str | Path, *, policy: str | None = None, cache: Path | None = None) -> Source:
    """Opens a knowledge base for mining.

    Raises:
        ImprimaturError: it cannot be opened, has no graph, or no fact.
    """
    oracle = Oracle.from_folder(kb, policy=policy, cache_dir=cache) if cache else Oracle.from_folder(kb, policy=policy)
    part = oracle.knowledge.part
    if part is None:
        raise InputError(
            "the knowledge base has no graph to make claims of",
            where=str(kb),
            hint="name files under `graph: data:` or `tables:` in imprimatur.yaml",
        )
    return Source(oracle=oracle, part=part, book=book_of(oracle.knowledge.config, part.tables))
