"""What an evaluation rests on of what a model made: left out, or counted.

A model that is judged by facts which a model made is in part judged by itself. Such facts have the trust class
``model``; most policies trust none, and then nothing here finds any. Contract: a verdict rests on them when it is
another one without them, or when its evidence names one.
"""

from __future__ import annotations

from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.graph.terms import TRUST_CLASSES
from imprimatur.verdict import worst

__all__ = ["MODEL", "changed_by", "has_any", "names_any", "without"]

MODEL = TRUST_CLASSES[2]


def without(oracle: Oracle) -> Oracle:
    """The oracle by which nothing counts that a model made; the same one where its policy trusts none of that."""
    if MODEL not in oracle.policy.trust:
        return oracle
    kept = tuple(each for each in oracle.policy.trust if each != MODEL)
    return Oracle(oracle.knowledge, oracle.policy.narrow(trust=kept))


def has_any(oracle: Oracle) -> bool:
    """Whether anything that a model made may count in its verdicts."""
    if MODEL not in oracle.policy.trust:
        return False
    knowledge = oracle.knowledge
    part, memory = knowledge.part, knowledge.text.memory
    of_graph = part is not None and any(origin.trust == MODEL for origin in part.graph.origins)
    return of_graph or (memory is not None and any(entry.trust == MODEL for entry in memory))


def names_any(report: Report) -> bool:
    """Whether the evidence of a verdict names something that a model made."""
    judged = (claim.verdict for segment in report.segments for claim in segment.claims)
    return any(evidence.trust == MODEL for verdict in judged for evidence in verdict.evidence)


def changed_by(report: Report, bare: Report) -> bool:
    """Whether a report rests on what a model made; ``bare`` is that on the same text without any of it."""
    verdicts = [worst([segment.label for segment in each.segments]) for each in (report, bare)]
    return names_any(report) or verdicts[0] is not verdicts[1]
