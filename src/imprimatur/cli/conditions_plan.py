"""From the options of ``eval conditions`` to what is asked of which model, by which recording.

Contract: what a recording was made with holds where the command line says nothing else; what differs is told. The
bundled recording is only read: no model is asked, whatever the environment names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from imprimatur.cli.model_options import ModelOptions, priced
from imprimatur.config import ModelConfig, load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.conditions import Settings
from imprimatur.evals.known_conditions import KNOWN, Known, Need, Task, known
from imprimatur.generate.asker import AskSettings
from imprimatur.generate.revising import RetrofitSettings
from imprimatur.models.asking import Model
from imprimatur.models.recording import Recording
from imprimatur.oracle import Oracle
from imprimatur.retrieve.gate import Gate
from imprimatur.retrieve.limits import RetrievalLimits

__all__ = ["BUNDLED", "ROWS", "Models", "asking_by", "model_config", "opening", "run"]

_FOLDER = Path(__file__).parents[1] / "resources" / "recordings"
#: What comes with the package: by set, a recording and the rows that it is of.
BUNDLED = {"rivers": _FOLDER / "rivers.jsonl.gz", "claims": _FOLDER / "claims.jsonl.gz"}
ROWS = {"rivers": _FOLDER / "rivers-questions.csv", "claims": _FOLDER / "rivers-claims.jsonl"}
#: The options that a prompt hangs on, and which questions are asked.
_KEPT = (
    *("kb", "most", "made", "seed_of_questions", "policy", "paragraphs", "bare"),
    *("items", "tokens", "thoughts", "window", "form", "rounds", "ungated", "short"),
)
_ROLES = ("factual", "abstain")


def run(asked: str | None, files: tuple[Path, ...], named: ModelOptions, **given: Any) -> int:
    """Does what the command says. Raises ImprimaturError."""
    from imprimatur.evals import conditions_runs

    if given.pop("listing"):
        return conditions_runs.listing(as_json=given["as_json"], out=given["out"])
    if asked is None:
        hint = "rivers, relations, made, posed or claims; or --list"
        raise InputError("no set of questions or claims is named", hint=hint)
    recording, notes = _recorded(asked, given)
    task = Task.CLAIMS if asked == "claims" else Task.QUESTIONS
    models, hows = _models(task, named, recording, given)
    out, runs, price = given.pop("out"), given.pop("runs"), models.config.price
    told = {name: given[name] for name in _KEPT} | {"runs": runs, "evidence tokens": models.evidence}
    told |= {"longest answer of the model": models.longest, "seed": models.config.seed}
    told |= {"temperature": None if models.config.temperature is None else str(models.config.temperature)}
    if recording is not None:
        kept = {name: value for name, value in told.items() if value is not None}
        recording.describe({"set": asked, "conditions": list(hows), **kept})
    plan = conditions_runs.Plan(runs=runs, out=out, recording=recording, files=files, told=told, notes=notes)
    if not files and asked in ROWS:
        plan = replace(plan, files=(ROWS[asked],))
    del given["window"]
    asking = asking_by(models.config, given, evidence=models.evidence, longest=models.longest)
    base = Settings(hows=hows, asking=asking, price=price, seed=given.pop("seed_of_questions"), **given)

    def settings(run: int) -> Settings:
        return replace(base, model=models.main(run), own=models.own(run))

    if task is Task.CLAIMS:
        from imprimatur.evals import claim_conditions

        return claim_conditions.run(plan, settings)
    return conditions_runs.run(asked, plan, settings)


# -- recordings --------------------------------------------------------------------------------------------------------
def _recorded(asked: str, given: dict[str, Any]) -> tuple[Recording | None, tuple[str, ...]]:
    """The recording, with its settings put in the place of options that were not typed; and what differs, in words."""
    where, typed = given.pop("recorded"), given.pop("typed")
    if where is None:
        return None, ()
    if given["record"] is not None or given["replay"] is not None:
        raise InputError("--recorded records and replays", hint="leave out --record and --replay")
    if where == "bundled" and asked not in BUNDLED:
        raise InputError(f"no recording of {asked!r} is bundled", hint=f"there is one of {' and of '.join(BUNDLED)}")
    recording = Recording(BUNDLED[asked] if where == "bundled" else Path(where))
    told = recording.settings
    if told.get("set", asked) != asked:
        raise InputError(f"was recorded for {told['set']!r}", where=str(recording.path), hint="name that set")
    notes = [recording.note] if recording.note else []
    for name in _KEPT:
        if name not in told:
            continue
        if name in typed and given[name] != told[name]:
            notes.append(f"Recorded with {name} {told[name]}, asked with {given[name]}.")
        elif name not in typed:
            given[name] = told[name]
    return recording, tuple(notes)


# -- models ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which model is asked in which run.

    Attributes:
        config: of the model itself. evidence, longest: tokens of evidence, and of an answer, that fit it.
        others: condition -> the model that it has of its own; in a recording its name is the role.
        opens: from a configuration, a role and a run to what opens a model; None where there is none.
    """

    config: ModelConfig
    others: Mapping[str, ModelConfig | None]
    opens: Callable[[ModelConfig | None, str, int], Callable[[], Model] | None]
    evidence: int | None = None
    longest: int | None = None

    def main(self, run: int) -> Callable[[], Model] | None:
        """What opens the model itself."""
        return self.opens(self.config, "", run)

    def own(self, run: int) -> dict[str, Callable[[], Model]]:
        """What opens the models of conditions that have their own."""
        found = {how: self.opens(config, how, run) for how, config in self.others.items()}
        return {how: opened for how, opened in found.items() if opened is not None}


