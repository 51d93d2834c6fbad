"""``imprimatur eval cards``: the measures of the Licensing Oracle's paper on its cards, under a world that is stated.

What a card asks is said as a sentence and checked by the five stages, against a graph of the card's own facts or of the
facts of all cards. Whether it is so, and whether it could be known not to be so, hangs on the world: the published
figures leave that open. So the same verdicts are counted in four ways, side by side: as a gate that lets a claim pass
or not; as answers yes, no and "I don't know" by the published gold; the same by what follows in the world; and as the
published figures were counted, where a "no" is an answer and never a right one. Invariant: a sentence that is licensed
though the graph does not state it is a false licence, whatever the gold says.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from imprimatur.errors import InputError
from imprimatur.evals import card_published
from imprimatur.evals.card_set import MADE, Card, Gold, Kind, Pair, World, read_cards, stated, truth, write_folder
from imprimatur.evals.epistemic import NAMES, Asked, Epistemic, bars
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.kept import code_hash
from imprimatur.evals.outcome import Case, Cell, Figure, Matrix, Outcome, Row, Table
from imprimatur.evals.running import Running, Task, rows_judged
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label, worst

__all__ = ["JudgedCard", "Settings", "judged", "outcome_of", "run"]

_ANSWERS = {Label.SUPPORTED: Gold.YES, Label.CONTRADICTED: Gold.NO}
_WORLDS = {
    World.OPEN: "World: open. What is not stated is unknown; only what a card itself denies is refuted.",
    World.FUNCTIONAL: (
        "World: functional. A thing has one value (owl:FunctionalProperty), so that another stated value refutes, "
        "names taken to be different things; without a stated value nothing is refuted."
    ),
    World.CLOSED: "World: closed. The graph states every value that there is (`complete`), so that silence refutes.",
}
_GRAPHS = {
    "cards": "Graph: each card is judged by its own facts, and what it denies, and nothing else.",
    "joint": (
        "Graph: each card is judged by the facts of all cards (of both published sets where both are there); what a "
        "card denies is no fact of it."
    ),
}
_PUBLISHED_WAY = "a no is a wrong answer"
#: Label, reason codes, evidence.
_Verdict = tuple[Label, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is judged by what: the world, ``graph`` ``cards`` or ``joint``, and how many cards, drawn by ``seed``."""

    world: World = World.FUNCTIONAL
    graph: str = "cards"
    most: int | None = None
    seed: int = 1
    running: Running = field(default_factory=Running)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCard:
    """A card with its verdict.

    Attributes:
        true: what follows from the graph in the world; ``stated``: the graph states what is asked.
        evidence: each item in one line; ``reasons``: codes.
    """

    card: Card
    label: Label
    true: Gold
    stated: bool
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def said(self) -> Gold:
        """The verdict as an answer; whatever is neither licensed nor refuted is an abstention."""
        return _ANSWERS.get(self.label, Gold.UNKNOWN)

    @property
    def false_licence(self) -> bool:
        """Whether it was licensed though the graph does not state it."""
        return self.label is Label.SUPPORTED and not self.stated

    def gate(self) -> Asked:
        """As a gate: the claim passes when it is licensed."""
        passed, entailed = self.label is Label.SUPPORTED, self.card.gold is Gold.YES
        violates = self.card.gold is Gold.NO
        return Asked(
            entailed=entailed, violates=violates, answered=passed, correct=passed and entailed, licensed=passed
        )

    def answer(self, gold: Gold) -> Asked:
        """As an answer to the question, right when it is the gold one."""
        answered = self.said is not Gold.UNKNOWN
        return Asked(
            entailed=gold is Gold.YES,
            violates=gold is Gold.NO,
            answered=answered,
            correct=answered and self.said is gold,
            licensed=self.label is Label.SUPPORTED,
        )

    def as_published(self) -> Asked:
        """As the published figures count: a "no" is an answer, keeps nothing back, and is never right."""
        plain = self.answer(self.card.gold)
        return Asked(
            entailed=plain.entailed,
            violates=plain.violates,
            answered=plain.answered,
            correct=plain.correct and plain.entailed,
            licensed=plain.licensed,
        )


