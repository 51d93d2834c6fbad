"""Remarks: the words that let a clause be read by a pattern are words that the pattern needs."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprimatur.language import _remarks

_ROWS = [
    *_remarks._META,
    (("not", "n't", "unable"), _remarks._FACTIVE),
    (("if ",), _remarks._OFFER),
]


@pytest.mark.parametrize(("needed", "pattern"), _ROWS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_needed_words(needed: tuple[str, ...], pattern: re.Pattern[str], data: st.DataObject) -> None:
    """Whatever a pattern matches holds one of its words, or is not in ASCII and read by all."""
    clause = data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags), fullmatch=True))
    assert pattern.fullmatch(clause)
    assert _remarks.has_any(_remarks.comparable(clause), needed)


def test_other_letters() -> None:
    """A letter that is an "s" where case is ignored does not hide a remark."""
    assert _remarks.remark("no i\u017f\u017fue") is None
    assert _remarks.remark("\u017forry") is _remarks.Remark.META
    assert _remarks.remark("I hope thi\u017f helps") is _remarks.Remark.META
