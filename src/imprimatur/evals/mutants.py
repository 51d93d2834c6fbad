"""``imprimatur eval mutants``: change true sentences a little, and see that none of the changed ones is licensed.

The rows are those of ``eval claims``; the ones labelled ``supported`` that the oracle licenses are changed as
``mutations`` says and judged again. A licensed change counts as a leak unless the graph's own files bear it out
(``stated``). Invariants: one seed gives one set of changes; what is borne out is counted and printed too, so that
nobody has to take the second opinion on trust.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.evals.claims import Checker, LabelledRow, read_rows
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.kept import judged_by
from imprimatur.evals.metrics import Share
from imprimatur.evals.mutations import Mutation, mutations
from imprimatur.evals.outcome import Case, Figure, Outcome, Table
from imprimatur.evals.running import Running, Task, rows_judged
from imprimatur.evals.stated import Stated
from imprimatur.language import closed_class
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["Gate", "Licensed", "Mutant", "Settings", "changes", "outcome", "run", "true_rows"]

_FORMATS = (".ttl", ".nt", ".gz")
_JOINED = frozenset(("and", "or", "as", "well", "the"))


@dataclass(frozen=True, slots=True)
class Licensed:
    """A row that is licensed as it stands, with the spans of the names in it."""

    row: LabelledRow
    names: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed sentence that was licensed."""

    row: LabelledRow
    mutation: Mutation


@dataclass(slots=True)
class Gate:
    """How many changes of each kind were judged, and which were licensed."""

    judged: Counter[str] = field(default_factory=Counter)
    leaks: list[Mutant] = field(default_factory=list)
    entailed: list[Mutant] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The counts and the licensed changes, JSON-ready."""
        return {
            "mutants": sum(self.judged.values()),
            "by_kind": dict(sorted(self.judged.items())),
            "leaks": [_shown(mutant) for mutant in self.leaks],
            "entailed": [_shown(mutant) for mutant in self.entailed],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How many sentences are changed, how often each, by which seed, and where the outcome goes."""

    most: int = 500
    each: int = 20
    seed: int = 1
    jobs: int = 1
    keep: Path | None = None
    out: Path | None = None
    as_json: bool = False


def run(rows_path: Path, kb: str, settings: Settings) -> int:
    """Changes the licensed rows of a file, prints what came of it, and returns 1 when something false was licensed.

    Raises:
        ImprimaturError: the file, a row or the knowledge base is wrong.
    """
    rows = read_rows(rows_path)
    oracle = Oracle.from_folder(kb)
    with Progress("Reading", settings.most) as progress:
        true = islice(true_rows(rows, oracle, settings.seed), settings.most)
        chosen = list(progress.over(true, lambda _: 1))
    running = Running(jobs=settings.jobs, keep=settings.keep)
    gate = judged(chosen, oracle, each=settings.each, seed=settings.seed, running=running)
    if settings.out is not None:
        sources, versions = provenance(oracle, files=(rows_path,))
        told = {"kb": Path(kb).name, "most": settings.most, "each": settings.each, "seed": settings.seed}
        keep(replace(outcome(gate), settings=told, sources=sources, versions=versions), settings.out)
    if settings.as_json:
        session.emit_json(gate.to_dict())
    else:
        click.echo(rendered(gate, len(chosen)))
    return 1 if gate.leaks else 0


def true_rows(rows: Sequence[LabelledRow], oracle: Checker, seed: int) -> Iterator[Licensed]:
    """The rows labelled supported that are licensed, in an order that hangs on the seed."""
    order = list(rows)
    Random(seed).shuffle(order)
    for row in order:
        if row.gold == (Label.SUPPORTED,):
            report = oracle.check(row.text, row.question)
            if licensed(report):
                yield Licensed(row, _names(report))


def licensed(report: Report) -> bool:
    """Whether all that a text says is supported, and something is."""
    labels = {segment.label for segment in report.segments}
    return Label.SUPPORTED in labels and labels <= {Label.SUPPORTED, Label.NOT_A_CLAIM}


def _said(report: Report) -> str:
    """``supported`` where a text is licensed; else ``unchecked`` where some of it is, or nothing."""
    if licensed(report):
        return Label.SUPPORTED.value
    unchecked = Label.UNCHECKED in {segment.label for segment in report.segments}
    return Label.UNCHECKED.value if unchecked else ""


def _names(report: Report) -> tuple[tuple[int, int], ...]:
    """The spans of the names that the graph knows, the longest where one lies in another."""
    found: set[tuple[int, int]] = set()
    for reading in (r for s in report.segments for c in s.claims for r in c.claim.readings):
        for end in ("subject", "object"):
            mention = getattr(reading, end, None)
            if mention is not None and mention.candidates and mention.start >= 0:
                text = report.answer[mention.start : mention.end]
                if text[:1].isupper() and text.lower() not in closed_class.words("pronoun"):
                    found.add((mention.start, mention.end))
    return tuple(sorted(a for a in found if not any(b != a and b[0] <= a[0] and a[1] <= b[1] for b in found)))


