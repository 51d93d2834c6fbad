"""Citations: how they may be written, what is none, and their spans."""

from __future__ import annotations

from functools import partial

import pytest
from effort import ends, grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.language.citations import Citation, find, groups

FOUND = {
    "The kiln holds 40 plates [mem:k-1].": ["k-1"],
    "It is hot [mem: k-1, k-2 ; mem:k-3].": ["k-1", "k-2", "k-3"],
    "It is hot [mem:k-1][mem:k-1] [mem:k-2].": ["k-1", "k-1", "k-2"],
    "It is hot.[^kiln]": ["kiln"],
    "It is hot [12].": ["12"],
    "It is hot[1][2].": ["1", "2"],
    "It is hot [1, 3–5; 9].": ["1", "3", "4", "5", "9"],
    "It is “hot” [3] and cold [4], they say.": ["3", "4"],
    "It is hot [9-2].": ["9-2"],
    "It is hot [mem:http://e/x#1].": ["http://e/x#1"],
}
NONE = [
    "[12] begins the line.",
    "See [12](http://example.org) for more.",
    "The array a[12]x is odd.",
    "[^kiln]: The note itself.",
    "It has [many] words and [] and [mem:].",
    "A range of [1.5] and [12345].",
    "[x] done, [ ] open.",
]


@pytest.mark.parametrize("text", FOUND)
def test_what_is_cited(text: str) -> None:
    """The ids, in order; the span is that of the brackets."""
    found = find(text)
    assert [id_ for each in found for id_ in each.ids] == FOUND[text]
    assert all(text[each.start] == "[" and text[each.end - 1] == "]" for each in found)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_citation(text: str) -> None:
    """Links, notes, list marks, other brackets."""
    assert find(text) == ()


def test_styles_are_chosen() -> None:
    """Only what a knowledge base uses is taken for a citation."""
    text = "Hot [mem:a], cold [2].[^c]"
    assert [each.ids for each in find(text, styles=("mem",))] == [("a",)]
    assert [each.ids for each in find(text, styles=("footnote", "number"))] == [("2",), ("c",)]
    assert find(text, styles=()) == ()


def test_side_by_side_is_one() -> None:
    """Blanks and commas between citations part nothing; words do."""
    text = "Hot [1], [2] [mem:a] and cold [3]."
    assert [each.ids for each in groups(find(text), text)] == [("1", "2", "a"), ("3",)]
    assert groups((), text) == ()


@given(st.text(alphabet="[]^mem:1,;- ax–.\n", max_size=60))
def test_spans_are_exact_in_order_and_apart(text: str) -> None:
    """Whatever the text."""
    end = 0
    for each in find(text):
        assert end <= each.start < each.end <= len(text)
        assert isinstance(each, Citation)
        assert each.ids
        end = each.end


@ends
def test_hostile_text_takes_linear_time() -> None:
    """Brackets without end, ids without end."""
    for unit in ("[mem:a,", "[1-", "[^", "[1, 2", "[mem: "):
        assert grows_linearly(partial(_found_in, unit), 4000)


def _found_in(unit: str, size: int) -> object:
    return find(unit * size)
