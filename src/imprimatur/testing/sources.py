"""The suite that every source of graphs must pass: a file, a store, a server of SPARQL or of property graphs.

A source is given the triples of a knowledge base (``Matter``) and opens an oracle on them. ``faults_of`` puts sentences
about the graph to it and to an oracle on the plain file; the reports must be equal but for where evidence comes from
and what it is queried in. ``faults_of_changes`` changes the graph behind an open oracle: what is no longer stated must
not be licensed any more, at once, and what is left when the server has stopped is an error and no verdict. Both give
what is wrong, in words; an empty list is a pass.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError, RuntimeFault
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedSegment, Report
from imprimatur.sources.graph.candidates import triples_in
from imprimatur.sources.graph.files import GraphFile
from imprimatur.sources.graph.load import read_quads
from imprimatur.sources.graph.terms import INTEGER_TYPES, XSD, parse_number
from imprimatur.testing.source_claims import sentences
from imprimatur.verdict import Label

__all__ = ["Changing", "Matter", "Served", "faults_of", "faults_of_changes", "sentences"]

_NUMBER = re.compile(r'"([^"\\\s]{1,100})"\^\^<([^<>\s]+)>')
#: Where the graph is a named one, the query says so.
_NAMED = re.compile(r"^ASK FROM <[^<>\s]+> ")


class Served(Protocol):
    """A source, with a graph in it."""

    @property
    def language(self) -> str:
        """The language of its queries; in another one than "sparql" the queries of evidence are not compared."""
        ...

    def oracle(self) -> Oracle:
        """A newly opened oracle on the graph."""
        ...


class Changing(Served, Protocol):
    """A source whose graph can be changed from outside, as somebody else would."""

    def insert(self, triple: str) -> None:
        """Adds a triple, in N-Triples with its full stop."""
        ...

    def delete(self, triple: str) -> None:
        """Takes one out."""
        ...

    def stop(self) -> None:
        """Ends the server: from then on it cannot be reached."""
        ...


@dataclass(frozen=True, slots=True)
class Matter:
    """The triples that a source is given, in a file, and beside it the ontology and shapes of their knowledge base.

    Numbers are written as most stores write them back, so that a store which does so changes nothing.

    Attributes:
        folder: where all of it lies. triples: the file. ontology, shapes: the names of these files.
    """

    folder: Path
    triples: Path
    ontology: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()

    @classmethod
    def of(cls, kb: str | Path, folder: Path) -> Matter:
        """The data of a knowledge base, in the order of N-Triples; its ontology and shapes stay files.

        Raises:
            ImprimaturError: the knowledge base is wrong. InputError: it has blank nodes in its data.
        """
        named = load_folder(resolve(kb)).graph
        lines = {_plain(str(quad.triple)) + " ." for path in named.data for quad in read_quads(GraphFile(path))}
        if any(line.startswith("_:") or " _:" in line for line in lines):
            raise InputError("the data has blank nodes, whose names hold in one file only", where=str(kb))
        folder.mkdir(parents=True, exist_ok=True)
        triples = folder / "graph.nt"
        triples.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")
        for path in (*named.ontology, *named.shapes):
            shutil.copy(path, folder / path.name)
        ontology, shapes = (tuple(path.name for path in paths) for paths in (named.ontology, named.shapes))
        return cls(folder, triples, ontology, shapes)

    def kb(self, entry: str) -> Path:
        """A new folder below this one, a knowledge base with the same ontology and shapes.

        Args:
            entry: the line under ``graph:`` that says where the data is, for instance ``endpoint: http://…``.
        """
        made = self.folder / f"kb-{len(list(self.folder.glob('kb-*')))}"
        made.mkdir()
        lines = ["version: 1", "name: suite", "graph:", f"  {entry}"]
        for part, names in (("ontology", self.ontology), ("shapes", self.shapes)):
            lines += [f"  {part}: [{', '.join(names)}]"] if names else []
            for name in names:
                shutil.copy(self.folder / name, made / name)
        (made / "imprimatur.yaml").write_text("\n".join([*lines, ""]), encoding="utf-8")
        return made

    def reference(self, cache_dir: Path | None = None) -> Oracle:
        """The oracle on the plain file."""
        folder = self.kb("data: [graph.nt]")
        shutil.copy(self.triples, folder / "graph.nt")
        return Oracle.from_folder(folder, cache_dir=cache_dir)


def faults_of(source: Served, reference: Oracle, said: Sequence[str]) -> list[str]:
    """Where the reports of a source differ from those of the reference.

    Args:
        said: the sentences, for instance ``sentences(reference, 1000)``.
    """
    oracle = source.oracle()
    queries = source.language == "sparql"
    found = []
    for text in said:
        is_there, expected = (_compared(each, text, queries) for each in (oracle, reference))
        if is_there != expected:
            found.append(f"{text!r}: {_difference(is_there, expected)}")
    return found


def faults_of_changes(source: Changing, said: Sequence[str]) -> list[str]:
    """What is wrong with a source when its graph changes, and when its server stops.

    Args:
        said: sentences; at least one of them is licensed by one stated triple with a functional property.
    """
    oracle = source.oracle()
    text, triple = _resting_on_one(oracle, said)
    found = []

    def licensed(when: str, expected: bool) -> None:
        if (oracle.check(text).segments[0].label is Label.SUPPORTED) is not expected:
            found.append(f"{text!r} is {'not ' if expected else ''}licensed {when}")

    source.delete(f"{' '.join(triple)} .")
    licensed("once its fact is gone", False)
    licensed("by the graph without its fact", False)
    source.insert(f"{' '.join(triple)} .")
    oracle.check(text)
    licensed("once its fact is back", True)
    second = f"{triple[0]} {triple[1]} {_another(triple[2])} ."
    source.insert(second)
    licensed("beside a second value", False)
    licensed("by the graph with a second value", False)
    source.delete(second)
    oracle.check(text)
    licensed("once the second value is gone", True)
    source.stop()
    other = f"{said[-1]} {text}"
    asking = (("a check", lambda: oracle.check(text)), ("a longer one", lambda: oracle.check(other)))
    for what, ask in (*asking, ("opening", source.oracle)):
        try:
            ask()
            found.append(f"{what} ends without an error when the server has stopped")
        except RuntimeFault:
            continue
    return found


def _resting_on_one(oracle: Oracle, said: Sequence[str]) -> tuple[str, tuple[str, str, str]]:
    """A sentence that is licensed, and the one triple that it rests on, of a functional property."""
    part = oracle.knowledge.part
    for text in said:
        for evidence in (e for s in _licensed(oracle.check(text)) for c in s.claims for e in c.verdict.evidence):
            stated = triples_in(evidence.content)
            info = part.schema.property(stated[0][1][1:-1]) if part is not None and stated else None
            if len(stated) == 1 and info is not None and info.functional and stated[0][2].startswith('"'):
                return text, stated[0]
    raise InputError("no sentence is licensed by one triple with a functional property and a literal")


def _licensed(report: Report) -> Iterator[JudgedSegment]:
    if len(report.segments) == 1 and report.segments[0].label is Label.SUPPORTED:
        yield report.segments[0]


def _another(literal: str) -> str:
    """Another value of the same datatype."""
    found = _NUMBER.fullmatch(literal)
    value = parse_number(*found.groups()) if found is not None else None
    if found is None or value is None:
        return f'"other {literal[1:]}'
    return f'"{_decimal(2 * value + 1)}"^^<{found.group(2)}>'


def _compared(oracle: Oracle, text: str, queries: bool) -> dict[str, Any]:
    """A report without what may differ: versions, where evidence comes from, how the graph was opened."""
    told: dict[str, Any] = oracle.check(text).to_dict()
    del told["versions"]
    told["warnings"] = [each for each in told["warnings"] if each not in oracle.knowledge.warnings()]
    for edit in told["edits"]:
        edit["evidence"] = len(edit["evidence"])
    for segment in told["segments"]:
        for claim in segment["claims"]:
            for evidence in claim["evidence"]:
                evidence["origin"] = bool(evidence["origin"])
                evidence["content"] = _plain(evidence["content"])
                query = _NAMED.sub("ASK ", evidence["query"])
                evidence["query"] = _plain(query) if queries else bool(query)
    return told


def _plain(text: str) -> str:
    """A text with the numbers in it written in one way."""

    def written(found: re.Match[str]) -> str:
        lexical, datatype = found.groups()
        value = parse_number(lexical, datatype)
        if value is None or datatype not in (*INTEGER_TYPES, XSD + "decimal"):
            return found.group()
        return f'"{_decimal(value)}"^^<{datatype}>'

    return _NUMBER.sub(written, text)


def _decimal(value: Fraction) -> str:
    """A number that has finitely many decimals, without zeros at its end."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = f"{abs(int(value * 10**places)):0{places + 1}d}"
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def _difference(one: Any, other: Any, at: str = "") -> str:
    """The first place where two values differ, in words."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(_difference(one[key], other[key], f"{at}.{key}") for key in one if one[key] != other[key])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next(_difference(a, b, f"{at}[{number}]") for number, (a, b) in pairs if a != b)
    return f"{at[1:]} is {str(one)[:200]!r}, not {str(other)[:200]!r}"
