"""``imprimatur eval factbench``: FactBench's facts and their corruptions, judged by a graph of the correct ones.

One in five of the correct facts is withheld from the graph (``factbench_set.withheld``), so that membership in it is
not what is measured: a withheld fact is true and must be ``not_found``. Everything is said in sentences and goes the
whole way, from text to verdict. Invariants: a sentence counts in exactly one group, by what the correct facts bear out
(``factbench_said``); what is licensed though no fact of the graph bears it out is grave and shown whole.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.evals.factbench_graph import ONTOLOGY, write_folder
from imprimatur.evals.factbench_said import DATE_KEPT, DATE_WITHHELD, ELSEWHEN, PRESENT, WITHHELD, Said, said
from imprimatur.evals.factbench_set import SHARE, FactBench, load, withheld
from imprimatur.evals.finishing import provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Matrix, Outcome, Row, Table
from imprimatur.evals.running import Running
from imprimatur.evals.texts import texts_judged
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

__all__ = ["SAMPLE", "Judged", "Settings", "measured", "run"]

#: A hundred correct facts with two corruptions of each; see its LICENSE.
SAMPLE = ONTOLOGY.parent

#: What the verdict of a group should be, and how often it must be so; of every other group none may be licensed.
_GOALS = {
    PRESENT: (Label.SUPPORTED, "at least 0.99"),
    WITHHELD: (Label.NOT_FOUND, "1"),
    DATE_KEPT: (Label.CONTRADICTED, "at least 0.99"),
}
_ORDER = (PRESENT, WITHHELD, DATE_KEPT, DATE_WITHHELD, ELSEWHEN)
_LEAKS = (
    "Leaks of the set: (1) as published, each wrong fact links its node by a property that no correct one uses; this "
    "link is not read. (2) A graph of all correct facts would make membership the answer; {withheld} of {correct} are "
    "withheld (SHA-256 of the id, as a number, divisible by {share}). (3) A corrupted property may be the one that was "
    "there; what the correct facts bear out is told apart as “yet true”. (4) Only correct facts have days, so wrong "
    "ones are compared by years."
)
_WORLD = (
    "World: the graph is open, and no property has one value only. A wrong date is refuted, for the graph states the "
    "very fact at another time, by its exact ends; any other wrong fact is not found, since no right one excludes it. "
    "What held twice, and of which one time is withheld, looks like a wrong date, and is counted apart."
)
_NAMES = "{joined} names that DBpedia and Freebase each have an id for stand for one thing (owl:sameAs)."
_APART = "The ids of DBpedia and Freebase stay apart: whoever has both is two things, and a sentence is ambiguous."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How it is measured.

    Attributes:
        share: one in so many correct facts is withheld; 0 withholds none.
        join: whether a name that both schemes of ids have an id for is one thing.
        kb: a knowledge base of one's own that is asked instead of the facts; all count as present.
        most: the first so many correct facts by the hash of their ids, with their corruptions.
        running: in how many processes sentences are judged, and where verdicts are kept.
    """

    share: int = SHARE
    join: bool = True
    kb: str | None = None
    policy: str | None = None
    most: int | None = None
    running: Running = field(default_factory=Running)


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence with the verdict, the reasons and the evidence that it got."""

    said: Said
    label: Label
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def run(path: Path | None, settings: Settings) -> Outcome:
    """Judges the facts of a folder, or of the sample that is shipped.

    Raises:
        InputError: the folder or the knowledge base is not as it should be.
    """
    source = path or SAMPLE
    found = _first(load(source), settings.most)
    kept = frozenset(fact.id for fact in found.correct if settings.kb or not withheld(fact, settings.share))
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        same = 0
        if settings.kb is None:
            stated = [fact for fact in found.correct if fact.id in kept]
            same = write_folder(Path(folder), stated, found.correct, source=source, join=settings.join)
        oracle = Oracle.from_folder(settings.kb or folder, policy=settings.policy)
        sentences = list(said(found.facts, kept))
        verdicts = texts_judged([each.text for each in sentences], oracle, settings.running, evaluation="factbench")
        rows = [
            Judged(each, verdict.label, verdict.reasons, verdict.evidence[:2])
            for each, verdict in zip(sentences, verdicts, strict=True)
        ]
        sources, versions = provenance(oracle, files=(source,))
    return Outcome(
        name="factbench",
        title=f"FactBench: {len(found.facts)} facts as {len(rows)} sentences",
        tables=tuple(measured(rows)),
        curves=(_bars(rows),),
        matrices=(_matrix(rows),),
        cases=tuple(_cases(rows)),
        rows=tuple(_rows(rows)),
        settings={"withhold": settings.share, "join": settings.join, "kb": settings.kb or "", "most": settings.most}
        | {"policy": oracle.policy.name, "set": "the sample" if path is None else path.name},
        sources=sources,
        versions=versions,
        used={"seconds of processor time": time.process_time() - started, "sentences": float(len(rows))},
        notes=tuple(_notes(found, kept, same, settings)),
    )


def _first(found: FactBench, most: int | None) -> FactBench:
    """The first correct facts by the hash of their ids, and the wrong ones that were made from them."""
    if most is None:
        return found
    chosen = sorted(found.correct, key=lambda fact: sha256(fact.id.encode()).hexdigest())[:most]
    tails = {fact.id.partition("/")[0] + fact.id.rpartition("/")[2] for fact in chosen}
    kept = [fact for fact in found.facts if fact.id.partition("/")[0] + fact.id.rpartition("/")[2] in tails]
    return replace(found, facts=tuple(kept))


# -- figures -----------------------------------------------------------------------------------------------------------
def measured(rows: Sequence[Judged]) -> Iterator[Table]:
    """What came of each group, and of each relation."""
    groups = sorted({row.said.group for row in rows}, key=lambda name: (_place(name), name))
    body = [tuple(_line(name, [row for row in rows if row.said.group == name])) for name in groups]
    yield Table(
        title="What was said, and what the verdict should be",
        head=("sentences", "should be", "goal", "so judged", "facts so judged in all wordings", "licensed"),
        rows=tuple(body),
        note="A fact counts in the fifth column when every sentence of it in this group has the verdict.",
    )
    relations = sorted({row.said.fact.relation for row in rows})
    yield Table(
        title="By relation",
        head=("relation", "present, supported", "withheld, not found", "wrong dates, contradicted", "wrong, licensed"),
        rows=tuple((name, *_of_relation([r for r in rows if r.said.fact.relation == name])) for name in relations),
    )


def _rows(rows: Sequence[Judged]) -> Iterator[Row]:
    """The sentences in short, for comparing two outcomes; a fact's sentences are told apart by their number."""
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row.said.fact.id] += 1
        right = _as_wanted(row, _wanted(row.said.group)[0])
        yield Row(id=f"{row.said.fact.id} {seen[row.said.fact.id]}", said=row.label.value, right=right)


