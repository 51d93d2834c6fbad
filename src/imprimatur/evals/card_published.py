"""What was published of the cards, beside which ours stand: the paper's table 5, and the metrics file of the cards.

The paper's figures are typed from its table; those of the metrics file are read from it where it lies beside the cards.
Nothing is said of cards that are not the published ones, or not all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.outcome import Published

__all__ = ["FILES", "Figures", "beside", "figures"]

#: The published sets by how many cards they have.
FILES = {"1997": "scaled_cards_1997.jsonl", "800": "context_cards_800.jsonl"}

#: Measure -> figure of table 5, and why ours differs or what it does not show.
_TABLE_5 = {
    "accuracy": (
        0.891,
        "an accuracy of 0.891 is that of table 4, of other questions (14,808 of 16,626): the published counts of these "
        "cards give 0.500 of the answers and 0.750 of all decisions. No claim passes here but the entailed ones, so "
        "that their share among the cards is the most that a gate can reach",
    ),
    "abstention_precision": (1.0, ""),
    "cvrr": (
        0.5,
        "a CVRR of 0.5 comes from the cards: those that print a denial were answered NO, which was counted as not "
        "rejected; those with a distractor, which the graph refutes no more than the unknown ones, were abstained on, "
        "which was counted as rejected. None of the paper's seven constraints bears on a mouth",
    ),
    "far_ne": (
        0.0,
        "a FAR-NE of 0 counts the same NO answers as right that the CVRR counts as not rejected; the published metrics "
        "file, which counts them as wrong, has 0.333 (800 cards) and 0.334 (1,997)",
    ),
    "licensed_accuracy": (
        1.0,
        "an LA of 1 says little: of what is entailed and was licensed, only an answer other than the licensed claim "
        "could be wrong",
    ),
}
#: Measure -> its key in the metrics file.
_KEYS = {
    "abstention_precision": "AP",
    "abstention_recall": "AR",
    "cvrr": "CVRR",
    "far_ne": "FAR_NE",
    "licensed_accuracy": "LA",
    "coverage": "coverage",
    "answer_accuracy": "answer_accuracy",
}
_SYSTEMS = {"cards": "graph_rag", "joint": "kg"}
_WORLD = "answers NO where a card prints its denial and abstains from distractors: `--world open` does the same"
_GRAPH = "its whole graph is not public, and it answered 501 contradictory and 2 unknown cards by it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """By measure: what the paper prints, and what the metrics file of the cards says."""

    paper: Mapping[str, Published] = field(default_factory=dict)
    counts: Mapping[str, Published] = field(default_factory=dict)


def figures(file: Path, cards: int, graph: str) -> Figures:
    """What was published of the cards of a file; nothing where it is not theirs, or where only some are judged.

    Raises:
        InputError: a metrics file beside the cards is none.
    """
    size = next((size for size, name in FILES.items() if name == file.name), None)
    if size is None or cards != int(size):
        return Figures()
    paper = {
        name: Published(value=value, source="Licensing Oracle, table 5", why=why)
        for name, (value, why) in _TABLE_5.items()
    }
    metrics = file.with_name(f"upstream_metrics_{size}.json")
    if not metrics.is_file():
        return Figures(paper=paper)
    measured, system = _read(metrics), _SYSTEMS[graph]
    source, why = f"metrics file of the {int(size):,} cards, {system}", _WORLD if graph == "cards" else _GRAPH
    try:
        counts = {
            name: Published(value=float(measured[system]["metrics"][key]), source=source, why=why)
            for name, key in _KEYS.items()
        }
    except (KeyError, TypeError, ValueError) as fault:
        raise InputError(f"has no metrics of {system}: {fault}", where=str(metrics), hint=_HINT) from fault
    return Figures(paper=paper, counts=counts)


def beside(file: Path) -> tuple[Path, ...]:
    """The other published sets in the folder of one; none where it is not one of them."""
    if file.name not in FILES.values():
        return ()
    others = (file.with_name(name) for name in FILES.values() if name != file.name)
    return tuple(other for other in others if other.is_file())


_HINT = "take the file as it was published, or take it away"


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(f"is no metrics file: {fault}", where=str(path), hint=_HINT) from fault