def _models(
    task: Task, named: ModelOptions, recording: Recording | None, given: dict[str, Any]
) -> tuple[Models, tuple[str, ...]]:
    """The models, and the conditions that they are for."""
    record, replay = given.pop("record"), given.pop("replay")
    config = priced(model_config(named, given["kb"], window=given["window"]), given.pop("price"))
    others = _others(task, config, given.pop("tuned"), given.pop("places"))
    sealed = recording is not None and recording.path in BUNDLED.values()
    live = not sealed and (config.base_url is not None or config.path is not None)
    if recording is not None:
        others = {**dict.fromkeys(role for role in recording.roles() if role), **(others if not sealed else {})}
    chosen = given.pop("hows") or (recording.settings.get("conditions", ()) if recording is not None else ())
    hows = tuple(known(how, task).name for how in chosen) or _usual(task, others, live or bool(recording or replay))

    def opens(config: ModelConfig | None, role: str, run: int) -> Callable[[], Model] | None:
        asked = None if config is None or not (live or role) else _seeded(config, run)
        if recording is not None:
            opened = None if asked is None or sealed else opening(asked, record=None, replay=None)
            return lambda: recording.model(role, run, opened=opened)
        if asked is None and replay is None and not _named_late(task, hows):
            return None
        return opening(asked or ModelConfig(), record=record, replay=replay)

    kept = recording.settings if recording is not None else {}
    window = config.window if config.path is not None else None
    fitted = None if window is None else min(window // 2, RetrievalLimits().tokens)
    models = Models(
        config=config,
        others=others,
        opens=opens,
        evidence=kept.get("evidence tokens", fitted),
        longest=kept.get("longest answer of the model", None if window is None else window // 4),
    )
    return models, hows


def _named_late(task: Task, hows: Sequence[str]) -> bool:
    """Whether some condition needs a model, so that opening none says what is missing."""
    return any(Need.MODEL in KNOWN[task][how].needs for how in hows)


def _usual(task: Task, others: Mapping[str, Any], model: bool) -> tuple[str, ...]:
    """The conditions where none is named: all that can be met by what is there."""

    def met(each: Known) -> bool:
        if each.role:
            return each.name in others
        return task is Task.QUESTIONS or model or Need.MODEL not in each.needs

    return tuple(each.name for each in KNOWN[task].values() if met(each))


def _others(
    task: Task, config: ModelConfig, tuned: Sequence[str], places: Sequence[str]
) -> dict[str, ModelConfig | None]:
    """The models that conditions have of their own, by condition."""
    found: dict[str, ModelConfig | None] = {}
    for option, texts in (("--tuned", tuned), ("--at", places)):
        for text in texts:
            name, _, where = text.partition("=")
            if not where:
                raise InputError(
                    f"{text[:60]!r} names no place", where=option, hint="write NAME=FILE or NAME=URL#MODEL"
                )
            if option == "--tuned" and name not in _ROLES:
                raise InputError(f"no tuned model is called {name[:40]!r}", where=option, hint=" or ".join(_ROLES))
            found[known(name, task).name] = _placed(config, where)
    return found


def _placed(config: ModelConfig, where: str) -> ModelConfig:
    """The same settings at another place; no key goes there."""
    if where.startswith(("http://", "https://")):
        url, _, name = where.partition("#")
        options = ModelOptions(base_url=url, name=name or None)
    else:
        options = ModelOptions(weights=Path(where))
    return options.config(config, environ={})


def _seeded(config: ModelConfig, run: int) -> ModelConfig:
    return config if run == 1 else replace(config, seed=(config.seed or 0) + run - 1)


def model_config(named: ModelOptions, kb: str, *, window: int | None = None) -> ModelConfig:
    """The model that is named, else that of the knowledge base."""
    config = named.config(load_folder(resolve(kb)).model)
    return config if window is None else replace(config, window=window)


def opening(config: ModelConfig, *, record: Path | None, replay: Path | None) -> Callable[[], Model]:
    """What opens the model, with its recording; or the recording alone."""
    if record is not None and replay is not None:
        raise InputError("answers are recorded or replayed, not both", hint="leave one of them out")

    def opened() -> Model:
        from imprimatur.models.opening import open_model
        from imprimatur.models.recorded import Recorder, Replay

        if replay is not None:
            return Replay(replay)
        model = open_model(config)
        return model if record is None else Recorder(model, record)

    return opened


def asking_by(
    config: ModelConfig, given: dict[str, Any], *, evidence: int | None = None, longest: int | None = None
) -> Callable[[Oracle], AskSettings]:
    """How questions are asked, by the options ``tokens``, ``items``, ``form``, ``rounds`` and ``ungated``.

    Args:
        config: the model. given: the options; those are taken out.
        evidence, longest: tokens of evidence and of an answer, where not those that fit the model.
    """
    tokens, items = given.pop("tokens"), given.pop("items")
    retrofit = RetrofitSettings(form=given.pop("form"), rounds=given.pop("rounds"))
    gate = Gate(floor=0.0, items=0) if given.pop("ungated") else None

    def asking(oracle: Oracle) -> AskSettings:
        made = AskSettings.fitting(config, oracle)
        if evidence is not None:
            made = replace(made, limits=RetrievalLimits(tokens=evidence))
        usual = made.tokens if longest is None else longest
        return replace(made, tokens=usual if tokens is None else tokens, items=items, retrofit=retrofit, gate=gate)

    return asking
