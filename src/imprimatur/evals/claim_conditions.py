"""``imprimatur eval conditions claims``: the same labelled claims judged in several conditions, compared row by row.

A claim is *right* when the verdict is one of its labels, of three (``claim_rows.three``); a verdict that is neither
supported nor contradicted abstains. Grave is a claim that a condition which checks supports although it is not to be
supported; a model's own wrong word is counted, and is not grave, for nobody licensed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from imprimatur.cli.progress import Progress
from imprimatur.errors import ConfigError, InputError
from imprimatur.evals.claim_judges import Opinion, judge_of
from imprimatur.evals.claim_rows import THREE, ClaimRow, read_claims, three
from imprimatur.evals.conditions import Settings
from imprimatur.evals.conditions_outcome import cost_table, runs_table, spent
from imprimatur.evals.conditions_runs import Plan, files_of, notes_of, told_of
from imprimatur.evals.epistemic import NAMES, Asked, Epistemic
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.known_conditions import Need, Task, capabilities, known
from imprimatur.evals.metered import Metered, Used
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Matrix, Outcome, Row, Table
from imprimatur.evals.paper_tables import paired_table
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

__all__ = ["Judged", "Taken", "judged", "outcome_of", "run"]

_MOST_CASES = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim, and what a condition says of it."""

    row: ClaimRow
    opinion: Opinion

    @property
    def verdict(self) -> Label:
        """One of the three."""
        return three(self.opinion.label)

    @property
    def right(self) -> bool:
        """Whether the verdict is one of the claim's labels; what is unchecked never is."""
        return self.opinion.label is not Label.UNCHECKED and self.verdict in self.row.gold

    @property
    def false_support(self) -> bool:
        """Whether it is supported, and is not to be."""
        return self.verdict is Label.SUPPORTED and Label.SUPPORTED not in self.row.gold


@dataclass(slots=True)
class Taken:
    """What a condition said of the claims, and what it used."""

    judged: list[Judged] = field(default_factory=list)
    used: Used = field(default_factory=Used)
    model: str = ""


def run(plan: Plan, settings: Callable[[int], Settings]) -> int:
    """Judges the claims of a file in every condition and run; 1 when something false was licensed.

    Raises:
        ImprimaturError: the file, the knowledge base, the recording or the model is wrong.
    """
    if len(plan.files) != 1:
        raise InputError("`claims` takes one file", hint="rows as those of `eval claims`")
    first = settings(1)
    _check(first)
    rows = read_claims(plan.files[0], first.most)
    oracle = Oracle.from_folder(first.kb, policy=first.policy)
    runs = [judged(rows, oracle, settings(number)) for number in range(1, plan.runs + 1)]
    outcome = outcome_of(runs, plan, first, provenance(oracle, files=files_of(plan)))
    return finish(outcome, as_json=first.as_json, out=plan.out)


def _check(settings: Settings) -> None:
    for how in settings.hows:
        needs = known(how, Task.CLAIMS).needs
        if Need.MODEL in needs and settings.model is None and how not in settings.own:
            raise InputError(f"a model is needed for {how!r}", hint="name one, or a recording with --recorded")
        if Need.SQL in needs and find_spec("sqlglot") is None:
            raise ConfigError("sqlglot is not installed", hint="pip install 'imprimatur[tables,models]'")


def judged(rows: Sequence[ClaimRow], oracle: Oracle, settings: Settings) -> dict[str, Taken]:
    """What each condition says of the claims."""
    meters: dict[Callable[[], Model], Metered] = {}
    asked = settings.asking(oracle)
    found: dict[str, Taken] = {}
    for how in settings.hows:
        condition = known(how, Task.CLAIMS)
        opened, metered = settings.own.get(how, settings.model), None
        if Need.MODEL in condition.needs and opened is not None:
            metered = meters.get(opened) or meters.setdefault(opened, Metered(opened()))
        tokens = asked.tokens if settings.thoughts is None else settings.thoughts
        judge = judge_of(condition, oracle, metered, items=asked.items, tokens=tokens)
        taken = found[how] = Taken()
        with Progress(f"Judging by {how}", len(rows)) as progress:
            for row in rows:
                taken.judged.append(Judged(row, judge(row)))
                progress.step(row.row.text)
        if metered is not None:
            taken.used, taken.model = metered.reset(), metered.identity
    return found


def outcome_of(
    runs: Sequence[Mapping[str, Taken]],
    plan: Plan,
    settings: Settings,
    came: tuple[dict[str, str], dict[str, str]] = ({}, {}),
) -> Outcome:
    """All that was measured of the claims; ``came`` is what the figures came from."""
    first = runs[0]
    right = {how: tuple(each.right for each in taken.judged) for how, taken in first.items()}
    again = {how: [[each.right for each in by_run[how].judged] for by_run in runs] for how in first}
    rows = len(next(iter(first.values())).judged)
    tables = (
        _verdicts(first),
        _measures(first),
        paired_table(right),
        runs_table(again),
        cost_table({how: taken.used for how, taken in first.items()}, settings.price, rows),
    )
    models = sorted({taken.model for by_run in runs for taken in by_run.values() if taken.model})
    return Outcome(
        name="conditions",
        title="Claims judged in several ways",
        tables=tuple(table for table in tables if table is not None),
        curves=(_bars(first),),
        matrices=(capabilities(known(how, Task.CLAIMS) for how in first), *_confusions(first)),
        cases=tuple(_cases(first)),
        rows=tuple(_rows(first)),
        settings={"set": "claims", **told_of(plan, settings), "models": models},
        sources=came[0],
        versions=came[1],
        used=spent(each.used for by_run in runs for each in by_run.values()),
        notes=(
            "The oracle judges by the whole knowledge base, `direct` by nothing, all others by the row's reference or"
            " what is retrieved for the claim.",
            *notes_of(plan, settings),
        ),
    )


