"""Which stage lost an error: one made process for each stage, and the furthest round counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from imprimatur.retrofit.attribution import Mistake, is_mended, lost_at
from imprimatur.retrofit.kinds import Ended, Entity, Finding, Retrofitted, Round, Stage, Stated, Triple, Verified
from imprimatur.verdict import Label

DRAFT = "Alex Orlov died in Borsk."
MISTAKE = Mistake(
    start=19, end=24, wrong="Borsk", right=("Avelo", "Avelo City"), entities=("Alex Orlov",), fact="<alex> <death>"
)
FINDING = Finding(
    claim=Stated("Alex Orlov died in Borsk", 0, 24),
    entities=(Entity("alex orlov", ("https://example.org/alex",)),),
    triples=(Triple("Alex Orlov: place of death: Avelo", "<alex> <death> <avelo> ."),),
    verified=Verified(Label.CONTRADICTED, "Change “Borsk” to “Avelo”."),
)


def _found(*findings: Finding, text: str = DRAFT) -> Retrofitted:
    made = Round(response=DRAFT, findings=findings, revised=text)
    return Retrofitted(question="", draft=DRAFT, text=text, ended=Ended.ROUNDS, rounds=(made,))


@pytest.mark.parametrize(
    ("finding", "stage"),
    [
        (replace(FINDING, claim=Stated("Alex Orlov was a person.", -1, -1)), Stage.EXTRACTION),
        (replace(FINDING, entities=(Entity("Borsk", ("https://example.org/borsk",)),)), Stage.DETECTION),
        (replace(FINDING, entities=(Entity("Alex Orlov"),)), Stage.DETECTION),
        (replace(FINDING, triples=(Triple("Alex Orlov: born: 1902", "<alex> <born> 1902 ."),)), Stage.SELECTION),
        (replace(FINDING, verified=Verified(Label.SUPPORTED)), Stage.VERIFICATION),
        (replace(FINDING, verified=Verified(Label.CONTRADICTED, "Change it.")), Stage.VERIFICATION),
        (FINDING, Stage.RETROFITTING),
    ],
)
def test_the_stage_that_lost_it(finding: Finding, stage: Stage) -> None:
    """The first that did not do its part, whatever the claims beside it did."""
    other = Finding(claim=Stated("Rita Conti was born in 1950."))
    assert lost_at(MISTAKE, _found(other, finding)) is stage


def test_nothing_is_lost_where_it_is_mended() -> None:
    """The right value in the place of the wrong one, in any of its names; a text that has both is not mended."""
    for text in ("Alex Orlov died in Avelo.", "Alex Orlov died in Avelo City.", "He died in AVELO, we think."):
        assert lost_at(MISTAKE, _found(FINDING, text=text)) is None
    for text in (DRAFT, "Alex Orlov died in Avelo, not in Borsk.", "Alex Orlov died in Avelon."):
        assert not is_mended(MISTAKE, _found(FINDING, text=text))


def test_the_furthest_round_counts() -> None:
    """A claim that the second round verified is not laid to the first, which did not extract it; none: extraction."""
    found = _found()
    assert lost_at(MISTAKE, found) is Stage.EXTRACTION
    further = Round(response=DRAFT, findings=(FINDING,), revised=DRAFT)
    assert lost_at(MISTAKE, replace(found, rounds=(*found.rounds, further))) is Stage.RETROFITTING
    assert lost_at(MISTAKE, replace(found, rounds=())) is Stage.EXTRACTION
