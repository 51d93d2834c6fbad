"""What conditions over questions came to, as one outcome: the paper's measures, its tables, tests, runs, worst cases.

Contract: the tables of shares are those of the first run; what other seeds change stands in a table of its own. A
question that the graph answers is *entailed*; only what a condition that checks lets out is *licensed*. Grave is a
licensed answer with something in it that stands nowhere in the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from imprimatur.config import Price
from imprimatur.evals.conditions import Said, Tally
from imprimatur.evals.epistemic import NAMES, Asked, Epistemic
from imprimatur.evals.known_conditions import Known, Task, capabilities, known
from imprimatur.evals.metered import Used, account, accounts
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Matrix, Outcome, Row, Table
from imprimatur.evals.paper_tables import PROGRESSION, paired_table, paper_tables, published
from imprimatur.evals.repeated import Repeated

__all__ = ["cost_table", "made", "measures", "runs_table", "spent"]

#: Of each condition so many wrong answers are shown as cases.
_MOST_CASES = 10
_KINDS = ("answered", "right", "wrong", "abstained", "unfounded")
_BARS = ("abstention_precision", "abstention_recall", "far_ne", "licensed_accuracy")


Runs = Sequence[Mapping[str, Tally]]


def made(
    runs: Runs,
    *,
    price: Price | None = None,
    settings: Mapping[str, Any],
    notes: Sequence[str] = (),
    provenance: tuple[dict[str, str], dict[str, str]] = ({}, {}),
) -> Outcome:
    """The outcome of questions that were asked in several ways, in each of some runs.

    Args:
        runs: by run, condition -> what came of the questions; each has the same conditions and questions.
        price: what the model's tokens cost.
        settings, provenance: what the figures hang on, and what they came from.
        notes: what a reader must know, beside what every reader must.
    """
    first = runs[0]
    conditions = [known(how, Task.QUESTIONS) for how in first]
    measured = {how: measures(tally, known(how, Task.QUESTIONS)) for how, tally in first.items()}
    titles = {each.name: each.title for each in conditions}
    right = {how: tuple(each.right for each in tally.said) for how, tally in first.items()}
    scores = {how: tuple(run[how].said for run in runs) for how in first}
    tables = (
        _counts(first),
        _measured(measured),
        *paper_tables(measured, titles),
        paired_table(right),
        runs_table({how: [[each.right for each in said] for said in by_run] for how, by_run in scores.items()}),
        cost_table({how: tally.used for how, tally in first.items()}, price, len(next(iter(first.values())).said)),
    )
    sources, versions = provenance
    return Outcome(
        name="conditions",
        title="Questions asked in several ways",
        tables=tuple(table for table in tables if table is not None),
        curves=tuple(_curves(measured)),
        matrices=(capabilities(conditions), _ends(first)),
        cases=tuple(_cases(first)),
        rows=tuple(_rows(first)),
        settings={**settings, "models": sorted({tally.model for run in runs for tally in run.values() if tally.model})},
        sources=sources,
        versions=versions,
        used=spent(tally.used for run in runs for tally in run.values()),
        notes=(
            "The paper's own figures stand beside as such: its questions have five options, its models are larger.",
            *notes,
        ),
    )


def measures(tally: Tally, condition: Known) -> Epistemic:
    """The paper's measures over the questions of one condition."""
    return Epistemic.of(
        Asked(
            entailed=each.posed.supported,
            answered=bool(each.text),
            correct=each.right,
            licensed=bool(each.text) and condition.checked,
        )
        for each in tally.said
    )


# -- tables ------------------------------------------------------------------------------------------------------------
def _counts(tallies: Mapping[str, Tally]) -> Table:
    supported = sum(each.posed.supported for each in next(iter(tallies.values())).said)
    asked = len(next(iter(tallies.values())).said)
    shares = {how: tally.shares() for how, tally in tallies.items()}
    return Table(
        title=f"{asked} questions, of {supported} the fact is in the graph",
        head=("how", *_KINDS),
        rows=tuple((how, *(Figure.of(found[kind]) for kind in _KINDS)) for how, found in shares.items()),
        note="unfounded: a number or name of the answer stands nowhere around the question's things in the graph.",
    )


def _measured(measured: Mapping[str, Epistemic]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (how, *(Figure.of(share, published(how, name)) for name, share in each.shares().items()))
        for how, each in measured.items()
    )
    return Table(
        title="The paper's measures",
        head=("how", *NAMES.values()),
        rows=rows,
        note="A false licence here is any licensed answer that is not right, a true sentence beside the question too.",
    )


