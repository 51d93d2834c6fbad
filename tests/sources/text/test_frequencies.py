"""How often: a claim must say it as the text does, and leave nothing of it out."""

from __future__ import annotations

import pytest

from imprimatur.claim import Prose
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.sources.text.frequencies import often_marks
from imprimatur.verdict import Label

_ONCE = "The patient takes 40 mg of atorvastatin once a day."
_TWICE = "The dose is 40 mg twice a day."
_VISITS = "The nurse visits twice a week."


def _label(words: str, text: str) -> Label:
    derived = compare(Prose(words=words), [Text("a", text)], TextLimits(), inference=True).label
    plain = compare(Prose(words=words), [Text("a", text)], TextLimits()).label
    return Label.SUPPORTED if Label.SUPPORTED in (derived, plain) else plain


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (_ONCE, "The patient takes 40 mg of atorvastatin twice a day."),
        (_ONCE, "The patient takes 40 mg of atorvastatin three times a day."),
        (_ONCE, "The patient takes 80 mg of atorvastatin twice a day."),
        (_ONCE, "The patient takes 40 mg of atorvastatin twice daily."),
        (_ONCE, "The patient takes 40 mg of atorvastatin four times daily."),
        (_ONCE, "The patient takes 40 mg of atorvastatin every other day."),
        (_ONCE, "The patient takes 40 mg of atorvastatin every 12 hours."),
        (_ONCE, "The patient takes 40 mg of atorvastatin once a week."),
        (_ONCE, "The patient takes 40 mg of atorvastatin weekly."),
        (_TWICE, "The dose is 40 mg once a day."),
        (_TWICE, "The dose is 40 mg a day."),
        (_TWICE, "The dose is 40 mg daily."),
        (_TWICE, "The dose is 40 mg per day."),
        (_TWICE, "The dose is 40 mg three times a day."),
        (_VISITS, "The nurse visits once a week."),
        (_VISITS, "The nurse visits weekly."),
        (_VISITS, "The nurse visits twice a day."),
        ("The nurse visits.", "The nurse visits once a week."),
        ("The dose is 40 mg bid.", "The dose is 40 mg once a day."),
        ("Sertraline was started at 50 mg.", "Sertraline was started at 0.1 g."),
    ],
)
def test_another_frequency_is_never_supported(text: str, claim: str) -> None:
    """Another number of times, another time, or a rate that leaves out how often."""
    assert _label(claim, text) is not Label.SUPPORTED


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (_ONCE, "The patient takes 40 mg of atorvastatin daily."),
        (_ONCE, "The patient takes 40 mg of atorvastatin a day."),
        (_TWICE, "The dose is 80 mg a day."),
        (_TWICE, "The dose is 40 mg twice daily."),
        (_VISITS, "The nurse visits two times a week."),
        (_VISITS, "The nurse visits."),
        ("The bus runs every 40 minutes.", "The bus runs every 40 minutes."),
        ("The museum has 120 visitors a day.", "The museum has 120 visitors per day."),
        ("Drivers earn $21.50 an hour.", "Drivers earn $21.50 per hour."),
    ],
)
def test_the_same_frequency_is(text: str, claim: str) -> None:
    """The same, in other words, or what follows from it."""
    assert _label(claim, text) is Label.SUPPORTED


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("It costs $4 per room and night.", "A room costs $4 a night."),
        ("There is a night bus.", "Night buses run."),
        ("It has to be used within a day and a half.", "It has to be used within 36 hours."),
        ("A quarter of the loans were e-books.", "Of 40 loans, 10 were e-books."),
        ("She calls ten times in a year.", "She calls ten times within a year."),
        ("It goes 80 km per hour.", "It goes 80 km/h."),
        ("It is paid four times a year.", "It is paid every three months."),
        ("TID of the card is 7.", "The card has the TID 7."),
        ("It was once a mill.", "It used to be a mill."),
    ],
)
def test_what_is_no_other_frequency(words: str, sentence: str) -> None:
    """Words that only look like a frequency, and frequencies that are the same, are not marked."""
    assert list(often_marks(words, [sentence])) == []
