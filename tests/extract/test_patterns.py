"""Clauses to claims: which properties, which names, which words each claim accounts for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from parsing import Letters, items

from imprimatur.claim import Attribute, Membership, Relation
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.patterns import Read, read
from imprimatur.protocols import Entry

Known = Mapping[str, tuple[Entry, ...]]
FEEDS: Known = {"feed|obj=*|subj=*": (Entry("urn:feeds", 1, "entity"),)}
LONG: Known = {"be|adj=*~long|subj=*": (Entry("urn:length", 1, "quantity"),)}
OPENED: Known = {"open|loc=*|subj=*": (Entry("urn:opened", 1, "date"),)}


def taken(sentence: str, known: Known = FEEDS, *, nouns: tuple[str, ...] = ()) -> Read:
    """What is read of a sentence when only some keys are known."""
    return read(items(sentence), Discourse(Letters(known, nouns)))


def covered(sentence: str) -> str:
    """The words that the first claim with a reading accounts for."""
    claim = next(c for c in taken(sentence).claims if c.readings)
    return " ".join(sentence[start:end] for start, end in claim.covers)


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("S feeds O.", [("S", "O")]),
        ("S and O feed P.", [("S", "P"), ("O", "P")]),
        ("S feeds O, P and Q.", [("S", "O"), ("S", "P"), ("S", "Q")]),
        ("O and P are fed by S and Q.", []),
        ("O and P are fed by S and Q, respectively.", [("S", "O"), ("Q", "P")]),
        ("O, fed by S and P.", [("S", "O"), ("P", "O")]),
        ("S, fed by O, feeds P.", [("S", "P"), ("O", "S")]),
        ("S meets O and P.", []),
        ("S, near O, and P.", []),
        ("S feeds the mouth of O.", []),
        ("S's brother feeds O.", []),
    ],
)
def test_relations(sentence: str, ends: list[tuple[str, str]]) -> None:
    """One claim for each pair that the verb links, and none for names that only stand near each other."""
    readings = [r for claim in taken(sentence).claims for r in claim.readings]
    assert sorted((r.subject.text, r.object.text) for r in readings if isinstance(r, Relation)) == sorted(ends)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("S feeds O.", "S feeds O"),
        ("S slowly feeds O.", "S feeds O"),
        ("S feeds O in winter.", "S feeds O"),
        ("S feeds O twice.", "S feeds O"),
        ("S feeds every O.", "S feeds O"),
        ("S does not feed O.", "S does not feed O"),
        ("S could feed O.", "S feed O"),
    ],
)
def test_covers(sentence: str, words: str) -> None:
    """A claim covers what its reading uses and nothing else: the rest must stay visible."""
    assert covered(sentence) == words


@pytest.mark.parametrize("before", ["former", "so-called", "fake", "late", "upper", "second", "only"])
def test_words_before_a_name_are_not_covered_by_its_kind(before: str) -> None:
    """That a thing is of a kind says nothing of the words before its name."""
    sentence = f"The {before} S is a river."
    claims = [c for c in taken(sentence, nouns=("river",)).claims if c.readings]
    assert claims
    start = sentence.index(before)
    assert not any(a <= start < b for claim in claims for a, b in claim.covers)


@pytest.mark.parametrize(
    ("sentence", "negated"),
    [("S feeds O.", False), ("S does not feed O.", True), ("Neither S nor O feeds P.", True), ("S feeds no O.", True)],
)
def test_negation(sentence: str, negated: bool) -> None:
    """A claim knows whether it is denied."""
    assert {c.negated for c in taken(sentence).claims if c.readings} == {negated}


def test_values_must_be_of_the_kind_of_the_property() -> None:
    """A quantity is no name, a name no quantity, and a bare number may be a year."""
    (claim,) = taken("S is 40 m long.", LONG).claims
    (reading,) = claim.readings
    assert isinstance(reading, Attribute)
    assert not any(c.readings for c in taken("S feeds 40 m.").claims)
    assert not any(c.readings for c in taken("S is O long.", LONG).claims)
    assert any(c.readings for c in taken("S opened in 1931.", OPENED).claims)


def test_an_ordinal_counts_nothing() -> None:
    """ "A third arch" is not three arches."""
    arches: Known = {"#arch<*": (Entry("urn:arches", 0, "quantity"),)}
    assert any(c.readings for c in taken("S has 3 arches.", arches).claims)
    assert not any(c.readings for c in taken("S has a third arch.", arches).claims)


def test_dates_limit_a_relation_in_time() -> None:
    """A date that no property takes up says when the relation holds."""
    for sentence in ("S fed O in 1931.", "In 1931, S fed O."):
        (claim,) = [c for c in taken(sentence).claims if c.readings]
        (reading,) = claim.readings
        assert isinstance(reading, Relation)
        assert reading.when is not None
        assert reading.when.at is not None


def test_kinds() -> None:
    """A noun that names a class makes a membership; one that the graph does not know makes none."""
    (claim,) = taken("S is a river.", nouns=("river",)).claims
    (reading,) = claim.readings
    assert isinstance(reading, Membership)
    assert (reading.classes, reading.noun) == (("urn:class:river",), "river")
    assert not any(c.readings for c in taken("S is a mountain.", nouns=("river",)).claims)


def test_a_clause_that_says_something_unknown_is_a_claim_without_reading() -> None:
    """What is not understood is not passed over."""
    (claim,) = taken("S admires O.").claims
    assert claim.readings == ()
