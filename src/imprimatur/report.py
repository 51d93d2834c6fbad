"""The report: decision, accounting of every segment, evidence, and the versions of everything used.

``Report.to_dict`` gives the one JSON shape of DESIGN section 7; its schema is ``resources/report.schema.json``.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim
from imprimatur.decision import Decision
from imprimatur.verdict import Label, Reason, Verdict

__all__ = ["SCHEMA_VERSION", "JudgedClaim", "JudgedSegment", "Report", "Residue", "Versions"]

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Residue:
    """Words that no supported claim accounts for. Hard residue is never licensed."""

    start: int
    end: int
    hard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSegment:
    """A segment with its label, claims and residue."""

    start: int
    end: int
    label: Label
    reasons: tuple[Reason, ...] = ()
    residue: tuple[Residue, ...] = ()
    claims: tuple[JudgedClaim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """What a verdict depends on."""

    imprimatur: str
    knowledge_base: str
    shapes: str
    policy: str
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole outcome of one check."""

    answer: str
    decision: Decision
    summary: str
    segments: tuple[JudgedSegment, ...]
    accounting: dict[str, int]
    versions: Versions
    warnings: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready values; versioned by ``schema_version``."""
        from imprimatur.report_json import report_to_dict

        return report_to_dict(self)
