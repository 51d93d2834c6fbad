"""The block ``correct:`` in imprimatur.yaml: a model that is asked how to mend what no stored value puts right.

    correct:
      model: {base_url: http://localhost:8000/v1, name: …}   # by default that under ``model:``
      rounds: 2                       # how often it is asked about one segment
      segments: 20                    # about how many segments of one answer
      facts: 20                       # how many facts of the graph it is shown about one segment
      seconds: 30                     # how long it may take for one answer, all in all
      labels: [contradicted, conflicting, not_found, ambiguous]   # about segments of which labels
    correct: model                    # the model under ``model:``, with all of these

It is asked only under a policy that corrects something, and there about segments that are corrected or taken out.
Invariant: nothing here is opened or reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from imprimatur._config_models import ModelConfig, read_model
from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["CorrectorConfig", "read_corrector"]

_SHORT = "model"
_LABELS = ("contradicted", "conflicting", "not_found", "ambiguous")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectorConfig:
    """A model that proposes corrections, and how much of it. ``model`` is None where the knowledge base's is meant."""

    model: ModelConfig | None = None
    rounds: int = 2
    segments: int = 20
    facts: int = 20
    seconds: int = 30
    labels: tuple[str, ...] = _LABELS
    where: str = "correct"


def read_corrector(top: Section, folder: Path, environ: Mapping[str, str]) -> CorrectorConfig | None:
    """The block; None where it is absent. Raises the section's error for whatever is wrong with it."""
    where = f"{top.where}: correct"
    if isinstance(top.values.get("correct"), str):
        said = top.text("correct")
        if said != _SHORT:
            hint = "write `correct: model` for the model under `model:`, or a block with a `model:` of its own"
            raise top.fault("correct", f"{(said or '')[:40]!r} is no corrector", hint=hint)
        return CorrectorConfig(where=where)
    part = top.section("correct")
    if not part.values:
        return None
    made = CorrectorConfig(
        model=read_model(part.section("model"), folder, environ),
        rounds=part.integer("rounds", 2, low=1, high=10),
        segments=part.integer("segments", 20, low=1, high=1000),
        facts=part.integer("facts", 20, low=0, high=200),
        seconds=part.integer("seconds", 30, low=1, high=600),
        labels=_labels(part),
        where=where,
    )
    part.close()
    return made


def _labels(part: Section) -> tuple[str, ...]:
    labels = part.texts("labels") or _LABELS
    for label in labels:
        if label not in _LABELS:
            raise part.fault("labels", f"{label[:40]!r} is not one of them", hint=f"choose among {', '.join(_LABELS)}")
    return tuple(dict.fromkeys(labels))