def runs_table(right: Mapping[str, Sequence[Sequence[bool]]]) -> Table | None:
    """Accuracy over runs with other seeds; None for a single run.

    Args:
        right: condition -> by run, whether each row is right.
    """
    repeated = {how: Repeated(tuple(tuple(map(float, run)) for run in by_run)) for how, by_run in right.items()}
    if max(len(each.runs) for each in repeated.values()) < 2:
        return None
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (how, len(each.runs), each.figure(), *map(_value, (each.sd, each.within, each.unsteady)))
        for how, each in repeated.items()
    )
    return Table(
        title="Runs with other seeds",
        head=("how", "runs", "accuracy, mean", "sd of runs", "variance in a run", "variance of a row over runs"),
        rows=rows,
        note="t intervals over runs: how far other seeds would move the mean on these rows. The paper has one run.",
    )


def spent(used: Iterable[Used]) -> dict[str, float]:
    """The seconds of models, where there were some: answers from a recording take none."""
    seconds = round(sum(each.seconds for each in used), 1)
    return {"seconds of models": seconds} if seconds else {}


def _value(value: float | None) -> Figure:
    return Figure(value=value)


def cost_table(used: Mapping[str, Used], price: Price | None, asked: int) -> Table:
    """Calls, tokens, and what they cost; without seconds, which no two runs have the same."""
    place = accounts(price).index("seconds of the model")

    def told(cells: list[str]) -> tuple[str, ...]:
        return tuple(cell for number, cell in enumerate(cells) if number != place)

    return Table(
        title="What was used",
        head=("how", *told(accounts(price))),
        rows=tuple((how, *told(account(each, price, asked))) for how, each in used.items()),
        note="Answers from a recording are counted as if they were asked for.",
    )


# -- plots and cases ---------------------------------------------------------------------------------------------------
def _curves(measured: Mapping[str, Epistemic]) -> Iterator[Curve]:
    names = tuple(measured)
    found = {how: each.shares() for how, each in measured.items()}
    accuracy = [(number, Figure.of(found[how]["accuracy"])) for number, how in enumerate(names)]
    theirs = tuple((float(n), PROGRESSION[how]) for n, how in enumerate(names) if how in PROGRESSION)
    own = {"here": tuple((float(n), each.value) for n, each in accuracy if each.value is not None)}
    spread = {"here": tuple((each.low or 0.0, each.high or 0.0) for _, each in accuracy if each.value is not None)}
    yield Curve(
        title="Accuracy by condition, and the paper's (other models, other questions)",
        kind=Kind.BARS,
        across="condition",
        up="accuracy",
        series=own | ({"Licensing Oracle, tables 1 to 5": theirs} if theirs else {}),
        names=names,
        spread=spread,
    )
    bars = {
        NAMES[kind]: tuple(
            (float(n), value) for n, how in enumerate(names) if (value := Figure.of(found[how][kind]).value) is not None
        )
        for kind in _BARS
    }
    yield Curve(
        title="Epistemic discipline",
        kind=Kind.BARS,
        across="condition",
        up="share",
        series={name: points for name, points in bars.items() if points},
        names=names,
    )


def _ends(tallies: Mapping[str, Tally]) -> Matrix:
    """What became of the questions: answered rightly or wrongly, or why not."""
    counts = {how: Counter(_end(each) for each in tally.said) for how, tally in tallies.items()}
    ends = tuple(dict.fromkeys(("right", "wrong", *sorted(end for found in counts.values() for end in found))))
    rows = tuple(tuple(found[end] for end in ends) for found in counts.values())
    return Matrix(title="What became of the questions", rows=tuple(tallies), columns=ends, counts=rows)


def _end(each: Said) -> str:
    return each.outcome if not each.text else "right" if each.right else "wrong"


def _cases(tallies: Mapping[str, Tally]) -> Iterator[Case]:
    for how, tally in tallies.items():
        checked = known(how, Task.QUESTIONS).checked
        wrong = [each for each in tally.said if each.text and not each.right]
        wrong.sort(key=lambda each: (not (checked and each.unfounded), not each.unfounded))
        kept = [each for place, each in enumerate(wrong) if place < _MOST_CASES or (checked and each.unfounded)]
        for each in kept:
            grave = checked and bool(each.unfounded)
            kind = "false licence" if grave else "licensed, not what was asked" if checked else "wrong answer"
            yield Case(
                id=f"{how}: {each.posed.id}",
                kind=kind,
                text=each.posed.text,
                gold=" or ".join(each.posed.right) or "no answer",
                said=" ".join(each.text.split())[:300],
                reasons=tuple(f"unfounded: {each_word}" for each_word in each.unfounded),
                evidence=each.evidence,
                grave=grave,
            )


def _rows(tallies: Mapping[str, Tally]) -> Iterator[Row]:
    for how, tally in tallies.items():
        for each in tally.said:
            fine = each.right or (not each.text and not each.posed.supported)
            yield Row(id=f"{how}: {each.posed.id}", said=_end(each), right=fine)
