"""Items: names, quantities and dates folded into one item each, every span exact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing import Letters

from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item


def kind(item: Item) -> str:
    """What an item was read as."""
    for what in ("entity", "quantity", "date", "name", "punct"):
        if getattr(item, what):
            return what
    return "word"


@pytest.mark.parametrize(
    ("text", "text_of_item", "what"),
    [
        ("S is 2,334 km long", "2,334 km", "quantity"),
        ("S has twenty-four arches", "twenty-four", "quantity"),
        ("S opened on 3 June 1912", "3 June 1912", "date"),
        ("S opened in the 1950s", "1950s", "date"),
        ("S feeds O", "S", "entity"),
        ("S feeds Lake Quorn of the North", "Lake Quorn of the North", "name"),
        ("S feeds Rhône-Poulenc", "Rhône-Poulenc", "name"),
        ("Quorn feeds S", "Quorn", "name"),
        ("Rivers feed S", "Rivers", "word"),
        ("S feeds O, then P", ",", "punct"),
        ("S is between 86 % and 90 %", "between 86 % and 90 %", "quantity"),
        ("S lived between 1902 and 1908", "between 1902 and 1908", "date"),
    ],
)
def test_folding(text: str, text_of_item: str, what: str) -> None:
    """A name, a quantity or a date is one item, whatever words it has."""
    found = {item.text: kind(item) for item in items_of(text, Letters())}
    assert found.get(text_of_item) == what


def test_interval_in_brackets_has_both_ends() -> None:
    """ "(1584–1654)" is one item with a start and an end."""
    (item,) = [i for i in items_of("S (1584–1654) fed O", Letters()) if i.interval]
    assert item.interval is not None
    assert [d.first[0] for d in item.interval if d.first] == [1584, 1654]


def test_markup_is_no_item() -> None:
    """Marks of emphasis are left out, and the words keep their places."""
    text = "**S** feeds *O*"
    found = items_of(text, Letters())
    assert [i.text for i in found] == ["S", "feeds", "O"]
    assert all(text[i.start : i.end] == i.text for i in found)


def test_first_words_that_are_known_are_no_names() -> None:
    """A capital at the start of a sentence makes no name of a common word; inside a sentence it does."""
    assert kind(items_of("Bridges span S", Letters())[0]) == "word"
    assert kind(items_of("S spans Bridges", Letters())[2]) == "name"


def test_offset_moves_spans_and_mentions() -> None:
    """Spans point into the whole answer."""
    (item,) = items_of("S", Letters(), offset=7)
    assert (item.start, item.end) == (7, 8)
    assert item.entity is not None
    assert (item.entity.start, item.entity.end) == (7, 8)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "***", "| | |"])
def test_nothing_gives_no_items(text: str) -> None:
    """Texts without words have no items."""
    assert items_of(text, Letters()) == ()


@given(st.text(alphabet="SOPab 12.,()’'“-–é°%\n\u0301\ufeff🙂", max_size=40))
@settings(max_examples=80, deadline=None)
def test_spans_are_exact_and_in_order(text: str) -> None:
    """Items stand in order without overlap, each with the text of its span."""
    at = 0
    for item in items_of(text, Letters()):
        assert at <= item.start < item.end <= len(text)
        assert text[item.start : item.end] == item.text
        at = item.end
