"""What the judges with a network have in common: cases become inputs, inputs logits, and the best window counts.

Scores are rounded to four decimals before they are compared with anything, so that the last bits of a float, which
hang on the batch, decide nothing. A case that cannot be put to the model is ``unchecked``; the others are judged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from imprimatur.config import JudgeConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.judges.encoding import Encoded, Encoder
from imprimatur.judges.folder import ModelFolder
from imprimatur.judges.networks import Network, open_network
from imprimatur.protocols import Case, Opinion
from imprimatur.verdict import Label

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["Ensemble", "fingerprint", "open_model", "rounded", "shares"]

_DECIMALS = 4
#: Makes an opinion of a case, its inputs and their logits.
Opine = Callable[[Case, "list[Encoded]", "list[Array]"], Opinion]


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A model with its encoder."""

    folder: ModelFolder
    encoder: Encoder
    network: Network

    def each(self, cases: Sequence[Case], opine: Opine) -> list[Opinion]:
        """An opinion for each case, made of the logits of its windows."""
        rows: list[list[Encoded] | str] = [self._rows(case) for case in cases]
        flat = [row for each in rows if not isinstance(each, str) for row in each]
        found = iter(self._run(flat))
        made = []
        for case, each in zip(cases, rows):
            try:
                if isinstance(each, str):
                    raise CheckFailed(each)
                made.append(opine(case, each, [next(found) for _ in each]))
            except CheckFailed as fault:
                made.append(Opinion(label=Label.UNCHECKED, detail=fault.message))
        return made

    def _rows(self, case: Case) -> list[Encoded] | str:
        try:
            return self.encoder.windows(case)
        except CheckFailed as fault:
            return fault.message

    def _run(self, rows: Sequence[Encoded]) -> list[Array]:
        size = self.network.batch
        order = sorted(range(len(rows)), key=lambda number: len(rows[number].ids))
        found: dict[int, Array] = {}
        for at in range(0, len(order), size):
            batch = order[at : at + size]
            found.update(zip(batch, self.network.run([rows[number] for number in batch])))
        return [found[number] for number in range(len(rows))]


def open_model(config: JudgeConfig, *, head: str, template: str | None = None) -> Ensemble:
    """The model that a configuration names.

    Raises:
        ConfigError: there is none, or what runs it is not installed.
    """
    if config.path is None:
        hint = "name the folder of the model under `path`; only a judge of the kind llm has a `url`"
        raise ConfigError(f"a judge of the kind {config.kind} needs a folder", hint=hint)
    folder = ModelFolder.open(config.path, tokens=config.tokens)
    encoder = Encoder.open(folder.path, longest=folder.longest, template=template, premise=config.premise)
    if any("TokenClassification" in str(each) for each in folder.settings.get("architectures") or ()):
        head = "tokens"
    return Ensemble(folder, encoder, open_network(folder, head=head, answers=config.answers))


def fingerprint(model: Ensemble, *settings: object) -> str:
    """A hash of all that an opinion depends on: the model's files, and how it is asked."""
    parts = (model.folder.fingerprint, model.folder.longest, *settings)
    return sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]


def shares(logits: Array) -> list[float]:
    """The shares of labels: one logit is that of yes (so the shares of no and yes), several are weighed together."""
    values = [float(each) for each in logits]
    if len(values) == 1:
        yes = 1 / (1 + math.exp(-max(-60.0, min(60.0, values[0]))))
        return [1 - yes, yes]
    top = max(values)
    each = [math.exp(value - top) for value in values]
    return [value / sum(each) for value in each]


def rounded(score: float) -> float:
    """A score as it is compared and shown."""
    return round(score, _DECIMALS)
