"""`wording: literal`: memory and passages support only what they say in their own words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.errors import PolicyError
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.verdict import Label

_TEXT = "If you cancel at least 48 hours before departure, we refund the full fare, less a fee of 25 euros."


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """One entry, under a policy that asks for its own words."""
    folder = tmp_path_factory.mktemp("literal")
    entries = ({"id": "a", "text": _TEXT}, {"id": "b", "text": "The nurse visits the patient on 3 May 2021."})
    (folder / "m.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in entries), encoding="utf-8")
    (folder / "house.yaml").write_text("version: 1\nextends: strict\nwording: literal\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nmemory: m.jsonl\npolicy: house.yaml\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(
    "claim",
    [
        "If you cancel at least 48 hours before departure, we refund the full fare, less a fee of 25 euros [mem:a].",
        "If you cancel at least 48 hours before departure, we refund the full fare, less a fee of €25 [mem:a].",
        "The nurse visits a patient on May 3, 2021 [mem:b].",
        "Nurse visits patient on 3 May 2021 [mem:b].",
    ],
)
def test_own_words_are_supported(oracle: Oracle, claim: str) -> None:
    """Word for word, but for articles and how a number or date is written."""
    assert oracle.check(claim).segments[0].label is Label.SUPPORTED


@pytest.mark.parametrize(
    "claim",
    [
        "The patient is visited by the nurse on 3 May 2021 [mem:b].",
        "On 3 May 2021 the nurse visits the patient [mem:b].",
        "The nurse sees the patient on 3 May 2021 [mem:b].",
        "The nurse visits on 3 May 2021 [mem:b].",
        "If you cancel at least 48 hours before departure, we refund the fare [mem:a].",
    ],
)
def test_other_words_are_not(oracle: Oracle, claim: str) -> None:
    """Another order, a synonym, a passive, or words left out within are withheld, whatever the free comparison says."""
    assert oracle.check(claim).segments[0].label is Label.NOT_FOUND


def test_passages_are_held_to_it_too(oracle: Oracle) -> None:
    """What comes with a call is compared in the same way."""
    given = "The pump runs for two hours and stops."
    assert oracle.check("The pump runs for two hours.", None, [given]).segments[0].label is Label.SUPPORTED
    assert oracle.check("The pump works for two hours.", None, [given]).segments[0].label is not Label.SUPPORTED


def test_the_setting_is_inherited_narrowed_and_shown(tmp_path: Path) -> None:
    """A caller can ask for it and not take it away; a policy file shows it; another word is an error."""
    strict = load("strict")
    assert strict.resolved()["wording"] == "free"
    literal = strict.narrow(literal=True)
    assert literal.resolved()["wording"] == "literal"
    assert literal.narrow(literal=False).literal
    (tmp_path / "p.yaml").write_text("version: 1\nwording: verbatim\n", encoding="utf-8")
    with pytest.raises(PolicyError, match="wording"):
        load(str(tmp_path / "p.yaml"))
