"""Edits made one after the other, as one set of edits."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from imprimatur.decision import Edit, applied, composed


@st.composite
def _edits(draw: st.DrawFn, text: str) -> tuple[Edit, ...]:
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(places[::2], places[1::2], strict=False)
    made: list[Edit] = []
    for start, end in pairs:
        if start == end or (made and start <= made[-1].end):
            continue
        made.append(Edit(start=start, end=end, before=text[start:end], after=draw(st.text("xyz", max_size=3))))
    return tuple(made)


@given(st.data())
def test_composed_edits_do_what_both_do(data: st.DataObject) -> None:
    """The one set gives the same text, in order, without overlap, each with what stood there before."""
    text = data.draw(st.text("ab ", min_size=1, max_size=20))
    first = data.draw(_edits(text))
    changed = applied(text, first)
    second = data.draw(_edits(changed))
    made = composed(text, first, second)
    assert applied(text, made) == applied(changed, second)
    assert all(text[edit.start : edit.end] == edit.before for edit in made)
    assert all(one.end <= other.start for one, other in itertools.pairwise(made))


def test_edits_that_do_not_meet_stay_as_they_are() -> None:
    """Changes apart from each other keep their own spans and evidence."""
    first = (Edit(start=0, end=1, before="a", after="xx", evidence=("q",)),)
    second = (Edit(start=4, end=5, before="d", after="y", evidence=("r",)),)
    made = composed("abcd", first, second)
    assert made == (*first, Edit(start=3, end=4, before="d", after="y", evidence=("r",)))
