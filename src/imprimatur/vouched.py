"""Which claims count where structured evidence and evidence in text speak of the same words.

Structured claims and claims read as words (``Claim.prose``) say the same words twice, so one of them is enough:

    words of the one    covered by the other     what counts
    ------------------  -----------------------  ---------------------------------------------------------------
    not_found           supported                the other alone, unless the one has a citation that is made up
    contradicted        supported                both, as conflicting; the other alone, where only a shallow reading of
                                                 tables contradicts (the other was read whole, of the same tables)
    anything else       anything                 both, as they are: unchecked and ambiguous always count

"Covered": every word that must be accounted for (every hard word, where soft residue only annotates) lies in what
supported claims of the other kind cover. Nothing here turns a failed check, a contradiction or a silence about some
word into support.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from imprimatur.extract.extracted import Extracted, Word
from imprimatur.report import JudgedClaim
from imprimatur.verdict import Label, Reason

__all__ = ["telling", "vouched"]


def vouched(
    extracted: Extracted, structured: Sequence[JudgedClaim], prose: Sequence[JudgedClaim], *, soft: bool
) -> tuple[JudgedClaim, ...]:
    """The claims of a segment that count, structured ones first."""
    words = [word for word in extracted.words if word.hard or soft]
    return (
        *_counting(structured, _covered(words, prose), words),
        *_counting(prose, _covered(words, structured), words),
    )


def telling(structured: Sequence[JudgedClaim], prose: Sequence[JudgedClaim]) -> tuple[JudgedClaim, ...]:
    """The claims read as words that count where their sources only refute, and support nothing.

    That such a source finds nothing says nothing. What it misses counts where the grammar has not read the words as so
    or not so.
    """
    read = [span for each in structured if each.verdict.label is not Label.NOT_FOUND for span in each.claim.covers]
    return tuple(each for each in prose if each.verdict.label is not Label.NOT_FOUND or _misses(each, read))


def _misses(judged: JudgedClaim, read: Sequence[tuple[int, int]]) -> bool:
    found = judged.verdict.findings
    return any(not any(start <= each.start and each.end <= end for start, end in read) for each in found)


def _covered(words: Sequence[Word], claims: Iterable[JudgedClaim]) -> frozenset[Word]:
    """The words that supported claims cover."""
    spans = [span for judged in claims if judged.verdict.label is Label.SUPPORTED for span in judged.claim.covers]
    return frozenset(word for word in words if _inside(word, spans))


def _counting(claims: Iterable[JudgedClaim], covered: frozenset[Word], words: Sequence[Word]) -> Iterable[JudgedClaim]:
    for judged in claims:
        own = [word for word in words if _inside(word, judged.claim.covers)]
        known = bool(covered) and all(word in covered for word in own)
        label, reasons = judged.verdict.label, judged.verdict.reasons
        if known and label is Label.NOT_FOUND and Reason.UNKNOWN_CITATION not in reasons:
            continue
        if known and label is Label.CONTRADICTED and _shallow(judged):
            continue
        if known and label is Label.CONTRADICTED:
            verdict = replace(
                judged.verdict, label=Label.CONFLICTING, reasons=(Reason.SOURCE_DISAGREEMENT, *judged.verdict.reasons)
            )
            yield replace(judged, verdict=verdict)
            continue
        yield judged


def _shallow(judged: JudgedClaim) -> bool:
    """Whether all that contradicts is that tables were read over the words (``sources.tables.prose``)."""
    evidence = judged.verdict.evidence
    return judged.claim.prose is not None and bool(evidence) and all(each.source == "tables" for each in evidence)


def _inside(word: Word, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= word.start and word.end <= end for start, end in spans)
