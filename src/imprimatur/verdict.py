"""Labels, reason codes and verdicts: what all judgements together say of one claim (DESIGN section 1)."""

from __future__ import annotations

from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.evidence import Evidence

__all__ = ["SEVERITY", "Finding", "Judgement", "Label", "Reason", "Verdict", "worst"]


class Label(StrEnum):
    """The verdict labels; FEVER's SUPPORTS and REFUTES are ``supported`` and ``contradicted``."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    CONFLICTING = "conflicting"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    UNCHECKED = "unchecked"
    NOT_A_CLAIM = "not_a_claim"


#: From worst to best: a segment takes the worst label of its claims and residue.
SEVERITY: tuple[Label, ...] = (
    Label.CONTRADICTED,
    Label.CONFLICTING,
    Label.UNCHECKED,
    Label.NOT_FOUND,
    Label.AMBIGUOUS,
    Label.SUPPORTED,
    Label.NOT_A_CLAIM,
)
_RANK = {label: rank for rank, label in enumerate(SEVERITY)}


def worst(labels: list[Label]) -> Label:
    """The worst of some labels; ``not_a_claim`` for none."""
    return min(labels, key=_RANK.__getitem__, default=Label.NOT_A_CLAIM)


class Reason(StrEnum):
    """Reason codes: stable strings, documented in docs/reference/reasons.md."""

    ENTAILED = "entailed"
    VALUE_MISMATCH = "value-mismatch"
    FUNCTIONAL_CONFLICT = "functional-conflict"
    DISJOINT_CLASS = "disjoint-class"
    DISJOINT_PROPERTY = "disjoint-property"
    COMPLETE = "complete"
    NEGATIVE_ASSERTION = "negative-assertion"
    CONSTRAINT_VIOLATION = "constraint-violation"
    CONSTRAINT_INCOMPLETE = "constraint-incomplete"
    AMBIGUOUS_PREDICATE = "ambiguous-predicate"
    ATTRIBUTED = "attributed"
    NEGATION_OF_FACT = "negation-of-fact"
    UNIT_MISMATCH = "unit-mismatch"
    NO_EVIDENCE = "no-evidence"
    UNKNOWN_ENTITY = "unknown-entity"
    UNKNOWN_PREDICATE = "unknown-predicate"
    AMBIGUOUS_ENTITY = "ambiguous-entity"
    AMBIGUOUS_NUMBER = "ambiguous-number"
    AMBIGUOUS_DATE = "ambiguous-date"
    OUTDATED = "outdated"
    RESIDUE = "residue"
    UNKNOWN_CITATION = "unknown-citation"
    MISSING_CITATION = "missing-citation"
    NUMBER_NOT_IN_SOURCE = "number-not-in-source"
    LOW_COVERAGE = "low-coverage"
    OVERCLAIM = "overclaim"
    SOURCE_DISAGREEMENT = "source-disagreement"
    CHECK_FAILED = "check-failed"
    TIME_LIMIT = "time-limit"
    NOT_EXAMINED = "not-examined"
    UNSUPPORTED_NAME = "unsupported-name"
    NEGATION_MISMATCH = "negation-mismatch"
    CONDITION_DROPPED = "condition-dropped"
    HEDGE_DROPPED = "hedge-dropped"
    SCOPE_WIDENED = "scope-widened"
    COMPARISON_MISMATCH = "comparison-mismatch"
    ROLES_SWAPPED = "roles-swapped"
    QUOTE_ALTERED = "quote-altered"
    JUDGE_DISAGREES = "judge-disagrees"
    JUDGE_FAILED = "judge-failed"
    UNCONFIRMED = "unconfirmed"
    EXTRACTOR_FAILED = "extractor-failed"
    WAIVED = "waived"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with some words of a claim: ``answer[start:end]``, and what the evidence has, in plain words."""

    reason: Reason
    start: int
    end: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one source says of one claim."""

    source: str
    label: Label
    reasons: tuple[Reason, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()
    clarify: str | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What all judgements together say of one claim."""

    label: Label
    reasons: tuple[Reason, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()
    clarify: str | None = None
    findings: tuple[Finding, ...] = ()
