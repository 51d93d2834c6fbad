"""Cases of the tests' own: an answer over a small knowledge base, with the labels that its parts must get.

Under golden/micro, ``worlds/NAME`` is a knowledge base and ``KIND.jsonl`` holds the cases of a kind, one a line:
``{id, world, answer, question?, as_of?, expect: [{quote, label, level?, occurrence?, reason?}], note?, xfail?}``. A
quote stands for the segment (or, at level "claim", the claim) that lies nearest to its span, and a label may be a list
of those allowed. ``xfail`` says why the product does not do so yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from imprimatur.oracle import Oracle
from imprimatur.report import JudgedClaim, JudgedSegment, Report

__all__ = ["MICRO", "Case", "Expected", "cases", "found", "oracle_of", "report_on"]

MICRO = Path(__file__).parent / "golden" / "micro"
_FINE = {"supported", "not_a_claim"}


@dataclass(frozen=True)
class Expected:
    """The labels allowed for the part of an answer at a span."""

    start: int
    end: int
    labels: frozenset[str]
    claim: bool = False
    reason: str | None = None

    @property
    def withheld(self) -> bool:
        """Whether the part must not be licensed."""
        return not self.labels & _FINE


@dataclass(frozen=True)
class Case:
    """One answer with what is expected of it."""

    name: str
    kind: str
    world: str
    answer: str
    expected: tuple[Expected, ...]
    question: str | None = None
    as_of: date | None = None
    xfail: str | None = None


def cases() -> Iterator[Case]:
    """All cases of all kinds."""
    for path in sorted(MICRO.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Case(
                name=row["id"],
                kind=path.stem,
                world=row["world"],
                answer=row["answer"],
                expected=tuple(_expected(row["answer"], **part) for part in row["expect"]),
                question=row.get("question"),
                as_of=date.fromisoformat(row["as_of"]) if "as_of" in row else None,
                xfail=row.get("xfail"),
            )


def _expected(
    answer: str,
    *,
    quote: str,
    label: str | list[str],
    level: str = "segment",
    occurrence: int = 1,
    reason: str | None = None,
) -> Expected:
    start = -1
    for _ in range(occurrence):
        start = answer.index(quote, start + 1)
    labels = frozenset([label] if isinstance(label, str) else label)
    return Expected(start, start + len(quote), labels, level == "claim", reason)


@cache
def oracle_of(world: str) -> Oracle:
    """The oracle of one of the small knowledge bases."""
    return Oracle.from_folder(MICRO / "worlds" / world)


def report_on(case: Case) -> Report:
    """The report on the answer of a case."""
    return oracle_of(case.world).check(case.answer, case.question, as_of=case.as_of)


def found(report: Report, part: Expected) -> tuple[str, tuple[str, ...]]:
    """The label and the reasons of the segment or claim that lies nearest to a part; label "none" without one."""
    near: list[JudgedSegment | JudgedClaim] = []
    if part.claim:
        near += [claim for segment in report.segments for claim in segment.claims]
    else:
        near += report.segments
    spans = [(_span(item), item) for item in near]
    met = [(abs(a - part.start) + abs(b - part.end), item) for (a, b), item in spans if a < part.end and part.start < b]
    if not met:
        return "none", ()
    item = min(met, key=lambda pair: pair[0])[1]
    if isinstance(item, JudgedSegment):
        return item.label.value, tuple(reason.value for reason in item.reasons)
    return item.verdict.label.value, tuple(reason.value for reason in item.verdict.reasons)


def _span(item: JudgedSegment | JudgedClaim) -> tuple[int, int]:
    return (item.start, item.end) if isinstance(item, JudgedSegment) else (item.claim.start, item.claim.end)
