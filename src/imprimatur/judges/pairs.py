"""Pair scorers: evidence and claim go in, how far the one bears out the other comes out (as HHEM and MiniCheck do).

Forms that are read: one logit; one logit for each label (``label`` names that for "borne out", by default the second);
logits for each token, of which the first token's count; and models that write their answer (``answers``). The evidence
and the claim are a pair, or one text by ``template``. Of several windows the best counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.config import JudgeConfig
from imprimatur.errors import CheckFailed
from imprimatur.judges.encoding import Encoded
from imprimatur.judges.opening import Opened
from imprimatur.judges.scoring import Ensemble, fingerprint, open_model, rounded, shares
from imprimatur.protocols import Case, Opinion
from imprimatur.verdict import Label

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["PairJudge", "open_judge"]

_YES = 1


class PairJudge:
    """Agrees where the score reaches the threshold."""

    def __init__(self, config: JudgeConfig, model: Ensemble) -> None:
        self.name = config.name
        self._model = model
        self._label = model.folder.label(config.label, _YES)
        self._threshold = float(config.threshold)
        asked = (config.template, config.premise, config.answers, self._label)
        self.fingerprint = fingerprint(model, self._threshold, *asked)

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """One opinion for each case."""
        return self._model.each(cases, self._opinion)

    def _opinion(self, case: Case, rows: list[Encoded], found: list[Array]) -> Opinion:
        score = max(rounded(self._share(logits)) for logits in found)
        agrees = score >= self._threshold
        detail = "" if agrees else f"score {score:.4f}, below {self._threshold:g}"
        return Opinion(label=Label.SUPPORTED if agrees else Label.NOT_FOUND, score=score, detail=detail)

    def _share(self, logits: Array) -> float:
        each = shares(logits if logits.ndim == 1 else logits[0])
        if self._label >= len(each):
            raise CheckFailed(f"gave {len(each)} labels, and none of number {self._label}")
        return each[self._label]


def open_judge(config: JudgeConfig) -> Opened:
    """The pair scorer in a folder. Raises ConfigError where there is none."""
    model = open_model(config, head="sequence", template=config.template)
    return Opened(PairJudge(config, model), model.network.batch, here=True)
