"""The Licensing Oracle's tables 1 to 5 as the paper prints them, with ours beneath, and how conditions differ.

The paper's accuracies are those of ``published``. Each of its rows has other questions (4,208 to 23,781 of them) and
one run; which questions a row leaves out it does not say. So a difference between one of its rows and one of ours says
nothing of a method, and is never tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from imprimatur.evals.epistemic import Epistemic
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Cell, Figure, Published, Table
from imprimatur.evals.paired import Compared, compared, holm
from imprimatur.evals.published import REPORTED, Reported

__all__ = ["PROGRESSION", "WHY", "paired_table", "paper_tables", "published"]

WHY = "another model, other questions and one run; the paper's accuracy is over five options, ours is of open answers"
_SOURCE = "Licensing Oracle"


_GEMMA, _GEMINI = "Gemma 3-4B-Instruct", "Gemini 2.5 Flash Lite"
_RAG, _ORACLE = "RAG (Gemini, multilingual-e5)", "Graph-RAG with Licensing Oracle"
_ROWS: Mapping[str, Reported] = {row.system: row for row in REPORTED}
#: Its number, what it is about, the paper's systems in it, and the conditions that are of their kind.
_TABLES: tuple[tuple[int, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (1, "baseline", ("Claude Sonnet 4.5", _GEMINI, _GEMMA), ("plain", "cot")),
    (2, "fine-tuning", (_GEMMA, "Gemma-Factual", "Gemma-Abstain"), ("plain", "factual", "abstain")),
    (3, "RAG", (_GEMINI, _RAG), ("plain", "rag", "qkr", "critic")),
    (
        4,
        "graph-RAG",
        (_RAG, _ORACLE),
        ("rag", "graph-rag", "kgr-written", "kgr", "fence", "oracle", "graph"),
    ),
)
#: Abstention precision and recall of table 2, by system.
_ABSTENTION = {"Gemma-Abstain": ("56.7%", "63.7%")}
#: Table 5, and the two figures of table 2: condition -> measure -> value.
_PUBLISHED: dict[str, dict[str, tuple[float, str]]] = {
    "abstain": {"abstention_precision": (0.567, "table 2"), "abstention_recall": (0.637, "table 2")},
    "oracle": {
        "accuracy": (0.891, "table 5"),
        "abstention_precision": (1.0, "table 5"),
        "cvrr": (0.5, "table 5"),
        "far_ne": (0.0, "table 5"),
        "licensed_accuracy": (1.0, "table 5"),
    },
}
#: The bars of figure 4, from the text: condition -> accuracy.
PROGRESSION: Mapping[str, float] = {"plain": 0.167, "factual": 0.085, "abstain": 0.086, "rag": 0.895, "oracle": 0.891}
_PAIRS = (("factual", "plain"), ("abstain", "plain"), ("rag", "plain"), ("oracle", "rag"), ("oracle", "graph-rag"))


def published(how: str, measure: str) -> Published | None:
    """What the paper has for a measure of a condition."""
    found = _PUBLISHED.get(how, {}).get(measure)
    return None if found is None else Published(value=found[0], source=f"{_SOURCE}, {found[1]}", why=WHY)


def paper_tables(measured: Mapping[str, Epistemic], titles: Mapping[str, str]) -> Iterator[Table]:
    """Tables 1 to 4 with the conditions that were measured beneath; those of which we have nothing are left out.

    Args:
        measured: condition -> its measures. titles: condition -> what it is called in words.
    """
    for number, about, theirs, ours in _TABLES:
        mine = [how for how in ours if how in measured]
        if not mine:
            continue
        more = ("abstention precision", "abstention recall") if number == 2 else ()
        rows = [
            *(_theirs(_ROWS[system], more) for system in theirs),
            *(_ours(titles[how], measured[how], more) for how in mine),
        ]
        yield Table(
            title=f"{_SOURCE}, table {number}: {about}",
            head=("system", "questions", "correct answers", "accuracy", *more),
            rows=tuple(rows),
            note="Rows marked * are the paper's, from its text.",
        )


def _theirs(row: Reported, more: tuple[str, ...]) -> tuple[Cell, ...]:
    abstention = _ABSTENTION.get(row.system, ("-", "-"))[: len(more)]
    return (f"{row.system} *", row.asked, row.right, f"{row.percent}%", *abstention)


def _ours(title: str, measured: Epistemic, more: tuple[str, ...]) -> tuple[Cell, ...]:
    accuracy = measured.accuracy()
    both = (measured.abstention_precision(), measured.abstention_recall())[: len(more)]
    return (title, accuracy.total, accuracy.count, _share(accuracy), *map(_share, both))


def _share(share: Share) -> Figure:
    """A share without its counts, which stand in columns of their own."""
    made = Figure.of(share)
    return Figure(value=made.value, low=made.low, high=made.high)


def paired_table(right: Mapping[str, tuple[bool, ...]]) -> Table | None:
    """McNemar's test between conditions on the same questions: the paper's comparisons, and all with the oracle.

    Args:
        right: condition -> whether it is right, by question; None is returned for fewer than two conditions.
    """
    last = "oracle" if "oracle" in right else ["", *right][-1]
    pairs = dict.fromkeys((*_PAIRS, *((last, how) for how in right if how != last)))
    found: dict[str, Compared] = {}
    for one, other in pairs:
        if one in right and other in right:
            found[f"{one} and {other}"] = compared(zip(right[one], right[other], strict=True))
    if not found:
        return None
    corrected = holm({name: each.p for name, each in found.items()})
    rows = tuple(
        (name, each.first, each.second, _difference(each.difference, (each.low, each.high)), _chance(corrected[name]))
        for name, each in found.items()
    )
    return Table(
        title="The same questions in two conditions",
        head=("conditions", "only the first right", "only the second right", "difference of accuracy", "p"),
        rows=rows,
        note="Exact McNemar tests, two-sided, corrected for their number (Holm); intervals by Newcombe.",
    )


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _difference(value: float | None, ends: tuple[float | None, float | None]) -> Figure:
    return Figure(value=value, low=ends[0], high=ends[1])
