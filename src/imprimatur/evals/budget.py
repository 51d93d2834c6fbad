"""Which stage loses what is true and withheld, and lets through what is false: by intervention, so that it adds up.

For each claim that went wrong the text is judged again with one stage put right (``interventions``). The stage that
alone mends it is the one that lost it. Where more than one does so, or only several together, it is told as
``several``, with which; where all parts put right together do not, but the gold claims in place of what was read do,
it is ``reading``; where these do not either, it is the policy, or ``matching``: the judge does not find the fact. So
every claim has exactly one stage, and the stages sum to all that went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from imprimatur.claim import Claim, Statement
from imprimatur.evals.gold import Gold, GoldClaim
from imprimatur.evals.interventions import PARTS, Fix, checked, segments_of
from imprimatur.evals.predicted import Predicted, says
from imprimatur.knowledge import GraphPart
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedSegment, Report
from imprimatur.report_json import statement_to_dict
from imprimatur.trace import said as shown
from imprimatur.verdict import Label, Reason, worst

__all__ = ["RUNGS", "Stage", "Stood", "budget_of"]


class Stage(StrEnum):
    """Where a claim was lost, in the order of the stages; what cannot be told apart comes last."""

    SEGMENTATION = "segmentation"
    LINKING = "linking"
    RELATION = "relation"
    READING = "reading"
    VALUE = "value"
    TIME = "time"
    COVERAGE = "coverage"
    BESIDE = "beside"
    MATCHING = "matching"
    POLICY = "policy"
    SEVERAL = "several"
    UNTOLD = "no gold"


#: From how it is to all put right; each rung has what those before it have.
RUNGS = (
    ("as it is", frozenset[Fix]()),
    *((f"+ {fix}", frozenset(PARTS[: number + 1])) for number, fix in enumerate(PARTS)),
    ("perfect extraction", frozenset((Fix.SEGMENTATION, Fix.READING))),
    ("+ policy", frozenset((Fix.SEGMENTATION, Fix.READING, Fix.POLICY))),
)
_PERFECT = RUNGS[-2][1]
#: What the judge says of a gold claim that it does not support.
_ANSWERS = {
    Label.NOT_FOUND: "not in the graph",
    Label.CONFLICTING: "the graph has two values",
    Label.CONTRADICTED: "the graph has another value",
}
#: How many parts are tried together where all of them do not mend it.
_FEW = 3
#: What can lose a claim that was itself read and supported.
_AROUND = (Fix.SEGMENTATION, Fix.COVERAGE, Fix.BESIDE)
_DROPPING = {Fix.COVERAGE, Fix.BESIDE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """How one gold claim fared.

    Attributes:
        words: the sentence; ``fact``: the gold, in words.
        rightly: it is true and withheld since its sentence also says what is not true.
        untold: something that its sentence says has no triple, so nothing can be put right.
        stage: where it was lost, or let through; None where all is right.
        detail: what the stage made of it.
        rungs: whether it is licensed on each of ``RUNGS``.
        read: what was read of the sentence; ``left``: the words that no claim with a reading accounts for.
    """

    set: str
    id: str
    words: str
    fact: str
    true: bool
    licensed: bool
    rightly: bool = False
    untold: bool = False
    stage: Stage | None = None
    detail: str = ""
    rungs: tuple[bool, ...] = ()
    reasons: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class _Asked:
    """A text judged with this or that put right, each once."""

    def __init__(self, gold: Gold, oracle: Oracle, part: GraphPart) -> None:
        self.gold, self.oracle, self.part = gold, oracle, part
        self._reports: dict[frozenset[Fix], Report] = {}
        self._cut = segments_of(gold) is not None

    def report(self, fixes: frozenset[Fix]) -> Report:
        """The report when some stages make no mistake."""
        # Where the gold cuts no sentence otherwise there is nothing to put right.
        fixes = fixes if self._cut else fixes - {Fix.SEGMENTATION}
        if fixes not in self._reports:
            self._reports[fixes] = checked(self.gold, fixes, self.oracle, self.part)
        return self._reports[fixes]

    def passes(self, claim: GoldClaim, *fixes: Fix) -> bool:
        """Whether all segments that a claim stands in are licensed then.

        Where words or claims are dropped, a segment may be licensed for another claim: then one must say this one, and
        where all that stands beside it is dropped, that one is enough.
        """
        around = _around(self.report(frozenset(fixes)), claim)
        if _DROPPING & set(fixes):
            saying = [s for s in around if any(self._says(each.claim, claim) for each in s.claims)]
            if not saying:
                return False
            around = saying if Fix.BESIDE in fixes else around
        labels = {segment.label for segment in around}
        return Label.SUPPORTED in labels and labels <= {Label.SUPPORTED, Label.NOT_A_CLAIM}

    def supports(self, claim: GoldClaim) -> bool:
        """Whether, as it is, a supported claim says this one: then nothing of the claim itself was lost."""
        found = (each for segment in _around(self.report(frozenset()), claim) for each in segment.claims)
        return any(each.verdict.label is Label.SUPPORTED and self._says(each.claim, claim) for each in found)

    def _says(self, found: Claim, claim: GoldClaim) -> bool:
        said = Predicted(readings=found.readings, negated=found.negated)
        return claim.triple is not None and says(said, claim, self.part)


def budget_of(gold: Gold, oracle: Oracle, part: GraphPart, *, name: str = "") -> list[Stood]:
    """How each claim of a text fared, and where it was lost or let through."""
    asked = _Asked(gold, oracle, part)
    return [_stood(claim, f"{gold.id}.{number}", asked, name) for number, claim in enumerate(gold.claims, 1)]


def _stood(claim: GoldClaim, id: str, asked: _Asked, name: str) -> Stood:
    gold, part = asked.gold, asked.part
    beside = gold.beside(claim)
    licensed = asked.passes(claim)
    untold = any(each.triple is None for each in beside)
    rightly = claim.true and not licensed and not all(each.true for each in beside)
    around = _around(asked.report(frozenset()), claim)
    stood = Stood(
        set=name,
        id=id,
        words=gold.text[slice(*gold.part_of(claim))],
        fact=_fact(claim, part),
        true=claim.true,
        licensed=licensed,
        rightly=rightly,
        untold=untold,
        rungs=_rungs(claim, asked, licensed=licensed, untold=untold or rightly),
        reasons=tuple(dict.fromkeys(reason.value for segment in around for reason in segment.reasons)),
        read=tuple(_read(around)),
        left=tuple(_left(around, gold.text)),
    )
    if rightly or licensed is claim.true:
        return stood
    stage, detail = _lost(claim, asked, untold=untold) if claim.true else _let_through(claim, asked, untold=untold)
    return replace(stood, stage=stage, detail=detail or _detail(stage, claim, around, asked))


def _rungs(claim: GoldClaim, asked: _Asked, *, licensed: bool, untold: bool) -> tuple[bool, ...]:
    """Whether it is licensed on each rung; what is licensed as it is counts so until extraction is put right."""
    if untold:
        return (licensed,) * len(RUNGS)
    parts = [licensed if claim.true and licensed else asked.passes(claim, *fixes) for _, fixes in RUNGS[:-2]]
    return (*parts, *(asked.passes(claim, *fixes) for _, fixes in RUNGS[-2:]))


def _lost(claim: GoldClaim, asked: _Asked, *, untold: bool) -> tuple[Stage, str]:
    """Where a true claim was lost."""
    if untold:
        return (Stage.POLICY, "") if asked.passes(claim, Fix.POLICY) else (Stage.UNTOLD, "")
    parts = _AROUND if asked.supports(claim) else PARTS
    alone = [fix for fix in (*parts, Fix.POLICY) if asked.passes(claim, fix)]
    if alone:
        return (Stage(alone[0]), "") if len(alone) == 1 else (Stage.SEVERAL, " or ".join(alone))
    needed = _fewest(claim, asked, parts)
    if needed:
        return Stage.SEVERAL, " and ".join(needed)
    if asked.passes(claim, *_PERFECT):
        return Stage.READING, ""
    return (Stage.POLICY if asked.passes(claim, *_PERFECT, Fix.POLICY) else Stage.MATCHING), ""


def _fewest(claim: GoldClaim, asked: _Asked, parts: tuple[Fix, ...]) -> Sequence[Fix]:
    """The fewest parts that mend it together, the first of several such in the order of the stages; none where none do.

    What is put right in one part may stand in the way of another (a word that now means something is now in the way),
    so small sets are tried even where all parts together do not mend it.
    """
    most = len(parts) if asked.passes(claim, *parts) else _FEW
    sizes = (combinations(parts, size) for size in range(2, most + 1))
    return next((some for each in sizes for some in each if asked.passes(claim, *some)), ())


def _let_through(claim: GoldClaim, asked: _Asked, *, untold: bool) -> tuple[Stage, str]:
    """Which stage let a false claim pass: the one that stops it when it is put right."""
    if untold:
        return Stage.UNTOLD, ""
    if asked.passes(claim, *_PERFECT):
        return Stage.MATCHING, "the judge supports what the gold says is false"
    alone = [fix for fix in PARTS if fix not in _DROPPING and not asked.passes(claim, fix)]
    if not alone:
        return Stage.READING, ""
    return (Stage(alone[0]), "") if len(alone) == 1 else (Stage.SEVERAL, " or ".join(alone))


def _around(report: Report, claim: GoldClaim) -> list[JudgedSegment]:
    return [each for each in report.segments if each.start < claim.end and claim.start < each.end]


def _detail(stage: Stage, claim: GoldClaim, around: Sequence[JudgedSegment], asked: _Asked) -> str:
    """What the stage made of a claim, as far as it is seen in what was read."""
    judged = [each for segment in around for each in segment.claims]
    read = [each.claim for each in judged if each.claim.readings]
    reasons = {reason for segment in around for reason in segment.reasons}
    match stage:
        case Stage.LINKING:
            if Reason.AMBIGUOUS_ENTITY in reasons:
                return "ambiguous"
            return "name unknown" if _unknown(claim, asked) else "another thing"
        case Stage.RELATION:
            return "another property" if read and Reason.UNKNOWN_PREDICATE not in reasons else "no property"
        case Stage.READING:
            return "read as something else" if read else "no claim read"
        case Stage.MATCHING:
            return _unmatched(claim, asked)
        case Stage.BESIDE:
            own = [e for e in judged if e.verdict.label is not Label.SUPPORTED and not _said(e.claim.readings, asked)]
            return "; ".join(dict.fromkeys(asked.gold.text[e.claim.start : e.claim.end] for e in own))
    return ", ".join(sorted(reason.value for reason in reasons))


def _unmatched(claim: GoldClaim, asked: _Asked) -> str:
    """How the judge answers the gold claim itself."""
    timeless = replace(claim, when=None)
    others = tuple(timeless if each is claim else each for each in asked.gold.claims)
    again = _Asked(replace(asked.gold, claims=others), asked.oracle, asked.part)
    if claim.when is not None and again.passes(timeless, *_PERFECT):
        return "not under this time"
    label = worst([segment.label for segment in _around(asked.report(_PERFECT), claim)])
    return _ANSWERS.get(label, label.value)


def _said(readings: tuple[Statement, ...], asked: _Asked) -> bool:
    found = Predicted(readings=readings)
    return any(says(found, each, asked.part) for each in asked.gold.claims if each.triple is not None)


def _unknown(claim: GoldClaim, asked: _Asked) -> bool:
    """Whether some name of the gold's things stands in no reading."""
    assert claim.triple is not None
    ends = {node for node in (claim.triple[0], claim.triple[2]) if isinstance(node, str)}
    found = {
        iri
        for segment in asked.oracle.trace(asked.report(frozenset()))
        for mention in segment.mentions
        for iri in mention.means
    }
    return not ends <= found


