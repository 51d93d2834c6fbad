"""Statements in prose over a table: what it bears out, what it refutes, and what is not read."""

from __future__ import annotations

import pytest
from made_prose import made_relation

from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.reading import read_statement

_INDEX = CellIndex(
    made_relation(
        """
        date | home team | home score | away team | away score | venue | crowd | place
        4 May 1954 | Collville | 85 | Stowe | 57 | Victoria Park | 16,500 | 3
        11 May 1954 | Carnham | 65 | Richton | 46 | Princes Park | 25,863 | 1
        18 May 1954 | Melford | 110 | Hawley | 33 | Mill Ground | 26,708 | 4
        1 June 1954 | Stowe | 41 | Footbridge | 78 | Lake Oval | 19,500 | 2
        8 June 1954 | Northam | 67 | Collville | 54 | Lake Oval | 11,000 | 5
        15 June 1954 | Eastham | 67 | Carnham | - | Lake Oval | 11,000 | 6
        """,
        name="games",
    )
)

#: What the table says, refutes, and is not read over: a statement a line.
_STATEMENTS = {
    "holds": """
        The crowd was 16,500 when Stowe was the away team.
        Stowe was the away team at Victoria Park on May 4, 1954.
        Melford was the home team with a home score of 110.
        Northam and Eastham had a home score of 67.
        Collville was at Victoria Park and Carnham was at Princes Park.
        Carnham and Melford had a home score of 65 and 110, respectively.
        Melford had the highest home score.
        The lowest crowd in May was 16,500.
        The second largest crowd was at Princes Park.
        Carnham had the best place.
        The earliest date was at Victoria Park.
        The crowd at Princes Park was larger than the crowd at Victoria Park.
        The crowd at Princes Park was 9,363 larger than at Victoria Park.
        Melford had a home score of more than 100.
        Stowe had a home score of at least 41.
        There were 3 games at Lake Oval.
        Three of the games were at Lake Oval.
        Only two games had a home score of less than 66.
        No game had a crowd of more than 30,000.
        Stowe was the only home team with a home score of less than 50.
        Only Melford had a home score over 100.
        All games were after 1 May 1954.
        Northam and Eastham had the same venue.
        Melford was not the home team at Lake Oval.
        The average home score of the games at Lake Oval was 58.3.
    """,
    "refuted": """
        The crowd was 16,501 when Stowe was the away team.
        The crowd was 16,500 when Hawley was the away team.
        Stowe was the home team at Victoria Park on May 4, 1954.
        Melford was the home team with a home score of 111.
        Northam and Stowe had a home score of 67.
        Collville was at Victoria Park and Carnham was at Mill Ground.
        Carnham and Melford had a home score of 110 and 65, respectively.
        Carnham had the highest home score.
        The lowest crowd in May was 25,863.
        The second smallest crowd was at Princes Park.
        Eastham had the best place.
        The latest date was at Victoria Park.
        The crowd at Princes Park was smaller than the crowd at Victoria Park.
        The crowd at Princes Park was 9,364 larger than at Victoria Park.
        Melford had a home score of less than 100.
        Northam had a home score of at least 68.
        There were 4 games at Lake Oval.
        Two of the games were at Lake Oval.
        Only three games had a home score of less than 66.
        No game had a crowd of more than 20,000.
        Northam was the only home team with a home score of less than 80.
        Only Carnham had a home score over 100.
        All games were after 10 May 1954.
        Northam and Melford had the same venue.
        Melford was not the home team at Mill Ground.
        The average home score of the games at Lake Oval was 60.
    """,
    "unread": """
        The king spoke of the war.
        Melford is not the largest of all the teams.
        Melford had a better season than ever before.
        Except for Melford, every team lost at Lake Oval.
    """,
}
_EACH = [(said, line.strip()) for said, lines in _STATEMENTS.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("expected", "statement"), _EACH, ids=[statement for _, statement in _EACH])
def test_a_statement_is_read_over_the_table(expected: str, statement: str) -> None:
    """Each form of statement holds or is refuted as the rows have it; what turns a statement unread is not answered."""
    outcome = read_statement(statement, _INDEX)
    assert ("unread" if outcome is None else "holds" if outcome.holds else "refuted") == expected


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("Melford was the home team with a home score of 110.", ()),
        ("Melford won at Mill Ground.", ("won",)),
        ("Melford beat the mighty Hawley.", ("beat", "mighty")),
    ],
)
def test_words_that_are_not_read_are_told(statement: str, left: tuple[str, ...]) -> None:
    """Every word that no part of the reading accounts for is left over."""
    outcome = read_statement(statement, _INDEX)
    assert outcome is not None
    assert outcome.left == left


@pytest.mark.parametrize(
    "statement",
    [
        "Eastham had an away score of 50.",  # the table says nothing of it
        "The average away score of the games at Lake Oval was 66.",  # one is not there
        "Most games were at Lake Oval, but Melford was not.",
    ],
)
def test_silence_and_ties_are_never_sure(statement: str) -> None:
    """Where a cell that would tell is empty, or several readings are open, the outcome is not sure."""
    outcome = read_statement(statement, _INDEX)
    assert outcome is None or not outcome.sure or outcome.holds


def test_a_rounded_number_is_not_refuted() -> None:
    """A number that is stated less precisely than the cell has it holds, and not for sure."""
    index = CellIndex(made_relation("name | height\nSkerry Light | 30.46\nHolm Light | 41.5"))
    outcome = read_statement("Skerry Light has a height of 30.5", index)
    assert outcome is not None
    assert (outcome.holds, outcome.sure) == (True, False)
    outcome = read_statement("Skerry Light has a height of 30.6", index)
    assert outcome is not None
    assert (outcome.holds, outcome.sure) == (False, True)