def run(path: Path | None, settings: Settings, *, published_set: str, as_json: bool, out: Path | None) -> int:
    """Judges cards, prints and writes what came of it, and returns 1 after a false licence.

    Args:
        path: a file of cards, or the folder of the published ones; cards about invented things by default.
        published_set: which of the published sets is meant in a folder: "1997" or "800".

    Raises:
        InputError: there are no such cards.
    """
    file = MADE if path is None else _file(path, published_set)
    cards = read_cards(file)
    beside = card_published.beside(file) if settings.graph == "joint" else ()
    every = [*cards, *(card for other in beside for card in read_cards(other))]
    before = sum(os.times()[:4])
    rows = judged(_drawn(cards, settings), every, settings)
    spent = sum(os.times()[:4]) - before
    found = outcome_of(rows, settings, card_published.figures(file, len(rows), settings.graph))
    sources, versions = provenance(files=[file, *beside])
    about = {"cards": len(rows), "of": len(cards), "world": settings.world.value, "graph": settings.graph}
    whole = replace(
        found,
        settings={**about, "seed": settings.seed},
        sources=sources,
        versions=versions,
        used={"processor seconds": round(spent, 1)},
    )
    return finish(whole, as_json=as_json, out=out)


def _file(path: Path, published_set: str) -> Path:
    if not path.is_dir():
        return path
    names = card_published.FILES
    inside = path / names[published_set]
    if not inside.is_file() and (path / "cards" / inside.name).is_file():
        return path / "cards" / inside.name
    if not inside.is_file():
        raise InputError(
            f"has no {inside.name}",
            where=str(path),
            hint="the cards are in https://github.com/s-emanuilov/world_mind (no licence stated; made from DBpedia, "
            "CC BY-SA); without FOLDER invented cards are judged",
        )
    return inside


def _drawn(cards: Sequence[Card], settings: Settings) -> list[Card]:
    if settings.most is None or settings.most >= len(cards):
        return list(cards)
    picked = sorted(random.Random(settings.seed).sample(range(len(cards)), settings.most))
    return [cards[at] for at in picked]


def judged(cards: Sequence[Card], every: Sequence[Card], settings: Settings) -> tuple[JudgedCard, ...]:
    """The cards with their verdicts.

    Args:
        every: the cards whose facts make the joint graph.
    """
    with TemporaryDirectory() as name:
        judge = _jointly(every, settings, Path(name)) if settings.graph == "joint" else _alone(settings)
        about = {"evaluation": "cards", "world": settings.world.value, "graph": settings.graph, "code": code_hash()}
        if settings.graph == "joint":
            about["cards"] = hashlib.sha256(repr([each.key() for each in every]).encode()).hexdigest()
        task = Task(
            judge=judge,
            key=Card.key,
            told=lambda card: card.id,
            write=lambda found: [found[0].value, list(found[1]), list(found[2])],
            read=lambda kept: (Label(kept[0]), tuple(kept[1]), tuple(kept[2])),
            about=about,
        )
        found = list(rows_judged(cards, task, settings.running))
    together = stated(every) if settings.graph == "joint" else None
    return tuple(_row(card, verdict, together, settings.world) for card, verdict in zip(cards, found, strict=True))


def _alone(settings: Settings) -> Callable[[Card], _Verdict]:
    """Judges each card by a graph of its own."""

    def judge(card: Card) -> _Verdict:
        with TemporaryDirectory() as name:
            folder = Path(name)
            write_folder(folder, card.facts, card.denied, [card.asked], settings.world)
            return _verdict(Oracle.from_folder(folder, cache_dir=folder / "cache"), card)

    return judge


def _jointly(every: Sequence[Card], settings: Settings, folder: Path) -> Callable[[Card], _Verdict]:
    """Judges each card by the facts of all."""
    write_folder(folder, sorted(stated(every)), (), [card.asked for card in every], settings.world)
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    return lambda card: _verdict(oracle, card)


def _verdict(oracle: Oracle, card: Card) -> _Verdict:
    report = oracle.check(card.sentence)
    verdicts = [claim.verdict for segment in report.segments for claim in segment.claims]
    return (
        worst([segment.label for segment in report.segments]),
        tuple(dict.fromkeys(reason.value for verdict in verdicts for reason in verdict.reasons)),
        tuple(dict.fromkeys(item.content for verdict in verdicts for item in verdict.evidence)),
    )


def _row(card: Card, verdict: _Verdict, together: frozenset[Pair] | None, world: World) -> JudgedCard:
    facts = frozenset(card.facts) if together is None else together
    denied = card.denied if together is None else ()
    label, reasons, evidence = verdict
    return JudgedCard(
        card=card,
        label=label,
        true=truth(card, facts, denied, world),
        stated=card.asked in facts,
        reasons=reasons,
        evidence=evidence,
    )


