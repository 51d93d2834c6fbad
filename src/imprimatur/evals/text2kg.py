"""``python -m imprimatur.evals.text2kg FILE …``: sentences of Text2KGBench against a graph of their own triples.

For each ground-truth file (JSON lines of ``{id, sent, triples: [{sub, rel, obj}]}``) a knowledge base is made of all
its triples, with the names of the triples as labels and nothing else; each sentence is then judged. Printed are the
labels, the precision (of the claims that were judged by the graph, how many say a gold triple of their own sentence)
and the recall (of the gold triples, how many a supported claim says). The gold triples of a sentence are not all that
it says, so the precision is a lower bound; ``--claims`` writes the claims for reading by eye. ``--folder`` writes the
knowledge base of one file and judges nothing; with ``--ontology`` it has the labels, domains and ranges of the
benchmark's ontology.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.evals.mining.reading import quads_of
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedClaim, Report
from imprimatur.verdict import Label

__all__ = ["Outcome", "Row", "main", "measure", "read_rows", "said_triples", "write_folder"]

_BASE = "https://imprimatur.dev/text2kg/"
_QUDT = "http://qudt.org/"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_MEASURE = re.compile(r"(-?\d+(?:\.\d+)?)(?:\s*\(([^)]+)\))?")
_DATE = re.compile(r"-?\d{4}-\d{2}-\d{2}")
_TRIPLE = re.compile(r"<([^>]*)> <([^>]*)> (<[^>]*>|\".*?\"(?:@\S+|\^\^\S+)?) \.")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|_")
_JUDGED = (Label.SUPPORTED, Label.CONTRADICTED, Label.CONFLICTING)

#: The units that the benchmark writes after numbers, by their QUDT names.
_UNITS = {
    "metres": "M",
    "kilometres": "KiloM",
    "millimetres": "MilliM",
    "inches": "IN",
    "feet": "FT",
    "square kilometres": "KiloM2",
    "square metres": "M2",
    "inhabitants per square kilometre": "PER-KiloM2",
    "kilograms": "KiloGM",
    "grams": "GM",
    "tonnes": "TONNE",
    "kelvins": "K",
    "kilometres per second": "KiloM-PER-SEC",
    "kilometrePerSeconds": "KiloM-PER-SEC",
    "days": "DAY",
    "minutes": "MIN",
}

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence with its gold triples in N-Triples terms (the object with brackets or quotes)."""

    id: str
    text: str
    gold: frozenset[Triple]


@dataclass(slots=True)
class Outcome:
    """What was read of the sentences of one file."""

    segments: Counter[str] = field(default_factory=Counter)
    claims: list[tuple[Row, JudgedClaim, frozenset[Triple]]] = field(default_factory=list)
    found: int = 0
    gold: int = 0

    def precision(self) -> Share:
        """Of the claims judged by the graph, those that say a gold triple of their own sentence."""
        return Share(sum(bool(said & row.gold) for row, _, said in self.claims), len(self.claims))

    def recall(self) -> Share:
        """Of the gold triples, those that a supported claim says."""
        return Share(self.found, self.gold)


def _iri(name: str) -> str:
    return _BASE + quote(name.strip().replace(" ", "_"))


def _label(name: str) -> str:
    return name.replace("_", " ").strip()


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _object(text: str) -> tuple[str, str | None]:
    """The object of a triple as an N-Triples term, and the unit that is written with a number."""
    bare = text.strip().strip('"')
    if _DATE.fullmatch(bare):
        return f'"{bare}"^^<{_XSD}date>', None
    measured = _MEASURE.fullmatch(bare)
    if measured:
        return f'"{measured[1]}"^^<{_XSD}decimal>', measured[2]
    return (_literal(bare) if text.strip().startswith('"') else f"<{_iri(text)}>"), None


def read_rows(path: Path) -> list[Row]:
    """The sentences of a ground-truth file.

    Raises:
        InputError: the file cannot be read as ground truth.
    """
    return [
        Row(
            row["id"],
            row["sent"],
            frozenset((_iri(t["sub"]), _iri("rel " + t["rel"]), _object(t["obj"])[0]) for t in row["triples"]),
        )
        for row in _lines(path)
    ]


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        if all({"id", "sent", "triples"} <= row.keys() for row in rows):
            return rows
    except (OSError, ValueError, AttributeError) as fault:
        raise InputError(f"no ground truth of Text2KGBench: {fault}", where=str(path), hint=_SHAPE) from fault
    raise InputError("no ground truth of Text2KGBench", where=str(path), hint=_SHAPE)


_SHAPE = 'a row looks like {"id": "…", "sent": "…", "triples": [{"sub": "…", "rel": "…", "obj": "…"}]}'


