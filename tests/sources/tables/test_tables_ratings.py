"""Ratings with the best value there is: "4.5 out of 5" where the table says so, and no other scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur import Corrected, Oracle
from imprimatur.errors import ConfigError
from imprimatur.language import units
from imprimatur.sources.tables.columns import spoken
from imprimatur.sources.tables.described import read_described
from imprimatur.sources.tables.numbers import exact, unit_iri

_CAFES = "name,rating,reviews,seats\nFinch Cafe,4.5,120,40\nPlover Bar,3,40,20\nHeron Inn,,,60\n"
_WORDS = "version: 1\ntables:\n  cafes:\n    columns:\n      rating: {synonyms: [star rating], best: 5}\n"
_INNS = "name,score\nElm Inn,8/10\nOak Inn,9.5/10\n"
_CONFIG = "version: 1\ntables:\n  - {file: cafes.csv, described: words.yaml, complete: true}\n  - inns.csv\n"
_SENTENCES = {
    "supported": """
        Finch Cafe is rated 4.5 out of 5.
        Finch Cafe is rated 4.5/5.
        Finch Cafe is rated 4.5 out of 5.0.
        Finch Cafe is rated 4.5 / 5.
        Finch Cafe is rated 4.5 out of a possible 5.
        Finch Cafe has a rating of 4.5 out of 5.
        Finch Cafe has a rating of 4.5 out of five stars.
        Finch Cafe has a rating of 4.5 stars out of 5.
        Finch Cafe has 4.5 out of 5 stars.
        Finch Cafe has 4.5/5 stars.
        Finch Cafe has 4.5 stars.
        Finch Cafe has a 4.5-star rating.
        Finch Cafe is rated 4.5.
        The rating of Finch Cafe is over 4 out of 5.
        Finch Cafe is not rated 3 out of 5.
        Elm Inn has a score of 8 out of 10.
        Oak Inn has a score of 9.5/10.
        1 out of 3 cafes has 60 seats.
    """,
    "contradicted": """
        Finch Cafe is rated 3.5 out of 5.
        Finch Cafe is rated 3.5/5.
        Finch Cafe is rated 3.5 stars out of 5.
        Finch Cafe has a rating of 4 stars out of 5 and Plover Bar has a rating of 4 out of 5.
        Finch Cafe is rated over 4.5 out of 5.
        Finch Cafe is not rated 4.5 out of 5.
        Elm Inn has a score of 9 out of 10.
        2 out of 3 cafes have 60 seats.
    """,
    "not_found": """
        Finch Cafe is rated 4.5 out of 10.
        Finch Cafe is rated 9 out of 10.
        Finch Cafe is rated 4.5/10.
        Finch Cafe is rated 4.5 out of 6.
        Finch Cafe has 4.5 out of 10 stars.
        Finch Cafe has a rating of 4.5 stars out of 10.
        Elm Inn has a score of 4 out of 5.
        Elm Inn has a score of 8 out of 5.
        Finch Cafe is rated 90%.
        Finch Cafe is rated 4.5 out of 5 for service.
        Finch Cafe is rated nearly 4.5 out of 5 by critics.
        Finch Cafe has 40 out of 5 seats.
        Heron Inn is rated 4.5 out of 5.
        Heron Inn is not rated 4.5 out of 5.
        2 out of 3 cafes have a rating of 3.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


def _folder(folder: Path) -> Path:
    for name, text in (
        ("cafes.csv", _CAFES),
        ("inns.csv", _INNS),
        ("words.yaml", _WORDS),
        ("imprimatur.yaml", _CONFIG),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """Cafes rated out of 5, inns scored out of 10."""
    return Oracle.from_folder(_folder(tmp_path_factory.mktemp("cafes")))


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_a_rating_is_judged_on_its_scale(oracle: Oracle, label: str, sentence: str) -> None:
    """The value and the scale have to be those of the table; things are still counted."""
    assert oracle.check(sentence).segments[0].label.value == label


def test_where_no_scale_is_known_it_stays_unread(tmp_path: Path) -> None:
    """Without `best` the value is read, and "out of 5" is withheld."""
    folder = _folder(tmp_path)
    (folder / "words.yaml").write_text(_WORDS.replace(", best: 5", ""), encoding="utf-8")
    oracle = Oracle.from_folder(folder)
    assert oracle.check("Finch Cafe is rated 4.5.").segments[0].label.value == "supported"
    for sentence in ("Finch Cafe is rated 4.5 out of 5.", "Finch Cafe is rated 4.5/5.", "Finch Cafe has 4.5/5 stars."):
        assert oracle.check(sentence).segments[0].label.value == "not_found"


def test_a_wrong_rating_is_put_right(tmp_path: Path) -> None:
    """The number alone is written anew."""
    decision = (
        Oracle.from_folder(_folder(tmp_path), policy="correct").check("Plover Bar is rated 4.5 out of 5.").decision
    )
    assert isinstance(decision, Corrected)
    assert decision.text == "Plover Bar is rated 3.0 out of 5."


@pytest.mark.parametrize(
    ("name", "words", "best"),
    [
        ("rating (out of 5)", "rating", 5),
        ("rating out of 10", "rating", 10),
        ("star_rating_out_of_5", "star rating", 5),
        ("score /100", "score", 100),
        ("rating", "rating", None),
        ("people out of 1", "people out of 1", None),
        ("km/5", "km", 5),
    ],
)
def test_a_scale_in_a_name(name: str, words: str, best: int | None) -> None:
    """The best value may stand in the name of the column."""
    found, unit = spoken(name)
    assert (found, units.scale_of(unit)) == (words, best)


def test_scales_are_units_of_their_own() -> None:
    """No scale converts into another, and each is found by its IRI."""
    five = units.scale(5)
    assert units.by_iri(unit_iri(five) or "") == five != units.scale(10)
    assert exact("4.5/5", five) == exact("4.5", five)
    assert exact("4.5/10", five) is None
    assert exact("4.5 km", five) is None


@pytest.mark.parametrize("best", ["1", "x", "5.5", "10000"])
def test_a_best_value_that_is_none_is_refused(tmp_path: Path, best: str) -> None:
    """It is a whole number from 2 on; beside a unit it is refused too."""
    path = tmp_path / "words.yaml"
    path.write_text(_WORDS.replace("best: 5", f"best: {best}"), encoding="utf-8")
    with pytest.raises(ConfigError, match="best"):
        read_described(path)
    path.write_text(_WORDS.replace("best: 5", "best: 5, unit: m"), encoding="utf-8")
    with pytest.raises(ConfigError, match="best"):
        read_described(path)
