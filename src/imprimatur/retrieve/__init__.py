"""Retrieval: finding evidence for a question, and deciding before anything is written whether it is enough.

The names are loaded when they are first asked for: the process that runs queries needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur._public_names import loaded_late

if TYPE_CHECKING:
    from imprimatur.retrieve.gate import INSUFFICIENT_EVIDENCE, Gate, is_refusal
    from imprimatur.retrieve.limits import RetrievalLimits
    from imprimatur.retrieve.queries import QueryRequest, QueryWriter
    from imprimatur.retrieve.retrieval import Retrieval, retrieve
    from imprimatur.retrieve.trail import EvidenceTrail, Failure, Item, Section

__all__ = [
    "INSUFFICIENT_EVIDENCE",
    "EvidenceTrail",
    "Failure",
    "Gate",
    "Item",
    "QueryRequest",
    "QueryWriter",
    "Retrieval",
    "RetrievalLimits",
    "Section",
    "is_refusal",
    "retrieve",
]

_HOMES = {
    "gate": ("INSUFFICIENT_EVIDENCE", "Gate", "is_refusal"),
    "limits": ("RetrievalLimits",),
    "queries": ("QueryRequest", "QueryWriter"),
    "retrieval": ("Retrieval", "retrieve"),
    "trail": ("EvidenceTrail", "Failure", "Item", "Section"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
__getattr__ = loaded_late(__name__, _HOME)