def write_folder(path: Path, folder: Path, ontology: Path | None = None) -> None:
    """Writes a knowledge base of all triples of a ground-truth file: names as labels, units where they are written.

    Args:
        ontology: the benchmark's ontology of the file, whose relations are taken for those of the triples by name.

    Raises:
        InputError: the file is no ground truth, or the ontology cannot be read.
    """
    lines: dict[str, None] = {}
    written: dict[str, Counter[str | None]] = {}
    literal: set[str] = set()
    for triple in (t for row in _lines(path) for t in row["triples"]):
        subject, relation = _iri(triple["sub"]), _iri("rel " + triple["rel"])
        value, unit = _object(triple["obj"])
        lines[f"<{subject}> <{relation}> {value} ."] = None
        lines[f"<{subject}> <{_RDFS}label> {_literal(_label(triple['sub']))} ."] = None
        lines[f"<{relation}> <{_RDFS}label> {_literal(_WORDS.sub(' ', triple['rel']).lower())} ."] = None
        if value.startswith("<"):
            lines[f"{value} <{_RDFS}label> {_literal(_label(triple['obj']))} ."] = None
        else:
            literal.add(relation)
        written.setdefault(relation, Counter())[unit] += 1
    lines.update(dict.fromkeys(_units(written)))
    if ontology is not None:
        lines.update(dict.fromkeys(_described(ontology, written, literal)))
    (folder / "graph.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nname: text2kg\ngraph: {data: [graph.nt]}\n", encoding="utf-8")


def _units(written: dict[str, Counter[str | None]]) -> Iterator[str]:
    """The unit of each property whose numbers all have the same one."""
    for relation, counts in written.items():
        (name,) = counts if len(counts) == 1 else (None,)
        found = _UNITS.get(name or "")
        if found is not None:
            yield f"<{relation}> <{_QUDT}schema/qudt/hasUnit> <{_QUDT}vocab/unit/{found}> ."


def _described(ontology: Path, written: Collection[str], literal: Collection[str]) -> Iterator[str]:
    """Domain and range of each relation that the triples have, as classes with the names that the ontology gives.

    The benchmark has classes for dates and numbers too. Values that are written as such are members of none: of a
    relation with one (``literal``) no class is the range.
    """
    stated: dict[str, dict[str, str]] = {}
    for quad in quads_of(ontology):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode | ox.Literal):
            stated.setdefault(quad.subject.value, {})[quad.predicate.value] = quad.object.value
    for about in list(stated.values()):
        relation = _iri("rel " + about.get(f"{_RDFS}label", ""))
        for name in ("domain", *(("range",) if relation not in literal else ())) if relation in written else ():
            kind = about.get(_RDFS + name, "")
            label = stated.get(kind, {}).get(f"{_RDFS}label")
            if label:
                yield f"<{relation}> <{_RDFS}{name}> <{kind}> ."
                yield f"<{kind}> <{_RDFS}label> {_literal(label)} ."


def said_triples(claim: JudgedClaim) -> frozenset[Triple]:
    """The asserted triples on which the verdict of a claim rests."""
    texts = (e.content for e in claim.verdict.evidence if e.kind == "triple")
    return frozenset(_asserted(found) for text in texts for found in _TRIPLE.findall(text))


def _asserted(found: tuple[str, str, str]) -> Triple:
    return found[0], found[1], found[2]


def measure(rows: Sequence[Row], oracle: Oracle) -> Outcome:
    """What the oracle reads of the sentences."""
    outcome = Outcome()
    for row in rows:
        report: Report = oracle.check(row.text)
        outcome.segments.update(segment.label.value for segment in report.segments)
        judged = [claim for segment in report.segments for claim in segment.claims if claim.verdict.label in _JUDGED]
        said = [(row, claim, said_triples(claim)) for claim in judged]
        outcome.claims += said
        supported = frozenset[Triple]().union(*(t for _, c, t in said if c.verdict.label is Label.SUPPORTED))
        outcome.found += len(row.gold & supported)
        outcome.gold += len(row.gold)
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges the files that are named and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.text2kg", description=__doc__.split("\n")[0])
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="ground truth: JSON lines {id, sent, triples}"
    )
    parser.add_argument("--claims", type=Path, metavar="FILE", help="write the judged claims here, tab-separated")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="write the knowledge base of one FILE here")
    parser.add_argument("--ontology", type=Path, metavar="FILE", help="with --folder: the ontology in Turtle")
    given = parser.parse_args(arguments)
    if given.folder is not None:
        if len(given.files) != 1:
            parser.error("--folder takes one FILE")
        given.folder.mkdir(parents=True, exist_ok=True)
        write_folder(given.files[0], given.folder, given.ontology)
        print(given.folder)
        return 0
    outcomes = {path: _judged(path) for path in given.files}
    labels = [label.value for label in Label if any(o.segments[label.value] for o in outcomes.values())]
    body = [
        [path.stem, *(str(o.segments[label]) for label in labels), str(o.precision()), str(o.recall())]
        for path, o in outcomes.items()
    ]
    print(aligned(["file", *labels, "precision", "recall"], body))
    if given.claims:
        given.claims.write_text("".join(_shown(outcomes.values())), encoding="utf-8")
    return 0


def _judged(path: Path) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        write_folder(path, Path(folder))
        return measure(read_rows(path), Oracle.from_folder(folder))


def _shown(outcomes: Any) -> Iterator[str]:
    for row, claim, said in (each for outcome in outcomes for each in outcome.claims):
        gold = "gold" if said & row.gold else "other"
        triples = "; ".join(
            " ".join(part.removeprefix("<").replace(_BASE, "").strip("<>") for part in t) for t in sorted(said)
        )
        yield f"{claim.verdict.label}\t{gold}\t{triples}\t{row.text}\n"


if __name__ == "__main__":
    sys.exit(main())
