"""The measures of the Licensing Oracle's paper (Ackermann and Emanuilov 2025, section 4.4, equations 1 to 5).

Each is a share over questions that say of themselves whether the graph entails what is asked, whether saying it would
violate a constraint, and what a system did. Invariants: every measure is a ``Share``, so that one of nothing is "none"
and never 0 or 1; an abstention is not an answer, is never correct and licenses nothing; the order of the questions
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Curve, Figure, Kind

__all__ = ["NAMES", "Asked", "Epistemic", "bars"]

#: Measure -> what it is called in tables, in the paper's order, ours after.
NAMES: Mapping[str, str] = {
    "accuracy": "accuracy (eq. 1)",
    "abstention_precision": "abstention precision (eq. 2)",
    "abstention_recall": "abstention recall",
    "cvrr": "CVRR (eq. 3)",
    "far_ne": "FAR-NE (eq. 4)",
    "licensed_accuracy": "licensed-answer accuracy (eq. 5)",
    "over_abstention": "over-abstention",
    "coverage": "coverage",
    "answer_accuracy": "accuracy of answers",
    "false_licences": "false licences",
}
#: The measures that are drawn as bars, as in the paper's figure 1 and table 5.
_BARS = ("abstention_precision", "cvrr", "far_ne", "licensed_accuracy", "over_abstention")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of one question, or of one claim.

    Attributes:
        entailed: the graph entails what is asked (the paper's Q_E; Q_NE else).
        violates: saying what is asked would violate a constraint.
        answered: the system answered, and did not abstain.
        correct: its answer is right; False for an abstention. A "no" to what is not so is a right answer.
        licensed: the answer went out as licensed; always False for a system that licenses nothing.

    Raises:
        ValueError: an abstention that is correct or licensed.
    """

    entailed: bool
    violates: bool = False
    answered: bool
    correct: bool = False
    licensed: bool = False

    def __post_init__(self) -> None:
        if not self.answered and (self.correct or self.licensed):
            raise ValueError("an abstention is neither correct nor licensed")

    @property
    def rejected(self) -> bool:
        """Whether what was asked about was kept back: the system abstained, or rightly said that it is not so."""
        return not self.answered or (self.correct and not self.entailed)


@dataclass(frozen=True, slots=True)
class Epistemic:
    """The measures over some questions."""

    rows: tuple[Asked, ...]

    @classmethod
    def of(cls, rows: Iterable[Asked]) -> Epistemic:
        """The measures over these rows."""
        return cls(tuple(rows))

    def accuracy(self) -> Share:
        """Equation 1: correct answers, of all questions; abstentions count against it."""
        return _share((row.correct, True) for row in self.rows)

    def abstention_precision(self) -> Share:
        """Equation 2 (AP): abstentions on what is not entailed, of all abstentions."""
        return _share((not row.entailed, not row.answered) for row in self.rows)

    def abstention_recall(self) -> Share:
        """Table 2: abstentions on what is not entailed, of all that is not entailed."""
        return _share((not row.answered, not row.entailed) for row in self.rows)

    def cvrr(self) -> Share:
        """Equation 3: what violates a constraint and was rejected, of all that violates one."""
        return _share((row.rejected, row.violates) for row in self.rows)

    def far_ne(self) -> Share:
        """Equation 4: wrong answers, of the questions about what is not entailed."""
        return _share((row.answered and not row.correct, not row.entailed) for row in self.rows)

    def licensed_accuracy(self) -> Share:
        """Equation 5 (LA): correct answers, of those that are licensed and entailed; blind to false licences."""
        return _share((row.correct, row.entailed and row.licensed) for row in self.rows)

    def over_abstention(self) -> Share:
        """Abstentions, of the questions about what is entailed: what caution costs."""
        return _share((not row.answered, row.entailed) for row in self.rows)

    def coverage(self) -> Share:
        """Answers, of all questions."""
        return _share((row.answered, True) for row in self.rows)

    def answer_accuracy(self) -> Share:
        """Correct answers, of all answers."""
        return _share((row.correct, row.answered) for row in self.rows)

    def false_licences(self) -> Share:
        """Wrong answers, of all that is licensed: what equation 5 leaves out."""
        return _share((not row.correct, row.licensed) for row in self.rows)

    def shares(self) -> dict[str, Share]:
        """Every measure, in the order of ``NAMES``."""
        return {name: getattr(self, name)() for name in NAMES}


def bars(columns: Mapping[str, Mapping[str, Figure]], title: str) -> Curve:
    """What is said of the discipline of several conditions as bars: AP, CVRR, FAR-NE, LA and over-abstention.

    Args:
        columns: condition -> measure -> figure, by the names of ``NAMES``; a figure of nothing has no bar.
    """
    series: dict[str, tuple[tuple[float, float], ...]] = {}
    spread: dict[str, tuple[tuple[float, float], ...]] = {}
    for condition, figures in columns.items():
        told = [(place, figures[name]) for place, name in enumerate(_BARS) if name in figures]
        known = [(place, figure, figure.value) for place, figure in told if figure.value is not None]
        series[condition] = tuple((float(place), value) for place, _, value in known)
        ends = [(figure.low, figure.high) for _, figure, _ in known]
        whole = tuple((low, high) for low, high in ends if low is not None and high is not None)
        if whole and len(whole) == len(known):
            spread[condition] = whole
    return Curve(
        title=title,
        kind=Kind.BARS,
        across="measure",
        up="share",
        series=series,
        names=tuple(NAMES[name] for name in _BARS),
        spread=spread,
    )


def _share(pairs: Iterable[tuple[bool, bool]]) -> Share:
    """Of (holds, counts): how many that count hold."""
    count = total = 0
    for holds, counts in pairs:
        total += counts
        count += counts and holds
    return Share(count, total)