def changes(chosen: Sequence[Licensed], *, each: int, seed: int) -> Iterator[tuple[Licensed, Mutation]]:
    """The changes of the chosen rows, at most ``each`` of one row."""
    others = sorted({one.row.text[s:e] for one in chosen for s, e in one.names})
    for one in chosen:
        for mutation in islice(mutations(one.row.text, one.names, others, seed), each):
            yield one, mutation


def judged(chosen: Sequence[Licensed], oracle: Oracle, *, each: int, seed: int, running: Running | None = None) -> Gate:
    """What became of the changes of the chosen rows.

    Raises:
        ImprimaturError: a check failed, or a process ended; the row is named.
    """
    config = oracle.knowledge.config.graph
    files = (*config.data, *config.ontology) if config is not None else ()
    stated = Stated(path for path in files if path.suffix in _FORMATS)
    gate, made = Gate(), list(changes(chosen, each=each, seed=seed))
    keeps = running is not None and running.keep is not None
    task: Task[tuple[Licensed, Mutation], str] = Task(
        judge=lambda change: _said(oracle.check(change[1].text, change[0].row.question)),
        key=lambda change: [change[1].text, change[0].row.question],
        told=lambda change: f"{change[0].row.id}, {change[1].kind}",
        write=str,
        read=str,
        keeps=lambda said: said != Label.UNCHECKED,
        about={"evaluation": "mutants", **(judged_by(oracle) if keeps else {})},
    )
    for (one, mutation), said in zip(made, rows_judged(made, task, running)):
        gate.judged[mutation.kind] += 1
        if said == Label.SUPPORTED:
            (gate.entailed if _entailed(one, mutation, stated) else gate.leaks).append(Mutant(one.row, mutation))
    return gate


def _entailed(one: Licensed, mutation: Mutation, stated: Stated) -> bool:
    names = [one.row.text[s:e] for s, e in one.names]
    if mutation.kind == "swap":
        a, _, b = mutation.added.partition("\t")
        return stated.mutual(a, b) or _listed(one, a, b)
    return stated.holds(names, mutation.added)


def _listed(one: Licensed, a: str, b: str) -> bool:
    """Whether two names are members of one list: only names and what joins them stands between."""
    text = one.row.text
    for n, (s, e) in enumerate(one.names):
        for s2, e2 in one.names[n + 1 :]:
            if {text[s:e], text[s2:e2]} == {a, b}:
                within = {x for start, end in one.names for x in range(start, end)}
                between = "".join(" " if x in within else text[x] for x in range(e, s2))
                return set(between.replace(",", " ").split()) <= _JOINED
    return False


def outcome(gate: Gate) -> Outcome:
    """What became of the changes as an outcome; a licensed change that the graph does not bear out is grave."""
    leaks = Counter(mutant.mutation.kind for mutant in gate.leaks)
    entailed = Counter(mutant.mutation.kind for mutant in gate.entailed)
    kinds = [(kind, n, entailed[kind], leaks[kind]) for kind, n in sorted(gate.judged.items())]
    every = ("all", sum(gate.judged.values()), len(gate.entailed), len(gate.leaks))
    rows = tuple((kind, n, true, Figure.of(Share(bad, n - true))) for kind, n, true, bad in (*kinds, every))
    cases = [
        Case(
            id=str(mutant.row.id),
            kind=kind,
            text=mutant.mutation.text,
            gold="borne out" if not grave else "not supported",
            said="supported",
            evidence=(f"changed from: {mutant.row.text}",),
            grave=grave,
        )
        for kind, found, grave in (("leak", gate.leaks, True), ("still entailed", gate.entailed, False))
        for mutant in found
    ]
    table = Table(title="Changes that are licensed", head=("kind", "changed", "still entailed", "leaks"), rows=rows)
    return Outcome(name="mutants", title="True sentences changed a little", tables=(table,), cases=tuple(cases))


def rendered(gate: Gate, sentences: int) -> str:
    """The outcome for people: every licensed change, and a table of the kinds."""
    lines = [f"LEAK  {_line(mutant)}" for mutant in gate.leaks]
    lines += [f"still entailed  {_line(mutant)}" for mutant in gate.entailed]
    leaks = Counter(mutant.mutation.kind for mutant in gate.leaks)
    entailed = Counter(mutant.mutation.kind for mutant in gate.entailed)
    body = [[kind, str(n), str(entailed[kind]), str(leaks[kind])] for kind, n in sorted(gate.judged.items())]
    lines.append(aligned(["kind", "changed", "still entailed", "leaks"], body))
    total = sum(gate.judged.values())
    lines.append(
        f"\n{sentences} true sentences, {total} changes: {len(gate.entailed)} still entailed, {len(gate.leaks)} leaks"
    )
    return "\n".join(lines)


def _line(mutant: Mutant) -> str:
    return f"{mutant.mutation.kind}  {plain(mutant.mutation.text)}  <-  {plain(mutant.row.text)}"


def _shown(mutant: Mutant) -> dict[str, Any]:
    return {
        "id": mutant.row.id,
        "kind": mutant.mutation.kind,
        "text": mutant.mutation.text,
        "of": mutant.row.text,
    }
