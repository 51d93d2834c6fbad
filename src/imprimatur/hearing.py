"""The last step of judging: what sources found supported is put to the trained judges, if there are any.

    verdict before        what the judges come to       verdict after
    --------------------  ----------------------------  -----------------------------------------------------
    supported             supported                     supported, with a finding for each judge that failed
    supported             contradicted, not_found       that, judge-disagrees, with the judges' findings
    supported             anything else                 unchecked, judge-failed
    anything else         (they are not asked)          as before

So no judge ever raises a verdict, and none is asked where it could. All claims of an answer are put to the judges at
once; what one says of a claim depends on nothing but the claim, its evidence, the question and the sentence before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer
from imprimatur.evidence import Evidence
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.verdict import Judgement, Label, Reason, Verdict

if TYPE_CHECKING:
    from imprimatur.judges.panel import Matter, Panel

__all__ = ["Behind", "Hearing", "failures", "hearing_of", "lowered"]

_FAILED = (Reason.JUDGE_FAILED, Reason.EXTRACTOR_FAILED)
_NOTHING = (("memory", ""), ("passages", ""))
#: The text that a piece of evidence stands in.
Behind = Callable[[Evidence], str]


@dataclass(frozen=True, slots=True)
class Hearing:
    """What is put to the judges, and the claims that it is about, in step; ``left`` gives the seconds there are."""

    panel: Panel
    matters: tuple[Matter, ...]
    claims: tuple[JudgedClaim, ...]
    left: Callable[[], float]

    def answer(self) -> tuple[Judgement, ...]:
        """What the judges come to, for each claim; a panel that crashes has failed for all of them."""
        failed = Judgement(source="judges", label=Label.UNCHECKED, reasons=(Reason.JUDGE_FAILED,))
        try:
            found = self.panel.hear(self.matters, seconds=self.left())
        except Exception:  # a crashed check is a value: it leads to abstention, never to a licence
            return (failed,) * len(self.matters)
        return found if len(found) == len(self.matters) else (failed,) * len(self.matters)

    def lowered(self, found: Sequence[Judgement]) -> Mapping[int, JudgedClaim]:
        """By the identity of each claim that was heard: the claim with what became of its verdict."""
        return {
            id(judged): replace(judged, verdict=lowered(judged.verdict, judgement))
            for judged, judgement in zip(self.claims, found)
        }


def hearing_of(
    claims: Iterable[JudgedClaim], answer: Answer, panel: Panel, *, behind: Behind, left: Callable[[], float]
) -> Hearing | None:
    """What there is to hear about some claims; None when nothing of it was found supported."""
    pairs = [(judged, matter) for judged in claims if (matter := _matter(judged, answer, behind)) is not None]
    if not pairs:
        return None
    return Hearing(panel, tuple(matter for _, matter in pairs), tuple(judged for judged, _ in pairs), left)


def lowered(verdict: Verdict, judgement: Judgement) -> Verdict:
    """The verdict after the judges were heard, by the table above."""
    if verdict.label is not Label.SUPPORTED:
        return verdict
    findings = (*verdict.findings, *judgement.findings)
    if judgement.label is Label.SUPPORTED:
        return replace(verdict, findings=findings)
    disagrees = judgement.label in (Label.CONTRADICTED, Label.NOT_FOUND)
    return replace(
        verdict,
        label=judgement.label if disagrees else Label.UNCHECKED,
        reasons=(Reason.JUDGE_DISAGREES if disagrees else Reason.JUDGE_FAILED,),
        findings=findings,
    )


def failures(segments: Sequence[JudgedSegment]) -> list[str]:
    """What the report says of judges and extractors that failed: each thing once, with the number of claims."""
    found: dict[str, int] = {}
    for segment in segments:
        for judged in segment.claims:
            for detail in {each.detail for each in judged.verdict.findings if each.reason in _FAILED}:
                found[detail] = found.get(detail, 0) + 1
    return [f"{detail}: {count} claim{'s' if count > 1 else ''}" for detail, count in sorted(found.items())]


def _matter(judged: JudgedClaim, answer: Answer, behind: Behind) -> Matter | None:
    """What is asked about a claim; nothing where it is not supported. Words that rest on nothing are shown so."""
    claim, verdict = judged.claim, judged.verdict
    if verdict.label is not Label.SUPPORTED:
        return None
    from imprimatur.judges.panel import Matter

    words = claim.prose.words if claim.prose else claim.text
    texts = tuple((evidence.source, behind(evidence)) for evidence in verdict.evidence)
    return Matter(
        start=claim.start,
        end=claim.end,
        claim=words,
        texts=texts or (_NOTHING if claim.prose else ()),
        question=answer.question or "",
        before=claim.prose.before if claim.prose else "",
    )
