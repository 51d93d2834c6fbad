"""What records say of a claim's words."""

from __future__ import annotations

import pytest

from imprimatur.sources.passages.evidence_lines import given_of
from imprimatur.sources.passages.ground import Ground
from imprimatur.sources.passages.told import nothing_else, told_by

_RECORD = given_of(
    ['{"name": "Mill Café", "OutdoorSeating": true, "WiFi": null, "Parking": "no", "hours": {"Monday": "9:0-17:0"}}']
)


@pytest.mark.parametrize(
    ("words", "agrees"),
    [
        ("It has outdoor seating.", [True]),
        ("It has no outdoor seating.", [False]),
        ("It offers WiFi.", [None]),
        ("There is parking.", [False]),
        ("It is open on Monday from 9 AM to 5 PM.", [True]),
        ("It is open on Monday from 9 AM to 6 PM.", [False]),
        ("It is a nice place.", []),
    ],
)
def test_records_agree_deny_or_are_silent(words: str, agrees: list[bool | None]) -> None:
    """Flags, nulls and hours, each at the place where the words speak of it."""
    told = list(told_by(words, _RECORD.records))
    assert [each.agrees for each in told] == agrees
    assert all(0 <= each.start < each.end <= len(words) and each.place.startswith("context:1/") for each in told)


def test_what_a_claim_says_beside_facts_must_stand_in_one_line() -> None:
    """ "Mill Café has …" adds its name, which stands there; "cosy" stands nowhere."""
    ground = Ground(_RECORD.lines)
    plain, more = "Mill Café has outdoor seating.", "Mill Café has cosy outdoor seating."
    assert nothing_else(plain, list(told_by(plain, _RECORD.records)), ground)
    assert not nothing_else(more, list(told_by(more, _RECORD.records)), ground)
