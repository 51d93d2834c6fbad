"""What the oracle says of claims that were made: through the five stages, as of any other text.

Where the oracle calls a claim contradicted because of a shape and the second opinion had found nothing that forbids it,
pySHACL is asked once more, now also at all that the claim's two ends are linked with; if it finds a fault, the claim is
one that breaks a shape. Nothing else that the oracle says changes what is right of a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from imprimatur.evals.claims import Checker
from imprimatur.evals.epistemic import Asked
from imprimatur.evals.mining.broken import Broken
from imprimatur.evals.mining.claim import Kind, MinedClaim
from imprimatur.verdict import Label, Reason, worst

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
    claims: Sequence[MinedClaim],
    checker: Checker,
    *,
    broken: Broken | None = None,
    over: Callable[[Iterable[MinedClaim]], Iterable[MinedClaim]] = lambda claims: claims,
) -> list[JudgedClaim]:
    """The claims with their verdicts, in order.

    Args:
        broken: the second opinion on shapes, asked once more where the two differ.
        over: what tells how far it is.
    """
    found = [_judged(claim, checker) for claim in over(claims)]
    return [_looked_again(each, broken) for each in found] if broken is not None else found


def _judged(claim: MinedClaim, checker: Checker) -> JudgedClaim:
    report = checker.check(claim.text)
    reasons = dict.fromkeys(reason for segment in report.segments for reason in segment.reasons)
    claims = [each for segment in report.segments for each in segment.claims]
    evidence = dict.fromkeys(item.content for each in claims for item in each.verdict.evidence)
    return JudgedClaim(
        claim=claim,
        verdict=worst([segment.label for segment in report.segments]),
        reasons=tuple(reason.value for reason in reasons),
        read=bool(claims) and _UNREAD.isdisjoint(reasons),
        evidence=tuple(list(evidence)[:5]),
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