def outcome_of(rows: Sequence[JudgedCard], settings: Settings, published: card_published.Figures) -> Outcome:
    """What some judged cards show: the measures, the verdicts by kind, and every case that is worth a look."""
    columns = {
        "gate": Epistemic.of(row.gate() for row in rows),
        "answers, gold as published": Epistemic.of(row.answer(row.card.gold) for row in rows),
        "answers, gold of the world": Epistemic.of(row.answer(row.true) for row in rows),
        _PUBLISHED_WAY: Epistemic.of(row.as_published() for row in rows),
    }
    measures = Table(
        title="The same verdicts, counted in four ways",
        head=("measure", *columns),
        rows=tuple(_line(name, columns, published) for name in NAMES),
    )
    drawn = {
        name: {each: Figure.of(share) for each, share in column.shares().items()} for name, column in columns.items()
    }
    if published.paper:
        drawn["published, table 5"] = {name: Figure(value=told.value) for name, told in published.paper.items()}
    return Outcome(
        name="cards",
        title=f"{len(rows)} cards, {settings.world.value} world",
        tables=(measures, _verdicts(rows)),
        curves=(bars(drawn, "Discipline, counted in four ways"),),
        matrices=(_matrix(rows),),
        cases=tuple(_cases(rows)),
        rows=tuple(Row(id=row.card.id, said=row.label.value, right=row.said is row.true) for row in rows),
        notes=(_WORLDS[settings.world], _GRAPHS[settings.graph], *_notes(rows)),
    )


def _line(name: str, columns: Mapping[str, Epistemic], published: card_published.Figures) -> tuple[Cell, ...]:
    cells: list[Cell] = [NAMES[name]]
    for column, measured in columns.items():
        beside = {"gate": published.paper, _PUBLISHED_WAY: published.counts}.get(column, {})
        cells.append(Figure.of(measured.shares()[name], beside.get(name)))
    return tuple(cells)


def _verdicts(rows: Sequence[JudgedCard]) -> Table:
    """How many cards of each kind and published gold got each verdict."""
    labels = _labels(rows)
    cells = Counter((row.card.kind, row.label) for row in rows)
    body: list[tuple[Cell, ...]] = []
    for kind in Kind:
        of_kind = [row for row in rows if row.card.kind is kind]
        if of_kind:
            true = Counter(row.true for row in of_kind)
            follows = ", ".join(f"{gold.value} {true[gold]}" for gold in Gold if true[gold])
            counts = (cells[kind, label] for label in labels)
            body.append((kind.value, of_kind[0].card.gold.value, follows, *counts, len(of_kind)))
    head = ("card", "published gold", "follows in this world", *(label.value for label in labels), "all")
    return Table(title="Verdicts by kind of card", head=head, rows=tuple(body))


def _matrix(rows: Sequence[JudgedCard]) -> Matrix:
    labels, cells = _labels(rows), Counter((row.card.kind, row.label) for row in rows)
    kinds = [kind for kind in Kind if any(row.card.kind is kind for row in rows)]
    return Matrix(
        title="Kind of card by verdict",
        rows=tuple(kind.value for kind in kinds),
        columns=tuple(label.value for label in labels),
        counts=tuple(tuple(cells[kind, label] for label in labels) for kind in kinds),
    )


def _labels(rows: Sequence[JudgedCard]) -> list[Label]:
    return [label for label in Label if any(row.label is label for row in rows)]


def _cases(rows: Sequence[JudgedCard]) -> Iterator[Case]:
    """The grave ones first, then each card on which the verdict is not what follows in the world."""
    for row in sorted(rows, key=lambda row: (not row.false_licence, row.card.id)):
        kind = _case(row)
        if kind:
            yield Case(
                id=row.card.id,
                kind=kind,
                text=row.card.sentence,
                gold=row.true.value,
                said=row.label.value,
                reasons=row.reasons,
                evidence=row.evidence,
                grave=row.false_licence,
            )


def _case(row: JudgedCard) -> str:
    if row.false_licence:
        return "false licence"
    if row.said is row.true:
        return ""
    if row.stated:
        return "true called false" if row.said is Gold.NO else "true withheld"
    return "refuted without proof" if row.said is Gold.NO else "not refuted"


def _notes(rows: Sequence[JudgedCard]) -> Iterator[str]:
    """What is wrong with the cards themselves, counted."""
    mended = Counter(what for row in rows for what in row.card.mended)
    if mended:
        yield "Mended in the names of the cards: " + "; ".join(f"{what} ({n})" for what, n in mended.most_common(8))
    several = Counter(fact[:2] for fact in stated(row.card for row in rows)).values()
    many = sum(count > 1 for count in several)
    if many:
        yield f"{many} things have several stated values; together they conflict where a thing has one."
    wrong = [row.card.id for row in rows if row.stated and row.card.gold is not Gold.YES]
    if wrong:
        yield f"Stated by the graph, though the published gold is not YES: {', '.join(wrong[:8])}."
    same = [row for row in rows if row.true is not row.card.gold]
    if same:
        kinds = Counter(f"{row.card.gold.value} by the card, {row.true.value} in this world" for row in same)
        told = "; ".join(f"{what}: {count}" for what, count in sorted(kinds.items()))
        yield f"The published gold is not what follows in this world for {len(same)} cards ({told})."
