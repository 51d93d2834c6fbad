"""``imprimatur eval mine``, ``rivers``, ``philosophers``, ``domains``: knowledge bases measured side by side.

One code path and one set of settings for every knowledge base: what differs between two columns is the knowledge base.
The measures are the paper's (Ackermann and Emanuilov 2025, section 4.4 and table 6), counted once over all claims, as
they were sentences to be read, and once over those that were read, for the paper's oracle was given triples.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from imprimatur.evals.epistemic import NAMES, Epistemic
from imprimatur.evals.finishing import finish
from imprimatur.evals.metrics import Share
from imprimatur.evals.mining.claim import KINDS, Kind
from imprimatur.evals.mining.judging import JudgedClaim
from imprimatur.evals.mining.measuring import Measured, Settings, measure, measure_rows, write_rows
from imprimatur.evals.outcome import Case, Cell, Figure, Matrix, Outcome, Published, Row, Table
from imprimatur.verdict import SEVERITY, Label

__all__ = ["DOMAINS", "PUBLISHED", "mine", "outcome_of", "run"]

#: The bundled knowledge bases that stand for the paper's two domains.
DOMAINS = ("rivers", "philosophers")
_TABLE_5, _TABLE_6 = "Licensing Oracle, table 5", "Licensing Oracle, table 6"
_GIVEN_TRIPLES = (
    "published of triples that were given to the oracle; here sentences are read, and each entailed one that is "
    "withheld counts against abstention precision"
)
_CARDS = "published of cards half of which say in words what is not so; `eval cards` takes them apart"
_MODEL = "published of a model's answers to the authors' questions; here of made questions, answered by the graph alone"
#: Domain -> measure -> what the paper reports.
PUBLISHED: Mapping[str, Mapping[str, Published]] = {
    "rivers": {
        "accuracy": Published(value=0.891, source=_TABLE_6, why=_MODEL),
        "abstention_precision": Published(value=1.0, source=_TABLE_6, why=_GIVEN_TRIPLES),
        "cvrr": Published(value=0.5, source=_TABLE_5, why=_CARDS),
        "far_ne": Published(value=0.0, source=_TABLE_6),
        "licensed_accuracy": Published(value=1.0, source=_TABLE_5),
    },
    "philosophers": {
        "accuracy": Published(value=0.89, source=_TABLE_6, why=_MODEL),
        "abstention_precision": Published(value=1.0, source=_TABLE_6, why=_GIVEN_TRIPLES),
        "far_ne": Published(value=0.0, source=_TABLE_6),
    },
}
_SHOWN = (
    *("abstention_precision", "abstention_recall", "cvrr", "far_ne", "licensed_accuracy"),
    *("over_abstention", "false_licences"),
)
_GOLD = (
    "What is right is said by a second opinion that shares no code with the judge: facts and what follows from them by "
    "an engine of its own, shapes by pySHACL."
)


def run(
    name: str,
    kbs: Sequence[str],
    settings: Settings,
    *,
    file: Path | None = None,
    as_json: bool,
    out: Path | None,
) -> int:
    """Measures knowledge bases and prints them side by side; 1 when something is licensed that is not entailed.

    Args:
        name: the command after ``eval``.
        file: labelled rows that are judged by the one knowledge base, instead of claims that are made.

    Raises:
        ImprimaturError: a knowledge base, a file or a row is wrong.
    """
    start = time.process_time()
    found = [measure(kb, settings) if file is None else measure_rows(kb, file, settings) for kb in kbs]
    used = {"processor seconds": round(time.process_time() - start, 1)}
    return finish(outcome_of(name, found, settings, used=used), as_json=as_json, out=out)


def mine(kb: str, settings: Settings, *, write: Path | None, as_json: bool, out: Path | None) -> int:
    """Measures any knowledge base, writes the claims where that is asked for; 1 for a false licence.

    Raises:
        ImprimaturError: the knowledge base is wrong, or the rows cannot be written.
    """
    start = time.process_time()
    found = measure(kb, settings)
    if write is not None:
        write_rows(found, write)
    used = {"processor seconds": round(time.process_time() - start, 1)}
    return finish(outcome_of("mine", [found], settings, used=used), as_json=as_json, out=out)


def outcome_of(
    name: str, found: Sequence[Measured], settings: Settings, *, used: Mapping[str, float] | None = None
) -> Outcome:
    """What was measured of some knowledge bases, as one outcome."""
    published = PUBLISHED if name != "mine" else {}
    tables = [_measures(found, published)]
    for each in found:
        tables.append(_kinds(each))
        if each.asked:
            tables.append(_questions(each, published.get(each.name, {}).get("accuracy")))
        if each.claims and each.claims[0].claim.made != "given":
            tables += [
                _grouped(each, "by how they were made", lambda claim: (claim.claim.kind.value, claim.claim.made)),
                _grouped(each, "by property", lambda claim: ("", claim.claim.property)),
                _grouped(each, "by wording", lambda claim: ("", claim.claim.form)),
            ]
        if each.overlaps is not None:
            tables.append(_overlaps(each))
    return Outcome(
        name=name,
        title=f"Claims and questions of {', '.join(each.name for each in found)}",
        tables=tuple(tables),
        matrices=tuple(_matrix(each) for each in found),
        cases=tuple(case for each in found for case in _cases(each)),
        rows=tuple(
            Row(id=f"{each.name} {claim.claim.id} {claim.claim.text}", said=claim.verdict.value, right=claim.right)
            for each in found
            for claim in each.claims
        ),
        settings={key: value for key, value in asdict(settings).items() if value is not None and key != "running"},
        sources={name: digest for each in found for name, digest in each.sources.items()},
        versions=found[0].versions if found else {},
        used=used or {},
        notes=tuple(note for each in found for note in _notes(each)),
    )


# -- tables -----------------------------------------------------------------------------------------------------------
def _measures(found: Sequence[Measured], published: Mapping[str, Mapping[str, Published]]) -> Table:
    columns = [(each, only) for each in found for only in (False, True)]
    every = [
        Epistemic.of(claim.asked() for claim in each.claims if claim.read or not only).shares()
        for each, only in columns
    ]
    rows = []
    for measure_name in _SHOWN:
        cells: list[Cell] = [NAMES[measure_name]]
        for (each, only), shares in zip(columns, every, strict=True):
            said = published.get(each.name, {}).get(measure_name)
            cells.append(Figure.of(shares[measure_name], said if not only or measure_name == "far_ne" else None))
        rows.append(tuple(cells))
    head = tuple(f"{each.name}{', of what was read' if only else ''}" for each, only in columns)
    return Table(
        title="Measures of the paper, over claims (what is licensed is an answer, all else an abstention)",
        head=("measure", *head),
        rows=tuple(rows),
        note=(
            "Abstention precision falls with each entailed claim that is withheld, and hangs on how many claims of "
            "each kind there are; over-abstention does not."
        ),
    )


def _kinds(each: Measured) -> Table:
    rows = []
    for kind in KINDS:
        some = [claim for claim in each.claims if claim.claim.kind is kind]
        licensed, refuted = _count(some, Label.SUPPORTED), _count(some, Label.CONTRADICTED)
        rows.append(
            (
                kind.value,
                len(some),
                licensed,
                refuted,
                len(some) - licensed - refuted,
                sum(not claim.read for claim in some),
                Figure.of(Share(sum(claim.right for claim in some), len(some))),
            )
        )
    return Table(
        title=f"{each.name}: claims by kind",
        head=("kind", "claims", "licensed", "contradicted", "otherwise withheld", "not read", "as labelled"),
        rows=tuple(rows),
    )


def _count(claims: Sequence[JudgedClaim], label: Label) -> int:
    return sum(claim.verdict is label for claim in claims)


def _questions(each: Measured, published: Published | None) -> Table:
    rows = []
    for name, known in (("the graph has the answer", True), ("the graph has none", False)):
        some = [asked for asked in each.asked if bool(asked.question.right) is known]
        right = Share(sum(asked.right for asked in some), len(some))
        beside = Share(sum(asked.beside for asked in some), len(some))
        wrong = Share(sum(asked.wrong for asked in some), len(some))
        refused = Share(sum(not asked.said for asked in some), len(some))
        rows.append(
            (
                name,
                len(some),
                Figure.of(right, published if known else None),
                Figure.of(beside),
                Figure.of(wrong),
                Figure.of(refused),
            )
        )
    return Table(
        title=f"{each.name}: questions, without a model",
        head=("questions", "asked", "right", "another fact", "wrong", "refused"),
        rows=tuple(rows),
    )


def _grouped(each: Measured, how: str, key: Callable[[JudgedClaim], tuple[str, str]]) -> Table:
    groups: dict[tuple[str, str], list[JudgedClaim]] = defaultdict(list)
    for claim in each.claims:
        groups[key(claim)].append(claim)
    rows = []
    for names, some in sorted(groups.items(), key=lambda item: item[0]):
        entailed = [claim for claim in some if claim.claim.kind is Kind.ENTAILED]
        rows.append(
            (
                ": ".join(name for name in names if name),
                len(some),
                Figure.of(Share(sum(claim.licensed for claim in entailed), len(entailed))),
                sum(claim.false_licence for claim in some),
                sum(not claim.read for claim in some),
                Figure.of(Share(sum(claim.right for claim in some), len(some))),
            )
        )
    return Table(
        title=f"{each.name}: claims {how}",
        head=("", "claims", "entailed that are licensed", "false licences", "not read", "as labelled"),
        rows=tuple(rows),
    )


def _overlaps(each: Measured) -> Table:
    rows = [
        (found.text, found.said, f"{found.stored}{', turned round' if found.turned else ''}")
        for found in each.overlaps or ()
    ]
    return Table(
        title=f"{each.name}: said in the words of one property, borne out by another",
        head=("licensed sentence", "said", "stored"),
        rows=tuple(rows),
        note="To be looked at: where a sentence is not true, a label or a wording says too much.",
    )


def _matrix(each: Measured) -> Matrix:
    counts = Counter((claim.claim.kind, claim.verdict) for claim in each.claims)
    verdicts = [label for label in SEVERITY if any(label is verdict for _, verdict in counts)]
    return Matrix(
        title=f"{each.name}: kind by verdict",
        rows=tuple(kind.value for kind in KINDS),
        columns=tuple(label.value for label in verdicts),
        counts=tuple(tuple(counts[kind, label] for label in verdicts) for kind in KINDS),
    )


# -- cases and notes --------------------------------------------------------------------------------------------------
def _cases(each: Measured) -> Iterator[Case]:
    order = sorted(each.claims, key=lambda claim: not claim.false_licence)
    for claim in order:
        told = _told(claim)
        if told:
            yield Case(
                id=f"{each.name} {claim.claim.id}",
                kind=told,
                text=claim.claim.text,
                gold="|".join(label.value for label in claim.claim.label),
                said=claim.verdict.value,
                reasons=claim.reasons,
                evidence=claim.evidence,
                grave=claim.false_licence,
            )
    for asked in each.asked:
        if asked.wrong or asked.beside:
            right = " | ".join(asked.question.right) or "no answer"
            yield Case(
                id=f"{each.name} {asked.question.id}",
                kind="wrong answer" if asked.wrong else "another fact",
                text=f"{asked.question.text} {asked.said}",
                gold=right,
                said="answered",
                grave=asked.wrong,
            )


def _told(claim: JudgedClaim) -> str:
    """What a case is called; empty where nothing is amiss."""
    if claim.false_licence:
        return "false licence"
    if claim.right:
        return ""
    if claim.claim.kind is Kind.ENTAILED:
        return "true called false" if claim.verdict is Label.CONTRADICTED else "withheld"
    return "called false, nothing forbids it" if claim.claim.kind is Kind.NON_ENTAILED else "not refuted"


def _notes(each: Measured) -> Iterator[str]:
    made = each.claims and each.claims[0].claim.made != "given"
    if not made:
        return
    world = "World: open"
    if each.functional:
        world += f"; one value at most: {', '.join(each.functional)}"
    if each.complete:
        world += f"; known whole: {', '.join(each.complete)}"
    yield f"{each.name}: {world}. Different names are taken to be of different things."
    yield f"{each.name}: {_GOLD}"
    if each.shapes and each.shared:
        yield f"{each.name}: the oracle leaves some shapes to pySHACL, so there both opinions rest on it."
    if not each.shapes:
        yield f"{each.name}: it has no shapes, so no claim breaks one."
    if each.held_out:
        yield f"{each.name}: {each.held_out} facts were held out; claims of them are true and must not be licensed."
    if each.unknown:
        yield f"{each.name}: the second opinion does not follow these axioms: {', '.join(each.unknown)}."
    if each.left:
        yield f"{each.name}: no claim was made where {'; '.join(f'{why} ({n})' for why, n in each.left.items())}."