def _fact(claim: GoldClaim, part: GraphPart) -> str:
    if claim.triple is None:
        return "(in words only)"
    subject, name, node = claim.triple
    info = part.schema.property(name)
    called = info.labels[0] if info is not None and info.labels else name.rpartition("#")[2].rpartition("/")[2]
    ends = [_called(each, part) if isinstance(each, str) else each.text for each in (subject, node)]
    return f"{'not: ' if claim.negated else ''}{ends[0]} | {called} | {ends[1]}"


def _called(iri: str, part: GraphPart) -> str:
    number = part.graph.id(iri)
    return part.graph.label(number) if number is not None else iri


def _read(around: Sequence[JudgedSegment]) -> list[str]:
    """The first reading of each claim, with its verdict."""
    lines = []
    for judged in (each for segment in around for each in segment.claims):
        told = judged.claim.text if not judged.claim.readings else shown(statement_to_dict(judged.claim.readings[0]))
        lines.append(f"{judged.verdict.label}: {told}"[:300])
    return lines


def _left(around: Sequence[JudgedSegment], text: str) -> list[str]:
    """The stretches that no claim with a reading accounts for."""
    found: list[tuple[int, int]] = []
    for segment in around:
        found += [(each.start, each.end) for each in segment.residue if each.hard]
        covered = [s for each in segment.claims if each.claim.readings for s in each.claim.covers]
        for judged in segment.claims:
            if not judged.claim.readings:
                found += [s for s in judged.claim.covers if not any(a <= s[0] and s[1] <= b for a, b in covered)]
    return [text[a:b] for a, b in _joined(sorted(set(found)), text)]


def _joined(spans: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    for start, end in spans:
        if made and not text[made[-1][1] : start].strip():
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made
