"""Sentences beside one row: what is read of its attributes, hours and ratings, and what is left unread."""

from __future__ import annotations

import pytest
from made_places import READ, reader

from imprimatur.sources.tables.attributes.clauses import Stance, stances
from imprimatur.sources.tables.attributes.hours_said import read
from imprimatur.sources.tables.attributes.reading import RowReader

_EACH = [(name, sentence, found) for name, lines in READ.items() for sentence, found in lines.items()]
_SHOWN = {True: "yes", False: "no", None: "open"}


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RowReader]:
    """A reader for the first row of each table."""
    folder = tmp_path_factory.mktemp("places")
    return {name: reader(folder, name) for name in READ}


@pytest.mark.parametrize(("name", "sentence", "found"), _EACH, ids=[sentence for _, sentence, _ in _EACH])
def test_a_sentence_is_held_against_its_row(
    readers: dict[str, RowReader], name: str, sentence: str, found: str
) -> None:
    """Each attribute that is spoken of agrees, does not, or is silent."""
    told = [
        f"{sentence[each.start : each.end].rstrip('.')} {_SHOWN[each.agrees]}" for each in readers[name].told(sentence)
    ]
    assert ", ".join(told) == found


@pytest.mark.parametrize("name", READ)
def test_findings_are_in_order_and_apart(readers: dict[str, RowReader], name: str) -> None:
    """No two findings of a sentence overlap, and each lies within it."""
    text = " and ".join(sentence.rstrip(".") for sentence in READ[name])
    found = readers[name].told(text)
    edges = [edge for each in found for edge in (each.start, each.end)]
    assert found
    assert edges == sorted(edges)
    assert edges[-1] <= len(text)


@pytest.mark.parametrize(
    "text", ["", " ", "…", "no " * 400, "open from " * 300, "and, " * 400, "\u0301" * 50, "9 am to 5 pm on " * 200]
)
def test_nothing_raises_and_nothing_takes_long(readers: dict[str, RowReader], text: str) -> None:
    """Odd texts give what they give, quickly."""
    for each in readers.values():
        each.told(text)


def test_what_is_too_long_for_a_sentence_is_not_read(readers: dict[str, RowReader]) -> None:
    """Nothing is told of a text of thousands of words without an end."""
    assert readers["Hotel Anker"].told("It has a sauna. ")
    assert not readers["Hotel Anker"].told("it may have a sauna and " * 3_000)


def test_stances_are_those_of_clauses() -> None:
    """A negator reaches over its clause, or over the list behind "no", and nothing further."""
    words = "it has no bar , but it offers tea , and guests do not smoke , making it calm".split()
    denied = [word for word, stance in zip(words, stances(words), strict=True) if stance is Stance.DENIED]
    assert denied == ["bar", "guests", "do", "not", "smoke"]


def test_half_a_time_may_be_of_either_half_of_the_day() -> None:
    """A time without am or pm is read both ways."""
    (said,) = read("It is open from 5 to 9 pm daily.")
    assert sorted(said.first) == [300, 1020]
    assert sorted(said.last) == [1260]
