"""Claims read as words: cut at citations, with one character for each of the answer's."""

from __future__ import annotations

import pytest

from imprimatur.answer import Answer
from imprimatur.claim import Claim
from imprimatur.extract.nameless import NAMELESS
from imprimatur.extract.segments import Extractor
from imprimatur.segment import segment


def _prose(text: str, *, question: str | None = None, tagged: bool = False) -> list[Claim]:
    extractor = Extractor(Answer(text=text, question=question), NAMELESS, prose=True, tagged=tagged)
    return [claim for part in segment(text) for claim in extractor.extract(part).prose]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A is B [mem:1].", [("A is B", ("1",))]),
        ("A is B [mem:1] and C is D [mem:2].", [("A is B", ("1",)), ("and C is D", ("2",))]),
        ("A is B and C is D [mem:1].", [("A is B and C is D", ("1",))]),
        ("A is B [mem:1] [mem:2].", [("A is B", ("1", "2"))]),
        ("A is B.", [("A is B.", ())]),
        ("A is B [mem:1], as C is D.", [("A is B", ("1",)), (", as C is D.", ())]),
    ],
)
def test_cut_at_citations(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    """The words up to a citation belong to it; clauses before one share it."""
    found = _prose(text)
    assert [(claim.text, claim.citations) for claim in found] == expected
    assert all(text[claim.start : claim.end] == claim.text for claim in found)


def test_citations_inside_a_claim_are_blanks() -> None:
    """``words`` has one character for each of the span, and no citation in it."""
    for claim in _prose('He said "it rained [mem:1] all day" in May [mem:2].'):
        assert claim.prose is not None
        assert len(claim.prose.words) == len(claim.text)
        assert "mem" not in claim.prose.words


def test_whole_clauses_side_by_side() -> None:
    """A semicolon between two clauses parts them, so that one can be taken out alone."""
    assert len(_prose("The mill has 24 looms; the barn has a roof.")) == 2


def test_pronouns_have_their_names() -> None:
    """A pronoun comes with the name before it, the sentence before and the question."""
    last = _prose("Brightwater sells pumps. It has 20 staff.", question="How large is it?")[-1]
    assert last.prose is not None
    assert last.prose.before == "Brightwater sells pumps."
    assert last.prose.context == ("How large is it?",)


@pytest.mark.parametrize("text", ["Keep it below 10 °C.", "Is the mill old?"])
def test_tagged_claims_are_never_silent(text: str) -> None:
    """What is handed in as a claim is one, whatever its form."""
    assert len(_prose(text, tagged=True)) == 1
