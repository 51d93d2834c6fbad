"""Segments to claims and words to account for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import World, world

from imprimatur.claim import Modality
from imprimatur.extract.extracted import Extracted

MILLS = """
:Mill a owl:Class ; rdfs:label "mill" . :Town a owl:Class ; rdfs:label "town" .
:serves a owl:ObjectProperty ; rdfs:label "serves" ; rdfs:domain :Mill ; rdfs:range :Town .
:mill a :Mill ; rdfs:label "Old Mill" ; :serves :ely . :ely a :Town ; rdfs:label "Ely" .
:wye a :Town ; rdfs:label "Wye" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A mill and two towns."""
    folder: Path = tmp_path_factory.mktemp("mills")
    return world(folder, MILLS)


def one(place: World, text: str) -> Extracted:
    """The one segment of a text."""
    (extracted,) = place.read(text)
    return extracted


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Does Old Mill serve Wye?",
            "Hello!",
            "I hope this helps.",
            "I don't know.",
            "Thank you!",
            "# Old Mill",
        ),
        *("```\nOld Mill = 3\n```", "If Old Mill served Wye, it would be rich.", "Here are the mills:", "...", "🙂"),
    ],
)
def test_silent(place: World, text: str) -> None:
    """Questions, greetings, remarks, headings, code and suppositions have nothing to check."""
    assert all(extracted.silent for extracted in place.read(text))


@pytest.mark.parametrize(
    "text", ["Old Mill serves Wye.", "Old Mill serves Quorn.", "Gold glitters.", "No mill serves Wye.", "Ely!"]
)
def test_not_silent(place: World, text: str) -> None:
    """Statements have words to account for, known or not."""
    extracted = one(place, text)
    assert not extracted.silent
    assert extracted.words


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("Old Mill never serves Ely.", "never"),
        ("Old Mill only serves Ely.", "only"),
        ("Old Mill serves every Ely.", "every"),
        ("Old Mill hardly serves Ely.", "hardly"),
        ("Old Mill serves Ely without delay.", "without"),
        ("Old Mill serves 12 Ely.", "12"),
        ("Old Mill serves Ely until 1950.", "1950"),
        ("Old Mill serves Ely near Quorn.", "Quorn"),
        ("Old Mill, the largest, serves Ely.", "largest"),
        ("Old Mill could serve Ely.", "could"),
        ("Old Mill serves Ely if it rains.", "if"),
    ],
)
def test_words_that_matter_are_hard(place: World, text: str, hard: str) -> None:
    """Numbers, names, negators, quantifiers, focus, modals and superlatives are hard under every policy."""
    words = [(text[w.start : w.end], w.hard) for e in place.read(text) for w in e.words]
    assert any(hard in word and is_hard for word, is_hard in words)


def test_function_words_need_no_account(place: World) -> None:
    """Articles and light prepositions are not among the words."""
    text = "The Old Mill is in the town of Ely."
    assert [text[w.start : w.end] for w in one(place, text).words] == ["Old Mill", "town", "Ely"]


def test_reported_speech_is_marked(place: World) -> None:
    """What a named other said is attributed."""
    extracted = one(place, "Bob said that Old Mill serves Ely.")
    assert extracted.attributed
    assert {claim.modality for claim in extracted.claims} <= {Modality.ATTRIBUTED}


def test_discourse_markers_say_nothing(place: World) -> None:
    """ "However," and "in fact" leave a statement as it is."""
    for marker in ("However, ", "In fact, ", "Moreover, ", "In addition, "):
        assert place.uncovered(marker + "Old Mill serves Ely.") == []


@given(
    st.lists(
        st.sampled_from("Old Mill serves Ely Wye . , : ( ) not the \n - | # * 12 km and It who ? “ ” '".split(" ")),
        max_size=16,
    )
)
@settings(max_examples=80, deadline=None)
def test_spans_lie_in_their_segment(place: World, words: list[str]) -> None:
    """Claims, covers and words lie within their segment and point at its text."""
    text = " ".join(words)
    for extracted in place.read(text):
        start, end = extracted.segment.start, extracted.segment.end
        for claim in extracted.claims:
            assert start <= claim.start <= claim.end <= end or (claim.start, claim.end) == (0, 0)
            assert claim.text == text[claim.start : claim.end]
            assert all(start <= a < b <= end for a, b in claim.covers)
        assert all(start <= word.start < word.end <= end for word in extracted.words)
