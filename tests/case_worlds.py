"""Small knowledge bases of the tests' own, and rows of expected labels, both kept as files under golden/cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from imprimatur.oracle import Oracle
from imprimatur.report import Report

__all__ = ["CASES", "Row", "labels", "oracle_of", "rows", "said"]

CASES = Path(__file__).parent / "golden" / "cases"


@dataclass(frozen=True)
class Row:
    """One answer with the labels that its segments must get.

    ``expected`` has one entry for each segment that says something: the labels allowed there. ``-`` among them, when
    there is one entry only, allows that no segment says anything. ``claims`` are words of claims with their labels.
    """

    name: str
    world: str
    answer: str
    expected: tuple[frozenset[str], ...]
    claims: tuple[tuple[str, str], ...] = ()


@cache
def oracle_of(world: str) -> Oracle:
    """The oracle of one of the small knowledge bases."""
    return Oracle.from_folder(CASES / "worlds" / world)


def rows() -> Iterator[Row]:
    """All rows of all files: world, answer (``\\n`` and ``\\r`` escaped), labels, claims; tab-separated."""
    for path in sorted(CASES.glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#"):
                continue
            world, answer, wanted, *claims = line.split("\t")
            yield Row(
                name=f"{path.stem}:{number}",
                world=world,
                answer=answer.replace("\\n", "\n").replace("\\r", "\r"),
                expected=tuple(frozenset(label.split("|")) for label in wanted.split()),
                claims=tuple(
                    (word, label) for word, _, label in (pair.partition("=") for pair in " ".join(claims).split())
                ),
            )


def _pair(text: str) -> tuple[str, str]:
    word, _, label = text.partition("=")
    return word, label


def labels(report: Report) -> list[str]:
    """The labels of the segments that say something, in order."""
    return [segment.label.value for segment in report.segments if segment.label != "not_a_claim"]


def said(report: Report, word: str) -> set[str]:
    """The labels of the claims whose own span holds a word."""
    judged = (claim for segment in report.segments for claim in segment.claims)
    return {claim.verdict.label.value for claim in judged if word in report.answer[claim.claim.start : claim.claim.end]}
