"""The account stage: every word of a segment is accounted for, and the segment gets its one label (DESIGN section 2).

Invariants: a segment is ``supported`` only when all its claims are and no hard word is left over; its label is the
worst of its claims' labels and of ``not_found`` for residue; nothing here raises a label. Words of a claim that is not
supported are no residue: the claim's own label already speaks for them. Soft residue is always reported and counts for
the label only where the policy says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.claim import Modality
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.report import JudgedClaim, JudgedSegment, Residue
from imprimatur.verdict import Label, Reason, Verdict, worst

__all__ = ["NO_CLAIM", "account", "unexamined"]

#: The verdict on what only looks like a claim: a question, a supposition.
NO_CLAIM = Verdict(label=Label.NOT_A_CLAIM)


def account(extracted: Extracted, claims: Sequence[JudgedClaim], *, soft: bool) -> JudgedSegment:
    """The segment with its label, reasons and residue.

    Args:
        extracted: the segment's words, and whether it is silent or reported speech.
        claims: its claims with their verdicts.
        soft: whether soft residue withholds the segment.
    """
    segment = extracted.segment
    judged = tuple(_by_modality(claim, extracted) for claim in claims)
    if extracted.silent:
        return JudgedSegment(start=segment.start, end=segment.end, label=Label.NOT_A_CLAIM, claims=judged)
    if extracted.attributed:
        label = worst([claim.verdict.label for claim in judged])
        reasons = _reasons(judged, label) if judged else (Reason.ATTRIBUTED,)
        return JudgedSegment(start=segment.start, end=segment.end, label=label, reasons=reasons, claims=judged)
    residue = _residue(extracted.words, judged)
    counts = any(part.hard or soft for part in residue)
    label = worst([*(claim.verdict.label for claim in judged), *([Label.NOT_FOUND] if counts else [])])
    return JudgedSegment(
        start=segment.start,
        end=segment.end,
        label=label,
        reasons=(*_reasons(judged, label), *([Reason.RESIDUE] if counts else [])),
        residue=residue,
        claims=judged,
    )


def unexamined(start: int, end: int, reason: Reason) -> JudgedSegment:
    """A stretch of the answer that no check has seen, and why."""
    return JudgedSegment(start=start, end=end, label=Label.UNCHECKED, reasons=(reason,))


def _by_modality(judged: JudgedClaim, extracted: Extracted) -> JudgedClaim:
    """Suppositions and questions claim nothing; reported speech is only ever refuted.

    Words read whole are another matter: evidence may carry the same condition or report, and what cites is a claim.
    """
    modality = judged.claim.modality
    whole = judged.claim.prose
    if whole is not None and (judged.verdict.label is Label.SUPPORTED or whole.tagged or judged.claim.citations):
        return judged
    if modality in (Modality.HYPOTHETICAL, Modality.ASKED):
        return replace(judged, verdict=NO_CLAIM)
    if whole is not None:
        return judged
    attributed = extracted.attributed or modality is Modality.ATTRIBUTED
    if attributed and judged.verdict.label is not Label.CONTRADICTED:
        return replace(judged, verdict=replace(judged.verdict, label=Label.NOT_A_CLAIM, reasons=(Reason.ATTRIBUTED,)))
    return judged


def _reasons(claims: Sequence[JudgedClaim], label: Label) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(r for c in claims if c.verdict.label is label for r in c.verdict.reasons))


def _residue(words: Sequence[Word], claims: Sequence[JudgedClaim]) -> tuple[Residue, ...]:
    """The words that no claim covers, neighbours of one hardness merged."""
    covered = sorted(span for judged in claims for span in judged.claim.covers)
    left: list[Residue] = []
    passed, reach, joined = 0, -1, False
    for word in sorted(words, key=lambda word: (word.start, word.end)):
        while passed < len(covered) and covered[passed][0] <= word.start:
            reach = max(reach, covered[passed][1])
            passed += 1
        if word.end <= reach:
            joined = False
        elif joined and left[-1].hard is word.hard:
            left[-1] = Residue(left[-1].start, max(left[-1].end, word.end), word.hard)
        else:
            left.append(Residue(word.start, word.end, word.hard))
            joined = True
    return tuple(left)
