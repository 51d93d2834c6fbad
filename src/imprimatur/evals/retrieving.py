"""``imprimatur eval retrieval``: recall of the evidence per path and fused, and the gate's risk at each coverage.

A question counts as found at k when one of the k best facts of a path (or of the trail) rests on one of its triples.
The gate is measured on the same questions beside made ones that nothing in the graph supports (``unsupported``): how
many of each pass at each floor. A passed question is at risk when it has no support, or its triple is not in the trail.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Cell, Curve, Figure, Kind, Outcome, Table
from imprimatur.evals.retrieval_chains import chains
from imprimatur.evals.retrieval_sets import Question, relations, rivers, write_relations
from imprimatur.evals.unsupported import unsupported
from imprimatur.knowledge import Knowledge, open_knowledge
from imprimatur.retrieve.gate import Gate
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrieve.trail import Item
from imprimatur.sources.passages.embedding import Embeds

__all__ = ["Measured", "Settings", "measure", "outcome", "run"]

_AT = (1, 5, 10, 30)
_FLOORS = (0.0, 0.3, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.95)
_FUSED = "fused"
_MOST_CHAINS = 5000
#: One path may take so long: what is measured is what is found, not how fast the machine is.
_SECONDS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a set is measured: the knowledge base, how many questions are asked and made, and what with."""

    kb: str = "rivers"
    most: int = 500
    made: int = 300
    hops: int = 2
    embedder: Embeds | None = None
    out: Path | None = None
    outcome: Path | None = None
    as_json: bool = False


@dataclass(slots=True)
class Measured:
    """What was measured of a set of questions.

    Attributes:
        places: per path the place at which each question's evidence was found, from 0; None where it was not.
        passed: of each question with support its best score, and whether its evidence is in the trail.
        unsupported: the best score of each question without support, by how it was made.
    """

    places: dict[str, list[int | None]] = field(default_factory=dict)
    passed: list[tuple[float, bool]] = field(default_factory=list)
    unsupported: dict[str, list[float]] = field(default_factory=dict)
    failures: int = 0

    def recall(self, path: str, k: int) -> float:
        """The share of the questions whose evidence is among the first k of a path."""
        places = self.places[path]
        return sum(place is not None and place < k for place in places) / len(places) if places else 0.0

    def at(self, floor: float) -> tuple[float, float, float]:
        """At a floor: the share of supported questions that pass, of unsupported ones refused, and the risk."""
        through = [found for score, found in self.passed if score >= floor]
        without = [score for scores in self.unsupported.values() for score in scores]
        wrongly = sum(score >= floor for score in without)
        total = len(through) + wrongly
        risk = (wrongly + sum(not found for found in through)) / total if total else 0.0
        refused = 1 - wrongly / len(without) if without else 1.0
        return (len(through) / len(self.passed) if self.passed else 0.0), refused, risk

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON-ready values."""
        return {
            "questions": len(self.passed),
            "unsupported": {kind: len(scores) for kind, scores in self.unsupported.items()},
            "failures": self.failures,
            "recall": {path: {str(k): round(self.recall(path, k), 4) for k in _AT} for path in self.places},
            "gate": {f"{floor:g}": [round(part, 4) for part in self.at(floor)] for floor in _FLOORS},
        }


def measure(
    retrieval: Retrieval, questions: Iterable[Question], without: Mapping[str, Sequence[str]], progress: Progress
) -> Measured:
    """Asks every question and holds the trails against the gold evidence."""
    found = Measured(places={name: [] for name in (*retrieval.paths, _FUSED)})
    for question in questions:
        trail = retrieval(question.text)
        facts = sorted((item for item in trail.items if item.evidence), key=lambda item: -item.fused)
        found.places[_FUSED].append(_place(facts, question))
        for path in retrieval.paths:
            own = sorted((item for item in facts if path in item.ranks), key=lambda item: item.ranks[path])
            found.places[path].append(_place(own, question))
        found.passed.append((trail.best, found.places[_FUSED][-1] is not None))
        found.failures += len(trail.failures)
        progress.step(question.id)
    for kind, texts in without.items():
        found.unsupported[kind] = [retrieval(text).best for text in texts]
    return found


def _place(items: Sequence[Item], question: Question) -> int | None:
    """The place of the first item that rests on one of the triples."""
    for place, item in enumerate(items):
        if any(triple in evidence.content for evidence in item.evidence for triple in question.gold):
            return place
    return None


def run(name: str, files: Sequence[Path], settings: Settings) -> int:
    """Measures one set, prints the tables, and returns 0.

    Raises:
        InputError: a file is not as it should be, or no question is left.
    """
    with TemporaryDirectory() as folder:
        knowledge, questions = _opened(name, files, settings.kb, Path(folder))
        if not questions:
            raise InputError("no question has its fact in the graph")
        chosen = Random(1).sample(questions, min(settings.most, len(questions)))
        limits = RetrievalLimits(hops=settings.hops, seconds=_SECONDS)
        retrieval = Retrieval(knowledge, limits=limits, embedder=settings.embedder)
        retrieval(chosen[0].text)  # what is made at the first question is not measured
        without = unsupported(knowledge, settings.made, seed=1) if settings.made else {}
        if settings.out is not None:
            _write(settings.out, chosen, without)
        with Progress("Asking", len(chosen)) as progress:
            found = measure(retrieval, chosen, without, progress)
    if settings.outcome is not None:
        # The knowledge base may be one that was made for these rows: its content is told, not its folder.
        _keep(found, name, files, knowledge, settings)
    if settings.as_json:
        session.emit_json(found.to_dict())
        return 0
    click.echo(f"{len(chosen)} of {len(questions)} questions whose fact is in the graph; {found.failures} failed paths")
    click.echo("\n".join(_tables(found)))
    return 0


def _keep(found: Measured, name: str, files: Sequence[Path], knowledge: Knowledge, settings: Settings) -> None:
    """Writes the figures as an outcome."""
    sources, versions = provenance(knowledge, files=files)
    told = {"set": name, "most": settings.most, "unsupported": settings.made, "hops": settings.hops}
    embedder = settings.embedder.fingerprint if settings.embedder is not None else None
    made = replace(outcome(found), settings={**told, "embedder": embedder}, sources=sources, versions=versions)
    keep(made, settings.outcome)


def outcome(found: Measured) -> Outcome:
    """Recall by path, and the gate's risk by coverage, as an outcome."""
    paths: tuple[tuple[Cell, ...], ...] = tuple(
        (path, *(_recall(found.places[path], k) for k in _AT)) for path in found.places
    )
    tables = [Table(title="Recall of the evidence", head=("path", *(f"at {k}" for k in _AT)), rows=paths)]
    curves: tuple[Curve, ...] = ()
    if found.unsupported:
        floors: tuple[tuple[Cell, ...], ...] = tuple(
            (f"{floor:g}", *map(_plainly, found.at(floor))) for floor in _FLOORS
        )
        head = ("floor", "supported: passed", "unsupported: refused", "risk")
        shipped = Gate().floor
        kinds = tuple(
            (kind, Figure.of(Share(sum(score < shipped for score in scores), len(scores))))
            for kind, scores in found.unsupported.items()
        )
        tables.append(Table(title="The gate alone", head=head, rows=floors, note=f"The floor as shipped: {shipped:g}."))
        tables.append(Table(title="Without support", head=("kind", "refused"), rows=kinds))
        points = sorted((found.at(floor)[0], found.at(floor)[2]) for floor in _FLOORS)
        series = {"the gate": tuple(points)}
        curves = (
            Curve(title="Risk by coverage", kind=Kind.LINES, across="supported: passed", up="risk", series=series),
        )
    notes = (f"{found.failures} paths failed.",) if found.failures else ()
    return Outcome(
        name="retrieval", title="Evidence found for questions", tables=tuple(tables), curves=curves, notes=notes
    )


