"""Words and figures: what may stand for what, and what says the opposite."""

from __future__ import annotations

import pytest

from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.sources.text.cutting import pieces_of
from imprimatur.sources.text.figures import Fit, fits
from imprimatur.sources.text.overclaims import overclaims
from imprimatur.sources.text.pieces import Piece
from imprimatur.sources.text.quotations import misquoted
from imprimatur.sources.text.words import likeness


def _word(text: str) -> Piece:
    return pieces_of(f"x {text}")[1]


def _figure(text: str) -> Piece:
    return next(piece for piece in pieces_of(text) if piece.figure)


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("bought", "acquired", 1),
        ("metal", "palladium", 1),
        ("palladium", "metal", 0),
        ("insoluble", "soluble", -1),
        ("unclear", "clear", -1),
        ("rose", "fell", -1),
        ("excludes", "covers", -1),
        ("theoretical", "theory", 1),
        ("recrystallised", "recrystallisation", 1),
        ("methanol", "ethanol", 0),
        ("early", "nearly", 0),
    ],
)
def test_likeness(claim: str, text: str, expected: int) -> None:
    """Synonyms and the more general word stand for a word, opposites say the contrary, letters alone nothing."""
    assert likeness(_word(claim), _word(text)) == expected


@pytest.mark.parametrize(
    ("claim", "text", "fit"),
    [
        ("one half", "one third", Fit.NO),
        ("50%", "one half", Fit.YES),
        ("2.5 km", "2,500 m", Fit.YES),
        ("2,050 litres", "2 cubic metres", Fit.NO),
        ("12.50 m", "12.52 m", Fit.NO),
        ("5 kg", "5 km", Fit.APART),
        ("5 March 2024", "2024-03-05", Fit.YES),
        ("6 seconds", "about 6 seconds", Fit.HEDGE),
        ("14 days", "at least 14 days", Fit.BOUND),
        ("between 2 and 8 °C", "between 2 and 8 °C", Fit.YES),
        ("more than 5 people", "7 people", Fit.YES),
        ("$5", "€5", Fit.APART),
    ],
)
def test_figures(claim: str, text: str, fit: Fit) -> None:
    """A number fits by the number rules, in any unit of its kind, with its bound and reserve."""
    assert fits(_figure(claim), _figure(text), TextLimits()) is fit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It definitely works.", ["definitely"]),
        ("It guarantees success.", ["guarantees"]),
        ("It is 100% safe.", ["100%"]),
        ("The conversion was 100%.", []),
        ("It will never fail without fail.", ["never", "without fail"]),
        ("It is not always so.", []),
    ],
)
def test_overclaims(text: str, found: list[str]) -> None:
    """Words of certainty are found in any inflection; 100 % as a quantity is none."""
    assert [text[a:b] for a, b in overclaims(pieces_of(text))] == found


def test_quotations() -> None:
    """A quotation stands word for word; curly marks and the case of its first letter do not matter."""
    texts = [Text("a", "She said that the delay was “regrettable but lawful”.")]
    assert not list(misquoted('The delay was "Regrettable but lawful."', texts))
    assert len(list(misquoted('The delay was "regrettable and lawful".', texts))) == 1
