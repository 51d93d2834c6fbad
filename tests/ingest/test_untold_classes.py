"""A thing of which no class is told: what the other end leaves for it, and who may say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_ontology import BASE, guardrail, thing
from made_things import resolver, said, things

from imprimatur.ingest.ontology import ANY_THING
from imprimatur.ingest.untold import left_for, may_be
from imprimatur.ingest.validating import validate

_ACME = thing("Acme", "Company")


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (("Person",), "Person"),
        (("Person", "Agent"), "Agent"),
        (("Organization", "University"), "Organization"),
        (("Person", "City"), ""),
        ((), ""),
    ],
)
def test_what_is_left(tmp_path: Path, wanted: tuple[str, ...], left: str) -> None:
    """One class, or the one of which the others are kinds."""
    found = left_for(guardrail(tmp_path), [BASE + each for each in wanted])
    assert found == (BASE + left if left else "")
    assert left_for(guardrail(tmp_path), [ANY_THING]) == ""


@pytest.mark.parametrize(
    ("name", "label", "may"),
    [
        ("Mara Lenk", "person", True),
        ("Tavra", "river", True),
        ("Mill Creek", "river", True),
        ("Gulf War", "person", False),
        ("U.S.", "politician", False),
        ("Battle of Antietam", "city", False),
        ("", "person", True),
    ],
)
def test_what_a_name_says(name: str, label: str, may: bool) -> None:
    """A word of the dictionary at the end of a name tells of which kinds it may be; other names tell nothing."""
    assert may_be(name, (label,)) is may


def test_the_batch_says_otherwise(tmp_path: Path) -> None:
    """A thing that another sentence takes for a city works nowhere, though one sentence leaves it open."""
    made = resolver(tmp_path)
    batch = [
        said(thing("Norvo"), "works_at", _ACME),
        said(thing("Norvo", "City"), "knows", _ACME, document="b.txt"),
    ]
    assert things(tmp_path).guardrail.refusals(batch[0]) == ()
    settled = [each.candidate for each in made.resolve(batch)]
    codes = [[refusal.code for refusal in each] for each in validate(things(tmp_path), None, settled).refusals]
    assert codes == [["wrong-source"], []]


def test_the_graph_says_otherwise(tmp_path: Path) -> None:
    """What the graph knows of a thing counts, where nothing else is told of it."""
    known = things(tmp_path)
    for name, codes in (("york", ["wrong-source"]), ("hilton", [])):
        each = said(thing("x", iri=BASE + name), "works_at", thing("Acme", "Company", iri=BASE + "acme"))
        assert known.guardrail.refusals(each) == ()
        assert [refusal.code for refusal in validate(known, None, [each]).refusals[0]] == codes
