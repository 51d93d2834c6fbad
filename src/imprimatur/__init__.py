"""Imprimatur: the licensing layer between a language model and its reader.

The public names, each loaded on first use, so that ``import imprimatur`` costs next to nothing::

    from imprimatur import Oracle

    report = Oracle.from_folder("rivers").check("The Ohoopee River is 192 km long.")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur._public_names import loaded_late

if TYPE_CHECKING:
    from imprimatur.answer import Answer, MemoryEntry, Message
    from imprimatur.claim import Claim
    from imprimatur.decision import Abstained, Annotated, Corrected, Decision, Edit, Licensed, Redacted
    from imprimatur.errors import ImprimaturError, RuntimeFault, UsageError
    from imprimatur.evidence import Evidence
    from imprimatur.explain import Explanation
    from imprimatur.oracle import Oracle
    from imprimatur.policy import Policy, Waiver, is_abstention
    from imprimatur.protocols import Source
    from imprimatur.report import JudgedClaim, JudgedSegment, Report, Residue, Versions
    from imprimatur.tagged import TaggedClaim
    from imprimatur.verdict import Judgement, Label, Reason, Verdict

__version__ = "0.1.0"

__all__ = [
    "Abstained",
    "Annotated",
    "Answer",
    "Claim",
    "Corrected",
    "Decision",
    "Edit",
    "Evidence",
    "Explanation",
    "ImprimaturError",
    "JudgedClaim",
    "JudgedSegment",
    "Judgement",
    "Label",
    "Licensed",
    "MemoryEntry",
    "Message",
    "Oracle",
    "Policy",
    "Reason",
    "Redacted",
    "Report",
    "Residue",
    "RuntimeFault",
    "Source",
    "TaggedClaim",
    "UsageError",
    "Verdict",
    "Versions",
    "Waiver",
    "__version__",
    "is_abstention",
]

_HOMES = {
    "answer": ("Answer", "MemoryEntry", "Message"),
    "claim": ("Claim",),
    "decision": ("Abstained", "Annotated", "Corrected", "Decision", "Edit", "Licensed", "Redacted"),
    "errors": ("ImprimaturError", "RuntimeFault", "UsageError"),
    "evidence": ("Evidence",),
    "explain": ("Explanation",),
    "oracle": ("Oracle",),
    "policy": ("Policy", "Waiver", "is_abstention"),
    "protocols": ("Source",),
    "report": ("JudgedClaim", "JudgedSegment", "Report", "Residue", "Versions"),
    "tagged": ("TaggedClaim",),
    "verdict": ("Judgement", "Label", "Reason", "Verdict"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
__getattr__ = loaded_late(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
