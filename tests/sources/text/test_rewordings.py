"""Grammatical forms of a claim: each rule gives the form that says the same, and nothing where it does not apply."""

from __future__ import annotations

import pytest

from imprimatur.sources.text.rewordings import rewordings, unfolded


@pytest.mark.parametrize(
    ("claim", "form"),
    [
        ("It was Ann Roth who opened the mill.", "Ann Roth opened the mill."),
        ("The mill went to Roth, the buyer of the forge.", "The mill went to Roth. Roth buys the forge."),
    ],
)
def test_unfolded(claim: str, form: str) -> None:
    """What hides who did what is brought to plain clauses."""
    assert unfolded(claim) == form


@pytest.mark.parametrize(
    ("claim", "form"),
    [
        ("One seat in twenty is free.", "5% of the seat is free."),
        ("Three seats out of eight are free.", "Three of eight seats are free."),
        ("One seat in three is free.", "a third of the seat is free."),
        ("38 out of 50 testers liked it.", "38 of 50 testers liked it."),
        (
            "It closed at the end of 2025, a year in which sales rose.",
            "It closed at the end of 2025. In 2025 sales rose.",
        ),
        ("A tram runs three times an hour.", "A tram runs every 20 minutes."),
        ("The shop opens at 9 am and closes at 5 pm.", "The shop is open from 9 am to 5 pm."),
        ("23 kg is the most a bag may weigh.", "a bag may weigh at most 23 kg."),
        ("Ann and Bob scored 3 and 5 goals, respectively.", "Ann scored 3 goals and Bob scored 5 goals."),
        ("Apart from lead the probe finds no metal.", "the probe finds lead but no other metal."),
        ("With 32 rounds played, Lok leads.", "After 32 rounds, Lok leads."),
        ("Fog was the main reason why it was late.", "it was late mostly because of fog."),
        ("The leave that parents receive is 16 weeks.", "parents receive 16 weeks of leave."),
        ("For the mill Roth paid Lind £2 million.", "Roth bought the mill from Lind for £2 million."),
        ("Adults pay 9 euros for entry.", "entry costs 9 euros for adults."),
        ("They do not breed unless it rains.", "They breed only if it rains."),
        ("Frozen at -18 °C, dough may be kept.", "dough frozen at -18 °C may be kept."),
        ("To assign it, a party needs consent.", "a party may not assign it without consent."),
    ],
)
def test_forms(claim: str, form: str) -> None:
    """Each rule gives its form."""
    assert form in list(rewordings(claim))


@pytest.mark.parametrize(
    "claim",
    [
        "It was clear that the mill was sold.",
        "One patient in 2023 died.",
        "One goal in 30 minutes was scored.",
        "Three wins in five are enough.",
        "They breed unless it rains.",
        "Running late, the train stopped.",
        "With tea, he eats cake.",
    ],
)
def test_no_form(claim: str) -> None:
    """Where a rule would change what is said, there is no form."""
    assert list(rewordings(claim)) == []
    assert unfolded(claim) == claim


def test_few_forms() -> None:
    """A claim to which every rule applies again and again has few forms."""
    claim = "It was Ann who saw that " + "one seat in twenty was free three times an hour and " * 40 + "left."
    assert len(list(rewordings(claim))) <= 8
