"""Yes/no facts of a record against what a text says: agreement, denial and silence."""

from __future__ import annotations

import json

import pytest

from imprimatur.sources.passages.attributes import compare
from imprimatur.sources.passages.records import read_record

_RECORD = json.dumps(
    {
        "name": "Mill Café",
        "attributes": {
            "BusinessParking": {"garage": False, "street": True, "lot": None},
            "OutdoorSeating": True,
            "WiFi": "no",
            "RestaurantsTakeOut": True,
            "RestaurantsGoodForGroups": None,
            "Ambience": {"romantic": False, "casual": True},
        },
        "reviews": ["The music was loud."],
    }
)


def _said(text: str) -> list[tuple[str, bool | None]]:
    record = read_record(_RECORD)
    assert record is not None
    return [(each.path[-1], each.agrees) for each in compare(text, record)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It has outdoor seating.", [("OutdoorSeating", True)]),
        ("There is no outdoor seating.", [("OutdoorSeating", False)]),
        ("Guests can sit outside or take-out.", [("RestaurantsTakeOut", True)]),
        ("It offers takeout but no Wi-Fi.", [("RestaurantsTakeOut", True), ("WiFi", True)]),
        ("Free WiFi is available.", [("WiFi", False)]),
        ("Wi-Fi is not available.", [("WiFi", True)]),
        ("It does not offer WiFi or outdoor seating.", [("WiFi", True), ("OutdoorSeating", False)]),
        ("The room is romantic and casual.", [("romantic", False), ("casual", True)]),
        ("It suits groups.", [("RestaurantsGoodForGroups", None)]),
        ("It does not suit groups.", [("RestaurantsGoodForGroups", None)]),
        ("There is street parking and a parking lot.", [("street", True), ("lot", None)]),
        ("It lies in a quiet street.", []),
        ("A lot of people come.", []),
        ("Wi-Fi is not mentioned.", []),
    ],
)
def test_flags_are_compared_with_their_polarity(text: str, expected: list[tuple[str, bool | None]]) -> None:
    """Keys in any form, lists under one negation, groups and their nouns, nulls, and remarks about the record."""
    assert _said(text) == expected
