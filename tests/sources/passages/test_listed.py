"""What is said of all of several listed values, against the lines that list them."""

from __future__ import annotations

import pytest

from imprimatur.sources.passages.ground import Ground, Line
from imprimatur.sources.passages.listed import listed


def _ground(*lines: str) -> Ground:
    return Ground([Line(text, str(number), 0, len(text)) for number, text in enumerate(lines)])


_SCORES = _ground("Model A scored 85 %.", "Model B scored 86 %.", "Model C scored 89.4 %.", "Model D failed.")


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("All three scored between 80 % and 90 %.", True),
        ("All three models scored at least 85 %.", True),
        ("All three scored between 86 % and 90 %.", False),
        ("All models scored below 89 %.", False),
        ("All models scored between 80 % and 90 %.", None),
        ("All four scored at least 80 %.", None),
        ("Both scored at least 80 %.", None),
    ],
)
def test_ranges_and_bounds_over_listed_values(claim: str, holds: bool | None) -> None:
    """All within and as many as said: true. One outside: false. Not so many, or no number said: open."""
    found = listed(claim, _SCORES)
    assert found is not None
    assert found.holds is holds


def test_the_values_are_shown() -> None:
    """Those that are within, and of a false claim those that are not."""
    within, outside = listed("All three scored above 80 %.", _SCORES), listed("All three scored above 85 %.", _SCORES)
    assert within is not None
    assert within.shown == "85, 86, 89.4: all within"
    assert outside is not None
    assert outside.shown == "outside: 85"
    assert [line.text for line in outside.lines] == ["Model A scored 85 %."]


def test_units_are_converted() -> None:
    """Kilometres and metres of one list."""
    ground = _ground("The Orla canal is 2 km long.", "The Vesk canal is 900 m long.")
    found = listed("Both canals are at least 800 m long.", ground)
    assert found is not None
    assert found.holds is True


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("The three scored between 80 % and 90 %.", ("A scored 85 %.", "B scored 86 %.")),
        ("All three scored well.", ("A scored 85 %.", "B scored 86 %.")),
        ("All three scored above 80 %.", ("A scored 85 %.",)),
        ("All three failed above 80 %.", ("A scored 85 %.", "B scored 86 %.")),
        ("Both scored above 80 %.", ("A scored 85 % and 70 %.", "B scored 86 %.")),
        ("Both scored above 80 %.", ("A never scored 85 %.", "B scored 86 %.")),
        ("Both are above 80 m.", ("A is 85 %.", "B is 86 %.")),
        ("", ("A scored 85 %.",)),
    ],
)
def test_other_claims_and_other_lists_are_left_alone(claim: str, lines: tuple[str, ...]) -> None:
    """No "all", no bound, one value only, other words, several values in a line, a denial, another unit."""
    assert listed(claim, _ground(*lines)) is None
