"""Values of running text are linked to cells and checked: a record of another domain than any evaluation has."""

from __future__ import annotations

import itertools

import pytest
from made_quiz import TRUE, quiz

from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.record import Record


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return quiz(tmp_path_factory.mktemp("quiz"))


def _wrong(record: Record, text: str) -> dict[str, str]:
    """The contradicted spans of a text, with what would be right."""
    found = [each for each in check_values(record, text) if each.outcome is Outcome.CONTRADICTED]
    return {text[each.start : each.end]: each.right for each in found}


def _at(found: tuple[Finding, ...], start: int) -> list[Finding]:
    return [each for each in found if each.start <= start < each.end]


def test_a_true_text_raises_no_alarm(record: Record) -> None:
    """Every value of a true text agrees with its cell, and none is left unread."""
    found = check_values(record, TRUE)
    assert len(found) > 30
    assert {each.outcome for each in found} == {Outcome.SUPPORTED}


def test_findings_are_in_order_and_apart(record: Record) -> None:
    """Findings never overlap, and stand in the order of the text."""
    found = check_values(record, TRUE)
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))


_DIGITS = [
    index
    for index, char in enumerate(TRUE)
    if char.isdigit() and not TRUE[index - 1].isdigit()
]  # fmt: skip


@pytest.mark.parametrize("start", _DIGITS)
def test_each_changed_number_is_found(record: Record, start: int) -> None:
    """A number of the true text that is replaced by another is contradicted, with the right one, and no other is."""
    end = start
    while TRUE[end].isdigit():
        end += 1
    other = str(int(TRUE[start:end]) + 83)
    text = TRUE[:start] + other + TRUE[end:]
    found = check_values(record, text)
    assert [each.outcome for each in _at(found, start)] == [Outcome.CONTRADICTED]
    assert _at(found, start)[0].right == TRUE[start:end]
    assert [each.start for each in found if each.outcome is Outcome.CONTRADICTED] == [start]


@pytest.mark.parametrize(
    ("true", "false", "right"),
    [
        ("two buzzes from", "three buzzes from", "2"),
        ("six points and a buzz", "five points and a buzz", "6"),
        ("six points and a buzz", "six points and two buzzes", "1"),
        ("three pupils in two digits", "four pupils in two digits", "3"),
        ("on Saturday", "on Sunday", "Saturday"),
    ],
)
def test_words_for_numbers_and_days_are_checked(record: Record, true: str, false: str, right: str) -> None:
    """Numbers in words, counts of rows and the day of the record's date are contradicted where they are changed."""
    assert TRUE.count(true) == 1
    assert list(_wrong(record, TRUE.replace(true, false)).values()) == [right]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Ina Voss led Ashby with 28 points.", {"Ashby": "Corden School"}),
        ("Ashby was led by Ina Voss, who had 28 points.", {"Ashby": "Corden School"}),
        ("Ashby got 28 points from Ina Voss.", {"Ashby": "Corden School"}),
        ("Ina Voss was Ashby's best pupil.", {"Ashby": "Corden School"}),
        ("Ashby beat Ashby, 62-48.", {"Ashby": "Corden School"}),
        ("Corden outscored Ashby 35-20 in the first round.", {"Corden": "Ashby School", "Ashby": "Corden School"}),
        ("Corden beat Ashby, 62-48.", {"beat": ""}),
        ("Ashby lost to Corden, 62-48.", {"lost to": ""}),
        ("Tom Reed led Ashby with 19 points.", {"led": ""}),
        ("Tom Reed had a double ten.", {"double ten": ""}),
        ("Tom Reed scored 19 points from the bench.", {"from the bench": ""}),
    ],
)
def test_names_and_words_are_checked(record: Record, text: str, wrong: dict[str, str]) -> None:
    """Whose a row is, who is ahead, who leads, what was done and which part someone is of are checked by the cells."""
    assert _wrong(record, text) == wrong


def test_the_second_of_two_same_names_is_wrong(record: Record) -> None:
    """A row that stands against itself is the other one the second time."""
    text = "Ashby beat Ashby, 62-48."
    assert [each.start for each in check_values(record, text) if each.outcome is Outcome.CONTRADICTED] == [11]


@pytest.mark.parametrize(
    "text",
    [
        "Mara Lind averaged 40 points this season.",
        "Nadia Kerr had 31 points.",
        "Mara Lind answered for 50 minutes.",
        "Ashby will play again on Monday.",
        "Mara Lind nearly had a double ten, and Tom Reed had no double ten.",
        "It was the 40th match.",
        "Ashby beat Dorn School, 90-12, last year.",
    ],
)
def test_what_is_not_of_the_record_is_not_contradicted(record: Record, text: str) -> None:
    """Other times, people who are in no row, and values without a column are left alone."""
    assert _wrong(record, text) == {}


def test_the_name_is_blamed_where_all_values_are_another_rows(record: Record) -> None:
    """Two values that are both those of one other row are right; the name beside them is wrong."""
    assert _wrong(record, "Tom Reed had 12 points and two buzzes.") == {"Tom Reed": "Eva Holt"}
    assert _wrong(record, "Eva Holt had 12 points. Tom Reed had 12 points and two buzzes.") == {"12": "19", "two": "4"}


def test_pronouns_go_on_about_the_last_subject(record: Record) -> None:
    """A pronoun's values are those of the row that the last sentence was about."""
    assert _wrong(record, "Karl Benn scored 14 points. He had four buzzes.") == {"four": "3"}
    assert _wrong(record, "Karl Benn scored 14 points for Corden. They had 49 points.") == {"49": "48"}


def test_the_former_and_the_latter_are_told_apart(record: Record) -> None:
    """Of two names, the former's and the latter's values are each one's own."""
    text = "Corden relied on Ina Voss and Karl Benn, with the former adding 28 points and the latter scoring 15 points."
    assert _wrong(record, text) == {"15": "14"}


def test_a_sum_of_two_rows_is_theirs_together(record: Record) -> None:
    """Two names that are joined may have a value together, or each."""
    assert _wrong(record, "Mara Lind and Tom Reed combined for 50 points.") == {}
    assert list(_wrong(record, "Mara Lind and Tom Reed combined for 57 points.")) == ["57"]


def test_nothing_of_a_later_sentence_changes_an_earlier_finding(record: Record) -> None:
    """What was found of a text stays the same when more follows."""
    whole = check_values(record, TRUE)
    stop = TRUE.index("Corden was led")
    assert check_values(record, TRUE[:stop]) == tuple(each for each in whole if each.end <= stop)
