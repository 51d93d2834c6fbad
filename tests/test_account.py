"""The account stage: residue, labels and reasons of segments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.account import account, unexamined
from imprimatur.answer import Kind, Segment
from imprimatur.claim import Claim, Modality
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.report import JudgedClaim, Residue
from imprimatur.verdict import Label, Reason, Verdict

_SEGMENT = Segment(0, 60, Kind.SENTENCE, (0, 59))
_REASONS = {Label.SUPPORTED: Reason.ENTAILED, Label.CONTRADICTED: Reason.VALUE_MISMATCH}


def _judged(label: Label, *covers: tuple[int, int], modality: Modality = Modality.ASSERTED) -> JudgedClaim:
    claim = Claim(start=0, end=60, text="", covers=covers, modality=modality)
    return JudgedClaim(claim=claim, verdict=Verdict(label=label, reasons=(_REASONS.get(label, Reason.NO_EVIDENCE),)))


def _words(*spans: tuple[int, int], hard: bool = True) -> tuple[Word, ...]:
    return tuple(Word(start, end, hard) for start, end in spans)


def test_all_accounted_for() -> None:
    """A segment whose words are all covered by supported claims is supported."""
    found = account(
        Extracted(_SEGMENT, words=_words((0, 3), (4, 9), (10, 12))),
        [_judged(Label.SUPPORTED, (0, 3), (10, 12)), _judged(Label.SUPPORTED, (4, 9))],
        soft=True,
    )
    assert (found.label, found.reasons, found.residue) == (Label.SUPPORTED, (Reason.ENTAILED,), ())


def test_hard_residue() -> None:
    """One hard word that no claim covers makes the segment not found."""
    found = account(Extracted(_SEGMENT, words=_words((0, 3), (4, 9))), [_judged(Label.SUPPORTED, (0, 3))], soft=False)
    assert (found.label, found.reasons) == (Label.NOT_FOUND, (Reason.RESIDUE,))
    assert found.residue == (Residue(4, 9, True),)


def test_partly_covered_word() -> None:
    """A word is covered only as a whole, by one span."""
    found = account(Extracted(_SEGMENT, words=_words((0, 6))), [_judged(Label.SUPPORTED, (0, 3), (3, 6))], soft=False)
    assert found.residue == (Residue(0, 6, True),)


@pytest.mark.parametrize(("soft", "label"), [(True, Label.NOT_FOUND), (False, Label.SUPPORTED)])
def test_soft_residue(soft: bool, label: Label) -> None:
    """Soft residue withholds where the policy says so, and is reported in any case."""
    words = (*_words((0, 3)), *_words((4, 9), hard=False))
    found = account(Extracted(_SEGMENT, words=words), [_judged(Label.SUPPORTED, (0, 3))], soft=soft)
    assert found.label is label
    assert found.residue == (Residue(4, 9, False),)
    assert (Reason.RESIDUE in found.reasons) is soft


def test_neighbours_merge() -> None:
    """Words side by side make one residue; a covered word or another hardness parts them."""
    words = (*_words((0, 2), (3, 5)), *_words((6, 8), hard=False), *_words((9, 11), (12, 14), (15, 17)))
    found = account(Extracted(_SEGMENT, words=words), [_judged(Label.SUPPORTED, (12, 14))], soft=False)
    spans = [(part.start, part.end, part.hard) for part in found.residue]
    assert spans == [(0, 5, True), (6, 8, False), (9, 11, True), (15, 17, True)]


def test_words_without_claims() -> None:
    """Words of which no claim was read are residue."""
    found = account(Extracted(_SEGMENT, words=_words((0, 3))), [], soft=False)
    assert (found.label, found.reasons) == (Label.NOT_FOUND, (Reason.RESIDUE,))


def test_worst_label_gives_the_reasons() -> None:
    """A segment takes its worst claim's label and reasons; residue adds its own."""
    claims = [_judged(Label.SUPPORTED, (0, 3)), _judged(Label.CONTRADICTED, (4, 9))]
    found = account(Extracted(_SEGMENT, words=_words((0, 3), (4, 9), (10, 12))), claims, soft=False)
    assert found.label is Label.CONTRADICTED
    assert found.reasons == (Reason.VALUE_MISMATCH, Reason.RESIDUE)


def test_ambiguous_words_are_no_residue() -> None:
    """Words of an ambiguous claim were read: its segment is ambiguous, not not_found."""
    found = account(Extracted(_SEGMENT, words=_words((0, 3))), [_judged(Label.AMBIGUOUS, (0, 3))], soft=True)
    assert found.label is Label.AMBIGUOUS


def test_silent() -> None:
    """A silent segment claims nothing, whatever its words."""
    found = account(Extracted(_SEGMENT, words=_words((0, 3)), silent=True), [], soft=True)
    assert (found.label, found.residue) == (Label.NOT_A_CLAIM, ())


@pytest.mark.parametrize("modality", [Modality.HYPOTHETICAL, Modality.ASKED])
def test_suppositions_claim_nothing(modality: Modality) -> None:
    """What is only supposed or asked is no claim, even where the graph would support it."""
    claims = [_judged(Label.SUPPORTED, (0, 3), modality=modality)]
    found = account(Extracted(_SEGMENT, words=_words((0, 3))), claims, soft=True)
    assert [claim.verdict.label for claim in found.claims] == [Label.NOT_A_CLAIM]
    assert found.label is Label.NOT_A_CLAIM


@pytest.mark.parametrize("label", list(Label))
def test_reported_speech(label: Label) -> None:
    """Reported speech is contradicted or no claim, never licensed as a fact."""
    found = account(
        Extracted(_SEGMENT, words=_words((0, 3), (4, 9)), attributed=True), [_judged(label, (0, 3))], soft=True
    )
    refuted = label is Label.CONTRADICTED
    assert found.label is (Label.CONTRADICTED if refuted else Label.NOT_A_CLAIM)
    assert found.reasons == ((Reason.VALUE_MISMATCH,) if refuted else (Reason.ATTRIBUTED,))


def test_unexamined() -> None:
    """What no check has seen is unchecked, with the reason why."""
    found = unexamined(3, 9, Reason.TIME_LIMIT)
    assert (found.start, found.end, found.label, found.reasons) == (3, 9, Label.UNCHECKED, (Reason.TIME_LIMIT,))


_spans = st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    st.lists(st.tuples(_spans, st.booleans()), max_size=8),
    st.lists(st.tuples(st.sampled_from(list(Label)), st.lists(_spans, max_size=4)), max_size=4),
    st.booleans(),
)
def test_supported_means_all_accounted_for(
    words: list[tuple[tuple[int, int], bool]], claims: list[tuple[Label, list[tuple[int, int]]]], soft: bool
) -> None:
    """A supported segment has only supported claims (or none that claim), and every hard word within one cover."""
    made = [_judged(label, *covers) for label, covers in claims]
    extracted = Extracted(_SEGMENT, words=tuple(Word(*span, hard) for span, hard in words))
    found = account(extracted, made, soft=soft)
    covers = [cover for judged in made for cover in judged.claim.covers]
    left = [
        span for span, hard in words if (hard or soft) and not any(a <= span[0] and span[1] <= b for a, b in covers)
    ]
    if found.label in (Label.SUPPORTED, Label.NOT_A_CLAIM):
        assert not left
        assert {label for label, _ in claims} <= {Label.SUPPORTED, Label.NOT_A_CLAIM}
    if left:
        assert Reason.RESIDUE in found.reasons
