"""What the words of a statement are linked to: cells, columns, dates, numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from made_prose import made_relation

from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.days import Day, days
from imprimatur.sources.tables.prose.linking import MOST_TOKENS, SpanKind, linked
from imprimatur.sources.tables.prose.tokens import stem, tokens
from imprimatur.sources.tables.prose.worth import worth_of

_INDEX = CellIndex(
    made_relation("""
        name | keeper | to par | first lit | visitors | tower height
        Skerry Light | Pádraig Marlow | -1 | 4 September 1871 | 16,500 | 30
        Holm Light | Jo Tarn | +1 | 12 May 1902 | 900 | 41.5
        Bain Light | Marlow Sons of Eddle | - | 7 July 1911 | 900 | 12
    """)
)


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("hawks won 12 - 0", ["hawk", "win", "12", "0"]),
        ("at - 1 to par", ["at", "-1", "to", "par"]),
        ("Pádraig's $1,200.50", ["padraig", "2401/2"]),
        ("the second, the 2nd", ["the", "2th", "the", "2th"]),
        ("twenty-five games", ["25", "game"]),
    ],
)
def test_the_words_of_a_text(text: str, stems: list[str]) -> None:
    """Words come in their base form, numbers as their value, signs with the number that they belong to."""
    assert [token.stem for token in tokens(text) if token.stem] == stems


@pytest.mark.parametrize("word", ["won", "found", "hawks", "viewers", "building", "toms", "leaves"])
def test_a_base_form_is_its_own(word: str) -> None:
    """The base form of a base form is the same word."""
    assert stem(stem(word)) == stem(word)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("31 july 1954", Day(1954, 7, 31)),
        ("July 31, 1954", Day(1954, 7, 31)),
        ("the 4th of july", Day(None, 7, 4)),
        ("may 2001", Day(2001, 5, None)),
        ("1954-07-31", Day(1954, 7, 31)),
        ("they may be 31", None),
    ],
)
def test_the_date_in_a_text(text: str, day: Day | None) -> None:
    """A date is read in any usual order, with the parts that are there."""
    assert [each for _, _, each in days(tokens(text))] == ([day] if day else [])


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("16,500", Fraction(16500)),
        ("1:02:03", Fraction(3723)),
        ("70 + 71 = 141", Fraction(141)),
        ("t4", Fraction(4)),
        ("22.5%", Fraction(45, 2)),
        ("1 1/4", Fraction(5, 4)),
        ("12 - 0", None),
        ("Skerry", None),
    ],
)
def test_what_a_cell_is_worth(cell: str, number: Fraction | None) -> None:
    """A cell has one number to be ordered by, or none."""
    worth = worth_of(tokens(cell))
    assert (worth.number if worth else None) == number


@pytest.mark.parametrize(
    ("text", "kind", "said", "columns"),
    [
        ("they saw skerry lights", SpanKind.VALUE, "skerry lights", {"name"}),
        ("at - 1 to par", SpanKind.VALUE, "- 1", {"to par"}),
        ("on may 12, 1902", SpanKind.VALUE, "may 12 , 1902", {"first lit"}),
        ("kept by Padraig Marlow", SpanKind.VALUE, "padraig marlow", {"keeper"}),
        ("of Eddle", SpanKind.VALUE, "eddle", {"keeper"}),
        ("the height of the tower", SpanKind.HEADING, "height of the tower", {"tower height"}),
        ("a visitor", SpanKind.HEADING, "visitor", {"visitors"}),
        ("901 of them", SpanKind.NUMBER, "901", set()),
        ("a submarine", SpanKind.WORD, "submarine", set()),
    ],
)
def test_what_words_are_linked_to(text: str, kind: SpanKind, said: str, columns: set[str]) -> None:
    """The longest stretch is linked to the cells or the column that it speaks of."""
    found = [span for span in linked(text, _INDEX) if span.kind is kind and span.text == said]
    names = {_INDEX.relation.columns[at].name for span in found for _, at in span.found.whole | span.found.part}
    names |= {_INDEX.relation.columns[each.column].name for span in found for each in span.headings}
    assert (len(found), names) == (1, columns)


def test_a_long_statement_is_not_read() -> None:
    """A statement beyond the limit has no spans, so that nothing is said of it."""
    assert linked("light " * (MOST_TOKENS + 1), _INDEX) == ()
