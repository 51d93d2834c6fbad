"""The settle stage: what several sources say of one claim becomes one verdict.

The table, first row that applies, whatever the order of the judgements (a silent source says ``not_found``):

    some source says                    verdict        reasons
    ----------------------------------  -------------  ------------------------------------
    conflicting                         conflicting    its own
    supported and contradicted          conflicting    source-disagreement, then their own
    contradicted                        contradicted   its own
    unchecked                           unchecked      its own: what failed might have refuted
    ambiguous                           ambiguous      its own, also beside a support
    not_found with unknown-citation     not_found      its own, also beside a support
    supported                           supported      its own
    nothing but not_found               not_found      its own
    (no source)                         not_found      no-evidence

So support never erases a contradiction, an ambiguity, a failed check or a made-up citation (DESIGN section 3,
"Settling"). The evidence is
that of the sources whose label counted, structured sources before prose. A source that says ``not_a_claim`` is garbled
and counts as ``unchecked``: what is no claim was never asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from imprimatur.verdict import Judgement, Label, Reason, Verdict

__all__ = ["STRUCTURED", "settle"]

T = TypeVar("T")

#: The sources whose evidence is structured; what they find stands before prose that says the same.
STRUCTURED = ("graph", "tables")
_NO_SOURCE = Verdict(label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,))
#: After disagreement is ruled out: the label that counts first.
_ORDER = (Label.CONTRADICTED, Label.UNCHECKED, Label.AMBIGUOUS, Label.SUPPORTED, Label.NOT_FOUND)


def settle(judgements: Sequence[Judgement]) -> Verdict:
    """The verdict on one claim, by the table above; the order of the judgements does not matter."""
    if not judgements:
        return _NO_SOURCE
    sound = [_sound(judgement) for judgement in judgements]
    if len(sound) == 1:
        return _merged(sound[0].label, sound)
    sound.sort(key=_rank)
    labels = {judgement.label for judgement in sound}
    if Label.CONFLICTING in labels:
        return _merged(Label.CONFLICTING, [j for j in sound if j.label is Label.CONFLICTING])
    if {Label.SUPPORTED, Label.CONTRADICTED} <= labels:
        speaking = [j for j in sound if j.label in (Label.SUPPORTED, Label.CONTRADICTED)]
        merged = _merged(Label.CONFLICTING, speaking)
        return replace(merged, reasons=(Reason.SOURCE_DISAGREEMENT, *merged.reasons))
    label = next(label for label in _ORDER if label in labels)
    made_up = [j for j in sound if Reason.UNKNOWN_CITATION in j.reasons]
    if label is Label.SUPPORTED and made_up:
        return _merged(Label.NOT_FOUND, made_up)
    return _merged(label, [j for j in sound if j.label is label])


def _sound(judgement: Judgement) -> Judgement:
    if judgement.label is Label.NOT_A_CLAIM:
        return replace(judgement, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
    return judgement


def _rank(judgement: Judgement) -> tuple[object, ...]:
    """Structured sources first; the rest of the key only makes the order of equals certain."""
    found = tuple((e.kind, e.content, e.query, e.origin, e.trust, e.correction or "") for e in judgement.evidence)
    own = (judgement.source not in STRUCTURED, judgement.source, judgement.label, judgement.reasons, found)
    where = tuple((f.start, f.end, f.reason, f.detail) for f in judgement.findings)
    return (*own, judgement.candidates, judgement.clarify or "", where)


def _merged(label: Label, judgements: Sequence[Judgement]) -> Verdict:
    return Verdict(
        label=label,
        reasons=_each_once(reason for j in judgements for reason in j.reasons),
        evidence=_each_once(evidence for j in judgements for evidence in j.evidence),
        candidates=_each_once(candidate for j in judgements for candidate in j.candidates),
        clarify=next((j.clarify for j in judgements if j.clarify), None),
        findings=_each_once(finding for j in judgements for finding in j.findings),
    )


def _each_once(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))
