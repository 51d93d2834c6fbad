"""Conclusions computed from texts: the arithmetic, what it may be read from, and golden claims that (do not) follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.claim import Prose
from imprimatur.evals.fence import read_facts, score
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.sources.text.composed import deep
from imprimatur.sources.text.evidence import Evidence
from imprimatur.sources.text.formulas import simple
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.premises import leaves_of
from imprimatur.sources.text.references import references
from imprimatur.verdict import Label

_FOLDER = Path(__file__).parents[2] / "golden" / "fence"
#: How many claims of a file that follow are granted, at least; of those that do not follow none is.
_GRANTED = {"inferences": 51, "conclusions": 36, "reckonings": 38, "afterwards": 37, "traps": 4}


def _said(text: str) -> set[str]:
    evidence = Evidence.of([("a", read(text))])
    leaves = references(leaves_of(evidence), evidence)
    homes = {leaf.piece: frame.number for leaf in leaves if (frame := evidence.frame_of(leaf.piece))}
    return {each.said for each in (*simple(leaves), *deep(leaves, homes))}


@pytest.mark.parametrize(
    ("premises", "said"),
    [
        ("There were 84.2 g and 61.5 g.", "84.2 g - 61.5 g"),
        ("There were 1,200 litres and 850 litres.", "1,200 litres + 850 litres"),
        ("It was 61.5 g of 84.2 g.", "61.5 g / 84.2 g"),
        ("A third of the 48 rooms are free.", "A third of 48"),
        ("It came on 2 March 2026 and four days later.", "2 March 2026 + four days"),
        ("It began in 1618 and ended in 1648.", "from 1618 to 1648"),
        ("There were yields of 81%, 84% and 90%.", "mean of 81% + 84% + 90%"),
        ("She threw 64.12 m, 38 cm short of the record.", "(64.12 m + 38 cm)"),
        ("It holds 12 racks of 40 servers.", "(12 x 40)"),
        ("It leaves at 22:57 and arrives at 7:05.", "from 22:57 to 7:05"),
        ("The tank of 3,600 litres is filled at 15 litres a minute.", "3,600 litres / 15 litres a minute"),
        ("The loan of 600 euros runs for two years at 4% a year.", "600 euros x 4% a year x two years"),
    ],
)
def test_arithmetic(premises: str, said: str) -> None:
    """A step that the numbers of a text allow is among its formulas."""
    assert said in _said(premises)


@pytest.mark.parametrize(
    "premises", ["It takes 3 kg and 5 hours.", "It costs $5 and €3.", "Tank 3 and tank 4 are full."]
)
def test_unlike_amounts_are_not_added(premises: str) -> None:
    """Amounts of different kinds, and the numbers of names, make no sum and no difference."""
    assert not any(" + " in said or " - " in said for said in _said(premises))


@pytest.mark.parametrize(
    ("claim", "text", "label"),
    [
        ("On a weekday it carried 7,200 more passengers than on a Sunday.", "line", Label.SUPPORTED),
        ("On a Sunday it carried 7,200 more passengers than on a weekday.", "line", Label.NOT_FOUND),
    ],
)
def test_sides_count(claim: str, text: str, label: Label) -> None:
    """What is more than what is read from the words beside the numbers."""
    given = {"line": "It carried 18,400 passengers on a weekday and 11,200 on a Sunday."}[text]
    found = compare(Prose(words=claim), [Text("a", given)], TextLimits(), inference=True)
    assert (found.label is Label.SUPPORTED) is (label is Label.SUPPORTED)


def test_a_memory_claim_is_not_computed() -> None:
    """Only an inference may have a number that no text has."""
    text = Text("a", "The crude product weighed 84.2 g, the pure one 61.5 g.")
    claim = Prose(words="The crude product weighed 22.7 g more than the pure one.")
    assert compare(claim, [text], TextLimits(), inference=False).label is not Label.SUPPORTED
    found = compare(claim, [text], TextLimits(), inference=True)
    assert (found.label, found.derivation) == (Label.SUPPORTED, ("22.7 g = 84.2 g - 61.5 g",))


@pytest.mark.parametrize("name", sorted(_GRANTED))
def test_golden(name: str) -> None:
    """So many claims of the file as follow are granted, and none that does not."""
    facts = read_facts(_FOLDER / f"{name}.txt")
    found = score(facts, [claim for fact in facts for claim in fact.claims])
    granted, _ = found.count(good=True)
    flagged, bad = found.count(good=False)
    assert granted >= _GRANTED[name]
    assert flagged == bad, [claim.text for claim in found.wrong if not claim.good]
