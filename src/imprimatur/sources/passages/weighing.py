"""How likely signs make it that a claim is unfounded: a logistic model of a few numbers, kept as a readable file.

Contract: ``unfounded`` gives log-odds, a pure function of signs and weights; ``above`` says how far they are above the
threshold of the kind of context (records, passages that a text numbers, any other prose), which the context's form
tells. ``Weights.shipped`` are those of ``resources/passages/weights.json``, trained as its card says. They only ever
lower a verdict: a threshold parts ``not_found`` from ``ambiguous``, and neither is licensed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from imprimatur.errors import InputError
from imprimatur.sources.passages.signs import NAMES

__all__ = ["KINDS", "Weights", "above", "kind_of", "unfounded"]

#: The kinds of context.
KINDS = ("records", "numbered", "prose")

_SHIPPED = Path(__file__).parent.parent.parent / "resources" / "passages" / "weights.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model.

    Attributes:
        base: the log-odds of a claim without any sign; each: what one more of a sign adds, by its name.
        strayed: what is added for each unit by which the worst claim before was above ``calm``.
        threshold: the log-odds from which a claim counts as unfounded.
        sooner: by how much less it does so already, by the kind of context.
    """

    base: float
    each: Mapping[str, float]
    strayed: float
    calm: float
    threshold: float
    sooner: Mapping[str, float] = field(default_factory=dict)

    @property
    def content_hash(self) -> str:
        """A hash of all numbers."""
        numbers = [self.base, *(self.each[name] for name in NAMES), self.strayed, self.calm, self.threshold]
        numbers += [self.sooner.get(kind, 0.0) for kind in KINDS]
        return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()

    @classmethod
    @cache
    def shipped(cls) -> Weights:
        """The weights that come with the package."""
        return cls.read(_SHIPPED)

    @classmethod
    def read(cls, path: Path) -> Weights:
        """The weights of a file.

        Raises:
            InputError: the file cannot be read, or is not such a file.
        """
        try:
            said = json.loads(path.read_text("utf-8"))
            each = {name: float(said["each"][name]) for name in NAMES}
            sooner = {kind: float(said["sooner"][kind]) for kind in KINDS}
            numbers = [float(said[key]) for key in ("base", "strayed", "calm", "threshold")]
        except OSError as fault:
            raise InputError(f"cannot be read: {fault.strerror}", where=str(path)) from fault
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError("holds no weights for passages", where=str(path), hint=_MEND) from fault
        base, strayed, calm, threshold = numbers
        return cls(base=base, each=each, strayed=strayed, calm=calm, threshold=threshold, sooner=sooner)


_MEND = "make one with `imprimatur eval calibrate`, or leave it out"


def unfounded(signs: Mapping[str, float], weights: Weights, before: Sequence[float] = ()) -> float:
    """The log-odds that a claim is unfounded.

    Args:
        signs: its signs by name.
        weights: what each of them adds.
        before: the log-odds, each by itself, of what the answer said before: where it strayed once it strays again.
    """
    own = weights.base + sum(weights.each[name] * signs[name] for name in NAMES)
    worst = max(before, default=weights.calm)
    return own + weights.strayed * max(0.0, worst - weights.calm)


def above(odds: float, signs: Mapping[str, float], weights: Weights) -> float:
    """How far log-odds are above the threshold of the claim's kind of context; from 0 on, it counts as unfounded."""
    return odds + weights.sooner.get(kind_of(signs), 0.0) - weights.threshold


def kind_of(signs: Mapping[str, float]) -> str:
    """The kind of context that signs were found in."""
    if signs["structured"]:
        return "records"
    return "numbered" if signs["numbered"] else "prose"
