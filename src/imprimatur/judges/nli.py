"""NLI cross-encoders: whether evidence entails a claim, contradicts it, or neither.

The labels are those that the model's ``config.json`` names: one that begins with "entail", and where there is one, one
that begins with "contra". Of several windows that with most entailment says whether the claim is borne out; it is
contradicted only where no window entails it and one contradicts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.config import JudgeConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.judges.encoding import Encoded
from imprimatur.judges.folder import ModelFolder
from imprimatur.judges.opening import Opened
from imprimatur.judges.scoring import Ensemble, fingerprint, open_model, rounded, shares
from imprimatur.protocols import Case, Opinion
from imprimatur.verdict import Label

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["NliJudge", "open_judge"]


class NliJudge:
    """Agrees where entailment reaches its threshold; says otherwise where contradiction reaches its own."""

    def __init__(self, config: JudgeConfig, model: Ensemble) -> None:
        self.name = config.name
        self._model = model
        self._entails, self._against = _labels(model.folder)
        self._threshold, self._contradiction = float(config.threshold), float(config.contradiction)
        asked = (config.template, config.premise)
        self.fingerprint = fingerprint(model, self._threshold, self._contradiction, *asked)

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """One opinion for each case."""
        return self._model.each(cases, self._opinion)

    def _opinion(self, case: Case, rows: list[Encoded], found: list[Array]) -> Opinion:
        if any(logits.ndim != 1 or len(logits) <= max(self._entails, self._against or 0) for logits in found):
            raise CheckFailed("gave fewer labels than it names")
        each = [shares(logits) for logits in found]
        score = max(rounded(share[self._entails]) for share in each)
        if score >= self._threshold:
            return Opinion(label=Label.SUPPORTED, score=score)
        against = 0.0 if self._against is None else max(rounded(share[self._against]) for share in each)
        if self._against is not None and against >= self._contradiction:
            return Opinion(label=Label.CONTRADICTED, score=score, detail=f"contradiction {against:.4f}")
        return Opinion(label=Label.NOT_FOUND, score=score, detail=f"entailment {score:.4f}, below {self._threshold:g}")


def _labels(folder: ModelFolder) -> tuple[int, int | None]:
    """The numbers of entailment and contradiction."""
    names = [name.lower() for name in folder.labels]
    entails = next((number for number, name in enumerate(names) if name.startswith("entail")), None)
    if entails is None:
        hint = 'write id2label with "entailment", "neutral" and "contradiction" into config.json, in the model\'s order'
        message = f"none of its labels is entailment: {', '.join(folder.labels)[:100] or 'they are not named'}"
        raise ConfigError(message, where=str(folder.path / "config.json"), hint=hint)
    return entails, next((number for number, name in enumerate(names) if name.startswith("contra")), None)


def open_judge(config: JudgeConfig) -> Opened:
    """The NLI model in a folder. Raises ConfigError where there is none."""
    model = open_model(config, head="sequence", template=config.template)
    return Opened(NliJudge(config, model), model.network.batch, here=True)
