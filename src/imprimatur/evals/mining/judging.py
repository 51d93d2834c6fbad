"""What the oracle says of claims that were made: through the five stages, as of any other text.

Where the oracle calls a claim contradicted because of a shape and the second opinion had found nothing that forbids it,
pySHACL is asked once more, now also at all that the claim's two ends are linked with; if it finds a fault, the claim is
one that breaks a shape. Nothing else that the oracle says changes what is right of a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imprimatur.evals.epistemic import Asked
from imprimatur.evals.mining.broken import Broken
from imprimatur.evals.mining.claim import Kind, MinedClaim
from imprimatur.evals.running import Running
from imprimatur.evals.texts import Judge, TextVerdict, texts_judged
from imprimatur.verdict import Label, Reason

__all__ = ["JudgedClaim", "judged"]

#: With one of these a sentence was not taken in as the claim that it is.
_UNREAD = frozenset((Reason.RESIDUE, Reason.UNKNOWN_PREDICATE, Reason.UNKNOWN_ENTITY, Reason.AMBIGUOUS_ENTITY))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim with its verdict.

    Attributes:
        read: the sentence was taken in as a claim, with no word left over.
        evidence: what the verdict rests on, one line each.
    """

    claim: MinedClaim
    verdict: Label
    reasons: tuple[str, ...] = ()
    read: bool = True
    evidence: tuple[str, ...] = ()

    @property
    def licensed(self) -> bool:
        """Whether the sentence goes out."""
        return self.verdict is Label.SUPPORTED

    @property
    def right(self) -> bool:
        """Whether the verdict is one of those that are right."""
        return self.verdict in self.claim.label

    @property
    def false_licence(self) -> bool:
        """Whether something went out that is not entailed."""
        return self.licensed and self.claim.kind is not Kind.ENTAILED

    def asked(self) -> Asked:
        """As a row of the paper's measures: what is licensed is answered, all else is an abstention."""
        entailed = self.claim.kind is Kind.ENTAILED
        return Asked(
            entailed=entailed,
            violates=self.claim.kind is Kind.VIOLATING,
            answered=self.licensed,
            correct=self.licensed and entailed,
            licensed=self.licensed,
        )


def judged(
    claims: Sequence[MinedClaim], oracle: Judge, *, broken: Broken | None = None, running: Running | None = None
) -> list[JudgedClaim]:
    """The claims with their verdicts, in order.

    Args:
        broken: the second opinion on shapes, asked once more where the two differ.
        running: in how many processes, and where results are kept.
    """
    verdicts = texts_judged([each.text for each in claims], oracle, running or Running(), evaluation="mine")
    found = list(map(_judged, claims, verdicts))
    return [_looked_again(each, broken) for each in found] if broken is not None else found


def _judged(claim: MinedClaim, said: TextVerdict) -> JudgedClaim:
    return JudgedClaim(
        claim=claim,
        verdict=said.label,
        reasons=said.reasons,
        read=said.claimed and _UNREAD.isdisjoint(said.reasons),
        evidence=said.evidence,
    )


def _looked_again(each: JudgedClaim, broken: Broken) -> JudgedClaim:
    claim = each.claim
    by_shape = Reason.CONSTRAINT_VIOLATION.value in each.reasons
    if claim.kind is not Kind.NON_ENTAILED or each.verdict is not Label.CONTRADICTED or not by_shape:
        return each
    faults = broken.by(claim.triple, around=True)
    if not faults:
        return each
    shape = min(fault.shape for fault in faults)
    changed = replace(claim, kind=Kind.VIOLATING, label=(Label.CONTRADICTED,), shape=shape, made="broken elsewhere")
    return replace(each, claim=changed)
