"""The report on an answer that is all there: its decision, segments, versions, and its warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from imprimatur import __version__
from imprimatur.decision import Decision
from imprimatur.examine import Examination
from imprimatur.frame import Frame
from imprimatur.hearing import failures
from imprimatur.knowledge import Knowledge
from imprimatur.release import Release
from imprimatur.report import JudgedSegment, Report, Versions
from imprimatur.verdict import Label, Reason

__all__ = ["report_of"]


def report_of(decision: Decision, release: Release, knowledge: Knowledge) -> Report:
    """The report on an answer that was decided on."""
    frame, examination = release.frame, release.examination
    judged = tuple(examination.judged)
    return Report(
        answer=examination.text,
        decision=decision,
        summary=_summary(judged),
        segments=judged,
        accounting=dict(Counter(segment.label.value for segment in judged)),
        versions=Versions(
            imprimatur=__version__,
            knowledge_base=knowledge.content_hash,
            shapes=knowledge.shapes_hash,
            policy=frame.policy.content_hash,
            models=_models(frame),
        ),
        warnings=tuple(_warnings(examination, frame, knowledge)),
    )


def _warnings(examined: Examination, frame: Frame, knowledge: Knowledge) -> list[str]:
    found = list(knowledge.warnings()) if not frame.texts or knowledge.part else []
    if any(segment.claims for segment in examined.judged):
        found += [f"not examined, because no node is its target: shape {name}" for name in knowledge.unfocused()]
    found += frame.policy.warnings(frame.on)
    found += [f"licensed by a {waiver.describe()}" for waiver in examined.waivers]
    found += frame.slow.warnings if frame.slow is not None else ()
    found += failures(examined.judged) if frame.panel is not None or frame.extraction is not None else ()
    return [*found, *_gaps(examined.judged)]


def _models(frame: Frame) -> tuple[str, ...]:
    """The models that the verdicts, or what is released, may depend on."""
    parser = frame.slow.models if frame.slow is not None else ()
    asked = (each.models for each in (frame.extraction, frame.panel) if each is not None)
    corrector = (frame.correcting.identity,) if frame.correcting is not None and frame.correcting.asked else ()
    return (*parser, *(name for models in asked for name in models), *corrector)


def _summary(segments: Sequence[JudgedSegment]) -> str:
    """The answer-level label of DESIGN section 1."""
    labels = {segment.label for segment in segments} - {Label.NOT_A_CLAIM}
    if not labels:
        return "no_claims"
    if Label.CONTRADICTED in labels:
        return "contradicted"
    if labels == {Label.SUPPORTED}:
        return "fully_supported"
    some = any(judged.verdict.label is Label.SUPPORTED for segment in segments for judged in segment.claims)
    return "partially_supported" if some or Label.SUPPORTED in labels else "unsupported"


def _gaps(segments: Sequence[JudgedSegment]) -> list[str]:
    """What was not examined, as spans: neighbours of one reason are one."""
    gaps: list[tuple[int, int, Reason]] = []
    for segment in segments:
        if segment.label is not Label.UNCHECKED or segment.claims:
            continue
        reason = segment.reasons[0]
        if gaps and gaps[-1][1] == segment.start and gaps[-1][2] is reason:
            gaps[-1] = (gaps[-1][0], segment.end, reason)
        else:
            gaps.append((segment.start, segment.end, reason))
    return [f"characters {start} to {end} of the answer were not examined: {reason}" for start, end, reason in gaps]
