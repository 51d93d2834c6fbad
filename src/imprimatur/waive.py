"""Waivers applied: what a named person overrides is licensed, and still shown as what it was judged (DESIGN section 4).

A waived claim keeps its label and evidence and gains the reason ``waived``. A segment gains it only when everything
that fails in it is waived: by its own text, or each failing claim by its statement with no hard word left over.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from imprimatur.claim import Claim
from imprimatur.policy import Policy, Waiver
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.verdict import Label, Reason

__all__ = ["is_waived", "waived"]

_FINE = (Label.SUPPORTED, Label.NOT_A_CLAIM)


def is_waived(segment: JudgedSegment) -> bool:
    """Whether a person has overridden all that fails in the segment."""
    return Reason.WAIVED in segment.reasons


def waived(
    segment: JudgedSegment, answer: str, policy: Policy, *, on: date
) -> tuple[JudgedSegment, tuple[Waiver, ...]]:
    """The segment with its waivers marked, and the waivers that were used."""
    if not policy.waivers or segment.label in (*_FINE, Label.UNCHECKED):
        return segment, ()
    text = answer[segment.start : segment.end]
    whole = Claim(start=segment.start, end=segment.end, text=text, covers=())
    found = policy.waiver_for(whole, text, segment.label, on=on)
    if found is not None:
        return replace(segment, reasons=(*segment.reasons, Reason.WAIVED)), (found,)
    claims: list[JudgedClaim] = []
    used: list[Waiver] = []
    failing = 0
    for judged in segment.claims:
        waiver = _for_claim(judged, policy, on)
        failing += judged.verdict.label not in _FINE
        used += [waiver] if waiver else []
        claims.append(_marked(judged) if waiver else judged)
    settled = bool(used) and len(used) == failing and Reason.RESIDUE not in segment.reasons
    reasons = (*segment.reasons, Reason.WAIVED) if settled else segment.reasons
    return replace(segment, claims=tuple(claims), reasons=reasons), tuple(used)


def _for_claim(judged: JudgedClaim, policy: Policy, on: date) -> Waiver | None:
    """The waiver of the claim's statement; the segment's text has been looked at already."""
    if judged.verdict.label in _FINE:
        return None
    return policy.waiver_for(judged.claim, "", judged.verdict.label, on=on)


def _marked(judged: JudgedClaim) -> JudgedClaim:
    return replace(judged, verdict=replace(judged.verdict, reasons=(*judged.verdict.reasons, Reason.WAIVED)))
