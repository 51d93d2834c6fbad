"""``imprimatur eval conditions``: questions in several conditions and runs, told as it always was or as an outcome.

One run that is not recorded prints what it always printed; with several runs, a recording, or a file to write, all that
was measured is one ``Outcome`` (``conditions_outcome``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from imprimatur.evals import conditions as single
from imprimatur.evals import conditions_outcome
from imprimatur.evals.conditions import Settings, Tally
from imprimatur.evals.finishing import finish, keep, provenance
from imprimatur.evals.known_conditions import listed
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.posed import Draw, open_set
from imprimatur.models.recording import Recording

__all__ = ["Plan", "files_of", "listing", "notes_of", "run", "told_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run, and what becomes of the outcome.

    Attributes:
        runs: how often, with other seeds of the model.
        out: where the outcome is written. recording: where answers come from; None for none.
        files: the rows. told: the options that the figures hang on. notes: what differs from the recording.
    """

    runs: int = 1
    out: Path | None = None
    recording: Recording | None = None
    files: tuple[Path, ...] = ()
    told: Mapping[str, Any]
    notes: tuple[str, ...] = ()


def listing(*, as_json: bool, out: Path | None) -> int:
    """Prints the registry of conditions."""
    outcome = Outcome(name="conditions --list", title="Conditions that can be measured", tables=listed())
    return finish(outcome, as_json=as_json, out=out)


def run(name: str, plan: Plan, settings: Callable[[int], Settings]) -> int:
    """Asks a set in every condition and run, and tells what came of it; 1 when something false was licensed.

    Args:
        name: the set. settings: of each run, from 1.

    Raises:
        ImprimaturError: a file, the knowledge base, the recording or the model is wrong.
    """
    first = settings(1)
    single.check_models(first)
    runs: list[dict[str, Tally]] = []
    with TemporaryDirectory() as folder:
        draw = Draw(most=first.most, made=first.made, seed=first.seed)
        posed = open_set(name, plan.files, first.kb, folder=Path(folder), draw=draw, policy=first.policy)
        runs = [single.compare(posed, settings(number)) for number in range(1, plan.runs + 1)]
        sources = provenance(posed.oracle, files=files_of(plan))
    outcome = conditions_outcome.made(
        runs,
        price=first.price,
        settings={"set": name, **told_of(plan, first)},
        notes=notes_of(plan, first),
        provenance=sources,
    )
    if plan.runs > 1 or plan.recording is not None:
        return finish(outcome, as_json=first.as_json, out=plan.out)
    keep(outcome, plan.out)
    single.tell(posed, runs[0], first)
    return outcome.status


def told_of(plan: Plan, settings: Settings) -> dict[str, Any]:
    """The settings of an outcome."""
    kept = {name: value for name, value in plan.told.items() if value is not None}
    return {**kept, "conditions": list(settings.hows)}


def files_of(plan: Plan) -> tuple[Path, ...]:
    """What was read beside the knowledge base."""
    recorded = plan.recording.path if plan.recording is not None else None
    return plan.files if recorded is None or not recorded.exists() else (*plan.files, recorded)


def notes_of(plan: Plan, settings: Settings) -> tuple[str, ...]:
    """What a reader must know of the model's answers."""
    notes = list(plan.notes)
    if plan.recording is not None:
        notes.append(
            f"Of the model's answers {plan.recording.taken} came from the recording, and {plan.recording.asked} were"
            " asked for."
        )
        notes += plan.recording.stale()
    if plan.runs > 1:
        notes.append("At temperature 0 runs differ only as far as the model is not deterministic: see --temperature.")
    return tuple(notes)
