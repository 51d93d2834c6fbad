"""Token classifiers: which words of a claim the evidence does not bear out (as LettuceDetect does).

Each token of the claim gets the share of the label "not borne out" (``label``; by default the last one); its score is
the rest. A claim's score is that of its worst token: it is agreed to when all reach the threshold, and else the words
that do not are marked. Of several windows a token's best counts: one stretch of evidence that bears it out is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.config import JudgeConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.judges.encoding import Encoded
from imprimatur.judges.opening import Opened
from imprimatur.judges.scoring import Ensemble, fingerprint, open_model, rounded, shares
from imprimatur.protocols import Case, Mark, Opinion
from imprimatur.verdict import Label

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["TokenJudge", "open_judge"]


class TokenJudge:
    """Agrees where no token of the claim is marked."""

    def __init__(self, config: JudgeConfig, model: Ensemble) -> None:
        self.name = config.name
        self._model = model
        self._label = model.folder.label(config.label, -1)
        self._threshold = float(config.threshold)
        self.fingerprint = fingerprint(model, self._threshold, self._label, config.premise)

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """One opinion for each case."""
        return self._model.each(cases, self._opinion)

    def _opinion(self, case: Case, rows: list[Encoded], found: list[Array]) -> Opinion:
        best: dict[tuple[int, int], float] = {}
        for row, logits in zip(rows, found):
            for index, start, end in row.claim:
                best[start, end] = max(self._score(logits, index), best.get((start, end), 0.0))
        if not best:
            raise CheckFailed("read no word of the claim")
        score = min(best.values())
        agrees = score >= self._threshold
        return Opinion(
            label=Label.SUPPORTED if agrees else Label.NOT_FOUND,
            score=score,
            marks=tuple(self._marks(case.claim, best)),
            detail="" if agrees else f"score {score:.4f}, below {self._threshold:g}",
        )

    def _score(self, logits: Array, index: int) -> float:
        if logits.ndim != 2 or not -logits.shape[1] <= self._label < logits.shape[1]:
            raise CheckFailed("gave no such label for each token")
        return rounded(1 - shares(logits[index])[self._label])

    def _marks(self, claim: str, scores: dict[tuple[int, int], float]) -> Iterator[Mark]:
        """The stretches of neighbouring tokens below the threshold, with the lowest score in each."""
        stretch: list[tuple[int, int, float]] = []
        for (start, end), score in sorted(scores.items()):
            if score < self._threshold:
                stretch.append((start, end, score))
            elif stretch:
                yield from _mark(claim, stretch)
                stretch = []
        yield from _mark(claim, stretch)


def _mark(claim: str, stretch: Sequence[tuple[int, int, float]]) -> Iterator[Mark]:
    if not stretch:
        return
    start, end = stretch[0][0], stretch[-1][1]
    words = claim[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if start < end:
        yield Mark(start, end, f"score {min(score for *_, score in stretch):.4f}")


def open_judge(config: JudgeConfig) -> Opened:
    """The token classifier in a folder. Raises ConfigError where there is none."""
    if config.template is not None or config.answers:
        raise ConfigError("a judge of the kind tokens reads pairs", hint="leave `template` and `answers` out")
    model = open_model(config, head="tokens")
    return Opened(TokenJudge(config, model), model.network.batch, here=True)
