"""What the ledger says of a knowledge base: whether answers are recorded with their evidence, and how many are refused.

Records are of a knowledge base when they name it, or when they were judged by exactly its present content.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.config import resolve
from imprimatur.errors import ImprimaturError
from imprimatur.evals.grounding_sources import Refound, refound
from imprimatur.evals.grounding_steps import Finding, State
from imprimatur.evidence import Evidence
from imprimatur.ledger import Ledger
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

__all__ = ["FEWEST", "HIGH", "LEAP", "LOW", "abstaining", "logged"]

#: Of how many recorded answers a share is made, and how many of the latest are held against those before.
FEWEST, WINDOW = 50, 500
#: The share of refused answers below which the gate is too loose, above which it is too tight, and by how much it may
#: rise from the earlier half to the later one.
LOW, HIGH, LEAP = 0.01, 0.6, 0.2
_SHOWN = ("licensed", "annotated", "corrected", "redacted")
_RECHECKED = 50


@dataclass(frozen=True, slots=True)
class _Recorded:
    """One answer of the ledger: when, whether it was shown, and what supported it."""

    id: int
    shown: bool
    current: bool
    supported: int
    bare: int
    evidence: tuple[Evidence, ...]


def logged(ledger: Path, oracle: Oracle, name: str) -> Finding:
    """Step 4: there are records, they verify, and what they license has its evidence with it."""
    hint = "leave out --no-ledger; the gateway records with --ledger FILE"
    if not ledger.exists():
        detail = f"{ledger}: there is no ledger, so no answer can be looked at again"
        return Finding(step=4, name="log", state=State.WARN, detail=detail, mend=hint)
    with Ledger.open(ledger, create=False) as book:
        verified = book.verify()
    if verified.faults:
        mend = "records were changed after they were made: put the file back from a copy, and find out who did"
        examples = tuple(verified.faults)
        detail = f"{ledger}: {verified.faults[0]}"
        return Finding(step=4, name="log", state=State.WRONG, detail=detail, mend=mend, examples=examples)
    records = list(_records(ledger, oracle, name))
    if not records:
        detail = f"{ledger}: {verified.count} records, verified; none of this knowledge base"
        return Finding(step=4, name="log", state=State.WARN, detail=detail, mend=hint)
    bare = [each for each in records if each.bare]
    again = refound((e for each in records if each.current for e in each.evidence[:_RECHECKED]), oracle.knowledge)
    other = [evidence for evidence, found in list(again.items())[:_RECHECKED] if found is Refound.OTHER]
    told = f"{ledger}: {len(records)} records of this knowledge base, verified; "
    told += f"{len(again) - len(other)} of {len(again)} pieces of their evidence are found again"
    wrong = bool(bare or other)
    return Finding(
        step=4,
        name="log",
        state=State.WRONG if wrong else State.OK,
        detail=told + (f"; {len(bare)} license something without evidence" if bare else ""),
        mend="look at them with `imprimatur ledger show ID`",
        examples=(
            *(f"record {each.id} has no evidence" for each in bare),
            *(f"other now: {e.content[:120]}" for e in other),
        ),
        figures={"records": len(records), "without_evidence": len(bare), "rechecked": len(again), "other": len(other)},
    )


def abstaining(
    ledger: Path, oracle: Oracle, name: str, *, answered: Sequence[bool], refused: Sequence[bool]
) -> Finding:
    """Step 6: how many answers are refused, of the recorded ones and of the made questions.

    Args:
        answered: of made questions with support, whether they were answered.
        refused: of made questions without, whether they were refused.
    """
    records = list(_records(ledger, oracle, name)) if ledger.exists() else []
    shown = [each.shown for each in records][-WINDOW:]
    share = shown.count(False) / len(shown) if shown else 0.0
    kept, let = sum(refused), len(refused) - sum(refused)
    told = f"made questions: {sum(answered)} of {len(answered)} with support answered, "
    told += f"{kept} of {len(refused)} without refused"
    figures = {
        "answered": sum(answered),
        "of_answerable": len(answered),
        "refused": kept,
        "of_unanswerable": kept + let,
    }
    figures |= {"recorded": len(shown), "withheld": shown.count(False)}
    state, mend = State.OK, ""
    if answered and sum(answered) < len(answered) / 2:
        state, mend = State.WARN, "most questions that can be answered are refused: step 1 tells what is not found"
    if refused and kept < len(refused) * 0.9:
        state, mend = State.WARN, "the gate is too loose: `imprimatur eval calibrate-gate`"
    if len(shown) >= FEWEST:
        told += f"; recorded: {shown.count(False)} of the last {len(shown)} withheld ({share:.0%})"
        state, mend = _of_records(shown, share) or (state, mend)
    else:
        told += f"; {len(shown)} recorded, too few for a share (from {FEWEST} on)"
    return Finding(step=6, name="abstention", state=state, detail=told, mend=mend, figures=figures)


def _of_records(shown: Sequence[bool], share: float) -> tuple[State, str] | None:
    """What is wrong with the share of recorded answers that were withheld; None where nothing is."""
    half = len(shown) // 2
    before, after = (part.count(False) / len(part) for part in (shown[:half], shown[half:]))
    if share < LOW:
        return State.WARN, "nearly nothing is ever withheld: is the gate too loose, or nothing judged?"
    if after - before > LEAP:
        return State.WARN, f"refusals leapt from {before:.0%} to {after:.0%}: did ingestion or an index lose something?"
    if share > HIGH:
        return State.WARN, "most answers are withheld: is the knowledge base the right one for what is asked?"
    return None


def _records(ledger: Path, oracle: Oracle, name: str) -> Iterator[_Recorded]:
    """The records of a knowledge base that claim something, the oldest first."""
    current = oracle.knowledge.content_hash
    folder = oracle.knowledge.config.folder
    with Ledger.open(ledger, create=False) as book:
        for record in book.each():
            report = record.report()
            same = report.get("versions", {}).get("knowledge_base") == current
            if (same or _names(record.kb, name, folder)) and record.summary != "no_claims":
                yield _recorded(record.id, record.decision, report, current=same)


def _names(kb: str, name: str, folder: Path) -> bool:
    if kb == name:
        return True
    try:
        return Path(os.path.abspath(resolve(kb))) == folder
    except ImprimaturError:
        return False


def _recorded(number: int, decision: str, report: Mapping[str, Any], *, current: bool) -> _Recorded:
    claims = [claim for segment in report.get("segments", ()) for claim in segment.get("claims", ())]
    supported = [claim for claim in claims if claim.get("label") == Label.SUPPORTED.value]
    evidence = [each for claim in supported for each in claim.get("evidence", ())]
    return _Recorded(
        id=number,
        shown=decision in _SHOWN,
        current=current,
        supported=len(supported),
        bare=sum(not claim.get("evidence") for claim in supported),
        evidence=tuple(_evidence(each) for each in evidence),
    )


def _evidence(told: Mapping[str, Any]) -> Evidence:
    source, kind, content, query, origin = (
        str(told.get(name, "")) for name in ("source", "kind", "content", "query", "origin")
    )
    return Evidence(source=source, kind=kind, content=content, query=query, origin=origin)