def _place(group: str) -> int:
    if group in _ORDER:
        return _ORDER.index(group)
    return len(_ORDER) + (0 if group.startswith("wrong") and "yet" not in group else 1)


def _line(name: str, rows: Sequence[Judged]) -> Iterator[Cell]:
    wanted, goal = _wanted(name)
    facts = {row.said.fact.id for row in rows}
    missed = {row.said.fact.id for row in rows if not _as_wanted(row, wanted)}
    yield name
    yield wanted.value if wanted else "not licensed"
    yield goal
    yield Figure.of(Share(sum(_as_wanted(row, wanted) for row in rows), len(rows)))
    yield Figure.of(Share(len(facts) - len(missed), len(facts)))
    yield Figure.of(Share(sum(row.label is Label.SUPPORTED for row in rows), len(rows)))


def _wanted(group: str) -> tuple[Label | None, str]:
    """The verdict that a group should get (None: any but supported), and how often."""
    if group not in _GOALS and "yet true" in group:
        return Label.SUPPORTED, ""
    return _GOALS.get(group, (None, "0 licensed"))


def _as_wanted(row: Judged, wanted: Label | None) -> bool:
    return row.label is wanted if wanted else row.label is not Label.SUPPORTED


def _of_relation(rows: Sequence[Judged]) -> Iterator[Figure]:
    for group, (wanted, _) in _GOALS.items():
        own = [row for row in rows if row.said.group == group]
        yield Figure.of(Share(sum(row.label is wanted for row in own), len(own)))
    wrong = [row for row in rows if not row.said.fact.correct and not row.said.true]
    yield Figure.of(Share(sum(row.label is Label.SUPPORTED for row in wrong), len(wrong)))


def _bars(rows: Sequence[Judged]) -> Curve:
    """The share of each group that is judged as it should be."""
    groups = tuple(sorted({row.said.group for row in rows}, key=lambda name: (_place(name), name)))
    points = []
    for place, group in enumerate(groups):
        own = [row for row in rows if row.said.group == group]
        wanted = _wanted(group)[0]
        points.append((float(place), sum(_as_wanted(row, wanted) for row in own) / len(own)))
    series = {"judged as it should be": tuple(points)}
    title = "Judged as it should be"
    return Curve(title=title, kind=Kind.BARS, across="sentences", up="share", series=series, names=groups)


def _matrix(rows: Sequence[Judged]) -> Matrix:
    counts = Counter((row.said.group, row.label) for row in rows)
    groups = tuple(sorted({row.said.group for row in rows}, key=lambda name: (_place(name), name)))
    labels = tuple(label for label in Label if any(row.label is label for row in rows))
    return Matrix(
        title="Sentences and verdicts",
        rows=groups,
        columns=tuple(label.value for label in labels),
        counts=tuple(tuple(counts[group, label] for label in labels) for group in groups),
    )


# -- cases and notes ---------------------------------------------------------------------------------------------------
def _cases(rows: Sequence[Judged]) -> Iterator[Case]:
    for row in rows:
        wanted, _ = _GOALS.get(row.said.group, (None, ""))
        if row.label is Label.SUPPORTED and not row.said.known:
            yield _case(row, "false licence" if not row.said.true else "licensed without evidence", grave=True)
        elif row.label is Label.CONTRADICTED and row.said.true:
            yield _case(row, "true called false")
        elif wanted is not None and row.label is not wanted:
            yield _case(row, "missed")


def _case(row: Judged, kind: str, *, grave: bool = False) -> Case:
    return Case(
        id=row.said.fact.id,
        kind=kind,
        text=row.said.text,
        gold=row.said.group,
        said=row.label.value,
        reasons=row.reasons,
        evidence=row.evidence,
        grave=grave,
    )


def _notes(found: FactBench, kept: frozenset[str], same: int, settings: Settings) -> Iterator[str]:
    if found.left_out:
        yield f"{found.left_out} facts have no name at one end and are left out."
    correct = len(found.correct)
    if settings.kb is not None:
        yield "A knowledge base of your own is asked: every correct fact counts as present."
        return
    yield _LEAKS.format(withheld=correct - len(kept), correct=correct, share=settings.share or "nothing")
    yield _WORLD
    yield _NAMES.format(joined=same) if settings.join else _APART