# -- tables ------------------------------------------------------------------------------------------------------------
def _share(taken: Taken, holds: Callable[[Judged], bool], of: Callable[[Judged], bool] = lambda _: True) -> Figure:
    counted = [each for each in taken.judged if of(each)]
    return Figure.of(Share(sum(map(holds, counted)), len(counted)))


def _right_of(taken: Taken, gold: Label) -> Figure:
    """Of the claims with one label, those that are judged so."""
    return _share(taken, lambda each: each.right, lambda each: each.row.gold == {gold})


def _verdicts(first: Mapping[str, Taken]) -> Table:
    some = next(iter(first.values())).judged
    rows: list[tuple[Cell, ...]] = []
    for how, taken in first.items():
        by_gold = (_right_of(taken, gold) for gold in THREE)
        false = _share(taken, lambda each: each.false_support, lambda each: Label.SUPPORTED not in each.row.gold)
        denied = _share(taken, lambda each: each.verdict is Label.CONTRADICTED, lambda each: each.row.entailed)
        unchecked = sum(each.opinion.label is Label.UNCHECKED for each in taken.judged)
        rows.append((how, _share(taken, lambda each: each.right), *by_gold, false, denied, unchecked))
    head = ("how", "right", *(f"{gold} right" for gold in THREE), "false supported", "true denied", "unchecked")
    return Table(title=f"{len(some)} claims", head=head, rows=tuple(rows))


def _measures(first: Mapping[str, Taken]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for how, taken in first.items():
        checked = known(how, Task.CLAIMS).checked
        measured = Epistemic.of(_asked(each, checked=checked) for each in taken.judged)
        rows.append((how, *map(Figure.of, measured.shares().values())))
    return Table(
        title="The Licensing Oracle's measures, of claims",
        head=("how", *NAMES.values()),
        rows=tuple(rows),
        note="An answer is `supported` or `contradicted`; `not found` abstains. CVRR is over rows with `violates`.",
    )


def _asked(each: Judged, *, checked: bool) -> Asked:
    answered = each.verdict is not Label.NOT_FOUND
    return Asked(
        entailed=each.row.entailed,
        violates=each.row.violates,
        answered=answered,
        correct=answered and each.right,
        licensed=checked and each.verdict is Label.SUPPORTED,
    )


def _confusions(first: Mapping[str, Taken]) -> Iterator[Matrix]:
    names = (*THREE, Label.UNCHECKED)
    for how, taken in first.items():
        counts = Counter(
            (gold, each.opinion.label if each.opinion.label is Label.UNCHECKED else each.verdict)
            for each in taken.judged
            for gold in each.row.gold
        )
        cells = tuple(tuple(counts[gold, said] for said in names) for gold in THREE)
        yield Matrix(title=f"Gold and verdict: {how}", rows=tuple(THREE), columns=tuple(names), counts=cells)


def _bars(first: Mapping[str, Taken]) -> Curve:
    right = [(float(n), _share(taken, lambda each: each.right)) for n, taken in enumerate(first.values())]
    known_ones = [(place, each) for place, each in right if each.value is not None]
    return Curve(
        title="Claims judged right, by condition",
        kind=Kind.BARS,
        across="condition",
        up="share",
        series={"right": tuple((place, each.value or 0.0) for place, each in known_ones)},
        names=tuple(first),
        spread={"right": tuple((each.low or 0.0, each.high or 0.0) for _, each in known_ones)},
    )


def _cases(first: Mapping[str, Taken]) -> Iterator[Case]:
    for how, taken in first.items():
        checked = known(how, Task.CLAIMS).checked
        wrong = [each for each in taken.judged if not each.right]
        wrong.sort(key=lambda each: (not each.false_support, each.verdict is not Label.CONTRADICTED))
        for place, each in enumerate(wrong):
            grave = checked and each.false_support
            if place >= _MOST_CASES and not grave:
                break
            kind = "supported, and is not so" if each.false_support else "judged wrong"
            yield Case(
                id=f"{how}: {each.row.row.id}",
                kind="false licence" if grave else kind,
                text=each.row.row.text,
                gold=" or ".join(sorted(each.row.gold)),
                said=each.opinion.label,
                reasons=each.opinion.reasons,
                evidence=each.opinion.evidence,
                grave=grave,
            )


def _rows(first: Mapping[str, Taken]) -> Iterator[Row]:
    for how, taken in first.items():
        for each in taken.judged:
            yield Row(id=f"{how}: {each.row.row.id}", said=each.opinion.label, right=each.right)
