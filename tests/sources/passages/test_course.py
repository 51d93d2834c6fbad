"""The course of an answer: its parts, and which words it had said before each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from imprimatur.sources.passages.course import Carried, Course
from imprimatur.sources.passages.ground import Ground, Line, terms_of
from imprimatur.sources.passages.signs import Beside, signs_of

_ANSWER = "The Orla is long.\n\n- Otters swim there.\n- Herons fish, and otters sleep.\n"
_GROUND = Ground([Line("The Orla is long.", "a", 0, 17)])


def _signs(words: str, carried: Carried) -> dict[str, float]:
    return dict(signs_of(words, _GROUND, Beside(carried=carried)).values)


def test_parts_are_the_segments_without_code() -> None:
    """Their words stand where they say, and items of a list are told."""
    parts = Course.of(_ANSWER + "```\nx = 1\n```\n").parts
    assert [part.item for part in parts] == [False, True, True]
    assert all(_ANSWER[part.start :].startswith(part.words) for part in parts)


def test_a_place_is_the_number_of_parts_that_end_before() -> None:
    """A text that does not stand there has nothing before it."""
    course = Course.of(_ANSWER)
    last = course.parts[2]
    end = last.start + len(last.words)
    assert course.place(last.start, end, last.words) == 2
    assert course.place(last.start, end, "Storks nest.") == 0
    assert course.is_item(last.start)
    assert not course.is_item(0)


def test_new_words_that_were_asked_or_said_before_are_told_apart() -> None:
    """ "otters" was said in the second part, "sleeping" was asked, in whatever form; "Herons" is new."""
    carried = Course.of(_ANSWER, "Does anything sleep there?").carried(2)
    told = {term.lower: (carried.asked(term), carried.said(term)) for term in terms_of("herons otter sleeping")}
    assert told == {"herons": (False, False), "otter": (False, True), "sleeping": (True, False)}
    values = _signs("Herons fish, and otters sleep.", carried)
    assert values["asked"] > 0
    assert values["said_before"] > 0
    assert values["repeated"] == 0.25


def test_without_an_answer_nothing_is_carried_over() -> None:
    """No question, nothing before: no sign of either."""
    values = _signs("Otters swim there.", Carried())
    assert (values["asked"], values["said_before"], values["repeated"]) == (0.0, 0.0, 0.0)


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_follows_changes_nothing_before(first: str, second: str) -> None:
    """What had been said at a place is the same whatever comes after it."""
    short, long = Course.of(f"{first}.\n\nOtters swim.\n\n"), Course.of(f"{first}.\n\nOtters swim.\n\n{second}")
    place = min(len(short.parts), len(long.parts)) - 1
    if place < 0 or short.parts[:place] != long.parts[:place]:
        return
    words = terms_of(first + " otters swim " + second)
    assert [short.carried(place).said(term) for term in words] == [long.carried(place).said(term) for term in words]
