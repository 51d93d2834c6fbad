"""The names of a graph, found among the tokens of a text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.language.tokens import tokenise
from imprimatur.sources.graph.names import NameIndex, folded, literal_names


def index(*names: str, **iris: str) -> NameIndex:
    """An index of some names; each is its own IRI unless one is given."""
    found = NameIndex()
    for name in names:
        found.add(name, iris.get(name, f"urn:{name}"))
    return found


def seen(names: NameIndex, text: str) -> list[str]:
    """The names that are found in a text, as written there."""
    tokens = tokenise(text)
    return [text[tokens[f.first].start : tokens[f.stop - 1].end] for f in names.find(tokens)]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Salt Fork", "The Salt Fork rises.", ["Salt Fork"]),
        ("Salt Fork", "the salt fork rises", []),
        ("salt fork", "The Salt Fork and a salt fork", ["Salt Fork", "salt fork"]),
        ("Café Görlitz", "At Cafe Gorlitz", ["Cafe Gorlitz"]),
        ("Café Görlitz", "At Café Görlitz", ["Café Görlitz"]),
        ("Mill Creek (Ohio)", "Mill Creek rises", ["Mill Creek"]),
        ("Mill Creek (Ohio)", "Mill Creek (Ohio) rises", ["Mill Creek (Ohio)"]),
        ("Greene County, Ohio", "in Greene County", ["Greene County"]),
        ("Greene County, Ohio", "in Greene County, Ohio", ["Greene County, Ohio"]),
        ("St. Johns River", "the St Johns River", ["St Johns River"]),
        ("St Johns River", "the St. Johns River", ["St. Johns River"]),
        ("O'Hara's Well", "O’Hara’s Well", ["O’Hara’s Well"]),
        ("Salt", "Saltwater and Salt-lake", ["Salt"]),
        ("Rhône", "RHÔNE", ["RHÔNE"]),
        ("Ed Marrow, Jr.", "Ed Marrow, Jr. rows", ["Ed Marrow, Jr."]),
        ("Ed Marrow, Jr.", "It was Ed Marrow, Jr.", ["Ed Marrow, Jr"]),
        ("Ed Marrow, Jr", "Ed Marrow, Jr. rows", ["Ed Marrow, Jr."]),
        ("Ed Marrow, Jr.", "Ed Marrow rows", []),
        ("Ed Marrow, III", "Ed Marrow rows", []),
    ],
)
def test_found(name: str, text: str, found: list[str]) -> None:
    """A name is found by its words, with a capital where it has one, with or without accents and qualifiers."""
    assert seen(index(name), text) == found


@pytest.mark.parametrize(
    "label", ["", "  ", "the", "of the", "is", "...", "(", "\n", "?" * 30, "x" * 401, "a " * 100, "\u200b"]
)
def test_labels_that_name_nothing(label: str) -> None:
    """Empty labels, function words, marks and endless labels are no names."""
    assert index(label).names == {}


def test_the_longest_name_wins() -> None:
    """Of names that begin alike the longest is found, and names do not overlap."""
    names = index("Salt", "Salt Fork", "Salt Fork River", "Fork River Park")
    assert seen(names, "Salt Fork River Park and Salt Fork Park") == ["Salt Fork River", "Salt Fork"]


def test_several_things_of_one_name() -> None:
    """All bearers of a name are its candidates, each once."""
    names = NameIndex()
    for iri in ("urn:a", "urn:a", "urn:b"):
        names.add("Mill Creek", iri)
    assert names.candidates("mill  creek") == ("urn:a", "urn:b")


def test_literals_are_known_and_stand_for_nothing() -> None:
    """The text of a literal is found, with no candidates."""
    names = NameIndex()
    names.add("Late Gothic", None)
    assert names.knows("late gothic")
    assert names.candidates("Late Gothic") == ()
    assert seen(names, "It is Late Gothic.") == ["Late Gothic"]


def test_json_round_trip() -> None:
    """What is kept is what is read back."""
    names = index("Salt Fork", "Café Görlitz", "Mill Creek (Ohio)", "brook")
    assert NameIndex.from_json(json.loads(json.dumps(names.to_json()))) == names


def test_literal_names() -> None:
    """Texts worth finding are short and have letters."""
    assert list(literal_names(["Gothic", "12", "x" * 200, "a", "-3.5", "B2"])) == ["Gothic", "B2"]


@given(st.text(max_size=30))
def test_folding_is_stable(text: str) -> None:
    """Folding twice is folding once."""
    assert folded(folded(text)) == folded(text)


@given(
    st.lists(st.text(alphabet="Sal tF(),.'é-\n0", max_size=12), max_size=5),
    st.text(alphabet="Sal tF(),.'é-\n0", max_size=40),
)
@settings(max_examples=80, deadline=None)
def test_found_names_are_names(labels: list[str], text: str) -> None:
    """Names found lie in order without overlap, and each is known."""
    names = index(*labels)
    at = 0
    for found in names.find(tokenise(text)):
        assert at <= found.first < found.stop
        assert found.candidates
        at = found.stop
