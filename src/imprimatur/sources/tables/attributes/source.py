"""Rows as a source for claims read as words (implements ``protocols.Source``): it refutes, and licenses nothing.

    the row that the claim is about                                label
    -------------------------------------------------------------  ------------
    has another value for an attribute, its hours or its rating    contradicted
    is silent of what is claimed, or knows nothing of it           not_found
    agrees, or is not spoken of                                    not_found

A claim is about the row that it names, or else about the last one named before it; about none where it names several.
The rest of its words is not read, so agreement is no support: that is for the grammar. A refutation has as evidence the
row's cells and the SELECT that gives them; where that cannot be shown, nothing is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from imprimatur.answer import Segment
from imprimatur.claim import Claim, Modality
from imprimatur.evidence import Evidence
from imprimatur.sources.tables.attributes.flags import Told
from imprimatur.sources.tables.attributes.index import RowIndex
from imprimatur.sources.tables.evidence import Rows
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["RowSource"]

_UNSAID = (Modality.HYPOTHETICAL, Modality.ASKED)


class RowSource:
    """Judges the claims of one answer by the rows that it names."""

    name = "tables"
    only_refutes = True

    def __init__(
        self, index: Callable[[], RowIndex], rows: Rows, *, trust: Callable[[str], str], question: str = ""
    ) -> None:
        self._index, self._rows, self._trust = index, rows, trust
        self._question = question
        self._text = ""

    def hear(self, text: str, parts: Sequence[Segment]) -> None:
        """Takes the answer so far."""
        self._text = text

    def judge(self, claim: Claim) -> Judgement:
        """What the row says of the claim."""
        if claim.prose is None or claim.modality in _UNSAID:
            return self._silent(())
        row = self._row(claim)
        if row is None:
            return self._silent(())
        told = self._index().reader(*row).told(claim.prose.words)
        otherwise = [each for each in told if each.agrees is False]
        evidence = tuple(self._evidence(row, otherwise))
        findings = tuple(_findings(claim, [each for each in told if each.agrees is not True]))
        if not otherwise or not evidence:
            return self._silent(findings)
        return Judgement(
            source=self.name,
            label=Label.CONTRADICTED,
            reasons=(Reason.VALUE_MISMATCH,),
            evidence=evidence,
            findings=findings,
        )

    def _silent(self, findings: tuple[Finding, ...]) -> Judgement:
        return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,), findings=findings)

    def _row(self, claim: Claim) -> tuple[str, int] | None:
        """The row that a claim is about."""
        index = self._index()
        so_far = f"{self._question} {self._text[: claim.end]}"
        own = index.find(claim.text)
        if own:
            return index.meant(own[0], so_far) if len({each.rows for each in own}) == 1 else None
        before = index.find(f"{self._question} {self._text[: claim.start]}")
        return index.meant(before[-1], so_far) if before else None

    def _evidence(self, row: tuple[str, int], told: Iterable[Told]) -> Iterator[Evidence]:
        columns = tuple(dict.fromkeys(column for each in told for column in each.columns))
        shown = self._rows.row(row[0], row[1] + 1, columns) if columns else None
        if shown is not None:
            yield Evidence(
                source=self.name,
                kind="row",
                content=shown.content,
                query=shown.query,
                origin=shown.origin,
                trust=self._trust(row[0]),
            )


def _findings(claim: Claim, told: Iterable[Told]) -> Iterator[Finding]:
    """What is wrong: the row says otherwise, its cell is empty, or it has no cell for it at all."""
    for each in told:
        reason = Reason.NO_EVIDENCE if each.columns else Reason.LOW_COVERAGE
        reason = Reason.VALUE_MISMATCH if each.agrees is False else reason
        yield Finding(reason, claim.start + each.start, claim.start + each.end, each.said)
