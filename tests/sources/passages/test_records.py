"""JSON context as typed facts: flags, numbers, texts, hours, and silence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.sources.passages.records import Fact, key_words, read_record

_CAFE = {
    "name": "Mill Café",
    "stars": 4.5,
    "hours": {"Monday": "9:0-17:30", "Tuesday": ["9:0-12:0", "13:0-17:0"]},
    "attributes": {"RestaurantsTakeOut": True, "RestaurantsReservations": None, "WiFi": "no", "Music": ""},
    "reviews": [{"text": "Lovely soup."}],
}


def test_every_value_gets_its_type_and_its_place() -> None:
    """Booleans and texts that say yes or no are flags; null and the empty text are silence."""
    record = read_record(json.dumps(_CAFE))
    assert record is not None
    assert [(".".join(flag.path), flag.value) for flag in record.flags] == [
        ("attributes.RestaurantsTakeOut", True),
        ("attributes.WiFi", False),
    ]
    assert record.silent == (("attributes", "RestaurantsReservations"), ("attributes", "Music"))
    assert [measure.written for measure in record.measures] == ["4.5"]
    assert [phrase.text for phrase in record.phrases] == ["Mill Café", "Lovely soup."]
    assert [(hours.day, hours.spans) for hours in record.hours] == [
        ("monday", ((540, 1050),)),
        ("tuesday", ((540, 720), (780, 1020))),
    ]


def test_what_many_keys_begin_with_is_no_part_of_their_labels() -> None:
    """Of "RestaurantsTakeOut" beside "RestaurantsReservations" what is left is "take out"."""
    record = read_record(json.dumps(_CAFE))
    assert record is not None
    assert record.labels["attributes", "RestaurantsTakeOut"] == ("take", "out")
    assert record.labels["attributes", "WiFi"] == ("wi", "fi")


def test_keys_are_cut_into_words() -> None:
    """Camel case, snake case, capitals and digits."""
    assert key_words("OutdoorSeating") == ("outdoor", "seating")
    assert key_words("has_TV_2") == ("has", "tv", "2")


@pytest.mark.parametrize("text", ["", "plain words", "{", '{"a": 1', "[1, 2", '"text"', "12", "{'a': None}"])
def test_what_is_no_record_is_text(text: str) -> None:
    """No exception, no guess."""
    assert read_record(text) is None


def test_too_deep_and_too_large_json_is_no_record() -> None:
    """Limits hold: 200,000 brackets and 10,000 values are text."""
    assert read_record("[" * 200_000 + "]" * 200_000) is None
    assert read_record(json.dumps(list(range(10_000)))) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), _JSON, max_size=4))
def test_any_object_is_read_without_exception(value: dict[str, object]) -> None:
    """Each leaf is at most one fact, and nulls are none."""
    record = read_record(json.dumps(value))
    assert record is not None
    facts: tuple[Fact, ...] = (*record.flags, *record.measures, *record.phrases, *record.hours)
    assert {fact.path for fact in facts}.isdisjoint(record.silent)