def _recall(places: Sequence[int | None], k: int) -> Figure:
    return Figure.of(Share(sum(place is not None and place < k for place in places), len(places)))


def _plainly(value: float) -> Figure:
    return Figure(value=value)


def _tables(found: Measured) -> Iterator[str]:
    lines = [[path, *(f"{found.recall(path, k):.3f}" for k in _AT)] for path in found.places]
    yield aligned(["recall at", *map(str, _AT)], lines)
    if not found.unsupported:
        return
    counts = ", ".join(f"{len(scores)} {kind}" for kind, scores in found.unsupported.items())
    shipped = Gate().floor
    yield f"\nthe gate alone, with {counts} without support (floor as shipped: {shipped:g})"
    rows = [[f"{floor:g}", *(f"{part:.3f}" for part in found.at(floor))] for floor in _FLOORS]
    yield aligned(["floor", "supported: passed", "unsupported: refused", "risk"], rows)
    shares = [
        [kind, f"{sum(score < shipped for score in scores) / max(1, len(scores)):.3f}"]
        for kind, scores in found.unsupported.items()
    ]
    yield aligned(["without support", "refused"], shares)


def _write(out: Path, questions: Sequence[Question], without: Mapping[str, Sequence[str]]) -> None:
    """Writes the questions as ``calibrate-gate`` takes them."""
    rows = [{"id": question.id, "question": question.text, "supported": True} for question in questions]
    rows += [{"id": kind, "question": text, "supported": False} for kind, texts in without.items() for text in texts]
    try:
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        out.write_text(lines, encoding="utf-8")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(out)) from fault


def _opened(name: str, files: Sequence[Path], kb: str, folder: Path) -> tuple[Knowledge, list[Question]]:
    if name == "rivers":
        if len(files) != 2:
            raise InputError("`rivers` takes two files: the questions and the facts", hint="QUESTIONS.csv FACTS.csv")
        knowledge = open_knowledge(load_folder(resolve(kb)))
        if knowledge.part is None:
            raise InputError("the knowledge base has no graph")
        return knowledge, rivers(files[0], files[1], knowledge.part.graph)
    if name == "chains":
        knowledge = open_knowledge(load_folder(resolve(kb)))
        return knowledge, chains(knowledge, _MOST_CHAINS, seed=1)
    if len(files) != 1:
        raise InputError("`relations` takes one file of rows")
    write_relations(files[0], folder)
    return open_knowledge(load_folder(folder), cache_dir=folder / "cache"), relations(files[0])
