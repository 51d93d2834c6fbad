"""How a model is tuned: the recipes of the Licensing Oracle's paper, and what they leave open.

Said in the paper (Ackermann and Emanuilov 2025, section 4.5): LoRA of rank 16 over the attention and MLP layers,
AdamW, a learning rate of 2e-4. Not said, and chosen here: ``alpha`` 32 (twice the rank, so that an update has the
weight of two whatever the rank), dropout 0.05, no weight decay, 3 epochs of batches of 16 rows, a rate that rises
over the first 3 % of the steps and falls to nothing in a straight line, gradients of norm 1 at most. The values and
their reasons are those of the field's usual trainers. A recipe is a value: the same one, data, weights and machine
give the same adapter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from imprimatur.errors import InputError

__all__ = ["DONT_KNOW", "RECIPES", "Kind", "Recipe"]

#: What a model is taught to say where it does not know; the instructions of ``plain`` ask for just these words.
DONT_KNOW = "I don't know."


class Kind(StrEnum):
    """What is taught."""

    FACTUAL = "factual"
    ABSTENTION = "abstention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How an adapter is trained.

    Attributes:
        rank, alpha: of the adapter; what it adds is scaled by alpha / rank.
        dropout: of what goes into it, a share.
        rate: the highest learning rate.
        warm: the share of the steps over which the rate rises.
        decay: of the weights, by AdamW.
        epochs: how often every row is seen.
        batch: rows of one step; ``at_once``: rows that are in memory together (a step's gradients are added up).
        clip: the largest norm of a step's gradients.
        longest: rows of more tokens are refused.
        seed: what the order of the rows, the first weights and dropout hang on.

    Raises:
        InputError: a number is out of its bounds.
    """

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    rate: float = 2e-4
    warm: float = 0.03
    decay: float = 0.0
    epochs: int = 3
    batch: int = 16
    at_once: int = 4
    clip: float = 1.0
    longest: int = 1024
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise InputError(f"{name} is {value}", where="the recipe", hint=f"from {low:g} to {high:g}")

    def steps(self, rows: int) -> int:
        """How many steps so many rows take: whole batches, a rest counting as one, in every epoch."""
        return self.epochs * -(-rows // self.batch)

    def rate_at(self, step: int, steps: int) -> float:
        """The learning rate of a step, the first being 0: up in a straight line, then down to nothing."""
        rising = max(1, math.ceil(self.warm * steps))
        if step < rising:
            return self.rate * (step + 1) / rising
        return self.rate * (steps - step) / max(1, steps - rising)

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return asdict(self)


_BOUNDS: dict[str, tuple[float, float]] = {
    "rank": (1, 1024),
    "alpha": (1, 4096),
    "dropout": (0, 0.9),
    "rate": (1e-8, 1),
    "warm": (0, 1),
    "decay": (0, 1),
    "epochs": (1, 1000),
    "batch": (1, 4096),
    "at_once": (1, 4096),
    "clip": (1e-6, 1e6),
    "longest": (8, 1 << 20),
    "seed": (0, (1 << 31) - 1),
}
#: Both are trained alike: what they differ in is the answers in their data.
RECIPES: Mapping[Kind, Recipe] = {Kind.FACTUAL: Recipe(), Kind.ABSTENTION: Recipe()}
