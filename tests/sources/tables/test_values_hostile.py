"""Texts that nobody would write: no crash, no overlap, and work that grows with the text alone."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from made_quiz import TRUE, quiz

from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.record import Record

_ODD = (
    "( ) - – to by “ ’s \u200b 1/2 ٣ ½ of his and , ; former latter respectively 1,000 -3 NaN 🙂 led beat a pair % 第 "
    "2024-01-01 May 1st low high from between Monday last season double ten bench 99999999999999999999 who : / |"
).split(" ")


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return quiz(tmp_path_factory.mktemp("quiz"))


@pytest.mark.parametrize("seed", range(20))
def test_words_in_any_order_do_no_harm(record: Record, seed: int) -> None:
    """Whatever words stand beside each other, findings lie in the text, in order and apart."""
    choice = random.Random(seed)
    words = [*TRUE.split(), *_ODD]
    for number in range(40):
        text = (" " if number % 3 else "").join(choice.choices(words, k=choice.randint(1, 60)))
        found = check_values(record, text)
        assert all(0 <= each.start < each.end <= len(text) for each in found)
        assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize(
    "unit", ["1 ", "31 points, ", "12-", "(7-2) ", "Ashby beat Corden, 62-48, ", "a buzz ", "from 1 to "]
)
def test_long_texts_take_no_longer_for_each_word(record: Record, unit: str) -> None:
    """What is repeated without end is read within bounds; a stretch that is no sentence is left alone."""
    started = time.process_time()
    for count in (10, 100, 1000, 10_000):
        check_values(record, unit * count)
    assert time.process_time() - started < 10
