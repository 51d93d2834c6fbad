"""What judges one claim in each condition over claims: the oracle, the fence, TeQHallu, or a model's own word.

All have the same knowledge: the row's own reference, else what retrieval finds for the claim in the knowledge base. The
oracle has the whole knowledge base, as it always has; ``direct`` has nothing but the model. Contract: a failure of a
model is ``unchecked``; what is wrong with a recording or a configuration is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from imprimatur.answer import MemoryEntry, Message
from imprimatur.errors import RuntimeFault
from imprimatur.evals.claim_rows import ClaimRow
from imprimatur.evals.known_conditions import Known
from imprimatur.generate.fencing import Fence
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.tagged import TaggedClaim
from imprimatur.teqhallu.asker import Limits
from imprimatur.teqhallu.found import Sample
from imprimatur.teqhallu.kinds import Support
from imprimatur.verdict import Label, worst

__all__ = ["Judge", "Opinion", "judge_of"]

_MOST_ITEMS = 10
_MOST_EVIDENCE = 5
_SHAPE = Shape(
    name="direct",
    schema={
        "type": "object",
        "properties": {
            "reason": {"type": "string", "maxLength": 300},
            "verdict": {"type": "string", "enum": ["supported", "contradicted", "not found"]},
        },
        "required": ["reason", "verdict"],
        "additionalProperties": False,
    },
)
_SAID = {"supported": Label.SUPPORTED, "contradicted": Label.CONTRADICTED, "not found": Label.NOT_FOUND}
_LABELS = {
    Support.FULLY: Label.SUPPORTED,
    Support.PARTIALLY: Label.NOT_FOUND,
    Support.UNSUPPORTED: Label.NOT_FOUND,
    Support.CONTRADICTED: Label.CONTRADICTED,
    Support.UNCHECKED: Label.UNCHECKED,
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a condition says of a claim: a label, the reason codes or words for it, and the evidence."""

    label: Label
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


Judge = Callable[[ClaimRow], Opinion]


def judge_of(
    condition: Known, oracle: Oracle, model: Model | None, *, items: int | None = None, tokens: int | None = None
) -> Judge:
    """What judges claims in a condition.

    Args:
        model: what is asked; None for conditions that ask none.
        items: how many retrieved items are shown at most. tokens: the longest answer of the model.

    Raises:
        ConfigError: what the condition needs is not installed.
    """
    if condition.name == "oracle":
        return lambda row: _of_report(oracle.check(row.row.text, row.row.question, row.reference))
    shown = _Shown(oracle, min(items or _MOST_ITEMS, _MOST_ITEMS))
    if condition.name == "fence":
        fence = Fence(oracle.policy)
        return lambda row: _fenced(row, fence, shown(row))
    assert model is not None
    if condition.ablation is None:
        asking = Structured(model)
        return lambda row: _direct(row, asking, tokens)
    return _teqhallu(condition, model, shown, tokens)


class _Shown:
    """What a claim is judged by: its own reference, else what is retrieved for it; found once for all conditions."""

    def __init__(self, oracle: Oracle, most: int) -> None:
        self._retrieval = Retrieval(oracle.knowledge)
        self._most = most

    def __call__(self, row: ClaimRow) -> tuple[str, ...]:
        if row.reference:
            return row.reference
        found = self._retrieval(row.row.text[:4000]).items
        return tuple(item.text for item in sorted(found, key=lambda item: -item.score)[: self._most])


def _of_report(report: Report) -> Opinion:
    claims = [claim for segment in report.segments for claim in segment.claims]
    reasons = dict.fromkeys(reason.value for claim in claims for reason in claim.verdict.reasons)
    evidence = dict.fromkeys(" ".join(each.content.split()) for claim in claims for each in claim.verdict.evidence)
    return Opinion(worst([each.label for each in report.segments]), tuple(reasons), tuple(evidence)[:_MOST_EVIDENCE])


def _fenced(row: ClaimRow, fence: Fence, texts: tuple[str, ...]) -> Opinion:
    """A claim that cites all that there is."""
    entries = tuple(MemoryEntry(f"m{number}", text) for number, text in enumerate(texts, 1))
    claim = TaggedClaim(text=" ".join(row.row.text.split()), citations=tuple(entry.id for entry in entries))
    report = fence.judged((claim,), entries, row.row.question).report
    return Opinion(Label.NOT_A_CLAIM) if report is None else _of_report(report)


def _direct(row: ClaimRow, asking: Structured, tokens: int | None) -> Opinion:
    question = f', "question": {quoted(row.row.question)}' if row.row.question else ""
    material = f'{{"claim": {quoted(row.row.text)}{question}}}'
    prompt = Prompt(messages=(Message("system", template("direct").text), Message("user", material)), tokens=tokens)
    try:
        said: dict[str, Any] = asking.ask(prompt, _SHAPE)
    except RuntimeFault as fault:
        return Opinion(Label.UNCHECKED, (fault.message,))
    return Opinion(_SAID[said["verdict"]], (said["reason"],))


def _teqhallu(condition: Known, model: Model, shown: _Shown, tokens: int | None) -> Judge:
    from imprimatur.teqhallu.pipeline import TeQHallu

    assert condition.ablation is not None
    method = TeQHallu(model, ablation=condition.ablation, limits=Limits() if tokens is None else Limits(tokens=tokens))

    def judged(row: ClaimRow) -> Opinion:
        texts = shown(row)
        if not texts:
            return Opinion(Label.NOT_FOUND, ("nothing was found to judge it by",))
        question = row.row.question or ""
        sample = Sample(id=str(row.row.id), response=row.row.text, reference=texts, question=question)
        found = method.check(sample)
        told = tuple(line.strip() for line in found.told())
        return Opinion(_LABELS[found.verdict], (found.fault or found.reason,), told[:_MOST_EVIDENCE])

    return judged
